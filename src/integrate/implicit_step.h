#pragma once
// What all fixed-step implicit methods share: residual, Newton matrix, update and projection of
//   M z_dot = f - G^T lambda,  c_dot = d,  0 = b,  constraints on position or velocity level.
// A method brings a predictor and the coefficients that tie z_dot, z, x and c_dot to the unknown of the step.

#include "dynamics/condensation.h"
#include "integrate/integrator.h"
#include "integrate/jacobian.h"

namespace monocoque {

/// A method that can take a force it learns of only after its step: by one more solution with the factors it
/// has. False: not for this step.
class LateForce {
 public:
  virtual ~LateForce() = default;
  virtual bool add_late_force(State& s,
                              const VecX& force) = 0;  ///< force: nz entries, at the end of the step
};

class ImplicitStep {
 public:
  ImplicitStep(Workspace& ws, const io::SimulationSpec& settings);

  /// Evaluates everything at s with accelerations z_dot and rates c_dot; assembles and factors when asked;
  /// solves for the increments of z-like unknown, c, lambda, w (available below).
  /// False: singular matrix.
  bool newton(const State& s, const VecX& z_dot, const VecX& c_dot, const StepCoefficients& k, bool refresh);

  // The phases of newton() in its order, each on what those before it have left: for those who measure them.
  // newton() itself spreads `assemble` and `factor` over the steps that share a matrix.
  void kinematics(const State& s, bool refresh);
  void constraints(const State& s, bool refresh);
  void forces(const State& s);
  void assemble(const State& s, const VecX& z_dot, const StepCoefficients& k);
  bool factor(const StepCoefficients& k);
  void residual(const State& s, const VecX& z_dot, const VecX& c_dot, const StepCoefficients& k);
  void solve();

  /// Increment of the step unknown, of c, of lambda, of w, after newton().
  Eigen::VectorBlock<const VecX> step_z() const { return increment_.head(model_.nz); }
  Eigen::VectorBlock<const VecX> step_c() const { return increment_.segment(model_.nz, model_.nc); }
  Eigen::VectorBlock<const VecX> step_lambda() const {
    return increment_.segment(model_.nz + model_.nc, model_.nlambda);
  }
  Eigen::VectorBlock<const VecX> step_w() const { return increment_.tail(model_.nw); }
  /// s.lambda, s.w and s.c plus the last increments.
  void update_algebraic(State& s, double accel) const;

  /// The new state s of a step with these coefficients, changed by what the force does to it (linearised).
  void add_force(State& s, const VecX& force, const StepCoefficients& k);

  /// Projection onto g = 0 and g_dot = 0 with the factors of the step (dissertation 2.2.4, no new
  /// factorisation).
  void project_positions(State& s);
  void project_velocities(State& s);

  /// The next step renews a shared matrix at once, so that runs from one state are the same.
  void restart() { counter_ = 0; }
  /// Several steps share a matrix.
  bool holds_matrix() const { return matrix_steps_ > 1; }

  ConstraintLevel level() const { return level_; }
  int factorisations() const { return factorisations_; }

 private:
  bool renew(const State& s, const VecX& z_dot, const StepCoefficients& k);
  void assemble_piece(int piece, const State& s, const VecX& z_dot, const StepCoefficients& k);
  void solve_projection(const VecX& residual);

  Workspace& ws_;
  const Model& model_;
  Jacobian jacobian_;
  SystemLayout layout_;
  std::unique_ptr<Condensation> condensation_;
  BlockMatrix matrix_;
  std::unique_ptr<LinearSolver> solver_;
  ConstraintLevel level_;
  FrozenTangents frozen_;
  StepCoefficients factored_with_{0, 0, 0, 0};
  int matrix_steps_, counter_ = 0;  ///< the matrix is renewed once in so many steps; step within them
  int next_piece_ = 0;
  double baumgarte_ = 0;
  bool nonholonomic_ = false;                       ///< some rows exist on velocity level only
  VecX residual_z_, increment_, condensed_, step_;  ///< increment: of (z, c, lambda, w)
  int factorisations_ = 0;
};

}  // namespace monocoque

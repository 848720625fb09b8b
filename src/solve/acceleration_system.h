#pragma once
// The index-1 system [M G^T; G 0] (z_dot, lambda) = (f, -gamma), with the algebraic variables w of force
// elements and forces that depend on lambda solved together by a fixed number of Newton steps; and the
// projections onto the constraint manifold with the same factors (dissertation 2.128, 2.129).

#include <memory>

#include "dynamics/assembly.h"
#include "dynamics/workspace.h"
#include "solve/linear_solver.h"

namespace monocoque {

/// Baumgarte terms of the acceleration level: gamma + 2 alpha g_dot + beta^2 g (Arnold section 4, sign
/// checked).
struct Baumgarte {
  double alpha = 0, beta = 0;
};

class AccelerationSystem {
 public:
  AccelerationSystem(const Model& model, LinearSolverKind kind);

  /// All stages at the state, then z_dot, s.lambda and s.w. False when the matrix is singular.
  /// Newton starts from s.lambda, s.w when forces depend on them; `newton_steps` are then done.
  bool solve(Workspace& ws, State& s, const Baumgarte& stabilisation, int newton_steps, VecX& z_dot);

  /// Stages at the state and factors only, for projections.
  bool factor(Workspace& ws, const State& s);

  /// One step towards g = 0 and g_dot = 0 with the last factors: minimal in the mass norm. No new
  /// factorisation.
  void project_positions(Workspace& ws, State& s);
  void project_velocities(Workspace& ws, State& s);

  double reciprocal_condition() const { return solver_->reciprocal_condition(); }
  const LinearSolver& solver() const { return *solver_; }
  int factorisations() const { return factorisations_; }

 private:
  bool refactor(Workspace& ws, const State& s);

  const Model& model_;
  SystemLayout layout_;
  BlockMatrix matrix_;
  std::unique_ptr<LinearSolver> solver_;
  VecX rhs_, step_;
  bool nonlinear_;
  int factorisations_ = 0;
};

/// Signals, kinematics, constraints (three levels) and forces at a state.
void evaluate(Workspace& ws, const State& s);

}  // namespace monocoque

#pragma once
// Fills the saddle-point matrices. Signs: the equations are
//   R_z = M z_dot - f(x, z, c, w, lambda, t) + G^T lambda,  R_c = c_dot - d,  R_w = b.

#include "dynamics/frozen_tangents.h"
#include "dynamics/layout.h"
#include "dynamics/workspace.h"

namespace monocoque {

/// How the increments of one unknown step s enter the equations: dz_dot = accel s, dz = vel s, dx = pos s
/// (tangent coordinates), dc_dot = c_rate dc. Multipliers are scaled: lambda = accel lambda'.
struct StepCoefficients {
  double accel = 1, vel = 1, pos = 1, c_rate = 1;
};

/// Level of the constraint rows in the iteration matrix: which residual they linearise.
enum class ConstraintLevel { position, velocity, acceleration };

/// Weights of the derivatives in an iteration matrix: mass d/dz_dot + vel d/dz + pos d/dx in the columns of
/// z, algebraic d/d(c, lambda, w) in theirs, c_unit for dR_c/dc_dot; then rows of z, c, lambda and columns of
/// lambda are scaled.
struct TangentWeights {
  double mass = 0, vel = 0, pos = 0, algebraic = 0, c_unit = 0;
  double z_row = 1, c_row = 1, lambda_row = 1, lambda_column = 1;
  static TangentWeights of_step(const StepCoefficients& k, ConstraintLevel level);
};

/// Which derivatives an iteration matrix has, beside mass, constraint matrix and elasticity.
struct JacobianTerms {
  bool reactions = true;  ///< of the reactions (geometric stiffness) and of the constraint rows
  bool inertia = true;    ///< of gyroscopic, centrifugal and Coriolis forces
  const FrozenTangents* frozen = nullptr;  ///< of the applied forces, from before; null: those of this state
};

/// [M, G^T - f_lambda, -f_w; G, 0, 0; 0, b_lambda, b_w] at the current positions (and multipliers).
void assemble_acceleration(Workspace& ws, const State& s, const SystemLayout& layout, BlockMatrix& A);

/// Derivatives of (R_z, R_c, constraints on the level given, R_w) at the accelerations z_dot. Needs
/// positions, velocities, constraints, forces; on the acceleration level also update_accelerations.
void assemble_iteration(Workspace& ws, const State& s, const VecX& z_dot, const TangentWeights& k,
                        ConstraintLevel level, const SystemLayout& layout, BlockMatrix& A,
                        const JacobianTerms& terms = {});
/// The same in pieces, which may lie in different steps: everything but the applied forces, then these.
void begin_iteration(Workspace& ws, const State& s, const VecX& z_dot, const TangentWeights& k,
                     ConstraintLevel level, const SystemLayout& layout, BlockMatrix& A,
                     const JacobianTerms& terms);
void add_force_tangents(Workspace& ws, std::size_t first, std::size_t last, const TangentWeights& k,
                        const SystemLayout& layout, BlockMatrix& A, const JacobianTerms& terms);

}  // namespace monocoque

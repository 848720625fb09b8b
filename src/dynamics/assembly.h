#pragma once
// Fills the saddle-point matrices. Signs: the equations are
//   R_z = M z_dot - f(x, z, c, w, lambda, t) + G^T lambda,  R_c = c_dot - d,  R_w = b.

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

/// [M, G^T - f_lambda, -f_w; G, 0, 0; 0, b_lambda, b_w] at the current positions (and multipliers).
void assemble_acceleration(Workspace& ws, const State& s, const SystemLayout& layout, BlockMatrix& A);

/// Newton matrix of an implicit step, rows scaled as
///   z rows by 1/accel, c rows by 1/c_rate, lambda rows by 1/pos (position) or 1/vel (velocity), w rows by 1.
/// `z_dot` is only read by formulations whose mass matrix varies. Needs positions, velocities, constraints, forces.
void assemble_iteration(Workspace& ws, const State& s, const StepCoefficients& k, ConstraintLevel level,
                        const SystemLayout& layout, BlockMatrix& A);

/// d(T^T wrench)/dx of one marker for a wrench held fixed in world axes: 6 x 6, body coordinates.
Mat6 load_stiffness(const Mat3& R, const Vec3& r, const Vec6& wrench);
/// d(twist of the marker)/dx at fixed z: 6 x 6.
Mat6 twist_by_position(const Mat3& R, const Vec3& w, const Vec3& r);

}  // namespace monocoque

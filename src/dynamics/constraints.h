#pragma once
// Constraints of the whole model from the rows of its joints: G = W T per part, residuals on the three
// levels.
//   position g(x, t) = 0;  velocity g_dot = G z + rate = 0;  acceleration G z_dot + gamma = 0.
// Rows with ws.active == 0 are taken out: their G, residuals and multipliers are zero.

#include <Eigen/SparseCore>

#include "dynamics/workspace.h"

namespace monocoque {

/// W, G and g at the current positions and signals. Memory of joints is read from r.
void update_constraints(Workspace& ws, double t, const VecX& r);
/// g only, W only: for projections, which reuse the factors of a step. G stays as it was.
void update_constraint_residual(Workspace& ws, double t, const VecX& r);
void update_constraint_rows(Workspace& ws, double t, const VecX& r);
/// g_dot (needs update_constraints and update_velocities).
void update_constraint_velocity(Workspace& ws);
/// gamma (needs the same).
void update_constraint_convective(Workspace& ws);

/// Wrenches on markers to generalized forces: frames at once, elastic coordinates through port_force.
void clear_port_forces(Workspace& ws);
void add_wrench(Workspace& ws, MarkerIndex marker, const Vec6& wrench, VecX& out);
void add_port_forces(const Workspace& ws, double factor, VecX& out);
/// out += factor * G^T lambda.
void add_constraint_forces(Workspace& ws, const VecX& lambda, double factor, VecX& out,
                           PortForces ports = PortForces::added);
/// out += factor G z_dot
void add_constraint_rates(Workspace& ws, const VecX& z_dot, double factor, VecRef out);
/// Largest |residual| over all rows, inactive ones included; the row that has it.
struct LargestResidual {
  double value = 0;
  int row = -1;
};
LargestResidual largest_position_residual(const Workspace& ws);
LargestResidual largest_velocity_residual(const Workspace& ws);

/// G of all rows (active or not) as a sparse matrix nlambda x nz, for rank analysis and assembly.
Eigen::SparseMatrix<double, Eigen::RowMajor> constraint_matrix(const Workspace& ws);
/// Residual of all rows, active or not: g (position) or g_dot (velocity).
void full_residual(const Workspace& ws, bool velocity_level, VecX& out);

/// Reactions of all joints on their second marker, from the multipliers.
void update_reactions(Workspace& ws, const VecX& lambda);

/// Memory of the joints: first values, and the update after an accepted step (needs positions, velocities).
void start_joint_memory(Workspace& ws, double t, VecX& r);
void update_joint_memory(Workspace& ws, double t, VecX& r);

}  // namespace monocoque

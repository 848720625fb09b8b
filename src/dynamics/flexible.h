#pragma once
// Inertia, quadratic forces and elasticity of flexible parts in the mixed frame: velocity of the reference
// frame in world axes, angular velocity and elastic rates in body axes (dissertation 2.3.2, 2.3.4; signs
// derived in docs/theory/flexible-bodies.md). With A = R^T, a = A (v_dot - g):
//   R_t = m (v_dot - g) + R (w_dot x mc + Ct^T q_ddot + w x (w x mc) + 2 w x Ct^T q_dot)
//   R_r = mc x a + J w_dot + Cr^T q_ddot + w x J w + sum Gr_l q_dot_l w
//   R_e = Ct a + Cr w_dot + Me q_ddot + sum Ge_l q_dot_l w + Oe w_q + ksigma + Ke q + De q_dot

#include "core/block_matrix.h"
#include "model/flexible_body.h"
#include "model/model.h"
#include "model/state.h"

namespace monocoque {

using MatRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// What changes with the state of one flexible part; all sized once.
struct FlexiblePart {
  // Ports: through them markers see the elastic coordinates, u = P q, three rows for the displacement and
  // three for the rotation of each marker, body axes. P does not change.
  MatRows P;
  int step_rows = 0;              ///< the first rows: what elements read; the rest is for outputs
  VecX u, u_dot, u_ddot;          ///< of their stages
  VecX port_force;                ///< scratch: forces on the ports
  bool diagonal = false;          ///< Me, Ke, De are
  VecX mass, stiffness, damping;  ///< their diagonals
  // position stage
  Vec3 mc;
  Mat3X Ct, Cr;  ///< transposed, at q
  Mat3 J;
  Mat6X J_q;  ///< column l: dJ/dq_l
  Mat9X Gr;   ///< column l
  Mat6X Oe;   ///< transposed
  // velocity stage
  Mat3 Gr_rate;  ///< sum Gr_l q_dot_l
  MatX Ge_rate;  ///< nq x 3: sum_l Ge_l q_dot_l; zero if the body has no Ge
  // scratch
  VecX column;
  VecX small, small_product;  ///< of compressed couplings: B^T q, C B^T q
};

/// Entry (row0, col0) of a block as the beginning of a smaller one.
inline BlockHandle inside(BlockHandle h, int row0, int col0) {
  return {h.base + col0 * h.stride + row0, h.stride};
}

void size_flexible(const FlexibleBody& body, int step_rows, int port_rows, FlexiblePart& cache);
/// out = P q, of the rows of a step or of all.
void update_ports(const FlexiblePart& cache, const ConstVecRef& q, bool all, VecX& out);
/// out += factor P^T port_force, rows of a step.
void add_port_forces(const FlexiblePart& cache, double factor, VecRef out);
void update_flexible_positions(const FlexibleBody& body, const ConstVecRef& q, FlexiblePart& cache);
void update_flexible_velocities(const FlexibleBody& body, const ConstVecRef& q_dot, FlexiblePart& cache);

/// f = gravity, quadratic and elastic forces (-R at z_dot = 0), 6 + nq entries.
void flexible_forces(const FlexibleBody& body, FlexiblePart& cache, const Mat3& R, const Vec3& gravity,
                     const ConstVecRef& x, const ConstVecRef& z, VecRef f);
/// out += factor M z_dot
void add_flexible_mass_times(const FlexibleBody& body, const FlexiblePart& cache, const Mat3& R,
                             const ConstVecRef& z_dot, double factor, VecRef out);
/// A += factor M, or only its rows and columns of the frame.
void add_flexible_mass(const FlexibleBody& body, const FlexiblePart& cache, const Mat3& R, double factor,
                       bool elastic, BlockHandle h, BlockMatrix& A);
/// A += pos Ke + vel De
void add_elastic_tangent(const FlexibleBody& body, const FlexiblePart& cache, double pos, double vel,
                         BlockHandle h, BlockMatrix& A);
/// A += pos dR/dx + vel dR/dz at the accelerations given, elasticity included.
void add_flexible_tangent(const FlexibleBody& body, FlexiblePart& cache, const Mat3& R, const Vec3& gravity,
                          const ConstVecRef& z, const ConstVecRef& z_dot, double pos, double vel,
                          BlockHandle h, BlockMatrix& A);

struct FlexibleEnergy {
  double kinetic = 0, gravity = 0, elastic = 0, dissipated_power = 0;
};
FlexibleEnergy flexible_energy(const FlexibleBody& body, const FlexiblePart& cache, const Mat3& R,
                               const Vec3& gravity, const ConstVecRef& x, const ConstVecRef& z);

}  // namespace monocoque

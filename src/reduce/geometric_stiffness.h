#pragma once
// Geometric stiffening of a flexible body (Wallrapp and Schwertassek 1991): loads that the body's motion and
// its joints exert stress it, and a stressed body is stiffer or softer than a slack one. For each unit load
// the static stress gives K_geo, reduced to nq x nq, in its own place of the SID:
//   acceleration of the frame a_i           Ct order 1,  Ct1_l(k, i) = K(k, l)
//   angular acceleration                    Cr order 1,  added
//   w_i w_j (centrifugal)                   Oe order 1,  added
//   force or moment at a retained node      phi, psi order 1, phi1_l(i, k) = -K(k, l): on the side of the
//   forces
// Signs: the terms stand with the mass matrix and with Oe on the left of M z_dot + ... + Ke q = forces.
// All unit loads use one statically determinate support; the loads of a real motion balance and so do the
// reactions.

#include <functional>

#include "io/body/sid.h"
#include "io/mesh/fe_mesh.h"
#include "reduce/basis.h"

namespace monocoque::reduce {

/// Geometric stiffness, unknowns x unknowns, of the stresses that belong to a displacement field; linear in
/// it.
using GeometricStiffness = std::function<SparseMatrix(const VecX& displacement)>;

struct StiffeningOptions {
  bool accelerations = true, centrifugal = true, nodal_forces = true;
  FrameChoice support;  ///< tangent at a node: held there; otherwise three nodes far apart
  CholeskyOptions cholesky;
};

/// Completes sid, which was made from the same Phi and origin.
void add_geometric_stiffening(const FeSystem& fe, const NodeMap& map, const MatX& Phi, const Vec3& origin_m,
                              const GeometricStiffness& stiffness, const StiffeningOptions& options,
                              io::Sid& sid);

/// Axial forces of the rods and two-node beams of a mesh; cubic bending shapes. Other elements carry no
/// stress here.
GeometricStiffness axial_stiffness(const FeSystem& fe, const io::FeMesh& mesh);

}  // namespace monocoque::reduce

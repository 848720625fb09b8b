#pragma once
// Four-node shell on the bilinear surface through its nodes, plane or warped.
//   x(xi, eta, zeta) = sum N_i (x_i + zeta V_i),   u = sum N_i (u_i + zeta theta_i x V_i),   V_i corner
//   normals
// Strains are linear in zeta. Bending: DKMQ [Katili, IJNME 36, 1993]: rotations of the normal quadratic along
// the sides, shear tied to the curvature of the side; thin limit discrete Kirchhoff, no locking; shear
// interpolated as in MITC4 [Dvorkin, Bathe, Eng. Comput. 1, 1984]. Membrane: covariant strains with the
// warping term taken from the edges [Ko, Lee, Lee, Bathe, Comput. Struct. 182,
// 2017, MITC4+], and four enhanced strain parameters [Simo, Rifai, IJNME 29, 1990]. Drilling: drilling * G t
// (omega_n - theta_n)^2 [Hughes, Brezzi, CMAME 72, 1989] with a small factor, which keeps plates from folding
// about their normal without stiffening their membrane. Rigid motion strains nothing, also for warped
// elements. Membrane, bending and twist patch tests are passed. Normal: (x_3 - x_1) x (x_4 - x_2). The middle
// surface lies offset_m along it. Interior angles below 180 degrees. Mass: translations and rotary inertia
// rho t^3 / 12 of the directors, none about the normal.

#include "fe/element.h"

namespace monocoque::fe {

Fault shell4_matrices(const ElementData& e, MassKind mass, ElementMatrices& out);
Fault shell4_stress(const ElementData& e, StressMatrix& out);

}  // namespace monocoque::fe

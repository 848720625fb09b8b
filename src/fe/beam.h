#pragma once
// Straight Timoshenko beam, quadratic beam, and rod. Element axes: x from a to b, y in the plane of x and
// y_axis.
//   section: N = E A eps, (V_y, V_z) = G A (k_y gamma_y, k_z gamma_z), M_x = G J kappa_x,
//            M_y = E (I_y kappa_y - I_yz kappa_z), M_z = E (I_z kappa_z - I_yz kappa_y),   kappa = d theta /
//            d x
// beam2: stiffness from the exact flexibility of the beam under loads at its ends, so static tip loads give
// nodal
//   values without discretisation error; the mass uses the same deflection shapes, with rotary inertia
//   [Przemieniecki, Theory of Matrix Structural Analysis, 1968, chapters 5 and 11; Friedman, Kosmatka,
//   Comput. Struct. 47, 1993]. Offsets are rigid arms. Releases are condensed statically at the section's
//   centre.
// beam3: quadratic u and theta along the (curved) line through three nodes, all strains at two Gauss points,
// which
//   removes shear and membrane locking [Zienkiewicz, Taylor, The Finite Element Method, vol. 2]. No releases.
// rod2: E A and G J only.
// Shear factor 0 means no shear flexibility. No warping torsion; shear centre and centroid coincide.

#include "fe/element.h"

namespace monocoque::fe {

Fault beam2_matrices(const ElementData& e, MassKind mass, ElementMatrices& out);
Fault beam2_stress(const ElementData& e, StressMatrix& out);
Fault beam3_matrices(const ElementData& e, MassKind mass, ElementMatrices& out);
Fault beam3_stress(const ElementData& e, StressMatrix& out);
Fault rod2_matrices(const ElementData& e, MassKind mass, ElementMatrices& out);
Fault rod2_stress(const ElementData& e, StressMatrix& out);

/// Rows are the element's axes; y_axis zero or parallel to x: any.
Mat3 beam_axes(const Vec3& along, const Vec3& y_axis);

}  // namespace monocoque::fe

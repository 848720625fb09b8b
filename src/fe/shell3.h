#pragma once
// Three-node flat shell: membrane triangle with drilling rotations, discrete Kirchhoff-Mindlin bending.
// Membrane: K = K_basic + 0.1 K_higher of the ANDES template OPT [Felippa, CMAME 192, 2003; Alvin, de la
//   Fuente, Haugen, Felippa, Finite Elem. Anal. Des. 12, 1992]. The basic part is exact for constant stress.
//   All of the higher part would be exact for in-plane bending of flat sheets but lock thin curved shells;
//   with a tenth, one pair of triangles across is 27 % too soft in plane, two 5 %, four 1 %.
// Bending: DKMT [Katili, IJNME 36, 1993]: rotations quadratic along the sides, shear constant on each side
//   and tied to the curvature of the side; thin limit DKT [Batoz, Bathe, Ho, IJNME 15, 1980], no locking.
// Its drilling rotations carry membrane energy; no penalty is needed. Normal: (x_2 - x_1) x (x_3 - x_1).
// The middle surface lies offset_m along it. Mass: linear functions, as shell4.
// Limits: stress of first order only; very thin (t < size / 100) strongly curved meshes are still too stiff.

#include "fe/element.h"

namespace monocoque::fe {

Fault shell3_matrices(const ElementData& e, MassKind mass, ElementMatrices& out);
Fault shell3_stress(const ElementData& e, StressMatrix& out);

}  // namespace monocoque::fe

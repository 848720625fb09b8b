#pragma once
// Three-node flat shell: optimal membrane triangle with drilling rotations, discrete Kirchhoff-Mindlin
// bending.
//   membrane: K = K_basic + K_higher of the ANDES template OPT [Felippa, CMAME 192, 2003; Alvin, de la
//   Fuente,
//     Haugen, Felippa, Finite Elem. Anal. Des. 12, 1992]: basic part exact for constant stress, higher part
//     exact for in-plane bending of rectangles of any aspect ratio made of two triangles;
//   bending: DKMT [Katili, IJNME 36, 1993]: rotations quadratic along the sides, shear constant on each side
//   and
//     tied to the curvature of the side; thin limit DKT [Batoz, Bathe, Ho, IJNME 15, 1980], no locking.
// Its drilling rotations carry membrane energy; no penalty is needed. Normal: (x_2 - x_1) x (x_3 - x_1).
// The middle surface lies offset_m along it. Mass: linear functions, as shell4.

#include "fe/element.h"

namespace monocoque::fe {

Fault shell3_matrices(const ElementData& e, MassKind mass, ElementMatrices& out);
Fault shell3_stress(const ElementData& e, StressMatrix& out);

}  // namespace monocoque::fe

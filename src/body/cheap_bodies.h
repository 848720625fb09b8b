#pragma once
// Cheaper meshes of the same car (dissertation 4.2): mass, centre and inertia of the shell body, the same 20
// interfaces, and stiffness fitted to it. They go through reduction like any mesh.
//   two halves: rigid before and behind the centre of mass, joined by a torsion bar
//   beam frame: a few beams along the load paths, diagonals for the sheets between them; two factors on their
//     stiffness are fitted, one on all and one on the diagonals, so that torsion and bending agree

#include "body/assess.h"

namespace monocoque::body {

BodyInWhite two_halves(const BodyInWhite& shells, const MassProperties& mass, const Stiffness& stiffness);

struct BeamFit {
  double all = 1, panels = 1;  ///< factors on Young's modulus
  int iterations = 0;
};
/// Throws Error when the stiffness cannot be met.
BodyInWhite beam_frame(const BodyInWhite& shells, const MassProperties& mass, const Stiffness& stiffness,
                       BeamFit* fit = nullptr);

}  // namespace monocoque::body

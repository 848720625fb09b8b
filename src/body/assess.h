#pragma once
// What an engineer asks of a body: mass and inertia, static stiffness, free modes with names.
//   torsion: rear domes held in x, y, z; a couple of vertical forces at the front domes, whose mean height is
//     held; moment over the angle between the front domes
//   bending: all domes held in z; equal forces down at both sills under the B pillars; force over deflection
//   names: the body is cut into slices along x and each slice is fitted by a rigid motion, weighted by mass.
//   What
//     the fits carry of the kinetic energy is the global share. Above a half, the largest part of it decides:
//     roll of the slices is torsion, motion in the middle plane vertical bending, the rest lateral bending.
//     Below, a mode is local when one kind of sheet has two fifths of the energy, otherwise mixed: sections
//     change their shape.

#include <string>
#include <vector>

#include "body/body_in_white.h"
#include "fe/rigid_body.h"
#include "reduce/log.h"
#include "reduce/modes.h"

namespace monocoque::body {

enum class ModeKind { torsion, bending, lateral, local, mixed };

struct NamedMode {
  double frequency_Hz = 0;
  ModeKind kind = ModeKind::local;
  std::string name;                            ///< e.g. "torsion", "local: roof"
  double roll = 0, vertical = 0, lateral = 0;  ///< shares of the kinetic energy
  VecX motion;                                 ///< 6 per node, unit modal mass
};

struct Stiffness {
  double torsion_Nm_per_rad = 0, bending_N_per_m = 0;
  double torsion_kNm_per_deg() const;
  double bending_kN_per_mm() const { return bending_N_per_m * 1e-6; }
};

/// Consistent mass of sheets, beams and point masses, gathered at the nodes.
VecX nodal_masses(const io::FeMesh& mesh);

Stiffness static_stiffness(const BodyInWhite& body, const FeSystem& fe, const reduce::Log& log = {});

struct BodyModes {
  int rigid = 0;
  std::vector<NamedMode> elastic;
};
BodyModes named_modes(const BodyInWhite& body, const FeSystem& fe, int count, const reduce::Log& log = {});

/// The lowest mode of a kind, or nullptr.
const NamedMode* first_of(const BodyModes& modes, ModeKind kind);

}  // namespace monocoque::body

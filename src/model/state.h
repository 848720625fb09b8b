#pragma once
// Everything that has to be saved to continue a run, and the group operations on positions.

#include "core/types.h"

namespace monocoque {

struct Model;
struct OutlinePose;

struct State {
  double t = 0;
  VecX x, z, c, lambda, w;
  VecX r;  ///< discrete: joint memory, controller states
};

/// A state of the right sizes: x, z as the model says, everything else zero.
State initial_state(const Model& model);

/// x <- x + d on the group: translations add, quaternions are multiplied by exp(d_rot) from the right (body
/// axes) and normalised. d has nz entries. No allocation; in and out may be the same vector.
void retract(const Model& model, const VecX& x, const VecX& d, VecX& out);
/// The increment that leads from `from` to `to`: retract(from, d) = to.
void local_difference(const Model& model, const VecX& from, const VecX& to, VecX& d);

/// Where the frame of the vehicle's outline is; the model must have a lane.
OutlinePose outline_pose(const Model& model, const VecX& x);

}  // namespace monocoque

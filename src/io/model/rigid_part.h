#pragma once
// A flexible part held in its undeformed shape.

#include "io/model/specification.h"

namespace monocoque::io {

/// Makes it rigid: mass, centre of mass, inertia and places of nodes from its body. Returns the frames whose
/// node the body does not have.
std::vector<const FrameSpec*> make_rigid(PartSpec& part);

}  // namespace monocoque::io

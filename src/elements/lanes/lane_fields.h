#pragma once
// What the lane types share: the vehicle's outline and the drawn path.

#include <vector>

#include "elements/field_makers.h"
#include "elements/lanes/lane.h"

namespace monocoque::lanes {

/// Frame and outline of the vehicle, size of the cones; then the type's own fields.
std::vector<io::Field> with_common_fields(std::vector<io::Field> own);
void read_common(const io::ParameterSet& p, const char* type, LaneGeometry& out);
/// Points of the driver's path between two of its parameters, for pictures.
void draw_path(Lane& lane, double from, double to);

}  // namespace monocoque::lanes

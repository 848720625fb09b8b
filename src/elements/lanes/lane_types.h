#pragma once
// The list of lane types (docs/drivers.md).

#include <vector>

#include "elements/lanes/lane.h"
#include "elements/registry.h"

namespace monocoque {

const std::vector<ElementType<Lane>>& lane_types();

}  // namespace monocoque

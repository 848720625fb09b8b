#pragma once
// The list of tire laws. They are no elements of their own: a tire element holds one, and tire_force_types()
// makes one element type of each law (TypeInfo::group says force).

#include <vector>

#include "elements/registry.h"
#include "elements/tires/tire_law.h"

namespace monocoque {

const std::vector<ElementType<TireLaw>>& tire_law_types();

}  // namespace monocoque

#pragma once
// One function per tire law: its name, fields and maker. tire_law_types() lists them all.

#include <vector>

#include "elements/registry.h"
#include "elements/tires/tire_law.h"

namespace monocoque {

ElementType<TireLaw> reference_tire_type();
ElementType<TireLaw> brush_tire_type();
ElementType<TireLaw> magic_formula_type();

/// All tire laws. They are no elements of their own: the tire element holds one. TypeInfo::group says force.
const std::vector<ElementType<TireLaw>>& tire_law_types();

}  // namespace monocoque

#pragma once
// The one list of road types. A road of a model is a list of entries, each with a type of this list: the
// first is the base, the others lie upon it. Heights add; friction patches replace the friction below them.
// docs/roads.md shows them all.

#include <memory>
#include <string>
#include <vector>

#include "elements/registry.h"
#include "elements/road.h"

namespace monocoque {

const std::vector<ElementType<Road>>& road_types();

/// One entry. Throws Error for an unknown type and for values that contradict each other. File names are seen
/// from the file in which the field stands (ParameterSet::place).
std::unique_ptr<const Road> make_road(const std::string& type, const io::ParameterSet& parameters);

/// Several roads as one, the first at the bottom: heights are added, mu multiplied, friction patches laid
/// over what comes before them; on_road and extent are those of the first. At least one.
std::unique_ptr<const Road> stack_roads(std::vector<std::unique_ptr<const Road>> layers);

}  // namespace monocoque

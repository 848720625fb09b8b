#pragma once
// A part of a mesh: elements chosen by property or by kind, with everything that hangs on them.
// Rigid elements keep the nodes that chosen elements (or other kept rigid elements) use, point masses and
// springs go with their nodes; nodes that nothing uses are dropped.

#include <string>
#include <utility>
#include <vector>

#include "io/mesh/fe_mesh.h"

namespace monocoque {

struct SubsetChoice {
  std::vector<std::pair<long, long>> properties;  ///< ranges of ids; empty: all
  std::vector<io::ElementKind> kinds;             ///< empty: all
  bool empty() const { return properties.empty() && kinds.empty(); }
};

/// "1,2,5-9" and "shell4,shell3"; throw Error with the rule.
std::vector<std::pair<long, long>> id_ranges(const std::vector<std::string>& words);
std::vector<io::ElementKind> element_kinds(const std::vector<std::string>& words);

/// What was dropped is added to the notes. Throws Error when a choice matches nothing.
io::FeMesh subset(io::FeMesh mesh, const SubsetChoice& choice);

}  // namespace monocoque

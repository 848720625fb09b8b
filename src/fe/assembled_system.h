#pragma once
// An FeSystem from matrices that another program assembled: every row is one component of one node.

#include "fe/fe_system.h"
#include "io/mesh/assembled.h"

namespace monocoque {

/// Throws Error when a row has neither stiffness nor mass, a diagonal entry is negative, or there is no mass.
FeSystem system_of(const io::AssembledMatrices& matrices, const std::string& file);

}  // namespace monocoque

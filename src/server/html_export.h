#pragma once
// One file with the page and the answers it would ask for: viewer/src/export/README.md.

#include <string>
#include <vector>

#include "server/run_api.h"

namespace monocoque::server {

/// `channels`: patterns of further channels; those of the layout are always there, all when there are none.
std::string exported_page(RunApi& api, const std::vector<std::string>& channels);

}  // namespace monocoque::server

#pragma once
// The road of `monocoque drive`: one of the command line instead of the scenario's, and the car laid on it.

#include <string>
#include <vector>

#include "apps/common.h"

namespace monocoque {

/// flat, random:A to random:E (ISO 8608), or the path of an OpenCRG file, as an override of the scenario:
/// "road=[...]". Throws Error that names the option and what it may be.
std::string road_override(const std::string& road);

/// As load_scenario; `road` as above, empty: that of the scenario. Preloads and radii are those of level
/// ground, whatever lies below the car at the start: there it is laid on the plane through its wheels, and
/// settles. Throws Error when a wheel would stand beside the road.
LoadedScenario load_on_road(const std::string& path, const std::vector<std::string>& overrides,
                            const std::string& road);

}  // namespace monocoque

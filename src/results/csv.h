#pragma once
// Comma-separated values as every command writes them (RFC 4180).

#include <string>
#include <vector>

#include "results/recorder.h"

namespace monocoque {

/// "time [s],rod0/position/x [m],..." and the end of the line.
std::string csv_header(const std::vector<Channel>& channels);

}  // namespace monocoque

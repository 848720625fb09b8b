#pragma once
// Pictures of deformed bodies for a report.

#include "results/report_tables.h"

namespace monocoque {

/// At the instants of the largest deformation and of the largest stress; empty: there is no such body.
std::string body_pictures(const ReportSides& sides);

}  // namespace monocoque

#pragma once
// Pieces of a report that are text and tables; each takes one run or two.

#include <string>
#include <vector>

#include "io/files/json.h"

#include "results/report_digest.h"

namespace monocoque {

/// A run with what its file says of it.
struct ReportSide {
  std::string file;
  const RunData& run;
  nlohmann::ordered_json settings, summary;
  const RunMotion& motion;
  std::vector<BodyPeaks> peaks;  ///< of the bodies of the motion
  RunDigest digest;
};
using ReportSides = std::vector<ReportSide>;

/// What was run, what came out, key figures, verdicts.
std::string first_screen(const ReportSides& sides);
/// How to get the same numbers again.
std::string reproduction(const ReportSides& sides);
/// Origin, settings, work and time, energy and drift.
std::string run_tables(const ReportSides& sides);
/// Least, greatest and last value of every channel.
std::string channel_table(const RunData& run);
/// Largest differences of two runs.
std::string comparison(const ReportSides& sides);

}  // namespace monocoque

#pragma once
// A report of a run, or of two runs to be compared: one page of XHTML that needs no other file, no script and
// no network. First what was run and what came of it; then pictures of deformed bodies, tables of settings,
// counts, times, energy and drift, a summary of all channels, figures; of two runs also the largest
// differences. Figures are thinned, so that hours of simulation stay within megabytes.

#include <string>

#include "results/body_motion.h"
#include "results/recorder.h"

namespace monocoque {

struct ReportRun {
  std::string file;  ///< as the reader knows it
  const RunData* run = nullptr;
  const RunMotion* motion = nullptr;  ///< for pictures of deformed bodies; may be null
};

/// `other.run` may be null. Throws Error for a run without channels or without instants.
std::string report_page(const ReportRun& run, const ReportRun& other = {});

}  // namespace monocoque

#pragma once
// Signals of a run by name, for the commands that analyse them: derived channels (results/derived_channel.h),
// and patterns of channel names with *.

#include <string>
#include <vector>

#include "results/recorder.h"

namespace monocoque::analysis {

struct NamedSignal {
  std::string name, unit;
  std::vector<double> values;  ///< at the times of the run
};

/// The signals of the texts, in their order; a unit that is not known is "?". Throws Error with a suggestion
/// for names that are not there.
std::vector<NamedSignal> named_signals(const RunData& run, const std::vector<std::string>& texts);

/// Columns that the signals are computed from, rising; what else a run has need not be read.
std::vector<Eigen::Index> channels_used(const std::vector<Channel>& channels,
                                        const std::vector<std::string>& texts);

/// Rows from a first to a last time, copied; throws Error when fewer than two are left.
struct TimeSpan {
  double from_s = -1e300, to_s = 1e300;
};
struct SpanRows {
  Eigen::Index first = 0, count = 0;
};
SpanRows rows_within(const VecX& time, const TimeSpan& span);

}  // namespace monocoque::analysis

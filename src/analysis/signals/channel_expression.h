#pragma once
// Signals of a run by name, for the commands that analyse them:
//   car/acceleration/z          a channel; with * every channel that matches
//   norm(FL/spring/force)       length of a vector with channels x, y, z
//   rate(rod/position/x)        derivative by time (differences of neighbours)
//   integral(car/velocity/x)    from the first instant (trapezoids)
//   a/position/z - b/position/z  difference or sum of two of these, with blanks around the sign

#include <string>
#include <vector>

#include "results/recorder.h"

namespace monocoque::analysis {

struct NamedSignal {
  std::string name, unit;
  std::vector<double> values;  ///< at the times of the run
};

/// All signals the texts mean, in their order. Throws Error with a suggestion for names that are not there.
std::vector<NamedSignal> named_signals(const RunData& run, const std::vector<std::string>& texts);

/// Columns that the texts may speak of, perhaps some more; what else a run has need not be read.
std::vector<Eigen::Index> channels_spoken_of(const std::vector<Channel>& channels,
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

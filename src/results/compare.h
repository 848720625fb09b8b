#pragma once
// Two runs beside each other, channel by channel.

#include <string>
#include <vector>

#include "results/run_file.h"

namespace monocoque {

struct ChannelDifference {
  std::string path, unit;
  double largest = 0, at_s = 0;  ///< of |a - b|; NaN where one run alone has no number
  double rms = 0;                ///< of a - b over the instants
  /// Range of the channel in both runs; of the components of a vector (x y z, q0 to q3) that of the one that
  /// moves most, so that the rounding of an idle component is no difference.
  double scale = 0;
  double relative = 0;   ///< largest over scale; 0 where both are equal
  double magnitude = 0;  ///< largest value of both

  /// Up to absolute + relative * scale, and rounding.
  bool within(double relative_tolerance, double absolute_tolerance) const;
};

struct RunComparison {
  std::vector<ChannelDifference> channels;           ///< in both runs, the greatest relative difference first
  std::vector<std::string> only_first, only_second;  ///< names
  std::vector<std::string> other_units;              ///< channels of both whose units differ; not compared
  double from_s = 0, to_s = 0;                       ///< time that both cover
  Eigen::Index instants = 0;                         ///< within that time
  double coverage = 0;                               ///< that time over the one either run covers
};

/// Channels that match the patterns (empty: all), without drift (it is rounding). Compared are the instants
/// of the run that has fewer of them in the common time; the other is interpolated linearly.
RunComparison compare_runs(const RunData& a, const RunData& b, const std::vector<std::string>& patterns = {});
/// The same of runs that need not fit into memory: read once from beginning to end.
RunComparison compare_runs(const RowSource& a, const RowSource& b,
                           const std::vector<std::string>& patterns = {});

}  // namespace monocoque

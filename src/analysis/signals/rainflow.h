#pragma once
// Rainflow counting (ASTM E1049-85, 5.4.4 and 5.4.5) and what fatigue asks of it: range-mean histogram,
// damage-equivalent load.

#include <vector>

namespace monocoque::analysis {

struct LoadCycle {
  double range = 0, mean = 0;
  double count = 1;              ///< 1, or 0.5 for a half cycle
  std::size_t from = 0, to = 0;  ///< samples of its two turning points, in the order of time
};

/// What is done with the turning points that close no cycle:
///   half    each range of them is half a cycle (E1049, 5.4.4)
///   repeat  the history goes on for ever: it is begun at its greatest value and has full cycles only (5.4.5)
///   drop    they are left out
enum class RainflowResidue { half, repeat, drop };

/// Samples at which the signal turns, with its two ends. Ranges up to `hysteresis` are passed over.
std::vector<std::size_t> turning_points(const std::vector<double>& signal, double hysteresis = 0);

/// In the order in which cycles close. Throws Error for values that are not finite.
std::vector<LoadCycle> rainflow(const std::vector<double>& signal,
                                RainflowResidue residue = RainflowResidue::half, double hysteresis = 0);

/// Counts by range (rows, from 0 to the greatest) and mean (columns, from the least to the greatest).
struct CycleHistogram {
  std::vector<double> range_edges, mean_edges;  ///< one more than bins
  std::vector<std::vector<double>> counts;      ///< [range][mean]
};
CycleHistogram cycle_histogram(const std::vector<LoadCycle>& cycles, int range_bins, int mean_bins);

/// (sum n_i S_i^m / N)^(1/m): the range that does the damage of the history in N cycles, by a Woehler line of
/// exponent m (Palmgren-Miner; no influence of the mean, no endurance limit).
double damage_equivalent_range(const std::vector<LoadCycle>& cycles, double woehler_exponent,
                               double reference_cycles);

}  // namespace monocoque::analysis

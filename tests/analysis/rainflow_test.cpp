// Rainflow counting against the examples of ASTM E1049 and against a definition that does not count.

#include "analysis/signals/rainflow.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/verify_row.h"

namespace monocoque::analysis {
namespace {

using Counts = std::map<double, double>;

Counts counts_of(const std::vector<double>& x, RainflowResidue residue) {
  Counts out;
  for (const LoadCycle& c : rainflow(x, residue)) out[c.range] += c.count;
  return out;
}

/// ASTM E1049-85, figures 6 and 7.
const std::vector<double> kAstm{-2, 1, -3, 5, -1, 3, -4, 4, -2};

TEST(Rainflow, ExampleOfTheStandard) {
  EXPECT_EQ(counts_of(kAstm, RainflowResidue::half),
            (Counts{{3, 0.5}, {4, 1.5}, {6, 0.5}, {8, 1}, {9, 0.5}}));
  EXPECT_EQ(counts_of(kAstm, RainflowResidue::repeat), (Counts{{3, 1}, {4, 1}, {7, 1}, {9, 1}}));
  EXPECT_EQ(counts_of(kAstm, RainflowResidue::drop), (Counts{{4, 1}}));
  const auto cycles = rainflow(kAstm, RainflowResidue::drop);
  EXPECT_DOUBLE_EQ(cycles[0].mean, 1);
  EXPECT_EQ(cycles[0].from, 4U);
  EXPECT_EQ(cycles[0].to, 5U);
  test::verify_row("Signals", "rainflow counts of the example of ASTM E1049-85", "ranges and counts",
                   "as printed", "figures 6 and 7", 0, "residue as half cycles and repeated history");
}

/// Rychlik 1987: each maximum of an endless history makes a cycle with the higher of the two lowest values
/// that lie between it and the next places to the left and right that are not below it.
std::vector<double> rychlik_ranges(const std::vector<double>& x) {
  const int n = static_cast<int>(x.size());
  const auto at = [&](int i) { return x[static_cast<std::size_t>(((i % n) + n) % n)]; };
  std::vector<double> out;
  for (int i = 0; i < n; ++i) {
    if (!(at(i) > at(i - 1) && at(i) > at(i + 1))) continue;
    double lowest[2];
    for (const int side : {-1, 1}) {
      double& low = lowest[side > 0];
      low = at(i);
      for (int k = 1; k < n && at(i + side * k) < at(i); ++k) low = std::min(low, at(i + side * k));
    }
    out.push_back(at(i) - std::max(lowest[0], lowest[1]));
  }
  std::sort(out.begin(), out.end());
  return out;
}

TEST(Rainflow, RepeatedHistoriesAgreeWithRychliksDefinition) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<double> x(static_cast<std::size_t>(50 + 13 * trial));
    double level = 0;
    for (double& v : x) v = level = 0.8 * level + normal(random);
    std::vector<double> ranges;
    for (const LoadCycle& c : rainflow(x, RainflowResidue::repeat)) {
      EXPECT_EQ(c.count, 1);
      ranges.push_back(c.range);
    }
    std::sort(ranges.begin(), ranges.end());
    EXPECT_EQ(ranges, rychlik_ranges(x)) << trial;
    // Half cycles: as many ranges as turning points less one, in halves.
    double counted = 0;
    for (const LoadCycle& c : rainflow(x)) counted += c.count;
    EXPECT_DOUBLE_EQ(counted, 0.5 * static_cast<double>(turning_points(x).size() - 1));
  }
}

TEST(Rainflow, HysteresisPassesOverSmallRanges) {
  const std::vector<double> x{0, 1, 0.9, 5, 4.8, 5.1, 2, 2.1, 1.9, 6};
  EXPECT_EQ(turning_points(x, 0.5), (std::vector<std::size_t>{0, 5, 8, 9}));
  EXPECT_EQ(counts_of({1, 1, 1}, RainflowResidue::half), Counts{});
  EXPECT_EQ(counts_of({0, 0, 2, 2, 2, 0, 0}, RainflowResidue::half), (Counts{{2, 1}}));
  EXPECT_TRUE(rainflow({}).empty());
  EXPECT_THROW(rainflow({0, std::nan(""), 1}), Error);
}

TEST(Rainflow, DamageOfAWaveIsItsOwn) {
  std::vector<double> x;
  for (int i = 0; i <= 4000; ++i) x.push_back(10 + 3 * std::sin(std::acos(-1.0) * i / 20));  // 100 periods
  EXPECT_NEAR(damage_equivalent_range(rainflow(x, RainflowResidue::repeat), 5, 100), 6, 1e-9);
  EXPECT_NEAR(damage_equivalent_range(rainflow(x), 5, 1e6), 6 * std::pow(1e-4, 0.2), 1e-3);
  EXPECT_EQ(damage_equivalent_range({}, 5, 100), 0);
  const CycleHistogram h = cycle_histogram(rainflow(kAstm), 9, 2);
  EXPECT_DOUBLE_EQ(h.counts[3][0] + h.counts[3][1], 0.5);  // 3 lies on the edge of its bin
  double sum = 0;
  for (const auto& row : h.counts)
    for (const double c : row) sum += c;
  EXPECT_DOUBLE_EQ(sum, 4);
}

}  // namespace
}  // namespace monocoque::analysis

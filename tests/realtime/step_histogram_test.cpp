// Quantiles of the fixed table against sorting all times.

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "realtime/step_histogram.h"

namespace monocoque::realtime {
namespace {

TEST(StepHistogram, CellsFollowOneAnotherWithoutGapOrOverlap) {
  for (std::size_t cell = 0; cell + 1 < StepHistogram::kCells; ++cell) {
    const std::int64_t begin = StepHistogram::cell_begin_ns(cell),
                       end = StepHistogram::cell_begin_ns(cell + 1);
    ASSERT_LT(begin, end);
    ASSERT_EQ(StepHistogram::cell_of(begin), cell);
    ASSERT_EQ(StepHistogram::cell_of(end - 1), cell);
    // A cell is at most 1/64 of its times wide; below 128 ns it is one time.
    ASSERT_LE(64 * (end - begin - 1), begin);
  }
}

TEST(StepHistogram, QuantilesAreThoseOfSortingWithinHalfACell) {
  std::mt19937_64 random(7);
  std::lognormal_distribution<double> spread(std::log(145e3), 0.7);
  std::vector<std::int64_t> times;
  StepHistogram histogram;
  for (int i = 0; i < 100000; ++i) {
    // Some of a microsecond, some of a second: nine powers of ten in one table.
    const double scale = i % 100 == 0 ? 1e-2 : i % 1000 == 1 ? 1e4 : 1;
    times.push_back(static_cast<std::int64_t>(scale * spread(random)));
    histogram.add(times.back());
  }
  std::sort(times.begin(), times.end());
  for (const double q : {0.0, 0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999, 0.9999, 1.0}) {
    const auto rank =
        std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(q * static_cast<double>(times.size()))));
    const auto exact = static_cast<double>(times[rank - 1]);
    EXPECT_NEAR(histogram.quantile_ns(q), exact, exact / 128 + 0.5) << q;
  }
  EXPECT_EQ(histogram.count(), times.size());
  EXPECT_EQ(histogram.least_ns(), times.front());
  EXPECT_EQ(histogram.largest_ns(), times.back());
  double sum = 0;
  for (const std::int64_t t : times) sum += static_cast<double>(t);
  EXPECT_NEAR(histogram.mean_ns(), sum / 1e5, 1e-9 * sum);
}

TEST(StepHistogram, TakesWhatNoClockShouldGive) {
  StepHistogram histogram;
  EXPECT_EQ(histogram.quantile_ns(0.5), 0);
  EXPECT_EQ(histogram.mean_ns(), 0);
  histogram.add(-5);
  histogram.add(std::int64_t{1} << 61);  // 73 years
  EXPECT_EQ(histogram.least_ns(), 0);
  EXPECT_EQ(histogram.largest_ns(), std::int64_t{1} << 61);
  EXPECT_EQ(histogram.cell_count(StepHistogram::kCells - 1), 1U);
  EXPECT_EQ(histogram.quantile_ns(1), static_cast<double>(std::int64_t{1} << 61));
}

TEST(StepHistogram, OneTimeIsEveryQuantile) {
  StepHistogram histogram;
  histogram.add(123456);
  for (const double q : {0.0, 0.5, 1.0}) EXPECT_EQ(histogram.quantile_ns(q), 123456);
}

}  // namespace
}  // namespace monocoque::realtime

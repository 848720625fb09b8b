// Two runs beside each other: scales of vectors, instants, names, tolerance.

#include "results/compare.h"

#include <cmath>

#include <gtest/gtest.h>

namespace monocoque {
namespace {

RunData waves(int rows, double step_s, double change = 0) {
  RunData run;
  for (const char* path : {"p/force/x", "p/force/y", "p/height", "p/constant", "drift/position"})
    run.channels.push_back({path, "N"});
  run.time.resize(rows);
  run.data.resize(rows, 5);
  for (int r = 0; r < rows; ++r) {
    const double t = run.time[r] = step_s * r;
    run.data.row(r) << 100 * std::sin(t), (change != 0 ? 1e-13 : 0) * std::cos(50 * t), t + change * t, 9.81,
        change * 1e9;
  }
  return run;
}

const ChannelDifference& of(const RunComparison& c, const std::string& path) {
  for (const ChannelDifference& d : c.channels)
    if (d.path == path) return d;
  throw std::runtime_error(path);
}

TEST(Compare, MeasuresDifferences) {
  const RunData a = waves(201, 0.01), b = waves(201, 0.01, 0.25);
  const RunComparison c = compare_runs(a, b);
  ASSERT_EQ(c.channels.size(), 4U);  // without drift
  EXPECT_EQ(c.channels[0].path, "p/height");
  EXPECT_NEAR(c.channels[0].largest, 0.5, 1e-12);
  EXPECT_NEAR(c.channels[0].at_s, 2, 1e-12);
  EXPECT_NEAR(c.channels[0].scale, 2.5, 1e-12);
  EXPECT_NEAR(c.channels[0].relative, 0.2, 1e-12);
  EXPECT_NEAR(c.channels[0].rms, 0.25 * 2 / std::sqrt(3), 3e-3);  // of a ramp
  EXPECT_FALSE(c.channels[0].within(0.19, 0));
  EXPECT_TRUE(c.channels[0].within(0.19, 0.1));
  // Rounding of a component that does not move is judged by the vector.
  EXPECT_LT(of(c, "p/force/y").relative, 1e-14);
  EXPECT_EQ(of(c, "p/constant").largest, 0);
  EXPECT_TRUE(of(c, "p/constant").within(0, 0));
  EXPECT_EQ(c.coverage, 1);
}

TEST(Compare, InterpolatesTheRunWithMoreInstants) {
  const RunData coarse = waves(21, 0.1), fine = waves(201, 0.01);
  for (const RunComparison& c : {compare_runs(coarse, fine), compare_runs(fine, coarse)}) {
    EXPECT_EQ(c.instants, 21);
    EXPECT_LT(of(c, "p/force/x").largest, 1e-10);
  }
  // Half the time, and instants between the others.
  RunData shifted = waves(150, 0.01);
  shifted.time.array() += 0.005;
  const RunComparison c = compare_runs(fine, shifted);
  EXPECT_NEAR(c.coverage, 1.49 / 2, 1e-9);
  EXPECT_NEAR(of(c, "p/height").largest, 0.005, 1e-12);
}

TEST(Compare, NamesAndNumbersThatAreMissing) {
  RunData a = waves(11, 0.1), b = waves(11, 0.1);
  b.channels[2].path = std::string("p/other");  // g++ 12 warns of the plain constant
  b.channels[3].unit = std::string("m");
  b.data(4, 0) = std::nan("");
  const RunComparison c = compare_runs(a, b);
  EXPECT_EQ(c.only_first, std::vector<std::string>{"p/height"});
  EXPECT_EQ(c.only_second, std::vector<std::string>{"p/other"});
  EXPECT_EQ(c.other_units, std::vector<std::string>{"p/constant"});
  EXPECT_TRUE(std::isnan(of(c, "p/force/x").largest));
  EXPECT_FALSE(of(c, "p/force/x").within(1, 1e9));
  // Missing in both is the same.
  a.data(4, 0) = std::nan("");
  EXPECT_EQ(of(compare_runs(a, b), "p/force/x").largest, 0);
  EXPECT_EQ(compare_runs(a, b, {"*/x"}).channels.size(), 1U);
}

}  // namespace
}  // namespace monocoque

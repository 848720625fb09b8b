// Two runs beside each other: scales of vectors, instants, names, tolerance.

#include "results/compare.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
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

/// A run that exists only where it is asked for; remembers the most rows that were asked for at once.
class Unwritten final : public RowSource {
 public:
  Unwritten(Eigen::Index rows, Eigen::Index channels, double step_s, double change)
      : time_(VecX::LinSpaced(rows, 0, static_cast<double>(rows - 1) * step_s)), change_(change) {
    for (Eigen::Index k = 0; k < channels; ++k) channels_.push_back({fmt::format("c{}", k), "N"});
  }
  const std::vector<Channel>& channels() const override { return channels_; }
  Times time() const override { return {time_.data(), time_.size()}; }
  MatX rows(Eigen::Index first, Eigen::Index count, const std::vector<Eigen::Index>& columns) const override {
    most_ = std::max(most_, count);
    asked_ += count;
    MatX out(count, static_cast<Eigen::Index>(columns.size()));
    for (Eigen::Index r = 0; r < count; ++r)
      for (std::size_t k = 0; k < columns.size(); ++k) {
        const double t = time_[first + r];
        out(r, static_cast<Eigen::Index>(k)) = t * (1 + static_cast<double>(columns[k])) + change_ * t * t;
      }
    return out;
  }
  Eigen::Index most() const { return most_; }
  Eigen::Index asked() const { return asked_; }

 private:
  std::vector<Channel> channels_;
  VecX time_;
  double change_;
  mutable Eigen::Index most_ = 0, asked_ = 0;
};

/// Too large for memory at once: read in slices, and no instant is lost or counted twice at their seams.
TEST(Compare, ReadsInSlices) {
  constexpr Eigen::Index kChannels = 2000, kRows = 5001;
  const Unwritten a(kRows, kChannels, 0.002, 0), b(2 * kRows - 1, kChannels, 0.001, 0.25);
  const RunComparison c = compare_runs(a, b);
  ASSERT_EQ(c.channels.size(), static_cast<std::size_t>(kChannels));
  EXPECT_EQ(c.instants, kRows);
  double fourth = 0;
  for (Eigen::Index r = 0; r < kRows; ++r) fourth += std::pow(a.time()[r], 4) / static_cast<double>(kRows);
  for (const char* path : {"c0", "c77", "c1999"}) {
    EXPECT_NEAR(of(c, path).largest, 0.25 * 100, 1e-9) << path;
    EXPECT_NEAR(of(c, path).at_s, 10, 1e-12) << path;
    EXPECT_NEAR(of(c, path).rms, 0.25 * std::sqrt(fourth), 1e-9) << path;
  }
  EXPECT_EQ(a.asked(), kRows);
  for (const Unwritten* run : {&a, &b}) {
    EXPECT_LT(run->most() * kChannels, Eigen::Index{1} << 23);
    EXPECT_LT(run->most(), run->time().size() / 2);
  }
}

}  // namespace
}  // namespace monocoque

#include "results/svg_plot.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "core/error.h"

namespace monocoque {
namespace {

TEST(SvgPlot, TicksAreRoundAndCoverTheRange) {
  EXPECT_EQ(round_ticks(0, 10, 5), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  const auto ticks = round_ticks(-0.0103, 0.0104, 5);
  ASSERT_EQ(ticks.size(), 5U);
  EXPECT_NEAR(ticks[0], -0.01, 1e-15);
  EXPECT_EQ(ticks[2], 0);
}

TEST(SvgPlot, TextIsEscapedAndGapsInterruptTheLine) {
  Plot plot{"a < b & c", "t", "y", {{"series", {0, 1, 2, 3}, {1, 2, std::nan(""), 4}}}};
  const std::string svg = svg_text(plot);
  EXPECT_NE(svg.find("a &lt; b &amp; c"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  // Two sub-paths: before and after the gap.
  const std::size_t path = svg.find("<path d=\"M");
  ASSERT_NE(path, std::string::npos);
  EXPECT_NE(svg.find('M', path + 10), std::string::npos);
}

TEST(SvgPlot, NothingToDrawIsNoMistake) {
  EXPECT_NE(svg_text({"", "", "", {}}).find("</svg>"), std::string::npos);
  Plot constant{"", "", "", {{"", {0, 1}, {3, 3}}}};
  EXPECT_EQ(svg_text(constant).find("inf"), std::string::npos);
  Plot negative{"", "", "", {{"", {0, 1}, {-3, -1}}}};
  negative.log_y = true;
  EXPECT_EQ(svg_text(negative).find("nan"), std::string::npos);
}

TEST(SvgPlot, AFolderThatIsMissingIsAnError) {
  EXPECT_THROW(write_svg({}, "/nowhere/at/all.svg"), Error);
}

}  // namespace
}  // namespace monocoque

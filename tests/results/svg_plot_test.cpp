#include "results/svg_plot.h"

#include <algorithm>
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
  const std::size_t path = svg.find(" d=\"M");
  ASSERT_NE(path, std::string::npos);
  EXPECT_NE(svg.find('M', path + 5), std::string::npos);
}

TEST(SvgPlot, NothingToDrawIsNoMistake) {
  EXPECT_NE(svg_text({"", "", "", {}}).find("</svg>"), std::string::npos);
  Plot constant{"", "", "", {{"", {0, 1}, {3, 3}}}};
  EXPECT_EQ(svg_text(constant).find("inf"), std::string::npos);
  Plot negative{"", "", "", {{"", {0, 1}, {-3, -1}}}};
  negative.log_y = true;
  EXPECT_EQ(svg_text(negative).find("nan"), std::string::npos);
}

TEST(SvgPlot, LongLinesStaySmallAndKeepTheirPeaks) {
  PlotSeries noise{"", {}, {}}, circle{"", {}, {}};
  for (int i = 0; i < 200000; ++i) {
    noise.x.push_back(i);
    noise.y.push_back(i == 154321 ? 100 : std::sin(12.9898 * i));
    circle.x.push_back(std::cos(0.01 * i));
    circle.y.push_back(std::sin(0.01 * i));
  }
  Plot plot{"", "", "", {noise}};
  const std::string lines = svg_inline(plot);
  EXPECT_LT(lines.size(), 40000U);
  // The single peak touches the top of the drawing: 4 % below the frame, which begins at 10.
  const double top = 10 + (420 - 50) * 0.04 / 1.08;
  double y = 0, least = 1e9;
  const std::size_t start = lines.find(" d=\"M") + 4;
  for (std::size_t at = start; lines[at] != '"';) {
    const bool relative = lines[at] == 'l';
    std::size_t used = 0;
    std::stod(lines.substr(at + 1, 32), &used);
    at += 1 + used;
    const double dy = std::stod(lines.substr(at, 32), &used);
    at += used;
    y = relative ? y + dy : dy;
    least = std::min(least, y);
  }
  EXPECT_NEAR(least, top, 0.2);
  // Round and round: drawn once.
  EXPECT_LT(svg_inline({"", "", "", {circle}}).size(), 60000U);
}

TEST(SvgPlot, AFolderThatIsMissingIsAnError) {
  EXPECT_THROW(write_svg({}, "/nowhere/at/all.svg"), Error);
}

TEST(SvgPlot, ALongLegendStandsBelowThePlot) {
  Plot plot{"many", "x", "y", {}};
  const auto height_of = [&] {
    const std::string text = svg_text(plot);
    const std::size_t at = text.find("height=\"");
    return std::stoi(text.substr(at + 8));
  };
  for (int i = 0; i < 3; ++i) plot.series.push_back({"curve", {0, 1}, {0, 1.0 * i}});
  EXPECT_EQ(height_of(), plot.height);
  for (int i = 3; i < 15; ++i) plot.series.push_back({"curve", {0, 1}, {0, 1.0 * i}});
  EXPECT_GT(height_of(), plot.height + 15 * 16);
  // Its frame begins where the plot ends, so that no curve is behind it.
  const std::string text = svg_text(plot);
  const std::size_t frame = text.find("<rect class=\"b\"");
  ASSERT_NE(frame, std::string::npos);
  EXPECT_GE(std::stod(text.substr(text.find("y=\"", frame) + 3)), plot.height);
  // Pictures below each other make room for it.
  EXPECT_NE(stacked_svg({plot, plot}).find("<svg y=\"" + std::to_string(height_of()) + "\""),
            std::string::npos);
}

}  // namespace
}  // namespace monocoque

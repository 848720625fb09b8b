// What is special about single road types: closed forms, published layouts, borders, contradictions.

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include <gtest/gtest.h>

#include "road_support.h"
#include "support/complaint.h"

namespace monocoque {
namespace {

using namespace road_test;
using test::complaint;

TEST(Slope, RisesAlongItsHeadingAndToTheLeft) {
  const auto r = road("slope", {{"grade", "0.1"}, {"bank", "0.02"}, {"heading_rad", "1.5707963267948966"}});
  EXPECT_NEAR(at(*r, 0, 5).z, 0.5, 1e-15);
  EXPECT_NEAR(at(*r, -5, 0).z, 0.1, 1e-15);  // x = -5 is on the left when looking along y
}

TEST(Bump, HasItsHeightInTheMiddleOfItsLength) {
  const auto r =
      road("bump", {{"height_m", "0.1"}, {"length_m", "2"}, {"position_m", "[3, 1]"}, {"width_m", "1"}});
  EXPECT_EQ(at(*r, 2.9, 1).z, 0);
  EXPECT_NEAR(at(*r, 4, 1).z, 0.1, 1e-15);
  EXPECT_NEAR(at(*r, 3.5, 1).z, 0.05, 1e-15);
  EXPECT_EQ(at(*r, 4, 1.5).z, 0);
  EXPECT_EQ(at(*r, 5.01, 1).z, 0);
  EXPECT_EQ(r->shortest_wavelength_m(), 2);
}

TEST(StepAndCurb, ReachTheirHeight) {
  const auto s = road("step", {{"height_m", "0.1"}, {"smoothing_length_m", "0.2"}});
  EXPECT_EQ(at(*s, -0.01, 0).z, 0);
  EXPECT_NEAR(at(*s, 0.1, 0).z, 0.05, 1e-15);
  EXPECT_EQ(at(*s, 9, 0).z, 0.1);
  const auto c = road(
      "curb", {{"height_m", "0.1"}, {"ramp_length_m", "0.2"}, {"rounding_m", "0.03"}, {"top_length_m", "1"}});
  EXPECT_NEAR(at(*c, 0.1, 0).z, 0.05, 1e-15);
  EXPECT_NEAR(at(*c, 0.1, 0).z_x, 0.5, 1e-15);
  EXPECT_NEAR(at(*c, 0.6, 0).z, 0.1, 1e-15);
  EXPECT_NEAR(at(*c, 1.3, 0).z, 0.05, 1e-15);
  EXPECT_NEAR(at(*c, 2, 0).z, 0, 1e-15);
  EXPECT_NE(complaint([] {
              road("curb", {{"height_m", "0.1"}, {"rounding_m", "0.03"}});
            }).find("at most half"),
            std::string::npos);
}

// The layout of the task: 6 segments of 10 bumps, 15 mm high and 0.15 m long, spaced for 11 to 20 Hz at 50
// km/h, 2 m between the segments, the first bump at x = 20 m.
TEST(Washboard, HasTheLayoutOfTheDissertationByDefault) {
  const auto r = road("washboard");
  double begin = 20;
  for (const double f : {11.0, 12.8, 14.6, 16.4, 18.2, 20.0}) {
    const double spacing = 50 / 3.6 / f;
    for (int k = 0; k < 10; ++k) {
      const double x = begin + k * spacing;
      EXPECT_NEAR(at(*r, x + 0.075, 0.4).z, 0.015, 1e-12);
      EXPECT_NEAR(at(*r, x - 1e-9, 0.4).z, 0, 1e-15);
      EXPECT_NEAR(at(*r, x + 0.15 + 1e-9, 0.4).z, 0, 1e-15);
    }
    begin += 9 * spacing + 0.15 + 2;
    EXPECT_EQ(at(*r, begin - 1, 0).z, 0);
  }
  EXPECT_EQ(at(*r, begin + 0.075, 0).z, 0);
  const auto left = road("washboard", {{"track", "left"}});
  EXPECT_NEAR(at(*left, 20.075, 0.7).z, 0.015, 1e-12);
  EXPECT_EQ(at(*left, 20.075, -0.7).z, 0);
  EXPECT_NE(complaint([] {
              road("washboard", {{"frequencies_Hz", "[200]"}});
            }).find("200 Hz"),
            std::string::npos);
}

TEST(SineSweep, HasTheWavelengthsOfItsEnds) {
  for (const char* law : {"linear", "logarithmic"}) {
    const auto r = road("sine_sweep", {{"amplitude_m", "0.01"},
                                       {"wavelength_from_m", "4"},
                                       {"wavelength_to_m", "0.5"},
                                       {"length_m", "200"},
                                       {"law", law}});
    // At a zero crossing the slope is A 2 pi n; the largest slope near an end shows the wavelength there.
    const auto steepest = [&](double from, double to) {
      double most = 0;
      for (double x = from; x < to; x += 1e-3) most = std::max(most, std::abs(at(*r, x, 0).z_x));
      return most;
    };
    EXPECT_NEAR(steepest(1, 3), 0.01 * 2 * std::numbers::pi / 4,
                0.1 * 0.01 * 2 * std::numbers::pi / 4);  // n has grown by 7 % at x = 2
    EXPECT_NEAR(steepest(197, 199), 0.01 * 2 * std::numbers::pi / 0.5,
                0.05 * 0.01 * 2 * std::numbers::pi / 0.5);
  }
}

TEST(Grid, GoesThroughItsHeightsAndReproducesPlanes) {
  const auto r = make_road("grid", example(type_info("grid")));
  EXPECT_NEAR(at(*r, 0, 0.7).z, 0.07, 1e-15);
  EXPECT_NEAR(at(*r, 1, -0.7).z, 0.03, 1e-15);
  EXPECT_TRUE(at(*r, 2, 0.7).on_road);
  EXPECT_FALSE(at(*r, 2.1, 0.7).on_road);
  EXPECT_EQ(at(*r, 5, 0.7).z, at(*r, 2, 0.7).z);
  const auto plane =
      road("grid", {{"x_m", "[0, 1, 2]"}, {"y_m", "[0, 2]"}, {"heights_m", "[1, 2, 1.5, 2.5, 2, 3]"}});
  EXPECT_NEAR(at(*plane, 0.3, 0.9).z, 1 + 0.15 + 0.45, 1e-15);
  EXPECT_NEAR(at(*plane, 1.7, 0.1).z_x, 0.5, 1e-14);
}

TEST(Grid, ReadsTablesAndRefusesGaps) {
  const auto file = std::filesystem::temp_directory_path() / "monocoque_grid_road.csv";
  const auto write = [&](const std::string& text) { std::ofstream(file) << text; };
  write("x/y, 0, 0.5, 1 # y\n0, 0, 0.1, 0.2\n\n1; 0.3; 0.4; 0.5\n");
  const std::map<std::string, std::string> given{{"file", file.string()}};
  EXPECT_NEAR(at(*road("grid", given), 1, 0.5).z, 0.4, 1e-15);
  write("x/y, 0, 0.5\n0, 0, nan\n1, 0.3, 0.4\n");
  EXPECT_NE(complaint([&] { road("grid", given); }).find(".csv:2: column 3 is 'nan'"), std::string::npos);
  write("x/y, 0, 0.5\n0, 0, 1\n1, 0.3\n");
  EXPECT_NE(complaint([&] { road("grid", given); }).find(":3: the line holds 2 numbers"), std::string::npos);
  write("x/y, 0, 0.5\n0, 0, 1\n1, 0.3, 1\n3, 0, 0\n");
  EXPECT_NE(complaint([&] { road("grid", given); }).find("even spacing"), std::string::npos);
  std::filesystem::remove(file);
  EXPECT_NE(complaint([&] { road("grid", given); }).find("does not exist"), std::string::npos);
  EXPECT_NE(complaint([&] { road("grid"); }).find("x_m is missing"), std::string::npos);
}

TEST(FrictionPatch, SplitsTheFrictionOverAnyBase) {
  std::vector<std::unique_ptr<const Road>> layers;
  layers.push_back(road("slope", {{"grade", "0.1"}, {"friction", "0.9"}}));
  layers.push_back(
      road("friction_patch",
           {{"friction", "0.2"}, {"position_m", "[10, 1]"}, {"width_m", "2"}, {"length_m", "30"}}));
  layers.push_back(road("friction_patch", {{"friction", "0.5"}, {"polygon_m", "[20, 0, 30, 0, 20, 4]"}}));
  const auto r = stack_roads(std::move(layers));
  EXPECT_DOUBLE_EQ(at(*r, 5, 1).mu, 0.9);
  EXPECT_DOUBLE_EQ(at(*r, 15, 1).mu, 0.2);
  EXPECT_DOUBLE_EQ(at(*r, 15, -0.2).mu, 0.9);
  EXPECT_DOUBLE_EQ(at(*r, 21, 1).mu, 0.5);
  EXPECT_DOUBLE_EQ(at(*r, 29.9, 1).mu, 0.2);
  EXPECT_NEAR(at(*r, 15, 1).z, 1.5, 1e-15);
  EXPECT_NE(r->description().find("friction patch"), std::string::npos);
  EXPECT_NE(complaint([] {
              road("friction_patch", {{"friction", "1"}, {"polygon_m", "[0, 0, 2, 0, 0.5, 0.5, 0, 2]"}});
            }).find("not convex"),
            std::string::npos);
}

TEST(Stack, AddsHeights) {
  std::vector<std::unique_ptr<const Road>> layers;
  layers.push_back(road("slope", {{"grade", "0.1"}}));
  layers.push_back(road("bump", {{"height_m", "0.05"}, {"length_m", "1"}, {"position_m", "[4, 0]"}}));
  const auto r = stack_roads(std::move(layers));
  EXPECT_NEAR(at(*r, 4.5, 0).z, 0.5, 1e-15);
  EXPECT_EQ(r->shortest_wavelength_m(), 1);
  EXPECT_THROW(stack_roads({}), Error);
}

TEST(OpenCrgRoad, KnowsItsExtent) {
  const auto r = make_road("opencrg", example(type_info("opencrg")));
  const RoadExtent e = r->extent();
  ASSERT_TRUE(e.finite());
  EXPECT_NEAR(e.y_min, -2, 1e-6);  // the first segment is turned by 3.5e-4
  EXPECT_LT(e.x_min, 0.1);
  EXPECT_GT(e.x_max, 30);
  EXPECT_TRUE(at(*r, 3, 0.5).on_road);
  EXPECT_FALSE(at(*r, 3, 9).on_road);
  EXPECT_FALSE(at(*r, -1, 0).on_road);
  EXPECT_EQ(r->shortest_wavelength_m(), 1);
}

}  // namespace
}  // namespace monocoque

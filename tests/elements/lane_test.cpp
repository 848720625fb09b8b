// Lanes: sizes after the standards, the driver's path, distances to cones, hits.

#include <cmath>

#include <gtest/gtest.h>

#include "elements/lanes/iso3888.h"
#include "elements/lanes/lane_types.h"

namespace monocoque {
namespace {

constexpr double kCamryWidth = 1.821;

/// A lane of the given type from its defaults, with some fields replaced.
std::unique_ptr<Lane> make_lane(const std::string& type,
                                const std::vector<std::pair<std::string, std::string>>& values) {
  for (const ElementType<Lane>& t : lane_types()) {
    if (t.info.name != type) continue;
    io::ParameterSet p;
    for (const io::Field& field : t.info.fields) {
      std::string text = field.default_text.empty() ? field.example : field.default_text;
      for (const auto& [name, value] : values)
        if (name == field.name) text = value;
      if (text == "[]")
        p.entries[field.name] = {};
      else if (text != "~")
        p.entries[field.name] = io::parse_field(field, text);
    }
    return t.make(p);
  }
  return nullptr;
}

TEST(Lane, Iso3888Part2HasTheSizesOfTheStandard) {
  const auto w = iso3888_2_widths(kCamryWidth);
  EXPECT_NEAR(w[0], 2.253, 5e-4);
  EXPECT_NEAR(w[1], 2.821, 1e-12);
  EXPECT_EQ(w[2], 3.0);                               // not less than 3 m
  EXPECT_NEAR(iso3888_2_widths(2.5)[2], 3.5, 1e-12);  // a wide vehicle
  const auto s = iso3888_2_sections(w, 1.0);
  ASSERT_EQ(s.size(), 3u);
  EXPECT_EQ(s[0].end_m - s[0].begin_m, 12.0);
  EXPECT_EQ(s[1].begin_m - s[0].end_m, 13.5);
  EXPECT_EQ(s[1].end_m - s[1].begin_m, 11.0);
  EXPECT_EQ(s[2].begin_m - s[1].end_m, 12.5);
  EXPECT_EQ(s[2].end_m - s[2].begin_m, 12.0);
  EXPECT_EQ(s[2].end_m, 61.0);
  EXPECT_NEAR(s[1].centre_m, 3.537, 5e-4);
  EXPECT_NEAR(s[2].centre_m - 0.5 * s[2].width_m, s[0].centre_m - 0.5 * s[0].width_m, 1e-12);  // one edge
}

TEST(Lane, Iso3888Part1HasTheSizesOfTheStandard) {
  const auto w = iso3888_1_widths(kCamryWidth);
  EXPECT_NEAR(w[0], 1.1 * kCamryWidth + 0.25, 1e-12);
  EXPECT_NEAR(w[1], 1.2 * kCamryWidth + 0.25, 1e-12);
  EXPECT_NEAR(w[2], 1.3 * kCamryWidth + 0.25, 1e-12);
  const auto s = iso3888_1_sections(w, 3.5);
  const double ends[][2] = {{0, 15}, {45, 70}, {95, 110}, {110, 125}};  // 15|30|25|25|15|15
  ASSERT_EQ(s.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(s[i].begin_m, ends[i][0]);
    EXPECT_EQ(s[i].end_m, ends[i][1]);
  }
  const auto offset = [](const char* between) {
    const auto lane = make_lane("iso3888_1", {{"vehicle_width_m", "2"}, {"offset_between", between}});
    for (const LaneLimit& l : lane->geometry.limits)
      if (l.section == 3 && l.side == -1) return l.y_m[0];
    return 0.0;
  };
  // Right edge of the offset lane for b = 2: w = 2.45, 2.65.
  EXPECT_NEAR(offset("right_edges"), 3.5 - 2.45 / 2, 1e-12);
  EXPECT_NEAR(offset("centres"), 3.5 - 2.65 / 2, 1e-12);
  EXPECT_NEAR(offset("centre_and_edge"), 3.5, 1e-12);
}

TEST(Lane, ConesTouchTheLimitsFromOutside) {
  for (const char* type : {"iso3888_1", "iso3888_2"})
    for (const char* side : {"left", "right"}) {
      const auto lane = make_lane(
          type,
          {{"side", side}, {"start_m", "[30, -0.4]"}, {"heading_rad", "0.7"}, {"cone_radius_m", "0.15"}});
      const Eigen::Rotation2Dd back(-0.7);
      for (const Cone& cone : lane->geometry.cones) {
        double middle = 0, own = 0;
        for (const LaneLimit& l : lane->geometry.limits) {
          if (l.section != cone.section) continue;
          const double y = (back * Vec2(l.x_m[0] - 30, l.y_m[0] + 0.4)).y();
          middle += 0.5 * y;
          if (l.side == cone.side) own = y;
        }
        const double y = (back * Vec2(cone.x_m - 30, cone.y_m + 0.4)).y();
        EXPECT_NEAR(y - own, cone.side * 0.15, 1e-12);
        EXPECT_GT(cone.side * (own - middle), 0) << type << ' ' << side;
      }
      EXPECT_GT(
          (back * Vec2(lane->path.at(58).p - Vec2(30, -0.4))).y() * (std::string(side) == "left" ? 1 : -1),
          -0.1);
    }
}

TEST(Lane, PathHasContinuousCurvature) {
  for (const char* type : {"iso3888_1", "iso3888_2", "path"}) {
    const auto lane = make_lane(type, {});
    const DriverPath& path = lane->path;
    const double h = 1e-5;
    for (double u = path.first() - 2; u < path.last() + 2; u += 0.0917) {
      const PathPoint a = path.at(u - h), b = path.at(u + h), m = path.at(u);
      EXPECT_NEAR((b.p - a.p).norm() / (2 * h), m.stretch, 1e-8);
      EXPECT_NEAR(std::remainder(b.heading_rad - a.heading_rad, 2 * M_PI) / (2 * h),
                  m.curvature_per_m * m.stretch, 1e-5);
      EXPECT_NEAR(a.curvature_per_m, b.curvature_per_m, 1e-4);
    }
  }
}

TEST(Lane, SplineFollowsACircle) {
  const double R = 30;
  std::vector<Vec2> points;
  for (int k = 0; k <= 72; ++k)
    points.emplace_back(R * std::cos(2 * M_PI * k / 72), R * std::sin(2 * M_PI * k / 72));
  const DriverPath path = DriverPath::through(points);
  // Away from the ends, where the natural spline has no curvature: error of order (spacing / R)^2 / 12 at
  // most.
  for (double u = 30; u < path.last() - 30; u += 1.7) {
    const PathPoint p = path.at(u);
    EXPECT_NEAR(p.curvature_per_m * R, 1, 1e-3);
    EXPECT_NEAR(p.p.norm(), R, 1e-4 * R);
    const Vec2 outside = p.p * (1 + 2 / R);
    EXPECT_NEAR(path.nearest(outside), u, 1e-3);
    EXPECT_NEAR(path.offset(outside, u), -2, 1e-3);
    const double further = path.ahead(u, 9);
    const Vec2 q = path.at(further).p;
    EXPECT_NEAR(std::acos(p.p.dot(q) / (p.p.norm() * q.norm())) * R, 9, 2e-3);
  }
}

TEST(Lane, DistancesToTheOutline) {
  const Outline o{2, 3, 1};
  const OutlinePose pose{10, 5, M_PI / 2};                           // heading along +y
  EXPECT_NEAR(distance_to_outline(o, pose, 10, 8.5), 0.5, 1e-12);    // before
  EXPECT_NEAR(distance_to_outline(o, pose, 10.4, 3.2), 0.8, 1e-12);  // behind
  EXPECT_NEAR(distance_to_outline(o, pose, 8.7, 6), 0.3, 1e-12);     // left
  EXPECT_NEAR(distance_to_outline(o, pose, 11.3, 8.4), 0.5, 1e-12);  // corner: 3-4-5
  EXPECT_NEAR(distance_to_outline(o, pose, 10.8, 6), -0.2, 1e-12);   // inside, near the side
  EXPECT_NEAR(distance_to_outline(o, pose, 10, 4.1), -0.1, 1e-12);   // inside, near the end
}

TEST(Lane, ACarDrivenThroughConesHitsTheRightOnes) {
  const auto lane = make_lane("iso3888_2", {{"start_m", "[0, 0]"}, {"front_m", "2.5"}, {"rear_m", "2"}});
  const LaneGeometry& g = lane->geometry;
  // Straight on at y = 0.5 and 15 m/s: the left cones of section 1 stand at w/2 + r = 1.26655, the car's side
  // is at 1.4105; it passes section 3 outside, right of its right cones, and keeps clear of section 5's.
  const double v = 15, y = 0.5, r = g.cone_radius_m;
  for (const double step : {1e-3, 0.05, 0.5}) {
    ConeWatch watch(g);
    for (double t = 0; t < 6; t += step) watch.add(t, {-10 + v * t, y, 0});
    const double side = 0.5 * (1.1 * kCamryWidth + 0.25) + r;
    std::size_t n = 0;
    for (std::size_t i = 0; i < g.cones.size(); ++i) {
      const Cone& cone = g.cones[i];
      const bool wrong_side = cone.section == 3 && cone.side == -1;
      const bool expected = (cone.section == 1 && cone.side == 1) || wrong_side;
      const auto hit = std::find_if(watch.hits().begin(), watch.hits().end(),
                                    [&](const ConeHit& h) { return h.cone == static_cast<int>(i); });
      EXPECT_EQ(hit != watch.hits().end(), expected) << i;
      if (!expected || hit == watch.hits().end()) continue;
      ++n;
      EXPECT_EQ(hit->wrong_side, wrong_side);
      if (wrong_side) {  // noted when it is abeam of the frame
        EXPECT_NEAR(hit->t_s, (cone.x_m + 10) / v, 0.005 / v + 1e-9);
        continue;
      }
      EXPECT_NEAR(cone.y_m, side, 1e-12);
      // The middle of the cone lies within the car's width: the front meets the circle at its nearest point.
      EXPECT_NEAR(hit->t_s, (cone.x_m - r - 2.5 + 10) / v, 0.005 / v + 1e-9) << "step " << step;
    }
    EXPECT_EQ(n, 10u);
    EXPECT_NEAR(watch.smallest().distance_m, side - y - 0.5 * kCamryWidth - r, 1e-9);
  }
}

TEST(Lane, NoHitWhileTheSideStaysClear) {
  const auto lane = make_lane("iso3888_2", {{"start_m", "[0, 0]"}});
  ConeWatch watch(lane->geometry);
  for (double t = 0; t < 3; t += 0.01) watch.add(t, {-10 + 10 * t, 0.1, 0});  // to the end of section 1
  EXPECT_TRUE(watch.hits().empty());
  EXPECT_NEAR(watch.smallest().distance_m, 0.5 * (1.1 * kCamryWidth + 0.25) - 0.1 - 0.5 * kCamryWidth, 1e-9);
  EXPECT_EQ(lane->geometry.cones[static_cast<std::size_t>(watch.smallest().cone)].side, 1);
}

TEST(Lane, ContradictionsAreRefused) {
  EXPECT_THROW(make_lane("path", {{"y_m", "[0, 1]"}}), Error);
  EXPECT_THROW(make_lane("path", {{"x_m", "[1, 1]"}, {"y_m", "[2, 2]"}}), Error);
  EXPECT_THROW(make_lane("iso3888_2", {{"cone_distance_m", "1e-9"}}), Error);
}

}  // namespace
}  // namespace monocoque

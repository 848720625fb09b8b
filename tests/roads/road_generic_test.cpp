// Laws that every registered road type must obey, for its example and for every choice of it.

#include <cmath>
#include <limits>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "../solve/malloc_count.h"
#include "road_support.h"

namespace monocoque {
namespace {

using namespace road_test;

struct Case {
  std::string name;
  std::unique_ptr<const Road> road;
};

std::vector<Case> cases() {
  std::vector<Case> list;
  for (const auto& t : road_types()) {
    const io::ParameterSet p = example(t.info);
    list.push_back({t.info.name, make_road(t.info.name, p)});
    for (const io::Field& f : t.info.fields)
      for (const std::string& choice : f.choices) {
        io::ParameterSet other = p;
        other.entries[f.name].text = choice;
        list.push_back({t.info.name + " " + choice, make_road(t.info.name, other)});
      }
  }
  std::vector<std::unique_ptr<const Road>> layers;
  for (const char* name : {"opencrg", "bump", "friction_patch", "sine_sweep"})
    layers.push_back(make_road(name, example(type_info(name))));
  list.push_back({"stack", stack_roads(std::move(layers))});
  return list;
}

/// Points where something happens in the examples.
struct Dice {
  std::mt19937_64 engine{5};
  double operator()(double low, double high) {
    return low + (high - low) * std::uniform_real_distribution<double>()(engine);
  }
};

TEST(RoadTypes, HaveUniqueNamesUnitsAndDocumentation) {
  std::set<std::string> names;
  for (const auto& t : road_types()) {
    EXPECT_TRUE(names.insert(t.info.name).second) << t.info.name;
    EXPECT_FALSE(t.info.doc.empty());
    std::set<std::string> keys;
    for (const io::Field& f : t.info.fields) {
      EXPECT_TRUE(keys.insert(f.name).second) << f.name;
      EXPECT_FALSE(f.doc.empty()) << f.name;
    }
    EXPECT_FALSE(make_road(t.info.name, example(t.info))->description().empty());
  }
  EXPECT_THROW(make_road("flatt", {}), Error);
}

TEST(RoadTypes, DerivativesAgreeWithCentralDifferences) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    Dice dice;
    int checked = 0;
    const int points = 600;
    for (int k = 0; k < points; ++k) {
      const double x = dice(-2, 12), y = dice(-3, 3), h = 1e-5;
      const RoadSample s = at(*c.road, x, y);
      const auto difference = [&](auto member, bool along_x, double step) {
        const RoadSample p = at(*c.road, x + (along_x ? step : 0), y + (along_x ? 0 : step));
        const RoadSample m = at(*c.road, x - (along_x ? step : 0), y - (along_x ? 0 : step));
        return (p.*member - m.*member) / (2 * step);
      };
      // Curvature bounds the error of a smooth difference: third derivatives of the examples stay below 1e4.
      const double d[3] = {difference(&RoadSample::z_x, true, h), difference(&RoadSample::z_x, false, h),
                           difference(&RoadSample::z_y, false, h)};
      const double e[3] = {difference(&RoadSample::z_x, true, h / 3),
                           difference(&RoadSample::z_x, false, h / 3),
                           difference(&RoadSample::z_y, false, h / 3)};
      bool kink = false;
      for (int i = 0; i < 3; ++i) kink = kink || std::abs(d[i] - e[i]) > 1e-4 * (1 + std::abs(d[i]));
      if (kink) continue;
      ++checked;
      EXPECT_NEAR(s.z_x, difference(&RoadSample::z, true, h), 1e-7) << x << " " << y;
      EXPECT_NEAR(s.z_y, difference(&RoadSample::z, false, h), 1e-7) << x << " " << y;
      const double hessian[3] = {s.z_xx, s.z_xy, s.z_yy};
      for (int i = 0; i < 3; ++i)
        EXPECT_NEAR(hessian[i], e[i], 1e-4 * (1 + std::abs(e[i]))) << i << ": " << x << " " << y;
      EXPECT_NEAR(s.mu_x, difference(&RoadSample::mu, true, h), 1e-7);
      EXPECT_NEAR(s.mu_y, difference(&RoadSample::mu, false, h), 1e-7);
    }
    // Borders of cells are lines: few points lie within 1e-5 m of one.
    EXPECT_GT(checked, points * 98 / 100);
  }
}

TEST(RoadTypes, HeightIsContinuousAndTheHintDoesNotMatter) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    Dice dice;
    RoadHint carried;
    for (int k = 0; k < 4000; ++k) {
      const double x = dice(-30, 60), y = dice(-30, 30);
      const RoadSample fresh = at(*c.road, x, y);
      RoadSample s;
      c.road->sample(x, y, carried, s);
      EXPECT_EQ(fresh.z, s.z) << x << " " << y;
      EXPECT_EQ(fresh.z_xx, s.z_xx);
      EXPECT_EQ(fresh.on_road, s.on_road);
      EXPECT_TRUE(std::isfinite(s.z + s.z_x + s.z_y + s.z_xx + s.z_xy + s.z_yy + s.mu + s.mu_x + s.mu_y));
      EXPECT_GE(s.mu, 0);
    }
    carried = {};
    RoadSample before = at(*c.road, -8, -1.7);
    for (int k = 1; k <= 40000; ++k) {  // along a slanting line, 0.5 mm a step
      const double x = -8 + 5e-4 * k, y = -1.7 + 8e-5 * k;
      RoadSample s;
      c.road->sample(x, y, carried, s);
      ASSERT_LT(std::abs(s.z - before.z), 1e-3) << x << " " << y;
      before = s;
    }
  }
}

constexpr double kFarX[] = {0.0, -1e4, 1e6, -1e9, 1e15, 1e300};
constexpr double kFarY[] = {0.0, 77.0, -1e6, 1e12, -1e300};

TEST(RoadTypes, AnswerFarAwayWithoutTrouble) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    RoadHint hint{1000000};
    RoadSample s;
    for (const double x : kFarX)
      for (const double y : kFarY) {
        c.road->sample(x, y, hint, s);
        // The height of an endless plane or of an offset may overflow at the end of the numbers; nothing else
        // may.
        if (std::abs(x) < 1e100 && std::abs(y) < 1e100) {
          EXPECT_TRUE(std::isfinite(s.z + s.z_x + s.z_y + s.z_xx + s.z_xy + s.z_yy + s.mu)) << x << " " << y;
        }
      }
  }
}

TEST(RoadTypes, AllocateNothing) {
  if (!test::malloc_is_counted()) GTEST_SKIP() << "a sanitizer replaces malloc";
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    RoadHint hint{1000000};
    RoadSample s;
    const long before = test::malloc_count();
    for (const double x : kFarX)
      for (const double y : kFarY) c.road->sample(x, y, hint, s);
    EXPECT_EQ(test::malloc_count() - before, 0);
  }
}

TEST(RoadTypes, RunTheSameTwice) {
  const auto a = cases(), b = cases();
  for (std::size_t i = 0; i < a.size(); ++i)
    for (int k = 0; k < 50; ++k) {
      const RoadSample s = at(*a[i].road, 0.21 * k, 0.03 * k - 1), t = at(*b[i].road, 0.21 * k, 0.03 * k - 1);
      EXPECT_EQ(s.z, t.z);
      EXPECT_EQ(s.z_xy, t.z_xy);
    }
}

TEST(RoadNormal, AndItsGradientFollowFromTheSample) {
  const auto road = road_test::road("sine_sweep", {{"amplitude_m", "0.3"},
                                                   {"wavelength_from_m", "3"},
                                                   {"wavelength_to_m", "2"},
                                                   {"length_m", "30"},
                                                   {"heading_rad", "0.4"},
                                                   {"width_m", "4"},
                                                   {"edge_m", "1.5"}});
  const double x = 4.1, y = 2.2, h = 1e-5;
  const RoadSample s = at(*road, x, y);
  EXPECT_NEAR(road_normal(s).norm(), 1, 1e-15);
  EXPECT_NEAR(road_normal(s).dot(Vec3(1, 0, s.z_x)), 0, 1e-15);
  const auto g = road_normal_gradient(s);
  const Vec3 by_x = (road_normal(at(*road, x + h, y)) - road_normal(at(*road, x - h, y))) / (2 * h);
  const Vec3 by_y = (road_normal(at(*road, x, y + h)) - road_normal(at(*road, x, y - h))) / (2 * h);
  EXPECT_LT((g.col(0) - by_x).norm(), 1e-7);  // h^2 times third derivatives
  EXPECT_LT((g.col(1) - by_y).norm(), 1e-7);
}

}  // namespace
}  // namespace monocoque

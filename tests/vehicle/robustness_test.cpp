// Manoeuvres that end badly or far from where models are made for: states stay sensible, or the run stops
// with a message that says why; never NaN.

#include <gtest/gtest.h>

#include "core/rotation.h"
#include "support/paths.h"
#include "support/recorded_run.h"
#include "support/run.h"

namespace monocoque::test {
namespace {

struct Method {
  const char* solver;
  double step_s;
};
// The second one is four times as long: half the methods with sanitizers.
#ifdef NDEBUG
constexpr Method kMethods[] = {{"linearly-implicit-euler", 0.01}, {"linearly-implicit-2", 0.001}};
#else
constexpr Method kMethods[] = {{"linearly-implicit-euler", 0.01}};
#endif

std::string scenario(const std::string& name) {
  return source_dir() + "/models/camry/scenarios/" + name;
}

/// A scenario of the Camry with other parameters, from t = 0 to end_s, recorded every 10 ms.
RecordedRun drive(const std::string& name, const Method& method, double end_s,
                  const std::vector<std::pair<std::string, std::string>>& changes = {}) {
  io::ReadOptions options;
  for (const auto& [path, value] : changes) options.overrides.emplace_back(path, value);
  Diagnostics diagnostics;
  io::ScenarioSpec spec = io::read_scenario(scenario(name), element_library(), options, diagnostics);
  diagnostics.throw_if_errors();
  solve_nominal(spec.model);
  spec.simulation.solver = method.solver;
  spec.simulation.constraints = spec.simulation.stabilisation = "";
  spec.simulation.step_s = method.step_s;
  spec.simulation.end_s = end_s;
  spec.simulation.output_step_s = 0.01;
  return RecordedRun(spec);
}

/// Every number of every row is finite; returns the largest load of a tire.
double largest_load(const RecordedRun& run) {
  double most = 0;
  for (std::size_t i = 0; i < run.size(); ++i)
    for (const char* corner : {"FL", "FR", "RL", "RR"}) {
      const double load = run.value(i, fmt::format("{}/tire/load", corner));
      EXPECT_TRUE(std::isfinite(load) && load >= 0) << corner << " at " << run.time(i);
      most = std::max(most, load);
      for (const char* channel :
           {"slip", "slip_angle", "longitudinal_force", "lateral_force", "aligning_moment"})
        EXPECT_TRUE(std::isfinite(run.value(i, fmt::format("{}/tire/{}", corner, channel))));
    }
  return most;
}

double up(const RecordedRun& run, std::size_t i) {
  return rotation_from_quaternion(run.quaternion(i, "car"))(2, 2);
}

TEST(Robustness, FullBrakingEndsAtStandstill) {
  for (const Method& method : kMethods) {
    const RecordedRun run = drive("full-braking.yaml", method, 2.6, {{"speed_m_per_s", "3"}});
    const std::size_t last = run.size() - 1;
    EXPECT_LT(largest_load(run), 8000);
    EXPECT_LT(run.vector(last, "car/velocity").norm(), 0.02) << method.solver;  // rocks on its springs
    EXPECT_NEAR(run.value(last, "car/position/z"), 0.602, 5e-3);
    EXPECT_NEAR(run.value(last, "car/position/y"), 0, 0.1);
  }
}

TEST(Robustness, AJumpEndsOnFourWheels) {
  for (const Method& method : kMethods) {
    const RecordedRun run = drive("ramp-jump.yaml", method, 1.7);
    const std::size_t last = run.size() - 1;
    EXPECT_LT(largest_load(run), 25000) << method.solver;
    double airborne = 0;
    for (std::size_t i = 0; i < run.size(); ++i)
      if (run.value(i, "FL/tire/load") == 0 && run.value(i, "RL/tire/load") == 0) airborne += 0.01;
    EXPECT_GT(airborne, 0.3) << method.solver;
    EXPECT_NEAR(run.value(last, "car/position/z"), 0.602, 0.1) << method.solver;  // still bouncing
    EXPECT_GT(up(run, last), 0.99);
  }
}

TEST(Robustness, ACurbIsClimbed) {
  for (const Method& method : kMethods) {
    const RecordedRun run = drive("curb-strike.yaml", method, 1.8);
    EXPECT_LT(largest_load(run), 60000) << method.solver;
    EXPECT_NEAR(run.value(run.size() - 1, "car/position/z"), 0.602 + 0.04, 0.02) << method.solver;
  }
}

TEST(Robustness, BehindTheEndOfTheRoadTheLastHeightGoesOn) {
  for (const Method& method : kMethods) {
    const RecordedRun run = drive("road-ends.yaml", method, 1.6);
    const std::size_t last = run.size() - 1;
    EXPECT_LT(largest_load(run), 15000);
    EXPECT_EQ(run.value(0, "RL/tire/on_road"), 1);
    EXPECT_EQ(run.value(last, "RL/tire/on_road"), 0);
    EXPECT_NEAR(run.value(last, "car/position/z"), 0.702, 0.02);
  }
}

TEST(Robustness, AFishhookSlidesAndWithRaisedMassRollsOver) {
  const RecordedRun slide = drive("fishhook.yaml", kMethods[0], 3);
  EXPECT_LT(largest_load(slide), 15000);
  for (std::size_t i = 0; i < slide.size(); ++i) ASSERT_GT(up(slide, i), 0.98) << slide.time(i);
  const double yaw = slide.value(slide.size() - 1, "attitude/yaw");
  EXPECT_GT(yaw, 0.5);

  for (const Method& method : kMethods) {
    // Rolled over it has nothing but tires to touch the road: the run goes on with finite numbers, or stops.
    try {
      const RecordedRun run =
          drive("fishhook.yaml", method, method.step_s > 0.005 ? 5 : 2.95, {{"raised_mass_m", "0.7"}});
      largest_load(run);
      double least = 1;
      for (std::size_t i = 0; i < run.size(); ++i) least = std::min(least, up(run, i));
      EXPECT_LT(least, 0) << method.solver;
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find("the vehicle has rolled over: 'car' leans by"), std::string::npos)
          << method.solver << ": " << e.what();
    }
  }
}

}  // namespace
}  // namespace monocoque::test

// The Camry with a driver in the lanes of ISO 3888: kept at the speeds of the scenarios, lost when too fast,
// the same whatever the solver.

#include <gtest/gtest.h>

#include "support/run.h"

namespace monocoque::test {
namespace {

Loaded load_lane_change(const std::string& part, const std::string& speed = {}) {
  Diagnostics diagnostics;
  io::ReadOptions options;
  if (!speed.empty()) options.overrides.emplace_back("speed_m_per_s", speed);
  auto spec = io::read_scenario(std::string(MONOCOQUE_SOURCE_DIR) +
                                    "/models/camry/scenarios/double-lane-change-iso3888-" + part + ".yaml",
                                element_library(), options, diagnostics);
  return finish(std::move(spec), diagnostics);
}

/// Lateral offsets from the driver's path every 50 ms, and the summary.
struct Drive {
  RunSummary summary;
  std::vector<double> x, y;
};

Drive drive(const Loaded& loaded, const io::SimulationSpec& settings) {
  Simulation simulation(*loaded.model, settings);
  const auto& channels = simulation.channels();
  const auto column = [&](const std::string& path) {
    return std::find_if(channels.begin(), channels.end(), [&](const Channel& c) { return c.path == path; }) -
           channels.begin();
  };
  const auto x = column("lane/vehicle/x"), y = column("lane/vehicle/y");
  Drive out;
  RunHooks hooks;
  hooks.record = [&](double, const double* row) {
    out.x.push_back(row[x]);
    out.y.push_back(row[y]);
  };
  out.summary = simulation.run(hooks);
  return out;
}

io::SimulationSpec solver(const Loaded& loaded, const std::string& name, double step_s) {
  io::SimulationSpec s = loaded.spec.simulation;
  s.solver = name;
  s.constraints = s.stabilisation = "";
  s.step_s = step_s;
  s.step_given = true;
  s.output_step_s = 0.05;
  return s;
}

TEST(LaneChange, ObstacleAvoidanceIsPassedWithoutAHit) {
  const Loaded loaded = load_lane_change("2");
  const Drive d = drive(loaded, solver(loaded, "linearly-implicit-2", 1e-3));
  EXPECT_TRUE(d.summary.lane.hits.empty());
  EXPECT_GT(d.summary.lane.smallest.distance_m, 0.02);
  EXPECT_NEAR(d.summary.lane.entry_speed_m_per_s, 50 / 3.6, 0.1);
  EXPECT_GT(d.x.back(), 20 + 61 + 2.5) << "it has left the lane at its end";
  // The rack is smooth, so the rods keep their length as in an open-loop run.
  EXPECT_LT(d.summary.position_drift, 1e-6);
  verify_row("Camry", "ISO 3888-2 at 50 km/h, smallest clearance", "linearly-implicit-2, 1 ms",
             fmt::format("{:.3f} m", d.summary.lane.smallest.distance_m), "> 0", 0, "no cone touched");
}

TEST(LaneChange, DoubleLaneChangeIsPassedWithoutAHit) {
  const Loaded loaded = load_lane_change("1");
  const Drive d = drive(loaded, solver(loaded, "linearly-implicit-2", 1e-3));
  EXPECT_TRUE(d.summary.lane.hits.empty());
  EXPECT_GT(d.summary.lane.smallest.distance_m, 0.02);
  EXPECT_NEAR(d.summary.lane.entry_speed_m_per_s, 80 / 3.6, 0.1);
  EXPECT_GT(d.x.back(), 20 + 125 + 2.5);
}

TEST(LaneChange, TooFastACarHitsCones) {
  const Loaded loaded = load_lane_change("2", "75/3.6");
  const Drive d = drive(loaded, solver(loaded, "linearly-implicit-2", 1e-3));
  EXPECT_FALSE(d.summary.lane.hits.empty());
  EXPECT_LT(d.summary.lane.smallest.distance_m, 0);
}

TEST(LaneChange, DoesNotDependOnTheSolver) {
  const Loaded loaded = load_lane_change("2");
  io::SimulationSpec first = solver(loaded, "linearly-implicit-2", 1e-3),
                     second = solver(loaded, "rk4", 1e-3), third = solver(loaded, "ida", 1e-2);
  third.relative_tolerance = third.absolute_tolerance = 1e-6;
  const Drive reference = drive(loaded, second);
  for (const io::SimulationSpec& s : {first, third}) {
    const Drive d = drive(loaded, s);
    ASSERT_EQ(d.x.size(), reference.x.size());
    double worst = 0;
    for (std::size_t i = 0; i < d.x.size(); ++i)
      worst = std::max(worst, std::hypot(d.x[i] - reference.x[i], d.y[i] - reference.y[i]));
    EXPECT_LT(worst, 0.005) << s.solver;
    EXPECT_TRUE(d.summary.lane.hits.empty());
    verify_row("Camry", "ISO 3888-2 at 50 km/h, largest distance of the tracks", s.solver,
               fmt::format("{:.2g} m", worst), "rk4, 1 ms", worst, "m");
  }
}

}  // namespace
}  // namespace monocoque::test

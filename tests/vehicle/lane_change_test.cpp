// The Camry with a driver in the lanes of ISO 3888: kept at the speeds of the scenarios, lost when too fast,
// the same whatever the solver.

#include <gtest/gtest.h>

#include "support/paths.h"
#include "support/run.h"

namespace monocoque::test {
namespace {

constexpr double kStep = 5e-3;  ///< tracks differ by 1.3 mm at most from those at 1 ms
#ifdef NDEBUG
constexpr double kCompared = 4;
#else
constexpr double kCompared = 1.8;  // with sanitizers: into the first turn
#endif

Loaded load_lane_change(const std::string& part, const std::string& speed = {}) {
  Diagnostics diagnostics;
  io::ReadOptions options;
  if (!speed.empty()) options.overrides.emplace_back("speed_m_per_s", speed);
  auto spec =
      io::read_scenario(source_dir() + "/models/camry/scenarios/double-lane-change-iso3888-" + part + ".yaml",
                        element_library(), options, diagnostics);
  return finish(std::move(spec), diagnostics);
}

/// The track every 50 ms, and the summary.
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
  const Drive d = drive(loaded, solver(loaded, "linearly-implicit-2", kStep));
  EXPECT_TRUE(d.summary.lane.hits.empty());
  EXPECT_GT(d.summary.lane.smallest.distance_m, 0.02);
  EXPECT_NEAR(d.summary.lane.entry_speed_m_per_s, 50 / 3.6, 0.1);
  EXPECT_GT(d.x.back(), 10 + 61 + 2.5) << "it has left the lane at its end";
  // The rack is smooth, so the rods keep their length as in an open-loop run.
  EXPECT_LT(d.summary.position_drift, 1e-9);
  verify_row("Camry", "ISO 3888-2 at 50 km/h, smallest clearance", "linearly-implicit-2, 5 ms",
             fmt::format("{:.3f} m", d.summary.lane.smallest.distance_m), "> 0", 0, "no cone touched");
}

TEST(LaneChange, DoubleLaneChangeIsPassedWithoutAHit) {
  const Loaded loaded = load_lane_change("1");
  const Drive d = drive(loaded, solver(loaded, "linearly-implicit-2", kStep));
  EXPECT_TRUE(d.summary.lane.hits.empty());
  EXPECT_GT(d.summary.lane.smallest.distance_m, 0.02);
  EXPECT_NEAR(d.summary.lane.entry_speed_m_per_s, 80 / 3.6, 0.1);
  EXPECT_GT(d.x.back(), 10 + 125 + 2.5);
}

TEST(LaneChange, TooFastACarHitsCones) {
  const Loaded loaded = load_lane_change("2", "75/3.6");
  const Drive d = drive(loaded, solver(loaded, "linearly-implicit-2", kStep));
  EXPECT_FALSE(d.summary.lane.hits.empty());
  EXPECT_LT(d.summary.lane.smallest.distance_m, 0);
}

TEST(LaneChange, DoesNotDependOnTheSolver) {
  const Loaded loaded = load_lane_change("2");
  io::SimulationSpec first = solver(loaded, "linearly-implicit-2", 1e-3),
                     second = solver(loaded, "rk4", 1e-3), third = solver(loaded, "ida", 1e-2);
  first.end_s = second.end_s = third.end_s = kCompared;
  third.relative_tolerance = third.absolute_tolerance = 1e-6;
  const Drive reference = drive(loaded, second);
  for (const io::SimulationSpec& s : {first, third}) {
    const Drive d = drive(loaded, s);
    ASSERT_EQ(d.x.size(), reference.x.size());
    double worst = 0;
    for (std::size_t i = 0; i < d.x.size(); ++i)
      worst = std::max(worst, std::hypot(d.x[i] - reference.x[i], d.y[i] - reference.y[i]));
    EXPECT_LT(worst, 0.001) << s.solver;  // found: 0.05 mm and 0.33 mm
    EXPECT_TRUE(d.summary.lane.hits.empty());
    verify_row("Camry", "ISO 3888-2 at 50 km/h, largest distance of the tracks", s.solver,
               fmt::format("{:.2g} m", worst), "rk4, 1 ms", worst, "m");
  }
}

std::string complaint(const std::string& text) {
  try {
    load_text(text);
  } catch (const Error& e) {
    return e.what();
  }
  return "none";
}

TEST(LaneChange, MistakesAreToldWithTheirPlace) {
  const std::string head = "monocoque: 1\nparts: [{name: car, mass_kg: 1, inertia_kg_m2: [1, 1, 1]}]\n";
  const std::string lane =
      "lane: {type: path, frame: car, vehicle_width_m: 1, front_m: 1, rear_m: 1, x_m: [0, 9], y_m: [0, 0]}\n";
  EXPECT_EQ(complaint(head + lane), "none");
  const auto has = [](const std::string& text, const std::string& piece) {
    EXPECT_NE(text.find(piece), std::string::npos) << text;
  };
  has(complaint(head + "lane: {type: iso3888_3}\n"), "test.yaml:3: lane: type is 'iso3888_3'");
  has(complaint(head + "lane: {type: pid}\n"), "belongs under controllers");
  has(complaint(head + "lane: 3\n"), "test.yaml:3");
  std::string other = lane;
  other.replace(other.find("car"), 3, "cat");
  has(complaint(head + other), "test.yaml:3: lane, path: there is no frame 'cat.origin'");
  has(complaint(head + "signals: [{name: rack, controller: nobody}]\n"), "there is no controller 'nobody'");
  has(complaint(head +
                "interacts: [{name: p, type: position, from: ground, to: car}]\n"
                "controllers: [{name: foot, type: lane_speed, position: p, velocity: p, speed_m_per_s: 9, "
                "proportional: 1}]\n"),
      "test.yaml:4: lane_speed 'foot': it drives along a lane, and there is none");
}

}  // namespace
}  // namespace monocoque::test

// Time events, sampled controllers, drives that jump and turn counters, for every method.

#include <gtest/gtest.h>

#include <cmath>

#include "integrate/simulation.h"
#include "io/model/reader.h"

namespace monocoque {
namespace {

struct Outcome {
  std::unique_ptr<const Model> model;
  std::unique_ptr<Simulation> simulation;
  std::vector<double> times;
  std::vector<std::vector<double>> rows;
  RunSummary summary;
  double last(const std::string& path) const {
    for (const auto& [channel, value] : summary.final_values)
      if (channel.path == path) return value;
    ADD_FAILURE() << "no channel " << path;
    return NAN;
  }
};

Outcome run(const std::string& text, const IntegratorType& type, double step, double end, double output = 0) {
  Diagnostics diagnostics;
  const io::ScenarioSpec spec = io::read_scenario_text(text, "test.yaml", element_library(), {}, diagnostics);
  diagnostics.throw_if_errors();
  Outcome out;
  out.model = build_model(spec.model);
  io::SimulationSpec settings;
  settings.solver = type.name;
  settings.step_s = step;
  settings.end_s = end;
  settings.output_step_s = output;
  settings.relative_tolerance = settings.absolute_tolerance = 1e-9;
  out.simulation = std::make_unique<Simulation>(*out.model, settings);
  RunHooks hooks;
  const std::size_t width = out.simulation->channels().size();
  hooks.record = [&](double t, const double* row) {
    out.times.push_back(t);
    out.rows.emplace_back(row, row + width);
  };
  out.summary = out.simulation->run(hooks);
  return out;
}

class EveryMethod : public testing::TestWithParam<IntegratorType> {};

// A flywheel gets 2 N m from t = 0.3333 on, off the grid of steps: w = 2 (t - t0) / I.
TEST_P(EveryMethod, StopsAtATimeEventOffItsGrid) {
  const Outcome r = run(R"yaml(
monocoque: 1
name: flywheel
gravity_m_per_s2: [0, 0, 0]
parts: [{name: wheel, mass_kg: 3, inertia_kg_m2: [0.3, 0.3, 0.5]}]
interacts:
  - {name: bearing, type: revolute, from: ground, to: wheel}
  - {name: motor, type: actuator_torque, from: ground, to: wheel, torque_Nm: "2*step(t-0.3333)"}
)yaml",
                        GetParam(), 0.01, 1.0);
  EXPECT_NEAR(r.last("wheel/angular_velocity/z"), 2 * (1 - 0.3333) / 0.5, 1e-7);
  const double angle = (1 - 0.3333) * (1 - 0.3333) / 0.5;
  const double tolerance = GetParam().order == 1 ? 0.02 : 1e-4;  // first-order methods are exact in w only
  EXPECT_NEAR(2 * std::atan2(r.last("wheel/orientation/q3"), r.last("wheel/orientation/q0")), angle,
              tolerance);
}

// A relay samples the speed every 20 ms: between two samples its output must not change.
TEST_P(EveryMethod, HoldsTheOutputOfAControllerBetweenSamples) {
  const Outcome r = run(R"yaml(
monocoque: 1
name: controlled
gravity_m_per_s2: [0, 0, 0]
parts: [{name: wheel, mass_kg: 3, inertia_kg_m2: [0.3, 0.3, 0.5]}]
interacts:
  - {name: bearing, type: revolute, from: ground, to: wheel}
  - {name: speed, type: angular_velocity, from: ground, to: wheel}
  - {name: motor, type: actuator_torque, from: ground, to: wheel, torque_Nm: governor}
controllers:
  - {name: governor, type: pid, sensor: speed/z, setpoint: 1, sample_s: 0.02, proportional: 2, integral: 0,
     derivative: 0}
)yaml",
                        GetParam(), 0.005, 1.0, 0.005);
  // Exact: w_{j+1} = w_j + Ts k (1 - w_j) / I at the samples, linear between them.
  const double factor = 0.02 * 2 / 0.5;
  double w = 0;
  for (int j = 0; j < 50; ++j) w += factor * (1 - w);
  EXPECT_NEAR(r.last("wheel/angular_velocity/z"), w, 1e-6);
  std::size_t output = 0;
  for (std::size_t i = 0; i < r.simulation->channels().size(); ++i)
    if (r.simulation->channels()[i].path == "governor/output") output = i;
  for (std::size_t i = 1; i < r.times.size(); ++i) {
    const bool after_sample = std::fmod(r.times[i - 1] + 1e-9, 0.02) < 2e-9;
    if (!after_sample) {
      EXPECT_EQ(r.rows[i][output], r.rows[i - 1][output]) << r.times[i];
    }
  }
}

// A drive whose speed jumps gives the part an impulse; afterwards it moves with the drive.
TEST_P(EveryMethod, TakesAJumpInTheSpeedOfADrive) {
  const Outcome r = run(R"yaml(
monocoque: 1
name: driven
parts: [{name: slider, mass_kg: 2, inertia_kg_m2: [0.1, 0.1, 0.1]}]
interacts:
  - {name: drive, type: driven_prismatic, from: ground, to: slider, travel_m: "0.5*ramp(t-0.251)"}
)yaml",
                        GetParam(), 0.01, 1.0);
  EXPECT_NEAR(r.last("slider/position/z"), 0.5 * (1 - 0.251), 1e-6);
  EXPECT_NEAR(r.last("slider/velocity/z"), 0.5, 1e-6);
  EXPECT_LT(r.summary.position_drift, 1e-6);
}

// Two wheels geared 1 : 3 turn many times between two outputs: the counter must follow the steps, not the
// outputs.
TEST_P(EveryMethod, CountsTurnsOfAGearBetweenOutputs) {
  const Outcome r = run(R"yaml(
monocoque: 1
name: gears
gravity_m_per_s2: [0, 0, 0]
parts:
  - {name: small, mass_kg: 1, inertia_kg_m2: [0.1, 0.1, 0.1], angular_velocity_rad_per_s: [0, 0, 30],
     fixed_velocity: [rz]}
  - {name: big, mass_kg: 1, inertia_kg_m2: [0.3, 0.3, 0.3], position_m: [1, 0, 0]}
interacts:
  - {name: shaft1, type: revolute, from: ground, to: small}
  - {name: shaft2, type: revolute, from: {part: ground, position_m: [1, 0, 0]}, to: big}
  - {name: mesh, type: gear, joints: [shaft1, shaft2], ratio: -3}
)yaml",
                        GetParam(), 0.002, 2.0, 2.0);
  EXPECT_NEAR(r.last("small/angular_velocity/z"), 30, 1e-5);
  EXPECT_NEAR(r.last("big/angular_velocity/z"), -10, 1e-5);
  EXPECT_LT(r.summary.position_drift, 1e-6);
}

// run() and advance() share their way through events: on the grid, off it, and off it by less than rounding.
TEST_P(EveryMethod, RunAndAdvanceMeetTheSameEvents) {
  const std::string text = R"yaml(
monocoque: 1
name: events
gravity_m_per_s2: [0, 0, 0]
parts: [{name: wheel, mass_kg: 3, inertia_kg_m2: [0.3, 0.3, 0.5]}]
interacts:
  - {name: bearing, type: revolute, from: ground, to: wheel}
  - {name: speed, type: angular_velocity, from: ground, to: wheel}
  - {name: kick, type: actuator_torque, from: ground, to: wheel,
     torque_Nm: "step(t-0.1)+step(t-0.2000000000005)+step(t-0.2999999999995)-step(t-0.3333)+step(t-0.4999999999995)"}
  - {name: motor, type: actuator_torque, from: ground, to: wheel, torque_Nm: governor}
controllers:
  - {name: governor, type: pid, sensor: speed/z, setpoint: 1, sample_s: 0.03, proportional: 2, integral: 0,
     derivative: 0}
)yaml";
  const double step = 1e-3, end = 0.5;
  const Outcome whole = run(text, GetParam(), step, end, step);
  EXPECT_EQ(whole.times.size(), 501u) << "one row at each step: no event makes one of its own";
  EXPECT_EQ(whole.times.back(), end);
  Simulation paced(*whole.model, whole.simulation->settings());
  for (int i = 1; i <= 500; ++i) ASSERT_EQ(paced.advance(i == 500 ? end : i * step), StepStatus::ok);
  EXPECT_EQ(paced.state().t, whole.simulation->state().t);
  EXPECT_EQ(paced.state().x, whole.simulation->state().x);
  EXPECT_EQ(paced.state().z, whole.simulation->state().z);
  EXPECT_EQ(paced.integrator().counts().steps, whole.summary.steps);
}

std::vector<IntegratorType> all_types() {
  return integrator_types();
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod, testing::ValuesIn(all_types()), [](const auto& info) {
  std::string name = info.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace monocoque

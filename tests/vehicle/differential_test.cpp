// Open differential against its closed form: with T on the input, shafts of inertia J and speeds tied by
// w_in = r (w_l + w_r) / 2, the input gives up tau = T / (1 + J_in r^2 / 4 (1 / J_l + 1 / J_r)), each wheel
// gets r tau / 2, and the housing the rest.

#include <gtest/gtest.h>

#include "support/run.h"

namespace monocoque::test {
namespace {

// Input as a rotor of the housing or as a part on a bearing: both are used in cars.
std::string drive(bool rotor) {
  const std::string head = R"yaml(
monocoque: 1
gravity_m_per_s2: [0, 0, 0]
parts:
  - {name: left, mass_kg: 18, inertia_kg_m2: [0.6, 0.6, 1.1], position_m: [0, 0.7, 0], orientation: {z_axis: [0, 1, 0]}}
  - {name: right, mass_kg: 18, inertia_kg_m2: [0.8, 0.8, 1.4], position_m: [0, -0.7, 0], orientation: {z_axis: [0, 1, 0]}}
  - name: block
    mass_kg: 50
    inertia_kg_m2: [2, 2, 2]
    position_m: [0.3, 0, 0]
)yaml";
  const std::string input = rotor ? R"yaml(
    rotors: [{name: crank, mass_kg: 12, axial_inertia_kg_m2: 0.15, transverse_inertia_kg_m2: 0.08, axis: [0, 1, 0]}]
    frames:
      - {name: bearing, orientation: {z_axis: [0, 1, 0]}}
      - {name: crank, rotor: crank, orientation: {z_axis: [0, 1, 0]}}
)yaml"
                                  : R"yaml(
    frames: [{name: bearing, orientation: {z_axis: [0, 1, 0]}}]
  - {name: crank, mass_kg: 12, inertia_kg_m2: [0.08, 0.08, 0.15], position_m: [0.3, 0, 0], orientation: {z_axis: [0, 1, 0]}}
)yaml";
  std::string rest = R"yaml(
interacts:
  - {name: hold, type: rigid, from: {part: ground, position_m: [0.3, 0, 0]}, to: block}
  - {name: left_bearing, type: revolute, from: {part: ground, position_m: [0, 0.7, 0], orientation: {z_axis: [0, 1, 0]}}, to: left}
  - {name: right_bearing, type: revolute, from: {part: ground, position_m: [0, -0.7, 0], orientation: {z_axis: [0, 1, 0]}}, to: right}
  - {name: axle, type: differential, housing: block.bearing, input: CRANK, left: left, right: right, ratio: 3.7}
  - {name: motor, type: actuator_torque, from: block.bearing, to: CRANK, torque_Nm: 20}
  - {name: speed, type: angular_velocity, from: block.bearing, to: CRANK}
)yaml";
  if (!rotor) rest += "  - {name: crank_bearing, type: revolute, from: block.bearing, to: crank}\n";
  for (std::size_t at; (at = rest.find("CRANK")) != std::string::npos;)
    rest.replace(at, 5, rotor ? "block.crank" : "crank");
  return head + input.substr(1) + rest.substr(1);
}

TEST(Differential, SharesTheTorqueAndTiesTheSpeeds) {
  const double r = 3.7, T = 20, t = 0.5, Jc = 0.15, Jl = 1.1, Jr = 1.4;
  const double tau = T / (1 + Jc * r * r / 4 * (1 / Jl + 1 / Jr));
  const double left = r * tau / 2 / Jl * t, right = r * tau / 2 / Jr * t;
  for (const bool rotor : {true, false})
    for (const char* solver : {"rk4", "linearly-implicit-2", "generalized-alpha", "ida"}) {
      const Loaded loaded = load_text(drive(rotor));
      const bool error_controlled = std::string(solver) == "ida";
      const Values v = run(loaded, error_controlled ? ida(t, 1e-9) : fixed_step(solver, t, 1e-3)).final;
      const double tolerance = 1e-7;
      EXPECT_NEAR(v.at("left/angular_velocity/y"), left, tolerance) << solver << rotor;
      EXPECT_NEAR(v.at("right/angular_velocity/y"), right, tolerance) << solver << rotor;
      EXPECT_NEAR(v.at("speed/z"), r * (left + right) / 2, tolerance) << solver << rotor;
      if (rotor && std::string(solver) == "rk4")
        verify_row("Drivetrain", "open differential, speed of the left wheel after 0.5 s", solver,
                   fmt::format("{:.9g} rad/s", v.at("left/angular_velocity/y")),
                   fmt::format("{:.9g} rad/s", left), std::abs(v.at("left/angular_velocity/y") - left),
                   "closed form");
    }
}

TEST(Differential, MistakesAreTold) {
  std::string text = drive(true);
  const std::string from = "housing: block.bearing, ";
  text.replace(text.find(from), from.size(), "");
  try {
    load_text(text);
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("'housing' is missing"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace monocoque::test

// Signs of tires and brakes by what a driver would see, in world axes: x ahead, y left, z up.
// A wheel is carried along a flat road on a prescribed path, at once and with relaxation, for every
// registered tire law. The wheel's forces are read in the world, not in the axes of the law.

#include <gtest/gtest.h>

#include "elements/tires/tire_law_types.h"
#include "io/model/parameter_set.h"
#include "support/paths.h"
#include "support/recorded_run.h"
#include "support/run.h"

namespace monocoque::test {
namespace {

/// Path and attitude of the wheel; angles in rad about the world's x and z.
struct Pass {
  double speed = 10, sideways = 0, roll = 0, yaw = 0;
  double spin_ratio = 1;  ///< 1: near free rolling
  double deflection = 0.015;
};

struct Tire {
  std::string name, keys;
  double radius = 0;
  bool transient = false;
};

std::vector<Tire> all_tires() {
  std::vector<Tire> out;
  for (const auto& type : tire_law_types()) {
    io::ParameterSet p = io::example_parameters(type.info);
    const std::string root = source_dir() + "/";
    if (p.has("file")) p.entries["file"].text = root + p.text("file");
    std::string keys;
    for (const io::Field& f : type.info.fields)
      if (f.required())
        keys += fmt::format(", {}: {}", f.name, f.name == "file" ? p.text("file") : f.example);
    for (const bool transient : {false, true})
      out.push_back({type.info.name, keys, type.make(p)->unloaded_radius(), transient});
  }
  return out;
}

/// The last instant of half a second on the rig: more than ten relaxation lengths. The wheel is so heavy to
/// turn that it keeps its speed.
Values pass(const Tire& tire, const Pass& p) {
  // A tilted wheel's lowest point is where the rim's plane meets the road.
  const double height = (tire.radius - p.deflection) * std::cos(p.roll);
  const double spin = p.spin_ratio * p.speed / (tire.radius - p.deflection / 3);
  const Loaded loaded = load_text(fmt::format(R"yaml(
monocoque: 1
gravity_m_per_s2: [0, 0, 0]
parts:
  - name: carrier
    mass_kg: 10
    inertia_kg_m2: [1, 1, 1]
    position_m: [0, 0, {3}]
    orientation: {{roll_pitch_yaw_rad: [{4}, 0, {5}]}}
    velocity_m_per_s: [{1}, {2}, 0]
    rotors: [{{name: wheel, mass_kg: 20, axial_inertia_kg_m2: 1e5, transverse_inertia_kg_m2: 1e5, speed_rad_per_s: {6}}}]
    frames: [{{name: wheel, rotor: wheel}}]
interacts:
  - {{name: path, type: motion, from: ground, to: carrier, x_m: "{1}*t", y_m: "{2}*t", z_m: {3}, roll_rad: {4}, yaw_rad: {5}}}
  - {{name: tire, type: {7}, from: ground, to: carrier.wheel, transient: {8}{9}}}
simulation: {{solver: linearly-implicit-2, step_s: 0.005, end_s: 0.5, output_step_s: 0.5}}
)yaml",
                                              0, p.speed, p.sideways, height, p.roll, p.yaw, spin, tire.name,
                                              tire.transient, tire.keys));
  return run(loaded, loaded.spec.simulation).final;
}

class TireSigns : public testing::Test {
 protected:
  template <class Check>
  static void for_all(Check check) {
    for (const Tire& tire : all_tires()) {
      SCOPED_TRACE(tire.name + (tire.transient ? ", transient" : ""));
      check(tire);
    }
  }
};

TEST_F(TireSigns, LoadPushesUpAndGrowsWithTheDeflection) {
  for_all([](const Tire& tire) {
    const Values light = pass(tire, {.deflection = 0.005}), heavy = pass(tire, {.deflection = 0.02}),
                 lifted = pass(tire, {.deflection = -0.02});
    EXPECT_GT(light.at("tire/force/z"), 0);
    EXPECT_GT(heavy.at("tire/force/z"), 2 * light.at("tire/force/z"));
    EXPECT_NEAR(heavy.at("tire/load"), heavy.at("tire/force/z"), 1e-9 * heavy.at("tire/load"));
    for (const char* axis : {"x", "y", "z"})
      EXPECT_EQ(lifted.at(fmt::format("tire/force/{}", axis)), 0) << axis;
  });
}

TEST_F(TireSigns, ATiltAboutTheDirectionOfTravelIsPositiveCamber) {
  for_all([](const Tire& tire) {
    const Values right = pass(tire, {.roll = 0.05}), left = pass(tire, {.roll = -0.05});
    EXPECT_NEAR(right.at("tire/camber"), 0.05, 1e-12);
    EXPECT_NEAR(left.at("tire/camber"), -0.05, 1e-12);
    // A wheel that leans pulls to the side it leans to, if its law knows camber.
    const double thrust = 0.5 * (right.at("tire/force/y") - left.at("tire/force/y"));
    if (tire.name == "magic_formula") {
      EXPECT_LT(thrust, -10);
    } else {
      EXPECT_NEAR(thrust, 0, 1e-6 * right.at("tire/load"));
    }
  });
}

TEST_F(TireSigns, SlidingToTheLeftIsPushedToTheRight) {
  for_all([](const Tire& tire) {
    const Values left = pass(tire, {.sideways = 0.3}), right = pass(tire, {.sideways = -0.3});
    EXPECT_LT(left.at("tire/force/y"), -0.1 * left.at("tire/load"));
    EXPECT_GT(right.at("tire/force/y"), 0.1 * left.at("tire/load"));
    EXPECT_NEAR(left.at("tire/slip_angle"), std::atan(0.03), 2e-3);
    // A wheel steered to the right on a path straight ahead pulls to the right.
    const Values steered = pass(tire, {.yaw = -0.03});
    EXPECT_LT(steered.at("tire/force/y"), -0.1 * steered.at("tire/load"));
    // The trail turns the wheel back to where it goes: to the left while it slides to the left.
    if (tire.name != "reference_tire") {
      EXPECT_GT(left.at("tire/torque/z"), right.at("tire/torque/z") + 1);
    }
  });
}

TEST_F(TireSigns, AWheelTurningTooFastDrivesTooSlowBrakes) {
  for_all([](const Tire& tire) {
    const Values drive = pass(tire, {.spin_ratio = 1.05}), brake = pass(tire, {.spin_ratio = 0.95}),
                 locked = pass(tire, {.spin_ratio = 0});
    EXPECT_GT(drive.at("tire/force/x"), 0.1 * drive.at("tire/load"));
    EXPECT_LT(brake.at("tire/force/x"), -0.1 * brake.at("tire/load"));
    EXPECT_LT(locked.at("tire/force/x"), -0.3 * locked.at("tire/load"));
    EXPECT_NEAR(locked.at("tire/slip"), -1, 1e-3);
    // Backwards: a wheel that turns too fast pushes backwards.
    const Values back = pass(tire, {.speed = -10, .spin_ratio = 1.05});
    EXPECT_LT(back.at("tire/force/x"), -0.1 * back.at("tire/load"));
    // The moment on the axle is against the wheel's turning when it drives.
    EXPECT_LT(drive.at("tire/torque/y"), 0);
    EXPECT_GT(brake.at("tire/torque/y"), 0);
  });
}

TEST_F(TireSigns, RollingTakesEnergy) {
  for_all([](const Tire& tire) {
    for (const double way : {1.0, -1.0}) {
      const Values v = pass(tire, {.speed = way * 20});
      // Moment about the contact point, where the ground forces have no arm.
      const double moment = v.at("tire/torque/y") + v.at("tire/radius") * v.at("tire/force/x");
      if (tire.name == "magic_formula") {
        EXPECT_LT(moment * way, -1);
      } else {
        EXPECT_NEAR(moment, 0, 1e-9 * v.at("tire/load"));
      }
      // Whatever slip is left: the road only takes energy.
      const double power = v.at("tire/force/x") * 20 * way + v.at("tire/torque/y") * v.at("tire/spin");
      EXPECT_LE(power, 1e-6 * v.at("tire/load"));
    }
  });
}

TEST(BrakeSigns, ADiscStopsInAStraightLineAndStaysHeld) {
  // I w' = -T until it stands; then it holds against 20 Nm and yields to 40.
  const double I = 2, T = 30, w0 = 20, stop = w0 * I / T;
  io::ScenarioSpec spec = read_text(R"yaml(
monocoque: 1
parts:
  - {name: disc, mass_kg: 5, inertia_kg_m2: [1.2, 1.2, 2], angular_velocity_rad_per_s: [0, 0, 20]}
signals: [{name: push, formula: "20*(ramp(t-2) - ramp(t-3)) + 20*step(t-6)"}]
interacts:
  - {name: axle, type: revolute, from: ground, to: disc}
  - {name: brake, type: brake, from: ground, to: disc, torque_Nm: 30}
  - {name: motor, type: actuator_torque, from: ground, to: disc, torque_Nm: push}
  - {name: turn, type: angle, from: ground, to: disc}
simulation: {solver: ida, relative_tolerance: 1e-8, absolute_tolerance: 1e-10, end_s: 7, output_step_s: 0.1}
)yaml");
  for (const char* solver : {"ida", "linearly-implicit-2"}) {
    spec.simulation.solver = solver;
    const bool fixed = spec.simulation.solver != "ida";
    if (fixed) {
      spec.simulation.step_s = 0.001;
      spec.simulation.step_given = true;
    }
    const RecordedRun r(spec);
    const auto w = [&](double t) {
      return r.value(static_cast<std::size_t>(std::lround(t * 10)), "disc/angular_velocity/z");
    };
    const auto angle = [&](double t) {
      return r.value(static_cast<std::size_t>(std::lround(t * 10)), "turn");
    };
    // The torque settles within 5 ms; the line starts that much later.
    EXPECT_NEAR(w(0.1), w0 - T / I * 0.1, 1.1 * T / I * 0.005) << solver;
    const double slope = (w(1.2) - w(0.2)) / 1.0;
    verify_row("Brakes", "disc stopped by a brake: T / I", solver, fmt::format("{:.7f} rad/s^2", -slope),
               fmt::format("{} rad/s^2", T / I), std::abs(slope + T / I) / (T / I));
    EXPECT_NEAR(slope, -T / I, 1e-6 * T / I) << solver;
    EXPECT_LT(stop + 0.01, 1.4);
    // At rest the brake is a spring with hysteresis: the disc swings by less than the wind-up at the
    // capacity.
    for (const double t : {1.5, 1.8, 2.0}) EXPECT_NEAR(angle(t), angle(1.4), T / 20000) << solver << t;
    // Under 20 of 30 Nm it is held, wound up by a little more than 20 / k, and does not creep.
    EXPECT_LT(angle(5.9) - angle(2.0), 4 * T / 20000) << solver;
    EXPECT_LT((angle(5.9) - angle(3.5)) / 2.4, 1e-6) << solver;
    EXPECT_LT(std::abs(w(5.9)), 1e-6) << solver;
    // Above its capacity the brake yields: (40 - 30) / I.
    EXPECT_NEAR((w(7.0) - w(6.2)) / 0.8, (40 - T) / I, 1e-4 * T / I) << solver;
  }
}

}  // namespace
}  // namespace monocoque::test

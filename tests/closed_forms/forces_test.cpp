// Force elements with inner states (Maxwell) and algebraic variables (friction that follows the reaction of
// its joint) against closed forms, with every method and every way of treating constraints that the program
// has.

#include "support/run.h"

namespace monocoque::test {
namespace {

/// Every admissible pair of every method.
std::vector<io::SimulationSpec> all_methods(double end, double first_order_step, double second_order_step,
                                            double fourth_order_step) {
  std::vector<io::SimulationSpec> out;
  for (const IntegratorType& type : integrator_types())
    for (const auto& [level, stabilisation] : type.levels) {
      io::SimulationSpec s = ida(end, 1e-10, level);
      if (type.fixed_step)
        s = fixed_step(type.name, end,
                       type.order == 4   ? fourth_order_step
                       : type.order == 2 ? second_order_step
                                         : first_order_step,
                       level, stabilisation);
      s.stabilisation = stabilisation;
      out.push_back(s);
    }
  return out;
}

/// Errors at the end, and the order of the fixed-step methods.
template <class Error>
void check_all(const std::string& problem, const Loaded& loaded, const std::vector<io::SimulationSpec>& list,
               double ida_bound, Error error) {
  for (const io::SimulationSpec& s : list) {
    const IntegratorType& type = find_integrator(s.solver);
    if (!type.fixed_step) {
      const double e = error(run(loaded, s));
      report(problem, method_name(s), e);
      EXPECT_LT(e, ida_bound) << method_name(s);
      continue;
    }
    double finest = 0;
    const double order =
        measured_order(problem, loaded, s, {s.step_s, s.step_s / 2, s.step_s / 4}, &finest, error);
    // At rounding level there is no order to measure.
    if (finest > 1e-12) {
      EXPECT_NEAR(order, type.order, 0.3) << method_name(s);
    }
  }
}

// The ends of a Maxwell element (k, c) are pulled apart at 0.1 m/s for 1 s, then held:
// F = c v (1 - exp(-k t / c)) up to then, after that it relaxes with exp(-k (t - 1) / c).
TEST(Maxwell, RampAndRelaxation) {
  const Loaded loaded = load_text(R"(
monocoque: 1
gravity_m_per_s2: [0, 0, 0]
parts:
  - {name: slide, mass_kg: 1, inertia_kg_m2: [0.1, 0.1, 0.1], position_m: [0, 0, 0.5]}
interacts:
  - {name: pull, type: driven_prismatic, from: ground, to: slide, travel_m: 0.5 + 0.1*(ramp(t) - ramp(t - 1))}
  - {name: element, type: maxwell, from: ground, to: slide, stiffness_N_per_m: 300, damping_Ns_per_m: 150,
     free_length_m: 0.5}
)");
  const double end = 1.5, expected = -150 * 0.1 * (1 - std::exp(-2.0)) * std::exp(-2 * (end - 1));
  check_all("Maxwell relaxation", loaded, all_methods(end, 0.002, 0.01, 0.05), 1e-6,
            [&](const Outcome& out) { return std::abs(out.final.at("element/force/z") - expected); });
}

// A block of 200 kg slides along a rail and is pressed onto it by its weight and a force 500 t. With friction
// mu N tanh(v / s): sinh(v / s) = sinh(v0 / s) exp(-mu / (m s) (m g t + 250 t^2)).
TEST(JointFriction, SlidingBlockUnderGrowingLoad) {
  const Loaded loaded = load_text(R"(
monocoque: 1
gravity_m_per_s2: [0, 0, -9.81]
ground: {frames: [{name: rail, orientation: {z_axis: [1, 0, 0]}}]}
parts:
  - name: block
    mass_kg: 200
    inertia_kg_m2: [10, 10, 10]
    velocity_m_per_s: [1.5, 0, 0]
    frames: [{name: shoe, orientation: {z_axis: [1, 0, 0]}}]
interacts:
  - {name: rail, type: prismatic, from: ground.rail, to: block.shoe}
  - {name: press, type: actuator_vector, from: ground, to: block, force_z_N: -500*t}
  - {name: friction, type: joint_friction, joint: rail, coordinate: travel, friction_coefficient: 0.2,
     slip_velocity_m_per_s: 0.2}
)");
  // Ends at about the slip velocity, where the friction fades: all terms take part.
  const double end = 0.68, s = 0.2, impulse = 200 * 9.81 * end + 250 * end * end;
  const double expected = s * std::asinh(std::sinh(1.5 / s) * std::exp(-0.2 / (200 * s) * impulse));
  check_all("friction, sliding block", loaded, all_methods(end, 0.002, 0.01, 0.02), 1e-7,
            [&](const Outcome& out) { return std::abs(out.final.at("block/velocity/x") - expected); });
}

// A body turns about a hinge that carries its centrifugal force: the load F depends on the friction it
// causes, F^2 = (m l)^2 (w^4 + a^2), a = -mu r F / J, so a = -k w^2 with k = q / sqrt(1 - (m l q)^2) m l, q =
// mu r / J, and w = w0 / (1 + k w0 t).
TEST(JointFriction, HingeUnderCentrifugalLoad) {
  const Loaded loaded = load_text(R"(
monocoque: 1
gravity_m_per_s2: [0, 0, 0]
parts:
  - {name: arm, mass_kg: 200, inertia_kg_m2: [10, 10, 10], center_of_mass_m: [0.5, 0, 0],
     angular_velocity_rad_per_s: [0, 0, 10]}
interacts:
  - {name: hinge, type: revolute, from: ground, to: arm}
  - {name: friction, type: joint_friction, joint: hinge, coordinate: angle, friction_coefficient: 0.4, radius_m: 0.3,
     slip_velocity_rad_per_s: 0.05}
)");
  const double end = 1, J = 10 + 200 * 0.25, ml = 100, q = 0.4 * 0.3 / J;
  const double k = q * ml / std::sqrt(1 - ml * ml * q * q), expected = 10 / (1 + k * 10 * end);
  check_all("friction, hinge", loaded, all_methods(end, 0.001, 0.004, 0.02), 1e-7,
            [&](const Outcome& out) { return std::abs(out.final.at("arm/angular_velocity/z") - expected); });
}

}  // namespace
}  // namespace monocoque::test

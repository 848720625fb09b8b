// Standing still: a braked wheel on a slope, tires as springs, tires that roll steadily after a while.

#include <gtest/gtest.h>

#include "integrate/consistent.h"
#include "integrate/equilibrium.h"
#include "support/paths.h"
#include "support/run.h"

namespace monocoque::test {
namespace {

/// A loaded wheel on a rail parallel to a slope of 20 %, its brake on; TIRE is put in.
const char* const kParked = R"yaml(
monocoque: 1
parameters: {grade: 0.2, distance_m: 0.31, c: 1/sqrt(1+grade^2)}
road: [{type: slope, grade: 0.2}]
ground: {frames: [{name: rail, position_m: [-grade*c*distance_m, 0, c*distance_m], orientation: {z_axis: [c, 0, grade*c], y_axis: [0, 1, 0]}}]}
parts:
  - name: carrier
    mass_kg: 350
    inertia_kg_m2: [1, 1, 1]
    position_m: [-grade*c*distance_m, 0, c*distance_m]
    rotors: [{name: wheel, mass_kg: 20, axial_inertia_kg_m2: 1.1, transverse_inertia_kg_m2: 0.7}]
    frames:
      - {name: rail, orientation: {z_axis: [c, 0, grade*c], y_axis: [0, 1, 0]}}
      - {name: hub, orientation: {z_axis: [0, 1, 0]}}
      - {name: wheel, rotor: wheel}
interacts:
  - {name: rail, type: prismatic, from: ground.rail, to: carrier.rail}
  - {name: brake, type: brake, from: carrier.hub, to: carrier.wheel, torque_Nm: 1500}
  - {name: tire, from: ground, to: carrier.wheel, transient: true, TIRE}
simulation: {solver: linearly-implicit-2, step_s: 0.005, end_s: 5}
)yaml";

Loaded parked(const std::string& tire) {
  std::string text = kParked;
  text.replace(text.find("TIRE"), 4, tire);
  return load_text(text);
}

#ifdef NDEBUG
constexpr double kMinute = 60;
#else
constexpr double kMinute = 5;  // the sanitizers need not wait
#endif

TEST(Standstill, ABrakedWheelDoesNotCreepDownASlope) {
  const std::string file = source_dir() + "/models/tires/touring.tir";
  for (const std::string& tire :
       {"type: magic_formula, file: " + file,
        std::string("type: brush_tire, radius_m: 0.325, vertical_stiffness_N_per_m: 220000, "
                    "bristle_stiffness_N_per_m2: 2e7, contact_half_length_m: 0.06, nominal_load_N: 3400, "
                    "relaxation_longitudinal_m: 0.1, relaxation_lateral_m: 0.3")}) {
    const Loaded loaded = parked(tire);
    io::SimulationSpec settings = loaded.spec.simulation;
    settings.output_step_s = settings.end_s;
    const Values early = run(loaded, settings).final;
    settings.end_s = settings.output_step_s = 5 + kMinute;
    const Values late = run(loaded, settings).final;
    const double creep = std::abs(late.at("carrier/position/x") - early.at("carrier/position/x"));
    verify_row("Tires", "braked wheel on a 20 % slope: creep in a minute", tire.substr(0, 20), "", "0", creep,
               "m");
    EXPECT_LT(creep, 1e-3) << tire;
    EXPECT_GT(early.at("tire/load"), 1000) << tire;
    // Weight along the slope, carried by the tread.
    EXPECT_NEAR(late.at("tire/longitudinal_force"), 370 * 9.81 * 0.2 / std::sqrt(1.04), 1) << tire;
  }
}

TEST(Standstill, TheCarStaysOnASlopeAndItsForcesSettle) {
  const Loaded car = load_model("camry/scenarios/parked-on-slope.yaml");
  const auto after = [&](double end_s) {
    return run(car, fixed_step("linearly-implicit-euler", end_s, 0.01)).final;
  };
  const Values early = after(10), late = after(10 + kMinute);
  const double creep = std::abs(late.at("car/position/x") - early.at("car/position/x"));
  verify_row("Camry", "Magic Formula tires, brakes on, 20 % slope: creep in a minute",
             "linearly-implicit-euler, 10 ms", "", "0", creep, "m");
  EXPECT_LT(creep, 1e-5);
  EXPECT_NEAR(late.at("attitude/pitch"), -std::atan(0.2), 0.02);
  double along = 0;
  for (const char* corner : {"FL", "FR", "RL", "RR"}) {
    const std::string tire = fmt::format("{}/tire", corner);
    EXPECT_NEAR(late.at(tire + "/lateral_force"), early.at(tire + "/lateral_force"), 0.1) << corner;
    along += late.at(tire + "/longitudinal_force");
  }
  const double mass = 1006.5 + 254.63 + 2 * (17.32 + 39.04 + 22.94 + 28.35);
  EXPECT_NEAR(along, mass * 9.81 * 0.2 / std::sqrt(1.04), 10);  // wheels are not quite upright on the slope
}

TEST(Standstill, MagicFormulaTiresCarryTheLoadsOfTheTables) {
  const Loaded car = load_model("camry/camry-magic-formula.yaml");
  const Values v = run(car, fixed_step("rk4", 1e-3, 1e-3)).final;
  EXPECT_NEAR(v.at("FL/tire/load"), 4303.352, 1e-2);
  EXPECT_NEAR(v.at("RR/tire/load"), 2938.537, 1e-2);
  EXPECT_NEAR(v.at("car/velocity/z"), 0, 1e-6);
}

/// The treads of tires with relaxation are springs at rest: a car that settles into its equilibrium stays in
/// its place (it may roll), and the equilibrium is stable although slip and force know different radii.
TEST(Standstill, EquilibriumKeepsItsPlace) {
  const Loaded car = load_model("camry/camry-drive.yaml");
  Workspace ws(*car.model);
  State s = initial_state(*car.model);
  make_consistent(ws, s, LinearSolverKind::automatic);
  const EquilibriumReport report = find_equilibrium(ws, s);
  EXPECT_STREQ(report.method, "Newton");
  evaluate(ws, s);
  for (std::size_t i = 0; i < car.model->parts.size(); ++i) {
    if (car.model->parts[i].name != "car") continue;
    EXPECT_NEAR(s.x[car.model->parts[i].x_start + 1], 0, 1e-4);
    EXPECT_NEAR(ws.parts[i].R(1, 0), 0, 1e-5);
  }
  EXPECT_TRUE(equilibrium_stiffness(ws, s).stable());
}

}  // namespace
}  // namespace monocoque::test

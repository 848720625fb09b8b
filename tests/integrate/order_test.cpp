// Measured convergence order of every fixed-step method on a constrained problem, and the drift of the
// constraints (Arnold, figure 4): linear for index 2, quadratic for index 1, none with projection.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "dynamics/constraints.h"
#include "dynamics/kinematics.h"
#include "integrate/simulation.h"
#include "io/model/reader.h"
#include "support/verify_row.h"

namespace monocoque {
namespace {

// A spatial double pendulum with skew hinges, a spring-damper and a Maxwell element: rotations about changing
// axes, damping, inner states.
constexpr const char* kModel = R"(
monocoque: 1
name: skew double pendulum
ground: {frames: [{name: h, orientation: {z_axis: [0.3, 1, 0.2]}}, {name: s, position_m: [1, 0.5, 0.4]}]}
parts:
  - name: upper
    mass_kg: 1.2
    inertia_kg_m2: [0.02, 0.11, 0.12]
    center_of_mass_m: [0.5, 0, 0.05]
    frames:
      - {name: h, orientation: {z_axis: [0.3, 1, 0.2]}}
      - {name: e, position_m: [1, 0, 0], orientation: {z_axis: [0.4, 0.2, 1]}}
  - name: lower
    mass_kg: 0.8
    inertia_kg_m2: [0.015, 0.08, 0.07]
    center_of_mass_m: [0.4, 0.02, 0]
    position_m: [1, 0, 0]
    frames: [{name: h, orientation: {z_axis: [0.4, 0.2, 1]}}, {name: s, position_m: [0.8, 0, 0]}]
interacts:
  - {name: hinge1, type: revolute, from: ground.h, to: upper.h}
  - {name: hinge2, type: revolute, from: upper.e, to: lower.h}
  - {name: spring, type: spring_damper, from: ground.s, to: lower.s, stiffness_N_per_m: 30, damping_Ns_per_m: 1.5,
     free_length_m: 0.6}
  - {name: mount, type: maxwell, from: ground.s, to: upper.e, stiffness_N_per_m: 20, damping_Ns_per_m: 4,
     free_length_m: 0.5}
)";

io::ScenarioSpec read(const std::string& text) {
  Diagnostics diagnostics;
  io::ScenarioSpec spec = io::read_scenario_text(text, "test.yaml", element_library(), {}, diagnostics);
  diagnostics.throw_if_errors();
  return spec;
}

State run(const Model& model, const std::string& solver, double step, double end,
          const std::string& level = "", const std::string& stabilisation = "", double tolerance = 1e-12) {
  io::SimulationSpec settings;
  settings.solver = solver;
  settings.constraints = level;
  settings.stabilisation = stabilisation;
  settings.step_s = step;
  settings.end_s = end;
  settings.output_step_s = end;
  settings.relative_tolerance = settings.absolute_tolerance = tolerance;
  Simulation simulation(model, settings);
  simulation.run();
  return simulation.state();
}

double distance(const Model& model, const State& a, const State& b) {
  VecX d = VecX::Zero(model.nz);
  local_difference(model, a.x, b.x, d);
  return std::sqrt(d.squaredNorm() + (a.z - b.z).squaredNorm() + (a.c - b.c).squaredNorm());
}

class Order : public testing::TestWithParam<IntegratorType> {};

TEST_P(Order, IsAsDeclared) {
  const IntegratorType& type = GetParam();
  const auto model = build_model(read(kModel).model);
  const State exact = run(*model, "ida", 0, 1.0, kStabilised, kNone, 1e-13);
  const State check = run(*model, "rk4", 1e-4, 1.0);
  ASSERT_LT(distance(*model, exact, check), 2e-9) << "the two references disagree";
  for (const auto& [level, stabilisation] : type.levels) {
    double last = 0, order = 0;
    const double coarse = type.order == 4 ? 0.02 : 0.005;
    for (const double step : {coarse, coarse / 2, coarse / 4}) {
      const double error = distance(*model, run(*model, type.name, step, 1.0, level, stabilisation), check);
      if (last > 0) order = std::log2(last / error);
      std::printf("ORDER %-24s %-8s %-11s step %.5f error %.3e order %.2f\n", type.name.c_str(),
                  level.c_str(), stabilisation.c_str(), step, error, last > 0 ? order : 0.0);
      last = error;
    }
    test::verify_row("Order of convergence", type.name, level + ", " + stabilisation,
                     fmt::format("{:.2f}", order), std::to_string(type.order),
                     std::abs(order - type.order) / type.order,
                     fmt::format("error {:.1e} with step {:.3g} s", last, coarse / 4));
    EXPECT_NEAR(order, type.order, 0.25) << level << " " << stabilisation;
  }
}

std::vector<IntegratorType> fixed_step_types() {
  std::vector<IntegratorType> out;
  for (const IntegratorType& t : integrator_types())
    if (t.fixed_step) out.push_back(t);
  return out;
}

std::string test_name(const testing::TestParamInfo<IntegratorType>& info) {
  std::string name = info.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(EveryMethod, Order, testing::ValuesIn(fixed_step_types()), test_name);

/// Exponent p of the largest residual ~ t^p over a long run.
double drift_exponent(const std::string& solver, const std::string& level, const std::string& stabilisation,
                      double step, double* largest) {
  const auto model = build_model(read(R"(
monocoque: 1
name: pendulum
ground: {frames: [{name: h}]}
parts:
  - name: bob
    mass_kg: 1
    inertia_kg_m2: [0.1, 0.15, 0.12]
    position_m: [1, 0, 0]
    velocity_m_per_s: [0, 2, 0]
    angular_velocity_rad_per_s: [0, 0, 2]
    frames: [{name: h, position_m: [-1, 0, 0]}]
interacts:
  - {name: hinge, type: spherical, from: ground.h, to: bob.h}
)")
                                     .model);
  io::SimulationSpec settings;
  settings.solver = solver;
  settings.constraints = level;
  settings.stabilisation = stabilisation;
  settings.step_s = step;
  settings.end_s = 400;
  settings.output_step_s = 0.1;
  settings.relative_tolerance = settings.absolute_tolerance = 1e-6;
  settings.outputs = {"drift/position"};
  Simulation simulation(*model, settings);
  // Least squares on log g over log t for the late part; the running maximum smooths the swing.
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0, top = 0;
  RunHooks hooks;
  hooks.record = [&](double t, const double* row) {
    top = std::max(top, row[0]);
    if (t < 50 || top <= 0) return;
    const double x = std::log(t), y = std::log(top);
    n += 1;
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
  };
  simulation.run(hooks);
  *largest = top;
  return n > 1 ? (n * sxy - sx * sy) / (n * sxx - sx * sx) : 0;
}

TEST(Drift, IsQuadraticForIndex1LinearForIndex2NoneWithProjection) {
  double g1 = 0, g2 = 0, gp = 0, gb = 0;
  const double quadratic = drift_exponent("rk4", kIndex1, kNone, 0.02, &g1);
  const double linear = drift_exponent("linearly-implicit-2", kIndex2, kNone, 0.01, &g2);
  drift_exponent("rk4", kIndex1, kProjection, 0.02, &gp);
  drift_exponent("rk4", kIndex1, kBaumgarte, 0.02, &gb);
  std::printf("DRIFT index-1 t^%.2f (%.2e), index-2 t^%.2f (%.2e), projection %.2e, baumgarte %.2e\n",
              quadratic, g1, linear, g2, gp, gb);
  const std::string section = "Drift of the constraints over 400 s";
  test::verify_note(section,
                    "Exponent p of the largest joint residual t^p (Arnold, figure 4), spherical pendulum.");
  test::verify_row(section, "rk4, step 0.02 s", "index-1, none", fmt::format("{:.2f}", quadratic), "2",
                   std::abs(quadratic - 2) / 2, fmt::format("{:.1e} m at the end", g1));
  test::verify_row(section, "linearly-implicit-2, step 0.01 s", "index-2, none",
                   fmt::format("{:.2f}", linear), "1", std::abs(linear - 1),
                   fmt::format("{:.1e} m at the end", g2));
  test::verify_row(section, "rk4, step 0.02 s", "index-1, projection", fmt::format("{:.1e} m", gp), "0", gp,
                   "absolute, m");
  EXPECT_NEAR(quadratic, 2, 0.1);
  EXPECT_NEAR(linear, 1, 0.1);
  EXPECT_LT(gp, 1e-11);
  EXPECT_LT(gb, 0.1 * g1);
}

TEST(Drift, StabilisedIndex2KeepsPositionsAndIndex1Drifts) {
  double stabilised = 0, index1 = 0;
  drift_exponent("ida", kStabilised, kNone, 0, &stabilised);
  drift_exponent("ida", kIndex1, kNone, 0, &index1);
  std::printf("DRIFT ida stabilised %.2e, index-1 %.2e\n", stabilised, index1);
  EXPECT_LT(stabilised, 1e-5);
  EXPECT_GT(index1, 3 * stabilised);
}

}  // namespace
}  // namespace monocoque

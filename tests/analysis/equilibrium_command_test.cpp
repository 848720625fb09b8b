// Equilibrium, steady motion, trim, inverse dynamics: closed forms.

#include <cmath>
#include <fstream>
#include <numbers>

#include <gtest/gtest.h>

#include "analysis/statics/inverse.h"
#include "analysis/statics/start_file.h"
#include "analysis/statics/steady_motion.h"
#include "integrate/consistent.h"
#include "integrate/equilibrium.h"
#include "integrate/trim.h"
#include "support/complaint.h"
#include "support/paths.h"
#include "support/recorded_run.h"
#include "support/run.h"

namespace monocoque::test {
namespace {

struct AtRestModel {
  explicit AtRestModel(const Loaded& loaded) : ws(*loaded.model), s(initial_state(*loaded.model)) {
    s.z.setZero();
    make_consistent(ws, s, LinearSolverKind::automatic);
    s.z.setZero();
  }
  Workspace ws;
  State s;
};

TEST(Equilibrium, LooseMassIsNamedWithItsDirection) {
  const Loaded loaded = load_text(R"(
monocoque: 1
parts:
  - {name: sled, mass_kg: 2, inertia_kg_m2: [1, 1, 1]}
interacts:
  - {name: rail, type: prismatic, from: {part: ground, orientation: {z_axis: [1, 0, 1]}}, to: {part: sled, orientation: {z_axis: [1, 0, 1]}}}
)");
  AtRestModel m(loaded);
  const State before = m.s;
  const std::string text = complaint([&] { find_equilibrium(m.ws, m.s); });
  EXPECT_NE(text.find("sled"), std::string::npos) << text;
  EXPECT_NE(text.find("nothing holds"), std::string::npos) << text;
  EXPECT_TRUE(text.find("along x") != std::string::npos || text.find("along z") != std::string::npos) << text;
  EXPECT_EQ(before.x, m.s.x);
}

TEST(Equilibrium, PendulumComesToHangFromNearlyUpright) {
  // Newton alone would stop at the upright position; it is unstable.
  const Loaded loaded = load_text(R"(
monocoque: 1
parts:
  - {name: bob, mass_kg: 1, inertia_kg_m2: [0.01, 0.01, 0.01], position_m: [0.05, 0, 0.998749],
     frames: [{name: hinge, position_m: [-0.05, 0, -0.998749], orientation: {z_axis: [0, 1, 0]}}]}
interacts:
  - {name: hinge, type: revolute, from: {part: ground, orientation: {z_axis: [0, 1, 0]}}, to: bob.hinge}
)");
  AtRestModel m(loaded);
  EquilibriumOptions options;
  options.stable = true;
  find_equilibrium(m.ws, m.s, options);
  EXPECT_NEAR(m.s.x[2], -1, 1e-6);
  const EquilibriumStiffness k = equilibrium_stiffness(m.ws, m.s);
  EXPECT_TRUE(k.loose.empty());
  EXPECT_NEAR(k.least_per_s2, 9.81 / (1 + 0.01), 1e-5);  // the arm is given to six digits
}

TEST(Equilibrium, CarStandsAnywhere) {
  const Loaded loaded = load_model("camry/camry.yaml");
  AtRestModel m(loaded);
  find_equilibrium(m.ws, m.s);
  const EquilibriumStiffness k = equilibrium_stiffness(m.ws, m.s);
  // x, y, heading, and the turn of four wheels.
  EXPECT_EQ(k.loose.size(), 7u);
  EXPECT_TRUE(k.stable());
}

TEST(SteadyMotion, SingleTrackFollowsItsFormula) {
  io::ModelSpec spec = load_model("vehicles/single-track.yaml").spec.model;
  analysis::SteadyNames names;
  names.car = "body";
  names.steer = "steer";
  analysis::SteadyMotion motion(spec, names);
  const double v = 20, R = 4000, a = 1.2, b = 1.5, m = 1500, g = 9.81, L = a + b;
  const analysis::SteadyCurve curve = analysis::steady_curve(motion, v, {v * v / R});
  ASSERT_TRUE(curve.end.empty()) << curve.end;
  // Cornering stiffness C = 1.9 B Fz of an axle; slip angles are small.
  const double Cf = 1.9 * 8 * m * g * b / L, Cr = 1.9 * 10 * m * g * a / L, ay = v * v / R;
  const double steer = L / R + ay * m / L * (b / Cf - a / Cr);
  const analysis::SteadyPoint p = curve.points.front();
  EXPECT_NEAR(p.steer, steer, 2e-3 * steer);
  verify_row("Analyses", "steady circle of the single track", "steering angle", "Newton's method",
             "closed form", std::abs(p.steer / steer - 1), "relative, small slip");
  EXPECT_FALSE(motion.drives());
}

TEST(SteadyMotion, CamryRollsStraightWithItsStaticLoads) {
  analysis::SteadyMotion motion(load_model("camry/camry.yaml").spec.model, {});
  ASSERT_TRUE(motion.solve(20, 0)) << motion.problem();
  const analysis::SteadyPoint p = motion.point();
  ASSERT_EQ(p.tires.size(), 4u);
  // camry-2012.md; asymmetric hard points shift a little between left and right.
  EXPECT_NEAR(p.tires[0].Fz + p.tires[1].Fz, 2 * 4303.352, 0.5);
  EXPECT_NEAR(p.tires[2].Fz + p.tires[3].Fz, 2 * 2938.537, 0.5);
  EXPECT_LT(p.residual, 1e-5);
}

TEST(SteadyMotion, StartFileKeepsTheCircle) {
  Loaded loaded = load_model("camry/camry.yaml");
  analysis::SteadyMotion motion(loaded.spec.model, {});
  const double v = 15, ay = 3;
  const analysis::SteadyCurve curve = analysis::steady_curve(motion, v, {ay});
  ASSERT_TRUE(curve.end.empty()) << curve.end;
  const analysis::SteadyPoint p = curve.points.back();
  EXPECT_GT(p.tires[1].Fz, p.tires[0].Fz);  // a turn to the left loads the right
  const std::string path = testing::TempDir() + "/start.json";
  std::ofstream(path) << analysis::start_text(motion.model(), motion.state(),
                                              {{"rack", p.steer}, {"drive_torque", p.drive}});
  analysis::apply_start(loaded.spec.model, path);
  loaded.model = build_model(loaded.spec.model);
  const Outcome out = run(loaded, fixed_step("linearly-implicit-2", 0.5, 0.002));
  EXPECT_NEAR(out.final.at("turning/z"), ay / v, 2e-4);
  EXPECT_NEAR(out.final.at("attitude/roll"), p.roll, 2e-4);
}

TEST(Trim, UndeterminedPreloadsAreSharedAndNamed) {
  io::ModelSpec spec = read_text(R"(
monocoque: 1
parts:
  - {name: plate, mass_kg: 10, inertia_kg_m2: [1, 1, 1], position_m: [0, 0, 1]}
interacts:
  - {name: guide, type: prismatic, from: ground, to: plate}
  - {name: a, type: spring_damper, from: {part: ground, position_m: [0.1, 0, 0]}, to: {part: plate, position_m: [0.1, 0, 0]},
     stiffness_N_per_m: 1000, free_length_m: 1}
  - {name: b, type: spring_damper, from: {part: ground, position_m: [-0.1, 0, 0]}, to: {part: plate, position_m: [-0.1, 0, 0]},
     stiffness_N_per_m: 1000, free_length_m: 1}
)")
                           .model;
  TrimOptions options;
  options.unknowns = {{"a.preload_N"}, {"b.preload_N"}};
  const TrimReport r = solve_trim(spec, options);
  EXPECT_EQ(r.undetermined, 1);
  ASSERT_EQ(r.combinations.size(), 1u);
  EXPECT_NE(r.combinations[0].find("b.preload_N"), std::string::npos);
  EXPECT_NEAR(r.values[0].value, -49.05, 1e-4);
  EXPECT_NEAR(r.values[1].value, -49.05, 1e-4);
  EXPECT_LT(r.residual, 1e-6);
}

TEST(Trim, CamryFindsTheNominalValues) {
  Diagnostics diagnostics;
  io::ModelSpec plain = read_file(source_dir() + "/models/camry/camry.yaml").model;
  io::ModelSpec other = plain;
  const NominalReport a = solve_nominal(plain);
  const TrimReport b = solve_trim(other);
  ASSERT_EQ(a.values.size(), b.values.size());
  for (std::size_t i = 0; i < a.values.size(); ++i)
    EXPECT_NEAR(a.values[i].value, b.values[i].value, 1e-5 * (1 + std::abs(a.values[i].value)))
        << a.values[i].target;
  EXPECT_EQ(b.undetermined, 0);
}

TEST(Trim, LeastSquaresWhereNothingBalances) {
  io::ModelSpec spec = read_text(R"(
monocoque: 1
parts:
  - {name: plate, mass_kg: 10, inertia_kg_m2: [1, 1, 1], position_m: [0, 0, 1]}
interacts:
  - {name: a, type: spring_damper, from: {part: ground, position_m: [1, 0, 0]}, to: plate, stiffness_N_per_m: 1000,
     free_length_m: sqrt(2)}
)")
                           .model;
  TrimOptions options;
  options.unknowns = {{"a.preload_N"}};
  io::ModelSpec copy = spec;
  EXPECT_NE(complaint([&] { solve_trim(copy, options); }).find("plate"), std::string::npos);
  options.least_squares = true;
  const TrimReport r = solve_trim(spec, options);
  // The line of the spring lies at 45 degrees: half of the weight is balanced along it, 98.1/sqrt(2).
  EXPECT_NEAR(r.values[0].value, -98.1 / std::sqrt(2.0), 1e-3);
}

TEST(Inverse, PendulumTorque) {
  Loaded loaded = load_model("examples/pendulum.yaml");
  analysis::drive_joint(loaded.spec.model, "hinge", "0.5*sin(2*t)");
  const auto model = build_model(loaded.spec.model);
  std::vector<double> times;
  for (int i = 0; i <= 100; ++i) times.push_back(0.02 * i);
  const analysis::History h = analysis::inverse_dynamics(*model, times, {"bob/position/z"});
  ASSERT_TRUE(h.end.empty()) << h.end;
  double worst = 0;
  for (std::size_t i = 0; i < h.t.size(); ++i) {
    const double u = 0.5 * std::sin(2 * h.t[i]), a = -2 * std::sin(2 * h.t[i]);
    worst = std::max(worst, std::abs(h.rows[i].back() - ((0.01 + 1) * a - 9.81 * std::cos(u))));
    EXPECT_NEAR(h.rows[i][0], -std::sin(u), 1e-10);
  }
  EXPECT_LT(worst, 1e-8);
  verify_row("Analyses", "driven pendulum", "torque", "inverse dynamics", "closed form", worst, "Nm");
}

TEST(Inverse, DoublePendulumAgainstLagrange) {
  Loaded loaded = load_model("examples/double-pendulum.yaml");
  analysis::drive_joint(loaded.spec.model, "top", "-0.7 + 0.3*sin(3*t)");
  analysis::drive_joint(loaded.spec.model, "elbow", "0.7 + 0.2*sin(5*t)");
  const auto model = build_model(loaded.spec.model);
  std::vector<double> times;
  for (int i = 0; i <= 80; ++i) times.push_back(0.01 * i);
  const analysis::History h = analysis::inverse_dynamics(*model, times, {"upper/position/x"});
  ASSERT_TRUE(h.end.empty()) << h.end;
  // Rods of length l, mass m; angles p about y from hanging, q = p + elbow. Turning about +y by p moves the
  // end of a hanging rod to -x: (-l sin p, -l cos p).
  const double l = 0.5, m = 0.8, I = m * l * l / 12, g = 9.81;
  double worst = 0;
  for (std::size_t i = 0; i < h.t.size(); ++i) {
    const double t = h.t[i];
    const double p = -0.7 + 0.3 * std::sin(3 * t), p1 = 0.9 * std::cos(3 * t), p2 = -2.7 * std::sin(3 * t);
    const double e = 0.7 + 0.2 * std::sin(5 * t), e1 = std::cos(5 * t), e2 = -5 * std::sin(5 * t);
    const double q = p + e, q1 = p1 + e1, q2 = p2 + e2;
    // Lagrange with p, q: T = (I + m l^2/4 + m l^2) p'^2/2 + (I + m l^2/4) q'^2/2 + m l^2/2 cos(p - q) p' q'.
    const double c = std::cos(p - q), s = std::sin(p - q), h2 = m * l * l / 2;
    const double Qp =
        (I + 1.25 * m * l * l) * p2 + h2 * (c * q2 + s * q1 * q1) + 1.5 * m * g * l * std::sin(p);
    const double Qq =
        (I + 0.25 * m * l * l) * q2 + h2 * (c * p2 - s * p1 * p1) + 0.5 * m * g * l * std::sin(q);
    // The elbow acts on q and back on p.
    worst = std::max({worst, std::abs(h.rows[i][2] - Qq), std::abs(h.rows[i][1] - (Qp + Qq))});
  }
  EXPECT_LT(worst, 1e-8);
  verify_row("Analyses", "driven double pendulum", "both torques", "inverse dynamics", "Lagrange's equations",
             worst, "Nm");
}

TEST(Inverse, FreeMotionIsNamed) {
  const Loaded loaded = load_model("examples/double-pendulum.yaml");
  const std::string text = complaint([&] { analysis::inverse_dynamics(*loaded.model, {0, 1}, {}); });
  EXPECT_NE(text.find("2 motions are not prescribed"), std::string::npos) << text;
}

/// Five rods of 1 m, one of thirty conditions dependent everywhere, another row needed at rest than at the
/// start. By symmetry the first hinge turns by 90 deg, the second by -30 deg: P3 hangs at (0, -sqrt(3), 0).
TEST(Equilibrium, BricardsMechanismChangesItsRows) {
  const Loaded loaded = load_model("published/bricard.yaml");
  Workspace ws(*loaded.model);
  State s = initial_state(*loaded.model);
  make_consistent(ws, s, LinearSolverKind::automatic);
  find_equilibrium(ws, s);
  ws.all_markers = true;
  evaluate(ws, s);
  for (const Part& part : loaded.model->parts)
    if (part.name == "rod4") {
      const Vec3 P3 = ws.markers[part.origin.at()].k.p;
      const double off = (P3 - Vec3(0, -std::sqrt(3.0), 0)).norm();
      EXPECT_LT(off, 1e-7);
      verify_row("Analyses", "Bricard's mechanism at rest", "place of P3", "equilibrium", "symmetry", off,
                 "m");
    }
}

RunData recorded(const Loaded& loaded) {
  Simulation simulation(*loaded.model, loaded.spec.simulation);
  RunData run;
  run.channels = simulation.channels();
  std::vector<std::vector<double>> rows;
  std::vector<double> times;
  RunHooks hooks;
  hooks.record = [&](double t, const double* row) {
    times.push_back(t);
    rows.emplace_back(row, row + run.channels.size());
  };
  simulation.run(hooks);
  run.time = Eigen::Map<VecX>(times.data(), static_cast<Eigen::Index>(times.size()));
  run.data.resize(run.time.size(), static_cast<Eigen::Index>(run.channels.size()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t k = 0; k < rows[i].size(); ++k)
      run.data(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) = rows[i][k];
  return run;
}

/// Largest drive that a motion needs which came about without any.
double largest_drive(const Loaded& loaded, const std::vector<std::string>& joints, double& left) {
  const analysis::History h = analysis::forces_of_run(*loaded.model, recorded(loaded), joints);
  left = h.largest_left;
  double largest = 0;
  for (const auto& row : h.rows)
    for (const double drive : row) largest = std::max(largest, std::abs(drive));
  return largest;
}

TEST(Inverse, RecordedFreeFallNeedsNoTorque) {
  Loaded loaded = load_model("examples/double-pendulum.yaml");
  loaded.spec.simulation = ida(0.5, 1e-9);
  loaded.spec.simulation.output_step_s = 0.05;
  double left = 0;
  EXPECT_LT(largest_drive(loaded, {"top", "elbow"}, left), 1e-7);
  EXPECT_LT(left, 1e-7);
}

/// A wheel as the rotor of its carrier, on a tire with inner states, over everything a road can have.
TEST(Inverse, RecordedMotionMayHaveRotorsAndTires) {
  Loaded loaded = load_model("examples/rolling-road.yaml");
  loaded.spec.simulation.solver = "rk4";
  loaded.spec.simulation.step_s = 1e-4;
  loaded.spec.simulation.output_step_s = 2e-4;
  loaded.spec.simulation.end_s = 0.5;
  double left = 0;
  const std::vector<std::string> joints{"rail", "column", "guide"};
  const double coarse = largest_drive(loaded, joints, left);
  loaded.spec.simulation.output_step_s = 1e-4;
  const double drive = largest_drive(loaded, joints, left);
  EXPECT_LT(drive, 0.4 * coarse);  // of second order in the step of the record
  EXPECT_LT(drive, 1e-3 * 3400);   // of the wheel load
  // Where the tread begins to slide or to stick the torque on the wheel has a kink, which differences of its
  // speed smear over two or three samples: within 1 % of load times radius.
  EXPECT_LT(left, 0.01 * 3400 * 0.31);
  verify_row("Analyses", "rolling quarter car, wheel as rotor", "drives of its recorded motion",
             "inverse dynamics", "none", drive, "N, of 3.4 kN wheel load");
}

TEST(Inverse, RecordedMotionMayBeFlexible) {
  Loaded loaded = load_model("examples/flexible-double-pendulum.yaml");
  loaded.spec.simulation.end_s = 0.1;
  loaded.spec.simulation.output_step_s = 2e-4;
  double left = 0;
  const double drive = largest_drive(loaded, {"hinge"}, left);
  EXPECT_LT(drive, 1e-4);  // weight of both beams at half a metre: 0.7 Nm
  EXPECT_LT(left, 1e-4);
  verify_row("Analyses", "flexible double pendulum", "drive of its recorded swing", "inverse dynamics",
             "none", drive, "Nm");
}

TEST(Inverse, AmplitudeSpectrumShowsASine) {
  std::vector<double> v;
  for (int i = 0; i < 200; ++i) v.push_back(3 + 2 * std::sin(2 * std::numbers::pi * 5 * i * 0.01));
  const analysis::AmplitudeSpectrum s = analysis::amplitude_spectrum(v, 0.01);
  for (std::size_t k = 0; k < s.amplitude.size(); ++k)
    EXPECT_NEAR(s.amplitude[k], std::abs(s.frequency_Hz[k] - 5) < 1e-9 ? 2 : 0, 1e-12);
}

TEST(QuasiStatic, DrivenSpringCarriesItsForceWithoutInertia) {
  const Loaded loaded = load_text(R"(
monocoque: 1
gravity_m_per_s2: [0, 0, 0]
parts:
  - {name: rod, mass_kg: 5, inertia_kg_m2: [1, 1, 1], position_m: [0, 0, 1]}
interacts:
  - {name: ram, type: driven_prismatic, from: {part: ground, position_m: [0, 0, 1]}, to: rod, travel_m: 0.1*sin(50*t)}
  - {name: spring, type: spring_damper, from: ground, to: rod, stiffness_N_per_m: 1000, damping_Ns_per_m: 100, free_length_m: 1}
)");
  const analysis::History h =
      analysis::quasi_static(*loaded.model, {0, 0.01, 0.02, 0.05}, {"spring/force/z"});
  ASSERT_TRUE(h.end.empty()) << h.end;
  for (std::size_t i = 0; i < h.t.size(); ++i) {
    const double f = 1000 * 0.1 * std::sin(50 * h.t[i]);
    EXPECT_NEAR(h.rows[i][0], -f, 1e-6);
    EXPECT_NEAR(h.rows[i][1], f, 1e-6);
  }
}

}  // namespace
}  // namespace monocoque::test

// Linearised models against closed forms and against finite differences of the accelerations.

#include "analysis/linear/linearise.h"
#include "core/decompositions.h"

#include <cmath>

#include <gtest/gtest.h>

#include "solve/acceleration_system.h"
#include "support/linear.h"
#include "support/paths.h"

namespace monocoque::test {
namespace {

using analysis::Linearisation;
using analysis::ModelMode;

const char* const kPendulum = R"(
monocoque: 1
name: pendulum
parts:
  - name: bob
    mass_kg: 2
    inertia_kg_m2: [0.03, 0.05, 0.02]
    position_m: [X, 0, Z]
    frames: [{name: hinge, position_m: [-X, 0, -Z], orientation: {z_axis: [0, 1, 0]}}]
ground: {frames: [{name: hinge, orientation: {z_axis: [0, 1, 0]}}]}
interacts:
  - {name: hinge, type: revolute, from: ground.hinge, to: bob.hinge}
)";

std::string with(std::string text, const std::vector<std::pair<std::string, std::string>>& values) {
  for (const auto& [name, value] : values)
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + value.size()))
      text.replace(at, name.size(), value);
  return text;
}

TEST(Linearise, Pendulum) {
  const double J = 0.05 + 2 * 0.49, k = 2 * 9.81 * 0.7;
  const Linear hanging(load_text(with(kPendulum, {{"-Z", "0.7"}, {"Z", "-0.7"}, {"-X", "0"}, {"X", "0"}})));
  ASSERT_EQ(hanging.modes.size(), 1u);
  EXPECT_TRUE(hanging.l.in_equilibrium());
  EXPECT_NEAR(hanging.omega(0), std::sqrt(k / J), 1e-12);
  EXPECT_EQ(hanging.modes[0].part, "bob");
  EXPECT_EQ(hanging.modes[0].value.damping_ratio(), 0);
  // Upside down it falls: s = +-sqrt(k / J), real.
  const Linear up(load_text(with(kPendulum, {{"-Z", "-0.7"}, {"Z", "0.7"}, {"-X", "0"}, {"X", "0"}})));
  ASSERT_EQ(up.modes.size(), 2u);
  EXPECT_NEAR(up.modes[0].value.s.real(), -std::sqrt(k / J), 1e-12);
  EXPECT_NEAR(up.modes[1].value.s.real(), std::sqrt(k / J), 1e-12);
  // Held out at an angle: d(m g l sin)/d(angle) = m g l cos, here with sin 0.6, cos 0.8.
  const Linear tilted(
      load_text(with(kPendulum, {{"-Z", "0.56"}, {"Z", "-0.56"}, {"-X", "-0.42"}, {"X", "0.42"}})));
  EXPECT_FALSE(tilted.l.in_equilibrium());
  EXPECT_TRUE(tilted.l.at_rest());
  EXPECT_NEAR(tilted.omega(0), std::sqrt(0.8 * k / J), 1e-12);
}

TEST(Linearise, DoublePendulumOfRods) {
  // Equal slender rods: 8/6 and 1/2, 1/3 in units of m l^2; stiffness 3/2 and 1/2 in m g l.
  Diagnostics d;
  io::ReadOptions options;
  options.overrides = {{"release_deg", "0"}};
  auto spec = io::read_scenario(source_dir() + "/models/examples/double-pendulum.yaml", element_library(),
                                options, d);
  const Linear two(finish(std::move(spec), d));
  Eigen::Matrix2d M, K;
  M << 4.0 / 3, 0.5, 0.5, 1.0 / 3;
  K << 1.5, 0, 0, 0.5;
  const double g_over_l = 9.81 / 0.5;
  const Eigen::Vector2d w2 =
      Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::Matrix2d>(K, M).eigenvalues() * g_over_l;
  ASSERT_EQ(two.modes.size(), 2u);
  EXPECT_NEAR(two.omega(0), std::sqrt(w2[0]), 1e-11);
  EXPECT_NEAR(two.omega(1), std::sqrt(w2[1]), 1e-11);
}

std::string chain(int n) {
  std::string parts, forces;
  for (int i = 1; i <= n; ++i) {
    const std::string before = i == 1 ? "ground.start" : fmt::format("m{}", i - 1);
    parts += fmt::format("  - {{name: m{}, kind: particle, mass_kg: 3, position_m: [{}, 0, 0]}}\n", i, i);
    forces += fmt::format(
        "  - {{name: k{0}, type: spring_damper, from: {1}, to: m{0}, stiffness_N_per_m: 1200, "
        "free_length_m: 1}}\n"
        "  - {{name: y{0}, type: spring_damper, from: ground.y{0}, to: m{0}, stiffness_N_per_m: 1e6, "
        "free_length_m: 1}}\n"
        "  - {{name: z{0}, type: spring_damper, from: ground.z{0}, to: m{0}, stiffness_N_per_m: 1e6, "
        "free_length_m: 1}}\n",
        i, before);
  }
  std::string frames = "{name: start}";
  for (int i = 1; i <= n; ++i)
    frames +=
        fmt::format(", {{name: y{0}, position_m: [{0}, 1, 0]}}, {{name: z{0}, position_m: [{0}, 0, 1]}}", i);
  return "monocoque: 1\nname: chain\ngravity_m_per_s2: [0, 0, 0]\nground: {frames: [" + frames +
         "]}\nparts:\n" + parts + "interacts:\n" + forces;
}

TEST(Linearise, ChainOfMasses) {
  // One end held, one free: omega_k = 2 sqrt(k/m) sin((2k - 1) pi / (4n + 2)).
  const int n = 5;
  const Linear c(load_text(chain(n)));
  ASSERT_EQ(c.modes.size(), 15u);
  for (int k = 1; k <= n; ++k)
    EXPECT_NEAR(c.omega(static_cast<std::size_t>(k) - 1),
                2 * std::sqrt(400.0) * std::sin((2 * k - 1) * M_PI / (4 * n + 2)), 1e-9);
}

const char* const kOscillator = R"(
monocoque: 1
name: oscillator
parts:
  - {name: mass, mass_kg: 4, inertia_kg_m2: [1, 1, 1], position_m: [0, 0, 1]}
interacts:
  - {name: guide, type: prismatic, from: ground, to: mass}
  - {name: spring, type: spring_damper, from: ground, to: mass, stiffness_N_per_m: 400, damping_Ns_per_m: DAMP,
     free_length_m: 1.0981}
)";

TEST(Linearise, DampedOscillator) {
  const Linear weak(load_text(with(kOscillator, {{"DAMP", "16"}})));  // 0.2 of critical
  ASSERT_EQ(weak.modes.size(), 1u);
  EXPECT_TRUE(weak.l.in_equilibrium());
  EXPECT_NEAR(weak.omega(0), 10, 1e-12);
  EXPECT_NEAR(weak.modes[0].value.damping_ratio(), 0.2, 1e-13);
  EXPECT_NEAR(weak.modes[0].value.damped_Hz() * 2 * M_PI, 10 * std::sqrt(1 - 0.04), 1e-12);
  const Linear strong(load_text(with(kOscillator, {{"DAMP", "160"}})));  // twice critical: -20 +- sqrt(300)
  ASSERT_EQ(strong.modes.size(), 2u);
  EXPECT_NEAR(strong.modes[0].value.s.real(), -20 + std::sqrt(300), 1e-11);
  EXPECT_NEAR(strong.modes[1].value.s.real(), -20 - std::sqrt(300), 1e-11);
}

TEST(Linearise, MaxwellElementIsAFirstOrderState) {
  // m s^2 + k + k1 s / (s + k1/d) = 0: a cubic.
  const Linear m(load_model("examples/maxwell-mount.yaml"));
  ASSERT_EQ(m.l.inner.size(), 1u);
  ASSERT_EQ(m.modes.size(), 2u);  // one pair, one real
  for (const ModelMode& mode : m.modes) {
    const std::complex<double> s = mode.value.s;
    const std::complex<double> left = 100.0 * s * s + 50000.0 + 80000.0 * s / (s + 80000.0 / 2500);
    EXPECT_LT(std::abs(left), 1e-9 * 50000) << s;
  }
}

TEST(Linearise, QuarterCar) {
  // Damper with different factors: at rest the mean of rebound and compression, or either; without it exact.
  Diagnostics d;
  io::ReadOptions options;
  options.overrides = {{"interacts.suspension.damping_Ns_per_m", "0"},
                       {"interacts.tyre.damping_Ns_per_m", "0"}};
  auto spec =
      io::read_scenario(source_dir() + "/models/examples/quarter-car.yaml", element_library(), options, d);
  const Linear car(finish(std::move(spec), d));
  Eigen::Matrix2d M, K;
  M << 350, 0, 0, 40;
  K << 22000, -22000, -22000, 222000;
  const Eigen::Vector2d w2 = Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::Matrix2d>(K, M).eigenvalues();
  ASSERT_EQ(car.modes.size(), 2u);
  EXPECT_NEAR(car.omega(0), std::sqrt(w2[0]), 1e-9);
  EXPECT_NEAR(car.omega(1), std::sqrt(w2[1]), 1e-9);
  EXPECT_EQ(car.modes[0].part, "body");
  EXPECT_EQ(car.modes[1].part, "wheel");
}

TEST(Linearise, SleepingTop) {
  // I1 z'' - i I3 W z' - m g l z = 0 for the lean z = x + i y in world axes.
  const double I1 = 0.02 + 0.5 * 0.04, I3 = 0.01, W = 60, mgl = 0.5 * 9.81 * 0.2;
  const Linear top(load_text(R"(
monocoque: 1
name: top
parts:
  - name: top
    mass_kg: 0.5
    inertia_kg_m2: [0.02, 0.02, 0.01]
    position_m: [0, 0, 0.2]
    angular_velocity_rad_per_s: [0, 0, 60]
    frames: [{name: tip, position_m: [0, 0, -0.2]}]
interacts:
  - {name: tip, type: spherical, from: ground, to: top.tip}
)"));
  ASSERT_EQ(top.modes.size(), 4u);  // two zeros of the spin
  const double root = std::sqrt(I3 * I3 * W * W - 4 * I1 * mgl);
  EXPECT_NEAR(top.omega(2), (I3 * W - root) / (2 * I1), 1e-9);
  EXPECT_NEAR(top.omega(3), (I3 * W + root) / (2 * I1), 1e-9);
  EXPECT_NEAR(top.modes[3].value.s.real(), 0, 1e-9);
}

TEST(Linearise, UprightRollingDisc) {
  // (I_d + m r^2) lean'' + (I_a (I_a + m r^2) / I_d W^2 - m g r) lean = 0.
  Diagnostics d;
  io::ReadOptions options;
  options.overrides = {{"lean_deg", "0"}};
  auto spec =
      io::read_scenario(source_dir() + "/models/examples/rolling-disc.yaml", element_library(), options, d);
  const Linear disc(finish(std::move(spec), d));
  const double r = 0.1, m = 0.5, W = 25, mr2 = m * r * r;
  const double w2 = (0.5 * 1.5 / 0.25 * mr2 * W * W - m * 9.81 * r) / (1.25 * mr2);
  EXPECT_EQ(disc.l.positions(), 5);
  EXPECT_EQ(disc.l.velocities(), 3);
  EXPECT_NEAR(disc.modes.back().value.s.imag(), std::sqrt(w2), 1e-8 * std::sqrt(w2));
  for (std::size_t i = 0; i + 1 < disc.modes.size(); ++i) EXPECT_EQ(disc.omega(i), 0);
}

/// A ball on a string that goes round in a circle: in the frame that turns with it, small motions have the
/// frequency W sqrt(1 + 3 cos^2), W^2 = g / (l cos), and two zeros (azimuth and speed).
TEST(Linearise, ConicalPendulumInTheTurningFrame) {
  const double l = 1.5, W = std::sqrt(9.81 / (l * 0.8));
  Linear m(load_text(with(R"(
monocoque: 1
name: conical pendulum
parts:
  - {name: ball, kind: particle, mass_kg: 2, position_m: [0.9, 0, -1.2], velocity_m_per_s: [0, SPEED, 0]}
interacts:
  - {name: string, type: rod, from: ground, to: ball, length_m: 1.5}
)",
                          {{"SPEED", fmt::format("{:.17g}", 0.9 * W)}})));
  const Linearisation turned = analysis::linearise(m.ws, m.s, LinearSolverKind::automatic, Vec3(0, 0, W));
  const std::vector<ModelMode> modes = analysis::modes_of(*m.loaded.model, turned);
  ASSERT_EQ(modes.size(), 3u);
  EXPECT_EQ(modes[0].value.s, 0.0);
  EXPECT_EQ(modes[1].value.s, 0.0);
  EXPECT_NEAR(modes[2].value.s.imag(), W * std::sqrt(1 + 3 * 0.64), 1e-9);
  EXPECT_NEAR(modes[2].value.s.real(), 0, 1e-9);
}

/// A mechanism of one freedom in motion: acceleration along the path as a function of place and speed.
TEST(Linearise, FourBarInMotion) {
  Linear m(load_model("examples/four-bar.yaml"));
  ASSERT_FALSE(m.l.at_rest());
  ASSERT_EQ(m.l.positions(), 1);
  const Model& model = *m.loaded.model;
  const auto world = [&](MatX& turning) {
    MatX P = MatX::Identity(model.nz, model.nz);
    turning = MatX::Zero(model.nz, model.nz);
    for (std::size_t i = 0; i < model.parts.size(); ++i) {
      if (!model.parts[i].turns()) continue;
      const int at = model.parts[i].z_start + 3;
      P.block<3, 3>(at, at) = m.ws.parts[i].R;
      turning.block<3, 3>(at, at) = skew(m.ws.parts[i].w);
    }
    return P;
  };
  MatX turning;
  evaluate(m.ws, m.s);
  const MatX P0 = world(turning);
  const double v0 = m.l.Q.col(0).dot(P0 * m.s.z);
  AccelerationSystem system(model, LinearSolverKind::dense);
  const auto along = [&](double dp, double dv) {
    State s = m.s;
    retract(model, m.s.x, P0.transpose() * m.l.Q.col(0) * dp, s.x);
    EXPECT_TRUE(system.factor(m.ws, s));
    for (int k = 0; k < 6; ++k) system.project_positions(m.ws, s);
    VecX q = analysis::linearise(m.ws, s).Q.col(0);
    if (q.dot(m.l.Q.col(0)) < 0) q = -q;
    s.z = world(turning).transpose() * q * (v0 + dv);
    const Linearisation there = analysis::linearise(m.ws, s);
    const MatX P = world(turning);
    return q.dot(P * there.z_dot + turning * (P * s.z));
  };
  const double e = 1e-5, scale = m.l.A.cwiseAbs().maxCoeff();
  EXPECT_NEAR(m.l.A(0, 1), 1, 1e-12);
  EXPECT_NEAR(m.l.A(1, 0), (along(e, 0) - along(-e, 0)) / (2 * e), 1e-6 * scale);
  EXPECT_NEAR(m.l.A(1, 1), (along(0, e) - along(0, -e)) / (2 * e), 1e-6 * scale);
}

/// The accelerations and rates of inner states at perturbed states of a model at rest, differentiated.
class Differences : public testing::TestWithParam<const char*> {};

TEST_P(Differences, EqualTheStateMatrix) {
  Linear m(load_model(GetParam()));
  ASSERT_TRUE(m.l.at_rest());
  const Model& model = *m.loaded.model;
  const Linearisation& l = m.l;
  const Eigen::Index np = l.Q.cols(), nv = l.Q_v.cols();
  MatX P = MatX::Identity(model.nz, model.nz);
  evaluate(m.ws, m.s);
  for (std::size_t i = 0; i < model.parts.size(); ++i)
    if (model.parts[i].turns())
      P.block<3, 3>(model.parts[i].z_start + 3, model.parts[i].z_start + 3) = m.ws.parts[i].R;
  AccelerationSystem system(model, LinearSolverKind::dense);
  const auto rates = [&](Eigen::Index column, double e) {
    State s = m.s;
    if (column < np)
      retract(model, m.s.x, P.transpose() * l.Q.col(column) * e, s.x);
    else if (column < np + nv)
      s.z += P.transpose() * l.Q_v.col(column - np) * e;
    else
      s.c[column - np - nv] += e;
    VecX z_dot = VecX::Zero(model.nz);
    EXPECT_TRUE(system.solve(m.ws, s, {}, 20, z_dot));
    VecX out(nv + model.nc);
    out << l.Q_v.transpose() * P * z_dot, m.ws.c_dot;
    return out;
  };
  const double scale = 1 + l.A.cwiseAbs().maxCoeff();
  for (Eigen::Index column = 0; column < l.A.cols(); ++column) {
    const double e = 1e-6;
    const VecX difference = (rates(column, e) - rates(column, -e)) / (2 * e);
    EXPECT_LT((difference - l.A.col(column).tail(nv + model.nc)).cwiseAbs().maxCoeff(), 1e-7 * scale)
        << "column " << column;
  }
}

INSTANTIATE_TEST_SUITE_P(Examples, Differences,
                         testing::Values("examples/double-pendulum.yaml", "examples/pendulum.yaml",
                                         "examples/maxwell-mount.yaml", "examples/mcpherson.yaml",
                                         "examples/gear-train.yaml", "published/spin-up.yaml"));

}  // namespace
}  // namespace monocoque::test

// Regions of stability, largest steps, root loci, and eigenvalues against time histories.

#include <cmath>
#include <numbers>

#include "analysis/linear/locus.h"
#include "analysis/linear/participation.h"
#include "analysis/linear/stability_region.h"
#include "analysis/linear/step_check.h"
#include "core/decompositions.h"
#include "support/linear.h"

namespace monocoque::test {
namespace {

using Complex = std::complex<double>;

TEST(Eigenvalues, ZerosThatBelongTogetherAreZero) {
  // A free coordinate with speed and constant acceleration, a slow and two fast modes, all mixed.
  MatX A = MatX::Zero(6, 6);
  A(0, 1) = A(1, 2) = 1;
  A(2, 4) = 300;
  A(3, 3) = -1e-3;
  A(3, 5) = 7;
  A(4, 4) = -5000;
  A(5, 5) = -800;
  const MatX Q = Eigen::HouseholderQR<MatX>(MatX::NullaryExpr(6, 6, [](Eigen::Index i, Eigen::Index k) {
                   return std::sin(1.0 + 3.0 * static_cast<double>(i) + 7.0 * static_cast<double>(k));
                 })).householderQ();
  const std::vector<analysis::Eigenvalue> list = analysis::eigenvalues(Q * A * Q.transpose());
  ASSERT_EQ(list.size(), 6u);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(list[static_cast<std::size_t>(i)].s, 0.0);
  EXPECT_NEAR(list[3].s.real(), -1e-3, 1e-9);
  EXPECT_NEAR(list[5].s.real(), -5000, 1e-8);
  for (std::size_t i = 3; i < 6; ++i) {
    const Eigen::VectorXcd& y = list[i].vector;
    EXPECT_LT(((Q * A * Q.transpose()).cast<Complex>() * y - list[i].s * y).norm(), 1e-8 * y.norm());
  }
}

TEST(StabilityRegion, KnownLimits) {
  const auto rk = [](int order) { return analysis::runge_kutta_stability("", order); };
  const Complex i(0, 1);
  EXPECT_NEAR(analysis::largest_step(rk(1), -4.0), 0.5, 1e-12);
  EXPECT_NEAR(analysis::largest_step(rk(2), -1.0), 2, 1e-12);
  EXPECT_NEAR(analysis::largest_step(rk(3), -1.0), 2.512745326618329, 1e-9);
  EXPECT_NEAR(analysis::largest_step(rk(4), -1.0), 2.785293563405282, 1e-9);
  EXPECT_EQ(analysis::largest_step(rk(1), i), 0);
  EXPECT_EQ(analysis::largest_step(rk(2), i), 0);
  EXPECT_NEAR(analysis::largest_step(rk(3), i), std::sqrt(3), 1e-9);
  EXPECT_NEAR(analysis::largest_step(rk(4), 2.0 * i), std::sqrt(2), 1e-9);
  // Explicit Euler: the circle about -1; damping ratio zeta allows 2 zeta / omega.
  EXPECT_NEAR(analysis::largest_step(rk(1), 10.0 * Complex(-0.3, std::sqrt(0.91))), 0.06, 1e-12);
  const analysis::Curve circle = analysis::region_boundary(rk(1), -2.5, 0.5, -1.5, 1.5);
  ASSERT_GT(circle.x.size(), 100u);
  for (std::size_t k = 0; k < circle.x.size(); ++k)
    if (std::isfinite(circle.x[k])) {
      EXPECT_NEAR(std::hypot(circle.x[k] + 1, circle.y[k]), 1, 1e-4);
    }
}

const char* const kDamped = R"(
monocoque: 1
name: oscillator
gravity_m_per_s2: [0, 0, 0]
parts:
  - {name: mass, mass_kg: 1, inertia_kg_m2: [1, 1, 1]}
interacts:
  - {name: guide, type: prismatic, from: ground, to: mass}
  - {name: spring, type: spring_damper_3d, from: ground, to: mass, stiffness_N_per_m: [1, 1, 100],
     damping_Ns_per_m: [0, 0, 4], free_offset_m: [0, 0, 0]}
)";

/// One step of the method itself on p'' + 4 p' + 100 p = 0 is a matrix with eigenvalues R(h s).
TEST(StabilityRegion, IsThatOfTheMethods) {
  const Loaded loaded = load_text(kDamped);
  const Complex s(-2, std::sqrt(96));
  int seen = 0;
  for (const analysis::StabilityFunction& f : analysis::stability_functions()) {
    if (f.method == "bdf2") continue;  // two steps back
    for (const double h : {0.01, 0.1, 0.3}) {
      Eigen::Matrix2d step;
      for (Eigen::Index k = 0; k < 2; ++k) {
        Simulation run(*loaded.model, fixed_step(f.method, 1, h));
        (k == 0 ? run.state().x[2] : run.state().z[2]) = 1;
        run.integrator().start(run.state());
        ASSERT_EQ(run.step_to(h), StepStatus::ok);
        step.col(k) << run.state().x[2], run.state().z[2];
      }
      const double growth = std::abs(Eigen::EigenSolver<Eigen::Matrix2d>(step).eigenvalues()[0]);
      EXPECT_NEAR(growth, f.growth(h * s), 1e-9) << f.method << " " << h;
    }
    ++seen;
  }
  EXPECT_EQ(seen, 4);
}

/// Of the real quarter car: its bump comes later and its damper has a kink where the state stands.
TEST(StabilityRegion, RunsBesideTheLimit) {
  double worst = 0;
  for (const char* file : {"examples/quarter-car.yaml", "camry/camry.yaml", "vehicles/single-track.yaml",
                           "vehicles/ride-19.yaml"}) {
    Linear m(load_model(file));
    std::vector<analysis::Eigenvalue> values;
    for (const auto& mode : m.modes) values.push_back(mode.value);
    for (const analysis::StabilityFunction& f : analysis::stability_functions()) {
      if (!f.is_explicit()) continue;
      const analysis::StepLimit limit = analysis::step_limit(f, values);
      ASSERT_GE(limit.mode, 0);
      const auto run = [&](double factor) {
        const double growth = f.growth(factor * limit.step_s * limit.lambda);
        return analysis::run_with_step(*m.loaded.model, m.loaded.spec.simulation, m.s, m.l,
                                       m.modes[static_cast<std::size_t>(limit.mode)], f.method,
                                       factor * limit.step_s, growth, growth > 1.05 ? 100 : 400);
      };
      const analysis::StepCheck below = run(0.97), above = run(1.03);
      EXPECT_FALSE(below.grew) << file << " " << f.method;
      EXPECT_TRUE(above.grew) << file << " " << f.method;
      for (const analysis::StepCheck& c : {below, above}) {
        EXPECT_NEAR(c.measured, c.predicted, 1e-5) << file << " " << f.method;
        worst = std::max(worst, std::abs(c.measured - c.predicted));
      }
    }
  }
  verify_row("Analyses", "quarter car, Camry, single track, ride-19",
             "growth in a step 3 % beside the largest stable step", "explicit-euler and rk4",
             "R(h lambda) of the eigenvalue", worst, "absolute");
}

TEST(StabilityRegion, AStateThatDoesNotLastSaysSo) {
  for (const auto& [file, lasts] :
       {std::pair{"examples/rolling-wheel.yaml", false}, std::pair{"examples/quarter-car.yaml", true}}) {
    Linear m(load_model(file));
    std::size_t fastest = 0;
    for (std::size_t i = 0; i < m.modes.size(); ++i)
      if (std::abs(m.modes[i].value.s) > std::abs(m.modes[fastest].value.s)) fastest = i;
    const double step = 2.8 / std::abs(m.modes[fastest].value.s);
    const analysis::StepCheck c = analysis::run_with_step(*m.loaded.model, m.loaded.spec.simulation, m.s, m.l,
                                                          m.modes[fastest], "rk4", step, 1, 1);
    EXPECT_EQ(c.unsteady.empty(), lasts) << file << ": " << c.unsteady;
  }
}

TEST(Locus, CriticalSpeedOfTheSingleTrackModel) {
  int calls = 0;
  const auto modes_at = [&](double v) {
    ++calls;
    const Linear m(
        load_model("vehicles/single-track.yaml",
                   {{"speed_m_per_s", fmt::format("{:.17g}", v)}, {"front_B", "10"}, {"rear_B", "8"}}));
    return m.modes;
  };
  const analysis::Locus locus = analysis::trace_locus(modes_at, {10, 20, 30, 40, 50, 60, 70}, 1e-6);
  ASSERT_EQ(locus.crossings.size(), 1u);
  EXPECT_LE(calls, 7 + 12);  // halving the interval would take 18 beside the seven values
  const double a = 1.2, b = 1.5, L = a + b, m = 1500, g = 9.81;
  const double Cf = 10 * 1.9 * m * g * b / L, Cr = 8 * 1.9 * m * g * a / L;
  const double critical = std::sqrt(Cf * Cr * L * L / (m * (a * Cf - b * Cr)));
  EXPECT_NEAR(locus.crossings[0].value / critical, 1, 1e-4);
  EXPECT_EQ(locus.crossings[0].before, 0);
  EXPECT_EQ(locus.crossings[0].after, 1);
  EXPECT_NEAR(locus.crossings[0].s.imag(), 0, 1e-9);
  verify_row("Analyses", "oversteering single track", "critical speed", "locus", "closed form",
             std::abs(locus.crossings[0].value / critical - 1), "relative");
}

/// A pair and a real mode that become unstable within one interval; values may also fall.
TEST(Locus, SeveralCrossingsInOneInterval) {
  const auto modes_at = [](double v) {
    std::vector<analysis::ModelMode> modes(3);
    modes[0].value.s = Complex(std::tanh(3 * (v - 0.31)), 7);
    modes[1].value.s = Complex(0.2 * (v - 0.62), 0);
    modes[2].value.s = Complex(-100, 0);
    for (auto& m : modes) m.xi = analysis::VecXc::Ones(1);
    return modes;
  };
  for (const bool rising : {true, false}) {
    const analysis::Locus locus =
        analysis::trace_locus(modes_at, rising ? std::vector<double>{0, 1} : std::vector<double>{1, 0}, 1e-9);
    ASSERT_EQ(locus.crossings.size(), 2u);
    EXPECT_NEAR(locus.crossings[rising ? 0 : 1].value, 0.31, 1e-6);  // what grows does so by more than 1e-7
    EXPECT_NEAR(locus.crossings[rising ? 1 : 0].value, 0.62, 1e-6);
    EXPECT_EQ(locus.crossings[1].after, rising ? 2 : 0);
  }
}

TEST(Locus, CurvesFollowTheirModes) {
  // Two oscillators whose frequencies cross: shapes tell them apart.
  const auto modes_at = [](double k) {
    const Linear m(load_text(fmt::format(R"(
monocoque: 1
name: two
gravity_m_per_s2: [0, 0, 0]
parts:
  - {{name: a, kind: particle, mass_kg: 1}}
  - {{name: b, kind: particle, mass_kg: 1, position_m: [1, 0, 0]}}
ground: {{frames: [{{name: b, position_m: [1, 0, 0]}}]}}
interacts:
  - {{name: ka, type: spring_damper_3d, from: ground, to: a, stiffness_N_per_m: [{}, 9000, 8000], free_offset_m: [0, 0, 0]}}
  - {{name: kb, type: spring_damper_3d, from: ground.b, to: b, stiffness_N_per_m: [100, 7000, 6000], free_offset_m: [0, 0, 0]}}
)",
                                         k)));
    return m.modes;
  };
  const analysis::Locus locus = analysis::trace_locus(modes_at, {50, 90, 130, 170});
  EXPECT_TRUE(locus.crossings.empty());
  EXPECT_EQ(locus.tracks, 6);
  std::vector<std::string> part(6);
  for (const analysis::LocusPoint& p : locus.points)
    for (std::size_t i = 0; i < p.modes.size(); ++i) {
      std::string& name = part[static_cast<std::size_t>(p.track[i])];
      if (name.empty()) name = p.modes[i].part;
      EXPECT_EQ(name, p.modes[i].part);
    }
}

TEST(Participation, QuarterCar) {
  Linear car(load_model("examples/quarter-car.yaml", {{"interacts.suspension.damping_Ns_per_m", "0"},
                                                      {"interacts.tyre.damping_Ns_per_m", "0"}}));
  const std::vector<analysis::Participation> who = analysis::participation(car.ws, car.s, car.l, car.modes);
  ASSERT_EQ(who.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    const double w2 = std::norm(car.modes[i].value.s), r = 1 - 350 * w2 / 22000;  // wheel over body
    const double kinetic = 350 / (350 + 40 * r * r), tyre = 200000 * r * r;
    const auto share = [](const std::vector<analysis::Share>& list, const std::string& name) {
      for (const analysis::Share& s : list)
        if (s.name == name) return s.share;
      return 0.0;
    };
    EXPECT_NEAR(share(who[i].kinetic, "body"), kinetic, 1e-6);
    EXPECT_NEAR(share(who[i].elastic, "tyre"), tyre / (tyre + 22000 * (1 - r) * (1 - r)), 1e-6);
  }
  EXPECT_EQ(analysis::kind_of_mode(car.modes[0].value), "oscillates");
}

}  // namespace
}  // namespace monocoque::test

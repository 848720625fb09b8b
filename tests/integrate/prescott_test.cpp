// Prescott's index-1 form, (4) of "Simulating Flexible Multibody Vehicle Models in Real-Time":
//   q_dot = v,  M v_dot + Phi_q^T Psi_dot = Q_a,  Phi_q v = 0 (+ alpha Phi by Baumgarte)
// discretised by hand for a pendulum with Psi as an unknown, all three derivatives by BDF2, beside the
// program's level index-1-psi, which knows the multipliers Psi_dot only. Order on all problems:
// order_test.cpp.

#include <gtest/gtest.h>

#include "core/decompositions.h"
#include "support/run.h"

namespace monocoque::test {
namespace {

constexpr double kLength = 1.3, kMass = 0.7, kGravity = 9.81, kAlpha = 20;
constexpr const char* kPendulum = R"(
monocoque: 1
name: point on a rod
parts:
  - {name: bob, kind: particle, mass_kg: 0.7, position_m: [1.3, 0, 0], velocity_m_per_s: [0, 0.9, 0]}
interacts:
  - {name: rod, type: rod, from: ground, to: bob, length_m: 1.3}
)";

struct Point {
  Vec3 q = Vec3::Zero(), v = Vec3::Zero();
  double psi = 0;
};

/// The next point from two; Newton's method with differences to the end. `rate` is Psi_dot there.
Point next(const Point& now, const Point& before, double h, double* rate) {
  using Vec7 = Eigen::Matrix<double, 7, 1>;
  const auto bdf = [h](auto a, auto b, auto c) { return ((1.5 * a - 2 * b + 0.5 * c) / h).eval(); };
  const auto residual = [&](const Vec7& y) {
    const Vec3 q = y.head<3>(), v = y.segment<3>(3), normal = q.normalized();
    const double psi_dot = (1.5 * y[6] - 2 * now.psi + 0.5 * before.psi) / h;
    Vec7 out;
    out << bdf(q, now.q, before.q) - v,
        kMass * bdf(v, now.v, before.v) + normal * psi_dot - Vec3(0, 0, -kMass * kGravity),
        normal.dot(v) + kAlpha * (q.norm() - kLength);
    return out;
  };
  Vec7 y;
  y << now.q + h * now.v, now.v, now.psi;
  for (int k = 0; k < 12; ++k) {
    Eigen::Matrix<double, 7, 7> J;
    const double e = 1e-6;
    for (int i = 0; i < 7; ++i) {
      Vec7 up = y, down = y;
      up[i] += e;
      down[i] -= e;
      J.col(i) = (residual(up) - residual(down)) / (2 * e);
    }
    y -= J.fullPivLu().solve(residual(y));
  }
  *rate = (1.5 * y[6] - 2 * now.psi + 0.5 * before.psi) / h;
  return {y.head<3>(), y.segment<3>(3), y[6]};
}

TEST(Prescott, LevelIsHisFormWithPsiEliminated) {
  const Loaded pendulum = load_text(kPendulum);
  const double h = 0.01;
  io::SimulationSpec s = fixed_step("bdf2", 10, h, kIndex1Psi, kBaumgarte);
  s.baumgarte_alpha = kAlpha;
  s.iterations = 12;
  Simulation simulation(*pendulum.model, s);
  const auto point = [&] { return Point{simulation.state().x.head<3>(), simulation.state().z.head<3>(), 0}; };
  Point before = point();
  ASSERT_EQ(simulation.step_to(h), StepStatus::ok);  // the program's own first step
  Point now = point();
  now.psi = 0.4;  // any: only differences of Psi mean something
  double worst = 0, worst_rate = 0, drift = 0;
  for (int n = 2; n <= 300; ++n) {
    double rate = 0;
    const Point after = next(now, before, h, &rate);
    ASSERT_EQ(simulation.step_to(n * h), StepStatus::ok);
    const Point ours = point();
    worst = std::max({worst, (after.q - ours.q).norm(), (after.v - ours.v).norm()});
    worst_rate = std::max(worst_rate, std::abs(rate - simulation.state().lambda[0]));
    drift = std::max(drift, std::abs(ours.q.norm() - kLength));
    before = now;
    now = after;
  }
  verify_row("Order of convergence", "bdf2, index-1-psi", "300 steps of a pendulum", "",
             "Prescott's (4), by hand", worst, "absolute, m and m/s");
  EXPECT_LT(worst, 1e-9);       // rounding, times the growth of a difference over three seconds
  EXPECT_LT(worst_rate, 1e-6);  // the same over h
  EXPECT_LT(drift, 2e-3);       // Baumgarte holds what one step brings in
}

TEST(Prescott, LevelIsRefusedWithoutBaumgarte) {
  const Loaded pendulum = load_text(kPendulum);
  EXPECT_THROW(Simulation(*pendulum.model, fixed_step("bdf2", 1, 0.01, kIndex1Psi, kNone)), Error);
  EXPECT_THROW(Simulation(*pendulum.model, fixed_step("rk4", 1, 0.01, kIndex1Psi, kBaumgarte)), Error);
}

}  // namespace
}  // namespace monocoque::test

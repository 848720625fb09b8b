// A wheel that is torn off the road and lands: the linearly implicit step must not glue it to the road.
//
// The load that acts within a step is the linearised one, F + k (rho - rho*) + c (rho' - rho'*), and may
// pull although the law never does. Linearised at the old position, as in the literature, it does so and the
// remedy is a secant in place of the slope ("global derivatives", after Rill); linearised at the position of
// the predictor, as here, it does not (docs/theory/integration.md). Shown with a quarter car whose body is
// thrown up, written down once more by hand for both steps.

#include <gtest/gtest.h>

#include "core/decompositions.h"
#include "support/recorded_run.h"
#include "support/run.h"

namespace monocoque::test {
namespace {

constexpr double kBody = 400, kWheel = 40, kSpring = 25e3, kDamper = 4000, kTire = 2e5, kTireDamper = 500,
                 kGravity = 9.81, kThrow = 2, kRadius = 0.33;

const char* const kQuarterCar = R"yaml(
monocoque: 1
parameters: {tire: 200000, spring: 25000, g: 9.81, radius: 0.33, rest: (400+40)*g/tire, free: 0.5 + 400*g/spring}
ground: {frames: [{name: guide}]}
parts:
  - {name: body, mass_kg: 400, inertia_kg_m2: [9, 9, 9], position_m: [0, 0, radius - rest + 0.5], velocity_m_per_s: [0, 0, 2]}
  - {name: wheel, mass_kg: 40, inertia_kg_m2: [1, 1, 1], position_m: [0, 0, radius - rest]}
interacts:
  - {name: body_guide, type: prismatic, from: ground.guide, to: body}
  - {name: wheel_guide, type: prismatic, from: ground.guide, to: wheel}
  - {name: strut, type: spring_damper, from: wheel, to: body, stiffness_N_per_m: spring, damping_Ns_per_m: 4000, free_length_m: free}
  - {name: tire, type: reference_tire, from: ground, to: wheel, radius_m: radius, vertical_stiffness_N_per_m: tire, vertical_damping_Ns_per_m: 500}
simulation: {solver: linearly-implicit-euler, step_s: 0.01, end_s: 1.5}
)yaml";

struct Instant {
  double body, wheel, load;  ///< displacements from rest, load within the step
};

/// Linearly implicit Euler by hand; `predicted`: linearised at x + h v instead of x.
std::vector<Instant> by_hand(double h, double end, bool predicted, bool secant) {
  Eigen::Vector2d x(0, 0), v(kThrow, 0);
  std::vector<Instant> out;
  for (double t = 0.5 * h; t < end; t += h) {
    const Eigen::Vector2d at = predicted ? Eigen::Vector2d(x + h * v) : x;
    const double rho = (kBody + kWheel) * kGravity / kTire - at[1], rate = -v[1];
    const double F = rho > 0 ? std::max(0.0, kTire * rho + kTireDamper * rate) : 0;
    double k = F > 0 ? kTire : 0, c = F > 0 ? kTireDamper : 0;
    if (secant && F > 0 && rate < 0) {
      // Slope from here to where the wheel is a step later.
      const double part = std::min(1.0, F / (kTire * h * -rate));
      k *= part;
      c *= part;
    }
    const double strut = kBody * kGravity + kSpring * (at[1] - at[0]) + kDamper * (v[1] - v[0]);
    Eigen::Matrix2d K, D;
    K << kSpring, -kSpring, -kSpring, kSpring + k;
    D << kDamper, -kDamper, -kDamper, kDamper + c;
    Eigen::Vector2d f(strut - kBody * kGravity, F - strut - kWheel * kGravity);
    if (!predicted) f -= h * K * v;
    Eigen::Matrix2d A = h * D + h * h * K;
    A(0, 0) += kBody;
    A(1, 1) += kWheel;
    const Eigen::Vector2d step = A.fullPivLu().solve(h * f);
    const double load = F - (h * k + c) * step[1] - (predicted ? 0 : h * k * v[1]);
    v += step;
    x += h * v;
    out.push_back({x[0], x[1], load});
  }
  return out;
}

struct Judgement {
  double least_load = 1e9, wheel_error = 0;
};
Judgement judge(const std::vector<Instant>& run, const std::vector<Instant>& fine) {
  Judgement j;
  const std::size_t ratio = fine.size() / run.size();
  for (std::size_t i = 0; i < run.size(); ++i) {
    j.least_load = std::min(j.least_load, run[i].load);
    j.wheel_error = std::max(j.wheel_error, std::abs(run[i].wheel - fine[(i + 1) * ratio - 1].wheel));
  }
  return j;
}

TEST(LiftOff, TheStepDoesNotGlueTheWheelToTheRoad) {
  const double h = 0.01, end = 1.5;
  const RecordedRun run(read_text(kQuarterCar));
  const std::vector<Instant> ours = by_hand(h, end, true, false);
  ASSERT_EQ(run.size(), ours.size() + 1);
  const double height = kRadius - (kBody + kWheel) * kGravity / kTire;
  bool airborne = false;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    EXPECT_NEAR(run.value(i + 1, "wheel/position/z"), height + ours[i].wheel, 1e-9);
    EXPECT_NEAR(run.value(i + 1, "body/position/z"), height + 0.5 + ours[i].body, 1e-9);
    // Load within the step from the change of momentum.
    const double load =
        kBody * (run.value(i + 1, "body/velocity/z") - run.value(i, "body/velocity/z")) / h +
        kWheel * (run.value(i + 1, "wheel/velocity/z") - run.value(i, "wheel/velocity/z")) / h +
        (kBody + kWheel) * kGravity;
    EXPECT_GT(load, -1e-6) << "at " << run.time(i + 1);
    airborne = airborne || run.value(i + 1, "tire/load") == 0;
  }
  EXPECT_TRUE(airborne);

  const std::vector<Instant> fine = by_hand(1e-5, end, true, false);
  const Judgement here = judge(ours, fine), with_secant = judge(by_hand(h, end, true, true), fine),
                  old = judge(by_hand(h, end, false, false), fine),
                  old_secant = judge(by_hand(h, end, false, true), fine);
  const auto row = [](const char* name, const Judgement& j) {
    verify_row("Lift-off", fmt::format("quarter car thrown up, 10 ms: {}", name), "linearly implicit Euler",
               fmt::format("least load {:.0f} N", j.least_load), "0 N; step of 0.01 ms", j.wheel_error,
               "m, largest of the wheel");
  };
  row("linearised at the predictor (ours)", here);
  row("the same, secants", with_secant);
  row("linearised at the old position", old);
  row("the same, secants", old_secant);
  EXPECT_LT(old.least_load, -500);
  EXPECT_GT(old_secant.least_load, -1e-6);
  EXPECT_LT(here.wheel_error, old.wheel_error);
  EXPECT_LT(here.wheel_error, 1.1 * old_secant.wheel_error);
}

TEST(LiftOff, GlobalDerivativesNeitherPullNorCostMuch) {
  const double h = 0.01, end = 1.5;
  std::string text = kQuarterCar;
  const std::string key = "vertical_damping_Ns_per_m: 500";
  text.replace(text.find(key), key.size(), key + ", derivatives: global, derivative_reach_s: 0.01");
  const RecordedRun run(read_text(text));
  const std::vector<Instant> fine = by_hand(1e-5, end, true, false), local = by_hand(h, end, true, false);
  const double height = kRadius - (kBody + kWheel) * kGravity / kTire;
  std::vector<Instant> global;
  bool differs = false;
  for (std::size_t i = 0; i + 1 < run.size(); ++i) {
    const double load =
        kBody * (run.value(i + 1, "body/velocity/z") - run.value(i, "body/velocity/z")) / h +
        kWheel * (run.value(i + 1, "wheel/velocity/z") - run.value(i, "wheel/velocity/z")) / h +
        (kBody + kWheel) * kGravity;
    global.push_back({run.value(i + 1, "body/position/z") - height - 0.5,
                      run.value(i + 1, "wheel/position/z") - height, load});
    differs = differs || std::abs(global[i].wheel - local[i].wheel) > 1e-6;
  }
  EXPECT_TRUE(differs);  // the option reaches the step
  EXPECT_GT(judge(global, fine).least_load, -1e-6);
  EXPECT_LT(judge(global, fine).wheel_error, 1.2 * judge(local, fine).wheel_error);
}

}  // namespace
}  // namespace monocoque::test

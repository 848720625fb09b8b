// Growth, quantiles and deviations of spectra from numbers known beforehand; costs of a step that repeat.

#include "measure/benchmark.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "support/run.h"

namespace monocoque::test {
namespace {

using namespace measure;

TEST(GrowthExponent, OfAPowerIsItsExponent) {
  std::vector<double> x = {100, 200, 500, 1000}, y;
  for (const double v : x) y.push_back(3e-6 * std::pow(v, 1.07));
  EXPECT_NEAR(growth_exponent(x, y), 1.07, 1e-12);
}

TEST(GrowthExponent, NeedsTwoPoints) {
  EXPECT_THROW(growth_exponent({1}, {1}), Error);
  EXPECT_THROW(growth_exponent({1, 2}, {1}), Error);
}

TEST(Quantile, CountsFromTheSmallest) {
  std::vector<double> v;
  for (int i = 1000; i >= 1; --i) v.push_back(i);
  EXPECT_EQ(quantile(v, 0.5), 500);
  EXPECT_EQ(quantile(v, 0.999), 999);
  EXPECT_EQ(quantile(v, 1), 1000);
  EXPECT_EQ(quantile(v, 0), 1);
  std::vector<double> none;
  EXPECT_EQ(quantile(none, 0.5), 0);
}

Spectrum of_tones(double amplitude_at_20, double sample_s) {
  std::vector<double> signal;
  for (int i = 0; i < static_cast<int>(std::round(8 / sample_s)); ++i) {
    const double t = i * sample_s, turn = 2 * std::numbers::pi;
    signal.push_back(std::sin(turn * 12 * t) + amplitude_at_20 * std::sin(turn * 20 * t) +
                     0.3 * std::cos(turn * 33 * t));
  }
  return welch(signal, sample_s, 2);
}

TEST(LineDeviation, FindsTheToneThatDiffers) {
  // A Hann window spreads a tone over its two neighbours; other lines hold rounding only.
  const Spectrum a = of_tones(1.1, 0.002), b = of_tones(1, 0.002);
  const LineDeviation d = largest_line_deviation(a, b, 19.5, 20.5);
  EXPECT_NEAR(d.dB, 20 * std::log10(1.1), 1e-6);
  EXPECT_LT(largest_line_deviation(a, b, 11.5, 12.5).dB, 1e-6);
}

TEST(LineDeviation, DoesNotDependOnTheSamplingOfSlowSignals) {
  EXPECT_LT(largest_line_deviation(of_tones(1, 0.005), of_tones(1, 0.002), 19.5, 20.5).dB, 1e-6);
}

TEST(LineDeviation, RefusesOtherLines) {
  const Spectrum a = of_tones(1, 0.002);
  Spectrum b = a;
  for (double& f : b.frequency_Hz) f *= 1.01;
  EXPECT_THROW(largest_line_deviation(a, b, 11, 40), Error);
}

TEST(LineDeviation, IsInfiniteWhereOneHasNothing) {
  const Spectrum a = of_tones(1, 0.002);
  Spectrum b = a;
  b.density.assign(b.density.size(), 0.0);
  EXPECT_TRUE(std::isinf(largest_line_deviation(a, b, 11, 40).dB));
}

TEST(StepCost, TheSameStepsEndInTheSameState) {
  const Loaded m = load_model("examples/double-pendulum.yaml");
  io::SimulationSpec s = m.spec.simulation;
  s.solver = "linearly-implicit-euler";
  s.constraints = s.stabilisation = "";
  s.step_s = 1e-3;
  const StepCost cost = step_cost(*m.model, s, {50, 3});
  EXPECT_TRUE(cost.repeats);
  EXPECT_EQ(cost.factorisations, 1);
  EXPECT_GT(cost.per_step.cpu_s, 0);
  EXPECT_EQ(cost.constraints, m.model->nlambda);
  EXPECT_NEAR(cost.last.t, (20 + 2 + 50) * 1e-3, 1e-12);
}

TEST(StepCost, SaysWhichStepFails) {
  const Loaded m = load_model("examples/double-pendulum.yaml");
  io::SimulationSpec s = m.spec.simulation;
  s.solver = "explicit-euler";
  s.constraints = s.stabilisation = "";
  s.step_s = 10;
  EXPECT_THROW(step_cost(*m.model, s, {500, 1}), Error);
}

}  // namespace
}  // namespace monocoque::test

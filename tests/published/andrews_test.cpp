// Andrews' squeezing mechanism at t = 0.03 s, after two and a half turns of the crank. Angles are taken from
// the part orientations, so whole turns do not count.

#include <numbers>

#include "support/run.h"

namespace monocoque::test {
namespace {

double turn_about_z(const Values& v, const std::string& part) {
  return 2 * std::atan2(v.at(part + "/orientation/q3"), v.at(part + "/orientation/q0"));
}

double error_at_end(const Values& v) {
  constexpr double beta = 15.8107711951537, theta = -15.7563710584118, gamma = 0.040822240119646,
                   phi = -0.534730116342079, delta = 0.524409965879954, epsilon = 1.048080741041938;
  const std::map<std::string, double> expected = {
      {"K1", beta},  {"K2", beta + theta},  {"K3", gamma},  {"K4", phi + delta},
      {"K5", delta}, {"K6", epsilon - phi}, {"K7", epsilon}};
  double worst = 0;
  for (const auto& [part, angle] : expected)
    worst = std::max(worst, std::abs(std::remainder(turn_about_z(v, part) - angle, 2 * std::numbers::pi)));
  return worst;
}

TEST(Andrews, Ida) {
  const Loaded loaded = load_model("published/andrews.yaml");
  for (const char* level : {kStabilised, kIndex1}) {
    const io::SimulationSpec settings = ida(0.03, 1e-10, level);
    const Outcome out = run(loaded, settings);
    const double error = error_at_end(out.final);
    report("andrews.yaml", method_name(settings) + fmt::format("({} steps)", out.summary.steps), error);
    EXPECT_LT(error, 1e-6) << level;
  }
}

TEST(Andrews, RungeKutta) {
  const Loaded loaded = load_model("published/andrews.yaml");
  const double error = error_at_end(run(loaded, fixed_step("rk4", 0.03, 1e-5)).final);
  report("andrews.yaml", "rk4 1e-5", error);
  EXPECT_LT(error, 1e-9);
  EXPECT_NEAR(self_order("andrews.yaml", loaded, fixed_step("rk4", 0.03, 1e-5), 2e-5), 4, 0.3);
}

TEST(Andrews, SecondOrders) {
  const Loaded loaded = load_model("published/andrews.yaml");
  struct Case {
    const char* method;
    double step, order, bound;
  };
  for (const Case& c : {Case{"bdf2", 2e-5, 2, 1e-2}, Case{"generalized-alpha", 2e-5, 2, 1e-2}}) {
    double finest = 0;
    const double order = measured_order("andrews.yaml", loaded, fixed_step(c.method, 0.03, c.step),
                                        {c.step, c.step / 2, c.step / 4}, &finest,
                                        [](const Outcome& o) { return error_at_end(o.final); });
    EXPECT_NEAR(order, c.order, 0.3) << c.method;
    EXPECT_LT(finest, c.bound) << c.method;
  }
}

}  // namespace
}  // namespace monocoque::test

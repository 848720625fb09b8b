// Published problems with bodies that bend. The bodies are Ritz models; models/published ships their SID
// files, and the test compares them with what it computes. MONOCOQUE_WRITE_BODIES=1 writes them anew.

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "published/line_body.h"
#include "support/paths.h"
#include "support/run.h"

namespace monocoque::test {
namespace {

const std::string folder = source_dir() + "/models/published/";

void expect_same(const io::SidTaylor& a, const io::SidTaylor& b, const char* name) {
  const double size = 1 + b.zero.cwiseAbs().maxCoeff();
  EXPECT_LT((a.zero - b.zero).cwiseAbs().maxCoeff(), 1e-12 * size) << name;
  ASSERT_EQ(a.first.size(), b.first.size()) << name;
  for (std::size_t i = 0; i < a.first.size(); ++i)
    EXPECT_LT((a.first[i] - b.first[i]).cwiseAbs().maxCoeff(), 1e-12 * size) << name;
}

/// The shipped file holds this body.
void expect_shipped(const io::Sid& sid, const std::string& file) {
  if (std::getenv("MONOCOQUE_WRITE_BODIES") != nullptr) io::write_sid(sid, folder + file);
  const io::Sid shipped = io::read_sid(folder + file);
  EXPECT_EQ(shipped.nq, sid.nq);
  EXPECT_NEAR(shipped.mass_kg, sid.mass_kg, 1e-12);
  expect_same(shipped.J, sid.J, "J");
  expect_same(shipped.Ct, sid.Ct, "Ct");
  expect_same(shipped.Cr, sid.Cr, "Cr");
  expect_same(shipped.Me, sid.Me, "Me");
  expect_same(shipped.Ge, sid.Ge, "Ge");
  expect_same(shipped.Oe, sid.Oe, "Oe");
  expect_same(shipped.Ke, sid.Ke, "Ke");
}

LineShape sine(double L, int n) {
  const double k = n * M_PI / L;
  return {[=](double x) { return Vec3(0, std::sin(k * x), 0); },
          [=](double x) { return Vec3(0, 0, k * std::cos(k * x)); }};
}
LineShape stretch(const std::function<double(double)>& u) {
  return {[=](double x) { return Vec3(u(x), 0, 0); }, [](double) { return Vec3(0, 0, 0); }};
}

io::Sid simeon_rod() {
  const double L = 0.3, side = 0.008, E = 2e11, mass = 0.151104;
  const double EA = E * side * side, EI = E * std::pow(side, 4) / 12;
  const std::vector<LineShape> shapes = {sine(L, 1), sine(L, 2),
                                         stretch([=](double x) { return 4 * (x / L) * (1 - x / L); }),
                                         stretch([=](double x) { return (x / L) * (2 * x / L - 1); })};
  LumpedBody body = line_body(L, mass, shapes, 8);
  body.Ke.setZero(4, 4);
  body.De.setZero(4, 4);
  for (int n = 1; n <= 2; ++n) body.Ke(n - 1, n - 1) = EI * std::pow(n * M_PI / L, 4) * L / 2;
  body.Ke(2, 2) = EA / L * 16 / 3;
  body.Ke(3, 3) = EA / L * 7 / 3;
  body.Ke(2, 3) = body.Ke(3, 2) = -EA / L * 8 / 3;
  io::Sid sid = body.sid();
  sid.name = "connecting rod";
  sid.mode_names = {"bending 1", "bending 2", "stretching, middle", "stretching, end"};
  sid.nodes.clear();
  for (const auto& [x, id] : {std::pair{0.0, 1L}, {L / 2, 2L}, {L, 3L}})
    sid.nodes.push_back(line_node(body, shapes, x, id));
  return sid;
}

TEST(FlexibleSliderCrank, TheShippedRodIsTheRitzModel) {
  expect_shipped(simeon_rod(), "flexible-slider-crank-rod.sid");
}

TEST(FlexibleSliderCrank, ReachesThePublishedState) {
  const Values expected = {{"slider/position/x", 0.169737396},
                           {"rod/elastic/q1", 1.893081e-4},
                           {"rod/elastic/q2", 2.376202e-5},
                           {"rod/elastic/q3", -5.28100e-6},
                           {"rod/elastic/q4", -8.30335e-6}};
  const Values reached = run(load_model("published/flexible-slider-crank.yaml"), ida(0.1, 1e-11)).final;
  for (const auto& [channel, value] : expected) {
    verify_row("Flexible bodies", "flexible slider-crank at 0.1 s, " + channel, "ida",
               fmt::format("{:.7e}", reached.at(channel)), fmt::format("{:.7e}", value),
               std::abs(reached.at(channel) - value), "m");
    // Stretching vibrates at 10 kHz without damping: 1000 periods of it are the hard part.
    EXPECT_NEAR(reached.at(channel), value, channel[0] == 's' ? 1e-9 : 2e-10) << channel;
  }
}

struct TipHistory {
  double lowest = 0, lowest_at = 0, extension = 0;  ///< m, s, mean of the last second
};

TipHistory spin_up(bool stiffening, double end_s) {
  Diagnostics diagnostics;
  io::ReadOptions options;
  if (!stiffening) options.overrides = {{"parts.beam.geometric_stiffening", "off"}};
  io::ScenarioSpec spec = io::read_scenario(folder + "spin-up.yaml", element_library(), options, diagnostics);
  const Loaded loaded = finish(std::move(spec), diagnostics);
  io::SimulationSpec settings = ida(end_s, 1e-8);
  settings.output_step_s = 0.01;
  settings.outputs = {"beam/tip/deformation/x", "beam/tip/deformation/y"};
  Simulation simulation(*loaded.model, settings);
  TipHistory tip;
  int samples = 0;
  RunHooks hooks;
  hooks.record = [&](double t, const double* row) {
    if (row[1] < tip.lowest) {
      tip.lowest = row[1];
      tip.lowest_at = t;
    }
    if (t < end_s - 1) return;
    tip.extension += row[0];
    ++samples;
  };
  simulation.run(hooks);
  tip.extension /= samples;
  return tip;
}

TEST(SpinUp, DeflectionAndExtensionArePublishedOnes) {
  const TipHistory tip = spin_up(true, 20);
  verify_row("Flexible bodies", "spin-up of a cantilever, largest tip deflection [m]", "ida",
             fmt::format("{:.5f} at {:.2f} s", tip.lowest, tip.lowest_at),
             "-0.5744 at 6.76 s (linear), -0.5738 (nonlinear)", std::abs(tip.lowest + 0.5744), "m");
  verify_row("Flexible bodies", "spin-up of a cantilever, steady extension [m]", "ida",
             fmt::format("{:.4e}", tip.extension), "5.143e-4", std::abs(tip.extension / 5.143e-4 - 1),
             "relative");
  EXPECT_NEAR(tip.lowest, -0.5744, 1e-4);
  EXPECT_NEAR(tip.lowest_at, 6.76, 0.011);
  EXPECT_NEAR(tip.extension, 5.143e-4, 5e-7);
}

TEST(SpinUp, WithoutGeometricStiffeningItDiverges) {
  // The critical speed, 3.798 rad/s, is passed after 8.3 s.
  EXPECT_LT(spin_up(false, 12).lowest, -100);
}

TEST(VirtualBodies, MasslessPartsOnTheNodesChangeNothing) {
  Values first;
  for (const int bodies : {0, 1, 2}) {
    const Loaded loaded = load_model(fmt::format("published/virtual-bodies-{}.yaml", bodies));
    const Values last = run(loaded, fixed_step("rk4", 0.02, 1e-5)).final;
    if (bodies == 0) {
      first = last;
      EXPECT_GT(std::abs(first.at("rod/middle/deformation/y")), 1e-4);
      continue;
    }
    double worst = 0;
    for (const char* channel : {"rod/middle/deformation/x", "rod/middle/deformation/y", "slider/position/x"})
      worst = std::max(worst, std::abs(last.at(channel) - first.at(channel)));
    verify_row("Flexible bodies", fmt::format("slider-crank with {} virtual bodies against none", bodies),
               "rk4", "", "0", worst, "m");
    EXPECT_LT(worst, 1e-12);
  }
}

}  // namespace
}  // namespace monocoque::test

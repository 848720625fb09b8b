// Virtual-body paper 4.3: slider-crank with a rod of 8 beam elements and none, one, two massless parts
// between the rod's nodes and the joints. Figure 7: deflection of the rod's middle over its length. Table 3:
// times relative to the sparse solver without virtual bodies.

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "apps/reproduce/reproduction.h"

namespace monocoque {

namespace {

constexpr double kRod = 0.3048;
// Table 3 of the paper, analysis time: sparse, full LU.
constexpr std::array<std::array<double, 2>, 3> kPublished = {{{1.00, 1.19}, {1.08, 1.86}, {1.33, 2.40}}};

io::SimulationSpec fixed_steps(double end_s, const char* linear_solver) {
  io::SimulationSpec s;
  s.solver = "rk4";
  s.linear_solver = linear_solver;
  s.step_s = 1e-5;
  s.end_s = end_s;
  s.output_step_s = 5e-4;
  return s;
}

double largest_difference(const RecordedRun& a, const RecordedRun& b) {
  double worst = 0;
  for (const char* path : {"rod/middle/deformation/x", "rod/middle/deformation/y", "slider/position/x"})
    for (std::size_t i = 0; i < a.t.size(); ++i) worst = std::max(worst, std::abs(a[path][i] - b[path][i]));
  return worst;
}

}  // namespace

void reproduce_slider_crank(Reproduction& r) {
  std::array<LoadedScenario, 3> models;
  for (std::size_t n = 0; n < 3; ++n)
    models[n] = load_scenario(shipped_model(fmt::format("published/virtual-bodies-{}.yaml", n)), {});
  const double end = r.quick() ? 0.01 : 0.1;

  // Times: the least of several medians, in turn, so that a busy machine disturbs all alike.
  std::array<std::array<double, 2>, 3> time{};
  std::array<RecordedRun, 3> runs;
  for (int round = 0; round < (r.quick() ? 1 : 3); ++round)
    for (std::size_t n = 0; n < 3; ++n)
      for (const std::size_t dense : {0U, 1U}) {
        r.say(fmt::format("round {}, {} virtual bodies, {}", round + 1, n, dense ? "dense" : "sparse"));
        RecordedRun run = record_run(*models[n].model, fixed_steps(end, dense ? "dense" : "sparse"));
        double& best = time[n][dense];
        best = round == 0 ? run.summary.step_us.p50_us : std::min(best, run.summary.step_us.p50_us);
        if (round == 0 && dense == 0) runs[n] = std::move(run);
      }
  for (const std::size_t n : {1U, 2U})
    r.below(fmt::format("motion with {} virtual bodies against none", n), "almost no differences",
            largest_difference(runs[n], runs[0]), 1e-8, "m");

  std::vector<double> relative;
  for (const double y : runs[0]["rod/middle/deformation/y"]) relative.push_back(y / kRod);
  const auto [low, high] = std::minmax_element(relative.begin(), relative.end());
  r.note("mid-rod deflection over rod length, least and largest", "amplitude about 0.02 (figure 7)",
         fmt::format("{:.4f} .. {:.4f}, {:.4f} peak to peak", *low, *high, *high - *low));

  for (std::size_t n = 0; n < 3; ++n)
    for (const std::size_t dense : {0U, 1U})
      r.note(fmt::format("time, {} virtual bodies, {}", n, dense ? "full LU" : "sparse"),
             fmt::format("{:.2f}", kPublished[n][dense]),
             fmt::format("{:.2f} ({:.0f} us a step)", time[n][dense] / time[0][0], time[n][dense]));

  Plot plot{"Mid-rod deflection over rod length", "t / s", "-", {}};
  for (std::size_t n = 0; n < 3; ++n) {
    std::vector<double> y;
    for (const double d : runs[n]["rod/middle/deformation/y"]) y.push_back(d / kRod);
    plot.series.push_back({fmt::format("{} virtual bodies", n), runs[n].t, y, n > 0});
  }
  r.plot("mid-rod-deflection", plot);
}

}  // namespace monocoque

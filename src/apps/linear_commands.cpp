#include "apps/linear_commands.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "results/svg_plot.h"

namespace monocoque {

void add_state(CLI::App& app, StateOptions& o) {
  app.add_option("--at", o.at_s, "time in s to which the model is run before; default: its start");
  app.add_flag("--equilibrium", o.equilibrium, "at the equilibrium near that state, at rest");
  app.add_option("--turning-with", o.turning_with,
                 "part whose turning about the vertical the coordinates follow, for steady turns");
}

LinearModel linear_model(const std::string& scenario, const std::vector<std::string>& overrides,
                         const StateOptions& state) {
  LinearModel out;
  out.loaded = load_scenario(scenario, overrides);
  out.run = analysis::operating_point(*out.loaded.model, out.loaded.spec.simulation,
                                      {state.equilibrium, state.at_s});
  const LinearSolverKind kind = linear_solver_kind(out.run->settings().linear_solver);
  const Vec3 rate = state.turning_with.empty()
                        ? Vec3(Vec3::Zero())
                        : analysis::vertical_rate(*out.run, *out.loaded.model, state.turning_with);
  out.l = analysis::linearise(out.run->workspace(), out.run->state(), kind, rate);
  return out;
}

std::string kind_of_state(const analysis::Linearisation& l) {
  if (l.in_equilibrium()) return "equilibrium";
  return l.at_rest() ? "at rest, not in equilibrium" : "in motion";
}

std::string remark_on_state(const analysis::Linearisation& l, double t) {
  if (l.in_equilibrium()) return fmt::format("linearised at the equilibrium at t = {:.6g} s\n", t);
  if (l.at_rest())
    return fmt::format(
        "linearised at t = {:.6g} s at a state that is at rest but no equilibrium (largest acceleration\n"
        "{:.4g}): with its own accelerations and reactions, so the eigenvalues tell how motions beside it "
        "part "
        "from it\n",
        t, l.largest_acceleration);
  return fmt::format(
      "linearised at t = {:.6g} s along the motion (largest speed {:.4g}, acceleration {:.4g}), with its "
      "own\n"
      "accelerations and reactions: the eigenvalues hold for this instant, for longer only if the motion is "
      "steady\n",
      t, l.largest_speed, l.largest_acceleration);
}

void plot_eigenvalues(const std::string& model, const std::vector<analysis::ModelMode>& modes,
                      const std::string& folder) {
  Plot plot{fmt::format("{}: eigenvalues", model), "Re s [1/s]", "Im s [1/s]", {}};
  PlotSeries stable, growing;
  stable.name = "decays or stands";
  stable.color = 0;
  growing.name = "grows";
  growing.color = 3;
  double largest = 0;
  for (const analysis::ModelMode& m : modes) largest = std::max(largest, std::abs(m.value.s));
  for (const analysis::ModelMode& m : modes)
    for (const double side : {1.0, -1.0}) {
      if (side < 0 && !m.value.oscillates()) continue;
      PlotSeries& of = m.value.s.real() > 1e-8 * largest ? growing : stable;
      of.x.push_back(m.value.s.real());
      of.y.push_back(side * m.value.s.imag());
    }
  if (growing.x.empty()) stable.name.clear();  // one colour needs no legend
  // The axes, a little longer than the points reach.
  double left = 0, right = 0, top = 0;
  for (const analysis::ModelMode& m : modes) {
    left = std::min(left, m.value.s.real());
    right = std::max(right, m.value.s.real());
    top = std::max(top, m.value.s.imag());
  }
  const double margin = 0.08 * std::max({right - left, 1e-3 * top, 1e-12});
  top = top > 0 ? 1.15 * top : margin;
  plot.series.push_back({"", {left - margin, right + margin}, {0, 0}, true, false, 7});
  plot.series.push_back({"", {0, 0}, {-top, top}, true, false, 7});
  for (PlotSeries* s : {&stable, &growing}) {
    s->points_only = true;
    if (!s->x.empty()) plot.series.push_back(std::move(*s));
  }
  write_svg(plot, figure_path(folder, "eigenvalues.svg"));
}

nlohmann::ordered_json json_of_eigenvalue(const analysis::Eigenvalue& e) {
  return {{"frequency_Hz", json_number(e.undamped_Hz())},
          {"damped_Hz", json_number(e.damped_Hz())},
          {"damping_ratio", json_number(e.damping_ratio())},
          {"real_per_s", json_number(e.s.real())},
          {"imag_per_s", json_number(e.s.imag())}};
}

std::string eigenvalue_row(const analysis::Eigenvalue& e) {
  return fmt::format("{:14.6f}  {:14.6f}  {:10.6f}  {:12.5g} {:+13.5g} i", e.undamped_Hz(), e.damped_Hz(),
                     e.damping_ratio(), e.s.real(), e.s.imag());
}

const char* eigenvalue_heading() {
  return "undamped [Hz]     damped [Hz]     damping     eigenvalue [1/s]           ";
}

}  // namespace monocoque

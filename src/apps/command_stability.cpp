// `monocoque stability`: the largest stable steps of explicit methods for a model, and the regions of
// stability as pictures.

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "analysis/linear/stability_region.h"
#include "analysis/linear/step_check.h"
#include "apps/command.h"
#include "apps/exit_status.h"
#include "apps/linear_commands.h"
#include "apps/options.h"
#include "io/files/text_source.h"
#include "results/svg_plot.h"

namespace monocoque {

namespace {

using Json = nlohmann::ordered_json;
using analysis::Eigenvalue;
using analysis::StabilityFunction;

struct StabilityOptions : ModelOptions, ResultOptions {
  StateOptions state;
  bool no_run = false;
};

struct MethodLimit {
  analysis::StepLimit limit;
  std::optional<analysis::StepCheck> below, above;
};

constexpr double kBeside = 0.03;  ///< how far below and above the limit the checks run

constexpr double kSameGrowth = 1e-3;  ///< in a step

constexpr double kVisible = 1e-7;  ///< growth in a step that a run can show above rounding

MethodLimit limit_of(const LinearModel& m, const std::vector<analysis::ModelMode>& modes,
                     const StabilityFunction& method, bool run) {
  std::vector<Eigenvalue> values;
  for (const analysis::ModelMode& mode : modes) values.push_back(mode.value);
  MethodLimit out;
  out.limit = analysis::step_limit(method, values);
  const double h = out.limit.step_s;
  if (!run || out.limit.mode < 0 || !(h > 0) || !std::isfinite(h)) return out;
  const analysis::ModelMode& mode = modes[static_cast<std::size_t>(out.limit.mode)];
  const double above = method.growth((1 + kBeside) * h * mode.value.s),
               below = method.growth((1 - kBeside) * h * mode.value.s);
  if (above - 1 < kVisible) return out;
  // Where even a thousand steps would not let the mode stand out, the growth in one step has to tell, and a
  // few steps show that no other mode grows.
  const double visible = std::log(1e4) / std::log(above);
  const int steps = static_cast<int>(visible > 1000 ? 50 : std::max(visible, 50.0));
  const auto check = [&](double factor, double predicted) {
    return analysis::run_with_step(m.model(), m.loaded.spec.simulation, m.run->state(), m.l, mode,
                                   method.method, factor * h, predicted, steps);
  };
  out.below = check(1 - kBeside, below);
  out.above = check(1 + kBeside, above);
  return out;
}

Plot region_plot(const std::string& title, const std::vector<StabilityFunction>& methods, double x_low,
                 double x_high, double y_limit) {
  Plot plot{title, "Re(h lambda)", "Im(h lambda)", {}};
  plot.equal_axes = true;
  plot.width = 560;
  plot.height = 560;
  plot.series.push_back({"", {x_low, x_high}, {0, 0}, true, false, 7});
  plot.series.push_back({"", {0, 0}, {-y_limit, y_limit}, true, false, 7});
  int color = 0;
  for (const StabilityFunction& f : methods) {
    const analysis::Curve c = analysis::region_boundary(f, x_low, x_high, -y_limit, y_limit);
    plot.series.push_back({f.method, c.x, c.y, false, false, color++});
  }
  return plot;
}

/// Eigenvalues times the step, both of each pair, as points; only those that the plot can show.
void mark(Plot& plot, const std::string& name, const std::vector<analysis::ModelMode>& modes, double h,
          double x_low, double y_limit, int color) {
  PlotSeries points;
  points.name = name;
  points.points_only = true;
  points.color = color;
  for (const analysis::ModelMode& m : modes)
    for (const double side : {1.0, -1.0}) {
      const std::complex<double> z = h * m.value.s;
      if (z.real() < x_low || std::abs(z.imag()) > y_limit || z.real() > -x_low) continue;
      points.x.push_back(z.real());
      points.y.push_back(side * z.imag());
    }
  plot.series.push_back(std::move(points));
}

void draw(const std::string& folder, const std::vector<analysis::ModelMode>& modes,
          const std::vector<MethodLimit>& limits, const std::string& model) {
  make_folder(folder);
  std::vector<StabilityFunction> orders, implicit;
  for (int order = 1; order <= 4; ++order)
    orders.push_back(analysis::runge_kutta_stability(fmt::format("order {}", order), order));
  const auto functions = analysis::stability_functions();
  for (const StabilityFunction& f : functions) {
    if (!f.is_explicit()) {
      implicit.push_back(f);
      continue;
    }
    const double reach = f.coefficients.size() > 3 ? 3.4 : 2.4;
    Plot plot = region_plot("Stable inside: " + f.method, {f}, -reach, 0.3 * reach, reach);
    for (const MethodLimit& l : limits)
      if (l.limit.method == f.method && l.limit.step_s > 0 && std::isfinite(l.limit.step_s))
        mark(plot, fmt::format("{}, h = {:.3g} s", model, l.limit.step_s), modes, l.limit.step_s, -reach,
             reach, 1);
    write_svg(plot, folder + "/stability-" + f.method + ".svg");
  }
  write_svg(region_plot("Stable inside: Runge-Kutta with as many stages as the order", orders, -3.4, 1, 3.4),
            folder + "/stability-runge-kutta.svg");
  write_svg(region_plot("Stable outside: implicit methods", implicit, -3, 8, 5.5),
            folder + "/stability-implicit.svg");
}

Json json_of(const std::optional<analysis::StepCheck>& c) {
  if (!c) return {};
  return {{"step_s", json_number(c->step_s)},
          {"steps", c->steps},
          {"predicted_growth", json_number(c->predicted)},
          {"measured_growth", json_number(c->measured)},
          {"grew", c->grew},
          {"unsteady", c->unsteady}};
}

void write_limits(const std::string& path, const Json& json) {
  if (std::filesystem::path(path).extension() == ".json") {
    io::write_text_file(path, json.dump(2) + "\n");
    return;
  }
  std::string text = "method,largest_step_s,real_per_s,imag_per_s,part,growth_below,growth_above\n";
  for (const Json& m : json["methods"]) {
    const auto growth = [&](const char* side) {
      return m[side].is_null() ? std::string() : m[side]["measured_growth"].dump();
    };
    text += fmt::format("{},{},{},{},\"{}\",{},{}\n", m["method"].get<std::string>(),
                        m["largest_step_s"].dump(), m["real_per_s"].dump(), m["imag_per_s"].dump(),
                        m["part"].get<std::string>(), growth("below"), growth("above"));
  }
  io::write_text_file(path, text);
}

int execute(const StabilityOptions& o) {
  const std::vector<StabilityFunction> functions = analysis::stability_functions();
  std::vector<analysis::ModelMode> modes;
  std::vector<MethodLimit> limits;
  std::string model, state;
  int growing = 0;
  if (!o.scenario.empty()) {
    const LinearModel m = linear_model(o.scenario, o.overrides, o.state);
    model = m.model().name;
    state = remark_on_state(m.l, m.run->state().t);
    modes = analysis::modes_of(m.model(), m.l);
    double largest = 0;
    for (const analysis::ModelMode& mode : modes) largest = std::max(largest, std::abs(mode.value.s));
    for (const analysis::ModelMode& mode : modes) growing += mode.value.s.real() > 1e-8 * largest ? 1 : 0;
    for (const StabilityFunction& f : functions)
      if (f.is_explicit()) limits.push_back(limit_of(m, modes, f, !o.no_run));
  } else if (o.plot.empty()) {
    throw UsageError("stability", "neither a model nor a folder for pictures is given",
                     "monocoque stability MODEL.yaml, or monocoque stability --plot FOLDER");
  }
  if (!o.plot.empty()) draw(o.plot, modes, limits, model);
  // A state that does not last for a step may part from its eigenvalues; one that lasts may not.
  bool agrees = true;
  std::string reasons;
  for (const MethodLimit& l : limits) {
    if (!l.below) continue;
    const bool same = !l.below->grew && l.above->grew;
    const bool exact = std::abs(l.above->measured - l.above->predicted) < kSameGrowth;
    if (same && exact) continue;
    if (l.above->unsteady.empty())
      agrees = agrees && same;
    else
      reasons += fmt::format(
          "{}: in a step of {:.3g} s {}: eigenvalues hold for an instant and need not tell what such a step "
          "does\n",
          l.limit.method, l.above->step_s, l.above->unsteady);
  }
  if (o.json || !o.output.empty()) {
    Json list = Json::array();
    for (const MethodLimit& l : limits)
      list.push_back({{"method", l.limit.method},
                      {"largest_step_s", json_number(l.limit.step_s)},
                      {"real_per_s", json_number(l.limit.lambda.real())},
                      {"imag_per_s", json_number(l.limit.lambda.imag())},
                      {"part", l.limit.mode < 0 ? "" : modes[static_cast<std::size_t>(l.limit.mode)].part},
                      {"below", json_of(l.below)},
                      {"above", json_of(l.above)}});
    const Json json{{"model", model}, {"growing_modes", growing}, {"methods", list}};
    if (!o.output.empty()) write_limits(o.output, json);
    if (o.json) {
      fmt::print("{}\n", json.dump(2));
      return agrees ? kSuccess : kAnswerIsNo;
    }
  }
  fmt::print("{}", state);
  for (const MethodLimit& l : limits) {
    if (l.limit.mode < 0) {
      fmt::print("{}: any step is stable\n", l.limit.method);
      continue;
    }
    const analysis::ModelMode& mode = modes[static_cast<std::size_t>(l.limit.mode)];
    if (l.limit.step_s == 0) {
      fmt::print("{}: no step is stable: an undamped oscillation of {:.5g} Hz ({})\n", l.limit.method,
                 mode.value.damped_Hz(), mode.part);
      continue;
    }
    fmt::print("{}: largest stable step {:.5g} s, set by {:.5g} {:+.5g} i 1/s ({})\n", l.limit.method,
               l.limit.step_s, mode.value.s.real(), mode.value.s.imag(), mode.part);
    if (!l.below && !o.no_run)
      fmt::print("  so little damped that steps beside the limit grow too slowly for a run to show\n");
    for (const auto& check : {l.below, l.above})
      if (check)
        fmt::print("  run with {:.5g} s, {} steps: growth in a step {:.6f}, predicted {:.6f}; {}\n",
                   check->step_s, check->steps, check->measured, check->predicted,
                   check->grew ? "unstable" : "stable");
  }
  if (growing > 0)
    fmt::print(
        "{} modes grow by themselves and were left out: small steps follow them, and do not stop them\n",
        growing);
  if (!o.quiet && o.plot.empty() && !o.scenario.empty())
    fmt::print(stderr, "next: --plot FOLDER draws the regions with the eigenvalues\n");
  fmt::print(stderr, "{}", reasons);
  if (!agrees)
    fmt::print(stderr, "the runs do not agree with the eigenvalues, though the state lasts for a step\n");
  return agrees ? kSuccess : kAnswerIsNo;
}

void declare(CLI::App& app, StabilityOptions& o) {
  add_model(app, o, ModelArgument::optional, "model or scenario (YAML); without one, only --plot");
  add_state(app, o.state);
  app.add_flag("--no-run", o.no_run, "without the runs just below and above the limits");
  add_output(app, o.output, "steps: .json or .csv");
  add_plot(app, o.plot, "folder for the stability regions (SVG)", "--pictures");
  add_print(app, o);
}

}  // namespace

Command stability_command() {
  return make_command("stability",
                      "largest stable step of each explicit method, from a model's eigenvalues and by runs",
                      declare, execute);
}

}  // namespace monocoque

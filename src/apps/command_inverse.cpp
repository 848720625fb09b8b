// `monocoque inverse`: forces for a prescribed motion, reactions and their spectra.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "analysis/statics/inverse.h"
#include "analysis/statics/start_file.h"
#include "apps/command.h"
#include "apps/common.h"
#include "apps/exit_status.h"
#include "apps/options.h"
#include "apps/ranges.h"
#include "io/files/text_source.h"
#include "results/svg_plot.h"

namespace monocoque {

namespace {

using Json = nlohmann::ordered_json;
using analysis::History;

struct InverseOptions : ModelOptions, ResultOptions {
  std::string run;  ///< result file whose motion is prescribed; empty: driven joints
  std::vector<std::string> drives, actuators, outputs;  ///< drives: JOINT=FORMULA
  std::optional<double> from_s, to_s, step_s;
  bool quasi_static = false, spectra = false;
};

std::vector<double> column_of(const History& h, std::size_t c) {
  std::vector<double> out;
  for (const auto& row : h.rows) out.push_back(row[c]);
  return out;
}

std::string history_csv(const History& h) {
  std::string out = "time [s]";
  for (const Channel& c : h.channels) out += fmt::format(",{} [{}]", c.path, c.unit);
  for (std::size_t i = 0; i < h.t.size(); ++i) {
    out += fmt::format("\n{:.9g}", h.t[i]);
    for (const double v : h.rows[i]) out += fmt::format(",{:.9g}", v);
  }
  return out + "\n";
}

std::string file_name(std::string path) {
  std::replace(path.begin(), path.end(), '/', '_');
  return path;
}

int execute(const InverseOptions& o) {
  const Overrides set = expand_overrides(o.overrides);
  io::ScenarioSpec spec = read_specification(o.scenario, set);
  solve_nominal(spec.model);
  for (const std::string& file : set.states) analysis::apply_start(spec.model, file);
  for (const std::string& text : o.drives) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos)
      throw Error("--drive", fmt::format("'{}' is not of the form JOINT=FORMULA", text),
                  "for example hinge=0.5*sin(2*t)");
    analysis::drive_joint(spec.model, text.substr(0, equals), text.substr(equals + 1));
  }
  const auto model = build_model(spec.model);
  History h;
  if (!o.run.empty()) {
    if (o.actuators.empty())
      throw Error("--actuators", "a recorded motion needs joints that bring it about", "name them");
    h = analysis::forces_of_run(*model, read_run(o.run), o.actuators);
  } else {
    const io::SimulationSpec& sim = spec.simulation;
    const double from = o.from_s.value_or(sim.start_s), to = o.to_s.value_or(sim.end_s);
    const double step = o.step_s.value_or(sim.output_step_s > 0 ? sim.output_step_s : (to - from) / 500);
    if (!(to > from))
      throw Error("--to", fmt::format("the end is {} s, it must be later than {} s", to, from));
    std::vector<double> times;
    for (int i = 0; from + i * step <= to + 1e-9 * step; ++i) times.push_back(from + i * step);
    std::vector<std::string> patterns = o.outputs;
    if (patterns.empty())
      for (const JointInstance& j : model->joints)
        if (j.joint->rows() > 0) patterns.push_back(j.name + "/reaction/*");
    h = o.quasi_static ? analysis::quasi_static(*model, times, patterns)
                       : analysis::inverse_dynamics(*model, times, patterns);
  }
  const bool spectra = o.spectra && h.t.size() > 4;
  const double sample = h.t.size() > 1 ? (h.t.back() - h.t.front()) / static_cast<double>(h.t.size() - 1) : 0;
  Json channels = Json::object();
  if (!o.plot.empty()) make_folder(o.plot);
  if (!o.json)
    fmt::print("{:<44}{:>6}{:>14}{:>14}{:>14}{}\n", "channel", "unit", "least", "most", "rms",
               spectra ? "    main frequency Hz (amplitude)" : "");
  for (std::size_t c = 0; c < h.channels.size(); ++c) {
    const std::vector<double> v = column_of(h, c);
    if (v.empty()) break;
    const auto [least, most] = std::minmax_element(v.begin(), v.end());
    double square = 0;
    for (const double x : v) square += x * x / static_cast<double>(v.size());
    Json entry = {{"unit", h.channels[c].unit},
                  {"least", json_number(*least)},
                  {"most", json_number(*most)},
                  {"rms", json_number(std::sqrt(square))},
                  {"values", v}};
    std::string main;
    if (spectra) {
      // The last instant of a whole number of periods repeats the first.
      const analysis::AmplitudeSpectrum s = analysis::amplitude_spectrum({v.begin(), v.end() - 1}, sample);
      const auto peak = std::max_element(s.amplitude.begin(), s.amplitude.end());
      const auto at = static_cast<std::size_t>(peak - s.amplitude.begin());
      main = fmt::format("    {:.4g} ({:.5g})", s.frequency_Hz[at], *peak);
      entry["frequency_Hz"] = s.frequency_Hz;
      entry["amplitude"] = s.amplitude;
      if (!o.plot.empty() && *peak > 1e-9) {
        Plot plot{h.channels[c].path + ": amplitudes", "frequency / Hz", h.channels[c].unit, {}};
        PlotSeries series;
        series.x = s.frequency_Hz;
        series.y = s.amplitude;
        plot.series.push_back(series);
        write_svg(plot, fmt::format("{}/spectrum-{}.svg", o.plot, file_name(h.channels[c].path)));
      }
    }
    channels[h.channels[c].path] = entry;
    if (!o.plot.empty() && *most - *least > 1e-9) {
      Plot plot{h.channels[c].path, "t / s", h.channels[c].unit, {}};
      PlotSeries series;
      series.x = h.t;
      series.y = v;
      plot.series.push_back(series);
      write_svg(plot, fmt::format("{}/{}.svg", o.plot, file_name(h.channels[c].path)));
    }
    if (!o.json)
      fmt::print("{:<44}{:>6}{:>14.6g}{:>14.6g}{:>14.6g}{}\n", h.channels[c].path, h.channels[c].unit, *least,
                 *most, std::sqrt(square), main);
  }
  if (!o.output.empty()) io::write_text_file(o.output, history_csv(h));
  if (!o.plot.empty()) io::write_text_file(o.plot + "/inverse.csv", history_csv(h));
  if (o.json)
    fmt::print("{}\n", Json{{"model", model->name},
                            {"t_s", h.t},
                            {"channels", channels},
                            {"left", json_number(h.largest_left)},
                            {"end", h.end}}
                           .dump(1));
  else if (!o.run.empty())
    fmt::print("left unexplained: {:.3g} N or Nm\n", h.largest_left);
  if (!h.end.empty()) fmt::print(stderr, "{}\n", h.end);
  if (!o.quiet)
    fmt::print(stderr,
               "next: -o FILE.csv for the histories, --plot FOLDER for curves, --spectra for frequencies\n");
  return h.end.empty() ? kSuccess : kNumerics;
}

void declare(CLI::App& app, InverseOptions& o) {
  add_model(app, o);
  CLI::Option* run = app.add_option("--run", o.run, "result file (HDF5) whose motion is prescribed");
  app.add_option("--drive", o.drives, "JOINT=FORMULA of t, of a revolute or prismatic joint; repeatable")
      ->take_all()
      ->excludes(run);
  app.add_option("--actuators", o.actuators, "with --run: joints that have to bring the motion about")
      ->delimiter(',');
  app.add_option("--from", o.from_s, "s; start of the scenario");
  app.add_option("--to", o.to_s, "s; end of the scenario");
  app.add_option("--step", o.step_s, "s; output step of the scenario")->check(CLI::PositiveNumber);
  app.add_flag("--quasi-static", o.quasi_static, "without inertia forces: equilibrium at every instant");
  app.add_option("--outputs", o.outputs, "channel patterns with *; reactions of joints")->take_all();
  app.add_flag("--spectra", o.spectra, "amplitude spectra of the outputs");
  add_results(app, o, "histories (CSV)", "folder for figures (SVG) and histories (CSV)");
}

}  // namespace

Command inverse_command() {
  return make_command("inverse", "forces for a prescribed motion, joint reactions and their spectra", declare,
                      execute);
}

}  // namespace monocoque

// `monocoque locus`: eigenvalues over a parameter, with its critical values.

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "analysis/linear/locus.h"
#include "apps/command.h"
#include "apps/exit_status.h"
#include "apps/linear_commands.h"
#include "apps/options.h"
#include "io/files/text_source.h"
#include "results/svg_plot.h"

namespace monocoque {

namespace {

using Json = nlohmann::ordered_json;

struct LocusOptions : ModelOptions, ResultOptions {
  std::string over;
  StateOptions state;
  double frequency_limit_Hz = 0;  ///< of what is shown; 0: all
};

struct Sweep {
  std::string path;
  std::vector<double> values;
};

/// path=from:to:count, or path=a,b,c
Sweep sweep_of(const std::string& text) {
  const auto complain = [&](const std::string& problem) {
    throw Error("--over", fmt::format("'{}': {}", text, problem),
                "for example --over parameters.speed_m_per_s=5:40:8 (from, to, how many)");
  };
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) complain("is not of the form path=from:to:count");
  Sweep out;
  out.path = text.substr(0, equals);
  const bool range = text.find(':', equals) != std::string::npos;
  std::vector<double> numbers;
  for (std::size_t at = equals + 1; at <= text.size();) {
    const std::size_t end = std::min(text.find(range ? ':' : ',', at), text.size());
    const std::string word = text.substr(at, end - at);
    char* rest = nullptr;
    const double v = std::strtod(word.c_str(), &rest);
    if (word.empty() || *rest != '\0' || !std::isfinite(v)) complain(fmt::format("'{}' is no number", word));
    numbers.push_back(v);
    at = end + 1;
  }
  if (!range) {
    out.values = numbers;
  } else {
    if (numbers.size() != 3 || numbers[2] < 2 || numbers[2] > 1000 || numbers[2] != std::floor(numbers[2]))
      complain("needs from:to:count with a count of 2 to 1000");
    const int n = static_cast<int>(numbers[2]);
    for (int k = 0; k < n; ++k) out.values.push_back(numbers[0] + (numbers[1] - numbers[0]) * k / (n - 1));
  }
  for (std::size_t i = 2; i < out.values.size(); ++i)
    if ((out.values[i] - out.values[i - 1]) * (out.values[1] - out.values[0]) <= 0)
      complain("values must rise or fall");
  return out;
}

std::string csv_of(const Sweep& sweep, const analysis::Locus& locus) {
  std::string out =
      fmt::format("\"{}\",curve,real_per_s,imag_per_s,frequency_Hz,damping_ratio,part\n", sweep.path);
  for (const analysis::LocusPoint& p : locus.points)
    for (std::size_t i = 0; i < p.modes.size(); ++i) {
      const analysis::Eigenvalue& e = p.modes[i].value;
      out += fmt::format("{:.12g},{},{:.12g},{:.12g},{:.12g},{:.12g},\"{}\"\n", p.value,
                         p.track[i] < 0 ? std::string() : std::to_string(p.track[i] + 1), e.s.real(),
                         e.s.imag(), e.undamped_Hz(), e.damping_ratio(), p.modes[i].part);
    }
  return out;
}

/// Curves in the plane of eigenvalues within a band of frequencies; crosses where they begin would hide
/// little, so only points mark the values.
Plot picture_of(const Sweep& sweep, const analysis::Locus& locus, const std::string& model,
                double limit_per_s) {
  Plot plot{fmt::format("{}: eigenvalues over {}", model, sweep.path),
            "real part / 1/s",
            "imaginary part / 1/s",
            {}};
  plot.height = 560;
  for (int track = 0; track < locus.tracks; ++track) {
    PlotSeries line;
    for (const analysis::LocusPoint& p : locus.points)
      for (std::size_t i = 0; i < p.modes.size(); ++i)
        if (p.track[i] == track && std::abs(p.modes[i].value.s) <= limit_per_s) {
          line.x.push_back(p.modes[i].value.s.real());
          line.y.push_back(p.modes[i].value.s.imag());
        }
    if (line.x.empty()) continue;
    line.color = track % kPlotColors;
    PlotSeries points = line;
    points.points_only = true;
    plot.series.push_back(std::move(line));
    plot.series.push_back(std::move(points));
  }
  PlotSeries begin, critical;
  begin.name = fmt::format("{} = {:.6g}", sweep.path, sweep.values.front());
  begin.points_only = critical.points_only = true;
  begin.color = 7;
  for (const analysis::ModelMode& m : locus.points.front().modes)
    if (m.value.s != 0.0 && std::abs(m.value.s) <= limit_per_s) {
      begin.x.push_back(m.value.s.real());
      begin.y.push_back(m.value.s.imag());
    }
  critical.name = "critical";
  critical.color = 1;
  for (const analysis::Crossing& c : locus.crossings) {
    critical.x.push_back(c.s.real());
    critical.y.push_back(c.s.imag());
  }
  plot.series.push_back(std::move(begin));
  if (!critical.x.empty()) plot.series.push_back(std::move(critical));
  return plot;
}

int execute(const LocusOptions& o) {
  const Sweep sweep = sweep_of(o.over);
  std::string model, state;
  const auto modes_at = [&](double value) {
    std::vector<std::string> overrides = o.overrides;
    overrides.push_back(fmt::format("{}={:.17g}", sweep.path, value));
    const LinearModel m = linear_model(o.scenario, overrides, o.state);
    model = m.model().name;
    state = kind_of_state(m.l);
    if (!o.quiet && progress_wanted()) fmt::print(stderr, "\r{} = {:.9g}   ", sweep.path, value);
    return analysis::modes_of(m.model(), m.l);
  };
  const analysis::Locus locus = analysis::trace_locus(modes_at, sweep.values);
  if (!o.quiet && progress_wanted()) fmt::print(stderr, "\n");
  const double limit =
      o.frequency_limit_Hz > 0 ? o.frequency_limit_Hz * analysis::Eigenvalue::kTwoPi : INFINITY;
  if (!o.output.empty()) io::write_text_file(o.output, csv_of(sweep, locus));
  if (!o.plot.empty()) write_svg(picture_of(sweep, locus, model, limit), figure_path(o.plot, "locus.svg"));
  if (o.json) {
    Json points = Json::array(), crossings = Json::array();
    for (const analysis::LocusPoint& p : locus.points) {
      Json modes = Json::array();
      for (std::size_t i = 0; i < p.modes.size(); ++i) {
        if (std::abs(p.modes[i].value.s) > limit) continue;
        Json j = json_of_eigenvalue(p.modes[i].value);
        j["curve"] = p.track[i] < 0 ? Json() : Json(p.track[i] + 1);
        j["part"] = p.modes[i].part;
        modes.push_back(std::move(j));
      }
      points.push_back({{"value", json_number(p.value)}, {"growing_modes", p.growing}, {"modes", modes}});
    }
    for (const analysis::Crossing& c : locus.crossings)
      crossings.push_back({{"value", json_number(c.value)},
                           {"real_per_s", json_number(c.s.real())},
                           {"imag_per_s", json_number(c.s.imag())},
                           {"part", c.part},
                           {"growing_before", c.before},
                           {"growing_after", c.after}});
    const Json json = {{"model", model},
                       {"parameter", sweep.path},
                       {"state", state},
                       {"points", points},
                       {"crossings", crossings}};
    fmt::print("{}\n", json.dump(2));
    return 0;
  }
  fmt::print("{}, {}; modes by curve\n", model, state);
  for (int track = 0; track < locus.tracks; ++track) {
    std::string text;
    for (const analysis::LocusPoint& p : locus.points)
      for (std::size_t i = 0; i < p.modes.size(); ++i)
        if (p.track[i] == track && std::abs(p.modes[i].value.s) <= limit)
          text +=
              fmt::format("  {:12.6g}  {}  {}\n", p.value, eigenvalue_row(p.modes[i].value), p.modes[i].part);
    if (!text.empty())
      fmt::print("curve {}\n{:>14}  {}part\n{}", track + 1, "value", eigenvalue_heading(), text);
  }
  for (const analysis::Crossing& c : locus.crossings)
    fmt::print("critical: {} = {:.7g}, {} growing modes before, {} after; {} at {:.4g} Hz\n", sweep.path,
               c.value, c.before, c.after, c.part, c.s.imag() / analysis::Eigenvalue::kTwoPi);
  if (locus.crossings.empty())
    fmt::print("no critical value: {} growing modes at all values\n", locus.points.front().growing);
  if (!o.quiet && o.plot.empty())
    fmt::print(stderr, "next: --plot FOLDER draws the curves; --frequency-limit leaves out the fast ones\n");
  return 0;
}

void declare(CLI::App& app, LocusOptions& o) {
  add_model(app, o);
  app.add_option("--over", o.over, "path=from:to:count or path=a,b,c, e.g. parameters.speed_m_per_s=5:40:8")
      ->required();
  add_state(app, o.state);
  app.add_option("--frequency-limit", o.frequency_limit_Hz, "show only modes up to here, Hz")
      ->check(CLI::PositiveNumber);
  add_results(app, o, "all modes (CSV)", "folder for the curves (locus.svg)");
}

}  // namespace

Command locus_command() {
  return make_command("locus", "eigenvalues of a model over a parameter, and its critical values", declare,
                      execute);
}

}  // namespace monocoque

// `monocoque nominal`: values that make the reference position an equilibrium.

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "apps/command.h"
#include "apps/common.h"
#include "apps/exit_status.h"
#include "apps/options.h"
#include "apps/ranges.h"
#include "integrate/trim.h"
#include "io/files/text_source.h"
#include "results/svg_plot.h"

namespace monocoque {

namespace {

struct NominalOptions : ModelOptions, ResultOptions {
  std::vector<std::string> unknowns, unloaded;  ///< beside those of the model
  std::optional<double> alpha;                  ///< of the regularisation
  bool least_squares = false;
};

/// "FL/spring.preload_N" and "mount.preload_N.z" share a unit, so they share a scale.
std::string nominal_field(const std::string& target) {
  const std::size_t dot = target.find('.');
  return dot == std::string::npos ? target : target.substr(dot + 1, target.find('.', dot + 1) - dot - 1);
}

/// One bar per value, beside a thin one for what it was before; each field has a scale of its own.
std::string nominal_bars(const std::string& model, const std::vector<NominalValue>& values) {
  constexpr int kRow = 24, kTop = 56, kLabel = 280, kHalf = 170, kWidth = kLabel + 2 * kHalf + 150;
  std::map<std::string, double> largest;
  for (const NominalValue& v : values) {
    double& most = largest[nominal_field(v.target)];
    most = std::max({most, std::abs(v.value), std::abs(v.before)});
  }
  const int height = kTop + kRow * static_cast<int>(values.size()) + 16, zero = kLabel + kHalf;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n"
      "<text x=\"16\" y=\"24\" font-size=\"15\">{2}: nominal values</text>\n"
      "<text x=\"16\" y=\"42\" fill=\"#555\">thin: before; bars of one field share a scale</text>\n"
      "<line x1=\"{3}\" x2=\"{3}\" y1=\"{4}\" y2=\"{5}\" stroke=\"#888\"/>\n",
      kWidth, height, escape_markup(model), zero, kTop - 4, height - 12);
  int y = kTop;
  for (const NominalValue& v : values) {
    const double scale = largest[nominal_field(v.target)];
    const auto bar = [&](double value, int down, int thick, const char* color) {
      const double length = scale > 0 ? kHalf * value / scale : 0;
      out += fmt::format("<rect x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\" fill=\"{}\"/>\n",
                         zero + std::min(0.0, length), y + down, std::abs(length), thick, color);
    };
    bar(v.value, 2, 11, plot_color(0));
    bar(v.before, 14, 4, "#aaa");
    out += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n", kLabel - 8, y + 13,
                       escape_markup(v.target));
    out += fmt::format("<text x=\"{}\" y=\"{}\">{:.6g}</text>\n", kLabel + 2 * kHalf + 12, y + 13, v.value);
    y += kRow;
  }
  return out + "</svg>\n";
}

/// The fields with the values found, as lines for --set @FILE: of a vector all three components.
std::string set_lines(const io::ModelSpec& spec) {
  std::set<std::string> lines;
  for (const io::NominalSpec::Unknown& unknown : spec.nominal.unknowns)
    for (const std::string& target : unknown.targets) {
      const std::string name = target.substr(0, target.find('.')), field = nominal_field(target);
      for (const io::InteractSpec& s : spec.interacts) {
        if (s.name != name) continue;
        const auto& entry = s.parameters.entries.at(field);
        lines.insert(entry.list.empty() ? fmt::format("interacts.{}.{}={:.17g}\n", name, field, entry.number)
                                        : fmt::format("interacts.{}.{}=[{:.17g}]\n", name, field,
                                                      fmt::join(entry.list, ", ")));
      }
    }
  return fmt::format("{}", fmt::join(lines, ""));
}

int execute(const NominalOptions& o) {
  using Json = nlohmann::ordered_json;
  io::ScenarioSpec spec = read_specification(o.scenario, o.overrides);
  TrimOptions options;
  if (o.alpha) options.alpha = *o.alpha;
  options.least_squares = o.least_squares;
  options.unloaded = o.unloaded;
  for (const std::string& text : o.unknowns) {
    options.unknowns.emplace_back(1);
    for (const char c : text)
      if (c == ',')
        options.unknowns.back().emplace_back();
      else
        options.unknowns.back().back() += c;
  }
  const TrimReport report = solve_trim(spec.model, options);
  if (!o.output.empty()) {
    io::write_text_file(o.output, set_lines(spec.model));
  }
  if (!o.plot.empty())
    io::write_text_file(figure_path(o.plot, "nominal.svg"), nominal_bars(spec.model.name, report.values));
  if (o.json) {
    Json values = Json::object();
    for (const NominalValue& v : report.values)
      values[v.target] = {{"before", json_number(v.before)}, {"value", json_number(v.value)}};
    fmt::print("{}\n", Json{{"model", spec.model.name},
                            {"values", values},
                            {"residual", json_number(report.residual)},
                            {"alpha", options.alpha},
                            {"iterations", report.iterations},
                            {"undetermined", report.undetermined},
                            {"combinations", report.combinations}}
                           .dump(2));
    return 0;
  }
  fmt::print("{}: {} values, {:.2e} N or Nm left after {} iterations, alpha = {:g}\n", spec.model.name,
             report.values.size(), report.residual, report.iterations, options.alpha);
  fmt::print("{:<40}{:>16}{:>16}\n", "value", "before", "chosen");
  for (const NominalValue& v : report.values)
    fmt::print("{:<40}{:>16.9g}{:>16.9g}\n", v.target, v.before, v.value);
  for (const std::string& c : report.combinations)
    fmt::print("not determined, the smallest values are taken: {}\n", c);
  if (!o.quiet)
    fmt::print(stderr, "next: monocoque equilibrium {}{}\n", o.scenario,
               o.output.empty() ? "" : " --set @" + o.output);
  return 0;
}

void declare(CLI::App& app, NominalOptions& o) {
  add_model(app, o);
  app.add_option("--unknown", o.unknowns, "INTERACT.field, several with commas: all get one value")
      ->take_all();
  app.add_option("--unloaded", o.unloaded, "joints that carry nothing")->delimiter(',');
  app.add_option("--alpha", o.alpha, "of the regularisation |f| + alpha |theta|; 1e-6")
      ->check(CLI::NonNegativeNumber);
  app.add_flag("--least-squares", o.least_squares, "values that balance best where none balance");
  add_results(app, o, "the values as lines PATH=VALUE, for --set @FILE",
              "folder for bars of the values before and after (nominal.svg)");
}

}  // namespace

Command nominal_command() {
  return make_command("nominal", "preloads and other values that make the reference position an equilibrium",
                      declare, execute);
}

}  // namespace monocoque

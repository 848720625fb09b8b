// `monocoque nominal`: values that make the reference position an equilibrium.

#include <fmt/format.h>

#include "apps/analysis_commands.h"
#include "apps/common.h"
#include "apps/ranges.h"
#include "elements/registry.h"
#include "integrate/trim.h"
#include "io/text_source.h"

namespace monocoque {

int command_nominal(const NominalCommand& o) {
  using Json = nlohmann::ordered_json;
  Diagnostics diagnostics;
  io::ScenarioSpec spec =
      io::read_scenario(o.scenario, element_library(), read_options(o.overrides), diagnostics);
  diagnostics.throw_if_errors();
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
    std::string lines;
    for (std::size_t i = 0; i < report.values.size(); ++i)
      for (const std::string& target : spec.model.nominal.unknowns[i].targets)
        lines += fmt::format("interacts.{}={:.17g}\n", target, report.values[i].value);
    io::write_text_file(o.output, lines);
  }
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
  if (!o.quiet) fmt::print(stderr, "next: monocoque equilibrium {}\n", o.scenario);
  return 0;
}

}  // namespace monocoque

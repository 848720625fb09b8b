#include <algorithm>
#include <fstream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "apps/command.h"
#include "apps/exit_status.h"
#include "apps/options.h"
#include "apps/reproduce/reproduction.h"
#include "core/error_kinds.h"

namespace monocoque {

namespace {

struct ReproduceOptions : PrintOptions {
  std::string name;    ///< empty: list them
  std::string output;  ///< folder of plots and tables
  bool quick = false;
};

std::string table(const Experiment& experiment, const Reproduction& r) {
  std::array<std::size_t, 4> width{8, 9, 8, 5};
  for (const ReproductionRow& row : r.rows()) {
    width[0] = std::max(width[0], row.quantity.size());
    width[1] = std::max(width[1], row.published.size());
    width[2] = std::max(width[2], row.measured.size());
    width[3] = std::max(width[3], row.bound.size());
  }
  const auto line = [&](const std::string& a, const std::string& b, const std::string& c,
                        const std::string& d, const std::string& verdict) {
    return fmt::format("| {:<{}} | {:<{}} | {:<{}} | {:<{}} | {:<6} |\n", a, width[0], b, width[1], c,
                       width[2], d, width[3], verdict);
  };
  std::string out = fmt::format("{}: {} ({})\n\n", experiment.name, experiment.doc, experiment.source);
  out += line("quantity", "published", "measured", "bound", "");
  out += fmt::format("|{:-<{}}|{:-<{}}|{:-<{}}|{:-<{}}|{:-<8}|\n", "", width[0] + 2, "", width[1] + 2, "",
                     width[2] + 2, "", width[3] + 2, "");
  for (const ReproductionRow& row : r.rows())
    out += line(row.quantity, row.published, row.measured, row.bound,
                row.bound.empty() ? ""
                : row.met         ? "met"
                                  : "MISSED");
  return out;
}

nlohmann::ordered_json as_json(const Experiment& experiment, const Reproduction& r) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const ReproductionRow& row : r.rows())
    rows.push_back({{"quantity", row.quantity},
                    {"published", row.published},
                    {"measured", row.measured},
                    {"bound", row.bound},
                    {"met", row.met}});
  return {{"experiment", experiment.name},
          {"source", experiment.source},
          {"met", r.met()},
          {"rows", rows},
          {"plots", r.plots()}};
}

const Experiment& find(const std::string& name) {
  std::vector<std::string> names;
  for (const Experiment& e : experiments()) {
    if (e.name == name) return e;
    names.push_back(e.name);
  }
  throw UsageError("reproduce", fmt::format("there is no experiment '{}'", name),
                   fmt::format("{} known: {}", suggestion(name, names), fmt::join(names, ", ")));
}

int execute(const ReproduceOptions& c) {
  if (c.name.empty()) {
    for (const Experiment& e : experiments()) fmt::print("{:<18} {} ({})\n", e.name, e.doc, e.source);
    return 0;
  }
  const Experiment& experiment = find(c.name);
  const std::string folder = c.output.empty() ? "out/reproduce/" + c.name : c.output;
  catch_interrupts();
  Reproduction r(folder, c.quick);
  experiment.run(r);
  const std::string text = table(experiment, r);
  std::ofstream(r.file("table.md")) << text;
  std::ofstream(r.file("table.json")) << as_json(experiment, r).dump(2) << '\n';
  if (c.json) {
    fmt::print("{}\n", as_json(experiment, r).dump(2));
  } else {
    fmt::print("{}", text);
    if (!c.quiet) fmt::print(stderr, "plots and table: {}\n", folder);
  }
  return r.met() ? kSuccess : kAnswerIsNo;
}

void declare(CLI::App& app, ReproduceOptions& o) {
  app.add_option("name", o.name, "of the experiment");
  app.add_option("-o,--output", o.output, "folder; default: out/reproduce/NAME");
  app.add_flag("--quick", o.quick, "a shorter run, for tests");
  add_print(app, o, "print the table as JSON");
}

}  // namespace

Command reproduce_command() {
  return make_command("reproduce", "run a published experiment again and compare; without a name, list them",
                      declare, execute);
}

}  // namespace monocoque

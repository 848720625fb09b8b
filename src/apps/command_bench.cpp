#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "apps/bench/bench.h"
#include "apps/command.h"
#include "apps/exit_status.h"
#include "apps/options.h"
#include "core/error_kinds.h"
#include "io/files/text_source.h"

namespace monocoque {

namespace {

constexpr const char* kBegin = "<!-- monocoque bench: begin -->";
constexpr const char* kEnd = "<!-- monocoque bench: end -->";

bool is_model(const std::string& name) {
  return name.ends_with(".yaml") || name.ends_with(".yml");
}

std::vector<const bench::Part*> chosen(const std::vector<std::string>& names) {
  std::vector<const bench::Part*> out;
  std::vector<std::string> known;
  for (const bench::Part& part : bench::parts()) known.push_back(part.name);
  for (const std::string& name : names)
    if (!is_model(name) && std::find(known.begin(), known.end(), name) == known.end())
      throw UsageError("bench", fmt::format("there is no part '{}'", name),
                       fmt::format("{} parts: {}; or the file of a model (.yaml)", suggestion(name, known),
                                   fmt::join(known, ", ")));
  for (const bench::Part& part : bench::parts())
    if (names.empty() || std::find(names.begin(), names.end(), part.name) != names.end())
      out.push_back(&part);
  return out;
}

std::string figures_table(const Reproduction& r) {
  bench::Table table{"Bounds", {"quantity", "dissertation", "measured", "bound", "verdict"}, {}, {}};
  for (const ReproductionRow& row : r.rows())
    table.add({row.quantity, row.published, row.measured, row.bound.empty() ? "-" : row.bound,
               row.bound.empty() ? "-"
               : row.met         ? "met"
                                 : "MISSED"});
  return table.rows.empty() ? std::string() : table.markdown();
}

std::string page(const bench::Bench& b, const Reproduction& r) {
  const nlohmann::ordered_json m = bench::machine();
  std::string out = fmt::format(
      "Written by `monocoque bench`{}. {} ({} cores), {}, {}, commit {}. Times are thread CPU time of the "
      "step, best of several runs.\n\n",
      b.quick() ? " --quick" : "", m["processor"].get<std::string>(), m["cores"].get<long>(),
      m["compiler"].get<std::string>(), m["flags"].get<std::string>(), m["commit"].get<std::string>());
  out += figures_table(r);
  for (const bench::Table& table : b.tables()) out += fmt::format("\n{}", table.markdown());
  return out;
}

nlohmann::ordered_json as_json(const bench::Bench& b, const Reproduction& r) {
  using Json = nlohmann::ordered_json;
  Json tables = Json::array(), bounds = Json::array();
  for (const bench::Table& table : b.tables()) tables.push_back(table.json());
  for (const ReproductionRow& row : r.rows())
    bounds.push_back({{"quantity", row.quantity},
                      {"published", row.published},
                      {"measured", row.measured},
                      {"bound", row.bound},
                      {"met", row.met}});
  return {{"machine", bench::machine()},
          {"quick", b.quick()},
          {"met", r.met()},
          {"bounds", bounds},
          {"tables", tables},
          {"plots", r.plots()}};
}

/// Replaces what stands between the two marks; a file without them, or none, gets them.
void write_page(const std::string& path, const std::string& text) {
  const std::string block = fmt::format("{}\n{}{}\n", kBegin, text, kEnd);
  std::string old;
  if (std::filesystem::exists(path)) old = io::read_text_file(path);
  const std::size_t begin = old.find(kBegin), end = old.find(kEnd);
  if (begin == std::string::npos || end == std::string::npos || end < begin) {
    io::write_text_file(path, (old.empty() ? "# Benchmarks\n\n" : old + "\n") + block);
    return;
  }
  const std::size_t after = std::min(old.size(), end + std::string(kEnd).size() + 1);
  io::write_text_file(path, old.substr(0, begin) + block + old.substr(after));
}

int execute(const BenchOptions& c) {
  const std::vector<const bench::Part*> wanted = chosen(c.parts);
  const std::string folder = c.output.empty() ? "out/bench" : c.output;
  catch_interrupts();
  Reproduction figures(folder, c.quick);
  bench::Bench b(c, figures);
  for (const bench::Part* part : wanted) part->run(b);
  for (const std::string& name : c.parts)
    if (is_model(name)) bench::one_model(b, name);
  const std::string text = page(b, figures), json = as_json(b, figures).dump(2);
  io::write_text_file(figures.file("bench.md"), text);
  io::write_text_file(figures.file("bench.json"), json + "\n");
  if (!c.docs.empty()) write_page(c.docs, text);
  fmt::print("{}\n", c.json ? json : text);
  if (!c.json && !c.quiet) fmt::print(stderr, "plots, page and JSON: {}\n", folder);
  return figures.met() ? kSuccess : kAnswerIsNo;
}

void declare(CLI::App& app, BenchOptions& o) {
  app.add_option("parts", o.parts,
                 "table, modes, units, step-size, solve, phases, frontier, spread, or the file of a model "
                 "(YAML); default: all but a model");
  app.add_option("--solver", o.solvers, "only these methods")->delimiter(',');
  app.add_option("--step", o.steps_s, "only these steps, s")->delimiter(',')->check(CLI::PositiveNumber);
  app.add_option("--jacobian", o.jacobians, "only these Jacobians")->delimiter(',');
  app.add_option("--linear-solver", o.linear_solver, "structured, sparse, dense or auto");
  app.add_option("--manoeuvre", o.manoeuvres, "of the frontier: only these")->delimiter(',');
  app.add_option("--steps", o.steps, "number of steps measured, for a model; 1000")
      ->check(CLI::PositiveNumber);
  app.add_option("--state", o.state, "file for the last state, for a model");
  add_set(app, o.overrides);
  app.add_option("-o,--output", o.output, "folder of plots, page and JSON; out/bench");
  app.add_option("--docs", o.docs, "page whose marked part is written anew");
  app.add_flag("--quick", o.quick, "shorter and fewer runs");
  add_print(app, o);
}

}  // namespace

Command bench_command() {
  return make_command("bench", "cost of a step and accuracy for it, of this program's models or of yours",
                      declare, execute);
}

}  // namespace monocoque

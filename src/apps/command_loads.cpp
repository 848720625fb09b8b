// `monocoque loads`: loads on the nodes of a flexible part for finite-element and fatigue programs.

#include <algorithm>
#include <cmath>
#include <fstream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "apps/command.h"
#include "apps/exit_status.h"
#include "apps/mesh_loading.h"
#include "apps/options.h"
#include "apps/signal_output.h"
#include "core/error.h"
#include "io/files/text_source.h"
#include "results/load_export.h"
#include "results/svg_plot.h"

namespace monocoque {

namespace {

struct LoadsOptions : ResultOptions {
  SignalChoice choice;
  std::string part, format = "csv", units = "m-kg-s";
  std::vector<std::string> nodes;
  long first_id = 1000;
  bool from_zero = false;
};

constexpr const char* kLoadNames[6] = {"force_x", "force_y", "force_z", "torque_x", "torque_y", "torque_z"};

double largest_of(const RunData& run, const PartLoads& loads, Eigen::Index column) {
  double out = 0;
  for (const Eigen::Index r : loads.rows) out = std::max(out, std::abs(run.data(r, column)));
  return out;
}

/// Sizes of the force and the torque on the nodes that carry most, one above the other.
void plot_loads(const RunData& run, const PartLoads& loads, const std::string& path) {
  constexpr std::size_t kShown = 6;  // more lines than that nobody tells apart
  std::vector<Plot> plots{
      {fmt::format("loads on nodes of {}: those that carry most of {}", loads.part, loads.nodes.size()),
       "time [s]",
       "force [N]",
       {}},
      {"", "time [s]", "torque [N m]", {}}};
  for (int half = 0; half < 2; ++half) {
    std::vector<std::pair<double, PlotSeries>> found;
    for (const NodeHistory& n : loads.nodes) {
      PlotSeries s;
      s.name = fmt::format("node {}", n.id);
      double most = 0;
      for (const Eigen::Index r : loads.rows) {
        double squares = 0;
        for (int c = 3 * half; c < 3 * half + 3; ++c)
          if (n.columns[c] >= 0) squares += run.data(r, n.columns[c]) * run.data(r, n.columns[c]);
        s.x.push_back(run.time[r]);
        s.y.push_back(std::sqrt(squares));
        most = std::max(most, squares);
      }
      if (most > 0) found.emplace_back(most, std::move(s));
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    for (std::size_t i = 0; i < found.size() && i < kShown; ++i)
      plots[static_cast<std::size_t>(half)].series.push_back(std::move(found[i].second));
  }
  if (plots[1].series.empty()) plots.pop_back();
  io::write_text_file(path, stacked_svg(plots));
}

int execute(const LoadsOptions& o) {
  const RunFile source(o.choice.run);
  note_on_run(o.choice.run, source);
  // Of other parts the names alone, for the complaint about a wrong one.
  std::vector<Eigen::Index> wanted;
  for (std::size_t k = 0; k < source.channels().size(); ++k)
    if (source.channels()[k].path.compare(0, o.part.size() + 1, o.part + "/") == 0)
      wanted.push_back(static_cast<Eigen::Index>(k));
  const bool loaded = std::any_of(wanted.begin(), wanted.end(), [&](Eigen::Index k) {
    return source.channels()[static_cast<std::size_t>(k)].path.compare(0, o.part.size() + 6,
                                                                       o.part + "/node_") == 0;
  });
  const RunData run = loaded ? source.with_columns(wanted) : source.names();
  LoadExportOptions options;
  for (const std::string& text : o.nodes) options.nodes.push_back(node_id(text));
  if (o.choice.from_s) options.from_s = *o.choice.from_s;
  if (o.choice.to_s) options.to_s = *o.choice.to_s;
  options.from_zero = o.from_zero;
  options.units = units_from(o.units);
  options.first_id = o.first_id;
  const PartLoads loads = part_loads(run, o.part, options);
  if (!o.output.empty()) {
    std::ofstream file(o.output, std::ios::binary);
    if (o.format == "nastran")
      write_loads_nastran(run, loads, options, file);
    else if (o.format == "abaqus")
      write_loads_abaqus(run, loads, options, file);
    else
      write_loads_csv(run, loads, options, file);
    if (!file.flush())
      throw SystemError(Place{o.output}, "loads", "the file cannot be written",
                        "check the folder and the free space");
  }
  if (!o.plot.empty()) plot_loads(run, loads, figure_path(o.plot, "loads.svg"));
  if (o.json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const NodeHistory& n : loads.nodes) {
      nlohmann::ordered_json row{{"node", n.id}};
      for (int c = 0; c < 6; ++c)
        if (n.columns[c] >= 0)
          row[fmt::format("largest_{}", kLoadNames[c])] = largest_of(run, loads, n.columns[c]);
      list.push_back(row);
    }
    fmt::print("{}\n", nlohmann::ordered_json{{"run", o.choice.run},
                                              {"part", o.part},
                                              {"instants", loads.rows.size()},
                                              {"stress_channels", loads.stresses.size()},
                                              {"nodes", list},
                                              {"file", o.output}}
                           .dump(2));
    return 0;
  }
  fmt::print("largest loads on nodes of {}, N and N m, {} instants\n{:>9}", o.part, loads.rows.size(),
             "node");
  for (const char* name : kLoadNames) fmt::print("{:>13}", name);
  fmt::print("\n");
  for (const NodeHistory& n : loads.nodes) {
    fmt::print("{:>9}", n.id);
    for (int c = 0; c < 6; ++c)
      fmt::print("{:13.6g}", n.columns[c] >= 0 ? largest_of(run, loads, n.columns[c]) : 0.0);
    fmt::print("\n");
  }
  if (o.quiet) return kSuccess;
  if (o.output.empty())
    fmt::print(stderr, "next: the histories: -o FILE with --format csv, nastran or abaqus\n");
  else if (o.format != "csv" && !loads.stresses.empty())
    fmt::print(stderr, "{} stress channels are in --format csv only\n", loads.stresses.size());
  return 0;
}

void declare(CLI::App& app, LoadsOptions& o) {
  add_signal_choice(app, o.choice);
  app.add_option("part", o.part, "name of the part")->required();
  app.add_option("--nodes", o.nodes, "ids; default: all that carry loads")->delimiter(',');
  app.add_option("--format", o.format, "csv, nastran or abaqus (CalculiX)")
      ->check(CLI::IsMember({"csv", "nastran", "abaqus"}));
  app.add_option("--units", o.units, "of the file, length-mass-time, e.g. mm-t-s");
  app.add_option("--first-id", o.first_id, "Nastran: number of DLOAD, those of the sets and tables follow");
  app.add_flag("--from-zero", o.from_zero, "times count from the first instant");
  add_results(app, o, "histories, in --format", "folder for sizes of forces and torques (loads.svg)");
}

}  // namespace

Command loads_command() {
  return make_command("loads", "loads on the nodes of a flexible part, for fatigue programs", declare,
                      execute);
}

}  // namespace monocoque

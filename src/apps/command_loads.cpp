// `monocoque loads`: loads on the nodes of a flexible part for programs of finite elements and fatigue.

#include <cmath>
#include <fstream>

#include <fmt/format.h>

#include "apps/mesh_loading.h"
#include "apps/signal_output.h"
#include "core/error.h"
#include "results/load_export.h"

namespace monocoque {

namespace {

constexpr const char* kLoadNames[6] = {"force_x", "force_y", "force_z", "torque_x", "torque_y", "torque_z"};

double largest_of(const RunData& run, const PartLoads& loads, Eigen::Index column) {
  double out = 0;
  for (const Eigen::Index r : loads.rows) out = std::max(out, std::abs(run.data(r, column)));
  return out;
}

}  // namespace

int command_loads(const LoadsCommand& o) {
  const RunData run = read_run_with_notes(o.choice.run);
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
      throw Error(Place{o.output}, "loads", "the file cannot be written",
                  "check the folder and the free space");
  }
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
  if (o.output.empty())
    fmt::print(stderr, "the histories: -o FILE with --format csv, nastran or abaqus\n");
  else if (o.format != "csv" && !loads.stresses.empty())
    fmt::print(stderr, "{} stress channels are in --format csv only\n", loads.stresses.size());
  return 0;
}

}  // namespace monocoque

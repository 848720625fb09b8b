#include <fstream>
#include <iostream>

#include <fmt/format.h>

#include "apps/commands.h"
#include "apps/common.h"
#include "results/lane_figure.h"
#include "results/recorder.h"

namespace monocoque {

namespace {

std::vector<std::size_t> chosen(const RunData& run, const std::vector<std::string>& patterns) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < run.channels.size(); ++i) {
    bool take = patterns.empty();
    for (const std::string& p : patterns) take = take || matches(p, run.channels[i].path);
    if (take) out.push_back(i);
  }
  if (!out.empty()) return out;
  std::vector<std::string> paths;
  for (const Channel& c : run.channels) paths.push_back(c.path);
  throw Error("export", fmt::format("no channel matches '{}'", fmt::join(patterns, "', '")),
              patterns.empty() ? "" : suggestion(patterns[0], paths));
}

std::string as_json(const RunData& run, const std::vector<std::string>& patterns) {
  nlohmann::ordered_json channels = nlohmann::ordered_json::object();
  for (const std::size_t i : chosen(run, patterns)) {
    nlohmann::ordered_json values = nlohmann::ordered_json::array();
    for (Eigen::Index r = 0; r < run.data.rows(); ++r)
      values.push_back(json_number(run.data(r, static_cast<Eigen::Index>(i))));
    channels[run.channels[i].path] = {{"unit", run.channels[i].unit}, {"values", values}};
  }
  nlohmann::ordered_json time = nlohmann::ordered_json::array();
  for (const double t : run.time) time.push_back(t);
  return nlohmann::ordered_json{{"time", {{"unit", "s"}, {"values", time}}}, {"channels", channels}}.dump();
}

}  // namespace

int command_export(const ExportOptions& options) {
  const RunData run = read_run(options.run);
  if (!run.complete)
    fmt::print(stderr, "{}: the run was cut off; {} instants up to t = {} s are here\n", options.run,
               run.time.size(), run.time.size() > 0 ? run.time[run.time.size() - 1] : 0.0);
  if (!options.lane_figure.empty()) {
    write_svg(lane_figure(run), options.lane_figure);
    fmt::print("{}\n", options.lane_figure);
    return 0;
  }
  if (options.list) {
    for (const std::size_t i : chosen(run, options.channels))
      fmt::print("{} [{}]\n", run.channels[i].path, run.channels[i].unit);
    return 0;
  }
  std::ofstream file;
  if (!options.output.empty()) {
    file.open(options.output);
    if (!file)
      throw Error(Place{options.output}, "export", "the file cannot be written",
                  "check the folder and its rights");
  }
  std::ostream& out = options.output.empty() ? std::cout : file;
  if (options.json)
    out << as_json(run, options.channels) << '\n';
  else
    export_csv(run, options.channels, out, options.digits);
  out.flush();
  if (!out) throw Error(Place{options.output}, "export", "writing failed", "is the disk full?");
  return 0;
}

}  // namespace monocoque

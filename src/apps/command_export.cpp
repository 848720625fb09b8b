#include <fstream>
#include <iostream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "apps/command.h"
#include "apps/common.h"
#include "apps/exit_status.h"
#include "apps/options.h"
#include "results/channel_book.h"
#include "results/lane_figure.h"

namespace monocoque {

namespace {

struct ExportOptions : PrintOptions {
  std::string run, output;
  std::string lane_figure;  ///< SVG file
  std::vector<std::string> channels;
  int digits = 17;
  bool list = false;
};

std::string as_json(const RunData& run, const std::vector<std::string>& patterns) {
  nlohmann::ordered_json channels = nlohmann::ordered_json::object();
  for (const Eigen::Index k : chosen_channels(run, patterns)) {
    const auto i = static_cast<std::size_t>(k);
    nlohmann::ordered_json values = nlohmann::ordered_json::array();
    for (Eigen::Index r = 0; r < run.data.rows(); ++r) values.push_back(json_number(run.data(r, k)));
    channels[run.channels[i].path] = {{"unit", run.channels[i].unit}, {"values", values}};
  }
  nlohmann::ordered_json time = nlohmann::ordered_json::array();
  for (const double t : run.time) time.push_back(t);
  return nlohmann::ordered_json{{"time", {{"unit", "s"}, {"values", time}}}, {"channels", channels}}.dump();
}

int execute(const ExportOptions& options) {
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
    for (const Eigen::Index i : chosen_channels(run, options.channels)) {
      const Channel& c = run.channels[static_cast<std::size_t>(i)];
      fmt::print("{} [{}]\n", c.path, c.unit);
    }
    return 0;
  }
  std::ofstream file;
  if (!options.output.empty()) {
    file.open(options.output);
    if (!file)
      throw SystemError(Place{options.output}, "export", "the file cannot be written",
                        "check the folder and its rights");
  }
  std::ostream& out = options.output.empty() ? std::cout : file;
  if (options.json)
    out << as_json(run, options.channels) << '\n';
  else
    export_csv(run, options.channels, out, options.digits);
  out.flush();
  if (!out) throw SystemError(Place{options.output}, "export", "writing failed", "is the disk full?");
  return 0;
}

void declare(CLI::App& app, ExportOptions& o) {
  app.add_option("run", o.run, "result file (HDF5)")->required();
  add_output(app, o.output, "CSV file; default: stdout");
  app.add_option("-c,--channels", o.channels, "channel patterns with *; default: all")->take_all();
  app.add_option("--digits", o.digits, "significant digits")->check(CLI::Range(1, 17));
  app.add_option("--lane-figure", o.lane_figure,
                 "instead of channels: the drive through the lane, as SVG file");
  app.add_flag("--list", o.list, "only list the channels");
  add_print(app, o, "as JSON instead of CSV");
}

}  // namespace

Command export_command() {
  return make_command("export", "result file to CSV", declare, execute);
}

}  // namespace monocoque

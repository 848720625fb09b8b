// `monocoque compare`: two runs, channel by channel, with a tolerance.

#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "apps/command.h"
#include "apps/exit_status.h"
#include "apps/options.h"
#include "apps/signal_output.h"
#include "core/error.h"
#include "io/files/text_source.h"
#include "results/compare.h"
#include "results/svg_plot.h"

namespace monocoque {

namespace {

using Json = nlohmann::ordered_json;

struct CompareOptions : ResultOptions {
  std::string first, second;
  std::vector<std::string> channels;
  double relative = 1e-3, absolute = 0;
  bool common_time = false;  ///< runs of different length may agree
  int shown = 20;
};

/// Up to four channels of both runs, each moved to its own band: they have different units.
Plot worst_channels(const CompareOptions& o, const RunFile& a, const RunFile& b, const RunComparison& c) {
  Plot plot;
  plot.title = fmt::format("{} and {} (dashed): the worst channels, over their scale", o.first, o.second);
  plot.x_label = "time [s]";
  plot.y_label = "value over scale, each channel one lower";
  for (std::size_t k = 0; k < c.channels.size() && k < 4; ++k) {
    const ChannelDifference& d = c.channels[k];
    double low = INFINITY;
    for (const RunFile* run : {&a, &b}) {
      const VecX values =
          run->rows(0, run->time().size(), {static_cast<Eigen::Index>(run->names().column(d.path))});
      if (run == &a)
        for (const double v : values) low = std::isfinite(v) ? std::min(low, v) : low;
      PlotSeries s;
      s.name = run == &a ? d.path : "";
      s.dashed = run == &b;
      s.color = static_cast<int>(k);
      s.x.assign(run->time().begin(), run->time().end());
      for (const double v : values)
        s.y.push_back(d.scale > 0 ? (v - low) / d.scale - static_cast<double>(k) : v);
      plot.series.push_back(std::move(s));
    }
  }
  return plot;
}

Json list_of(const std::vector<std::string>& names) {
  Json out = Json::array();
  for (const std::string& n : names) out.push_back(n);
  return out;
}

void write_comparison(const std::string& path, const Json& json) {
  if (std::filesystem::path(path).extension() == ".json") {
    io::write_text_file(path, json.dump(1) + "\n");
    return;
  }
  std::string text = "channel,unit,largest,at_s,rms,scale,relative,within\n";
  for (const Json& c : json["channels"])
    text += fmt::format("\"{}\",{},{},{},{},{},{},{}\n", c["channel"].get<std::string>(),
                        c["unit"].get<std::string>(), c["largest"].dump(), c["at_s"].dump(), c["rms"].dump(),
                        c["scale"].dump(), c["relative"].dump(), c["within"].get<bool>() ? 1 : 0);
  io::write_text_file(path, text);
}

int execute(const CompareOptions& o) {
  const RunFile a(o.first), b(o.second);
  note_on_run(o.first, a);
  note_on_run(o.second, b);
  const RunComparison c = compare_runs(a, b, o.channels);
  if (c.channels.empty())
    throw Error("compare",
                fmt::format("the runs have no channel{} in common", o.channels.empty() ? "" : " of these"),
                fmt::format("`monocoque export {} --list` names those of the first", o.first));
  std::size_t beyond = 0;
  for (const ChannelDifference& d : c.channels)
    if (!d.within(o.relative, o.absolute)) ++beyond;
  // Half a step may be missing at the ends.
  const bool same_time =
      o.common_time || c.coverage > 1 - 1.0 / static_cast<double>(std::max<Eigen::Index>(c.instants, 2));
  const bool agree = beyond == 0 && same_time;
  if (o.json || !o.output.empty()) {
    Json list = Json::array();
    for (const ChannelDifference& d : c.channels)
      list.push_back({{"channel", d.path},
                      {"unit", d.unit},
                      {"largest", json_number(d.largest)},
                      {"at_s", json_number(d.at_s)},
                      {"rms", json_number(d.rms)},
                      {"scale", json_number(d.scale)},
                      {"relative", json_number(d.relative)},
                      {"within", d.within(o.relative, o.absolute)}});
    const Json json{{"first", o.first},
                    {"second", o.second},
                    {"agree", agree},
                    {"relative_tolerance", o.relative},
                    {"absolute_tolerance", o.absolute},
                    {"compared", c.channels.size()},
                    {"beyond", beyond},
                    {"from_s", json_number(c.from_s)},
                    {"to_s", json_number(c.to_s)},
                    {"instants", c.instants},
                    {"coverage", json_number(c.coverage)},
                    {"only_first", list_of(c.only_first)},
                    {"only_second", list_of(c.only_second)},
                    {"other_units", list_of(c.other_units)},
                    {"channels", list}};
    if (!o.output.empty()) write_comparison(o.output, json);
    if (o.json) fmt::print("{}\n", json.dump(1));
  }
  if (!o.json) {
    std::size_t width = 7;
    const std::size_t shown = std::min(c.channels.size(), static_cast<std::size_t>(o.shown));
    for (std::size_t i = 0; i < shown; ++i) width = std::max(width, c.channels[i].path.size());
    fmt::print("{:<{}} {:>8} {:>13} {:>11} {:>13} {:>13} {:>11}\n", "channel", width, "unit", "largest",
               "at [s]", "rms", "scale", "relative");
    for (std::size_t i = 0; i < shown; ++i) {
      const ChannelDifference& d = c.channels[i];
      fmt::print("{:<{}} {:>8} {:13.6g} {:11.6g} {:13.6g} {:13.6g} {:11.3g}{}\n", d.path, width, d.unit,
                 d.largest, d.at_s, d.rms, d.scale, d.relative,
                 d.within(o.relative, o.absolute) ? "" : "  beyond");
    }
    if (shown < c.channels.size())
      fmt::print("... and {} channels that differ less\n", c.channels.size() - shown);
    fmt::print("{} channels at {} instants from {:.6g} s to {:.6g} s: {} beyond {:g} of their scale",
               c.channels.size(), c.instants, c.from_s, c.to_s, beyond, o.relative);
    fmt::print("{}\n", o.absolute > 0 ? fmt::format(" plus {:g}", o.absolute) : "");
    fmt::print("the runs {}\n", agree ? "agree" : "differ");
  }
  if (!c.only_first.empty() || !c.only_second.empty())
    fmt::print(stderr, "not compared: {} channels of {} alone, {} of {} alone\n", c.only_first.size(),
               o.first, c.only_second.size(), o.second);
  for (const std::string& path : c.other_units)
    fmt::print(stderr, "not compared: '{}' has two units\n", path);
  if (!same_time)
    fmt::print(stderr, "the runs have {:.3g} % of their time in common; --common-time compares that alone\n",
               100 * c.coverage);
  if (!o.plot.empty())
    write_svg(worst_channels(o, a, b, c), figure_path(o.plot, "worst-channels.svg"));
  else if (!agree && !o.json && !o.quiet)
    fmt::print(stderr, "next: --plot FOLDER draws the channels that differ most\n");
  return agree ? kSuccess : kAnswerIsNo;
}

void declare(CLI::App& app, CompareOptions& o) {
  app.add_option("first", o.first, "result file (HDF5)")->required();
  app.add_option("second", o.second, "result file (HDF5)")->required();
  app.add_option("--tolerance", o.relative, "share of a channel's scale; 0.001")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--absolute", o.absolute, "added to it, in units of each channel; 0")
      ->check(CLI::NonNegativeNumber);
  app.add_option("-c,--channels", o.channels, "channel patterns with *; default: all")->take_all();
  app.add_flag("--common-time", o.common_time, "runs of different length may agree");
  app.add_option("--shown", o.shown, "rows of the table; 20")->check(CLI::PositiveNumber);
  add_results(app, o, "all channels: .csv or .json", "folder for the worst channels (worst-channels.svg)");
}

}  // namespace

Command compare_command() {
  return make_command("compare", "two runs beside each other; exit status 1 when they differ", declare,
                      execute);
}

}  // namespace monocoque

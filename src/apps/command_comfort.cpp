// `monocoque comfort`: whole-body vibration of ISO 2631-1 from accelerations of a run.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "analysis/signals/comfort.h"
#include "apps/command.h"
#include "apps/exit_status.h"
#include "apps/options.h"
#include "apps/signal_output.h"
#include "core/error.h"
#include "results/channel_book.h"
#include "results/svg_plot.h"

namespace monocoque {

namespace {

using Json = nlohmann::ordered_json;
using analysis::ComfortAxis;
using analysis::ContactAxis;
using analysis::ContactPlace;

struct ComfortOptions : ResultOptions {
  SignalChoice choice;
  std::string seat, back, feet;  ///< names of vectors of acceleration
  std::string rotation;          ///< name of a vector of angular acceleration of the seat
  std::string axes[6];           ///< single channels for x y z rx ry rz at the place below
  std::string position = "seat";
};

struct ContactChannel {
  ContactPlace place;
  ContactAxis axis;
  std::string text;
};

/// NAME/x, y, z; NAME/acceleration/x for a part.
void add_vector_channels(const RunData& run, ContactPlace place, int first, const std::string& quantity,
                         const std::string& name, std::vector<ContactChannel>& out) {
  if (name.empty()) return;
  const ChannelBook book(run);
  std::string base = name;
  if (!book.has_vector(base) && book.has_vector(path_of(name, quantity))) base = path_of(name, quantity);
  if (!book.has_vector(base)) {
    std::vector<std::string> owners;
    for (const Channel& c : run.channels)
      if (ends_with(c.path, "/x") && c.unit.find("/s^2") != std::string::npos)
        owners.push_back(folder_of(c.path));
    throw Error("comfort", fmt::format("there are no channels {}/x, y and z", name),
                suggestion(name, owners));
  }
  const char* axes[] = {"/x", "/y", "/z"};
  for (int i = 0; i < 3; ++i) out.push_back({place, static_cast<ContactAxis>(first + i), base + axes[i]});
}

std::vector<ContactChannel> channels_of(const ComfortOptions& o, const RunData& run) {
  std::vector<ContactChannel> out;
  add_vector_channels(run, ContactPlace::seat, 0, "acceleration", o.seat, out);
  add_vector_channels(run, ContactPlace::seat, 3, "angular_acceleration", o.rotation, out);
  add_vector_channels(run, ContactPlace::back, 0, "acceleration", o.back, out);
  add_vector_channels(run, ContactPlace::feet, 0, "acceleration", o.feet, out);
  const ContactPlace place = o.position == "seat"   ? ContactPlace::seat
                             : o.position == "back" ? ContactPlace::back
                                                    : ContactPlace::feet;
  for (int i = 0; i < 6; ++i)
    if (!o.axes[i].empty()) out.push_back({place, static_cast<ContactAxis>(i), o.axes[i]});
  if (out.empty())
    throw UsageError("comfort", "no acceleration is given",
                     "--seat, --back or --feet with the name of a vector, or --x, --y, --z with channels");
  return out;
}

Json json_of(const ComfortAxis& a, const std::string& channel) {
  const analysis::WeightedMeasures& m = a.measures;
  return {{"place", analysis::place_name(a.place)},
          {"axis", analysis::axis_name(a.axis)},
          {"channel", channel},
          {"weighting", analysis::weighting_name(a.weighting)},
          {"k", a.k},
          {"unweighted_rms", json_number(a.unweighted_rms)},
          {"weighted_rms", json_number(m.rms)},
          {"peak", json_number(m.peak)},
          {"crest_factor", json_number(m.crest_factor)},
          {"mtvv", json_number(m.mtvv)},
          {"vdv", json_number(m.vdv)},
          {"shocks", m.shocks()},
          {"filter_error_dB", json_number(a.filter_error_dB)}};
}

void warn(const std::vector<ComfortAxis>& axes, double sample_s) {
  const double duration = axes.front().measures.duration_s;
  double error = 0;
  for (const ComfortAxis& a : axes) error = std::max(error, a.filter_error_dB);
  if (sample_s > 1.0 / 160)
    fmt::print(stderr, "samples every {:.4g} s show nothing above {:.4g} Hz; the weightings go up to 80 Hz\n",
               sample_s, 0.5 / sample_s);
  if (error > 0.5)
    fmt::print(stderr, "at this rate the weighting filters are off by up to {:.2f} dB; record more often\n",
               error);
  if (duration < 10)
    fmt::print(stderr,
               "{:.3g} s are short for a mean over vibration that begins at 0.5 Hz; a minute is better\n",
               duration);
}

int execute(const ComfortOptions& o) {
  const RunFile run(o.choice.run);
  note_on_run(o.choice.run, run);
  const std::vector<ContactChannel> channels = channels_of(o, run.names());
  std::vector<std::string> texts;
  for (const ContactChannel& c : channels) texts.push_back(c.text);
  // The filters get the whole history, so that they have settled at --from.
  const std::vector<SignalOfRun> signals = signals_of_run(read_channels(run, texts), o.choice, texts, true);
  require_finite(o.choice, signals);
  if (signals.size() != channels.size())
    throw UsageError("comfort", "each axis needs one channel, not a pattern", "");
  analysis::EvaluationSpan span;
  if (o.choice.from_s) span.from_s = *o.choice.from_s;
  if (o.choice.to_s) span.to_s = *o.choice.to_s;
  std::vector<ComfortAxis> axes;
  ColumnTable table;
  Plot plot;
  std::optional<analysis::MotionSickness> sickness;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const analysis::SampledSignal& s = signals[i].signal;
    const bool turning = channels[i].axis >= ContactAxis::rx;
    if (signals[i].unit != (turning ? "rad/s^2" : "m/s^2"))
      fmt::print(stderr, "'{}' is in {}, not in {}\n", signals[i].name, signals[i].unit,
                 turning ? "rad/s^2" : "m/s^2");
    axes.push_back(analysis::evaluate_axis(channels[i].place, channels[i].axis, s, span));
    const ComfortAxis& a = axes.back();
    if (channels[i].place == ContactPlace::seat && channels[i].axis == ContactAxis::z)
      sickness = analysis::motion_sickness(s, span);
    if (table.columns.empty()) {
      table.columns.push_back({"time", "s", {}});
      for (std::size_t k = 0; k < s.values.size(); ++k) table.columns[0].values.push_back(s.time_s(k));
    }
    const std::vector<double> weighted = analysis::weighted_history(s, a.weighting);
    const std::string name = fmt::format("{} {}", analysis::place_name(a.place), analysis::axis_name(a.axis));
    table.columns.push_back(
        {fmt::format("{} {}", name, analysis::weighting_name(a.weighting)), signals[i].unit, weighted});
    plot.series.push_back({fmt::format("{} {} running rms", name, analysis::weighting_name(a.weighting)),
                           table.columns[0].values, analysis::running_rms(weighted, s.sample_s)});
  }
  const double total = analysis::vibration_total_value(axes);
  const std::vector<std::string> words = analysis::comfort_words(total);
  warn(axes, signals.front().signal.sample_s);
  if (o.json) {
    Json list = Json::array();
    for (std::size_t i = 0; i < axes.size(); ++i) list.push_back(json_of(axes[i], signals[i].name));
    Json json{{"run", o.choice.run},
              {"duration_s", axes[0].measures.duration_s},
              {"axes", list},
              {"total_value", json_number(total)},
              {"verdict", words}};
    for (const ContactPlace p : {ContactPlace::seat, ContactPlace::back, ContactPlace::feet})
      json["total_value_of_places"][analysis::place_name(p)] =
          json_number(analysis::vibration_total_value(axes, p));
    if (sickness)
      json["motion_sickness"] = {{"weighted_rms", json_number(sickness->weighted_rms)},
                                 {"dose", json_number(sickness->dose)},
                                 {"percent", json_number(sickness->percent)}};
    fmt::print("{}\n", json.dump(2));
  } else {
    fmt::print("{:<6}{:<5}{:<10}{:>5}{:>11}{:>11}{:>9}{:>10}{:>10}{:>11}\n", "place", "axis", "weighting",
               "k", "rms", "weighted", "crest", "peak", "MTVV", "VDV");
    for (const ComfortAxis& a : axes) {
      const analysis::WeightedMeasures& m = a.measures;
      fmt::print("{:<6}{:<5}{:<10}{:5.2f}{:11.5f}{:11.5f}{:9.2f}{:10.4f}{:10.4f}{:11.4f}{}\n",
                 analysis::place_name(a.place), analysis::axis_name(a.axis),
                 analysis::weighting_name(a.weighting), a.k, a.unweighted_rms, m.rms, m.crest_factor, m.peak,
                 m.mtvv, m.vdv, m.shocks() ? "  shocks" : "");
    }
    fmt::print("total value {:.4f} m/s^2 over {:.4g} s: {}\n", total, axes[0].measures.duration_s,
               fmt::join(words, " to "));
    if (sickness)
      fmt::print("motion sickness (Wf, seat z): {:.4f} m/s^2, dose {:.4f} m/s^1.5, {:.3g} % may be sick\n",
                 sickness->weighted_rms, sickness->dose, sickness->percent);
    for (const ComfortAxis& a : axes)
      if (a.measures.shocks()) {
        fmt::print(stderr, "where the table says shocks the rms alone is too mild: look at MTVV and VDV\n");
        break;
      }
  }
  if (!o.output.empty()) write_table(table, o.output);
  if (!o.plot.empty()) {
    plot.title = fmt::format("weighted accelerations, running rms of 1 s: {}", o.choice.run);
    plot.x_label = "time [s]";
    plot.y_label = "running rms [m/s^2]";
    write_svg(plot, figure_path(o.plot, "running-rms.svg"));
  }
  if (o.output.empty() && o.plot.empty() && !o.json && !o.quiet)
    fmt::print(
        stderr,
        "next: --plot FOLDER shows when it shakes, monocoque signal psd {} CHANNEL at which frequency\n",
        o.choice.run);
  return 0;
}

void declare(CLI::App& app, ComfortOptions& o) {
  add_signal_choice(app, o.choice);
  add_sample(app, o.choice);
  app.add_option("--seat", o.seat, "vector of acceleration at the seat: NAME/x, y, z, or a part");
  app.add_option("--back", o.back, "the same at the back");
  app.add_option("--feet", o.feet, "the same at the feet");
  app.add_option("--rotation", o.rotation, "vector of angular acceleration of the seat, or a part");
  const char* names[] = {"--x", "--y", "--z", "--rx", "--ry", "--rz"};
  for (int i = 0; i < 6; ++i) app.add_option(names[i], o.axes[i], "one channel for this axis, at --position");
  app.add_option("--position", o.position, "seat, back or feet")
      ->check(CLI::IsMember({"seat", "back", "feet"}));
  add_results(app, o, "weighted histories: .csv or .json", "folder for running-rms.svg");
}

}  // namespace

Command comfort_command() {
  return make_command("comfort", "whole-body vibration by ISO 2631-1 (docs/comfort.md)", declare, execute);
}

}  // namespace monocoque

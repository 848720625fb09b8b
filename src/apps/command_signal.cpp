// `monocoque signal`: spectra, frequency responses, filters, statistics and rainflow counts of channels.

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "analysis/signals/filter.h"
#include "analysis/signals/rainflow.h"
#include "apps/command.h"
#include "apps/exit_status.h"
#include "apps/options.h"
#include "apps/signal_output.h"
#include "core/error.h"
#include "core/spectrum.h"
#include "results/svg_plot.h"

namespace monocoque {

namespace {

using Json = nlohmann::ordered_json;

struct SignalOptions : ResultOptions {
  std::string what;  ///< psd, frf, filter, rms or rainflow
  SignalChoice choice;
  std::vector<std::string>
      channels;  ///< see analysis/signals/channel_expression.h; of frf the first is the input
  std::optional<double> window_s;                   ///< of spectra; none: an eighth of the signal
  std::optional<double> low_pass_Hz, high_pass_Hz;  ///< filter before everything else
  int order = 4;
  bool causal = false;           ///< forward only
  std::string residue = "half";  ///< or repeat, drop
  double hysteresis = 0, woehler_exponent = 5, reference_cycles = 1e6;
  int bins = 32;
};

/// What an analysis gives back: a table for the screen, columns for files, a picture.
struct SignalResult {
  std::string text;
  Json json;
  ColumnTable table;
  Plot plot;
};

void filter_signals(const SignalOptions& o, std::vector<SignalOfRun>& signals) {
  if (!o.low_pass_Hz && !o.high_pass_Hz) return;
  using analysis::FilterBand;
  const FilterBand band = !o.high_pass_Hz  ? FilterBand::low
                          : !o.low_pass_Hz ? FilterBand::high
                                           : FilterBand::band;
  const auto filter = analysis::butterworth(band, o.order, o.high_pass_Hz.value_or(0),
                                            o.low_pass_Hz.value_or(0), signals.front().signal.sample_s);
  for (SignalOfRun& s : signals) {
    std::vector<double>& v = s.signal.values;
    v = o.causal ? analysis::filtered(filter, std::move(v), analysis::FilterStart::steady)
                 : analysis::filtered_zero_phase(filter, v);
  }
}

double window_of(const SignalOptions& o, const analysis::SampledSignal& s) {
  return o.window_s.value_or(static_cast<double>(s.values.size()) * s.sample_s / 8);
}

/// One unit for an axis, or none.
std::string common_unit(const std::vector<SignalOfRun>& signals) {
  for (const SignalOfRun& s : signals)
    if (s.unit != signals.front().unit) return "";
  return signals.front().unit;
}

std::string with_unit(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : fmt::format("{} [{}]", name, unit);
}

/// The longest name, for the first column of a table.
std::size_t name_width(const std::vector<SignalOfRun>& signals) {
  std::size_t width = 7;
  for (const SignalOfRun& s : signals) width = std::max(width, s.name.size());
  return width;
}

SignalResult statistics_result(const std::vector<SignalOfRun>& signals) {
  SignalResult out;
  const std::size_t width = name_width(signals);
  out.text = fmt::format("{:<{}} {:>8} {:>13} {:>13} {:>13} {:>13} {:>13} {:>9}\n", "channel", width, "unit",
                         "mean", "rms", "deviation", "least", "greatest", "crest");
  for (const char* name : {"mean", "rms", "deviation", "least", "greatest", "crest_factor"})
    out.table.columns.push_back({name, "", {}});
  out.json = Json::array();
  for (const SignalOfRun& s : signals) {
    const analysis::SignalStatistics v = analysis::statistics_of(s.signal.values);
    out.text += fmt::format("{:<{}} {:>8} {:13.6g} {:13.6g} {:13.6g} {:13.6g} {:13.6g} {:9.4g}\n", s.name,
                            width, s.unit, v.mean, v.rms, v.deviation, v.least, v.greatest, v.crest_factor);
    const double values[] = {v.mean, v.rms, v.deviation, v.least, v.greatest, v.crest_factor};
    Json row{{"channel", s.name}, {"unit", s.unit}};
    for (std::size_t k = 0; k < 6; ++k) {
      row[out.table.columns[k].name] = json_number(values[k]);
      out.table.columns[k].values.push_back(values[k]);
    }
    out.json.push_back(row);
  }
  return out;
}

void add_histories(SignalResult& out, const std::vector<SignalOfRun>& signals) {
  std::vector<double> time;
  for (std::size_t i = 0; i < signals.front().signal.values.size(); ++i)
    time.push_back(signals.front().signal.time_s(i));
  out.table.columns = {{"time", "s", time}};
  for (const SignalOfRun& s : signals) {
    out.table.columns.push_back({s.name, s.unit, s.signal.values});
    out.plot.series.push_back({s.name, time, s.signal.values});
  }
  out.plot.x_label = "time [s]";
  out.plot.y_label = with_unit("", common_unit(signals));
}

SignalResult spectrum_result(const SignalOptions& o, const std::vector<SignalOfRun>& signals) {
  SignalResult out;
  const std::size_t width = name_width(signals);
  out.text = fmt::format("{:<{}} {:>8} {:>13} {:>13} {:>13} {:>10} {:>7}\n", "channel", width, "unit", "rms",
                         "peak [Hz]", "density there", "step [Hz]", "pieces");
  out.json = Json::array();
  for (const SignalOfRun& s : signals) {
    const Spectrum p = welch(s.signal.values, s.signal.sample_s, window_of(o, s.signal));
    const auto top = std::max_element(p.density.begin() + 1, p.density.end()) - p.density.begin();
    const auto i = static_cast<std::size_t>(top);
    const double rms = std::sqrt(p.power(0, INFINITY));
    out.text += fmt::format("{:<{}} {:>8} {:13.6g} {:13.6g} {:13.6g} {:10.4g} {:7}\n", s.name, width, s.unit,
                            rms, p.frequency_Hz[i], p.density[i], p.frequency_Hz[1], p.pieces);
    if (out.table.columns.empty()) out.table.columns.push_back({"frequency", "Hz", p.frequency_Hz});
    out.table.columns.push_back({s.name, fmt::format("({})^2/Hz", s.unit), p.density});
    out.plot.series.push_back({s.name,
                               {p.frequency_Hz.begin() + 1, p.frequency_Hz.end()},
                               {p.density.begin() + 1, p.density.end()}});
    out.json.push_back({{"channel", s.name},
                        {"unit", s.unit},
                        {"rms", json_number(rms)},
                        {"peak_Hz", json_number(p.frequency_Hz[i])},
                        {"peak_density", json_number(p.density[i])},
                        {"step_Hz", json_number(p.frequency_Hz[1])},
                        {"pieces", p.pieces}});
  }
  out.plot.log_x = out.plot.log_y = true;
  out.plot.x_label = "frequency [Hz]";
  const std::string unit = common_unit(signals);
  out.plot.y_label = with_unit("power spectral density", unit.empty() ? "" : fmt::format("({})^2/Hz", unit));
  return out;
}

SignalResult response_result(const SignalOptions& o, const std::vector<SignalOfRun>& signals) {
  if (signals.size() < 2)
    throw UsageError("signal frf", "one signal alone has no frequency response",
                     "give the input first, then one or more outputs");
  SignalResult out;
  const SignalOfRun& input = signals.front();
  const std::size_t width = name_width(signals);
  out.text =
      fmt::format("input: {} [{}]\n{:<{}} {:>13} {:>13} {:>14} {:>15} {:>7}\n", input.name, input.unit,
                  "output", width, "peak [Hz]", "|H1| there", "phase [deg]", "coherence there", "pieces");
  out.json = Json::array();
  int pieces = 0;
  for (std::size_t k = 1; k < signals.size(); ++k) {
    const SignalOfRun& s = signals[k];
    const MeasuredResponse r = frequency_response(input.signal.values, s.signal.values, input.signal.sample_s,
                                                  window_of(o, s.signal));
    pieces = r.pieces;
    const std::string unit = fmt::format("({})/({})", s.unit, input.unit);
    std::vector<double> gain1, gain2, phase;
    for (std::size_t i = 0; i < r.h1.size(); ++i) {
      gain1.push_back(std::abs(r.h1[i]));
      gain2.push_back(std::abs(r.h2[i]));
      phase.push_back(180 / std::numbers::pi * std::arg(r.h1[i]));
    }
    // A peak where the input has nothing is noise: it counts as far as the coherence goes.
    std::size_t top = 1;
    for (std::size_t i = 1; i < gain1.size(); ++i)
      if (r.coherence[i] * gain1[i] > r.coherence[top] * gain1[top]) top = i;
    out.text += fmt::format("{:<{}} {:13.6g} {:13.6g} {:14.2f} {:15.4f} {:7}\n", s.name, width,
                            r.frequency_Hz[top], gain1[top], phase[top], r.coherence[top], r.pieces);
    out.json.push_back({{"input", input.name},
                        {"output", s.name},
                        {"unit", unit},
                        {"peak_Hz", json_number(r.frequency_Hz[top])},
                        {"peak_gain", json_number(gain1[top])},
                        {"peak_phase_deg", json_number(phase[top])},
                        {"peak_coherence", json_number(r.coherence[top])},
                        {"pieces", r.pieces}});
    if (out.table.columns.empty()) out.table.columns.push_back({"frequency", "Hz", r.frequency_Hz});
    out.plot.series.push_back({s.name + " |H1|",
                               {r.frequency_Hz.begin() + 1, r.frequency_Hz.end()},
                               {gain1.begin() + 1, gain1.end()}});
    out.plot.series.push_back({s.name + " coherence",
                               {r.frequency_Hz.begin() + 1, r.frequency_Hz.end()},
                               {r.coherence.begin() + 1, r.coherence.end()},
                               true,
                               false,
                               static_cast<int>(k - 1)});
    out.plot.series[out.plot.series.size() - 2].color = static_cast<int>(k - 1);
    out.table.columns.push_back({s.name + " |H1|", unit, gain1});
    out.table.columns.push_back({s.name + " phase H1", "deg", phase});
    out.table.columns.push_back({s.name + " |H2|", unit, gain2});
    out.table.columns.push_back({s.name + " coherence", "1", r.coherence});
  }
  if (pieces < 4)
    fmt::print(stderr, "{} piece{} of the signal: the coherence says little; use a shorter --window\n",
               pieces, pieces == 1 ? "" : "s");
  out.plot.log_x = out.plot.log_y = true;
  out.plot.x_label = "frequency [Hz]";
  out.plot.y_label = "gain from " + input.name;
  return out;
}

analysis::RainflowResidue residue_of(const std::string& name) {
  if (name == "half") return analysis::RainflowResidue::half;
  if (name == "repeat") return analysis::RainflowResidue::repeat;
  if (name == "drop") return analysis::RainflowResidue::drop;
  throw Error("--residue", fmt::format("'{}' is not known", name), "half, repeat or drop");
}

/// Ranges, falling, over the number of cycles at least as large.
PlotSeries exceedances(const std::string& name, std::vector<analysis::LoadCycle> cycles) {
  std::sort(cycles.begin(), cycles.end(), [](const auto& a, const auto& b) { return a.range > b.range; });
  PlotSeries out;
  out.name = name;
  double sum = 0;
  for (const analysis::LoadCycle& c : cycles) {
    out.x.push_back(sum > 0 ? sum : c.count);
    out.y.push_back(c.range);
    sum += c.count;
    out.x.push_back(sum);
    out.y.push_back(c.range);
  }
  return out;
}

SignalResult rainflow_result(const SignalOptions& o, const std::vector<SignalOfRun>& signals) {
  SignalResult out;
  const std::size_t width = name_width(signals);
  out.text = fmt::format("{:<{}} {:>8} {:>11} {:>14} {:>26}\n", "channel", width, "unit", "cycles",
                         "greatest range", fmt::format("equivalent range (m = {:g})", o.woehler_exponent));
  out.json = Json::array();
  for (const SignalOfRun& s : signals) {
    const auto cycles = analysis::rainflow(s.signal.values, residue_of(o.residue), o.hysteresis);
    double count = 0, greatest = 0;
    for (const analysis::LoadCycle& c : cycles) {
      count += c.count;
      greatest = std::max(greatest, c.range);
    }
    const double equivalent =
        analysis::damage_equivalent_range(cycles, o.woehler_exponent, o.reference_cycles);
    out.text += fmt::format("{:<{}} {:>8} {:11.1f} {:14.6g} {:26.6g}\n", s.name, width, s.unit, count,
                            greatest, equivalent);
    const analysis::CycleHistogram h = analysis::cycle_histogram(cycles, o.bins, o.bins);
    out.json.push_back(
        {{"channel", s.name},
         {"unit", s.unit},
         {"cycles", count},
         {"greatest_range", json_number(greatest)},
         {"equivalent_range", json_number(equivalent)},
         {"woehler_exponent", o.woehler_exponent},
         {"reference_cycles", o.reference_cycles},
         {"residue", o.residue},
         {"histogram",
          {{"range_edges", h.range_edges}, {"mean_edges", h.mean_edges}, {"counts", h.counts}}}});
    ColumnTable::Column range{s.name + " range", s.unit, {}}, mean{s.name + " mean", s.unit, {}},
        number{s.name + " count", "1", {}};
    for (const analysis::LoadCycle& c : cycles) {
      range.values.push_back(c.range);
      mean.values.push_back(c.mean);
      number.values.push_back(c.count);
    }
    for (ColumnTable::Column* c : {&range, &mean, &number}) out.table.columns.push_back(std::move(*c));
    out.plot.series.push_back(exceedances(s.name, cycles));
  }
  out.text += fmt::format("equivalent ranges: {:g} cycles of them do the damage of the history\n",
                          o.reference_cycles);
  out.plot.log_x = true;
  out.plot.x_label = "cycles at least as large";
  out.plot.y_label = with_unit("range", common_unit(signals));
  return out;
}

int execute(const SignalOptions& o) {
  std::vector<SignalOfRun> signals = read_signals(o.choice, o.channels);
  require_finite(o.choice, signals);
  if (o.what == "filter" && !o.low_pass_Hz && !o.high_pass_Hz)
    throw UsageError("signal filter", "there is no corner frequency",
                     "give --low-pass, --high-pass or both (a band)");
  filter_signals(o, signals);
  SignalResult r;
  if (o.what == "psd") {
    r = spectrum_result(o, signals);
  } else if (o.what == "frf") {
    r = response_result(o, signals);
  } else if (o.what == "rainflow") {
    r = rainflow_result(o, signals);
  } else {
    r = statistics_result(signals);
    if (o.what == "filter") r.table.columns.clear();
    if (o.what == "filter" || !o.plot.empty()) {
      SignalResult histories;
      add_histories(histories, signals);
      r.plot = histories.plot;
      if (o.what == "filter") r.table = histories.table;
    }
  }
  if (o.json) {
    Json json{{"run", o.choice.run}, {"analysis", o.what}, {"channels", r.json}};
    if (o.what != "rms") json["columns"] = r.table.json();
    fmt::print("{}\n", json.dump());
  } else {
    fmt::print("{}", r.text);
  }
  if (!o.output.empty()) write_table(r.table, o.output);
  if (!o.plot.empty()) {
    r.plot.title = fmt::format("{}: {}", o.what, o.choice.run);
    write_svg(r.plot, figure_path(o.plot, o.what + ".svg"));
  }
  if (o.output.empty() && o.plot.empty() && !o.json && !o.quiet && o.what != "rms")
    fmt::print(stderr, "next: the whole result: -o FILE.csv or FILE.json; a figure: --plot FOLDER\n");
  return 0;
}

void declare_analysis(CLI::App& app, const std::string& what, SignalOptions& o) {
  add_signal_choice(app, o.choice);
  add_sample(app, o.choice);
  app.add_option("channels", o.channels,
                 "channels, patterns with *, norm(V), rate(C), integral(C), \"C - D\"")
      ->required();
  app.add_option("--low-pass", o.low_pass_Hz, "Hz: filter before")->check(CLI::PositiveNumber);
  app.add_option("--high-pass", o.high_pass_Hz, "Hz: filter before; with --low-pass: a band")
      ->check(CLI::PositiveNumber);
  app.add_option("--order", o.order, "of the filter; 4");
  app.add_flag("--causal", o.causal, "filter forward only; default: zero phase");
  if (what == "psd" || what == "frf")
    app.add_option("--window", o.window_s, "length of a piece, s; default: an eighth of the signal")
        ->check(CLI::PositiveNumber);
  if (what == "rainflow") {
    app.add_option("--residue", o.residue, "half, repeat or drop");
    app.add_option("--hysteresis", o.hysteresis, "ranges up to this are ignored");
    app.add_option("--exponent", o.woehler_exponent, "of the S-N curve (Woehler); 5")
        ->check(CLI::PositiveNumber);
    app.add_option("--cycles", o.reference_cycles, "reference cycles; 1e6")->check(CLI::PositiveNumber);
    app.add_option("--bins", o.bins, "of the histogram; 32")->check(CLI::Range(1, 1000));
  }
  add_results(app, o, "table: .csv or .json", "folder for the figure, named after the analysis (SVG)");
  app.callback([what, &o] { o.what = what; });
}

void declare(CLI::App& app, SignalOptions& o) {
  app.require_subcommand(1);
  for (const auto& [name, help] :
       {std::pair{"psd", "power spectral density (Welch)"},
        std::pair{"frf", "frequency response and coherence; the first channel is the input"},
        std::pair{"filter", "Butterworth filters"}, std::pair{"rms", "mean, rms, extremes, crest factor"},
        std::pair{"rainflow", "load cycles (ASTM E1049) and damage-equivalent ranges"}})
    declare_analysis(*app.add_subcommand(name, help), name, o);
}

}  // namespace

Command signal_command() {
  return make_command("signal", "spectra, filters, statistics and load cycles of channels", declare, execute);
}

}  // namespace monocoque

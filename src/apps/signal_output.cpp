#include "apps/signal_output.h"

#include <algorithm>
#include <cmath>
#include <fstream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "core/error.h"
#include "io/files/text_source.h"

namespace monocoque {

void add_signal_choice(CLI::App& app, SignalChoice& o) {
  app.add_option("run", o.run, "result file (HDF5)")->required();
  app.add_option("--from", o.from_s, "first time, s");
  app.add_option("--to", o.to_s, "last time, s");
}

void add_sample(CLI::App& app, SignalChoice& o) {
  app.add_option("--sample", o.sample_s, "step of the samples, s; default: as recorded")
      ->check(CLI::PositiveNumber);
}

nlohmann::ordered_json ColumnTable::json() const {
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  for (const Column& c : columns) {
    nlohmann::ordered_json values = nlohmann::ordered_json::array();
    for (const double v : c.values) values.push_back(json_number(v));
    out.push_back({{"name", c.name}, {"unit", c.unit}, {"values", std::move(values)}});
  }
  return out;
}

void write_table(const ColumnTable& table, const std::string& path) {
  if (path.size() > 5 && path.compare(path.size() - 5, 5, ".json") == 0) {
    io::write_text_file(path, nlohmann::ordered_json{{"columns", table.json()}}.dump(1) + "\n");
    return;
  }
  std::string text;
  std::size_t rows = 0;
  for (const ColumnTable::Column& c : table.columns) {
    fmt::format_to(std::back_inserter(text), "{}{} [{}]", text.empty() ? "" : ",", c.name, c.unit);
    rows = std::max(rows, c.values.size());
  }
  text += '\n';
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t k = 0; k < table.columns.size(); ++k) {
      const std::vector<double>& values = table.columns[k].values;
      if (r < values.size()) fmt::format_to(std::back_inserter(text), "{:.10g}", values[r]);
      text += k + 1 < table.columns.size() ? ',' : '\n';
    }
  io::write_text_file(path, text);
}

void note_on_run(const std::string& path, const RunFile& run) {
  const VecX& time = run.time();
  if (!run.complete())
    fmt::print(stderr, "{}: the run was cut off; {} instants up to t = {} s are here\n", path, time.size(),
               time.size() > 0 ? time[time.size() - 1] : 0.0);
}

RunData read_channels(const RunFile& run, const std::vector<std::string>& channels) {
  analysis::named_signals(run.names(), channels);
  return run.with_columns(analysis::channels_used(run.channels(), channels));
}

void require_finite(const SignalChoice& choice, const std::vector<SignalOfRun>& signals) {
  for (const SignalOfRun& s : signals)
    for (std::size_t i = 0; i < s.signal.values.size(); ++i)
      if (!std::isfinite(s.signal.values[i]))
        throw Error(Place{choice.run}, s.name,
                    fmt::format("the value at t = {:.6g} s is {}; an analysis needs finite numbers",
                                s.signal.time_s(i), s.signal.values[i]),
                    "choose a time without it: --from, --to");
}

std::vector<SignalOfRun> signals_of_run(const RunData& run, const SignalChoice& choice,
                                        const std::vector<std::string>& channels, bool whole_time) {
  analysis::TimeSpan span;
  if (choice.from_s && !whole_time) span.from_s = *choice.from_s;
  if (choice.to_s && !whole_time) span.to_s = *choice.to_s;
  const analysis::SpanRows rows = analysis::rows_within(run.time, span);
  const std::vector<double> time(run.time.begin() + rows.first, run.time.begin() + rows.first + rows.count);
  const analysis::Sampling sampling = analysis::sampling_of(time);
  if (!sampling.even())
    fmt::print(stderr, "{}: the instants are not evenly spaced; interpolated to steps of {:.6g} s\n",
               choice.run, choice.sample_s > 0 ? choice.sample_s : sampling.step_s);
  std::vector<SignalOfRun> out;
  for (analysis::NamedSignal& s : analysis::named_signals(run, channels)) {
    const std::vector<double> values(s.values.begin() + rows.first,
                                     s.values.begin() + rows.first + rows.count);
    out.push_back({s.name, s.unit, analysis::resampled(time, values, choice.sample_s)});
  }
  return out;
}

std::vector<SignalOfRun> read_signals(const SignalChoice& choice, const std::vector<std::string>& channels,
                                      bool whole_time) {
  const RunFile run(choice.run);
  note_on_run(choice.run, run);
  return signals_of_run(read_channels(run, channels), choice, channels, whole_time);
}

}  // namespace monocoque

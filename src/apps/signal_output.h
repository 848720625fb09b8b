#pragma once
// What the commands that evaluate runs share: which run and time, columns of numbers as CSV or JSON files.

#include <optional>
#include <string>
#include <vector>

#include "analysis/signals/channel_expression.h"
#include "analysis/signals/signal.h"
#include "apps/common.h"
#include "results/run_file.h"

namespace CLI {
class App;
}

namespace monocoque {

/// Which part of which run.
struct SignalChoice {
  std::string run;
  std::optional<double> from_s, to_s;
  double sample_s = 0;  ///< 0: as recorded
};
/// The run, --from and --to.
void add_signal_choice(CLI::App& app, SignalChoice& o);
void add_sample(CLI::App& app, SignalChoice& o);

struct ColumnTable {
  struct Column {
    std::string name, unit;
    std::vector<double> values;
  };
  std::vector<Column> columns;
  nlohmann::ordered_json json() const;
};

/// By the ending of the name: .json, otherwise comma-separated values. Throws Error when it cannot be
/// written.
void write_table(const ColumnTable& table, const std::string& path);

struct SignalOfRun {
  std::string name, unit;
  analysis::SampledSignal signal;
};
/// Reads the run and its signals on equal steps within the chosen time. Says on stderr when the run was cut
/// off or had to be interpolated.
std::vector<SignalOfRun> read_signals(const SignalChoice& choice, const std::vector<std::string>& channels,
                                      bool whole_time = false);
/// The same of a run already read.
std::vector<SignalOfRun> signals_of_run(const RunData& run, const SignalChoice& choice,
                                        const std::vector<std::string>& channels, bool whole_time = false);
/// On stderr, when the run was cut off.
void note_on_run(const std::string& path, const RunFile& run);
/// The channels that the signals are made of. Complains about names before it reads numbers.
RunData read_channels(const RunFile& run, const std::vector<std::string>& channels);
/// Throws Error for a signal with values that are not finite: file, channel, first such instant.
void require_finite(const SignalChoice& choice, const std::vector<SignalOfRun>& signals);

}  // namespace monocoque

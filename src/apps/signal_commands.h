#pragma once
// The commands that evaluate runs: signal, comfort, compare, loads. As in commands.h each returns the exit
// status and throws Error for anything that went wrong.

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace monocoque {

/// What the commands that read signals of a run share.
struct SignalChoice {
  std::string run;
  std::optional<double> from_s, to_s;
  double sample_s = 0;  ///< 0: as recorded
};

struct SignalCommand {
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
  std::string output, plot;  ///< files; empty: none
  bool json = false;
};
int command_signal(const SignalCommand& options);

struct ComfortCommand {
  SignalChoice choice;
  std::string seat, back, feet;  ///< names of vectors of acceleration
  std::string rotation;          ///< name of a vector of angular acceleration of the seat
  std::string axes[6];           ///< single channels for x y z rx ry rz at the place below
  std::string position = "seat";
  std::string output, plot;
  bool json = false;
};
int command_comfort(const ComfortCommand& options);

struct CompareCommand {
  std::string first, second;
  std::vector<std::string> channels;
  double relative = 1e-3, absolute = 0;
  bool common_time = false;  ///< runs of different length may agree
  int shown = 20;
  std::string output, plot;
  bool json = false;
};
/// Status 1 for runs that differ by more than the tolerance.
int command_compare(const CompareCommand& options);

struct LoadsCommand {
  SignalChoice choice;
  std::string part, format = "csv", units = "m-kg-s", output, plot;
  std::vector<std::string> nodes;
  long first_id = 1000;
  bool from_zero = false, json = false;
};
int command_loads(const LoadsCommand& options);
/// Adds the four of them to the command line.
void register_signal_commands(CLI::App& app, int& status);

}  // namespace monocoque

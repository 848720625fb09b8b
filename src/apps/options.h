#pragma once
// Options that several commands have, declared once, so that the same word means the same everywhere. Option
// structs of commands derive from these.

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace monocoque {

/// A model or scenario, and values in it that the command line replaces.
struct ModelOptions {
  std::string scenario;
  std::vector<std::string> overrides;  ///< PATH=VALUE, or @FILE (see expand_overrides in common.h)
};
enum class ModelArgument { required, optional };
void add_model(CLI::App& app, ModelOptions& o, ModelArgument argument = ModelArgument::required,
               const char* help = "model or scenario (YAML)");
/// --set alone.
void add_set(CLI::App& app, std::vector<std::string>& overrides);

/// Solver, step and end instead of those in the file.
struct SolverOptions {
  std::string solver;                   ///< empty: as the file says
  std::optional<double> step_s, end_s;  ///< none: as the file says
};
void add_solver(CLI::App& app, SolverOptions& o);

/// What goes to stdout and stderr.
struct PrintOptions {
  bool json = false;   ///< data as one JSON object
  bool quiet = false;  ///< no progress, no notes, no hints; warnings stay
};
void add_print(CLI::App& app, PrintOptions& o, const char* json_help = "print one JSON object");

/// What goes to files.
struct ResultOptions : PrintOptions {
  std::string output;  ///< file; empty: none
  std::string plot;    ///< folder for figures; empty: none
};
void add_output(CLI::App& app, std::string& output, const char* help);
/// former: another name of the option, from before it was called --plot everywhere.
void add_plot(CLI::App& app, std::string& plot, const char* help, const std::string& former = {});
/// -o, --plot, --json, --quiet.
void add_results(CLI::App& app, ResultOptions& o, const char* output_help, const char* plot_help);

/// Demands on the machine, of the commands that keep pace with the clock.
struct MachineOptions {
  std::optional<int> priority;  ///< none: kUsualPriority
  int cpu = -1;                 ///< -1: any
  bool no_lock = false;
};
inline constexpr int kUsualPriority = 50;
void add_machine(CLI::App& app, MachineOptions& o);

/// The page of the commands that serve one.
struct PageOptions {
  std::string host;         ///< empty: loopback
  std::optional<int> port;  ///< none: 8740 or one of the next
  bool no_browser = false;
};
void add_page(CLI::App& app, PageOptions& o);

}  // namespace monocoque

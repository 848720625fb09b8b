#pragma once
// What all commands share: loading a scenario with its messages, output files, JSON text, the terminal.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/files/json.h"

#include "core/error_kinds.h"
#include "integrate/nominal.h"
#include "io/model/reader.h"
#include "model/model.h"
#include "results/recorder.h"

namespace monocoque {

struct LoadedScenario {
  io::ScenarioSpec spec;
  std::unique_ptr<const Model> model;
  NominalReport nominal;  ///< what the nominal-force problem gave, where the model has one
};

/// What --set gives, in its order.
struct Overrides {
  std::vector<std::pair<std::string, std::string>> values;  ///< path and value
  std::vector<Place> places;        ///< of each value: its line in a file, or unknown for the command line
  std::vector<std::string> states;  ///< files of states (`equilibrium --start`)
};
/// PATH=VALUE, or @FILE: a state, or lines PATH=VALUE with comments after #. Throws Error naming the option,
/// or file and line.
Overrides expand_overrides(const std::vector<std::string>& overrides);

/// Reads and builds; warnings go to stderr, errors throw Error with everything found.
LoadedScenario load_scenario(const std::string& path, const std::vector<std::string>& overrides);
/// Reads alone, for commands that build variants of the model themselves.
io::ScenarioSpec read_specification(const std::string& path, const Overrides& overrides);
/// The same from --set; a state there is refused.
io::ScenarioSpec read_specification(const std::string& path, const std::vector<std::string>& overrides);

/// What --solver, --step and --end say instead of the file; throws Error naming the option. `overrides` are
/// those of --set that the settings contain already.
void override_settings(io::SimulationSpec& settings, const std::vector<std::string>& overrides,
                       const std::string& solver, std::optional<double> step_s, std::optional<double> end_s);
/// For the result file of a run with these settings.
RunInfo run_info(const LoadedScenario& loaded, const io::SimulationSpec& settings);

/// JSON number, or null for what JSON cannot say (NaN, infinity).
nlohmann::ordered_json json_number(double value);

/// Text that goes to -o: JSON where the name ends with .json, otherwise CSV.
void write_table_file(const std::string& path, const std::string& csv, const nlohmann::ordered_json& json);
/// The folder, made where it does not exist; throws SystemError when it cannot be.
void make_folder(const std::string& folder);
/// Path of a figure in the folder of --plot, which is made where it does not exist.
std::string figure_path(const std::string& folder, const std::string& name);

/// Runs `work`, which writes a file: whatever goes wrong there is the system's refusal, not the input.
template <class Work>
auto writing(Work&& work) {
  try {
    return work();
  } catch (const Error& e) {
    throw SystemError(e.diagnostics());
  }
}

/// Where things are kept that are made once: MONOCOQUE_CACHE, else monocoque in the user's cache folder.
std::string cache_folder();

/// Whether stderr is a terminal: progress is shown only there.
bool progress_wanted();
/// Set by SIGINT: the run ends after the current step and keeps its results.
bool interrupt_requested();
void catch_interrupts();

}  // namespace monocoque

#pragma once
// What all commands share: loading a scenario with its messages, JSON text, the terminal.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

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

/// Reads and builds; warnings go to stderr, errors throw Error with everything found.
LoadedScenario load_scenario(const std::string& path, const std::vector<std::string>& overrides);
/// "path=value" pairs; throws Error for anything else.
io::ReadOptions read_options(const std::vector<std::string>& overrides);

/// What --solver, --step and --end say instead of the file; throws Error naming the option. `overrides` are
/// those of --set that the settings contain already.
void override_settings(io::SimulationSpec& settings, const std::vector<std::string>& overrides,
                       const std::string& solver, std::optional<double> step_s, std::optional<double> end_s);
/// For the result file of a run with these settings.
RunInfo run_info(const LoadedScenario& loaded, const io::SimulationSpec& settings);

/// JSON number, or null for what JSON cannot say (NaN, infinity).
nlohmann::ordered_json json_number(double value);

/// Where things are kept that are made once: MONOCOQUE_CACHE, else monocoque in the user's cache folder.
std::string cache_folder();

/// Whether stderr is a terminal: progress is shown only there.
bool progress_wanted();
/// Set by SIGINT: the run ends after the current step and keeps its results.
bool interrupt_requested();
void catch_interrupts();

}  // namespace monocoque

#pragma once
// What all commands share: loading a scenario with its messages, JSON text, the terminal.

#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "integrate/nominal.h"
#include "io/reader.h"
#include "model/model.h"

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

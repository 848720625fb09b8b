#pragma once
// YAML model and scenario files to a specification. All mistakes of all files are collected, none is fatal
// before the end of the reading; a file that cannot be read at all is one diagnostic.

#include <string>
#include <utility>
#include <vector>

#include "io/model/field.h"
#include "io/model/specification.h"

namespace monocoque::io {

struct ReadOptions {
  /// `--set path=value`: overrides a parameter (name), or any key by path ("parts.rod.mass_kg",
  /// "interacts.spring.stiffness_N_per_m", "simulation.step_s").
  std::vector<std::pair<std::string, std::string>> overrides;
  int max_include_depth = 16;
};

/// Reads a scenario (key `model:` names the model file, or holds the model itself) or a model file, whose own
/// `simulation:` block or the defaults then apply. Problems go to `diagnostics`; the result is as complete as
/// it could be made and must not be used when diagnostics has errors.
ScenarioSpec read_scenario(const std::string& path, const Library& library, const ReadOptions& options,
                           Diagnostics& diagnostics);
/// The same from text in memory; `name` stands for the file in messages, includes are refused.
ScenarioSpec read_scenario_text(const std::string& text, const std::string& name, const Library& library,
                                const ReadOptions& options, Diagnostics& diagnostics);

/// The JSON Schema (draft 7) of model and scenario files, from the same tables the reader uses.
std::string json_schema(const Library& library);

}  // namespace monocoque::io

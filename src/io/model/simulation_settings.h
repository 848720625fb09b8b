#pragma once
// The settings of a simulation, declared once: from this table follow the reading of the `simulation` block,
// its JSON Schema, the settings stored in result files and the table in docs/model-file.md.

#include <string>
#include <variant>
#include <vector>

#include "io/model/field.h"
#include "io/model/specification.h"

namespace monocoque::io {

/// One key of the `simulation` block. Its default is what a default-constructed SimulationSpec has there; an
/// empty one means that the key may be absent.
struct SimulationSetting {
  using Member = std::variant<std::string SimulationSpec::*, double SimulationSpec::*, int SimulationSpec::*,
                              std::vector<std::string> SimulationSpec::*>;
  std::string key;
  Member member;
  std::string doc;
  Rule rule = Rule::any;
  std::vector<std::string> choices = {};  ///< of a text; empty: any
};

const std::vector<SimulationSetting>& simulation_settings();

/// The words a setting may take; throws Error for a key without choices.
const std::vector<std::string>& setting_choices(const std::string& key);

/// All settings as a JSON object, in the order of the table: what a result file stores.
std::string settings_json(const SimulationSpec& settings);

}  // namespace monocoque::io

#pragma once
// A state by the names of the model, as a file (JSON) that other commands take as their start: positions and
// velocities of parts, angles and speeds of rotors, elastic coordinates, values of signals.

#include <map>
#include <string>

#include "io/model/specification.h"
#include "model/model.h"
#include "model/state.h"

namespace monocoque::analysis {

/// signals: values that hold this state, e.g. of the steering.
std::string start_text(const Model& model, const State& s, const std::map<std::string, double>& signals = {});
/// Puts a state into the specification. Throws Error naming what does not fit.
void apply_start(io::ModelSpec& spec, const std::string& path);

}  // namespace monocoque::analysis

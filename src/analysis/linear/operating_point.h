#pragma once
// The state at which a model is looked at: its consistent start, an equilibrium near it, or the state that a
// simulation has reached.

#include <memory>
#include <optional>

#include "integrate/simulation.h"

namespace monocoque::analysis {

struct StateChoice {
  bool equilibrium = false;    ///< at rest, near the start
  std::optional<double> at_s;  ///< time to which the model is run before
};

/// A simulation that stands at the state. Throws Error where the run fails or no equilibrium is found.
std::unique_ptr<Simulation> operating_point(const Model& model, io::SimulationSpec settings,
                                            const StateChoice& choice);

/// Angular velocity of a part about the vertical, world axes: of the frame in which a steady turn stands
/// still. Throws Error with a suggestion for an unknown part.
Vec3 vertical_rate(Simulation& run, const Model& model, const std::string& part);

}  // namespace monocoque::analysis

#pragma once
// Ride of a model on a rough road: the model linearised on its way, excited by the heights below all its
// tires (random_vibration.h).

#include "analysis/linear/linear_system.h"
#include "analysis/ride/random_vibration.h"

namespace monocoque::analysis {

struct RideOptions {
  std::vector<std::string> outputs;  ///< patterns of channels; empty: usual_ride_outputs
  RoadProcess road;                  ///< its speed is taken from the model where it is zero
};

struct RideSystem {
  RoadDrivenSystem system;
  std::vector<RoadWheel> wheels;
  RoadProcess road;
  VecX at_rest;  ///< values of the outputs on a smooth road
};

/// Vertical accelerations of sensors and of parts at the top of the model, loads of tires.
std::vector<std::string> usual_ride_outputs(const Model& model);

/// At a consistent state, on a flat road. Throws Error for a model without tires, or one that stands while no
/// speed is given.
RideSystem ride_system(const io::ModelSpec& spec, const Model& model, Workspace& ws, State& s,
                       const RideOptions& options);

}  // namespace monocoque::analysis

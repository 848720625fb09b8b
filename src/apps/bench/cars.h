#pragma once
// Cars that are measured: the Camry straight ahead, with bodies of any number of modes, with trailers.

#include <string>
#include <vector>

#include "apps/bench/bench.h"

namespace monocoque::bench {

/// A model of models/camry at 60 km/h.
LoadedScenario straight_car(const std::string& model, std::vector<std::string> overrides = {});

/// The same with a body of so many elastic coordinates (0: rigid). Bodies other than the shipped one of 40
/// are made on first use and kept in the cache folder; those above 100 without the inertia couplings between
/// elastic coordinates. Their cars start with the preloads and radii of the rigid car, elastic coordinates at
/// zero: the search for the equilibrium is made for some hundred unknowns.
LoadedScenario straight_car(const Bench& bench, const std::string& model, int modes,
                            const std::vector<std::string>& overrides = {});

/// Settings of real time: linearly implicit Euler, Baumgarte instead of projections, forces that take
/// flexible parts as rigid in the matrix, which eight steps (two above 2 ms) share. docs/solvers.md has its
/// accuracy.
io::SimulationSpec real_time(io::SimulationSpec s, double step_s);

/// Text of a model: the rigid Camry and so many trailers in a row, each on a ball joint.
std::string road_train(int trailers);

}  // namespace monocoque::bench

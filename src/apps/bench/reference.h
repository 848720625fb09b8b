#pragma once
// Manoeuvres by which the accuracy of methods is judged, each with a converged run to compare with.

#include <string>
#include <vector>

#include "apps/bench/bench.h"

namespace monocoque::bench {

/// One figure of a deviation from the converged run.
struct Deviation {
  std::string name, unit;
  double value = 0;
};

struct Manoeuvre {
  std::string name, file;  ///< file: below models/camry/scenarios
  double end_s = 0, quick_end_s = 0;
  std::vector<std::string> outputs;
  double sample_s = 0;  ///< of the outputs; steps that are longer are sampled once a step
  /// The first figure is the one that is drawn.
  std::function<std::vector<Deviation>(const RecordedRun& run, const RecordedRun& reference)> compare;
};
const std::vector<Manoeuvre>& manoeuvres();
const Manoeuvre& find_manoeuvre(const std::string& name);

/// A converged run, and what it still changes by.
struct Reference {
  RecordedRun run;
  std::vector<Deviation> by_step;    ///< run with twice the step
  std::vector<Deviation> by_method;  ///< run of another method
  std::string recipe;
};

/// Settings of a run of this manoeuvre.
io::SimulationSpec settings_for(const Manoeuvre& m, const io::SimulationSpec& given, bool quick);

/// Made on first use and kept in the cache folder; made anew when the model, or what the program makes of it,
/// is no longer the same.
Reference reference_for(const Bench& bench, const Manoeuvre& m, const LoadedScenario& car);

}  // namespace monocoque::bench

#pragma once
// Whether a method is stable with a step, by running it: two runs that differ by a little of one mode part or
// come together.

#include "analysis/linearise.h"
#include "io/specification.h"

namespace monocoque::analysis {

struct StepCheck {
  double step_s = 0;
  int steps = 0;
  double predicted = 0;  ///< |R(h s)| of the mode: growth in a step
  double measured = 0;   ///< over the second half of the steps
  double total = 0;      ///< last difference of the runs over the first
  bool grew = false;     ///< by more than the root of what was predicted, or a run failed
};

/// From the state of a linearisation, disturbed along the mode. Methods of fixed step.
StepCheck run_with_step(const Model& model, const io::SimulationSpec& settings, const State& s,
                        const Linearisation& l, const ModelMode& mode, const std::string& method,
                        double step_s, double predicted, int steps);

}  // namespace monocoque::analysis

#pragma once
// Whether a method is stable with a step, by running it: two states on both sides of a given one, apart by a
// little of one mode, part or come together in a step. Every step starts at the given state again, from the
// difference that the step before has left: what the model does later (a bump, an end stop) has no say, and
// the two sides of a kink (dampers with rebound and compression) count by their mean, as in the
// linearisation.

#include "analysis/linear/linearise.h"
#include "io/model/specification.h"

namespace monocoque::analysis {

struct StepCheck {
  double step_s = 0;
  int steps = 0;
  double predicted = 0;  ///< |R(h s)| of the mode: growth in a step
  double measured = 0;   ///< the same of one step of the method along the mode
  double total = 0;      ///< product of the growth of all steps
  std::string unsteady;  ///< what the state itself does within a step; empty: it lasts
  bool grew = false;     ///< all steps together by more than the root of what was predicted, or a step failed
};

/// From the state of a linearisation, disturbed along the mode. Methods of fixed step.
StepCheck run_with_step(const Model& model, const io::SimulationSpec& settings, const State& s,
                        const Linearisation& l, const ModelMode& mode, const std::string& method,
                        double step_s, double predicted, int steps);

}  // namespace monocoque::analysis

#pragma once
// Messages of runs that cannot go on: what, where (part or joint), when, and what to do.

#include "core/error_kinds.h"
#include "integrate/integrator.h"

namespace monocoque {

/// A step from `before` to `s` that returned anything but ok.
NumericError step_failure(Workspace& ws, const State& before, const State& s, const IntegratorType& type,
                          const io::SimulationSpec& settings, StepStatus status);

/// A joint that has opened so far that the motion is not the model's any more.
NumericError lost_motion(Workspace& ws, const JointInstance& joint, double opened, const State& s,
                         const IntegratorType& type, const io::SimulationSpec& settings);

}  // namespace monocoque

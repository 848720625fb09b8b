#pragma once
// Checks of a built model that need its elements but no solution: each finds what would make the equations
// singular or drop a torque silently.

#include "model/model.h"

namespace monocoque {

void check_parts(const Model& model, Diagnostics& diagnostics);

}  // namespace monocoque

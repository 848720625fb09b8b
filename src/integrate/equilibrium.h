#pragma once
// Static equilibrium near a given position: everything at rest,
//   f(x, z = 0, c, w) - G^T lambda = 0,  g(x) = 0,  d = 0,  b = 0.
// Newton's method with exact derivatives. Directions in which nothing pulls back (a car may stand anywhere)
// keep their values: the step is the smallest one, measured by kinetic energy.

#include "core/error.h"
#include "dynamics/workspace.h"
#include "io/specification.h"

namespace monocoque {

struct EquilibriumReport {
  int iterations = 0;
  double residual = 0;  ///< largest unbalanced force or moment, N or Nm
};

/// From a consistent state; sets x, c, lambda, w and z = 0. Throws Error naming part and direction that do
/// not come to rest.
EquilibriumReport find_equilibrium(Workspace& ws, State& s);

/// The equilibrium of the model becomes the start position of its parts, elastic coordinates included.
EquilibriumReport start_in_equilibrium(io::ModelSpec& spec);

}  // namespace monocoque

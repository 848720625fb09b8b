#pragma once
// The nominal-force problem (Arnold, section 2, eq. 4): with the model at rest in its reference position,
// which preloads (free lengths, radii) make it an equilibrium?
//   f(x0, z = 0; theta) - G^T lambda = 0,  lambda = 0 on joints declared as unloaded
// Gauss-Newton in (theta, lambda): f is evaluated anew for changed values, G does not depend on them. Where
// values are not determined the smallest change is taken. Flexible parts count as rigid; with the values
// found the model then settles to the equilibrium in which they bend (equilibrium.h), and starts from there.

#include <string>
#include <vector>

#include "core/error.h"
#include "io/model/specification.h"

namespace monocoque {

struct NominalValue {
  std::string target;  ///< the first of its targets
  double before = 0, value = 0;
};

struct NominalReport {
  std::vector<NominalValue> values;
  double residual = 0;  ///< largest unbalanced force or moment, N or Nm
  int iterations = 0;
  int undetermined = 0;  ///< combinations of values that equilibrium does not fix
};

/// Finds the unknowns of spec.nominal and puts them into spec. Nothing to do without unknowns. Throws Error
/// where a target does not exist or no values give equilibrium (naming part and direction of what is left).
NominalReport solve_nominal(io::ModelSpec& spec);

}  // namespace monocoque

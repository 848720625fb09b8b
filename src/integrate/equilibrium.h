#pragma once
// Static equilibrium near a given position (Arnold eq. 3): everything at rest,
//   f(x, z = 0, c, w) - G^T lambda = 0,  g(x) = 0,  d = 0,  b = 0.
// Newton's method with exact derivatives. Directions in which nothing pulls back (a car may stand anywhere)
// keep their values: the step is the smallest one, measured by kinetic energy. Where Newton fails, the load
// that is not balanced at the start is brought on in steps (R(x) = (1 - tau) R(x_0), tau from 0 to 1), and
// then the model relaxes overdamped (pseudo-transient continuation, Kelley and Keyes 1998):
// (alpha M + K) d = -R, alpha falling with the residual.

#include <string>
#include <vector>

#include "core/error.h"
#include "dynamics/workspace.h"
#include "io/model/specification.h"

namespace monocoque {

/// A motion that no force resists, in words.
struct LooseDirection {
  std::string part, direction;  ///< the one that carries the most kinetic energy: "along x", "about z", ...
  int parts = 1;                ///< that take part in it
  double load = 0;              ///< left over along it, N or Nm per unit of that part's motion
  std::string text() const;     ///< part 'car' along x (with 9 more parts)
};

struct EquilibriumOptions {
  std::vector<char> held;  ///< per velocity coordinate: a rig holds it, its balance is left out; empty: none
  bool continuation = true;  ///< load steps and damping where Newton fails
  bool stable = false;       ///< an unstable one is left for one that holds by itself, if there is any
};

struct EquilibriumReport {
  int iterations = 0;
  double residual = 0;            ///< largest unbalanced force or moment, N or Nm
  const char* method = "Newton";  ///< or "load steps", "damped"
};

/// From a consistent state; sets x, c, lambda, w and z = 0. Throws Error naming the loose coordinate, or part
/// and direction that do not come to rest; s is then as it was.
EquilibriumReport find_equilibrium(Workspace& ws, State& s, const EquilibriumOptions& options = {});

/// Stiffness at an equilibrium, seen by the motions that the constraints allow.
struct EquilibriumStiffness {
  std::vector<LooseDirection> loose;
  double least_per_s2 = 0;  ///< smallest eigenvalue of M^-1 K that is not zero; < 0: unstable
  bool stable() const { return least_per_s2 >= 0; }
};
EquilibriumStiffness equilibrium_stiffness(Workspace& ws, const State& s, const std::vector<char>& held = {});

/// The present position, elastic coordinates included, becomes the start position of the parts.
void start_from(const Model& model, const State& s, io::ModelSpec& spec);
/// The same with the equilibrium of the model.
EquilibriumReport start_in_equilibrium(io::ModelSpec& spec);

}  // namespace monocoque

#pragma once
// Lowest eigenmodes K phi = omega^2 M phi of a body, free or with components held. Shapes are M-orthonormal.

#include <vector>

#include "reduce/constrained_solver.h"
#include "reduce/node_map.h"

namespace monocoque::reduce {

struct ModeOptions {
  int count = 20;                 ///< elastic modes, beyond the rigid ones
  double frequency_limit_Hz = 0;  ///< > 0: all up to it, at most `count`
  std::vector<NodeComponent> held;
  double shift = 0;  ///< sigma < 0; 0: from an estimate of the first elastic frequency
  double tolerance = 1e-10;
  int block = 8;
  /// More zero modes than six: Error (parts without connection, mechanism). false: the caller wants to see
  /// them.
  bool refuse_mechanisms = true;
  double memory_limit_bytes = 0;
  Log log;
};

struct Modes {
  VecX omega2;            ///< (rad/s)^2, rising; rigid ones first, as computed
  MatX shapes;            ///< unknowns x modes
  VecX residual;          ///< ||(K - sigma M)^-1 (K phi - omega^2 M phi)||_M, checked after the fact
  int rigid = 0;          ///< how many are numerically zero
  bool complete = true;   ///< false: there are more below the frequency limit
  double zero_below = 0;  ///< (rad/s)^2
  CholeskyCost cost;
  double factor_s = 0, lanczos_s = 0;
  double frequency_Hz(Eigen::Index i) const;
};

/// With the factor of K - sigma M, for more solutions.
struct FreeModes {
  Modes modes;
  ConstrainedSolver solver;
  double sigma = 0;
};
FreeModes free_modes(const FeSystem& fe, const NodeMap& map, const ModeOptions& options);

inline Modes eigenmodes(const FeSystem& fe, const NodeMap& map, const ModeOptions& options) {
  return free_modes(fe, map, options).modes;
}

/// The held modes with a factor at hand (sigma = 0).
Modes held_modes(const FeSystem& fe, const NodeMap& map, const ConstrainedSolver& solver,
                 const ModeOptions& options);

/// Rayleigh-Ritz over displacement fields that are linear and quadratic in the coordinates.
struct SpectrumEstimate {
  double noise = 0;          ///< (rad/s)^2, what rounding makes of the rigid motions
  double first_elastic = 0;  ///< upper bound of the first elastic omega^2
};
SpectrumEstimate estimate_spectrum(const FeSystem& fe, const NodeMap& map);

}  // namespace monocoque::reduce

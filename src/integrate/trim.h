#pragma once
// Nominal forces and trim (Arnold, section 2, eq. 4) by the method of Levenberg and Marquardt, with the
// regularisation of the paper for cases that equilibrium does not determine:
//   |f(y_0, 0, t_0; theta) - G^T lambda|^2 + alpha^2 |S theta|^2 -> min,
// S: each value counts by the force it makes, so that N and m can stand beside each other. A small alpha
// picks, of all values that balance, the smallest ones; where none balance the best ones can be taken.

#include <string>
#include <vector>

#include "integrate/nominal.h"
#include "io/model/specification.h"

namespace monocoque {

struct TrimOptions {
  double alpha = 1e-6;
  bool least_squares = false;                      ///< values that balance best are taken, whatever is left
  std::vector<std::vector<std::string>> unknowns;  ///< targets, beside those of the specification
  std::vector<std::string> unloaded;               ///< joints, beside those of the specification
};

struct TrimReport {
  std::vector<NominalValue> values;
  double residual = 0;  ///< largest unbalanced force or moment, N or Nm
  int iterations = 0;
  int undetermined = 0;
  std::vector<std::string> combinations;  ///< that equilibrium does not fix: "+1 FL/spring.preload_N -1 ..."
};

/// Finds the values and puts them into spec; flexible parts count as rigid. Throws Error as solve_nominal.
TrimReport solve_trim(io::ModelSpec& spec, const TrimOptions& options = {});

}  // namespace monocoque

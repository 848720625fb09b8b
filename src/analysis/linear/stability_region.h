#pragma once
// Stability of time integration: a method makes y_{k+1} = R(h lambda) y_k of y' = lambda y, and is stable
// where |R| <= 1. An explicit Runge-Kutta method with as many stages as its order (up to four, as those of
// the registry) has the polynomial R(z) = sum z^k / k!, k up to the order, whatever its tableau.

#include <complex>
#include <functional>
#include <string>
#include <vector>

#include "analysis/linear/eigen.h"

namespace monocoque::analysis {

struct StabilityFunction {
  std::string method;
  std::vector<double> coefficients;  ///< of R, explicit methods; empty: implicit
  /// |R(z)|; of a multistep method the largest root.
  std::function<double(std::complex<double> z)> growth;
  bool is_explicit() const { return !coefficients.empty(); }
};

/// Of an explicit Runge-Kutta method of this order.
StabilityFunction runge_kutta_stability(const std::string& method, int order);
/// Methods of the registry; of implicit ones those of first-order form (without generalized-alpha, IDA).
std::vector<StabilityFunction> stability_functions();

/// Largest h such that all steps up to h are stable for this eigenvalue: 0 where none is (an undamped
/// oscillation and explicit Euler), infinity for 0. Explicit methods only.
double largest_step(const StabilityFunction& method, std::complex<double> lambda);

struct StepLimit {
  std::string method;
  double step_s = 0;
  std::complex<double> lambda;  ///< that sets it
  int mode = -1;                ///< its place in the list
};
/// Over all eigenvalues that do not grow by themselves.
StepLimit step_limit(const StabilityFunction& method, const std::vector<Eigenvalue>& eigenvalues);

/// The curve |R| = 1 in a rectangle, as pieces with NaN between them.
struct Curve {
  std::vector<double> x, y;
};
Curve region_boundary(const StabilityFunction& method, double x_low, double x_high, double y_low,
                      double y_high);

}  // namespace monocoque::analysis

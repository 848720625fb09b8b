#pragma once
// What IDA needs of a system of equations F(t, y, y_dot) = 0 with y = (positions, velocities, c, lambda, w
// [, mu]), and how states go in and out. Everything before `algebraic_start` is differential.

#include "integrate/integrator.h"

namespace monocoque {

class IdaEquations {
 public:
  virtual ~IdaEquations() = default;

  virtual int size() const = 0;
  virtual int algebraic_start() const = 0;      ///< of lambda
  virtual int stabilisation_start() const = 0;  ///< of mu; size() without it
  /// y and y_dot of a consistent state with its accelerations.
  virtual void pack(const State& s, const VecX& z_dot, const VecX& c_dot, VecRef y, VecRef rate) const = 0;
  virtual void load(double t, const double* y, State& s) const = 0;  ///< x, z, c, lambda, w of a state
  virtual bool residual(double t, const double* y, const double* rate,
                        double* out) = 0;  ///< false: not finite
  virtual bool factor(double cj, double t, const double* y,
                      const double* rate) = 0;  ///< dF/dy + cj dF/dy_dot
  virtual void solve(VecRef rhs) = 0;           ///< with the last factors
  virtual void set_memory(const VecX& r) = 0;   ///< discrete states while a step goes on
};

}  // namespace monocoque

#pragma once
// SUNDIALS IDA (variable-order, variable-step BDF) on y = (x, z, c, lambda, w [, mu]) with our own linear
// solvers.
//   index-1             G z_dot + gamma = 0
//   index-2             g_dot = 0
//   stabilised-index-2  x_dot = Z (z - G^T mu), g = 0, g_dot = 0   (index reduction of Gear,
//                       Gupta and Leimkuhler, J. Comput. Appl. Math. 12, 1985; Arnold eq. 37)
// Quaternions are integrated as four numbers with a pull towards unit length; the kinematics normalise them.
// lambda, w and mu are left out of the error test. The Jacobian is analytic (mu-terms of d(G^T mu)/dx left
// out: mu is zero up to the tolerance).

#include <memory>

#include "integrate/integrator.h"

namespace monocoque {

class IdaMethod final : public Integrator {
 public:
  IdaMethod(Workspace& ws, const io::SimulationSpec& settings);
  ~IdaMethod() override;
  void start(const State& s) override;
  StepStatus advance(State& s, double t, double stop) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace monocoque

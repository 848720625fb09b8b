#pragma once
// Explicit Euler and classical Runge-Kutta on the coordinates of another formulation, taken as plain numbers:
// y = (x, z, c), accelerations from the index-1 system. Each step starts from the mixed state that the last
// one left, so quaternions begin it with unit length.

#include "dynamics/formulation.h"
#include "integrate/explicit_methods.h"

namespace monocoque {

class FormulatedExplicitMethod final : public ExplicitBase {
 public:
  FormulatedExplicitMethod(Workspace& ws, const io::SimulationSpec& settings, Tableau tableau);
  StepStatus advance(State& s, double t, double stop) override;

 private:
  FormulationMap map_;
  VecX y0_, y_, z_dot_;
  VecX k_[4];
};

}  // namespace monocoque

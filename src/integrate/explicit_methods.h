#pragma once
// Explicit Euler and the classical Runge-Kutta method of order 4 on the index-1 form. Positions move on the
// group: stages live in local coordinates d around x_n with d_dot = T^-1(d) z (Munthe-Kaas), so quaternions
// keep unit length and the order is kept. Drift is left alone, damped (Baumgarte) or removed (projection).

#include "integrate/integrator.h"

namespace monocoque {

enum class Tableau { euler, rk4 };

class ExplicitMethod final : public Integrator {
 public:
  ExplicitMethod(Workspace& ws, const io::SimulationSpec& settings, Tableau tableau);
  void start(const State& s) override;
  StepStatus advance(State& s, double t, double stop) override;
  double reciprocal_condition() const { return system_.reciprocal_condition(); }

 private:
  bool stage(const State& at, VecX& d_rate, VecX& z_rate, VecX& c_rate);

  Workspace& ws_;
  const Model& model_;
  AccelerationSystem system_;
  Tableau tableau_;
  Baumgarte baumgarte_;
  bool project_;
  int newton_steps_;
  State stage_;
  VecX d_, x0_, z0_, c0_;
  VecX kd_[4], kz_[4], kc_[4];
};

}  // namespace monocoque

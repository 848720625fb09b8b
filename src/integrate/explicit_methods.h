#pragma once
// Explicit Euler and the classical Runge-Kutta method of order 4 on the index-1 form. Positions move on the
// group: stages live in local coordinates d around x_n with d_dot = T^-1(d) z (Munthe-Kaas), so quaternions
// keep unit length and the order is kept. Drift is left alone, damped (Baumgarte) or removed (projection).

#include "integrate/integrator.h"

namespace monocoque {

enum class Tableau { euler, rk4 };

/// What explicit methods share, whatever the coordinates of their stages: accelerations at a stage, the end
/// of a step.
class ExplicitBase : public Integrator {
 public:
  void start(const State& s) override { stage_ = s; }
  double reciprocal_condition() const { return system_.reciprocal_condition(); }

 protected:
  ExplicitBase(Workspace& ws, const io::SimulationSpec& settings, Tableau tableau);

  int stages() const { return tableau_ == Tableau::rk4 ? 4 : 1; }
  static constexpr double kNode[4] = {0, 0.5, 0.5, 1};
  /// First guesses of what the stages solve for, from the state at the begin.
  void begin(const State& s);
  /// Accelerations at stage_; the first stage gives s its multipliers: they are the accurate ones.
  bool accelerate(int stage, State& s, VecX& z_dot);
  /// The step's end has been put into s: projection and verdict.
  StepStatus finish(State& s);

  Workspace& ws_;
  const Model& model_;
  State stage_;

 private:
  AccelerationSystem system_;
  Tableau tableau_;
  Baumgarte baumgarte_;
  bool project_;
  int newton_steps_;
};

class ExplicitMethod final : public ExplicitBase {
 public:
  ExplicitMethod(Workspace& ws, const io::SimulationSpec& settings, Tableau tableau);
  StepStatus advance(State& s, double t, double stop) override;

 private:
  VecX d_, x0_, z0_, c0_;
  VecX kd_[4], kz_[4], kc_[4];
};

}  // namespace monocoque

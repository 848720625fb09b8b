#pragma once
// Fixed-step implicit methods, non-iterative or with a fixed number of iterations, on the group.
//
// LinearlyImplicitEuler (order 1, L-stable): one Newton step of the implicit Euler method from the predictor
//   (x_n + h z_n, z_n), constraints on velocity level, then a non-iterative projection with the same factors.
//   For linear forces this is the implicit Euler method itself; compared with (2.124) of the dissertation the
//   rows G are taken at the predicted position, so the multipliers carry the centripetal part of the
//   reactions.
// With extrapolation (order 2, L-stable): two half steps and one whole step combined, 2 u_{h/2} - u_h.
// With matrix_steps > 1, in real time, methods with a history keep it when a controller gives new outputs: a
// restart would make that step several times as long as the others.
// Bdf2 (order 2, L-stable): in the chart around x_n; the first step after a start is an extrapolated one.
// GeneralizedAlpha (order 2): Chung-Hulbert coefficients of the spectral radius at infinity, on the group as
// in
//   Arnold and Bruels 2007, constraints on position level (index 3).

#include "integrate/implicit_step.h"

namespace monocoque {

class LinearlyImplicitEuler final : public Integrator, public LateForce {
 public:
  LinearlyImplicitEuler(Workspace& ws, const io::SimulationSpec& settings, bool extrapolate);
  void start(const State& s) override;
  void new_forces(const State&) override {}
  StepStatus advance(State& s, double t, double stop) override;
  bool add_late_force(State& s, const VecX& force) override;

 private:
  StepStatus single(State& s, double t);

  double h_ = 0;  ///< of the last step

  ImplicitStep step_;
  const Model& model_;
  bool extrapolate_, project_;
  State coarse_;
  VecX z_dot_, c_dot_, d_, x0_, z0_, c0_;
};

class Bdf2 final : public Integrator, public LateForce {
 public:
  Bdf2(Workspace& ws, const io::SimulationSpec& settings);
  void start(const State& s) override;
  void new_forces(const State& s) override;
  StepStatus advance(State& s, double t, double stop) override;
  bool add_late_force(State& s, const VecX& force) override;

 private:
  LinearlyImplicitEuler starter_;
  ImplicitStep step_;
  const Model& model_;
  bool project_;
  int iterations_;
  double previous_h_ = 0;  ///< 0: no history
  bool own_step_ = false;  ///< the last one was not the starter's
  VecX x1_, z1_, c1_;      ///< at t_{n-1}
  VecX x0_, z0_, c0_, z_dot_, c_dot_, d_, d_back_;
};

class GeneralizedAlpha final : public Integrator {
 public:
  GeneralizedAlpha(Workspace& ws, const io::SimulationSpec& settings);
  void start(const State& s) override;
  void new_forces(const State& s) override;
  StepStatus advance(State& s, double t, double stop) override;

 private:
  Workspace& ws_;
  ImplicitStep step_;
  AccelerationSystem start_system_;
  const Model& model_;
  bool project_;
  int iterations_;
  double alpha_m_, alpha_f_, beta_, gamma_;
  bool started_ = false;
  State scratch_;
  VecX a_, z_dot_, z_dot_old_, c_dot_, c_dot_old_, d_, x0_, z0_, c0_, a0_;
};

}  // namespace monocoque

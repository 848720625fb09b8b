#include "solve/acceleration_system.h"

#include "dynamics/constraints.h"
#include "dynamics/forces.h"
#include "dynamics/kinematics.h"

namespace monocoque {

void evaluate(Workspace& ws, const State& s) {
  update_signals(ws, s.t, s.r);
  update_positions(ws, s.x);
  update_velocities(ws, s.z);
  update_constraints(ws, s.t, s.r);
  update_constraint_velocity(ws);
  update_constraint_convective(ws);
  update_forces(ws, s);
}

AccelerationSystem::AccelerationSystem(const Model& model, LinearSolverKind kind)
    : model_(model),
      layout_(model, SystemKind::acceleration,
              prefer_dense(kind, SystemLayout::count(model, SystemKind::acceleration))),
      matrix_(layout_.pattern()),
      solver_(make_linear_solver(kind, layout_.pattern())),
      rhs_(VecX::Zero(layout_.size())),
      step_(VecX::Zero(model.nz)),
      nonlinear_(model.nw > 0 || model.depends_on_reactions()) {}

bool AccelerationSystem::refactor(Workspace& ws, const State& s) {
  assemble_acceleration(ws, s, layout_, matrix_);
  ++factorisations_;
  return solver_->factor(matrix_);
}

bool AccelerationSystem::factor(Workspace& ws, const State& s) {
  evaluate(ws, s);
  return refactor(ws, s);
}

bool AccelerationSystem::solve(Workspace& ws, State& s, const Baumgarte& stabilisation, int newton_steps,
                               VecX& z_dot) {
  evaluate(ws, s);
  const int nl = model_.nlambda, l0 = layout_.lambda_start(), w0 = layout_.w_start();
  const auto constraint_rhs = [&] {
    rhs_.segment(l0, nl) =
        -ws.gamma - 2 * stabilisation.alpha * ws.g_dot - stabilisation.beta * stabilisation.beta * ws.g;
  };
  if (!nonlinear_) {
    if (!refactor(ws, s)) return false;
    rhs_.head(model_.nz) = ws.f;
    constraint_rhs();
    solver_->solve(rhs_);
    z_dot = rhs_.head(model_.nz);
    s.lambda = rhs_.segment(l0, nl);
    return true;
  }
  // Newton in (z_dot, lambda, w): linear in z_dot, so its first iterate may be anything, here zero.
  z_dot.setZero();
  for (int k = 0; k < newton_steps; ++k) {
    if (k > 0) update_forces(ws, s);
    if (!refactor(ws, s)) return false;
    rhs_.head(model_.nz) = ws.f;
    step_ = rhs_.head(model_.nz);
    add_mass_times(ws, z_dot, -1, step_);
    add_constraint_forces(ws, s.lambda, -1, step_);
    rhs_.head(model_.nz) = step_;
    constraint_rhs();
    add_constraint_rates(ws, z_dot, -1, rhs_.segment(l0, nl));
    rhs_.segment(w0, model_.nw) = -ws.b;
    solver_->solve(rhs_);
    z_dot += rhs_.head(model_.nz);
    s.lambda += rhs_.segment(l0, nl);
    s.w += rhs_.segment(w0, model_.nw);
  }
  return true;
}

void AccelerationSystem::project_positions(Workspace& ws, State& s) {
  update_signals(ws, s.t, s.r);
  update_positions(ws, s.x);
  update_constraints(ws, s.t, s.r);
  rhs_.setZero();
  rhs_.segment(layout_.lambda_start(), model_.nlambda) = -ws.g;
  solver_->solve(rhs_);
  step_ = rhs_.head(model_.nz);
  retract(model_, s.x, step_, s.x);
}

void AccelerationSystem::project_velocities(Workspace& ws, State& s) {
  update_signals(ws, s.t, s.r);
  update_positions(ws, s.x);
  update_velocities(ws, s.z);
  update_constraints(ws, s.t, s.r);
  update_constraint_velocity(ws);
  rhs_.setZero();
  rhs_.segment(layout_.lambda_start(), model_.nlambda) = -ws.g_dot;
  solver_->solve(rhs_);
  s.z += rhs_.head(model_.nz);
}

}  // namespace monocoque

#include "integrate/implicit_step.h"

#include <cmath>

#include "dynamics/constraints.h"
#include "dynamics/forces.h"
#include "dynamics/kinematics.h"

namespace monocoque {

namespace {
/// Steps of one length differ by the rounding of the time.
bool like(const StepCoefficients& a, const StepCoefficients& b) {
  const auto near = [](double x, double y) { return std::abs(x - y) <= 1e-6 * std::abs(x); };
  return near(a.accel, b.accel) && near(a.vel, b.vel) && near(a.pos, b.pos) && near(a.c_rate, b.c_rate);
}
}  // namespace

ImplicitStep::ImplicitStep(Workspace& ws, const io::SimulationSpec& settings)
    : ws_(ws),
      model_(ws.model),
      layout_(ws.model, SystemKind::iteration,
              prefer_dense(linear_solver_kind(settings.linear_solver),
                           SystemLayout::count(ws.model, SystemKind::iteration))),
      matrix_(layout_.pattern()),
      solver_(make_linear_solver(linear_solver_kind(settings.linear_solver), layout_.pattern())),
      level_(settings.constraints == kIndex3 ? ConstraintLevel::position : ConstraintLevel::velocity),
      jacobian_(jacobian_from(settings.jacobian)),
      held_(ws.model),
      residual_z_(VecX::Zero(ws.model.nz)),
      increment_(VecX::Zero(layout_.size())),
      step_(VecX::Zero(ws.model.nz)) {
  if (settings.stabilisation == kBaumgarte) baumgarte_ = settings.baumgarte_alpha;
}

bool ImplicitStep::newton(const State& s, const VecX& z_dot, const VecX& c_dot, const StepCoefficients& k,
                          bool refresh) {
  update_signals(ws_, s.t, s.r);
  update_positions(ws_, s.x);
  update_velocities(ws_, s.z);
  update_constraints(ws_, s.t, s.r);
  update_constraint_velocity(ws_);
  update_forces(ws_, s);
  if (refresh && !(jacobian_ == Jacobian::constant_matrix && like(k, factored_with_))) {
    if (jacobian_ == Jacobian::constant && !held_.taken()) held_.take(ws_);
    assemble_iteration(ws_, s, z_dot, TangentWeights::of_step(k, level_), level_, layout_, matrix_,
                       jacobian_terms(jacobian_, held_));
    ++factorisations_;
    factored_with_ = k;
    if (!solver_->factor(matrix_)) return false;
  }
  residual_z_ = ws_.f;
  add_mass_times(ws_, z_dot, -1, residual_z_);
  add_constraint_forces(ws_, s.lambda, -1, residual_z_);
  increment_.head(model_.nz) = residual_z_ / k.accel;
  increment_.segment(layout_.c_start(), model_.nc) = (ws_.c_dot - c_dot) / k.c_rate;
  auto rows = increment_.segment(layout_.lambda_start(), model_.nlambda);
  for (const JointInstance& joint : model_.joints) {
    for (int i = 0; i < joint.joint->rows(); ++i) {
      const int row = joint.lambda_start + i;
      if (level_ == ConstraintLevel::position && i < joint.joint->holonomic_rows())
        rows[row] = -ws_.g[row] / k.pos;
      else
        rows[row] = -(ws_.g_dot[row] + baumgarte_ * ws_.g[row]) / k.vel;
    }
  }
  increment_.segment(layout_.w_start(), model_.nw) = -ws_.b;
  solver_->solve(increment_);
  return true;
}

void ImplicitStep::update_algebraic(State& s, double accel) const {
  s.c += step_c();
  s.lambda += accel * step_lambda();
  s.w += step_w();
}

void ImplicitStep::solve_projection(const VecX& residual) {
  increment_.setZero();
  increment_.segment(layout_.lambda_start(), model_.nlambda) = -residual;
  solver_->solve(increment_);
  step_ = increment_.head(model_.nz);
}

void ImplicitStep::project_positions(State& s) {
  update_signals(ws_, s.t, s.r);
  update_positions(ws_, s.x);
  update_constraints(ws_, s.t, s.r);
  solve_projection(ws_.g);
  retract(model_, s.x, step_, s.x);
}

void ImplicitStep::project_velocities(State& s) {
  update_signals(ws_, s.t, s.r);
  update_positions(ws_, s.x);
  update_velocities(ws_, s.z);
  update_constraints(ws_, s.t, s.r);
  update_constraint_velocity(ws_);
  solve_projection(ws_.g_dot);
  s.z += step_;
}

}  // namespace monocoque

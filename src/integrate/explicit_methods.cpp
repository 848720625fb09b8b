#include "integrate/explicit_methods.h"

#include "core/rotation.h"
#include "dynamics/formulation.h"
#include "integrate/formulated_explicit.h"

namespace monocoque {

namespace {

/// d_rate = T^-1(d) z: the identity on translations, the inverse tangent on rotations.
void local_rate(const Model& model, const VecX& d, const VecX& z, VecX& d_rate) {
  d_rate = z;
  for (const Part& part : model.parts)
    if (part.turns())
      d_rate.segment<3>(part.z_start + 3) =
          inverse_tangent(d.segment<3>(part.z_start + 3)) * z.segment<3>(part.z_start + 3);
}

}  // namespace

ExplicitBase::ExplicitBase(Workspace& ws, const io::SimulationSpec& settings, Tableau tableau)
    : ws_(ws),
      model_(ws.model),
      stage_(initial_state(ws.model)),
      system_(ws.model, linear_solver_kind(settings.linear_solver)),
      tableau_(tableau),
      project_(settings.stabilisation == kProjection),
      newton_steps_(settings.iterations > 0 ? settings.iterations : 3) {
  if (settings.stabilisation == kBaumgarte) baumgarte_ = {settings.baumgarte_alpha, settings.baumgarte_beta};
}

void ExplicitBase::begin(const State& s) {
  stage_.lambda = s.lambda;
  stage_.w = s.w;
  stage_.r = s.r;
}

bool ExplicitBase::accelerate(int stage, State& s, VecX& z_dot) {
  ++counts_.evaluations;
  if (!system_.solve(ws_, stage_, baumgarte_, newton_steps_, z_dot)) return false;
  if (stage == 0) {
    s.lambda = stage_.lambda;
    s.w = stage_.w;
  }
  return true;
}

StepStatus ExplicitBase::finish(State& s) {
  if (project_) {  // with the factors of the last stage, which lies O(h) from the new state or nearer
    system_.project_positions(ws_, s);
    system_.project_velocities(ws_, s);
  }
  ++counts_.steps;
  counts_.factorisations = system_.factorisations();
  const double size = s.z.squaredNorm() + s.c.squaredNorm();
  return size < 1e24 ? StepStatus::ok : StepStatus::not_finite;  // false for NaN as well
}

ExplicitMethod::ExplicitMethod(Workspace& ws, const io::SimulationSpec& settings, Tableau tableau)
    : ExplicitBase(ws, settings, tableau) {
  d_.setZero(model_.nz);
  x0_.setZero(model_.nx);
  z0_.setZero(model_.nz);
  c0_.setZero(model_.nc);
  for (int i = 0; i < 4; ++i) {
    kd_[i].setZero(model_.nz);
    kz_[i].setZero(model_.nz);
    kc_[i].setZero(model_.nc);
  }
}

StepStatus ExplicitMethod::advance(State& s, double t, double) {
  const double h = t - s.t;
  x0_ = s.x;
  z0_ = s.z;
  c0_ = s.c;
  begin(s);
  for (int i = 0; i < stages(); ++i) {
    const double a = h * kNode[i];
    stage_.t = s.t + a;
    if (i == 0) {
      d_.setZero();
      stage_.x = x0_;
      stage_.z = z0_;
      stage_.c = c0_;
    } else {
      d_ = a * kd_[i - 1];
      retract(model_, x0_, d_, stage_.x);
      stage_.z = z0_ + a * kz_[i - 1];
      stage_.c = c0_ + a * kc_[i - 1];
    }
    if (!accelerate(i, s, kz_[i])) return StepStatus::singular;
    local_rate(model_, d_, stage_.z, kd_[i]);
    kc_[i] = ws_.c_dot;
  }
  if (stages() == 4) {
    d_ = h / 6 * (kd_[0] + 2 * kd_[1] + 2 * kd_[2] + kd_[3]);
    s.z = z0_ + h / 6 * (kz_[0] + 2 * kz_[1] + 2 * kz_[2] + kz_[3]);
    s.c = c0_ + h / 6 * (kc_[0] + 2 * kc_[1] + 2 * kc_[2] + kc_[3]);
  } else {
    d_ = h * kd_[0];
    s.z = z0_ + h * kz_[0];
    s.c = c0_ + h * kc_[0];
  }
  retract(model_, x0_, d_, s.x);
  s.t = t;
  return finish(s);
}

namespace {

IntegratorType explicit_type(std::string name, std::string doc, int order, Tableau tableau) {
  IntegratorType type;
  type.name = std::move(name);
  type.doc = std::move(doc);
  type.order = order;
  type.explicit_method = true;
  type.levels = {{kIndex1, kProjection}, {kIndex1, kBaumgarte}, {kIndex1, kNone}};
  type.any_formulation = true;
  type.make = [tableau](Workspace& ws, const io::SimulationSpec& s) -> std::unique_ptr<Integrator> {
    if (formulation_from(s.formulation) != Formulation::mixed)
      return std::make_unique<FormulatedExplicitMethod>(ws, s, tableau);
    return std::make_unique<ExplicitMethod>(ws, s, tableau);
  };
  return type;
}

}  // namespace

IntegratorType explicit_euler_type() {
  return explicit_type("explicit-euler", "explicit Euler", 1, Tableau::euler);
}

IntegratorType rk4_type() {
  return explicit_type("rk4", "classical Runge-Kutta", 4, Tableau::rk4);
}

}  // namespace monocoque

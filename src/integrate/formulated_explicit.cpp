#include "integrate/formulated_explicit.h"

namespace monocoque {

FormulatedExplicitMethod::FormulatedExplicitMethod(Workspace& ws, const io::SimulationSpec& settings,
                                                   Tableau tableau)
    : ws_(ws),
      model_(ws.model),
      map_(ws.model, formulation_from(settings.formulation)),
      system_(ws.model, linear_solver_kind(settings.linear_solver)),
      tableau_(tableau),
      project_(settings.stabilisation == kProjection),
      newton_steps_(settings.iterations > 0 ? settings.iterations : 3),
      stage_(initial_state(ws.model)) {
  if (settings.stabilisation == kBaumgarte) baumgarte_ = {settings.baumgarte_alpha, settings.baumgarte_beta};
  const int n = model_.nx + map_.nz() + model_.nc;
  for (VecX* v : {&y0_, &y_, &k_[0], &k_[1], &k_[2], &k_[3]}) v->setZero(n);
  z_dot_.setZero(model_.nz);
}

bool FormulatedExplicitMethod::stage(const VecX& y, VecX& rate) {
  ++counts_.evaluations;
  const int nx = model_.nx, nz = map_.nz();
  map_.to_mixed(y.head(nx), y.segment(nx, nz), stage_.x, stage_.z);
  stage_.c = y.tail(model_.nc);
  if (!system_.solve(ws_, stage_, baumgarte_, newton_steps_, z_dot_)) return false;
  map_.rates(y.head(nx), y.segment(nx, nz), z_dot_, rate.head(nx), rate.segment(nx, nz));
  rate.tail(model_.nc) = ws_.c_dot;
  return true;
}

StepStatus FormulatedExplicitMethod::advance(State& s, double t, double) {
  const double h = t - s.t;
  const bool rk4 = tableau_ == Tableau::rk4;
  const int nx = model_.nx, nz = map_.nz();
  constexpr double node[4] = {0, 0.5, 0.5, 1};
  map_.from_mixed(s.x, s.z, y0_.head(nx), y0_.segment(nx, nz));
  y0_.tail(model_.nc) = s.c;
  stage_.lambda = s.lambda;
  stage_.w = s.w;
  stage_.r = s.r;
  for (int i = 0; i < (rk4 ? 4 : 1); ++i) {
    stage_.t = s.t + h * node[i];
    y_ = y0_;
    if (i > 0) y_ += h * node[i] * k_[i - 1];
    if (!stage(y_, k_[i])) return StepStatus::singular;
    if (i == 0) {
      s.lambda = stage_.lambda;
      s.w = stage_.w;
    }
  }
  y_ = y0_;
  if (rk4)
    y_ += h / 6 * (k_[0] + 2 * k_[1] + 2 * k_[2] + k_[3]);
  else
    y_ += h * k_[0];
  map_.to_mixed(y_.head(nx), y_.segment(nx, nz), s.x, s.z);
  s.c = y_.tail(model_.nc);
  s.t = t;
  if (project_) {
    system_.project_positions(ws_, s);
    system_.project_velocities(ws_, s);
  }
  ++counts_.steps;
  counts_.factorisations = system_.factorisations();
  const double size = s.z.squaredNorm() + s.c.squaredNorm();
  return size < 1e24 ? StepStatus::ok : StepStatus::not_finite;  // false for NaN as well
}

}  // namespace monocoque

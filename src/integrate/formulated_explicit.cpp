#include "integrate/formulated_explicit.h"

namespace monocoque {

FormulatedExplicitMethod::FormulatedExplicitMethod(Workspace& ws, const io::SimulationSpec& settings,
                                                   Tableau tableau)
    : ExplicitBase(ws, settings, tableau), map_(ws.model, formulation_from(settings.formulation)) {
  const int n = model_.nx + map_.nz() + model_.nc;
  for (VecX* v : {&y0_, &y_, &k_[0], &k_[1], &k_[2], &k_[3]}) v->setZero(n);
  z_dot_.setZero(model_.nz);
}

StepStatus FormulatedExplicitMethod::advance(State& s, double t, double) {
  const double h = t - s.t;
  const int nx = model_.nx, nz = map_.nz();
  map_.from_mixed(s.x, s.z, y0_.head(nx), y0_.segment(nx, nz));
  y0_.tail(model_.nc) = s.c;
  begin(s);
  for (int i = 0; i < stages(); ++i) {
    stage_.t = s.t + h * kNode[i];
    y_ = y0_;
    if (i > 0) y_ += h * kNode[i] * k_[i - 1];
    map_.to_mixed(y_.head(nx), y_.segment(nx, nz), stage_.x, stage_.z);
    stage_.c = y_.tail(model_.nc);
    if (!accelerate(i, s, z_dot_)) return StepStatus::singular;
    map_.rates(y_.head(nx), y_.segment(nx, nz), z_dot_, k_[i].head(nx), k_[i].segment(nx, nz));
    k_[i].tail(model_.nc) = ws_.c_dot;
  }
  y_ = y0_;
  if (stages() == 4)
    y_ += h / 6 * (k_[0] + 2 * k_[1] + 2 * k_[2] + k_[3]);
  else
    y_ += h * k_[0];
  map_.to_mixed(y_.head(nx), y_.segment(nx, nz), s.x, s.z);
  s.c = y_.tail(model_.nc);
  s.t = t;
  return finish(s);
}

}  // namespace monocoque

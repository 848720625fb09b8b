#include "integrate/ida_formulated.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace monocoque {

FormulatedIdaSystem::FormulatedIdaSystem(const Model& model, Formulation formulation,
                                         std::unique_ptr<IdaEquations> mixed, const io::SimulationSpec& spec)
    : model_(model),
      map_(model, formulation),
      mixed_(std::move(mixed)),
      more_(map_.nz() - model.nz),
      smallest_(1e-3 + spec.absolute_tolerance) {
  for (VecX* v : {&y_mixed_, &rate_mixed_, &residual_mixed_}) v->setZero(mixed_->size());
  for (VecX* v : {&y_, &rate_, &base_, &moved_}) v->setZero(size());
  jacobian_.setZero(size(), size());
}

void FormulatedIdaSystem::to_mixed(const double* p, VecRef out) const {
  const Eigen::Map<const VecX> y(p, size());
  VecX x(model_.nx), z(model_.nz);
  map_.to_mixed(y.head(model_.nx), y.segment(model_.nx, map_.nz()), x, z);
  out.head(model_.nx) = x;
  out.segment(model_.nx, model_.nz) = z;
  const Eigen::Index rest = size() - model_.nx - map_.nz();
  out.tail(rest) = y.tail(rest);
}

void FormulatedIdaSystem::pack(const State& s, const VecX& z_dot, const VecX& c_dot, VecRef y,
                               VecRef rate) const {
  VecX y_mixed(mixed_->size()), rate_mixed(mixed_->size());
  mixed_->pack(s, z_dot, c_dot, y_mixed, rate_mixed);
  const Eigen::Index rest = size() - model_.nx - map_.nz();
  y.tail(rest) = y_mixed.tail(rest);
  rate.tail(rest) = rate_mixed.tail(rest);
  map_.from_mixed(s.x, s.z, y.head(model_.nx), y.segment(model_.nx, map_.nz()));
  map_.rates(y.head(model_.nx), y.segment(model_.nx, map_.nz()), z_dot, rate.head(model_.nx),
             rate.segment(model_.nx, map_.nz()));
}

void FormulatedIdaSystem::load(double t, const double* p, State& s) const {
  VecX y(mixed_->size());
  to_mixed(p, y);
  mixed_->load(t, y.data(), s);
}

bool FormulatedIdaSystem::residual(double t, const double* p, const double* rate, double* out) {
  const Eigen::Map<const VecX> y(p, size()), y_dot(rate, size());
  Eigen::Map<VecX> r(out, size());
  const int nx = model_.nx, nz = model_.nz, own = map_.nz();
  const Eigen::Index rest = size() - nx - own;
  to_mixed(p, y_mixed_);
  rate_mixed_.tail(rest) = y_dot.tail(rest);
  map_.rates_to_mixed(y.head(nx), y.segment(nx, own), y_dot.head(nx), y_dot.segment(nx, own),
                      rate_mixed_.head(nx), rate_mixed_.segment(nx, nz));
  if (!mixed_->residual(t, y_mixed_.data(), rate_mixed_.data(), residual_mixed_.data())) return false;
  map_.residuals_from_mixed(y.head(nx), y.segment(nx, own), y_dot.head(nx), y_dot.segment(nx, own),
                            residual_mixed_.head(nx), residual_mixed_.segment(nx, nz), r.head(nx),
                            r.segment(nx, own));
  r.tail(rest) = residual_mixed_.tail(rest);
  return r.allFinite();
}

bool FormulatedIdaSystem::factor(double cj, double t, const double* p, const double* rate) {
  y_ = Eigen::Map<const VecX>(p, size());
  rate_ = Eigen::Map<const VecX>(rate, size());
  const double relative = std::sqrt(std::numeric_limits<double>::epsilon());
  for (Eigen::Index i = 0; i < size(); ++i) {
    const double y = y_[i], y_dot = rate_[i];
    // Differential unknowns move together with their rates: y by e, y_dot by cj e.
    const double e = relative * std::max({std::abs(y), std::abs(y_dot / cj), smallest_});
    const double rate_e = i < algebraic_start() ? cj * e : 0;
    y_[i] = y + e;
    rate_[i] = y_dot + rate_e;
    if (!residual(t, y_.data(), rate_.data(), moved_.data())) return false;
    y_[i] = y - e;
    rate_[i] = y_dot - rate_e;
    if (!residual(t, y_.data(), rate_.data(), base_.data())) return false;
    y_[i] = y;
    rate_[i] = y_dot;
    jacobian_.col(i) = (moved_ - base_) / (2 * e);
  }
  lu_.compute(jacobian_);
  return lu_.rcond() > 1e-18;
}

}  // namespace monocoque

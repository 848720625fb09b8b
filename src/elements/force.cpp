#include "elements/force.h"

#include <algorithm>

namespace monocoque {

void Force::state_rate(const ForceInput&, InnerVector& rate) const {
  rate.setZero(states_);
}

void Force::algebraic(const ForceInput&, InnerVector& residual) const {
  residual.setZero(algebraic_);
}

void Force::initial_state(const ForceInput&, double* c) const {
  std::fill_n(c, states_, 0.0);
}

void Force::initial_algebraic(const ForceInput&, double* w) const {
  std::fill_n(w, algebraic_, 0.0);
}

double Force::supply(const ForceInput&) const {
  return 0;
}

void Force::resize_tangent(ForceTangent& out) const {
  const auto size = [this](auto& rows, Eigen::Index count) {
    rows.pose.resize(count, 12);
    rows.twist.resize(count, 12);
    rows.c.resize(count, states_);
    rows.w.resize(count, algebraic_);
    rows.reaction.resize(count, 6);
  };
  size(out.wrench, 12);
  size(out.rate, states_);
  size(out.algebraic, algebraic_);
}

}  // namespace monocoque

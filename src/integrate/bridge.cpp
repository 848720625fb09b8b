#include "integrate/bridge.h"

#include <algorithm>
#include <cmath>

namespace monocoque {

namespace {

constexpr int kLeastBridgeSteps = 10, kMostBridgeSteps = 2000, kHalvings = 20;
constexpr double kUsual = 0.1;      ///< part of the best condition that counts as usual
constexpr double kRounding = 1000;  ///< in tolerances, that rounding may take at the place itself

io::SimulationSpec explicit_settings(io::SimulationSpec settings) {
  settings.constraints = kIndex1;
  settings.stabilisation = kProjection;
  settings.iterations = 0;
  return settings;
}

}  // namespace

Bridge::Bridge(Workspace& ws, const io::SimulationSpec& settings)
    : settings_(settings),
      method_(ws, explicit_settings(settings), Tableau::rk4),
      whole_(initial_state(ws.model)),
      halves_(whole_),
      best_leap_(whole_),
      step_((settings.end_s - settings.start_s) / 100) {}

double Bridge::error(const State& a, const State& b) const {
  double worst = 0;
  const auto compare = [&](const VecX& u, const VecX& v) {
    for (Eigen::Index i = 0; i < u.size(); ++i)
      worst = std::max(worst, std::abs(u[i] - v[i]) / (settings_.relative_tolerance * std::abs(v[i]) +
                                                       settings_.absolute_tolerance));
  };
  compare(a.x, b.x);
  compare(a.z, b.z);
  compare(a.c, b.c);
  return worst / 15;  // the halved steps are 15 times nearer to the solution than to the whole step
}

StepStatus Bridge::cross(State& s, double t) {
  method_.start(s);
  for (int i = 0; i < kMostBridgeSteps && s.t < t; ++i) {
    if (i >= kLeastBridgeSteps && method_.reciprocal_condition() > kUsual * best_) break;
    bool accepted = false;
    double last = INFINITY;
    for (int cut = 0; cut < kHalvings && !accepted; ++cut) {
      const double end = s.t + 1.001 * step_ >= t ? t : s.t + step_, middle = 0.5 * (s.t + end);
      whole_ = halves_ = s;
      double e = INFINITY;
      if (method_.advance(whole_, end, t) == StepStatus::ok &&
          method_.advance(halves_, middle, t) == StepStatus::ok &&
          method_.advance(halves_, end, t) == StepStatus::ok)
        e = error(whole_, halves_);
      // An error that no longer falls with the step is rounding: nearer to the singular position it only
      // grows.
      accepted = e <= 1 || (e <= kRounding && e > 0.25 * last);
      last = e;
      if (!accepted) step_ = 0.5 * (end - s.t);
    }
    if (!accepted) return StepStatus::not_converged;
    s = halves_;
  }
  step_ *= 2;  // the next place may allow more
  return StepStatus::ok;
}

bool Bridge::equal_steps(const State& from, double t, int count, State& out) {
  out = from;
  method_.start(out);
  for (int i = 1; i <= count; ++i)
    if (method_.advance(out, i == count ? t : from.t + (t - from.t) * i / count, t) != StepStatus::ok)
      return false;
  return true;
}

StepStatus Bridge::leap(State& s, double t) {
  double best = INFINITY;
  for (int count = 4; count <= 64; count *= 2) {
    if (!equal_steps(s, t, count, whole_) || !equal_steps(s, t, 2 * count, halves_)) continue;
    const double e = error(whole_, halves_);
    if (!(e < best)) continue;
    best = e;
    best_leap_ = halves_;
  }
  if (!(best <= 10 * kRounding)) return StepStatus::not_converged;
  s = best_leap_;
  return StepStatus::ok;
}

}  // namespace monocoque

#pragma once
// A servo of second order without overshoot that follows a wanted value, sampled every h seconds: constant
// acceleration a = w^2 (wanted - y) - 2 w y_dot within each interval, so that its output is a C1 piecewise
// parabola, exact in between, and joints can take it. States: the first four of a controller.
// w h <= kMost: beyond it the sampled servo overshoots.

#include <algorithm>

#include "core/time_function.h"

namespace monocoque {

struct Servo {
  enum State { value, rate, acceleration, sampled_at, count };
  static constexpr double kMost = 0.5;

  double w_rad_per_s, most_rate, h_s;

  static Taylor2 output(double t, const double* r) {
    const double dt = t - r[sampled_at], a = r[acceleration];
    return {r[value] + dt * (r[rate] + 0.5 * dt * a), r[rate] + dt * a, a};
  }
  void sample(double t, double wanted, double* r) const {
    const Taylor2 now = output(t, r);
    const double a = w_rad_per_s * (w_rad_per_s * (wanted - now.value) - 2 * now.rate);
    r[acceleration] = std::clamp(a, (-most_rate - now.rate) / h_s, (most_rate - now.rate) / h_s);
    r[value] = now.value;
    r[rate] = now.rate;
    r[sampled_at] = t;
  }
};

}  // namespace monocoque

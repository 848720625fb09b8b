#include "elements/forces/smooth_curve.h"

#include <algorithm>
#include <cmath>

namespace monocoque {
namespace {

/// Inner slope: weighted harmonic mean of the two secants, zero at a turn, so that no overshoot arises.
double inner_slope(double h0, double h1, double s0, double s1) {
  if (s0 * s1 <= 0) return 0;
  const double w0 = 2 * h1 + h0, w1 = h1 + 2 * h0;
  return (w0 + w1) / (w0 / s0 + w1 / s1);
}

/// One-sided parabola at an end, limited like the inner slopes.
double end_slope(double h0, double h1, double s0, double s1) {
  const double slope = ((2 * h0 + h1) * s0 - h0 * s1) / (h0 + h1);
  if (slope * s0 <= 0) return 0;
  if (s0 * s1 <= 0 && std::abs(slope) > 3 * std::abs(s0)) return 3 * s0;
  return slope;
}

}  // namespace

SmoothCurve::SmoothCurve(std::vector<double> x, std::vector<double> y)
    : x_(std::move(x)), y_(std::move(y)), slopes_(x_.size()), sums_(x_.size(), 0.0) {
  const std::size_t n = x_.size();
  const auto h = [this](std::size_t i) { return x_[i + 1] - x_[i]; };
  const auto secant = [this, h](std::size_t i) { return (y_[i + 1] - y_[i]) / h(i); };
  if (n == 2) {
    slopes_[0] = slopes_[1] = secant(0);
  } else {
    slopes_[0] = end_slope(h(0), h(1), secant(0), secant(1));
    slopes_[n - 1] = end_slope(h(n - 2), h(n - 3), secant(n - 2), secant(n - 3));
    for (std::size_t i = 1; i + 1 < n; ++i)
      slopes_[i] = inner_slope(h(i - 1), h(i), secant(i - 1), secant(i));
  }
  for (std::size_t i = 0; i + 1 < n; ++i)
    sums_[i + 1] = sums_[i] + h(i) * (0.5 * (y_[i] + y_[i + 1]) + h(i) * (slopes_[i] - slopes_[i + 1]) / 12);
  at_zero_ = integral_from_first(0);
}

std::size_t SmoothCurve::interval(double x) const {
  const auto next = std::upper_bound(x_.begin() + 1, x_.end() - 1, x);
  return static_cast<std::size_t>(next - x_.begin()) - 1;
}

double SmoothCurve::value(double x) const {
  if (x <= x_.front()) return y_.front() + slopes_.front() * (x - x_.front());
  if (x >= x_.back()) return y_.back() + slopes_.back() * (x - x_.back());
  const std::size_t i = interval(x);
  const double h = x_[i + 1] - x_[i], t = (x - x_[i]) / h;
  // Cubic as first point + t (slope + t (b + t a)).
  const double rise = y_[i + 1] - y_[i], m0 = h * slopes_[i], m1 = h * slopes_[i + 1];
  const double b = 3 * rise - 2 * m0 - m1, a = m0 + m1 - 2 * rise;
  return y_[i] + t * (m0 + t * (b + t * a));
}

double SmoothCurve::slope(double x) const {
  if (x <= x_.front()) return slopes_.front();
  if (x >= x_.back()) return slopes_.back();
  const std::size_t i = interval(x);
  const double h = x_[i + 1] - x_[i], t = (x - x_[i]) / h;
  const double rise = y_[i + 1] - y_[i], m0 = h * slopes_[i], m1 = h * slopes_[i + 1];
  const double b = 3 * rise - 2 * m0 - m1, a = m0 + m1 - 2 * rise;
  return (m0 + t * (2 * b + t * 3 * a)) / h;
}

double SmoothCurve::integral_from_first(double x) const {
  if (x <= x_.front()) {
    const double d = x - x_.front();
    return d * (y_.front() + 0.5 * slopes_.front() * d);
  }
  if (x >= x_.back()) {
    const double d = x - x_.back();
    return sums_.back() + d * (y_.back() + 0.5 * slopes_.back() * d);
  }
  const std::size_t i = interval(x);
  const double h = x_[i + 1] - x_[i], t = (x - x_[i]) / h;
  const double rise = y_[i + 1] - y_[i], m0 = h * slopes_[i], m1 = h * slopes_[i + 1];
  const double b = 3 * rise - 2 * m0 - m1, a = m0 + m1 - 2 * rise;
  return sums_[i] + h * t * (y_[i] + t * (m0 / 2 + t * (b / 3 + t * a / 4)));
}

}  // namespace monocoque

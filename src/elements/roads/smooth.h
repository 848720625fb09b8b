#pragma once
// Curves with two continuous derivatives that the road types are made of.

#include <array>
#include <cmath>

namespace monocoque {

/// A function with its first and second derivative.
struct Curve {
  double y = 0, d = 0, dd = 0;
};

/// 0 for s <= 0, 1 for s >= length, t^3 (10 - 15 t + 6 t^2) between: two derivatives vanish at both ends.
inline Curve smooth_step(double s, double length) {
  if (s <= 0) return {0, 0, 0};
  if (s >= length) return {1, 0, 0};
  const double t = s / length;
  return {t * t * t * (10 + t * (6 * t - 15)), 30 * t * t * (1 - t) * (1 - t) / length,
          60 * t * (1 - t) * (1 - 2 * t) / (length * length)};
}

/// The corner max(s, 0), rounded over |s| < radius; slope t^2 (3 - 2 t).
inline Curve rounded_corner(double s, double radius) {
  if (s <= -radius) return {0, 0, 0};
  if (s >= radius) return {s, 1, 0};
  const double t = (s + radius) / (2 * radius);
  return {2 * radius * t * t * t * (1 - 0.5 * t), t * t * (3 - 2 * t), 3 * t * (1 - t) / radius};
}

inline Curve product(const Curve& a, const Curve& b) {
  return {a.y * b.y, a.d * b.y + a.y * b.d, a.dd * b.y + 2 * a.d * b.d + a.y * b.dd};
}

/// Weights of four neighbours for a cubic at the place f in [0, 1] between the inner two, by f.
struct CubicWeights {
  std::array<double, 4> w, d, dd;
};

/// Catmull-Rom: goes through the values, one continuous derivative.
inline CubicWeights hermite_weights(double f) {
  const double g = 1 - f;
  return {{-0.5 * f * g * g, 1 + f * f * (1.5 * f - 2.5), 1 + g * g * (1.5 * g - 2.5), -0.5 * g * f * f},
          {-0.5 * g * (g - 2 * f), f * (4.5 * f - 5), -g * (4.5 * g - 5), 0.5 * f * (f - 2 * g)},
          {2 - 3 * f, 9 * f - 5, 9 * g - 5, 2 - 3 * g}};
}

/// Cubic B-spline: two continuous derivatives; values are coefficients, not heights.
inline CubicWeights spline_weights(double f) {
  const double g = 1 - f;
  return {{g * g * g / 6, 2.0 / 3 - f * f * (1 - 0.5 * f), 2.0 / 3 - g * g * (1 - 0.5 * g), f * f * f / 6},
          {-0.5 * g * g, f * (1.5 * f - 2), -g * (1.5 * g - 2), 0.5 * f * f},
          {g, 3 * f - 2, 3 * g - 2, f}};
}

}  // namespace monocoque

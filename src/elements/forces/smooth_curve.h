#pragma once
// A curve through points (x, y), x strictly increasing: shape-preserving cubic (Fritsch and Carlson, 1980),
// continuous with its slope, never beyond the points between which it runs, straight outside. Its integral is
// exact.

#include <vector>

namespace monocoque {

class SmoothCurve {
 public:
  /// At least two points.
  SmoothCurve(std::vector<double> x, std::vector<double> y);

  double value(double x) const;
  double slope(double x) const;
  /// Of value, from 0 to x.
  double integral(double x) const { return integral_from_first(x) - at_zero_; }
  double first_slope() const { return slopes_.front(); }
  double last_slope() const { return slopes_.back(); }

 private:
  std::size_t interval(double x) const;
  double integral_from_first(double x) const;
  std::vector<double> x_, y_, slopes_, sums_;  ///< sums_: integral from the first point to each
  double at_zero_ = 0;
};

}  // namespace monocoque

#pragma once
// Functions of time with exact first and second derivatives: what drives joints, actuators and set points.
// Evaluation allocates nothing and throws nothing.

#include <memory>
#include <string>
#include <vector>

namespace monocoque {

/// Value and time derivatives of a scalar at one instant.
struct Taylor2 {
  double value = 0, rate = 0, acceleration = 0;
};

class Formula;  // core/formula.h

class TimeFunction {
 public:
  enum class Interpolation { linear, cubic, hold };

  TimeFunction() = default;  ///< identically zero
  static TimeFunction constant(double value);
  static TimeFunction formula(std::shared_ptr<const Formula> f);
  /// Points (t, y), t strictly increasing, at least one; constant outside. cubic: natural spline; hold:
  /// steps.
  static TimeFunction table(std::vector<double> t, std::vector<double> y, Interpolation kind);

  Taylor2 at(double t) const noexcept;
  /// Instants at which value or derivative jumps: integrators stop there.
  const std::vector<double>& event_times() const { return events_; }

 private:
  double constant_ = 0;
  std::shared_ptr<const Formula> formula_;
  std::vector<double> t_, y_, curvature_;
  Interpolation kind_ = Interpolation::linear;
  std::vector<double> events_;
};

}  // namespace monocoque

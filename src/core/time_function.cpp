#include "core/time_function.h"

#include <algorithm>

#include "core/error.h"
#include "core/formula.h"

namespace monocoque {

namespace {

/// Second derivatives of the natural cubic spline at the knots (Thomas algorithm).
std::vector<double> spline_curvature(const std::vector<double>& t, const std::vector<double>& y) {
  const std::size_t n = t.size();
  std::vector<double> m(n, 0.0), upper(n, 0.0);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double h0 = t[i] - t[i - 1], h1 = t[i + 1] - t[i];
    const double right = 6 * ((y[i + 1] - y[i]) / h1 - (y[i] - y[i - 1]) / h0);
    const double pivot = 2 * (h0 + h1) - h0 * upper[i - 1];
    upper[i] = h1 / pivot;
    m[i] = (right - h0 * m[i - 1]) / pivot;
  }
  for (std::size_t i = n; i-- > 1;)
    if (i + 1 < n) m[i] -= upper[i] * m[i + 1];
  return m;
}

}  // namespace

TimeFunction TimeFunction::constant(double value) {
  TimeFunction f;
  f.constant_ = value;
  return f;
}

TimeFunction TimeFunction::formula(std::shared_ptr<const Formula> formula) {
  TimeFunction f;
  if (!formula) return f;
  if (!formula->depends_on_time()) return constant(formula->at(0).value);
  f.events_ = formula->event_times();
  f.formula_ = std::move(formula);
  return f;
}

TimeFunction TimeFunction::table(std::vector<double> t, std::vector<double> y, Interpolation kind) {
  if (t.empty() || t.size() != y.size())
    throw Error("", "a table of time needs at least one point and one value for each time");
  if (std::adjacent_find(t.begin(), t.end(), [](double a, double b) { return !(a < b); }) != t.end())
    throw Error("", "the times of a table must increase strictly");
  if (t.size() == 1) return constant(y[0]);
  TimeFunction f;
  f.kind_ = kind;
  switch (kind) {
    case Interpolation::linear:
      f.events_ = t;
      break;
    case Interpolation::hold:
      f.events_.assign(t.begin() + 1, t.end());
      break;
    case Interpolation::cubic:
      f.events_ = {t.front(), t.back()};
      f.curvature_ = spline_curvature(t, y);
      break;
  }
  f.t_ = std::move(t);
  f.y_ = std::move(y);
  return f;
}

Taylor2 TimeFunction::at(double t) const noexcept {
  if (formula_) return formula_->at(t);
  if (t_.empty()) return {constant_, 0, 0};
  // Intervals are closed on the left: at a knot the function is already the one after it.
  if (t < t_.front()) return {y_.front(), 0, 0};
  if (!(t < t_.back())) return {y_.back(), 0, 0};
  const auto i = static_cast<std::size_t>(std::upper_bound(t_.begin(), t_.end(), t) - t_.begin()) - 1;
  if (kind_ == Interpolation::hold) return {y_[i], 0, 0};
  const double h = t_[i + 1] - t_[i], slope = (y_[i + 1] - y_[i]) / h, s = t - t_[i];
  if (kind_ == Interpolation::linear) return {y_[i] + slope * s, slope, 0};
  const double m0 = curvature_[i], m1 = curvature_[i + 1];
  const double c1 = slope - h * (2 * m0 + m1) / 6, c3 = (m1 - m0) / h;
  return {y_[i] + s * (c1 + s * (m0 / 2 + s * c3 / 6)), c1 + s * (m0 + s * c3 / 2), m0 + s * c3};
}

}  // namespace monocoque

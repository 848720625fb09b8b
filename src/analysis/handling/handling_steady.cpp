// Steering curve and steady cornering.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "analysis/handling/handling.h"
#include "core/decompositions.h"
#include "core/error_kinds.h"

namespace monocoque::analysis {

namespace {

constexpr double kDegree = std::numbers::pi / 180;
constexpr double kCrawl = 0.5;        ///< m/s: no lateral acceleration to speak of
constexpr double kLinearRange = 2.5;  ///< m/s^2
constexpr double kSpun = 20 * kDegree;

/// Zero for a while, then a straight line to `value`.
TimeFunction ramp(double begin, double end, double value) {
  return TimeFunction::table({0, begin, end}, {0, 0, value}, TimeFunction::Interpolation::linear);
}

double interpolate(const std::vector<double>& x, const std::vector<double>& y, double at) {
  if (x.size() < 2) return y.empty() ? 0 : y.front();
  std::size_t i = static_cast<std::size_t>(std::upper_bound(x.begin(), x.end(), at) - x.begin());
  i = std::clamp<std::size_t>(i, 1, x.size() - 1);  // beyond the ends: straight on
  return y[i - 1] + (at - x[i - 1]) * (y[i] - y[i - 1]) / (x[i] - x[i - 1]);
}

/// Slope at zero of y(a) by a cubic through all points: the tires' curvature and asymmetry of the car go into
/// the higher terms, lag behind the ramp into the constant.
double slope_at_zero(const std::vector<double>& a, const std::vector<double>& y) {
  MatX A(static_cast<Eigen::Index>(a.size()), 4);
  VecX b(A.rows());
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    const double v = a[static_cast<std::size_t>(i)];
    A.row(i) << 1, v, v * v, v * v * v;
    b[i] = y[static_cast<std::size_t>(i)];
  }
  return A.colPivHouseholderQr().solve(b)[1];
}

SteadyGradients gradients(const TestDrive& drive, const SteeringCurve& steering, double speed, double angle) {
  constexpr double kBegin = 0.2, kEnd = 12, kSettled = 2.5;
  const double sign = angle < 0 ? -1 : 1;
  const CarTrace run =
      drive.drive({speed, kEnd, true, ramp(kBegin, kEnd, steering.signal_for(angle)),
                   [&](const CarTrace& t) { return sign * t.centripetal.back() > kLinearRange; }});
  const double L = drive.sizes().wheelbase_m;
  std::vector<double> a, at_steering, at_wheel, slips, front, rear, roll;
  for (std::size_t i = 0; i < run.size(); ++i) {
    if (run.t[i] < kSettled) continue;
    const double ackermann = L * run.yaw_rate[i] / run.speed[i], d = steering.angle_of(run.steer[i]);
    a.push_back(run.centripetal[i]);
    at_steering.push_back(d - ackermann);
    at_wheel.push_back(run.front[i] - ackermann);
    slips.push_back(run.slip_front[i] - run.slip_rear[i]);
    front.push_back(run.front[i] - d);
    rear.push_back(run.rear[i]);
    roll.push_back(run.roll[i]);
  }
  if (a.size() < 20)
    throw NumericError(
        "handling", "the steady turn ended too early for a gradient" + (run.failed ? ": " + run.reason : ""),
        "choose a lower --speed");
  return {slope_at_zero(a, at_steering), slope_at_zero(a, at_wheel), slope_at_zero(a, slips),
          slope_at_zero(a, front),       slope_at_zero(a, rear),     slope_at_zero(a, roll)};
}

SteadyGradients mean_of(const SteadyGradients& a, const SteadyGradients& b) {
  const auto m = [](double x, double y) { return 0.5 * (x + y); };
  return {m(a.at_steering, b.at_steering), m(a.at_wheel, b.at_wheel),     m(a.slips, b.slips),
          m(a.front_steer, b.front_steer), m(a.rear_steer, b.rear_steer), m(a.roll, b.roll)};
}

struct LimitRun {
  CarTrace run;
  std::vector<double> steering;
  double limit = 0;
  bool unstable = false;
};

/// On to the limit, at about half a m/s^2 per second.
LimitRun to_the_limit(const TestDrive& drive, const SteeringCurve& steering, double speed, double gradient,
                      double sign) {
  constexpr double kBegin = 0.5, kRate = 0.5, kLongest = 90;
  const double gain_inverse = drive.sizes().wheelbase_m / (speed * speed) + gradient;
  const double angle_rate = kRate * gain_inverse;
  const double largest = std::min(steering.angle.back(), -steering.angle.front());
  const double end = std::min(kLongest, kBegin + largest / angle_rate);
  const double signal = steering.signal_for(sign * (end - kBegin) * angle_rate);
  LimitRun out;
  double best = 0;
  out.run = drive.drive({speed, end, true, ramp(kBegin, end, signal), [&](const CarTrace& t) {
                           const double a = sign * t.centripetal.back();
                           best = std::max(best, a);
                           return std::abs(t.sideslip.back()) > kSpun || (best > 3 && a < 0.95 * best) ||
                                  t.speed.back() < 0.8 * speed;
                         }});
  // Stability is lost where the car answers the ramp five times as fast as at first: no equilibrium any more.
  CarTrace& run = out.run;
  std::size_t keep = run.size(), best_at = 0;
  constexpr std::size_t kSpan = 25;
  for (std::size_t i = kSpan; i < run.size(); ++i) {
    const double rise =
        sign * (run.centripetal[i] - run.centripetal[i - kSpan]) / (run.t[i] - run.t[i - kSpan]);
    if (run.t[i] < 2 || (rise < 5 * kRate && std::abs(run.sideslip[i]) < kSpun)) continue;
    keep = i - kSpan;
    out.unstable = true;
    break;
  }
  // Behind the largest acceleration the car only pushes outwards.
  for (std::size_t i = 0; i < keep; ++i)
    if (sign * run.centripetal[i] >= out.limit) out.limit = sign * run.centripetal[i], best_at = i + 1;
  keep = std::min(keep, best_at);
  for (auto* v : {&run.t, &run.steer, &run.x, &run.y, &run.speed, &run.yaw_rate, &run.sideslip, &run.roll,
                  &run.centripetal, &run.lateral, &run.front, &run.rear, &run.slip_front, &run.slip_rear})
    v->resize(keep);
  for (const double signal_value : run.steer) out.steering.push_back(steering.angle_of(signal_value));
  return out;
}

}  // namespace

double SteeringCurve::angle_of(double s) const {
  if (ratio > 0) return interpolate(signal, angle, s);
  const std::vector<double> rising(signal.rbegin(), signal.rend()), a(angle.rbegin(), angle.rend());
  return interpolate(rising, a, s);
}

double SteeringCurve::signal_for(double angle_rad) const {
  return interpolate(angle, signal, angle_rad);
}

SteeringCurve steering_curve(const TestDrive& drive, double small, double largest) {
  constexpr double kBegin = 0.2, kSmallEnd = 1.2, kEnd = 4.2;
  SteeringCurve out;
  const CarTrace probe = drive.drive({kCrawl, kSmallEnd, true, ramp(kBegin, kSmallEnd, small)});
  out.ratio = probe.failed ? 0 : probe.front.back() / small;
  if (!(std::abs(out.ratio * small) > 1e-5))
    throw Error("handling",
                "the steering signal '" + drive.car().names.steer + "' does not turn the front wheels" +
                    (probe.failed ? ": " + probe.reason : ""),
                "name the signal that steers, and the parts that point where the front wheels point");
  // A smooth curve through both runs, so that its slope in the middle has no noise of single points.
  constexpr int kDegreeOfCurve = 5, kPoints = 200;
  std::vector<double> signals, angles;
  for (const double sign : {-1.0, 1.0}) {
    const CarTrace run = drive.drive({kCrawl, kEnd, true, ramp(kBegin, kEnd, sign * largest / out.ratio)});
    for (std::size_t i = 0; i < run.size(); ++i) {
      if (run.t[i] < kBegin + 0.4) continue;
      signals.push_back(run.steer[i]);
      angles.push_back(run.front[i]);
    }
  }
  const double full = std::abs(largest / out.ratio);
  MatX A(static_cast<Eigen::Index>(signals.size()), kDegreeOfCurve);
  const auto powers = [&](double s) {
    VecX v(kDegreeOfCurve);
    for (int k = 0; k < kDegreeOfCurve; ++k) v[k] = std::pow(s / full, k + 1);
    return v;
  };
  for (Eigen::Index i = 0; i < A.rows(); ++i)
    A.row(i) = powers(signals[static_cast<std::size_t>(i)]).transpose();
  const VecX c = A.colPivHouseholderQr().solve(Eigen::Map<const VecX>(angles.data(), A.rows()));
  out.ratio = c[0] / full;
  for (int i = -kPoints; i <= kPoints; ++i) {
    const double s = std::copysign(full, out.ratio) * i / kPoints;
    out.signal.push_back(s);
    out.angle.push_back(powers(s).dot(c));
  }
  return out;
}

SteadyCornering steady_cornering(const TestDrive& drive, const SteeringCurve& steering, double speed,
                                 std::optional<double> critical, bool limit,
                                 const std::function<void(double)>& progress) {
  SteadyCornering out;
  out.speed_m_per_s = speed;
  const double v2 = speed * speed;
  // Steering for the linear range: known from the critical speed, or with two degrees per g of understeer to
  // spare.
  const double share =
      critical ? 1 - v2 / (*critical * *critical) : 1 + 2 * kDegree / 9.81 * v2 / drive.sizes().wheelbase_m;
  const double angle = 1.1 * kLinearRange * drive.sizes().wheelbase_m / v2 * share;
  const auto say = [&](double share) {
    if (progress) progress(share);
  };
  out.left = gradients(drive, steering, speed, angle);
  say(limit ? 0.2 : 0.5);
  out.right = gradients(drive, steering, speed, -angle);
  out.mean = mean_of(out.left, out.right);
  if (!limit) return out;
  say(0.4);
  LimitRun left = to_the_limit(drive, steering, speed, out.left.at_steering, 1);
  say(0.7);
  LimitRun right = to_the_limit(drive, steering, speed, out.right.at_steering, -1);
  out.left_run = std::move(left.run);
  out.right_run = std::move(right.run);
  out.left_steering = std::move(left.steering);
  out.right_steering = std::move(right.steering);
  out.left_limit = left.limit;
  out.right_limit = right.limit;
  out.left_unstable = left.unstable;
  out.right_unstable = right.unstable;
  return out;
}

double steady_angle(const SteadyCornering& steady, const CarSizes& sizes, double speed, double& level) {
  const double L = sizes.wheelbase_m, here = L / (speed * speed);
  const CarTrace& run = steady.left_run;
  if (run.size() < 50) return level * (here + steady.mean.at_steering);
  // delta_S - L/R over the acceleration does not depend on the speed to first order: move it to this one.
  double best_level = 0, best = 0, before_a = 0, before = 0;
  const double slope0 = here + steady.mean.at_steering;
  for (std::size_t i = 0; i < run.size(); i += 20) {
    const double a = run.centripetal[i];
    if (run.t[i] < 1 || a <= before_a + 1e-3) continue;
    const double angle = steady.left_steering[i] - L * run.yaw_rate[i] / run.speed[i] + here * a;
    if (before_a > 0.5 && (angle - before) / (a - before_a) < 0.25 * slope0) break;
    if (a > level) {
      const double share = (level - before_a) / (a - before_a);
      return before + share * (angle - before);
    }
    before_a = best_level = a;
    before = best = angle;
  }
  level = best_level;
  return best;
}

}  // namespace monocoque::analysis

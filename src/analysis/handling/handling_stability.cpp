// Critical speed of straight running: from the eigenvalues of the linearised car, and from runs with a
// disturbance.

#include <algorithm>
#include <cmath>

#include "analysis/handling/handling.h"
#include "analysis/linear/linearise.h"
#include "integrate/consistent.h"

namespace monocoque::analysis {

namespace {

constexpr double kLowest = 5;  ///< m/s
constexpr double kFast = 10;   ///< 1/s: growth too fast to measure

/// Whether small motions grow. Positions and heading are free: their eigenvalues are zero but for rounding.
bool grows(const TestDrive& drive, double speed) {
  constexpr double kZero = 1e-3;  // 1/s; the growth changes by some 0.1/s per m/s
  const io::ScenarioSpec spec = drive.specification(speed, true, TimeFunction::constant(0));
  const auto model = build_model(spec.model);
  Workspace ws(*model);
  State s = initial_state(*model);
  make_consistent(ws, s, LinearSolverKind::automatic);
  const Linearisation l = linearise(ws, s);
  const std::vector<Eigenvalue> list = eigenvalues(l.A);
  return std::any_of(list.begin(), list.end(), [](const Eigenvalue& e) { return e.s.real() > kZero; });
}

/// Rate at which a small pulse of the steering grows (positive) or dies out. The car's own drift (left and
/// right may differ) is taken off by a second run without the pulse.
double growth(const TestDrive& drive, const SteeringCurve& steering, double speed) {
  constexpr double kPulse = 1e-4;  // rad
  constexpr double kEnd = 4.5, kFirst = 1.5, kSecond = 3.5, kWindow = 1;
  const double s = steering.signal_for(kPulse);
  const TimeFunction pulse = TimeFunction::table({0, 0.1, 0.2, 0.3, 0.4, 0.5}, {0, 0, s, s, 0, 0},
                                                 TimeFunction::Interpolation::linear);
  // Far from straight ahead: what was small has grown, whatever the tires do with it later.
  const auto lost = [](const CarTrace& t) {
    return std::abs(t.sideslip.back()) > 0.1 || std::abs(t.centripetal.back()) > 2;
  };
  const CarTrace with = drive.drive({speed, kEnd, true, pulse, lost});
  const CarTrace without = drive.drive({speed, kEnd, true, TimeFunction::constant(0), lost});
  const std::size_t n = std::min(with.size(), without.size());
  double first = 0, second = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double d = std::abs(with.yaw_rate[i] - without.yaw_rate[i]), t = with.t[i];
    if (t >= kFirst && t <= kFirst + kWindow) first = std::max(first, d);
    if (t >= kSecond && t <= kSecond + kWindow) second = std::max(second, d);
  }
  if (with.failed || without.failed || lost(with) || lost(without)) return kFast;
  return std::log(std::max(second, 1e-14) / std::max(first, 1e-14)) / (kSecond - kFirst);
}

}  // namespace

std::optional<double> critical_speed_by_eigenvalues(const TestDrive& drive, double largest) {
  constexpr double kStride = 5, kClose = 0.005;
  double low = kLowest, high = kLowest;
  while (!grows(drive, high)) {
    if (high >= largest) return std::nullopt;
    low = high;
    high = std::min(largest, high + kStride);
  }
  while (high - low > kClose) {
    const double middle = 0.5 * (low + high);
    (grows(drive, middle) ? high : low) = middle;
  }
  return 0.5 * (low + high);
}

std::optional<double> critical_speed_by_runs(const TestDrive& drive, const SteeringCurve& steering,
                                             double largest, const std::function<void(double)>& progress) {
  constexpr double kClose = 0.2, kZero = 1e-3;  // m/s, 1/s
  double low = kLowest, high = largest;
  double low_rate = growth(drive, steering, low), high_rate = growth(drive, steering, high);
  if (high_rate < 0) return std::nullopt;
  if (low_rate > 0) return low;
  for (int k = 0; high - low > kClose && !drive.interrupted(); ++k) {
    if (progress) progress(1 - std::pow(0.8, k));
    // Halves while the rate is only a sign, then where a straight line has its zero.
    const double zero = low + (high - low) * low_rate / (low_rate - high_rate);
    const bool line = high_rate < 0.3 * kFast && high - low < 0.5 * low;
    const double next = line ? zero : 0.5 * (low + high), rate = growth(drive, steering, next);
    if (line && std::abs(rate) < kZero) return next;
    (rate > 0 ? high : low) = next;
    (rate > 0 ? high_rate : low_rate) = rate;
  }
  return low + (high - low) * low_rate / (low_rate - high_rate);
}

}  // namespace monocoque::analysis

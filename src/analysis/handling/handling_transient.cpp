// Step steer and sine with dwell.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "analysis/handling/handling.h"

namespace monocoque::analysis {

namespace {

constexpr double kGravity = 9.81;

/// A shape as a cubic spline; rest before and after keeps the spline from swinging beyond the ends.
template <class Shape>
TimeFunction sampled(double begin, double end, int points, const Shape& shape) {
  constexpr int kRest = 5;
  const double h = (end - begin) / points;
  std::vector<double> t{0}, y{0};
  for (int i = -kRest; i <= points + kRest; ++i) {
    t.push_back(begin + h * i);
    y.push_back(shape(begin + h * std::clamp(i, 0, points)));
  }
  return TimeFunction::table(t, y, TimeFunction::Interpolation::cubic);
}

double mean_after(const CarTrace& run, const std::vector<double>& values, double from) {
  double sum = 0, n = 0;
  for (std::size_t i = 0; i < run.size(); ++i)
    if (run.t[i] >= from) sum += values[i], ++n;
  return n > 0 ? sum / n : 0;
}

struct Response {
  double response_s = 0, peak_s = 0, overshoot = 0;
};

/// Times from `zero`. Values are divided by the steady one, so that both directions look alike.
Response response_of(const CarTrace& run, const std::vector<double>& values, double steady, double zero) {
  Response out;
  bool reached = false;
  std::size_t peak = 0;
  for (std::size_t i = 1; i < run.size(); ++i) {
    const double before = values[i - 1] / steady, now = values[i] / steady;
    if (!reached && now >= 0.9) {
      out.response_s = run.t[i - 1] + (run.t[i] - run.t[i - 1]) * (0.9 - before) / (now - before) - zero;
      reached = true;
    }
    if (now > values[peak] / steady) peak = i;
  }
  // Vertex of the parabola through the highest point and its neighbours.
  double height = values[peak] / steady, at = run.t[peak];
  if (peak > 0 && peak + 1 < run.size()) {
    const double a = values[peak - 1] / steady, c = values[peak + 1] / steady, bend = a - 2 * height + c;
    if (bend < 0) {
      const double shift = 0.5 * (a - c) / bend;
      at += shift * (run.t[peak] - run.t[peak - 1]);
      height -= 0.25 * (a - c) * shift;
    }
  }
  constexpr double kNoOvershoot = 0.002;  // of the steady value: not to be told from settling
  out.overshoot = std::max(0.0, height - 1);
  if (out.overshoot < kNoOvershoot) out.overshoot = 0;
  out.peak_s = out.overshoot > 0 ? at - zero : 0;
  return out;
}

}  // namespace

StepSteer step_steer(const TestDrive& drive, const SteeringCurve& steering, const SteadyCornering& steady,
                     double speed, double level) {
  constexpr double kBegin = 0.5, kRise = 0.1, kEnd = 6.5, kSteady = 0.5;
  StepSteer out;
  out.speed_m_per_s = speed;
  out.wanted_m_per_s2 = level;
  out.steer_angle = steady_angle(steady, drive.sizes(), speed, level);
  const double signal = steering.signal_for(out.steer_angle);
  const TimeFunction step = sampled(kBegin, kBegin + kRise, 20, [&](double t) {
    const double u = (t - kBegin) / kRise;
    return signal * u * u * (3 - 2 * u);
  });
  out.run = drive.drive({speed, kEnd, true, step, [](const CarTrace& t) {
                           return std::abs(t.sideslip.back()) > std::numbers::pi / 6;
                         }});
  const CarTrace& run = out.run;
  if (run.failed || run.t.back() < kEnd - 0.1) return out;
  // The car's own drift before the step is not part of the answer.
  const double zero = kBegin + kRise / 2, from = kEnd - kSteady;
  out.lateral_m_per_s2 = mean_after(run, run.lateral, from);
  out.yaw_rate = mean_after(run, run.yaw_rate, from);
  out.sideslip = mean_after(run, run.sideslip, from);
  out.roll = mean_after(run, run.roll, from);
  const double earlier = mean_after(run, run.yaw_rate, from - 1);
  out.settled = std::abs(earlier / out.yaw_rate - 1) < 0.01;
  const Response yaw = response_of(run, run.yaw_rate, out.yaw_rate, zero);
  const Response lateral = response_of(run, run.lateral, out.lateral_m_per_s2, zero);
  out.yaw_response_s = yaw.response_s;
  out.yaw_peak_s = yaw.peak_s;
  out.yaw_overshoot = yaw.overshoot;
  out.lateral_response_s = lateral.response_s;
  out.lateral_peak_s = lateral.peak_s;
  out.lateral_overshoot = lateral.overshoot;
  out.tb_rad_s = std::abs(out.sideslip) * (yaw.overshoot > 0 ? yaw.peak_s : yaw.response_s);
  return out;
}

SineWithDwell sine_with_dwell(const TestDrive& drive, const SteeringCurve& steering,
                              const SteadyCornering& steady, double speed,
                              const std::function<void(double)>& progress) {
  constexpr double kFrequency = 0.7, kDwell = 0.5, kBegin = 0.5;
  constexpr double kThreeQuarters = 0.75 / kFrequency, kOver = 1 / kFrequency + kDwell;
  SineWithDwell out;
  out.speed_m_per_s = speed;
  double level = 0.3 * kGravity;
  const double wanted = level;
  out.unit_angle = steady_angle(steady, drive.sizes(), speed, level) * wanted / level;
  const auto shape = [&](double t) {
    double u = t - kBegin;
    if (u > kThreeQuarters) u = std::max(kThreeQuarters, u - kDwell);
    return std::sin(2 * std::numbers::pi * kFrequency * u);
  };
  constexpr double kFirst = 1.5, kLast = 6.5, kStride = 0.5;
  for (double factor = kFirst; factor <= kLast + 1e-9 && !drive.interrupted(); factor += kStride) {
    if (progress) progress((factor - kFirst) / (kLast - kFirst + kStride));
    const double signal = steering.signal_for(factor * out.unit_angle);
    const TimeFunction steer =
        sampled(kBegin, kBegin + kOver, 200, [&](double t) { return signal * shape(t); });
    const double end = kBegin + kOver;
    const CarTrace run = drive.drive({speed, end + 2, false, steer, [](const CarTrace& t) {
                                        return std::abs(t.sideslip.back()) > std::numbers::pi / 2;
                                      }});
    DwellRun r;
    r.factor = factor;
    // The second peak: against the first turn, after the steering changed its side.
    double peak = 0;
    for (std::size_t i = 0; i < run.size(); ++i)
      if (run.t[i] > kBegin + 0.5 / kFrequency) peak = std::max(peak, -run.yaw_rate[i]);
    const bool whole = !run.failed && run.t.back() > end + 1.9;
    r.yaw_after_1s = whole ? -at_time(run, run.yaw_rate, end + 1) / peak : 1;
    r.yaw_after_1_75s = whole ? -at_time(run, run.yaw_rate, end + 1.75) / peak : 1;
    r.displacement_m = at_time(run, run.y, kBegin + 1.07) - at_time(run, run.y, kBegin);
    r.stable = whole && r.yaw_after_1s <= 0.35 && r.yaw_after_1_75s <= 0.20;
    if (r.stable) out.largest_stable = factor;
    out.runs.push_back(r);
    if (!r.stable) break;
  }
  return out;
}

}  // namespace monocoque::analysis

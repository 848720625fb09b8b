#include "analysis/signals/signal.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "analysis/signals/filter.h"
#include "core/error.h"

namespace monocoque::analysis {

namespace {

struct History {
  std::vector<double> t, y;
};

/// Each instant once, the last of equal ones.
History without_repetitions(const std::vector<double>& t, const std::vector<double>& y) {
  History out;
  for (std::size_t i = 0; i < t.size(); ++i) {
    if (i > 0 && !(t[i] >= t[i - 1]))
      throw Error("signal", fmt::format("the time goes from {} s back to {} s", t[i - 1], t[i]), "");
    if (!out.t.empty() && t[i] == out.t.back()) {
      out.y.back() = y[i];
      continue;
    }
    out.t.push_back(t[i]);
    out.y.push_back(y[i]);
  }
  if (out.t.size() < 2)
    throw Error("signal", fmt::format("{} instants are too few for a signal", out.t.size()),
                "record a longer run, or widen --from and --to");
  return out;
}

Sampling sampling_without_repetitions(const std::vector<double>& t) {
  std::vector<double> steps;
  for (std::size_t i = 1; i < t.size(); ++i) steps.push_back(t[i] - t[i - 1]);
  std::nth_element(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2), steps.end());
  Sampling out;
  out.step_s = steps[steps.size() / 2];
  // Rounding of many written times is no unevenness: the step of a whole even row is its mean.
  const double mean = (t.back() - t.front()) / static_cast<double>(t.size() - 1);
  if (std::abs(mean / out.step_s - 1) < 1e-6) out.step_s = mean;
  for (std::size_t i = 0; i < t.size(); ++i)
    out.unevenness = std::max(out.unevenness,
                              std::abs(t[i] - t.front() - static_cast<double>(i) * out.step_s) / out.step_s);
  return out;
}

/// Hermite cubics with the slope of the parabola through three neighbours.
SampledSignal interpolated(const History& h, double step) {
  const std::size_t n = h.t.size();
  const auto secant = [&](std::size_t i) { return (h.y[i + 1] - h.y[i]) / (h.t[i + 1] - h.t[i]); };
  std::vector<double> slope(n);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double before = h.t[i] - h.t[i - 1], after = h.t[i + 1] - h.t[i];
    slope[i] = (secant(i - 1) * after + secant(i) * before) / (before + after);
  }
  slope[0] = n > 2 ? 2 * secant(0) - slope[1] : secant(0);
  slope[n - 1] = n > 2 ? 2 * secant(n - 2) - slope[n - 2] : secant(n - 2);
  SampledSignal out{h.t[0], step, {}};
  const auto count =
      static_cast<std::size_t>(std::floor((h.t[n - 1] - h.t[0]) / step * (1 + 1e-12) + 1e-6)) + 1;
  out.values.reserve(count);
  std::size_t j = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const double t = std::min(out.time_s(k), h.t[n - 1]);
    while (j + 2 < n && h.t[j + 1] <= t) ++j;
    const double length = h.t[j + 1] - h.t[j], s = (t - h.t[j]) / length, r = 1 - s;
    out.values.push_back(r * r * ((1 + 2 * s) * h.y[j] + s * length * slope[j]) +
                         s * s * ((1 + 2 * r) * h.y[j + 1] - r * length * slope[j + 1]));
  }
  return out;
}

}  // namespace

Sampling sampling_of(const std::vector<double>& time_s) {
  return sampling_without_repetitions(without_repetitions(time_s, time_s).t);
}

SampledSignal resampled(const std::vector<double>& time_s, const std::vector<double>& values,
                        double sample_s) {
  if (!(sample_s >= 0))
    throw Error("signal", fmt::format("the sample step is {} s, it must be > 0", sample_s), "");
  const History h = without_repetitions(time_s, values);
  const Sampling own = sampling_without_repetitions(h.t);
  const double step = sample_s > 0 ? sample_s : own.step_s;
  if (own.even() && std::abs(step / own.step_s - 1) < 1e-6) return {h.t[0], own.step_s, h.y};
  if (step > h.t.back() - h.t.front())
    throw Error("signal", fmt::format("the sample step of {} s is longer than the signal", step), "");
  if (step < 1.5 * own.step_s) return interpolated(h, step);
  const auto every = static_cast<std::size_t>(std::ceil(step / own.step_s));
  SampledSignal fine = interpolated(h, step / static_cast<double>(every));
  fine.values =
      filtered_zero_phase(butterworth(FilterBand::low, 8, 0, 0.4 / step, fine.sample_s), fine.values);
  SampledSignal out{fine.start_s, step, {}};
  for (std::size_t i = 0; i < fine.values.size(); i += every) out.values.push_back(fine.values[i]);
  return out;
}

SignalStatistics statistics_of(const std::vector<double>& values) {
  SignalStatistics out;
  if (values.empty()) return out;
  const auto n = static_cast<double>(values.size());
  out.least = out.greatest = values[0];
  double squares = 0;
  for (const double v : values) {
    out.mean += v / n;
    squares += v * v / n;
    out.least = std::min(out.least, v);
    out.greatest = std::max(out.greatest, v);
  }
  double spread = 0;
  for (const double v : values) spread += (v - out.mean) * (v - out.mean) / n;
  out.rms = std::sqrt(squares);
  out.deviation = std::sqrt(spread);
  if (out.deviation > 0)
    out.crest_factor = std::max(out.greatest - out.mean, out.mean - out.least) / out.deviation;
  return out;
}

}  // namespace monocoque::analysis

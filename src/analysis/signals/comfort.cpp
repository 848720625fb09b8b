#include "analysis/signals/comfort.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/error.h"

namespace monocoque::analysis {

namespace {

constexpr const char* kPlaceNames[] = {"seat", "back", "feet"};
constexpr const char* kAxisNames[] = {"x", "y", "z", "rx", "ry", "rz"};

/// The samples of a signal within a span.
std::vector<double> within(const SampledSignal& s, const std::vector<double>& values,
                           const EvaluationSpan& span) {
  std::vector<double> out;
  const double slack = 1e-6 * s.sample_s;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (s.time_s(i) >= span.from_s - slack && s.time_s(i) <= span.to_s + slack) out.push_back(values[i]);
  if (out.size() < 2)
    throw Error("comfort",
                fmt::format("{} samples lie between {} s and {} s", out.size(), span.from_s, span.to_s),
                "widen --from and --to");
  return out;
}

AxisRule required_rule(ContactPlace place, ContactAxis axis) {
  const auto rule = comfort_rule(place, axis);
  if (!rule)
    throw Error(
        "comfort",
        fmt::format("ISO 2631-1 has no rule for axis {} at the {}", axis_name(axis), place_name(place)),
        "rotations count at the seat only");
  return *rule;
}

}  // namespace

bool WeightedMeasures::shocks() const {
  return crest_factor > 9 || mtvv > 1.5 * rms || vdv > 1.75 * rms * std::pow(duration_s, 0.25);
}

std::vector<double> weighted_history(const SampledSignal& a, Weighting weighting) {
  if (!std::all_of(a.values.begin(), a.values.end(), [](double v) { return std::isfinite(v); }))
    throw Error("comfort", "the acceleration has values that are not finite", "");
  std::vector<double> values = a.values;
  const double mean = statistics_of(values).mean;
  for (double& v : values) v -= mean;
  return filtered(weighting_filter(weighting, a.sample_s), std::move(values));
}

std::vector<double> running_rms(const std::vector<double>& values, double sample_s, double window_s) {
  const auto n = static_cast<std::size_t>(std::max(1.0, std::round(window_s / sample_s)));
  std::vector<double> out;
  out.reserve(values.size());
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum += values[i] * values[i];
    if (i >= n) sum -= values[i - n] * values[i - n];
    out.push_back(std::sqrt(std::max(sum, 0.0) / static_cast<double>(std::min(i + 1, n))));
  }
  return out;
}

WeightedMeasures weighted_measures(const SampledSignal& a, Weighting weighting, const EvaluationSpan& span) {
  const std::vector<double> w = within(a, weighted_history(a, weighting), span);
  WeightedMeasures out;
  out.duration_s = static_cast<double>(w.size()) * a.sample_s;
  double squares = 0, fourths = 0;
  for (const double v : w) {
    squares += v * v;
    fourths += v * v * v * v;
    out.peak = std::max(out.peak, std::abs(v));
  }
  out.rms = std::sqrt(squares / static_cast<double>(w.size()));
  out.vdv = std::pow(fourths * a.sample_s, 0.25);
  if (out.rms > 0) out.crest_factor = out.peak / out.rms;
  // Only full seconds: a first instant would be a window of its own.
  const auto first = static_cast<std::size_t>(std::round(1 / a.sample_s)) - 1;
  const std::vector<double> running = running_rms(w, a.sample_s);
  out.mtvv = first < running.size()
                 ? *std::max_element(running.begin() + static_cast<std::ptrdiff_t>(first), running.end())
                 : out.rms;
  return out;
}

std::string place_name(ContactPlace place) {
  return kPlaceNames[static_cast<std::size_t>(place)];
}

std::string axis_name(ContactAxis axis) {
  return kAxisNames[static_cast<std::size_t>(axis)];
}

std::optional<AxisRule> comfort_rule(ContactPlace place, ContactAxis axis) {
  using enum Weighting;
  static const AxisRule seat[] = {{Wd, 1}, {Wd, 1}, {Wk, 1}, {We, 0.63}, {We, 0.4}, {We, 0.2}};
  static const AxisRule back[] = {{Wc, 0.8}, {Wd, 0.5}, {Wd, 0.4}};
  static const AxisRule feet[] = {{Wk, 0.25}, {Wk, 0.25}, {Wk, 0.4}};
  const auto i = static_cast<std::size_t>(axis);
  if (place == ContactPlace::seat) return seat[i];
  if (i > 2) return std::nullopt;
  return place == ContactPlace::back ? back[i] : feet[i];
}

ComfortAxis evaluate_axis(ContactPlace place, ContactAxis axis, const SampledSignal& a,
                          const EvaluationSpan& span) {
  const AxisRule rule = required_rule(place, axis);
  ComfortAxis out{place, axis, rule.weighting, rule.k, 0, 0, {}};
  out.unweighted_rms = statistics_of(within(a, a.values, span)).deviation;
  out.filter_error_dB = weighting_filter_error_dB(rule.weighting, a.sample_s);
  out.measures = weighted_measures(a, rule.weighting, span);
  return out;
}

ComfortAxis evaluate_axis(ContactPlace place, ContactAxis axis, const Spectrum& a) {
  const AxisRule rule = required_rule(place, axis);
  ComfortAxis out{place, axis, rule.weighting, rule.k, 0, 0, {}};
  double sum = 0;
  for (std::size_t i = 1; i < a.density.size(); ++i)
    sum += 0.5 * (a.density[i] + a.density[i - 1]) * (a.frequency_Hz[i] - a.frequency_Hz[i - 1]);
  out.unweighted_rms = std::sqrt(sum);
  out.measures.rms = weighted_rms(a, rule.weighting);
  return out;
}

double vibration_total_value(const std::vector<ComfortAxis>& axes) {
  double sum = 0;
  for (const ComfortAxis& a : axes) sum += a.k * a.k * a.measures.rms * a.measures.rms;
  return std::sqrt(sum);
}

double vibration_total_value(const std::vector<ComfortAxis>& axes, ContactPlace place) {
  std::vector<ComfortAxis> of_place;
  for (const ComfortAxis& a : axes)
    if (a.place == place) of_place.push_back(a);
  return vibration_total_value(of_place);
}

std::vector<std::string> comfort_words(double a) {
  struct Words {
    double from, to;
    const char* text;
  };
  static const Words list[] = {{0, 0.315, "not uncomfortable"},   {0.315, 0.63, "a little uncomfortable"},
                               {0.5, 1, "fairly uncomfortable"},  {0.8, 1.6, "uncomfortable"},
                               {1.25, 2.5, "very uncomfortable"}, {2, INFINITY, "extremely uncomfortable"}};
  std::vector<std::string> out;
  for (const Words& w : list)
    if (a >= w.from && a < w.to) out.emplace_back(w.text);
  return out;
}

MotionSickness motion_sickness(const SampledSignal& vertical, const EvaluationSpan& span) {
  const WeightedMeasures m = weighted_measures(vertical, Weighting::Wf, span);
  const double dose = m.rms * std::sqrt(m.duration_s);
  return {m.rms, dose, dose / 3};
}

}  // namespace monocoque::analysis

#include "analysis/signals/vibration_weighting.h"

#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "core/error.h"

namespace monocoque::analysis {

namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();

/// Corners in Hz; kNone where the weighting has no such term.
struct WeightingParameters {
  const char* name;
  double f1, f2, f3, f4, Q4, f5, Q5, f6, Q6;
};

const WeightingParameters& parameters_of(Weighting weighting) {
  static const WeightingParameters table[] = {
      {"Wk", 0.4, 100, 12.5, 12.5, 0.63, 2.37, 0.91, 3.35, 0.91},
      {"Wd", 0.4, 100, 2, 2, 0.63, kNone, 1, kNone, 1},
      {"Wc", 0.4, 100, 8, 8, 0.63, kNone, 1, kNone, 1},
      {"We", 0.4, 100, 1, 1, 0.63, kNone, 1, kNone, 1},
      {"Wj", 0.4, 100, kNone, kNone, 1, 3.75, 0.91, 5.32, 0.91},
      {"Wf", 0.08, 0.63, kNone, 0.25, 0.86, 0.0625, 0.80, 0.10, 0.80},
  };
  return table[static_cast<std::size_t>(weighting)];
}

double angular(double f) {
  return 2 * std::numbers::pi * f;
}

/// 1 + s / (Q w) + s^2 / w^2 as three coefficients.
struct Quadratic {
  double one, s, ss;
  Quadratic(double f, double Q) : one(1), s(1 / (Q * angular(f))), ss(1 / (angular(f) * angular(f))) {}
};

/// The frequency of a section's poles, where its filter is fitted.
double pole_Hz(const AnalogueSection& s) {
  return std::sqrt(s.a0 / s.a2) / (2 * std::numbers::pi);
}

}  // namespace

std::string weighting_name(Weighting weighting) {
  return parameters_of(weighting).name;
}

Weighting weighting_of(const std::string& name) {
  std::vector<std::string> names;
  for (const Weighting w : kWeightings) {
    if (weighting_name(w) == name) return w;
    names.push_back(weighting_name(w));
  }
  throw Error("weighting", fmt::format("there is no weighting '{}'", name),
              fmt::format("one of {}", fmt::join(names, ", ")));
}

WeightingBand nominal_band(Weighting weighting) {
  if (weighting == Weighting::Wf) return {0.1, 0.5};
  return {0.5, 80};
}

std::vector<AnalogueSection> weighting_sections(Weighting weighting) {
  const WeightingParameters& p = parameters_of(weighting);
  const double Q1 = 1 / std::numbers::sqrt2;
  const Quadratic low(p.f1, Q1), high(p.f2, Q1);
  std::vector<AnalogueSection> out;
  out.push_back({0, 0, low.ss, low.one, low.s, low.ss});
  out.push_back({1, 0, 0, high.one, high.s, high.ss});
  if (p.f4 != kNone) {
    const Quadratic d(p.f4, p.Q4);
    out.push_back({1, p.f3 == kNone ? 0 : 1 / angular(p.f3), 0, d.one, d.s, d.ss});
  }
  if (p.f5 != kNone) {
    const Quadratic n(p.f5, p.Q5), d(p.f6, p.Q6);
    const double g = (p.f5 / p.f6) * (p.f5 / p.f6);
    out.push_back({g * n.one, g * n.s, g * n.ss, d.one, d.s, d.ss});
  }
  return out;
}

std::complex<double> weighting_response(Weighting weighting, double frequency_Hz) {
  std::complex<double> out = 1;
  for (const AnalogueSection& s : weighting_sections(weighting)) out *= s.response(frequency_Hz);
  return out;
}

DigitalFilter weighting_filter(Weighting weighting, double sample_s) {
  const auto sections = weighting_sections(weighting);
  const double f1 = pole_Hz(sections[0]);
  if (!(sample_s > 0) || !(4 * f1 * sample_s < 1))
    throw Error("weighting",
                fmt::format("samples {} s apart are too few for {}", sample_s, weighting_name(weighting)),
                "record more often");
  DigitalFilter out;
  for (std::size_t i = 0; i < sections.size(); ++i)
    out.push_back(i == 0 ? bilinear_section(sections[i], f1, sample_s)
                         : matched_section(sections[i], pole_Hz(sections[i]), sample_s));
  return out;
}

double weighting_filter_error_dB(Weighting weighting, double sample_s) {
  const DigitalFilter filter = weighting_filter(weighting, sample_s);
  const auto [from, to] = nominal_band(weighting);
  double worst = 0;
  for (double f = from; f <= std::min(to, 0.45 / sample_s); f *= 1.02) {
    const double ratio =
        std::abs(filter_response(filter, f, sample_s)) / std::abs(weighting_response(weighting, f));
    worst = std::max(worst, std::abs(20 * std::log10(ratio)));
  }
  return worst;
}

double weighted_rms(const Spectrum& s, Weighting weighting) {
  const auto sections = weighting_sections(weighting);
  double sum = 0, before = 0;
  for (std::size_t i = 0; i < s.density.size(); ++i) {
    double value = s.density[i];
    for (const AnalogueSection& section : sections) value *= std::norm(section.response(s.frequency_Hz[i]));
    if (i > 0) sum += 0.5 * (value + before) * (s.frequency_Hz[i] - s.frequency_Hz[i - 1]);
    before = value;
  }
  return std::sqrt(sum);
}

}  // namespace monocoque::analysis

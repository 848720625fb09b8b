#include "analysis/signals/filter.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "core/error.h"

namespace monocoque::analysis {

namespace {

constexpr double kPi = std::numbers::pi;

/// s = (1 - z^-1) / (1 + z^-1), so that w = tan(pi f T).
FilterSection bilinear_unit(const AnalogueSection& s) {
  if (s.a2 == 0 && s.b2 == 0) {  // stays of first order
    const double a = s.a0 + s.a1;
    return {(s.b0 + s.b1) / a, (s.b0 - s.b1) / a, 0, (s.a0 - s.a1) / a, 0};
  }
  const double a = s.a0 + s.a1 + s.a2;
  return {(s.b0 + s.b1 + s.b2) / a, 2 * (s.b0 - s.b2) / a, (s.b0 - s.b1 + s.b2) / a, 2 * (s.a0 - s.a2) / a,
          (s.a0 - s.a1 + s.a2) / a};
}

double warped(const char* which, double corner_Hz, double sample_s) {
  if (!(corner_Hz > 0) || !(2 * corner_Hz * sample_s < 1))
    throw Error(
        "filter",
        fmt::format("the {} corner is {} Hz, it must be above 0 and below half the sampling rate, {} Hz",
                    which, corner_Hz, 0.5 / sample_s),
        "");
  return std::tan(kPi * corner_Hz * sample_s);
}

std::size_t padding(const DigitalFilter& filter) {
  std::size_t taps = 2 * filter.size() + 1, shorter_b = 0, shorter_a = 0;
  for (const FilterSection& s : filter) {
    if (s.b2 == 0) ++shorter_b;
    if (s.a2 == 0) ++shorter_a;
  }
  taps -= std::min(shorter_a, shorter_b);
  return 3 * taps;
}

}  // namespace

DigitalFilter butterworth(FilterBand band, int order, double low_Hz, double high_Hz, double sample_s) {
  if (order < 1 || order > 20)
    throw Error("filter", fmt::format("the order is {}, it must be from 1 to 20", order), "");
  if (!(sample_s > 0)) throw Error("filter", fmt::format("the sample step is {} s", sample_s), "");
  const double high = band == FilterBand::high ? 0 : warped("upper", high_Hz, sample_s);
  const double low = band == FilterBand::low ? 0 : warped("lower", low_Hz, sample_s);
  if (band == FilterBand::band && !(low < high))
    throw Error("filter", fmt::format("the band from {} to {} Hz is empty", low_Hz, high_Hz), "");
  DigitalFilter out;
  for (int k = 0; 2 * k < order; ++k) {
    const double angle = kPi * (2 * k + 1) / (2 * order);
    const bool real = 2 * k + 1 == order;
    const double damping = real ? 1 : 2 * std::sin(angle);
    if (band == FilterBand::low)
      out.push_back(bilinear_unit(real ? AnalogueSection{high, 0, 0, high, 1, 0}
                                       : AnalogueSection{high * high, 0, 0, high * high, damping * high, 1}));
    else if (band == FilterBand::high)
      out.push_back(bilinear_unit(real ? AnalogueSection{0, 1, 0, low, 1, 0}
                                       : AnalogueSection{0, 0, 1, low * low, damping * low, 1}));
    else if (real)
      out.push_back(bilinear_unit({0, high - low, 0, low * high, high - low, 1}));
    else {
      // Each pole p of the low-pass becomes the roots of s^2 - p (high - low) s + low high.
      const std::complex<double> half = 0.5 * (high - low) * std::complex(-std::sin(angle), std::cos(angle));
      const std::complex<double> root = std::sqrt(half * half - low * high);
      for (const std::complex<double> r : {half + root, half - root})
        out.push_back(bilinear_unit({0, high - low, 0, std::norm(r), -2 * r.real(), 1}));
    }
  }
  return out;
}

std::complex<double> AnalogueSection::response(double frequency_Hz) const {
  const std::complex<double> s(0, 2 * kPi * frequency_Hz);
  return (b0 + s * (b1 + s * b2)) / (a0 + s * (a1 + s * a2));
}

FilterSection bilinear_section(const AnalogueSection& section, double exact_Hz, double sample_s) {
  // s in units of w / tan(w T / 2).
  const double w = 2 * kPi * exact_Hz / warped("matched", exact_Hz, sample_s);
  return bilinear_unit(
      {section.b0, section.b1 * w, section.b2 * w * w, section.a0, section.a1 * w, section.a2 * w * w});
}

FilterSection matched_section(const AnalogueSection& s, double fit_Hz, double sample_s) {
  const double decay = 0.5 * s.a1 / s.a2, square = decay * decay - s.a0 / s.a2;
  const double shrink = std::exp(-decay * sample_s), turn = std::sqrt(std::abs(square)) * sample_s;
  FilterSection out;
  out.a1 = -2 * shrink * (square < 0 ? std::cos(turn) : std::cosh(turn));
  out.a2 = shrink * shrink;
  // |B|^2 and |A|^2 are linear in phi0, phi1, phi2 of the frequency.
  const double fit = std::min(fit_Hz, 0.4 / sample_s), sine = std::sin(kPi * fit * sample_s);
  const double phi1 = sine * sine, phi0 = 1 - phi1, phi2 = 4 * phi0 * phi1;
  const double sum = 1 + out.a1 + out.a2, difference = 1 - out.a1 + out.a2;
  const double A0 = sum * sum, A1 = difference * difference, A2 = -4 * out.a2;
  const double B0 = std::norm(s.response(0)) * A0, B1 = std::norm(s.response(0.5 / sample_s)) * A1;
  const double B2 =
      (std::norm(s.response(fit)) * (A0 * phi0 + A1 * phi1 + A2 * phi2) - B0 * phi0 - B1 * phi1) / phi2;
  const double mean = 0.5 * (std::sqrt(B0) + std::sqrt(B1));
  out.b0 = 0.5 * (mean + std::sqrt(std::max(mean * mean + B2, 0.0)));
  out.b1 = 0.5 * (std::sqrt(B0) - std::sqrt(B1));
  out.b2 = -B2 / (4 * out.b0);
  return out;
}

std::complex<double> filter_response(const DigitalFilter& filter, double frequency_Hz, double sample_s) {
  const std::complex<double> z = std::polar(1.0, -2 * kPi * frequency_Hz * sample_s);
  std::complex<double> out = 1;
  for (const FilterSection& s : filter) out *= (s.b0 + z * (s.b1 + z * s.b2)) / (1.0 + z * (s.a1 + z * s.a2));
  return out;
}

std::vector<double> filtered(const DigitalFilter& filter, std::vector<double> signal, FilterStart start) {
  if (signal.empty()) return signal;
  for (const FilterSection& s : filter) {
    // Direct form II, transposed; the memory in the steady state of a constant.
    double first = 0, second = 0;
    if (start == FilterStart::steady) {
      const double gain = (s.b0 + s.b1 + s.b2) / (1 + s.a1 + s.a2);
      first = (gain - s.b0) * signal[0];
      second = (s.b2 - s.a2 * gain) * signal[0];
    }
    for (double& v : signal) {
      const double x = v;
      v = s.b0 * x + first;
      first = s.b1 * x - s.a1 * v + second;
      second = s.b2 * x - s.a2 * v;
    }
  }
  return signal;
}

std::vector<double> filtered_zero_phase(const DigitalFilter& filter, const std::vector<double>& signal) {
  const std::size_t n = signal.size();
  if (n < 2) return signal;
  const std::size_t pad = std::min(padding(filter), n - 1);
  std::vector<double> longer;
  longer.reserve(n + 2 * pad);
  for (std::size_t i = pad; i > 0; --i) longer.push_back(2 * signal.front() - signal[i]);
  longer.insert(longer.end(), signal.begin(), signal.end());
  for (std::size_t i = 1; i <= pad; ++i) longer.push_back(2 * signal.back() - signal[n - 1 - i]);
  for (int pass = 0; pass < 2; ++pass) {
    longer = filtered(filter, std::move(longer), FilterStart::steady);
    std::reverse(longer.begin(), longer.end());
  }
  const auto begin = longer.begin() + static_cast<std::ptrdiff_t>(pad);
  return {begin, begin + static_cast<std::ptrdiff_t>(n)};
}

}  // namespace monocoque::analysis

#include "analysis/spectrum.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include <fmt/format.h>
#include <unsupported/Eigen/FFT>

#include "core/error.h"

namespace monocoque::analysis {

double Spectrum::power(double from_Hz, double to_Hz) const {
  if (frequency_Hz.size() < 2) return 0;
  double sum = 0;
  for (std::size_t i = 0; i < density.size(); ++i)
    if (frequency_Hz[i] >= from_Hz && frequency_Hz[i] <= to_Hz) sum += density[i];
  return sum * (frequency_Hz[1] - frequency_Hz[0]);
}

Spectrum welch(const std::vector<double>& signal, double sample_s, double window_s, double overlap) {
  if (signal.size() < 8 || !(sample_s > 0) || !(window_s > 0))
    throw Error("spectrum", fmt::format("{} samples are too few for a spectrum", signal.size()),
                "record a longer run or more often");
  if (!std::all_of(signal.begin(), signal.end(), [](double v) { return std::isfinite(v); }))
    throw Error("spectrum", "the signal has values that are not finite", "");
  const auto wanted = static_cast<std::size_t>(std::max(8.0, std::round(window_s / sample_s)));
  const std::size_t n = std::min(wanted, signal.size());
  const auto shared = static_cast<std::size_t>(static_cast<double>(n) * std::clamp(overlap, 0.0, 0.95) + 0.5);
  const std::size_t step = n - std::min(shared, n - 1);
  std::vector<double> window(n), piece(n);
  double squares = 0;
  for (std::size_t i = 0; i < n; ++i) {
    window[i] = 0.5 - 0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(n));
    squares += window[i] * window[i];
  }
  Spectrum out;
  const std::size_t half = n / 2 + 1;
  out.density.assign(half, 0.0);
  for (std::size_t i = 0; i < half; ++i)
    out.frequency_Hz.push_back(static_cast<double>(i) / (static_cast<double>(n) * sample_s));
  Eigen::FFT<double> fft;
  std::vector<std::complex<double>> transformed;
  int pieces = 0;
  for (std::size_t start = 0; start + n <= signal.size(); start += step, ++pieces) {
    double mean = 0;
    for (std::size_t i = 0; i < n; ++i) mean += signal[start + i] / static_cast<double>(n);
    for (std::size_t i = 0; i < n; ++i) piece[i] = window[i] * (signal[start + i] - mean);
    fft.fwd(transformed, piece);
    for (std::size_t i = 0; i < half; ++i) out.density[i] += std::norm(transformed[i]);
  }
  // Both halves of the two-sided spectrum are one; the ends have no mirror image.
  for (std::size_t i = 0; i < half; ++i) {
    const bool alone = i == 0 || (n % 2 == 0 && i + 1 == half);
    out.density[i] *= (alone ? 1.0 : 2.0) * sample_s / (squares * pieces);
  }
  return out;
}

double level_difference_dB(const Spectrum& a, const Spectrum& b, double from_Hz, double to_Hz) {
  return 10 * std::log10(a.power(from_Hz, to_Hz) / b.power(from_Hz, to_Hz));
}

}  // namespace monocoque::analysis

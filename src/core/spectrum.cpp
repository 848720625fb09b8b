#include "core/spectrum.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <unsupported/Eigen/FFT>

#include "core/error.h"

namespace monocoque {

namespace {

using Complexes = std::vector<std::complex<double>>;

std::size_t largest_prime_factor(std::size_t n) {
  std::size_t largest = 1;
  for (std::size_t p = 2; p * p <= n; ++p)
    while (n % p == 0) {
      largest = p;
      n /= p;
    }
  return std::max(largest, n);
}

void require_signal(const std::vector<double>& signal, double sample_s, double window_s) {
  if (signal.size() < 8 || !(sample_s > 0) || !(window_s > 0))
    throw Error("spectrum", fmt::format("{} samples are too few for a spectrum", signal.size()),
                "record a longer run or more often");
  if (!std::all_of(signal.begin(), signal.end(), [](double v) { return std::isfinite(v); }))
    throw Error("spectrum", "the signal has values that are not finite", "");
}

/// Division of a signal into pieces and their transforms.
class PieceTransform {
 public:
  PieceTransform(std::size_t samples, double sample_s, double window_s, double overlap = 0.5) {
    const auto wanted = static_cast<std::size_t>(
        std::clamp(std::round(window_s / sample_s), 8.0, static_cast<double>(samples)));
    n_ = wanted;
    while (largest_prime_factor(n_) > 97) --n_;
    double squares = 0;
    window_.resize(n_);
    for (std::size_t i = 0; i < n_; ++i) {
      window_[i] =
          0.5 - 0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(n_));
      squares += window_[i] * window_[i];
    }
    piece_.resize(n_);
    const double shared = static_cast<double>(n_) * std::clamp(overlap, 0.0, 0.95);
    step_ = n_ - std::min(static_cast<std::size_t>(shared + 0.5), n_ - 1);
    count_ = static_cast<int>((samples - n_) / step_) + 1;
    scale_ = sample_s / (squares * count_);
    for (std::size_t i = 0; i < size(); ++i)
      frequency_Hz.push_back(static_cast<double>(i) / (static_cast<double>(n_) * sample_s));
    fft_.SetFlag(Eigen::FFT<double>::HalfSpectrum);
  }
  std::size_t size() const { return n_ / 2 + 1; }
  int count() const { return count_; }
  const Complexes& of(const std::vector<double>& signal, int number, Complexes& out) {
    const std::size_t start = static_cast<std::size_t>(number) * step_;
    double mean = 0;
    for (std::size_t i = 0; i < n_; ++i) mean += signal[start + i] / static_cast<double>(n_);
    for (std::size_t i = 0; i < n_; ++i) piece_[i] = window_[i] * (signal[start + i] - mean);
    fft_.fwd(out, piece_);
    return out;
  }
  /// From a sum over pieces to a one-sided density: the ends have no mirror image.
  double scale(std::size_t i) const {
    const bool alone = i == 0 || (n_ % 2 == 0 && i + 1 == size());
    return (alone ? 1.0 : 2.0) * scale_;
  }
  std::vector<double> frequency_Hz;

 private:
  std::size_t n_ = 0, step_ = 1;
  int count_ = 0;
  double scale_ = 0;
  std::vector<double> window_, piece_;
  Eigen::FFT<double> fft_;
};

}  // namespace

double Spectrum::power(double from_Hz, double to_Hz) const {
  if (frequency_Hz.size() < 2) return 0;
  double sum = 0;
  for (std::size_t i = 0; i < density.size(); ++i)
    if (frequency_Hz[i] >= from_Hz && frequency_Hz[i] <= to_Hz) sum += density[i];
  return sum * (frequency_Hz[1] - frequency_Hz[0]);
}

Spectrum welch(const std::vector<double>& signal, double sample_s, double window_s, double overlap) {
  require_signal(signal, sample_s, window_s);
  PieceTransform pieces(signal.size(), sample_s, window_s, overlap);
  Spectrum out{pieces.frequency_Hz, std::vector<double>(pieces.size(), 0.0), pieces.count()};
  Complexes x;
  for (int p = 0; p < pieces.count(); ++p) {
    pieces.of(signal, p, x);
    for (std::size_t i = 0; i < pieces.size(); ++i) out.density[i] += std::norm(x[i]);
  }
  for (std::size_t i = 0; i < pieces.size(); ++i) out.density[i] *= pieces.scale(i);
  return out;
}

double level_difference_dB(const Spectrum& a, const Spectrum& b, double from_Hz, double to_Hz) {
  return 10 * std::log10(a.power(from_Hz, to_Hz) / b.power(from_Hz, to_Hz));
}

MeasuredResponse frequency_response(const std::vector<double>& input, const std::vector<double>& output,
                                    double sample_s, double window_s) {
  require_signal(input, sample_s, window_s);
  require_signal(output, sample_s, window_s);
  if (input.size() != output.size())
    throw Error("frequency response",
                fmt::format("the signals have {} and {} samples", input.size(), output.size()), "");
  PieceTransform pieces(input.size(), sample_s, window_s);
  const std::size_t n = pieces.size();
  MeasuredResponse out;
  out.frequency_Hz = pieces.frequency_Hz;
  out.pieces = pieces.count();
  out.input_density.assign(n, 0.0);
  out.output_density.assign(n, 0.0);
  out.cross_density.assign(n, 0.0);
  Complexes x, y;
  for (int p = 0; p < pieces.count(); ++p) {
    pieces.of(input, p, x);
    pieces.of(output, p, y);
    for (std::size_t i = 0; i < n; ++i) {
      out.input_density[i] += std::norm(x[i]);
      out.output_density[i] += std::norm(y[i]);
      out.cross_density[i] += std::conj(x[i]) * y[i];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    out.input_density[i] *= pieces.scale(i);
    out.output_density[i] *= pieces.scale(i);
    out.cross_density[i] *= pieces.scale(i);
    const std::complex<double> cross = out.cross_density[i];
    out.h1.push_back(cross / out.input_density[i]);
    out.h2.push_back(out.output_density[i] / std::conj(cross));
    out.coherence.push_back(std::norm(cross) / (out.input_density[i] * out.output_density[i]));
  }
  return out;
}

}  // namespace monocoque

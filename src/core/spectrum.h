#pragma once
// Spectra of sampled signals (Welch 1967): the mean over overlapping pieces under a Hann window, each freed
// of its mean. One-sided, unit^2/Hz: the integral of a density over the frequency is the mean square. The
// length of a piece is shortened a little where it has a prime factor above 97, which would make its
// transform slow.

#include <complex>
#include <vector>

namespace monocoque {

struct Spectrum {
  std::vector<double> frequency_Hz, density;
  int pieces = 0;

  /// Mean square between two frequencies (both included).
  double power(double from_Hz, double to_Hz) const;
};

/// `sample_s` apart; pieces of `window_s`, each sharing the part `overlap` (0 to 0.95) with the one before. A
/// signal shorter than one window is one piece of its own length. Throws Error for less than 8 samples or
/// values that are not finite.
Spectrum welch(const std::vector<double>& signal, double sample_s, double window_s, double overlap = 0.5);

/// 10 log10(a / b) of the powers of two spectra in a band.
double level_difference_dB(const Spectrum& a, const Spectrum& b, double from_Hz, double to_Hz);

/// Estimates of the linear system from one signal to another. With S_xy the mean of conj(X) Y:
///   H1 = S_xy / S_xx (noise at the output),  H2 = S_yy / S_yx (noise at the input),
///   coherence = |S_xy|^2 / (S_xx S_yy), 1 for a linear system without noise.
/// One piece alone has coherence 1 whatever the signals are.
struct MeasuredResponse {
  std::vector<double> frequency_Hz, input_density, output_density, coherence;
  std::vector<std::complex<double>> cross_density, h1, h2;
  int pieces = 0;
};
MeasuredResponse frequency_response(const std::vector<double>& input, const std::vector<double>& output,
                                    double sample_s, double window_s);

}  // namespace monocoque

#pragma once
// Power spectral density of a sampled signal (Welch 1967): the mean of periodograms of overlapping pieces
// under a Hann window, each freed of its mean. One-sided, unit^2/Hz: its integral over the frequency is the
// mean square.

#include <vector>

namespace monocoque::analysis {

struct Spectrum {
  std::vector<double> frequency_Hz, density;

  /// Mean square between two frequencies (both included).
  double power(double from_Hz, double to_Hz) const;
};

/// `sample_s` apart; pieces of `window_s`, each sharing the part `overlap` (0 to 0.95) with the one before. A
/// signal shorter than one window is one piece of its own length. Throws Error for less than 8 samples or
/// values that are not finite.
Spectrum welch(const std::vector<double>& signal, double sample_s, double window_s, double overlap = 0.5);

/// 10 log10(a / b) of the powers of two spectra in a band.
double level_difference_dB(const Spectrum& a, const Spectrum& b, double from_Hz, double to_Hz);

}  // namespace monocoque::analysis

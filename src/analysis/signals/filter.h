#pragma once
// Digital filters as cascades of second-order sections.
//   y_i = b0 x_i + b1 x_{i-1} + b2 x_{i-2} - a1 y_{i-1} - a2 y_{i-2}
// Butterworth filters by the bilinear transform with prewarped corners, as in SciPy; sections of any analogue
// transfer function by matching its magnitude at zero, at one frequency and at half the sampling rate.

#include <complex>
#include <vector>

namespace monocoque::analysis {

struct FilterSection {
  double b0 = 1, b1 = 0, b2 = 0, a1 = 0, a2 = 0;
};
using DigitalFilter = std::vector<FilterSection>;

enum class FilterBand { low, high, band };

/// -3 dB at the corners. low uses high_Hz only (what it lets pass ends there), high uses low_Hz only; a band
/// filter of order n falls with n on each side. Throws Error unless 0 < corners < half the sampling rate,
/// 1 <= order <= 20.
DigitalFilter butterworth(FilterBand band, int order, double low_Hz, double high_Hz, double sample_s);

/// (b0 + b1 s + b2 s^2) / (a0 + a1 s + a2 s^2), a2 > 0.
struct AnalogueSection {
  double b0 = 0, b1 = 0, b2 = 0, a0 = 0, a1 = 0, a2 = 1;
  std::complex<double> response(double frequency_Hz) const;
};
/// Poles exp(s T); zeros such that the magnitude is that of the analogue section at 0, at `fit_Hz` and at
/// half the sampling rate (Vicanek 2016); `fit_Hz` counts up to 0.4 of that rate. Much nearer to the analogue
/// magnitude than the bilinear transform.
FilterSection matched_section(const AnalogueSection& section, double fit_Hz, double sample_s);
/// Bilinear transform that is exact at zero and at `exact_Hz`.
FilterSection bilinear_section(const AnalogueSection& section, double exact_Hz, double sample_s);

std::complex<double> filter_response(const DigitalFilter& filter, double frequency_Hz, double sample_s);

/// From rest, or as if the first value had always been there.
enum class FilterStart { rest, steady };
std::vector<double> filtered(const DigitalFilter& filter, std::vector<double> signal,
                             FilterStart start = FilterStart::rest);
/// Forward and backward: no phase shift, twice the decibels. Ends are continued by reflection through their
/// last points, for three times the filter's length (scipy.signal.sosfiltfilt).
std::vector<double> filtered_zero_phase(const DigitalFilter& filter, const std::vector<double>& signal);

}  // namespace monocoque::analysis

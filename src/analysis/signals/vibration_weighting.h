#pragma once
// Frequency weightings of whole-body vibration, ISO 2631-1:1997 (annex A) with the parameters of ISO 8041:
//   H(s) = band limits * a-v transition * upward step
//   band limits     s^2 / (s^2 + s w1 / Q1 + w1^2) * 1 / (1 + s / (Q1 w2) + s^2 / w2^2),  Q1 = 1 / sqrt 2
//   a-v transition  (1 + s / w3) / (1 + s / (Q4 w4) + s^2 / w4^2)
//   upward step     (1 + s / (Q5 w5) + s^2 / w5^2) / (1 + s / (Q6 w6) + s^2 / w6^2) * (w5 / w6)^2
// Wk vertical on seats, Wd horizontal, Wc seat back, We rotations, Wj head of a lying person, Wf motion
// sickness. Sources of the numbers and the comparison with the standard's tables: docs/comfort.md.

#include <complex>
#include <string>
#include <vector>

#include "analysis/signals/filter.h"
#include "core/spectrum.h"

namespace monocoque::analysis {

enum class Weighting { Wk, Wd, Wc, We, Wj, Wf };
constexpr Weighting kWeightings[] = {Weighting::Wk, Weighting::Wd, Weighting::Wc,
                                     Weighting::We, Weighting::Wj, Weighting::Wf};

std::string weighting_name(Weighting weighting);
/// "Wk"; throws Error with a suggestion for others.
Weighting weighting_of(const std::string& name);
/// Band in which the standard's values hold (to 1 dB): 0.5 to 80 Hz, of Wf 0.1 to 0.5 Hz.
struct WeightingBand {
  double from_Hz, to_Hz;
};
WeightingBand nominal_band(Weighting weighting);

/// The sections in the order band limits, transition, step.
std::vector<AnalogueSection> weighting_sections(Weighting weighting);
std::complex<double> weighting_response(Weighting weighting, double frequency_Hz);

/// For histories: the high-pass by the bilinear transform, the others matched in magnitude.
DigitalFilter weighting_filter(Weighting weighting, double sample_s);
/// Largest distance of the digital filter's magnitude from the analogue one, dB, within the nominal band as
/// far as it lies below 0.45 of the sampling rate.
double weighting_filter_error_dB(Weighting weighting, double sample_s);

/// Square root of the integral of |H|^2 S over the frequency (trapezoids: frequencies need not be even).
double weighted_rms(const Spectrum& acceleration, Weighting weighting);

}  // namespace monocoque::analysis

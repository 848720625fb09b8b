#pragma once
// Histories made fit for the analysis of signals: equal steps, statistics.

#include <string>
#include <vector>

namespace monocoque::analysis {

struct SampledSignal {
  double start_s = 0, sample_s = 0;
  std::vector<double> values;
  double time_s(std::size_t i) const { return start_s + static_cast<double>(i) * sample_s; }
};

/// The usual step of instants, and how far the worst lies from an even row, in steps. Of equal instants (at
/// events) the last counts. Throws Error for less than two different instants or for times that go back.
struct Sampling {
  double step_s = 0, unevenness = 0;
  bool even() const { return unevenness < 1e-4; }
};
Sampling sampling_of(const std::vector<double>& time_s);

/// On equal steps: `sample_s`, or the usual one when it is 0. An even row in its own step is only copied;
/// otherwise cubic interpolation with slopes of parabolas. For a step above 1.5 of the usual one, what could
/// not be seen with it is filtered out before (Butterworth of order 8, zero phase, from 0.8 of half its
/// rate).
SampledSignal resampled(const std::vector<double>& time_s, const std::vector<double>& values,
                        double sample_s = 0);

struct SignalStatistics {
  double mean = 0, rms = 0, deviation = 0, least = 0, greatest = 0;
  double crest_factor = 0;  ///< largest distance from the mean over the deviation; 0 for a constant
};
SignalStatistics statistics_of(const std::vector<double>& values);

}  // namespace monocoque::analysis

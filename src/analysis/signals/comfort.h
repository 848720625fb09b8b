#pragma once
// Comfort of a person who sits in a vehicle, ISO 2631-1:1997: weighted accelerations, their measures, the
// total over axes and places of contact, the words of its annex C. Accelerations in m/s^2 and rad/s^2 along
// the axes of the person (x forward, y left, z up); their mean (gravity, a steady turn) is taken off.

#include <optional>
#include <string>
#include <vector>

#include "analysis/signals/signal.h"
#include "analysis/signals/vibration_weighting.h"

namespace monocoque::analysis {

/// Of a weighted history a_w(t) over T seconds.
struct WeightedMeasures {
  double rms = 0;
  double peak = 0, crest_factor = 0;  ///< largest |a_w|; over the rms
  double mtvv = 0;                    ///< greatest running rms of 1 s (the rms itself for less than 1 s)
  double vdv = 0;                     ///< (integral a_w^4 dt)^(1/4), m/s^1.75
  double duration_s = 0;
  /// Crest factor above 9, MTVV / rms above 1.5 or VDV / (rms T^(1/4)) above 1.75: the standard then asks for
  /// MTVV or VDV beside the rms.
  bool shocks() const;
};
/// Filters the whole history, measures from instant `from_s` to `to_s`: what lies before lets the filter
/// settle.
struct EvaluationSpan {
  double from_s = -1e300, to_s = 1e300;
};
WeightedMeasures weighted_measures(const SampledSignal& acceleration, Weighting weighting,
                                   const EvaluationSpan& span = {});
/// The weighted history itself, and its running rms over `window_s` (each value over the window before it).
std::vector<double> weighted_history(const SampledSignal& acceleration, Weighting weighting);
std::vector<double> running_rms(const std::vector<double>& values, double sample_s, double window_s = 1);

enum class ContactPlace { seat, back, feet };
enum class ContactAxis { x, y, z, rx, ry, rz };
std::string place_name(ContactPlace place);
std::string axis_name(ContactAxis axis);

/// Weighting and multiplying factor for comfort of a seated person; k of rotations in m. None: the standard
/// knows no rotations of back and feet.
struct AxisRule {
  Weighting weighting;
  double k;
};
std::optional<AxisRule> comfort_rule(ContactPlace place, ContactAxis axis);

struct ComfortAxis {
  ContactPlace place = ContactPlace::seat;
  ContactAxis axis = ContactAxis::x;
  Weighting weighting = Weighting::Wk;
  double k = 1;
  double unweighted_rms = 0;  ///< without the mean
  double filter_error_dB = 0;
  WeightedMeasures measures;
};
/// Throws Error for an axis without a rule.
ComfortAxis evaluate_axis(ContactPlace place, ContactAxis axis, const SampledSignal& acceleration,
                          const EvaluationSpan& span = {});
/// The same from a density; only the rms values are filled.
ComfortAxis evaluate_axis(ContactPlace place, ContactAxis axis, const Spectrum& acceleration);

/// sqrt(sum k^2 a_w^2) over the axes, of one place or of all.
double vibration_total_value(const std::vector<ComfortAxis>& axes);
double vibration_total_value(const std::vector<ComfortAxis>& axes, ContactPlace place);
/// The standard's words for a total value, all whose (overlapping) ranges hold it, the mildest first.
std::vector<std::string> comfort_words(double total_value);

/// Motion sickness from vertical acceleration: dose a_w sqrt(T) with Wf, m/s^1.5, and a third of it, the
/// share in percent of unadapted adults that may vomit.
struct MotionSickness {
  double weighted_rms = 0, dose = 0, percent = 0;
};
MotionSickness motion_sickness(const SampledSignal& vertical, const EvaluationSpan& span = {});

}  // namespace monocoque::analysis

#include "elements/forces/end_stop.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "elements/field_makers.h"

namespace monocoque {

EndStop::EndStop(const io::ParameterSet& p)
    : stiffness_(p.number("stiffness_N_per_m_exp")),
      exponent_(p.number("exponent")),
      damping_(p.number("damping_Ns_per_m")),
      full_depth_(p.number("damping_depth_m")),
      min_(p.number("min_length_m")),
      max_(p.number("max_length_m")) {
  if (exponent_ < 1)
    fields::refuse(p, "exponent", fmt::format("exponent is {}, it must be >= 1", exponent_),
                   "1 is a linear stop, 1.5 that of two spheres");
  if (min_ >= max_)
    fields::refuse(p, "min_length_m",
                   fmt::format("min_length_m is {}, it must be < max_length_m = {}", min_, max_),
                   "exchange the two lengths");
}

EndStop::Contact EndStop::contact(double depth, double rate) const {
  if (depth <= 0) return {0, 0, 0, 0};
  const double power = std::pow(depth, exponent_ - 1);
  const double elastic = stiffness_ * power * depth, elastic_slope = exponent_ * stiffness_ * power;
  const double x = std::min(depth / full_depth_, 1.0);
  const double damping = damping_ * x * x * (3 - 2 * x),
               damping_slope = damping_ * 6 * x * (1 - x) / full_depth_;
  const double viscous = damping * rate, viscous_slope = damping_slope * rate;
  if (viscous >= 0) return {elastic + viscous, elastic, elastic_slope + viscous_slope, damping};
  // N q with q = N / (N - V): value and slopes meet those of N + V at V = 0.
  const double q = elastic / (elastic - viscous);
  return {elastic * q, elastic, q * (2 - q) * elastic_slope + q * q * viscous_slope, q * q * damping};
}

Tension EndStop::tension(const ForceInput&, double length, double rate) const {
  if (length < min_) {
    const Contact c = contact(min_ - length, -rate);
    return {-c.force, c.by_depth, c.by_rate};
  }
  const Contact c = contact(length - max_, rate);
  return {c.force, c.by_depth, c.by_rate};
}

double EndStop::energy(const ForceInput& in) const {
  const double length = line_of(in).length;
  const double depth = std::max({min_ - length, length - max_, 0.0});
  return stiffness_ * std::pow(depth, exponent_ + 1) / (exponent_ + 1);
}

double EndStop::dissipation(const ForceInput& in) const {
  const Line line = line_of(in);
  const bool low = line.length < min_;
  const double rate = low ? -line.rate : line.rate;
  const Contact c = contact(low ? min_ - line.length : line.length - max_, rate);
  return (c.force - c.elastic) * rate;
}

ElementType<Force> end_stop_type() {
  using namespace fields;
  return with(
      {}, io::Drawing::spring,
      force<EndStop>(
          "end_stop", "one-sided stops on the distance of two frames",
          {number("stiffness_N_per_m_exp", "force at a penetration of 1 m, N / m^exponent", "", "310000",
                  Rule::positive),
           number("exponent", "force grows with this power of the penetration, >= 1", "1.5", "1.7",
                  Rule::positive),
           number("damping_Ns_per_m", "damping at full depth", "0", "4200", Rule::non_negative),
           number("damping_depth_m", "penetration at which the damping is complete", "0.001", "0.35",
                  Rule::positive),
           number("min_length_m", "shorter than this the stop pushes apart", "0", "0.55", Rule::non_negative),
           number("max_length_m", "longer than this the stop pulls together", "1e9", "0.95",
                  Rule::positive)}));
}

}  // namespace monocoque

#include "elements/forces/spring_damper.h"

#include <cmath>

#include "elements/field_makers.h"

namespace monocoque {
namespace {
constexpr double kTransition = 1e-3;  // m/s, where compression turns into rebound
}

SpringDamper::SpringDamper(const io::ParameterSet& p)
    : stiffness_(p.number("stiffness_N_per_m")),
      free_length_(p.number("free_length_m")),
      preload_(p.number("preload_N")) {
  const double damping = p.number("damping_Ns_per_m");
  const double rebound = damping * p.number("rebound_factor");
  const double compression = damping * p.number("compression_factor");
  mean_damping_ = 0.5 * (rebound + compression);
  damping_difference_ = 0.5 * (rebound - compression);
}

double SpringDamper::damping_force(double rate) const {
  // |sdot| rounded at zero: sqrt(r^2 + e^2) - e <= |r|, so the power stays >= 0.
  return mean_damping_ * rate + damping_difference_ * (std::hypot(rate, kTransition) - kTransition);
}

Tension SpringDamper::tension(const ForceInput&, double length, double rate) const {
  const double s = length - free_length_;
  return {stiffness_ * s + damping_force(rate) + preload_, stiffness_,
          mean_damping_ + damping_difference_ * rate / std::hypot(rate, kTransition)};
}

double SpringDamper::energy(const ForceInput& in) const {
  const double s = line_of(in).length - free_length_;
  return (0.5 * stiffness_ * s + preload_) * s;
}

double SpringDamper::dissipation(const ForceInput& in) const {
  const double rate = line_of(in).rate;
  return damping_force(rate) * rate;
}

ElementType<Force> spring_damper_type() {
  using namespace fields;
  return with(
      {io::Role::spring, io::Role::damper}, io::Drawing::spring,
      force<SpringDamper>("spring_damper", "linear spring and damper along the line between two frames",
                          {number("stiffness_N_per_m", "spring stiffness", "", "52000", Rule::non_negative),
                           number("damping_Ns_per_m", "damping", "0", "1930", Rule::non_negative),
                           number("free_length_m", "length at which the spring carries its preload only", "",
                                  "0.62", Rule::non_negative),
                           number("preload_N", "tension at the free length", "0", "-3100"),
                           number("rebound_factor", "factor on the damping while the line grows", "1", "1.4",
                                  Rule::non_negative),
                           number("compression_factor", "factor on the damping while the line shrinks", "1",
                                  "0.7", Rule::non_negative)}));
}

}  // namespace monocoque

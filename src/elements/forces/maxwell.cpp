#include "elements/forces/maxwell.h"

#include "elements/field_makers.h"

namespace monocoque {

Maxwell::Maxwell(const io::ParameterSet& p)
    : LineForce(1),
      stiffness_(p.number("stiffness_N_per_m")),
      damping_(p.number("damping_Ns_per_m")),
      parallel_(p.number("parallel_stiffness_N_per_m")),
      free_length_(p.number("free_length_m")) {}

Tension Maxwell::tension(const ForceInput& in, double length, double) const {
  const double s = length - free_length_;
  return {stiffness_ * (s - in.c[0]) + parallel_ * s, stiffness_ + parallel_, 0};
}

void Maxwell::tangent(const ForceInput& in, ForceTangent& out) const {
  LineForce::tangent(in, out);
  const Vec3 n = line_of(in).n;
  out.wrench.c.col(0).segment<3>(0) = -stiffness_ * n;
  out.wrench.c.col(0).segment<3>(6) = stiffness_ * n;
  const double decay = stiffness_ / damping_;
  out.rate.pose.row(0).segment<3>(0) = -decay * n.transpose();
  out.rate.pose.row(0).segment<3>(6) = decay * n.transpose();
  out.rate.c(0, 0) = -decay;
}

void Maxwell::state_rate(const ForceInput& in, InnerVector& rate) const {
  rate.resize(1);
  rate[0] = stiffness_ / damping_ * (line_of(in).length - free_length_ - in.c[0]);
}

void Maxwell::initial_state(const ForceInput& in, double* c) const {
  c[0] = line_of(in).length - free_length_;
}

double Maxwell::energy(const ForceInput& in) const {
  const double s = line_of(in).length - free_length_, e = s - in.c[0];
  return 0.5 * (stiffness_ * e * e + parallel_ * s * s);
}

double Maxwell::dissipation(const ForceInput& in) const {
  const double f = stiffness_ * (line_of(in).length - free_length_ - in.c[0]);
  return f * f / damping_;
}

ElementType<Force> maxwell_type() {
  using namespace fields;
  return with(
      {io::Role::damper}, io::Drawing::spring,
      force<Maxwell>(
          "maxwell", "spring and damper in series along the line between two frames, starting relaxed",
          {number("stiffness_N_per_m", "stiffness of the spring in series", "", "42000", Rule::positive),
           number("damping_Ns_per_m", "damping of the damper in series", "", "2900", Rule::positive),
           number("parallel_stiffness_N_per_m", "stiffness of a spring beside the two", "0", "17000",
                  Rule::non_negative),
           number("free_length_m", "length at which a relaxed element carries nothing", "", "0.62",
                  Rule::non_negative)}));
}

}  // namespace monocoque

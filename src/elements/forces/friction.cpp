#include "elements/forces/friction.h"

#include <cmath>

#include "elements/field_makers.h"
#include "elements/forces/wrench_assembly.h"

namespace monocoque {

double FrictionLaw::value(double v) const {
  const double x = v / stribeck;
  return coulomb * std::tanh(v / slip) * (1 + (static_ratio - 1) * std::exp(-x * x)) + viscous * v;
}

double FrictionLaw::slope(double v) const {
  const double t = std::tanh(v / slip), x = v / stribeck, peak = (static_ratio - 1) * std::exp(-x * x);
  return coulomb * ((1 - t * t) / slip * (1 + peak) - t * peak * 2 * x / stribeck) + viscous;
}

FrictionTranslational::FrictionTranslational(const io::ParameterSet& p)
    : law_{p.number("friction_N"), p.number("slip_velocity_m_per_s"), p.number("static_ratio"),
           p.number("stribeck_velocity_m_per_s"), p.number("viscous_Ns_per_m")} {}

void FrictionTranslational::wrench(const ForceInput& in, Vec12& out) const {
  const RelativePoint r = relative_point(in);
  out.setZero();
  add_point_force(r.p, -law_.value(r.d_dot.z()) * in.m[0]->R.col(2), out);
}

void FrictionTranslational::tangent(const ForceInput& in, ForceTangent& out) const {
  clear(out);
  const RelativePoint r = relative_point(in);
  const Vec3 f = -law_.value(r.d_dot.z()) * in.m[0]->R.col(2);
  Mat3 by_rate = Mat3::Zero();
  by_rate(2, 2) = -law_.slope(r.d_dot.z());
  add_point_force_tangent(r.p, f, frame_force_tangent(in, r, f, Mat3::Zero(), by_rate), out);
}

double FrictionTranslational::dissipation(const ForceInput& in) const {
  const double v = relative_point(in).d_dot.z();
  return law_.value(v) * v;
}

FrictionRotational::FrictionRotational(const io::ParameterSet& p)
    : law_{p.number("friction_Nm"), p.number("slip_velocity_rad_per_s"), p.number("static_ratio"),
           p.number("stribeck_velocity_rad_per_s"), p.number("viscous_Nms_per_rad")} {}

void FrictionRotational::wrench(const ForceInput& in, Vec12& out) const {
  out.setZero();
  add_torque(-law_.value(axis_rate(in)) * in.m[0]->R.col(2), out);
}

void FrictionRotational::tangent(const ForceInput& in, ForceTangent& out) const {
  clear(out);
  const double omega = axis_rate(in);
  add_torque_tangent(axis_torque_tangent(in, -law_.value(omega), -law_.slope(omega)), out);
}

double FrictionRotational::dissipation(const ForceInput& in) const {
  const double omega = axis_rate(in);
  return law_.value(omega) * omega;
}

ElementType<Force> friction_translational_type() {
  using namespace fields;
  return force<FrictionTranslational>(
      "friction_translational",
      "dry and viscous friction against the motion of `to` along the z axis of `from`",
      {number("friction_N", "sliding friction", "", "95", Rule::non_negative),
       number("slip_velocity_m_per_s", "velocity at which 76 % of the friction is reached", "0.01", "0.6",
              Rule::positive),
       number("static_ratio", "static over sliding friction", "1", "1.3", Rule::positive),
       number("stribeck_velocity_m_per_s", "velocity over which static fades to sliding friction", "0.05",
              "0.9", Rule::positive),
       number("viscous_Ns_per_m", "viscous part", "0", "14", Rule::non_negative)});
}

ElementType<Force> friction_rotational_type() {
  using namespace fields;
  return force<FrictionRotational>(
      "friction_rotational",
      "dry and viscous friction against the turning of `to` about the z axis of `from`",
      {number("friction_Nm", "sliding friction torque", "", "23", Rule::non_negative),
       number("slip_velocity_rad_per_s", "rate at which 76 % of the friction is reached", "0.05", "0.7",
              Rule::positive),
       number("static_ratio", "static over sliding friction", "1", "1.4", Rule::positive),
       number("stribeck_velocity_rad_per_s", "rate over which static fades to sliding friction", "0.25",
              "0.8", Rule::positive),
       number("viscous_Nms_per_rad", "viscous part", "0", "3.1", Rule::non_negative)});
}

}  // namespace monocoque

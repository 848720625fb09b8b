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

double Friction::rate(const ForceInput& in) const {
  return turning_ ? axis_rate(in) : relative_point(in).d_dot.z();
}

void Friction::wrench(const ForceInput& in, Vec12& out) const {
  out.setZero();
  const Vec3 friction = -law_.value(rate(in)) * in.m[0]->R.col(2);
  if (turning_)
    add_torque(friction, out);
  else
    add_point_force(in.m[1]->p - in.m[0]->p, friction, out);
}

void Friction::tangent(const ForceInput& in, ForceTangent& out) const {
  clear(out);
  const double v = rate(in), value = -law_.value(v), slope = -law_.slope(v);
  if (turning_) {
    add_torque_tangent(axis_torque_tangent(in, value, slope), out);
    return;
  }
  const RelativePoint r = relative_point(in);
  const Vec3 f = value * in.m[0]->R.col(2);
  Mat3 by_rate = Mat3::Zero();
  by_rate(2, 2) = slope;
  add_point_force_tangent(r.p, f, frame_force_tangent(in, r, f, Mat3::Zero(), by_rate), out);
}

double Friction::dissipation(const ForceInput& in) const {
  const double v = rate(in);
  return law_.value(v) * v;
}

namespace {

ElementType<Force> friction_type(Friction::Motion motion, std::string name, std::string doc,
                                 std::vector<io::Field> list) {
  ElementType<Force> type;
  type.info = {std::move(name), io::Group::force, std::move(doc), std::move(list), io::Attachment::frames};
  // The law has its five values in the order of the fields.
  std::vector<std::string> keys;
  for (const io::Field& f : type.info.fields) keys.push_back(f.name);
  type.make = [keys, motion](const io::ParameterSet& p) {
    return std::make_unique<Friction>(FrictionLaw{p.number(keys[0]), p.number(keys[1]), p.number(keys[2]),
                                                  p.number(keys[3]), p.number(keys[4])},
                                      motion);
  };
  return type;
}

}  // namespace

ElementType<Force> friction_translational_type() {
  using namespace fields;
  return friction_type(
      Friction::Motion::sliding, "friction_translational",
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
  return friction_type(
      Friction::Motion::turning, "friction_rotational",
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

#include "elements/forces/brake.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include "elements/field_makers.h"
#include "elements/forces/wrench_assembly.h"

namespace monocoque {

Brake::Brake(const io::ParameterSet& p)
    : Force(1, 0, 1),
      stiffness_(p.number("stiffness_Nm_per_rad")),
      damping_(p.number("damping_Nms_per_rad")),
      least_(p.number("smallest_torque_Nm")),
      settling_(p.number("settling_s")) {
  restrict_to(kAxesA | kAxesB);
}

Brake::Capacity Brake::capacity(const ForceInput& in) const {
  const double T = std::max(in.u[0].value, 0.0);
  if (T >= least_) return {T, 1, 0};
  return {least_, T / least_, T > 0 ? in.u[0].rate / least_ : 0};
}

double Brake::rate_of(const ForceInput& in) const {
  const double w = axis_rate(in), slope = stiffness_ / capacity(in).bounded;
  return (w - std::abs(w) * slope * in.c[0]) / (1 + std::abs(w) * slope * settling_);
}

double Brake::torque_of(const ForceInput& in) const {
  return capacity(in).share * (stiffness_ * in.c[0] + damping_ * rate_of(in));
}

void Brake::wrench(const ForceInput& in, Vec12& out) const {
  out.setZero();
  add_torque(-torque_of(in) * in.m[0]->R.col(2), out);
}

void Brake::state_rate(const ForceInput& in, InnerVector& rate) const {
  rate.resize(1);
  rate[0] = rate_of(in);
}

void Brake::tangent(const ForceInput& in, ForceTangent& out) const {
  clear(out);
  const Capacity T = capacity(in);
  const Vec3 axis = in.m[0]->R.col(2), omega = in.m[1]->w - in.m[0]->w;
  const double w = axis.dot(omega), sign = w > 0 ? 1 : w < 0 ? -1 : 0, slope = stiffness_ / T.bounded;
  const double slower = 1 / (1 + std::abs(w) * slope * settling_);
  const double numerator = w - std::abs(w) * slope * in.c[0];
  const double by_w =
      (1 - sign * slope * in.c[0]) * slower - numerator * sign * slope * settling_ * slower * slower;
  const double by_c = -std::abs(w) * slope * slower;
  add_torque_tangent(axis_torque_tangent(in, -torque_of(in), -T.share * damping_ * by_w), out);
  const Vec3 torque_by_c = T.share * (stiffness_ + damping_ * by_c) * axis;
  out.wrench.c.block<3, 1>(3, 0) = torque_by_c;
  out.wrench.c.block<3, 1>(9, 0) = -torque_by_c;
  out.rate.pose.block<1, 3>(0, 3) = by_w * axis.cross(omega).transpose();
  out.rate.twist.block<1, 3>(0, 3) = -by_w * axis.transpose();
  out.rate.twist.block<1, 3>(0, 9) = by_w * axis.transpose();
  out.rate.c(0, 0) = by_c;
}

double Brake::energy(const ForceInput& in) const {
  return 0.5 * capacity(in).share * stiffness_ * in.c[0] * in.c[0];
}

double Brake::loss(const ForceInput& in) const {
  return torque_of(in) * axis_rate(in) - capacity(in).share * stiffness_ * in.c[0] * rate_of(in);
}

double Brake::dissipation(const ForceInput& in) const {
  return std::max(0.0, loss(in));
}

double Brake::supply(const ForceInput& in) const {
  return 0.5 * capacity(in).share_rate * stiffness_ * in.c[0] * in.c[0] + std::max(0.0, -loss(in));
}

ElementType<Force> brake_type() {
  using namespace fields;
  return force<Brake>(
      "brake", "brake or clutch about the z axis of `from` that holds at rest",
      {signal("torque_Nm", "capacity; negative counts as zero", "", "850"),
       number("stiffness_Nm_per_rad", "of the brake while it holds", "20000", "15000", Rule::positive),
       number("damping_Nms_per_rad", "of the brake while it holds", "100", "90", Rule::non_negative),
       number("smallest_torque_Nm", "capacity below which it lets go", "5", "8", Rule::positive),
       number("settling_s", "time in which the torque settles while it slides", "0.005", "0.004",
              Rule::positive)});
}

}  // namespace monocoque

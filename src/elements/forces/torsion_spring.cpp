#include "elements/forces/torsion_spring.h"

#include <cmath>

#include <Eigen/Geometry>

#include "elements/field_makers.h"
#include "elements/forces/wrench_assembly.h"

namespace monocoque {
namespace {

struct Turn {
  Vec3 z, x, w;  ///< zA, xB, wB - wA
  Vec3 e;        ///< gradient of the angle
  double h, rest;
  double angle, rate;
};

Turn turn_of(const ForceInput& in) {
  const MarkerKinematics &a = *in.m[0], &b = *in.m[1];
  Turn t;
  t.z = a.R.col(2);
  t.x = b.R.col(0);
  t.w = b.w - a.w;
  t.h = t.z.dot(t.x);
  t.rest = 1 - t.h * t.h;
  t.e = t.rest > 1e-12 ? Vec3((t.z - t.h * t.x) / t.rest) : Vec3(Vec3::Zero());
  t.angle = std::atan2(t.x.dot(a.R.col(1)), t.x.dot(a.R.col(0)));
  t.rate = t.e.dot(t.w);
  return t;
}

}  // namespace

TorsionSpring::TorsionSpring(const io::ParameterSet& p)
    : stiffness_(p.number("stiffness_Nm_per_rad")),
      progression_(p.number("progression_Nm_per_rad2")),
      damping_(p.number("damping_Nms_per_rad")),
      free_angle_(p.number("free_angle_rad")),
      preload_(p.number("preload_Nm")) {
  restrict_to(kAxesA | kAxesB);
}

double TorsionSpring::elastic(double s) const {
  return (stiffness_ + progression_ * std::abs(s)) * s + preload_;
}

void TorsionSpring::wrench(const ForceInput& in, Vec12& out) const {
  const Turn t = turn_of(in);
  out.setZero();
  add_torque(-(elastic(t.angle - free_angle_) + damping_ * t.rate) * t.e, out);
}

void TorsionSpring::tangent(const ForceInput& in, ForceTangent& out) const {
  clear(out);
  const Turn t = turn_of(in);
  if (t.rest <= 1e-12) return;
  const double s = t.angle - free_angle_;
  const double torque = -(elastic(s) + damping_ * t.rate);
  const double slope = stiffness_ + 2 * progression_ * std::abs(s);
  // de = (dz - h dx - x dh + 2 h e dh) / (1 - h^2); dz = dthetaA x z, dx = dthetaB x x.
  const Eigen::RowVector3d dh_B = t.x.cross(t.z).transpose(), dh_A = -dh_B;
  const Vec3 by_h = 2 * t.h * t.e - t.x;
  const Mat3 de_A = (by_h * dh_A - skew(t.z)) / t.rest;
  const Mat3 de_B = (by_h * dh_B + t.h * skew(t.x)) / t.rest;
  const auto torque_by = [&](const Mat3& de, double sign) -> Mat3 {
    const Eigen::RowVector3d by_angle = sign * slope * t.e.transpose() + damping_ * t.w.transpose() * de;
    return torque * de - t.e * by_angle;
  };
  const Mat3 D = damping_ * t.e * t.e.transpose();
  VectorTangent dt;
  dt.pose.block<3, 3>(0, 3) = torque_by(de_A, -1);
  dt.pose.block<3, 3>(0, 9) = torque_by(de_B, 1);
  dt.twist.block<3, 3>(0, 3) = D;
  dt.twist.block<3, 3>(0, 9) = -D;
  add_torque_tangent(dt, out);
}

double TorsionSpring::energy(const ForceInput& in) const {
  const double s = turn_of(in).angle - free_angle_;
  return ((stiffness_ / 2 + progression_ * std::abs(s) / 3) * s + preload_) * s;
}

double TorsionSpring::dissipation(const ForceInput& in) const {
  const double rate = turn_of(in).rate;
  return damping_ * rate * rate;
}

ElementType<Force> torsion_spring_type() {
  using namespace fields;
  return force<TorsionSpring>(
      "torsion_spring",
      "spring and damper on the angle of `to` about the z axis of `from`, within a half turn",
      {number("stiffness_Nm_per_rad", "stiffness", "", "310", Rule::non_negative),
       number("progression_Nm_per_rad2", "growth of the stiffness: torque by the angle squared", "0", "45",
              Rule::non_negative),
       number("damping_Nms_per_rad", "damping", "0", "4.2", Rule::non_negative),
       number("free_angle_rad", "angle at which only the preload acts", "0", "0.15"),
       number("preload_Nm", "torque at the free angle, positive turning `to` back", "0", "-12")});
}

}  // namespace monocoque

#include "elements/forces/joint_friction.h"

#include <cmath>

#include <Eigen/Geometry>

#include "elements/field_makers.h"
#include "elements/forces/wrench_assembly.h"

namespace monocoque {
namespace {

constexpr double kLoadEpsilon = 1e-3;  // N

Vec3 across(const Vec3& v, const Vec3& z) {
  return v - z * z.dot(v);
}

}  // namespace

JointFriction::JointFriction(const io::ParameterSet& p)
    : Force(0, 1, 0, true), angle_(p.text("coordinate") == "angle") {
  const double lever = p.number("lever_m");
  factor_ = p.number("friction_coefficient") * (angle_ ? p.number("radius_m") : 1.0);
  slip_ = p.number(angle_ ? "slip_velocity_rad_per_s" : "slip_velocity_m_per_s");
  inverse_lever2_ = lever > 0 ? 1 / (lever * lever) : 0.0;
}

double JointFriction::rate(const ForceInput& in) const {
  return angle_ ? axis_rate(in) : relative_point(in).d_dot.z();
}

double JointFriction::load(const ForceInput& in) const {
  const Vec3 z = in.m[0]->R.col(2);
  return std::sqrt(across(in.reaction->head<3>(), z).squaredNorm() +
                   inverse_lever2_ * across(in.reaction->tail<3>(), z).squaredNorm() +
                   kLoadEpsilon * kLoadEpsilon);
}

void JointFriction::wrench(const ForceInput& in, Vec12& out) const {
  out.setZero();
  const Vec3 friction = -factor_ * in.w[0] * std::tanh(rate(in) / slip_) * in.m[0]->R.col(2);
  if (angle_)
    add_torque(friction, out);
  else
    add_point_force(in.m[1]->p - in.m[0]->p, friction, out);
}

void JointFriction::tangent(const ForceInput& in, ForceTangent& out) const {
  clear(out);
  const Vec3 z = in.m[0]->R.col(2);
  const double t = std::tanh(rate(in) / slip_);
  const double value = -factor_ * in.w[0] * t, slope = -factor_ * in.w[0] * (1 - t * t) / slip_;
  Vec12 by_w = Vec12::Zero();
  if (angle_) {
    add_torque_tangent(axis_torque_tangent(in, value, slope), out);
    add_torque(-factor_ * t * z, by_w);
  } else {
    const RelativePoint r = relative_point(in);
    Mat3 by_rate = Mat3::Zero();
    by_rate(2, 2) = slope;
    const Vec3 f = value * z;
    add_point_force_tangent(r.p, f, frame_force_tangent(in, r, f, Mat3::Zero(), by_rate), out);
    add_point_force(r.p, -factor_ * t * z, by_w);
  }
  out.wrench.w.col(0) = by_w;

  // d|F_perp|^2 = 2 F_perp . dF - 2 (z . F) F_perp . dz, dz = dthetaA x z.
  const Vec3 F = in.reaction->head<3>(), M = in.reaction->tail<3>();
  const Vec3 F_perp = across(F, z), M_perp = inverse_lever2_ * across(M, z);
  const double over = 1 / load(in);
  out.algebraic.w(0, 0) = 1;
  out.algebraic.reaction.row(0) << -over * F_perp.transpose(), -over * M_perp.transpose();
  out.algebraic.pose.row(0).segment<3>(3) = over * z.cross(z.dot(F) * F_perp + z.dot(M) * M_perp).transpose();
}

void JointFriction::algebraic(const ForceInput& in, InnerVector& residual) const {
  residual.resize(1);
  residual[0] = in.w[0] - load(in);
}

void JointFriction::initial_algebraic(const ForceInput& in, double* w) const {
  w[0] = load(in);
}

double JointFriction::dissipation(const ForceInput& in) const {
  const double v = rate(in);
  return factor_ * in.w[0] * std::tanh(v / slip_) * v;
}

ElementType<Force> joint_friction_type() {
  using namespace fields;
  return force<JointFriction>(
      "joint_friction", "dry friction of a joint, proportional to its reaction across the axis",
      {choice("coordinate", "angle: turning about the joint axis; travel: sliding along it", "angle", "angle",
              {"angle", "travel"}),
       number("friction_coefficient", "friction force over normal load", "", "0.12", Rule::non_negative),
       number("radius_m", "lever arm of the friction force about the axis (angle only)", "0.01", "0.35",
              Rule::non_negative),
       number("lever_m", "distance of the bearing forces that carry a bending moment; 0 leaves it out", "0",
              "0.08", Rule::non_negative),
       number("slip_velocity_rad_per_s", "rate at which 76 % of the friction is reached (angle)", "0.05",
              "0.7", Rule::positive),
       number("slip_velocity_m_per_s", "velocity at which 76 % of the friction is reached (travel)", "0.01",
              "0.6", Rule::positive)},
      io::Attachment::joint);
}

}  // namespace monocoque

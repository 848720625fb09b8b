#include "elements/forces/wrench_assembly.h"

#include <Eigen/Geometry>

namespace monocoque {

RelativePoint relative_point(const ForceInput& in) {
  const MarkerKinematics &a = *in.m[0], &b = *in.m[1];
  RelativePoint r;
  r.p = b.p - a.p;
  r.u = b.v - a.v - a.w.cross(r.p);
  r.d = a.R.transpose() * r.p;
  r.d_dot = a.R.transpose() * r.u;
  return r;
}

void clear(ForceTangent& out) {
  const auto zero = [](auto& rows) {
    rows.pose.setZero();
    rows.twist.setZero();
    rows.c.setZero();
    rows.w.setZero();
    rows.reaction.setZero();
  };
  zero(out.wrench);
  zero(out.rate);
  zero(out.algebraic);
}

void add_point_force(const Vec3& p, const Vec3& f, Vec12& out) {
  out.segment<3>(0) -= f;
  out.segment<3>(3) -= p.cross(f);
  out.segment<3>(6) += f;
}

void add_point_force_tangent(const Vec3& p, const Vec3& f, const VectorTangent& df, ForceTangent& out) {
  const Mat3 lever = skew(p), turn = skew(f);
  auto& pose = out.wrench.pose;
  auto& twist = out.wrench.twist;
  pose.middleRows<3>(0) -= df.pose;
  pose.middleRows<3>(3).noalias() -= lever * df.pose;
  pose.middleRows<3>(6) += df.pose;
  // -dp x f: the lever itself changes.
  pose.block<3, 3>(3, 0) -= turn;
  pose.block<3, 3>(3, 6) += turn;
  twist.middleRows<3>(0) -= df.twist;
  twist.middleRows<3>(3).noalias() -= lever * df.twist;
  twist.middleRows<3>(6) += df.twist;
}

void add_torque(const Vec3& t, Vec12& out) {
  out.segment<3>(3) -= t;
  out.segment<3>(9) += t;
}

void add_torque_tangent(const VectorTangent& dt, ForceTangent& out) {
  out.wrench.pose.middleRows<3>(3) -= dt.pose;
  out.wrench.pose.middleRows<3>(9) += dt.pose;
  out.wrench.twist.middleRows<3>(3) -= dt.twist;
  out.wrench.twist.middleRows<3>(9) += dt.twist;
}

VectorTangent frame_force_tangent(const ForceInput& in, const RelativePoint& r, const Vec3& f,
                                  const Mat3& by_d, const Mat3& by_d_dot) {
  const MarkerKinematics& a = *in.m[0];
  const Mat3 C = a.R * by_d * a.R.transpose(), D = a.R * by_d_dot * a.R.transpose();
  const Mat3 lever = skew(r.p);
  const Mat3 by_p = C - D * skew(a.w);
  VectorTangent t;
  t.pose.block<3, 3>(0, 0) = -by_p;
  // The axes of A turn: d and d_dot turn back, f turns along.
  t.pose.block<3, 3>(0, 3) = C * lever + D * skew(r.u) - skew(f);
  t.pose.block<3, 3>(0, 6) = by_p;
  t.twist.block<3, 3>(0, 0) = -D;
  t.twist.block<3, 3>(0, 3) = D * lever;
  t.twist.block<3, 3>(0, 6) = D;
  return t;
}

double axis_rate(const ForceInput& in) {
  return in.m[0]->R.col(2).dot(in.m[1]->w - in.m[0]->w);
}

VectorTangent axis_torque_tangent(const ForceInput& in, double torque, double by_omega) {
  const Vec3 z = in.m[0]->R.col(2);
  const Vec3 w = in.m[1]->w - in.m[0]->w;
  VectorTangent t;
  t.pose.block<3, 3>(0, 3) = by_omega * z * z.cross(w).transpose() - torque * skew(z);
  t.twist.block<3, 3>(0, 3) = -by_omega * z * z.transpose();
  t.twist.block<3, 3>(0, 9) = by_omega * z * z.transpose();
  return t;
}

}  // namespace monocoque

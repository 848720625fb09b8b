#include "elements/joints/rolling.h"

#include <algorithm>
#include <cmath>

#include "elements/field_makers.h"
#include "elements/joints/pair_rows.h"

namespace monocoque {
namespace {

using pair::PairState;
using pair::Row12;

/// What all rows need: axes, lean cosine c, and functions of c with derivatives.
struct Wheel {
  Wheel(const MarkerKinematics& A, const MarkerKinematics& B)
      : n(A.R.col(2)), a(B.R.col(1)), c(n.dot(a)), h(std::sqrt(std::max(1 - c * c, 1e-12))) {}
  Vec3 n, a;
  double c, h;  // h = sqrt(1 - c^2); the floor keeps a fallen wheel finite
  // k = 1/h and l = c/h
  double h1() const { return -c / h; }
  double h2() const { return -1 / (h * h * h); }
  double h3() const { return -3 * c / std::pow(h, 5); }
  double k1() const { return c / (h * h * h); }
  double k2() const { return (1 + 2 * c * c) / std::pow(h, 5); }
  double l1() const { return 1 / (h * h * h); }
  double l2() const { return 3 * c / std::pow(h, 5); }
};

/// Slip along one tangent x of A: offset row of x plus W.m, W = wB - wA,
/// m = rho x x = -r (k y - l a x x) with y = n x x.
struct Slip {
  Slip(const Wheel& w, double radius, const Vec3& tangent)
      : x(tangent), y(w.n.cross(tangent)), ax(w.a.cross(tangent)), m(-radius / w.h * (y - w.c * ax)) {}
  Vec3 x, y, ax, m;
};

/// dm = MA dthetaA + MB dthetaB
struct SlipDerivative {
  SlipDerivative(const Wheel& w, double r, const Slip& s) {
    const Vec3 na = w.n.cross(w.a);
    const Vec3 along = w.k1() * s.y - w.l1() * s.ax;
    const double k = 1 / w.h, l = w.c / w.h;
    MA = -r * (along * na.transpose() - k * skew(s.y) + l * skew(w.a) * skew(s.x));
    MB = -r * (-along * na.transpose() - l * skew(s.x) * skew(w.a));
  }
  Mat3 MA, MB;
};

/// Derivative over pose, at fixed twists, of W . dm/dt without accelerations.
Row12 slip_convective_pose(const Wheel& w, double r, const Slip& s, const PairState& p) {
  const Vec3 W = p.wB - p.wA;
  const Row12 dc = pair::alignment_row(w.n, w.a), dc1 = pair::alignment_velocity_pose(p, w.n, w.a);
  const double c1 = pair::alignment_velocity(p, w.n, w.a);
  const double P = W.dot(s.y), Q = W.dot(s.ax);
  const Vec3 wBa = p.wB.cross(w.a), wAx = p.wA.cross(s.x);
  const double P1 = W.dot(p.wA.cross(s.y));
  const double Q1 = W.dot(wBa.cross(s.x) + w.a.cross(wAx));
  const Vec3 zero = Vec3::Zero();
  const Vec3 xW = s.x.cross(W), Wa = W.cross(w.a);
  const Row12 dP = pair::make_row(zero, s.y.cross(W), zero, zero);
  const Row12 dQ = pair::make_row(zero, s.x.cross(Wa), zero, w.a.cross(xW));
  const Row12 dP1 = pair::make_row(zero, s.y.cross(W.cross(p.wA)), zero, zero);
  const Row12 dQ1 = pair::make_row(zero, s.x.cross(W.cross(wBa) + Wa.cross(p.wA)), zero,
                                   w.a.cross(xW.cross(p.wB) + wAx.cross(W)));
  const double k = 1 / w.h, l = w.c / w.h;
  return -r * ((w.k2() * c1 * P + w.k1() * P1 - w.l2() * c1 * Q - w.l1() * Q1) * dc +
               (w.k1() * P - w.l1() * Q) * dc1 + w.k1() * c1 * dP + k * dP1 - w.l1() * c1 * dQ - l * dQ1);
}

}  // namespace

std::string RollingJoint::row_name(int row) const {
  const char* names[] = {"wheel height", "slip x", "slip y"};
  return names[row];
}

void RollingJoint::residual(const JointInput& in, RowVector& g) const {
  const Wheel w(*in.m[0], *in.m[1]);
  g.resize(1);
  g[0] = w.n.dot(in.m[1]->p - in.m[0]->p) - radius_ * w.h;
}

void RollingJoint::velocity_matrix(const JointInput& in, RowsByTwist& W) const {
  const MarkerKinematics &A = *in.m[0], &B = *in.m[1];
  const Wheel w(A, B);
  const PairState p(A, B);
  W.resize(3, 12);
  W.row(0) = pair::offset_row(p, w.n) - radius_ * w.h1() * pair::alignment_row(w.n, w.a);
  for (int i = 1; i < 3; ++i) {
    const Slip s(w, radius_, A.R.col(i - 1));
    W.row(i) = pair::offset_row(p, s.x) + pair::make_row(Vec3::Zero(), -s.m, Vec3::Zero(), s.m);
  }
}

void RollingJoint::convective(const JointInput& in, RowVector& gamma) const {
  const MarkerKinematics &A = *in.m[0], &B = *in.m[1];
  const Wheel w(A, B);
  const PairState p(A, B);
  const double c1 = pair::alignment_velocity(p, w.n, w.a);
  gamma.resize(3);
  gamma[0] = pair::offset_convective(p, w.n) -
             radius_ * (w.h1() * pair::alignment_convective(p, w.n, w.a) + w.h2() * c1 * c1);
  for (int i = 1; i < 3; ++i) {
    const Slip s(w, radius_, A.R.col(i - 1));
    const SlipDerivative dm(w, radius_, s);
    gamma[i] = pair::offset_convective(p, s.x) + (p.wB - p.wA).dot(dm.MA * p.wA + dm.MB * p.wB);
  }
}

void RollingJoint::tangent(const JointInput& in, const RowVector& lambda, JointTangent& out) const {
  const MarkerKinematics &A = *in.m[0], &B = *in.m[1];
  const Wheel w(A, B);
  const PairState p(A, B);
  out.force_pose.setZero(12, 12);
  out.velocity_pose.resize(3, 12);
  out.acceleration_pose.resize(3, 12);
  out.acceleration_twist.resize(3, 12);

  // Height: offset plus a function of c.
  const double r = radius_, h1 = w.h1(), h2 = w.h2(), h3 = w.h3();
  const Row12 wc = pair::alignment_row(w.n, w.a), dc1 = pair::alignment_velocity_pose(p, w.n, w.a);
  const double c1 = pair::alignment_velocity(p, w.n, w.a);
  const double c2 = pair::alignment_convective(p, w.n, w.a) + (p.alphaA - p.alphaB).dot(w.n.cross(w.a));
  pair::add_offset_force_pose(p, w.n, lambda[0], out.force_pose, 0);
  pair::add_alignment_force_pose(w.n, w.a, -r * h1 * lambda[0], out.force_pose, 0);
  out.force_pose.block<12, 12>(0, 0) -= (r * h2 * lambda[0]) * (wc.transpose() * wc);
  out.velocity_pose.row(0) = pair::offset_velocity_pose(p, w.n) - r * (h1 * dc1 + h2 * c1 * wc);
  out.acceleration_pose.row(0) =
      pair::offset_acceleration_pose(p, w.n) - r * (h1 * pair::alignment_acceleration_pose(p, w.n, w.a) +
                                                    (h2 * c2 + h3 * c1 * c1) * wc + 2 * h2 * c1 * dc1);
  out.acceleration_twist.row(0) =
      pair::offset_acceleration_twist(p, w.n) -
      r * (h1 * pair::alignment_acceleration_twist(p, w.n, w.a) + 2 * h2 * c1 * wc);

  const Vec3 W = p.wB - p.wA, W1 = p.alphaB - p.alphaA, zero = Vec3::Zero();
  for (int i = 1; i < 3; ++i) {
    const Slip s(w, r, A.R.col(i - 1));
    const SlipDerivative dm(w, r, s);
    const Vec3 m1 = dm.MA * p.wA + dm.MB * p.wB;  // dm/dt
    const auto along = [&](const Vec3& f) {
      return pair::make_row(zero, dm.MA.transpose() * f, zero, dm.MB.transpose() * f);
    };
    pair::add_offset_force_pose(p, s.x, lambda[i], out.force_pose, 0);
    pair::add_block(out.force_pose, 0, pair::kwA, pair::kwA, -lambda[i] * dm.MA);
    pair::add_block(out.force_pose, 0, pair::kwA, pair::kwB, -lambda[i] * dm.MB);
    pair::add_block(out.force_pose, 0, pair::kwB, pair::kwA, lambda[i] * dm.MA);
    pair::add_block(out.force_pose, 0, pair::kwB, pair::kwB, lambda[i] * dm.MB);
    const Row12 Wdm = along(W);
    out.velocity_pose.row(i) = pair::offset_velocity_pose(p, s.x) + Wdm;
    out.acceleration_pose.row(i) =
        pair::offset_acceleration_pose(p, s.x) + along(W1) + slip_convective_pose(w, r, s, p);
    out.acceleration_twist.row(i) =
        pair::offset_acceleration_twist(p, s.x) + Wdm + pair::make_row(zero, -m1, zero, m1);
  }
}

ElementType<Joint> rolling_joint_type() {
  ElementType<Joint> type;
  type.info = {"rolling",
               io::Group::joint,
               "A wheel (centre and axle: origin and y of B) rolls without slip on the x-y plane of A.",
               {fields::number("radius_m", "Radius of the wheel.", "", "0.31", io::Rule::positive)},
               io::Attachment::frames};
  type.make = [](const io::ParameterSet& p) { return std::make_unique<RollingJoint>(p.number("radius_m")); };
  return type;
}

}  // namespace monocoque

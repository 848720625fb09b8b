#include "elements/joints/point_on_curve.h"

#include <algorithm>

#include <fmt/format.h>

#include "elements/field_makers.h"
#include "elements/joints/pair_rows.h"

namespace monocoque {
namespace {

using pair::PairState;

Vec3 local_point(const MarkerKinematics& A, const MarkerKinematics& B) {
  return A.R.transpose() * (B.p - A.p);
}

/// The foot of y and all first derivatives; primes in comments are derivatives with respect to time.
struct Foot {
  Foot(const GuideCurve& curve, double s, const Vec3& y) : x(curve.at(s)), e(y - x.C[0]), ds(x.C[1]) {
    // The floor keeps the numbers finite at the centre of curvature, where there is no single foot.
    D = std::max(x.C[1].squaredNorm() - x.C[2].dot(e), 1e-6 * x.C[1].squaredNorm());
    ds /= D;
  }
  GuideCurve::Sample x;
  Vec3 e;
  double D;
  Vec3 ds;  ///< ds/dy

  const Vec3* r(int i) const { return i == 0 ? x.r1 : x.r2; }
  double k(const Vec3* r) const { return r[1].dot(e) - r[0].dot(x.C[1]); }  ///< dg/ds
  Vec3 gradient(const Vec3* r) const { return r[0] + k(r) * ds; }
  double Ds() const { return 2 * x.C[1].dot(x.C[2]) - x.C[3].dot(e); }  ///< dD/ds
  double ks(const Vec3* r) const {
    return r[2].dot(e) - r[1].dot(x.C[1]) - r[0].dot(x.C[2]);
  }  ///< dk/ds less e
};

/// Motion along the curve for given y', y''.
struct FootMotion {
  FootMotion(const Foot& f, const Vec3& y1, const Vec3& y2)
      : s1(f.ds.dot(y1)),
        e1(y1 - f.x.C[1] * s1),
        D1(f.Ds() * s1 - f.x.C[2].dot(e1)),
        s2((f.x.C[2].dot(y1) * s1 + f.x.C[1].dot(y2) - D1 * s1) / f.D) {}
  double s1;
  Vec3 e1;
  double D1, s2;

  double k1(const Foot& f, const Vec3* r) const { return f.ks(r) * s1 + r[1].dot(e1); }
  double g2(const Foot& f, const Vec3* r, const Vec3& y1, const Vec3& y2) const {
    return r[0].dot(y2) + r[1].dot(y1) * s1 + k1(f, r) * s1 + f.k(r) * s2;
  }
};

/// Change of the foot when y moves by a unit vector, twists fixed.
struct FootChange {
  FootChange(const Foot& f, const FootMotion& q, const Vec3& y1, const Vec3& y2, int direction) {
    const Vec3* C = f.x.C;
    ds = f.ds[direction];
    de = Vec3::Unit(direction) - C[1] * ds;
    const double dD = f.Ds() * ds - C[2].dot(de);
    ds1 = (C[2].dot(y1) * ds - q.s1 * dD) / f.D;
    de1 = -C[2] * (ds * q.s1) - C[1] * ds1;
    const double dD1 = (2 * (C[2].squaredNorm() + C[1].dot(C[3])) * ds - C[3].dot(de)) * q.s1 + f.Ds() * ds1 -
                       C[3].dot(q.e1) * ds - C[2].dot(de1);
    ds2 = (C[3].dot(y1) * ds * q.s1 + C[2].dot(y1) * ds1 + C[2].dot(y2) * ds - dD1 * q.s1 - q.D1 * ds1 -
           q.s2 * dD) /
          f.D;
  }
  double ds, ds1, ds2;
  Vec3 de, de1;

  double dk(const Foot& f, const Vec3* r) const { return f.ks(r) * ds + r[1].dot(de); }
  double dg1(const Foot& f, const FootMotion& q, const Vec3* r, const Vec3& y1) const {
    return r[1].dot(y1) * ds + dk(f, r) * q.s1 + f.k(r) * ds1;
  }
  double dg2(const Foot& f, const FootMotion& q, const Vec3* r, const Vec3& y1, const Vec3& y2) const {
    const Vec3* C = f.x.C;
    const double dks =
        (r[3].dot(f.e) - 2 * r[1].dot(C[2]) - r[2].dot(C[1]) - r[0].dot(C[3])) * ds + r[2].dot(de);
    const double dk1 = dks * q.s1 + f.ks(r) * ds1 + r[2].dot(q.e1) * ds + r[1].dot(de1);
    return r[1].dot(y2) * ds + r[2].dot(y1) * ds * q.s1 + r[1].dot(y1) * ds1 + dk1 * q.s1 + q.k1(f, r) * ds1 +
           dk(f, r) * q.s2 + f.k(r) * ds2;
  }
};

}  // namespace

double PointOnCurve::parameter(const JointInput& in) const {
  const Vec3 y = local_point(*in.m[0], *in.m[1]);
  return in.memory ? curve_.foot(y, in.memory[0]) : curve_.nearest(y);
}

void PointOnCurve::start_memory(const JointInput& in, double* memory) const {
  memory[0] = curve_.wrapped(curve_.nearest(local_point(*in.m[0], *in.m[1])));
}

void PointOnCurve::update_memory(const JointInput& in, double* memory) const {
  memory[0] = curve_.wrapped(curve_.foot(local_point(*in.m[0], *in.m[1]), memory[0]));
}

void PointOnCurve::residual(const JointInput& in, RowVector& g) const {
  const Foot f(curve_, parameter(in), local_point(*in.m[0], *in.m[1]));
  g.resize(2);
  for (int i = 0; i < 2; ++i) g[i] = f.r(i)[0].dot(f.e);
}

void PointOnCurve::velocity_matrix(const JointInput& in, RowsByTwist& W) const {
  const MarkerKinematics &A = *in.m[0], &B = *in.m[1];
  const Foot f(curve_, parameter(in), local_point(A, B));
  const PairState p(A, B);
  W.resize(2, 12);
  for (int i = 0; i < 2; ++i) W.row(i) = pair::offset_row(p, A.R * f.gradient(f.r(i)));
}

void PointOnCurve::convective(const JointInput& in, RowVector& gamma) const {
  const MarkerKinematics &A = *in.m[0], &B = *in.m[1];
  const Foot f(curve_, parameter(in), local_point(A, B));
  PairState p(A, B);
  p.da.setZero();
  p.alphaA.setZero();
  const Vec3 y1 = A.R.transpose() * (p.dv - p.wA.cross(p.d)),
             y2 = A.R.transpose() * pair::relative_acceleration(p);
  const FootMotion q(f, y1, y2);
  gamma.resize(2);
  for (int i = 0; i < 2; ++i) gamma[i] = q.g2(f, f.r(i), y1, y2);
}

void PointOnCurve::tangent(const JointInput& in, const RowVector& lambda, JointTangent& out) const {
  const MarkerKinematics &A = *in.m[0], &B = *in.m[1];
  const Foot f(curve_, parameter(in), local_point(A, B));
  const PairState p(A, B);
  const Vec3 y1 = A.R.transpose() * (p.dv - p.wA.cross(p.d)),
             y2 = A.R.transpose() * pair::relative_acceleration(p);
  const FootMotion q(f, y1, y2);
  const Vec3 zero = Vec3::Zero();
  out.force_pose.setZero(12, 12);
  out.velocity_pose.resize(2, 12);
  out.acceleration_pose.resize(2, 12);
  out.acceleration_twist.resize(2, 12);
  for (int i = 0; i < 2; ++i) {
    const Vec3* r = f.r(i);
    // g depends on the pose through y only: derivatives over y, then y as three offsets, linear in their
    // vector.
    Vec3 g1y, g2y;
    Mat3 hessian;
    for (int k = 0; k < 3; ++k) {
      const FootChange change(f, q, y1, y2, k);
      g1y[k] = change.dg1(f, q, r, y1);
      g2y[k] = change.dg2(f, q, r, y1, y2);
      for (int l = 0; l < 3; ++l) {
        const Vec3 unit = Vec3::Unit(l);
        const FootMotion along(f, unit, zero);
        hessian(l, k) = FootChange(f, along, unit, zero, k).dg1(f, along, r, unit);
      }
    }
    const Vec3 a = A.R * f.gradient(r), a1 = A.R * g1y, a2 = A.R * g2y;
    const pair::Row12 w1 = pair::offset_row(p, a1);
    out.velocity_pose.row(i) = pair::offset_velocity_pose(p, a) + w1;
    out.acceleration_pose.row(i) = pair::offset_acceleration_pose(p, a) +
                                   2 * pair::offset_velocity_pose(p, a1) + pair::offset_row(p, a2);
    out.acceleration_twist.row(i) = pair::offset_acceleration_twist(p, a) + 2 * w1;
    pair::add_offset_force_pose(p, a, lambda[i], out.force_pose, 0);
    for (int l = 0; l < 3; ++l) {
      const pair::Row12 row = pair::offset_row(p, A.R.col(l));
      const Vec3 h = A.R * hessian.row(l).transpose();
      out.force_pose.block<12, 12>(0, 0) += lambda[i] * (row.transpose() * pair::offset_row(p, h));
    }
  }
}

ElementType<Joint> point_on_curve_joint_type() {
  using namespace fields;
  ElementType<Joint> type;
  type.info = {
      "point_on_curve",
      io::Group::joint,
      "The origin of B stays on a smooth curve fixed in A.",
      {make("points_m", FieldKind::list,
            "Points of the curve in axes of A, one after the other: x1, y1, z1, x2, y2, z2, ...", "",
            "[0.9, 0.1, 0.2, 0.4, 0.8, -0.1, -0.5, 0.7, 0.1, -0.9, -0.1, -0.2, -0.4, -0.7, 0.15, 0.5, -0.8, "
            "-0.1]"),
       make("closed", FieldKind::boolean, "The curve returns smoothly to its first point.", "false",
            "false")},
      io::Attachment::frames};
  type.make = [](const io::ParameterSet& p) {
    const std::vector<double>& x = p.list("points_m");
    if (x.size() % 3 != 0)
      throw Error("point_on_curve",
                  fmt::format("points_m has {} numbers, it must be a multiple of 3", x.size()));
    std::vector<Vec3> list;
    for (std::size_t i = 0; i < x.size(); i += 3) list.emplace_back(x[i], x[i + 1], x[i + 2]);
    return std::make_unique<PointOnCurve>(list, p.boolean("closed"));
  };
  return type;
}

}  // namespace monocoque

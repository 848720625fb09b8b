#include "fe/shell4.h"

#include <cmath>
#include <utility>

#include <Eigen/Geometry>

#include "core/decompositions.h"
#include "fe/shell_common.h"

namespace monocoque::fe {
namespace {

using Row = Eigen::Matrix<double, 1, 24>;
using Rows2 = Eigen::Matrix<double, 2, 24>;
using Rows3 = Eigen::Matrix<double, 3, 24>;
constexpr double kXi[4] = {-1, 1, 1, -1}, kEta[4] = {-1, -1, 1, 1};
const double kGauss = 1 / std::sqrt(3.0);

struct Quad {
  Vec3 x[4], V[4], arm[4];
  Vec3 e1, n;  ///< frame of the centre, which all local frames follow
  Fault fault;
};

/// Everything that depends on the point of the surface: shape functions and base vectors.
struct Point {
  double N[4], dN[2][4];
  Vec3 a[2], b[2], d;  ///< d x / d xi_alpha = a + zeta b; d = sum N V
};

Vec3 tangent(const Vec3* x, const double* dN) {
  return dN[0] * x[0] + dN[1] * x[1] + dN[2] * x[2] + dN[3] * x[3];
}

Point point_at(const Quad& q, double xi, double eta) {
  Point p;
  for (int i = 0; i < 4; ++i) {
    p.N[i] = 0.25 * (1 + xi * kXi[i]) * (1 + eta * kEta[i]);
    p.dN[0][i] = 0.25 * kXi[i] * (1 + eta * kEta[i]);
    p.dN[1][i] = 0.25 * kEta[i] * (1 + xi * kXi[i]);
  }
  for (int k = 0; k < 2; ++k) {
    p.a[k] = tangent(q.x, p.dN[k]);
    p.b[k] = tangent(q.V, p.dN[k]);
  }
  p.d = tangent(q.V, p.N);
  return p;
}

Quad quad_of(const ElementData& e) {
  Quad q;
  const Vec3 mean = (e.p[2] - e.p[0]).cross(e.p[3] - e.p[1]);  // twice the projected area
  const double scale = (e.p[2] - e.p[0]).norm() * (e.p[3] - e.p[1]).norm();
  if (!(mean.norm() > 1e-10 * scale)) {
    q.fault = {"area (m^2)", 0.5 * mean.norm(), "it must be > 0", "remove or repair the element"};
    return q;
  }
  const Vec3 n = mean.normalized();
  for (int i = 0; i < 4; ++i) {
    const Vec3 ahead = e.p[static_cast<std::size_t>((i + 1) % 4)] - e.p[static_cast<std::size_t>(i)];
    const Vec3 back = e.p[static_cast<std::size_t>((i + 3) % 4)] - e.p[static_cast<std::size_t>(i)];
    const Vec3 corner = ahead.cross(back);
    const double jacobian = corner.dot(n) / 4;
    if (!(jacobian > 1e-6 * mean.norm())) {
      q.fault = {
          "smallest Jacobian at a corner (m^2)", jacobian, "it must be > 0",
          "every inner angle must be below 180 degrees: reorder its nodes, or split it into triangles"};
      return q;
    }
    q.V[i] = corner.normalized();
    q.arm[i] = e.shell.offset_m * q.V[i];
    q.x[i] = e.p[static_cast<std::size_t>(i)] + q.arm[i];
  }
  const Point c = point_at(q, 0, 0);
  // Bisecting the two base vectors makes the frame independent of the first node up to quarter turns.
  const Vec3 g1 = c.a[0].normalized(), g2 = c.a[1].normalized();
  q.n = g1.cross(g2).normalized();
  q.e1 = (g1 + g2).cross(q.n) + (g1 + g2);
  q.e1.normalize();
  return q;
}

/// Covariant rows: e_ab at zeta = 0.
Row membrane_row(const Point& p, int a, int b) {
  Row r = Row::Zero();
  for (int i = 0; i < 4; ++i) {
    r.segment<3>(6 * i) = 0.5 * (p.dN[b][i] * p.a[a] + p.dN[a][i] * p.a[b]).transpose();
  }
  return r;
}

/// The factor of zeta.
Row bending_row(const Quad& q, const Point& p, int a, int b) {
  Row r;
  for (int i = 0; i < 4; ++i) {
    r.segment<3>(6 * i) = 0.5 * (p.dN[b][i] * p.b[a] + p.dN[a][i] * p.b[b]).transpose();
    r.segment<3>(6 * i + 3) = 0.5 * q.V[i].cross(p.dN[b][i] * p.a[a] + p.dN[a][i] * p.a[b]).transpose();
  }
  return r;
}

/// 2 e_a3.
Row shear_row(const Quad& q, const Point& p, int a) {
  Row r;
  for (int i = 0; i < 4; ++i) {
    r.segment<3>(6 * i) = p.dN[a][i] * p.d.transpose();
    r.segment<3>(6 * i + 3) = p.N[i] * q.V[i].cross(p.a[a]).transpose();
  }
  return r;
}

struct QuadSide {
  Vec3 t;
  Row bulge;  ///< amplitude of the quadratic rotation of the normal towards t
};

/// Strains sampled once per element, from which those at any point are interpolated.
struct Sampled {
  Row mean_r, lin_r, mean_s, lin_s, centre_rs, warp;
  Row shear_r[2], shear_s[2];  ///< at eta = -1, 1 and xi = -1, 1
  QuadSide side[4];            ///< eta = -1, xi = 1, eta = 1, xi = -1
};

/// Quadratic rotation along a side: the mean shear it leaves is what the moments along the side demand.
/// shear: 2 e_a3 in the middle of the side, in: by the corners alone, out: with the quadratic part.
QuadSide side_of(const Vec3& a, double parameter, Row& shear) {
  QuadSide side;
  const double half = a.norm(), phi = parameter / (4 * half * half);
  side.t = a / half;
  side.bulge = -1.5 / (half * (1 + phi)) * shear;
  shear *= phi / (1 + phi);
  return side;
}

Sampled sample(const Quad& q, double shear_parameter) {
  Sampled s;
  const Point top = point_at(q, 0, 1), bottom = point_at(q, 0, -1);
  const Point right = point_at(q, 1, 0), left = point_at(q, -1, 0), centre = point_at(q, 0, 0);
  const Row rr_top = membrane_row(top, 0, 0), rr_bottom = membrane_row(bottom, 0, 0);
  const Row ss_right = membrane_row(right, 1, 1), ss_left = membrane_row(left, 1, 1);
  s.mean_r = 0.5 * (rr_top + rr_bottom);
  s.lin_r = 0.5 * (rr_top - rr_bottom);
  s.mean_s = 0.5 * (ss_right + ss_left);
  s.lin_s = 0.5 * (ss_right - ss_left);
  s.centre_rs = membrane_row(centre, 0, 1);
  // x_d = c_r x_r + c_s x_s in the plane; its part along the normal is what would lock a warped element.
  const Vec3 x_d = 0.25 * (q.x[0] - q.x[1] + q.x[2] - q.x[3]);
  Eigen::Matrix2d G;
  G << centre.a[0].dot(centre.a[0]), centre.a[0].dot(centre.a[1]), centre.a[0].dot(centre.a[1]),
      centre.a[1].dot(centre.a[1]);
  const Eigen::Vector2d c = G.inverse() * Eigen::Vector2d(x_d.dot(centre.a[0]), x_d.dot(centre.a[1]));
  s.warp = (c[0] * s.lin_r + c[1] * s.lin_s - c[0] * c[0] * s.mean_r - c[1] * c[1] * s.mean_s -
            2 * c[0] * c[1] * s.centre_rs) /
           (1 - c.squaredNorm());
  s.shear_r[0] = shear_row(q, bottom, 0);
  s.shear_r[1] = shear_row(q, top, 0);
  s.shear_s[0] = shear_row(q, left, 1);
  s.shear_s[1] = shear_row(q, right, 1);
  s.side[0] = side_of(bottom.a[0], shear_parameter, s.shear_r[0]);
  s.side[1] = side_of(right.a[1], shear_parameter, s.shear_s[1]);
  s.side[2] = side_of(top.a[0], shear_parameter, s.shear_r[1]);
  s.side[3] = side_of(left.a[1], shear_parameter, s.shear_s[0]);
  return s;
}

/// Covariant (rr, ss, 2 rs) to the local frame; c(alpha, i) = a^alpha . e_i.
Mat3 covariant_to_local(const Eigen::Matrix2d& c) {
  Mat3 T;
  T << c(0, 0) * c(0, 0), c(1, 0) * c(1, 0), c(0, 0) * c(1, 0),  //
      c(0, 1) * c(0, 1), c(1, 1) * c(1, 1), c(0, 1) * c(1, 1),   //
      2 * c(0, 0) * c(0, 1), 2 * c(1, 0) * c(1, 1), c(0, 0) * c(1, 1) + c(1, 0) * c(0, 1);
  return T;
}

struct LocalBase {
  Frame frame;
  Eigen::Matrix2d c;
  double j;
};

LocalBase local_base(const Quad& q, const Point& p) {
  LocalBase out;
  const Vec3 normal = p.a[0].cross(p.a[1]);
  out.j = normal.norm();
  const Vec3 n = normal / out.j;
  // The least rotation from the centre's normal: does not depend on the choice of e1.
  const Vec3 e1 = q.e1 - q.e1.dot(n) / (1 + q.n.dot(n)) * (q.n + n);
  out.frame << e1, n.cross(e1), n;
  Eigen::Matrix2d A;  // a_alpha . e_i
  A << p.a[0].dot(e1), p.a[0].dot(out.frame.col(1)), p.a[1].dot(e1), p.a[1].dot(out.frame.col(1));
  out.c = A.inverse().transpose();
  return out;
}

/// Strain rows in the local frame at one point.
struct Strains {
  LocalBase base;
  Rows3 membrane, bending;
  Rows2 shear;
  Row drilling;  ///< omega_n - theta_n
  Eigen::Matrix<double, 3, 4> enhanced;
};

/// Gradient of the function that is 1 in the middle of side k and 0 on the others.
std::pair<double, double> bulge_gradient(int k, double xi, double eta) {
  const double sign = k == 1 || k == 2 ? 1 : -1;
  if (k % 2 == 0) return {-xi * (1 + sign * eta), 0.5 * sign * (1 - xi * xi)};
  return {0.5 * sign * (1 - eta * eta), -eta * (1 + sign * xi)};
}

Strains strains_at(const Quad& q, const Sampled& s, const LocalBase& centre, double xi, double eta) {
  Strains out;
  const Point p = point_at(q, xi, eta);
  out.base = local_base(q, p);
  const Eigen::Matrix2d& c = out.base.c;
  const Mat3 T = covariant_to_local(c);
  Rows3 m, b;
  m.row(0) = s.mean_r + eta * s.lin_r + (eta * eta - 1) * s.warp;
  m.row(1) = s.mean_s + xi * s.lin_s + (xi * xi - 1) * s.warp;
  m.row(2) = 2 * s.centre_rs + xi * s.lin_r + eta * s.lin_s + 2 * xi * eta * s.warp;
  out.membrane.noalias() = T * m;
  b.row(0) = bending_row(q, p, 0, 0);
  b.row(1) = bending_row(q, p, 1, 1);
  b.row(2) = 2 * bending_row(q, p, 0, 1);
  for (int k = 0; k < 4; ++k) {
    const auto [d_xi, d_eta] = bulge_gradient(k, xi, eta);
    const double r = p.a[0].dot(s.side[k].t), t = p.a[1].dot(s.side[k].t);
    b += Vec3(d_xi * r, d_eta * t, d_eta * r + d_xi * t) * s.side[k].bulge;
  }
  out.bending.noalias() = T * b;
  Rows2 g;
  g.row(0) = 0.5 * (1 - eta) * s.shear_r[0] + 0.5 * (1 + eta) * s.shear_r[1];
  g.row(1) = 0.5 * (1 - xi) * s.shear_s[0] + 0.5 * (1 + xi) * s.shear_s[1];
  const Vec3 n = out.base.frame.col(2);
  out.shear.noalias() = (c.transpose() / p.d.dot(n)) * g;
  const Vec3 e1 = out.base.frame.col(0), e2 = out.base.frame.col(1);
  for (int i = 0; i < 4; ++i) {
    const double d1 = p.dN[0][i] * c(0, 0) + p.dN[1][i] * c(1, 0);
    const double d2 = p.dN[0][i] * c(0, 1) + p.dN[1][i] * c(1, 1);
    out.drilling.segment<3>(6 * i) = 0.5 * (d1 * e2 - d2 * e1).transpose();
    out.drilling.segment<3>(6 * i + 3) = -p.N[i] * n.transpose();
  }
  // Enhanced covariant strains, carried to the local frame with the base of the centre (patch test).
  Eigen::Matrix<double, 3, 4> modes;
  modes << xi, 0, 0, 0, 0, eta, 0, 0, 0, 0, xi, eta;
  out.enhanced = centre.j / out.base.j * covariant_to_local(centre.c) * modes;
  return out;
}

struct Enhancement {
  Eigen::Matrix4d K = Eigen::Matrix4d::Zero();
  Eigen::Matrix<double, 4, 24> coupling = Eigen::Matrix<double, 4, 24>::Zero();
  /// alpha = -K^-1 coupling d
  Eigen::Matrix<double, 4, 24> alpha() const { return -(K.inverse() * coupling); }
};

void add_enhancement(const Strains& s, const Mat3& D, double w, Enhancement& h) {
  const Eigen::Matrix<double, 4, 3> GD = w * s.enhanced.transpose() * D;
  h.K.noalias() += GD * s.enhanced;
  h.coupling.noalias() += GD * s.membrane;
}

}  // namespace

Fault shell4_matrices(const ElementData& e, MassKind mass, ElementMatrices& out) {
  const Quad q = quad_of(e);
  if (q.fault) return q.fault;
  const Sampled s = sample(q, shear_parameter(e));
  const LocalBase centre = local_base(q, point_at(q, 0, 0));
  const double t = e.shell.thickness_m, G = shear_modulus(e.material);
  const Mat3 D = plane_stress(e.material);
  const double bending = e.shell.bending_ratio * t * t * t / 12, shear = e.shell.shear_ratio * G * t;
  Eigen::Matrix<double, 24, 24> K = Eigen::Matrix<double, 24, 24>::Zero();
  Enhancement h;
  Eigen::Matrix4d NN = Eigen::Matrix4d::Zero();
  // All nine strain rows, scaled by the roots of their weights, in one product.
  for (int k = 0; k < 4; ++k) {
    const Strains at = strains_at(q, s, centre, kXi[k] * kGauss, kEta[k] * kGauss);
    const double j = at.base.j;
    Eigen::Matrix<double, 9, 24> B, DB;
    B << at.membrane, at.bending, at.shear, at.drilling;
    DB << (t * j * D) * at.membrane, (bending * j * D) * at.bending, (shear * j) * at.shear,
        (e.drilling * G * t * j) * at.drilling;
    K.noalias() += B.transpose() * DB;
    add_enhancement(at, D, t * j, h);
    const Point p = point_at(q, kXi[k] * kGauss, kEta[k] * kGauss);
    const Eigen::Map<const Vec4> N(p.N);
    NN += j * N * N.transpose();
  }
  K.noalias() += h.coupling.transpose() * h.alpha();
  out.K = 0.5 * (K + K.transpose());
  shell_mass(e, mass, 4, NN, q.V, out.M);
  if (e.shell.offset_m != 0) {
    shell_offset(4, q.arm, out.K);
    shell_offset(4, q.arm, out.M);
  }
  return {};
}

Fault shell4_stress(const ElementData& e, StressMatrix& out) {
  const Quad q = quad_of(e);
  if (q.fault) return q.fault;
  const Sampled s = sample(q, shear_parameter(e));
  const LocalBase centre = local_base(q, point_at(q, 0, 0));
  const double t = e.shell.thickness_m;
  const Mat3 D = plane_stress(e.material);
  Strains at[4];
  Enhancement h;
  for (int k = 0; k < 4; ++k) {
    at[k] = strains_at(q, s, centre, kXi[k] * kGauss, kEta[k] * kGauss);
    add_enhancement(at[k], D, t * at[k].base.j, h);
  }
  const Eigen::Matrix<double, 4, 24> alpha = h.alpha();
  Eigen::Matrix<double, 6, 24> gauss[2][4];
  for (int k = 0; k < 4; ++k) {
    const Eigen::Matrix<double, 6, 3> to_basic = surface_stress_to_basic(at[k].base.frame) * D;
    const Rows3 membrane = at[k].membrane + at[k].enhanced * alpha;
    gauss[0][k] = to_basic * (membrane + 0.5 * t * at[k].bending);
    gauss[1][k] = to_basic * (membrane - 0.5 * t * at[k].bending);
  }
  // From the Gauss points to the corners by the bilinear function through the four values.
  out.setZero(48, 24);
  const double g = 1 / kGauss;
  for (int side = 0; side < 2; ++side) {
    for (int i = 0; i < 4; ++i) {
      for (int k = 0; k < 4; ++k) {
        const double N = 0.25 * (1 + g * kXi[i] * kXi[k]) * (1 + g * kEta[i] * kEta[k]);
        out.block<6, 24>(24 * side + 6 * i, 0) += N * gauss[side][k];
      }
    }
  }
  if (e.shell.offset_m != 0) shell_offset_columns(4, q.arm, out);
  return {};
}

}  // namespace monocoque::fe

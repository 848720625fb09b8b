#include "fe/shell3.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include "core/decompositions.h"
#include "fe/shell_common.h"

namespace monocoque::fe {
namespace {

using Vec2 = Eigen::Vector2d;
using Row9 = Eigen::Matrix<double, 1, 9>;
using Rows2x9 = Eigen::Matrix<double, 2, 9>;
using Rows3x9 = Eigen::Matrix<double, 3, 9>;
using Mat9 = Eigen::Matrix<double, 9, 9>;

struct Triangle {
  Frame frame;
  Vec2 x[3];
  double area = 0;
  Vec3 arm;
  Vec2 gradient[3];  ///< of the area coordinates
  Fault fault;
};

Triangle triangle_of(const ElementData& e) {
  Triangle g;
  const Vec3 a = e.p[1] - e.p[0], b = e.p[2] - e.p[0];
  const Vec3 n = a.cross(b);
  g.area = 0.5 * n.norm();
  const double longest = std::max({a.squaredNorm(), b.squaredNorm(), (a - b).squaredNorm()});
  if (!(g.area > 1e-8 * longest)) {
    g.fault = {"area (m^2)", g.area, "it must be > 0", "remove or repair the element"};
    return g;
  }
  g.frame.col(0) = a.normalized();
  g.frame.col(2) = n.normalized();
  g.frame.col(1) = g.frame.col(2).cross(g.frame.col(0));
  for (int i = 0; i < 3; ++i) {
    g.x[i] = (g.frame.leftCols<2>().transpose() * (e.p[static_cast<std::size_t>(i)] - e.p[0]));
  }
  for (int i = 0; i < 3; ++i) {
    const Vec2 side = g.x[(i + 2) % 3] - g.x[(i + 1) % 3];
    g.gradient[i] = Vec2(-side.y(), side.x()) / (2 * g.area);
  }
  g.arm = e.shell.offset_m * g.frame.col(2);
  return g;
}

/// Forces of a constant stress on the nine membrane freedoms (u, v, theta_n per node), per unit thickness.
Eigen::Matrix<double, 9, 3> lumping(const Triangle& g) {
  constexpr double alpha = 1.5;
  Eigen::Matrix<double, 9, 3> L;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const auto x = [&](int p, int q) { return g.x[p].x() - g.x[q].x(); };
    const auto y = [&](int p, int q) { return g.x[p].y() - g.x[q].y(); };
    L.row(3 * i) << y(j, k), 0, x(k, j);
    L.row(3 * i + 1) << 0, x(k, j), y(j, k);
    L.row(3 * i + 2) << alpha / 6 * y(j, k) * (y(i, k) - y(j, i)), alpha / 6 * x(k, j) * (x(k, i) - x(i, j)),
        alpha / 3 * (x(k, i) * y(i, k) - x(i, j) * y(j, i));
  }
  return 0.5 * L;
}

/// Deviations of the corner rotations from the mean rotation of the triangle.
Rows3x9 rotation_deviation(const Triangle& g) {
  Rows3x9 T = Rows3x9::Zero();
  for (int row = 0; row < 3; ++row) {
    for (int i = 0; i < 3; ++i) {
      const Vec2 side = g.x[(i + 2) % 3] - g.x[(i + 1) % 3];  // x_kj, y_kj
      T(row, 3 * i) = side.x() / (4 * g.area);
      T(row, 3 * i + 1) = side.y() / (4 * g.area);
    }
    T(row, 3 * row + 2) = 1;
  }
  return T;
}

/// Natural strains (along sides 21, 32, 13) to (11, 22, 12).
Mat3 natural_to_local(const Triangle& g) {
  Mat3 inverse;  // rows: strain along a side from the local strain
  for (int k = 0; k < 3; ++k) {
    const Vec2 t = (g.x[(k + 1) % 3] - g.x[k]).normalized();
    inverse.row(k) << t.x() * t.x(), t.y() * t.y(), t.x() * t.y();
  }
  return inverse.inverse();
}

/// Natural strains at the corners from the three deviations.
void corner_maps(const Triangle& g, Mat3 (&Q)[3]) {
  // beta_1..beta_9 of OPT
  constexpr double b[9] = {1, 2, 1, 0, 1, -1, -1, -1, -2};
  // Which beta stands where: the second and third corner follow from the first by turning the numbers.
  constexpr int place[3][3][3] = {{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}},
                                  {{8, 6, 7}, {2, 0, 1}, {5, 3, 4}},
                                  {{4, 5, 3}, {7, 8, 6}, {1, 2, 0}}};
  for (int c = 0; c < 3; ++c) {
    for (int side = 0; side < 3; ++side) {
      const double l2 = (g.x[(side + 1) % 3] - g.x[side]).squaredNorm();
      for (int k = 0; k < 3; ++k) Q[c](side, k) = 2 * g.area / (3 * l2) * b[place[c][side][k]];
    }
  }
}

/// beta_0 that makes in-plane bending of flat sheets exact.
double higher_optimum(double nu) {
  return std::max(0.5 * (1 - 4 * nu * nu), 0.01);
}

// All of it would lock thin curved shells: bending turns their nodes a little about the normals of the
// facets.
constexpr double kHigherShare = 0.1;

Mat9 membrane_stiffness(const Triangle& g, const Mat3& D, double t, double nu) {
  const Eigen::Matrix<double, 9, 3> L = lumping(g);
  const Mat3 N = natural_to_local(g);
  const Mat3 D_natural = N.transpose() * D * N;
  Mat3 Q[3];
  corner_maps(g, Q);
  Mat3 K_theta = Mat3::Zero();
  for (int k = 0; k < 3; ++k) {
    const Mat3 middle = 0.5 * (Q[k] + Q[(k + 1) % 3]);
    K_theta += g.area * t * middle.transpose() * D_natural * middle;
  }
  const Rows3x9 T = rotation_deviation(g);
  return (t / g.area) * L * D * L.transpose() +
         0.75 * kHigherShare * higher_optimum(nu) * T.transpose() * K_theta * T;
}

/// Bending freedoms (w, theta_1, theta_2) per node. beta = (theta_2, -theta_1) turns the normal.
struct TriangleSide {
  Vec2 t;
  double length, phi;
  Row9 bulge;  ///< Delta beta_s: quadratic part of the rotation along the side
};

TriangleSide side_of(const Triangle& g, int k, double shear_parameter) {
  const int i = k, j = (k + 1) % 3;
  TriangleSide s;
  const Vec2 d = g.x[j] - g.x[i];
  s.length = d.norm();
  s.t = d / s.length;
  s.phi = shear_parameter / (s.length * s.length);
  s.bulge.setZero();
  const double f = -1.5 / (s.length * (1 + s.phi));
  s.bulge[3 * j] = f;
  s.bulge[3 * i] = -f;
  for (const int n : {i, j}) {
    // beta_s = theta_2 t_1 - theta_1 t_2
    s.bulge[3 * n + 1] = -f * s.length / 2 * s.t.y();
    s.bulge[3 * n + 2] = f * s.length / 2 * s.t.x();
  }
  return s;
}

/// Curvatures (11, 22, 2 12) of the rotation field at area coordinates l.
Rows3x9 curvature(const Triangle& g, const TriangleSide (&sides)[3], const Vec3& l) {
  Rows3x9 B = Rows3x9::Zero();
  for (int i = 0; i < 3; ++i) {
    const Vec2 d = g.gradient[i];
    B(0, 3 * i + 2) = d.x();
    B(1, 3 * i + 1) = -d.y();
    B(2, 3 * i + 1) = -d.x();
    B(2, 3 * i + 2) = d.y();
  }
  for (int k = 0; k < 3; ++k) {
    const int i = k, j = (k + 1) % 3;
    const Vec2 d = 4 * (l[i] * g.gradient[j] + l[j] * g.gradient[i]);
    const Vec2 t = sides[k].t;
    B += Vec3(d.x() * t.x(), d.y() * t.y(), d.y() * t.x() + d.x() * t.y()) * sides[k].bulge;
  }
  return B;
}

/// Shear strains at corner i from those along its two sides.
Rows2x9 corner_shear(const TriangleSide (&sides)[3], int i) {
  const TriangleSide& out = sides[i];
  const TriangleSide& in = sides[(i + 2) % 3];
  Eigen::Matrix2d t;
  t << out.t.transpose(), in.t.transpose();
  Rows2x9 along;
  along << -2.0 / 3 * out.phi * out.bulge, -2.0 / 3 * in.phi * in.bulge;
  return t.inverse() * along;
}

Mat9 bending_stiffness(const ElementData& e, const Triangle& g, const Mat3& D,
                       const TriangleSide (&sides)[3]) {
  const double t = e.shell.thickness_m;
  const double bending = e.shell.bending_ratio * t * t * t / 12;
  const double shear = e.shell.shear_ratio * shear_modulus(e.material) * t;
  const Rows2x9 corner[3] = {corner_shear(sides, 0), corner_shear(sides, 1), corner_shear(sides, 2)};
  Mat9 K = Mat9::Zero();
  // Middles of the sides: exact for the quadratic integrand.
  for (int k = 0; k < 3; ++k) {
    Vec3 l = Vec3::Constant(0.5);
    l[k] = 0;
    const Rows3x9 B = curvature(g, sides, l);
    K += (g.area / 3 * bending) * B.transpose() * D * B;
    const Rows2x9 S = l[0] * corner[0] + l[1] * corner[1] + l[2] * corner[2];
    K += (g.area / 3 * shear) * S.transpose() * S;
  }
  return K;
}

constexpr int kMembrane[3] = {0, 1, 5}, kBending[3] = {2, 3, 4};

/// Local membrane and bending columns to 18 columns in basic axes.
template <int kRows>
Eigen::Matrix<double, kRows, 18> to_basic(const Triangle& g, const Eigen::Matrix<double, kRows, 9>& S,
                                          const int (&where)[3]) {
  Eigen::Matrix<double, kRows, 18> out = Eigen::Matrix<double, kRows, 18>::Zero();
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      const int group = where[k] / 3, axis = where[k] % 3;
      out.template middleCols<3>(6 * i + 3 * group) += S.col(3 * i + k) * g.frame.col(axis).transpose();
    }
  }
  return out;
}

}  // namespace

Fault shell3_matrices(const ElementData& e, MassKind mass, ElementMatrices& out) {
  const Triangle g = triangle_of(e);
  if (g.fault) return g.fault;
  const Mat3 D = plane_stress(e.material);
  const double parameter = shear_parameter(e);
  const TriangleSide sides[3] = {side_of(g, 0, parameter), side_of(g, 1, parameter),
                                 side_of(g, 2, parameter)};
  const Mat9 Km = membrane_stiffness(g, D, e.shell.thickness_m, e.material.poisson);
  const Mat9 Kb = bending_stiffness(e, g, D, sides);
  const auto basic = [&](const Mat9& K, const int(&where)[3]) {
    const Eigen::Matrix<double, 9, 18> half = to_basic<9>(g, K, where);
    return to_basic<18>(g, half.transpose(), where);
  };
  const Eigen::Matrix<double, 18, 18> K = basic(Km, kMembrane) + basic(Kb, kBending);
  out.K = 0.5 * (K + K.transpose());
  Eigen::Matrix4d NN = Eigen::Matrix4d::Zero();
  NN.topLeftCorner<3, 3>().setConstant(g.area / 12);
  NN.diagonal().head<3>().setConstant(g.area / 6);
  const Vec3 n = g.frame.col(2);
  const Vec3 directors[3] = {n, n, n};
  shell_mass(e, mass, 3, NN, directors, out.M);
  if (e.shell.offset_m != 0) {
    const Vec3 arms[3] = {g.arm, g.arm, g.arm};
    shell_offset(3, arms, out.K);
    shell_offset(3, arms, out.M);
  }
  return {};
}

Fault shell3_stress(const ElementData& e, StressMatrix& out) {
  const Triangle g = triangle_of(e);
  if (g.fault) return g.fault;
  const Mat3 D = plane_stress(e.material);
  const double parameter = shear_parameter(e);
  const TriangleSide sides[3] = {side_of(g, 0, parameter), side_of(g, 1, parameter),
                                 side_of(g, 2, parameter)};
  const Rows3x9 constant = lumping(g).transpose() / g.area;
  const Mat3 N = natural_to_local(g);
  const double factor = 1.5 * std::sqrt(higher_optimum(e.material.poisson));
  const Rows3x9 deviation = rotation_deviation(g);
  Mat3 Q[3];
  corner_maps(g, Q);
  const Eigen::Matrix<double, 6, 3> stress = surface_stress_to_basic(g.frame) * D;
  out.setZero(36, 18);
  for (int i = 0; i < 3; ++i) {
    const Rows3x9 membrane = constant + factor * N * Q[i] * deviation;
    const Rows3x9 bend = 0.5 * e.shell.thickness_m * curvature(g, sides, Vec3::Unit(i));
    const Eigen::Matrix<double, 6, 18> m = stress * to_basic<3>(g, membrane, kMembrane);
    const Eigen::Matrix<double, 6, 18> b = stress * to_basic<3>(g, bend, kBending);
    out.block<6, 18>(6 * i, 0) = m + b;
    out.block<6, 18>(18 + 6 * i, 0) = m - b;
  }
  if (e.shell.offset_m != 0) {
    const Vec3 arms[3] = {g.arm, g.arm, g.arm};
    shell_offset_columns(3, arms, out);
  }
  return {};
}

}  // namespace monocoque::fe

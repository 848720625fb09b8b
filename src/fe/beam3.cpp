#include <cmath>

#include <Eigen/Geometry>

#include "core/decompositions.h"
#include "fe/beam.h"

namespace monocoque::fe {
namespace {

using Mat6x18 = Eigen::Matrix<double, 6, 18>;

struct Station {
  double N[3], dN[3];  ///< dN by arc length
  Mat3 axes;
  double stretch;  ///< ds / dxi
};

/// Ends at xi = -1, 1; the middle node is the last one.
Station station(const ElementData& e, double xi) {
  Station s;
  const double N[3] = {0.5 * xi * (xi - 1), 0.5 * xi * (xi + 1), 1 - xi * xi};
  const double d[3] = {xi - 0.5, xi + 0.5, -2 * xi};
  const Vec3 along = d[0] * e.p[0] + d[1] * e.p[1] + d[2] * e.p[2];
  s.stretch = along.norm();
  s.axes = beam_axes(along, e.placement.y_axis);
  for (int i = 0; i < 3; ++i) {
    s.N[i] = N[i];
    s.dN[i] = d[i] / s.stretch;
  }
  return s;
}

/// (eps, gamma_y, gamma_z, kappa_x, kappa_y, kappa_z): u' - theta x x', theta', in element axes.
Mat6x18 strain(const Station& s) {
  Mat6x18 B = Mat6x18::Zero();
  const Mat3 turn = s.axes * skew(s.axes.row(0).transpose());
  for (int i = 0; i < 3; ++i) {
    B.block<3, 3>(0, 6 * i) = s.dN[i] * s.axes;
    B.block<3, 3>(0, 6 * i + 3) = s.N[i] * turn;
    B.block<3, 3>(3, 6 * i + 3) = s.dN[i] * s.axes;
  }
  return B;
}

Mat6 section_stiffness(const ElementData& e) {
  const io::BeamSection& s = e.beam;
  const double E = e.material.young_Pa, G = shear_modulus(e.material);
  Mat6 D = Mat6::Zero();
  // A quadratic Timoshenko beam needs shear stiffness; without a factor the full area is taken.
  D.diagonal() << E * s.area_m2, G * s.area_m2 * (s.shear_y > 0 ? s.shear_y : 1),
      G * s.area_m2 * (s.shear_z > 0 ? s.shear_z : 1), G * s.torsion_m4, E * s.I_y_m4, E * s.I_z_m4;
  D(4, 5) = D(5, 4) = -E * s.I_yz_m4;
  return D;
}

Fault check(const ElementData& e) {
  const double length = (e.p[1] - e.p[0]).norm();
  for (const double xi : {-1.0, 0.0, 1.0}) {
    const double stretch = station(e, xi).stretch;
    if (!(stretch > 1e-3 * length) || !(length > 0)) {
      return {"ds/dxi (m)", stretch, "it must be > 0",
              "place the third node near the middle of the other two"};
    }
  }
  return {};
}

/// Nodes to the section's centre; the middle has the mean of the end offsets.
Eigen::Matrix<double, 18, 18> arms(const ElementData& e) {
  Eigen::Matrix<double, 18, 18> A = Eigen::Matrix<double, 18, 18>::Zero();
  const Vec3 a = e.placement.offset_a_m, b = e.placement.offset_b_m;
  A.block<6, 6>(0, 0) = rigid_arm(a);
  A.block<6, 6>(6, 6) = rigid_arm(b);
  A.block<6, 6>(12, 12) = rigid_arm(0.5 * (a + b));
  return A;
}

ElementData moved(ElementData e) {
  const Vec3 a = e.placement.offset_a_m, b = e.placement.offset_b_m;
  e.p[0] += a;
  e.p[1] += b;
  e.p[2] += 0.5 * (a + b);
  return e;
}

void add_mass(const ElementData& e, MassKind mass, Eigen::Matrix<double, 18, 18>& M) {
  const io::BeamSection& s = e.beam;
  const double rho = e.material.density_kg_per_m3, m = rho * s.area_m2 + s.mass_kg_per_m;
  constexpr double kPoint[3] = {-0.7745966692414834, 0, 0.7745966692414834};
  constexpr double kWeight[3] = {5.0 / 9, 8.0 / 9, 5.0 / 9};
  for (int k = 0; k < 3; ++k) {
    const Station at = station(e, kPoint[k]);
    Mat3 J;
    J << rho * (s.I_y_m4 + s.I_z_m4), 0, 0, 0, rho * s.I_y_m4, -rho * s.I_yz_m4, 0, -rho * s.I_yz_m4,
        rho * s.I_z_m4;
    const Mat3 inertia = at.axes.transpose() * J * at.axes;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        const double w = kWeight[k] * at.stretch * at.N[i] * at.N[j];
        const int column = mass == MassKind::lumped ? i : j;
        M.block<3, 3>(6 * i, 6 * column).diagonal().array() += w * m;
        M.block<3, 3>(6 * i + 3, 6 * column + 3) += w * inertia;
      }
    }
  }
}

}  // namespace

Fault beam3_matrices(const ElementData& data, MassKind mass, ElementMatrices& out) {
  const ElementData e = moved(data);
  if (const Fault fault = check(e)) return fault;
  const Mat6 D = section_stiffness(e);
  const double g = 1 / std::sqrt(3.0);
  Eigen::Matrix<double, 18, 18> K = Eigen::Matrix<double, 18, 18>::Zero(), M = K;
  for (const double xi : {-g, g}) {
    const Station s = station(e, xi);
    const Mat6x18 B = strain(s);
    K += s.stretch * B.transpose() * D * B;
  }
  add_mass(e, mass, M);
  const Eigen::Matrix<double, 18, 18> A = arms(data);
  const Eigen::Matrix<double, 18, 18> K_nodes = A.transpose() * K * A, M_nodes = A.transpose() * M * A;
  out.K = 0.5 * (K_nodes + K_nodes.transpose());
  out.M = 0.5 * (M_nodes + M_nodes.transpose());
  return {};
}

Fault beam3_stress(const ElementData& data, StressMatrix& out) {
  const ElementData e = moved(data);
  if (const Fault fault = check(e)) return fault;
  const double g = 1 / std::sqrt(3.0);
  const Mat6 D = section_stiffness(e);
  const Eigen::Matrix<double, 18, 18> A = arms(data);
  const Mat6x18 first = D * strain(station(e, -g)) * A, second = D * strain(station(e, g)) * A;
  constexpr double kNode[3] = {-1, 1, 0};
  out.resize(18, 18);
  for (int i = 0; i < 3; ++i) {
    const double w = 0.5 * (1 + kNode[i] / g);
    out.middleRows<6>(6 * i) = (1 - w) * first + w * second;
  }
  return {};
}

}  // namespace monocoque::fe

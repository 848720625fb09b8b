#include <cmath>

#include <Eigen/Geometry>

#include "core/decompositions.h"
#include "fe/beam.h"

namespace monocoque::fe {
namespace {

using Mat12 = Eigen::Matrix<double, 12, 12>;
using Mat6x12 = Eigen::Matrix<double, 6, 12>;

/// Strains and curvatures (eps, gamma_y, gamma_z, kappa) of a section from its forces and moments.
Mat6 section_flexibility(const ElementData& e) {
  const io::BeamSection& s = e.beam;
  const double E = e.material.young_Pa, G = shear_modulus(e.material);
  Mat6 C = Mat6::Zero();
  C(0, 0) = 1 / (E * s.area_m2);
  C(1, 1) = s.shear_y > 0 ? 1 / (G * s.area_m2 * s.shear_y) : 0;
  C(2, 2) = s.shear_z > 0 ? 1 / (G * s.area_m2 * s.shear_z) : 0;
  C(3, 3) = s.torsion_m4 > 0 ? 1 / (G * s.torsion_m4) : 1;  // without J: see end_stiffness
  Eigen::Matrix2d I;
  I << s.I_y_m4, -s.I_yz_m4, -s.I_yz_m4, s.I_z_m4;
  C.bottomRightCorner<2, 2>() = I.inverse() / E;
  return C;
}

/// Motion of a point at x for loads at the end l: int_0^x A(x - s) C H(l - s) ds.
Mat6 flexibility(const Mat6& C, double x, double l) {
  const double g = 1 / std::sqrt(3.0);
  Mat6 F = Mat6::Zero();
  for (const double xi : {-g, g}) {
    const double s = 0.5 * x * (1 + xi);
    // Loads at the end seen from s; strain at s carried on to x. Both are the same rigid arm.
    const Mat6 to_section = rigid_arm(Vec3((l - s), 0, 0)).transpose();
    F += 0.5 * x * rigid_arm(Vec3(x - s, 0, 0)) * C * to_section;
  }
  return F;
}

/// Loads at b for a deformation of b against a.
Mat6 end_stiffness(const ElementData& e, const Mat6& C, double length) {
  Mat6 K = flexibility(C, length, length).inverse();
  if (!(e.beam.torsion_m4 > 0)) K(3, 3) = 0;
  return K;
}

struct Line {
  Mat3 axes;  ///< rows x, y, z
  Vec3 a, b;
  double length = 0;
  Fault fault;
};

Line line_of(const ElementData& e) {
  Line line;
  line.a = e.p[0] + e.placement.offset_a_m;
  line.b = e.p[1] + e.placement.offset_b_m;
  line.length = (line.b - line.a).norm();
  const double scale = e.p[0].norm() + e.p[1].norm();
  if (!(line.length > 1e-12 * scale)) {
    line.fault = {"length (m)", line.length, "it must be > 0", "remove the element or move a node"};
    return line;
  }
  line.axes = beam_axes(line.b - line.a, e.placement.y_axis);
  return line;
}

/// Element axes at the section's centres from basic axes at the nodes.
Mat12 to_element(const ElementData& e, const Line& line) {
  Mat12 T = Mat12::Zero();
  Mat6 R = Mat6::Zero();
  R.topLeftCorner<3, 3>() = line.axes;
  R.bottomRightCorner<3, 3>() = line.axes;
  T.topLeftCorner<6, 6>() = R * rigid_arm(e.placement.offset_a_m);
  T.bottomRightCorner<6, 6>() = R * rigid_arm(e.placement.offset_b_m);
  return T;
}

/// Deformation of the end b beyond the rigid motion of a.
Mat6x12 deformation(double length) {
  Mat6x12 D;
  D << -rigid_arm(Vec3(length, 0, 0)), Mat6::Identity();
  return D;
}

/// Motion that the released components take by themselves: d = P d; their own columns vanish.
Mat12 release(const Mat12& K, std::uint8_t at_a, std::uint8_t at_b) {
  Mat12 P = Mat12::Identity();
  int count = 0, free[12];
  for (int k = 0; k < 12; ++k) {
    if ((k < 6 ? at_a >> k : at_b >> (k - 6)) & 1) free[count++] = k;
  }
  if (count == 0) return P;
  MatX Krr(count, count), Krk(count, 12);
  for (int i = 0; i < count; ++i) {
    Krk.row(i) = K.row(free[i]);
    for (int j = 0; j < count; ++j) Krr(i, j) = K(free[i], free[j]);
  }
  for (int i = 0; i < count; ++i) Krk.col(free[i]).setZero();
  // Scaled by the diagonal; a pseudo-inverse, as releases at both ends may leave the beam free to turn.
  const VecX scale = Krr.diagonal().cwiseSqrt().cwiseMax(1e-300).cwiseInverse();
  const Eigen::SelfAdjointEigenSolver<MatX> eigen(scale.asDiagonal() * Krr * scale.asDiagonal());
  VecX inverse = eigen.eigenvalues();
  for (double& v : inverse) v = v > 1e-10 ? 1 / v : 0;
  const MatX follow = scale.asDiagonal() * eigen.eigenvectors() * inverse.asDiagonal() *
                      eigen.eigenvectors().transpose() * scale.asDiagonal() * Krk;
  for (int i = 0; i < count; ++i) P.row(free[i]) = -follow.row(i);
  return P;
}

Mat12 mass_matrix(const ElementData& e, const Line& line, const Mat6& C, MassKind kind) {
  const io::BeamSection& s = e.beam;
  const double rho = e.material.density_kg_per_m3, m = rho * s.area_m2 + s.mass_kg_per_m, l = line.length;
  Mat6 section = Mat6::Zero();
  section.diagonal() << m, m, m, rho * (s.I_y_m4 + s.I_z_m4), rho * s.I_y_m4, rho * s.I_z_m4;
  section(4, 5) = section(5, 4) = -rho * s.I_yz_m4;
  Mat12 M = Mat12::Zero();
  if (kind == MassKind::lumped) {
    M.topLeftCorner<6, 6>() = M.bottomRightCorner<6, 6>() = 0.5 * l * section;
    return M;
  }
  // Four Gauss points integrate the square of the cubic.
  constexpr double kPoint[2] = {0.8611363115940526, 0.3399810435848563};
  constexpr double kWeight[2] = {0.3478548451374538, 0.6521451548625461};
  const Mat6x12 force = flexibility(C, l, l).inverse() * deformation(l);
  for (int k = 0; k < 4; ++k) {
    const double x = 0.5 * l * (1 + (k % 2 == 0 ? 1 : -1) * kPoint[k / 2]);
    Mat6x12 N = flexibility(C, x, l) * force;
    N.leftCols<6>() += rigid_arm(Vec3(x, 0, 0));
    M += 0.5 * l * kWeight[k / 2] * N.transpose() * section * N;
  }
  return M;
}

}  // namespace

Mat3 beam_axes(const Vec3& along, const Vec3& y_axis) {
  const Vec3 x = along.normalized();
  Vec3 y = y_axis - y_axis.dot(x) * x;
  if (!(y.norm() > 1e-9 * y_axis.norm()) || y_axis.isZero(0)) {
    // Round section: the basic axis most across will do.
    int least = 0;
    x.cwiseAbs().minCoeff(&least);
    y = Vec3::Unit(least) - x[least] * x;
  }
  y.normalize();
  Mat3 axes;
  axes << x.transpose(), y.transpose(), x.cross(y).transpose();
  return axes;
}

Fault beam2_matrices(const ElementData& e, MassKind mass, ElementMatrices& out) {
  const Line line = line_of(e);
  if (line.fault) return line.fault;
  const Mat6 C = section_flexibility(e);
  const Mat6x12 D = deformation(line.length);
  const Mat12 K = D.transpose() * end_stiffness(e, C, line.length) * D;
  const Mat12 T = release(K, e.placement.release_a, e.placement.release_b) * to_element(e, line);
  const Mat12 K_basic = T.transpose() * K * T;
  const Mat12 M_basic = T.transpose() * mass_matrix(e, line, C, mass) * T;
  out.K = 0.5 * (K_basic + K_basic.transpose());
  out.M = 0.5 * (M_basic + M_basic.transpose());
  return {};
}

Fault beam2_stress(const ElementData& e, StressMatrix& out) {
  const Line line = line_of(e);
  if (line.fault) return line.fault;
  const Mat6x12 D = deformation(line.length);
  const Mat6 K = end_stiffness(e, section_flexibility(e), line.length);
  const Mat12 T =
      release(D.transpose() * K * D, e.placement.release_a, e.placement.release_b) * to_element(e, line);
  const Mat6x12 at_b = K * D * T;
  out.resize(12, 12);
  out << rigid_arm(Vec3(line.length, 0, 0)).transpose() * at_b, at_b;
  return {};
}

Fault rod2_matrices(const ElementData& e, MassKind mass, ElementMatrices& out) {
  const Line line = line_of(e);
  if (line.fault) return line.fault;
  const io::BeamSection& s = e.beam;
  const double rho = e.material.density_kg_per_m3, l = line.length;
  const double axial = e.material.young_Pa * s.area_m2 / l,
               torsion = shear_modulus(e.material) * s.torsion_m4 / l;
  const double m = (rho * s.area_m2 + s.mass_kg_per_m) * l, polar = rho * (s.I_y_m4 + s.I_z_m4) * l;
  Mat12 K = Mat12::Zero(), M = Mat12::Zero();
  const double own = mass == MassKind::lumped ? 0.5 : 1.0 / 3, other = mass == MassKind::lumped ? 0 : 1.0 / 6;
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      const double sign = i == j ? 1 : -1, share = i == j ? own : other;
      K(6 * i, 6 * j) = sign * axial;
      K(6 * i + 3, 6 * j + 3) = sign * torsion;
      M.block<3, 3>(6 * i, 6 * j).diagonal().setConstant(share * m);
      M(6 * i + 3, 6 * j + 3) = share * polar;
    }
  }
  const Mat12 T = to_element(e, line);
  out.K = T.transpose() * K * T;
  out.M = T.transpose() * M * T;
  return {};
}

Fault rod2_stress(const ElementData& e, StressMatrix& out) {
  const Line line = line_of(e);
  if (line.fault) return line.fault;
  Mat12 S = Mat12::Zero();
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      const double sign = j == 0 ? -1 : 1;
      S(6 * i, 6 * j) = sign * e.material.young_Pa * e.beam.area_m2 / line.length;
      S(6 * i + 3, 6 * j + 3) = sign * shear_modulus(e.material) * e.beam.torsion_m4 / line.length;
    }
  }
  out = S * to_element(e, line);
  return {};
}

}  // namespace monocoque::fe

#include "fe/shell_common.h"

namespace monocoque::fe {

Mat3 plane_stress(const io::FeMaterial& material) {
  const double nu = material.poisson;
  const double c = material.young_Pa / (1 - nu * nu);
  Mat3 D;
  D << c, nu * c, 0, nu * c, c, 0, 0, 0, shear_modulus(material);
  return D;
}

double shear_parameter(const ElementData& e) {
  // 12 D_bending / D_shear; a section that cannot shear has none.
  const double t = e.shell.thickness_m, nu = e.material.poisson;
  if (!(e.shell.shear_ratio > 0)) return 0;
  const double D_b = e.shell.bending_ratio * e.material.young_Pa * t * t * t / (12 * (1 - nu * nu));
  return 12 * D_b / (e.shell.shear_ratio * shear_modulus(e.material) * t);
}

Eigen::Matrix<double, 6, 3> surface_stress_to_basic(const Frame& frame) {
  const Vec3 a = frame.col(0), b = frame.col(1);
  Eigen::Matrix<double, 6, 3> out;
  constexpr int row[6] = {0, 1, 2, 0, 1, 2}, col[6] = {0, 1, 2, 1, 2, 0};
  for (int k = 0; k < 6; ++k) {
    const int i = row[k], j = col[k];
    out(k, 0) = a[i] * a[j];
    out(k, 1) = b[i] * b[j];
    out(k, 2) = a[i] * b[j] + b[i] * a[j];
  }
  return out;
}

void shell_mass(const ElementData& e, MassKind mass, int nodes, const Eigen::Matrix4d& NN,
                const Vec3* directors, ElementMatrix& M) {
  const double t = e.shell.thickness_m;
  const double surface = e.material.density_kg_per_m3 * t + e.shell.mass_kg_per_m2;
  const double rotary = e.material.density_kg_per_m3 * t * t * t / 12;
  M.setZero(6 * nodes, 6 * nodes);
  for (int i = 0; i < nodes; ++i) {
    for (int j = 0; j < nodes; ++j) {
      // Lumping: the row sum of int N_i N_j dA goes to the node itself.
      const int column = mass == MassKind::lumped ? i : j;
      M.block<3, 3>(6 * i, 6 * column).diagonal().array() += surface * NN(i, j);
      M.block<3, 3>(6 * i + 3, 6 * column + 3) +=
          rotary * NN(i, j) * skew(directors[i]).transpose() * skew(directors[column]);
    }
  }
}

void shell_offset(int nodes, const Vec3* arms, ElementMatrix& K) {
  for (int i = 0; i < nodes; ++i) {
    // u_mid = u + theta x arm = u - skew(arm) theta
    const Mat3 S = skew(arms[i]);
    const Eigen::Matrix<double, Eigen::Dynamic, 3, 0, kMaxElementDofs, 3> moved = K.middleCols<3>(6 * i) * S;
    K.middleCols<3>(6 * i + 3) -= moved;
  }
  for (int i = 0; i < nodes; ++i) {
    const Mat3 S = skew(arms[i]);
    const Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, kMaxElementDofs> moved =
        S.transpose() * K.middleRows<3>(6 * i);
    K.middleRows<3>(6 * i + 3) -= moved;
  }
}

void shell_offset_columns(int nodes, const Vec3* arms, StressMatrix& S) {
  for (int i = 0; i < nodes; ++i) {
    const Eigen::Matrix<double, Eigen::Dynamic, 3, 0, 120, 3> moved = S.middleCols<3>(6 * i) * skew(arms[i]);
    S.middleCols<3>(6 * i + 3) -= moved;
  }
}

}  // namespace monocoque::fe

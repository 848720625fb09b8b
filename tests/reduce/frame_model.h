#pragma once
// Small finite-element systems made of the tests' own Euler-Bernoulli beams, so that they need no element
// library.

#include <cmath>

#include <random>
#include <vector>

#include <Eigen/Geometry>

#include "fe/fe_system.h"

namespace monocoque::test {

struct Bar {
  double E = 2.1e11, G = 8e10, A = 1e-4, Iy = 1e-9, Iz = 2e-9, Jt = 2e-9, rho = 7800;
};

using Mat12 = Eigen::Matrix<double, 12, 12>;

/// Stiffness in element axes x along, unknowns (u, theta) of both ends.
inline Mat12 bar_stiffness(const Bar& b, double L) {
  Mat12 K = Mat12::Zero();
  const auto couple = [&](int i, int j, double k) {
    K(i, i) += k;
    K(j, j) += k;
    K(i, j) -= k;
    K(j, i) -= k;
  };
  couple(0, 6, b.E * b.A / L);
  couple(3, 9, b.G * b.Jt / L);
  const auto bend = [&](int v, int th, double EI, double s) {
    const int i[4] = {v, th, v + 6, th + 6};
    const double k[4][4] = {{12, 6 * L * s, -12, 6 * L * s},
                            {6 * L * s, 4 * L * L, -6 * L * s, 2 * L * L},
                            {-12, -6 * L * s, 12, -6 * L * s},
                            {6 * L * s, 2 * L * L, -6 * L * s, 4 * L * L}};
    for (int r = 0; r < 4; ++r)
      for (int c = 0; c < 4; ++c) K(i[r], i[c]) += EI / (L * L * L) * k[r][c];
  };
  bend(1, 5, b.E * b.Iz, 1);
  bend(2, 4, b.E * b.Iy, -1);
  return K;
}

/// Consistent mass of the cubic bending shapes; torsion with the polar moment Iy + Iz.
inline Mat12 bar_mass(const Bar& b, double L) {
  Mat12 M = Mat12::Zero();
  const double m = b.rho * b.A * L;
  const auto line = [&](int i, int j, double mass) {
    M(i, i) += mass / 3;
    M(j, j) += mass / 3;
    M(i, j) += mass / 6;
    M(j, i) += mass / 6;
  };
  line(0, 6, m);
  line(3, 9, b.rho * (b.Iy + b.Iz) * L);
  const auto bend = [&](int v, int th, double s) {
    const int i[4] = {v, th, v + 6, th + 6};
    const double k[4][4] = {{156, 22 * L * s, 54, -13 * L * s},
                            {22 * L * s, 4 * L * L, 13 * L * s, -3 * L * L},
                            {54, 13 * L * s, 156, -22 * L * s},
                            {-13 * L * s, -3 * L * L, -22 * L * s, 4 * L * L}};
    for (int r = 0; r < 4; ++r)
      for (int c = 0; c < 4; ++c) M(i[r], i[c]) += m / 420 * k[r][c];
  };
  bend(1, 5, 1);
  bend(2, 4, -1);
  return M;
}

class FrameModel {
 public:
  int node(const Vec3& p) {
    positions.push_back(p);
    return static_cast<int>(positions.size()) - 1;
  }
  void bar(int a, int b, const Bar& section) {
    const Vec3 d = positions[static_cast<std::size_t>(b)] - positions[static_cast<std::size_t>(a)];
    const double L = d.norm();
    const Vec3 x = d / L;
    const Vec3 y = x.unitOrthogonal();
    Mat3 R;
    R.row(0) = x;
    R.row(1) = y;
    R.row(2) = x.cross(y);
    Mat12 T = Mat12::Zero();
    for (int i = 0; i < 4; ++i) T.block<3, 3>(3 * i, 3 * i) = R;
    add(a, b, T.transpose() * bar_stiffness(section, L) * T, K_);
    add(a, b, T.transpose() * bar_mass(section, L) * T, M_);
  }
  void mass(int n, double m, const Mat3& inertia) {
    for (int i = 0; i < 3; ++i) M_.emplace_back(6 * n + i, 6 * n + i, m);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) M_.emplace_back(6 * n + 3 + i, 6 * n + 3 + j, inertia(i, j));
  }
  void forget_masses() { M_.clear(); }

  FeSystem system() const {
    FeSystem s;
    s.positions = positions;
    const int n = static_cast<int>(positions.size());
    for (int i = 0; i < n; ++i) s.node_ids.push_back(100 + i);
    s.K.resize(6 * n, 6 * n);
    s.K.setFromTriplets(K_.begin(), K_.end());
    s.M.resize(6 * n, 6 * n);
    s.M.setFromTriplets(M_.begin(), M_.end());
    s.to_nodes.resize(6 * n, 6 * n);
    s.to_nodes.setIdentity();
    s.stiff.assign(static_cast<std::size_t>(n), {true, true, true, true, true, true});
    return s;
  }
  std::vector<Vec3> positions;

 private:
  static void add(int a, int b, const Mat12& m, std::vector<Eigen::Triplet<double>>& list) {
    for (int i = 0; i < 12; ++i)
      for (int j = 0; j < 12; ++j)
        if (m(i, j) != 0)
          list.emplace_back(i < 6 ? 6 * a + i : 6 * b + i - 6, j < 6 ? 6 * a + j : 6 * b + j - 6, m(i, j));
  }
  std::vector<Eigen::Triplet<double>> K_, M_;
};

/// A straight beam along x from the origin.
inline FrameModel straight_beam(int elements, double length, const Bar& b) {
  FrameModel f;
  for (int i = 0; i <= elements; ++i) f.node(Vec3(length * i / elements, 0, 0));
  for (int i = 0; i < elements; ++i) f.bar(i, i + 1, b);
  return f;
}

/// A box frame of nx x ny x nz cells with bars along all edges and across the faces; nothing is symmetric.
inline FrameModel box_frame(int nx, int ny, int nz, const Bar& b, double cell = 0.1) {
  FrameModel f;
  const auto id = [&](int i, int j, int k) { return (k * (ny + 1) + j) * (nx + 1) + i; };
  for (int k = 0; k <= nz; ++k)
    for (int j = 0; j <= ny; ++j)
      for (int i = 0; i <= nx; ++i) f.node(cell * Vec3(i + 0.05 * std::sin(k + 2 * j), 1.1 * j, 0.9 * k));
  for (int k = 0; k <= nz; ++k)
    for (int j = 0; j <= ny; ++j)
      for (int i = 0; i <= nx; ++i) {
        if (i < nx) f.bar(id(i, j, k), id(i + 1, j, k), b);
        if (j < ny) f.bar(id(i, j, k), id(i, j + 1, k), b);
        if (k < nz) f.bar(id(i, j, k), id(i, j, k + 1), b);
      }
  return f;
}

inline Mat3 random_inertia(std::mt19937& random) {
  std::uniform_real_distribution<double> u(-1, 1);
  Mat3 A;
  for (int i = 0; i < 9; ++i) A(i) = u(random);
  return 1e-3 * (A * A.transpose() + 0.1 * Mat3::Identity());
}

/// Point masses with rotary inertia at all nodes instead of the bars' mass.
inline void lump(FrameModel& f, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> u(0.2, 1);
  f.forget_masses();
  for (int n = 0; n < static_cast<int>(f.positions.size()); ++n) f.mass(n, u(random), random_inertia(random));
}

inline MatX random_matrix(int rows, int columns, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> u(-1, 1);
  MatX A(rows, columns);
  for (Eigen::Index i = 0; i < A.size(); ++i) A(i) = u(random);
  return A;
}

}  // namespace monocoque::test

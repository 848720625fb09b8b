#pragma once
// Isoparametric solids: x = sum N_i x_i, u = sum N_i u_i, eps = sym grad u, sigma = lambda tr(eps) E + 2 mu
// eps.
//   K_ij = int lambda g_i g_j^T + mu g_j g_i^T + mu (g_i . g_j) E dV,   g_i = grad N_i
//   M_ij = int rho N_i N_j dV E; lumped: row sums for linear kinds, diagonal scaled to the mass for quadratic
//   ones
//          [Hinton, Rock, Zienkiewicz, Earthq. Eng. Struct. Dyn. 4, 1976]
// Each kind gives a SolidShape (tet.cpp, wedge6.cpp, brick8.cpp, brick20.cpp). Incompatible modes enter as
// further "nodes" with gradients j_0/j J_0^-T grad P, which keeps the patch test [Taylor, Beresford, Wilson,
// IJNME 10, 1976]. Limits: nu < 0.49 or so; linear tetrahedra are stiff in bending and lock when nearly
// incompressible.

#include <array>
#include <vector>

#include "fe/element.h"

namespace monocoque::fe {

using Gradients = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::ColMajor, 3, kMaxElementNodes>;

struct SolidPoint {
  Vec3 xi;
  double weight;
};

struct SolidShape {
  int nodes = 0, modes = 0;
  bool quadratic = false;
  void (*values)(const Vec3& xi, double* N) = nullptr;
  void (*gradients)(const Vec3& xi, Gradients& dN) = nullptr;       ///< by xi
  void (*mode_gradients)(const Vec3& xi, Gradients& dP) = nullptr;  ///< by xi
  Vec3 centre;
  std::vector<SolidPoint> stiffness, mass;
  std::vector<Vec3> corners;  ///< natural coordinates of all nodes
  /// Value at node i of the field through the values at the stiffness points.
  MatX extrapolation;
};

const SolidShape& solid_shape(io::ElementKind kind);
SolidShape make_tet4();
SolidShape make_tet10();
SolidShape make_wedge6();
SolidShape make_brick8();
SolidShape make_brick20();

/// Least squares of 1, xi, eta, zeta (and products when there are points enough) through the stiffness
/// points.
MatX extrapolate(const SolidShape& shape);
std::vector<SolidPoint> gauss_box(int n);

Fault solid_matrices(const ElementData& e, MassKind mass, ElementMatrices& out);
Fault solid_stress(const ElementData& e, StressMatrix& out);

}  // namespace monocoque::fe

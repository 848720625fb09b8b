// Tetrahedra in volume coordinates L_1 = 1 - xi - eta - zeta, L_2 = xi, L_3 = eta, L_4 = zeta.
// tet4: constant strain, one point. tet10: N = L (2 L - 1) at corners, 4 L_i L_j on edges 12 23 31 14 24 34;
// stiffness with four points (exact for straight edges), mass with fifteen (degree 5).
// [Zienkiewicz, Taylor, vol. 1; Keast, CMAME 55, 1986 for the fifteen points]

#include <cmath>

#include "fe/solid.h"

namespace monocoque::fe {
namespace {

constexpr int kEdge[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};

void volume(const Vec3& xi, double (&L)[4]) {
  L[0] = 1 - xi.sum();
  for (int k = 0; k < 3; ++k) L[k + 1] = xi[k];
}

Vec3 volume_gradient(int i) {
  return i == 0 ? Vec3::Constant(-1) : Vec3(Vec3::Unit(i - 1));
}

void values4(const Vec3& xi, double* N) {
  double L[4];
  volume(xi, L);
  for (int i = 0; i < 4; ++i) N[i] = L[i];
}

void gradients4(const Vec3&, Gradients& dN) {
  for (int i = 0; i < 4; ++i) dN.col(i) = volume_gradient(i);
}

void values10(const Vec3& xi, double* N) {
  double L[4];
  volume(xi, L);
  for (int i = 0; i < 4; ++i) N[i] = L[i] * (2 * L[i] - 1);
  for (int k = 0; k < 6; ++k) N[4 + k] = 4 * L[kEdge[k][0]] * L[kEdge[k][1]];
}

void gradients10(const Vec3& xi, Gradients& dN) {
  double L[4];
  volume(xi, L);
  for (int i = 0; i < 4; ++i) dN.col(i) = (4 * L[i] - 1) * volume_gradient(i);
  for (int k = 0; k < 6; ++k) {
    const int i = kEdge[k][0], j = kEdge[k][1];
    dN.col(4 + k) = 4 * (L[i] * volume_gradient(j) + L[j] * volume_gradient(i));
  }
}

/// The points (a, b, b, b) and their permutations.
void add_corner_orbit(double a, double b, double weight, std::vector<SolidPoint>& out) {
  for (int i = 0; i < 4; ++i) {
    Vec3 xi = Vec3::Constant(b);
    if (i > 0) xi[i - 1] = a;
    out.push_back({xi, weight});
  }
}

/// The points (a, a, b, b) and their permutations.
void add_edge_orbit(double a, double b, double weight, std::vector<SolidPoint>& out) {
  for (const auto& edge : kEdge) {
    double L[4] = {b, b, b, b};
    L[edge[0]] = L[edge[1]] = a;
    out.push_back({Vec3(L[1], L[2], L[3]), weight});
  }
}

std::vector<SolidPoint> four_points() {
  std::vector<SolidPoint> out;
  const double a = (5 + 3 * std::sqrt(5.0)) / 20, b = (5 - std::sqrt(5.0)) / 20;
  add_corner_orbit(a, b, 1.0 / 24, out);
  return out;
}

std::vector<SolidPoint> fifteen_points() {
  std::vector<SolidPoint> out{{Vec3::Constant(0.25), 0.030283678097089182}};
  add_corner_orbit(0, 1.0 / 3, 0.006026785714285714, out);
  add_corner_orbit(8.0 / 11, 1.0 / 11, 0.011645249086028967, out);
  add_edge_orbit(0.06655015357366432, 0.4334498464263357, 0.010949141561386449, out);
  return out;
}

std::vector<Vec3> corners() {
  return {Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
}

}  // namespace

SolidShape make_tet4() {
  SolidShape s;
  s.nodes = 4;
  s.values = values4;
  s.gradients = gradients4;
  s.centre = Vec3::Constant(0.25);
  s.stiffness = {{s.centre, 1.0 / 6}};
  s.mass = four_points();
  s.corners = corners();
  return s;
}

SolidShape make_tet10() {
  SolidShape s;
  s.nodes = 10;
  s.quadratic = true;
  s.values = values10;
  s.gradients = gradients10;
  s.centre = Vec3::Constant(0.25);
  s.stiffness = four_points();
  s.mass = fifteen_points();
  s.corners = corners();
  for (const auto& edge : kEdge) {
    s.corners.push_back(
        0.5 * (s.corners[static_cast<std::size_t>(edge[0])] + s.corners[static_cast<std::size_t>(edge[1])]));
  }
  return s;
}

}  // namespace monocoque::fe

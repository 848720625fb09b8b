// Wedge: N = L_i (1 -+ zeta) / 2 with the triangle's L_1 = 1 - xi - eta, L_2 = xi, L_3 = eta; zeta in [-1,
// 1]. Three by two points. One incompatible mode 1 - zeta^2 frees bending across the triangles; within their
// plane the element is as stiff as a constant-strain triangle. [Zienkiewicz, Taylor, vol. 1]

#include <cmath>

#include "fe/solid.h"

namespace monocoque::fe {
namespace {

void wedge6_values(const Vec3& xi, double* N) {
  const double L[3] = {1 - xi[0] - xi[1], xi[0], xi[1]};
  for (int i = 0; i < 3; ++i) {
    N[i] = 0.5 * L[i] * (1 - xi[2]);
    N[i + 3] = 0.5 * L[i] * (1 + xi[2]);
  }
}

void wedge6_gradients(const Vec3& xi, Gradients& dN) {
  const double L[3] = {1 - xi[0] - xi[1], xi[0], xi[1]};
  constexpr double dL[3][2] = {{-1, -1}, {1, 0}, {0, 1}};
  for (int i = 0; i < 3; ++i) {
    dN.col(i) = 0.5 * Vec3(dL[i][0] * (1 - xi[2]), dL[i][1] * (1 - xi[2]), -L[i]);
    dN.col(i + 3) = 0.5 * Vec3(dL[i][0] * (1 + xi[2]), dL[i][1] * (1 + xi[2]), L[i]);
  }
}

void wedge6_mode_gradients(const Vec3& xi, Gradients& dP) {
  dP.col(0) = Vec3(0, 0, -2 * xi[2]);
}

}  // namespace

SolidShape make_wedge6() {
  SolidShape s;
  s.nodes = 6;
  s.modes = 1;
  s.values = wedge6_values;
  s.gradients = wedge6_gradients;
  s.mode_gradients = wedge6_mode_gradients;
  s.centre = Vec3(1.0 / 3, 1.0 / 3, 0);
  const double g = 1 / std::sqrt(3.0);
  for (const double zeta : {-g, g}) {
    for (const Vec3& p :
         {Vec3(1.0 / 6, 1.0 / 6, zeta), Vec3(2.0 / 3, 1.0 / 6, zeta), Vec3(1.0 / 6, 2.0 / 3, zeta)}) {
      s.stiffness.push_back({p, 1.0 / 6});
    }
  }
  s.mass = s.stiffness;
  for (const double zeta : {-1.0, 1.0}) {
    s.corners.insert(s.corners.end(), {Vec3(0, 0, zeta), Vec3(1, 0, zeta), Vec3(0, 1, zeta)});
  }
  return s;
}

}  // namespace monocoque::fe

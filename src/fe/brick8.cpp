// Brick: N = (1 +- xi)(1 +- eta)(1 +- zeta) / 8, two by two by two points, incompatible modes 1 - xi^2, 1 -
// eta^2, 1 - zeta^2 in the corrected form, exact in bending for boxes. [Wilson, Taylor, Doherty, Ghaboussi,
// 1973; Taylor, Beresford, Wilson, IJNME 10, 1976]

#include "fe/solid.h"

namespace monocoque::fe {
namespace {

constexpr double kSign[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};

void brick8_values(const Vec3& xi, double* N) {
  for (int i = 0; i < 8; ++i) {
    N[i] = 0.125 * (1 + kSign[i][0] * xi[0]) * (1 + kSign[i][1] * xi[1]) * (1 + kSign[i][2] * xi[2]);
  }
}

void brick8_gradients(const Vec3& xi, Gradients& dN) {
  for (int i = 0; i < 8; ++i) {
    const double* s = kSign[i];
    const double a = 1 + s[0] * xi[0], b = 1 + s[1] * xi[1], c = 1 + s[2] * xi[2];
    dN.col(i) = 0.125 * Vec3(s[0] * b * c, s[1] * a * c, s[2] * a * b);
  }
}

void brick8_mode_gradients(const Vec3& xi, Gradients& dP) {
  for (int k = 0; k < 3; ++k) dP.col(k) = -2 * xi[k] * Vec3::Unit(k);
}

}  // namespace

SolidShape make_brick8() {
  SolidShape s;
  s.nodes = 8;
  s.modes = 3;
  s.values = brick8_values;
  s.gradients = brick8_gradients;
  s.mode_gradients = brick8_mode_gradients;
  s.centre = Vec3::Zero();
  s.stiffness = gauss_box(2);
  s.mass = s.stiffness;
  for (const auto& c : kSign) s.corners.emplace_back(c[0], c[1], c[2]);
  return s;
}

}  // namespace monocoque::fe

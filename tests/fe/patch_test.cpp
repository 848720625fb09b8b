// Patch tests on distorted meshes: a motion with constant strain (or curvature) prescribed on the boundary
// must come out exactly inside. Tolerances are rounding.

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include "core/decompositions.h"
#include "fe/element.h"
#include "fe/stress.h"
#include "fe/support.h"

namespace monocoque::test {
namespace {

/// Interior points moved off the grid; the boundary stays.
Vec3 disturb(double x, double y, double z, double amount) {
  const double inside = x * (1 - x) * y * (1 - y) * 16;
  return Vec3(x + amount * inside * std::sin(3 * x + 5 * y + 2 * z),
              y + amount * inside * std::cos(4 * x - 3 * y + z), z);
}

class SolidPatch : public ::testing::TestWithParam<ElementKind> {};
INSTANTIATE_TEST_SUITE_P(Kinds, SolidPatch,
                         ::testing::Values(ElementKind::tet4, ElementKind::tet10, ElementKind::wedge6,
                                           ElementKind::brick8, ElementKind::brick20),
                         [](const auto& info) { return fe::kind_name(info.param); });

TEST_P(SolidPatch, ConstantStrain) {
  MeshBuilder b;
  const int steel = b.solid({});
  b.volume(GetParam(), steel, 3, 3, 3, [&](double x, double y, double z) {
    // Quadratic kinds keep straight edges: their patch test needs it for corner nodes only in the grid's
    // cells.
    const double amount = GetParam() == ElementKind::tet10 || GetParam() == ElementKind::brick20 ? 0 : 0.08;
    const Vec3 p = disturb(x, y, z, amount);
    const double inside = x * (1 - x) * y * (1 - y) * z * (1 - z) * 64;
    const Vec3 q(p.x(), p.y(), z + amount * inside);
    // A skew box, so that no direction is special.
    return Vec3(q.x() + 0.3 * q.y(), q.y() + 0.2 * q.z(), q.z() - 0.1 * q.x());
  });
  Mat3 gradient;
  gradient << 1e-3, 4e-4, -2e-4, 3e-4, -5e-4, 7e-4, 1e-4, -6e-4, 8e-4;
  const FeSystem system = assemble(b.mesh);
  std::map<int, double> prescribed;
  const auto outside = [&](const Vec3& p) {
    // Back to the unit cube.
    Mat3 A;
    A << 1, 0.3, 0, 0, 1, 0.2, -0.1, 0, 1;
    const Vec3 q = A.inverse() * p;
    return (q.array() < 1e-9).any() || (q.array() > 1 - 1e-9).any();
  };
  for (const int n : b.nodes_where(outside)) {
    const Vec3 u = gradient * b.mesh.nodes[static_cast<std::size_t>(n)].p;
    for (int k = 0; k < 3; ++k) prescribed[6 * n + k] = u[k];
  }
  const VecX u = solve_prescribed(system, prescribed);
  double error = 0;
  for (int n = 0; n < system.nodes(); ++n) {
    error = std::max(error,
                     (u.segment<3>(6 * n) - gradient * system.positions[static_cast<std::size_t>(n)]).norm());
  }
  EXPECT_LT(error, 1e-12);
  // Stress: the same everywhere.
  const Mat3 strain = 0.5 * (gradient + gradient.transpose());
  const double mu = 2.1e11 / 2.6, lambda = 2.1e11 * 0.3 / (1.3 * 0.4);
  const Mat3 s = 2 * mu * strain + lambda * strain.trace() * Mat3::Identity();
  Vec6 expected;
  expected << s(0, 0), s(1, 1), s(2, 2), s(0, 1), s(1, 2), s(2, 0);
  for (const CornerStress& c : corner_stresses(b.mesh, u))
    EXPECT_LT((c.top - expected).norm(), 1e-7 * expected.norm());
}

struct ShellCase {
  ElementKind kind;
  const char* name;
};

class ShellPatch : public ::testing::TestWithParam<ElementKind> {
 protected:
  /// MacNeal and Harder's patch: 0.24 x 0.12, four inner nodes, turned in space.
  void build(double thickness, const Mat3& turn) {
    const int sheet = b.shell({1e6, 0.25, 1}, thickness);
    const double x[8] = {0, 0.24, 0.24, 0, 0.04, 0.18, 0.16, 0.08},
                 y[8] = {0, 0, 0.12, 0.12, 0.02, 0.03, 0.08, 0.08};
    for (int i = 0; i < 8; ++i) b.node(turn * Vec3(x[i], y[i], 0));
    const int quads[5][4] = {{0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}, {4, 5, 6, 7}};
    for (const auto& q : quads) {
      if (GetParam() == ElementKind::shell4) {
        b.element(ElementKind::shell4, sheet, {q[0], q[1], q[2], q[3]});
      } else {
        b.element(ElementKind::shell3, sheet, {q[0], q[1], q[2]});
        b.element(ElementKind::shell3, sheet, {q[0], q[2], q[3]});
      }
    }
  }
  /// Largest difference inside from a field given in the plane's own axes (u, theta).
  double check(const Mat3& turn, const std::function<Vec6(double, double)>& field,
               bool hold_rotations = false) {
    const FeSystem system = assemble(b.mesh);
    std::map<int, double> prescribed;
    double scale = 0, error = 0;
    const auto value = [&](int n) {
      const Vec3 p = turn.transpose() * system.positions[static_cast<std::size_t>(n)];
      const Vec6 f = field(p.x(), p.y());
      Vec6 out;
      out << turn * f.head<3>(), turn * f.tail<3>();
      return out;
    };
    for (int n = 0; n < 4; ++n) {
      for (int k = 0; k < 6; ++k) prescribed[6 * n + k] = value(n)[k];
    }
    for (int n = 4; hold_rotations && n < 8; ++n) {
      for (int k = 3; k < 6; ++k) prescribed[6 * n + k] = value(n)[k];
    }
    solution = solve_prescribed(system, prescribed);
    for (int n = 0; n < 8; ++n) {
      scale = std::max(scale, value(n).cwiseAbs().maxCoeff());
      error = std::max(error, (solution.segment<6>(6 * n) - value(n)).cwiseAbs().maxCoeff());
    }
    return error / scale;
  }
  MeshBuilder b;
  VecX solution;
};
INSTANTIATE_TEST_SUITE_P(Kinds, ShellPatch, ::testing::Values(ElementKind::shell3, ElementKind::shell4),
                         [](const auto& info) { return fe::kind_name(info.param); });

Mat3 some_turn() {
  Mat3 R;
  const Vec3 a = Vec3(1, 2, 3).normalized(), c = a.cross(Vec3(0, 1, 0)).normalized();
  R << a, c.cross(a), c;
  return R;
}

TEST_P(ShellPatch, ConstantMembraneStrain) {
  build(0.001, some_turn());
  // u = 1e-3 (x + y/2), v = 1e-3 (y + x/2): stresses 1333, 1333, 400 of MacNeal and Harder.
  EXPECT_LT(check(some_turn(),
                  [](double x, double y) {
                    Vec6 f = Vec6::Zero();
                    f[0] = 1e-3 * (x + y / 2);
                    f[1] = 1e-3 * (y + x / 2);
                    return f;
                  }),
            1e-10);
  Mat3 s;
  s << 4000.0 / 3, 400, 0, 400, 4000.0 / 3, 0, 0, 0, 0;
  s = some_turn() * s * some_turn().transpose();
  Vec6 expected;
  expected << s(0, 0), s(1, 1), s(2, 2), s(0, 1), s(1, 2), s(2, 0);
  for (const CornerStress& c : corner_stresses(b.mesh, solution)) {
    EXPECT_LT((c.top - expected).norm(), 1e-7 * expected.norm());
    EXPECT_LT((c.bottom - expected).norm(), 1e-7 * expected.norm());
  }
}

TEST_P(ShellPatch, ConstantMembraneStrainWithRotation) {
  build(0.001, some_turn());
  // Displacement gradient with a rotation: the drilling rotation must follow it.
  EXPECT_LT(check(some_turn(),
                  [](double x, double y) {
                    Vec6 f = Vec6::Zero();
                    f[0] = 1e-3 * (x + 2 * y);
                    f[1] = 1e-3 * (y - x);
                    f[5] = 0.5e-3 * (-1 - 2);
                    return f;
                  }),
            1e-10);
}

TEST_P(ShellPatch, ConstantCurvature) {
  for (const double thickness : {0.001, 0.03}) {
    b = {};
    build(thickness, some_turn());
    // w = 1e-3 (x^2 + x y + y^2) / 2 of MacNeal and Harder: constant moments and twist, no shear.
    EXPECT_LT(check(some_turn(),
                    [](double x, double y) {
                      Vec6 f = Vec6::Zero();
                      f[2] = 0.5e-3 * (x * x + x * y + y * y);
                      f[3] = 0.5e-3 * (x + 2 * y);
                      f[4] = -0.5e-3 * (2 * x + y);
                      return f;
                    }),
              1e-9)
        << "thickness " << thickness;
  }
  // Surface stress of the last run: +-0.667e... by D kappa t / 2.
  const double t = 0.03, E = 1e6, nu = 0.25, D = E / (1 - nu * nu);
  Mat3 s = Mat3::Zero();
  s(0, 0) = s(1, 1) = -t / 2 * D * (1e-3 + nu * 1e-3);
  s(0, 1) = s(1, 0) = -t / 2 * E / (2 * (1 + nu)) * 1e-3;
  s = some_turn() * s * some_turn().transpose();
  Vec6 expected;
  expected << s(0, 0), s(1, 1), s(2, 2), s(0, 1), s(1, 2), s(2, 0);
  for (const CornerStress& c : corner_stresses(b.mesh, solution)) {
    EXPECT_LT((c.top - expected).norm(), 1e-6 * expected.norm());
    EXPECT_LT((c.bottom + expected).norm(), 1e-6 * expected.norm());
  }
}

TEST_P(ShellPatch, ConstantShear) {
  build(1000, some_turn());
  // w = 1e-3 (x + 2 y) with rotations held at zero: by itself such a plate would lack the moments that
  // balance the shear forces. Very thick, so that the sides of the triangles stay straight too.
  EXPECT_LT(check(
                some_turn(),
                [](double x, double y) {
                  Vec6 f = Vec6::Zero();
                  f[2] = 1e-3 * (x + 2 * y);
                  return f;
                },
                true),
            1e-6);
}

}  // namespace
}  // namespace monocoque::test

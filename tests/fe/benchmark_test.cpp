// Published problems with their published values.
// MH: R. H. MacNeal, R. L. Harder, A proposed standard set of problems to test finite element accuracy,
// Finite Elements
//     in Analysis and Design 1, 1985. Values are normalised by theory, as in that paper.
// NAFEMS: The Standard NAFEMS Benchmarks, 1990 (LE1, LE10), and Selected Benchmarks for Natural Frequency
// Analysis, 1987
//     (FV12, FV32, FV52).

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include "fe/stress.h"
#include "fe/support.h"
#include "support/verify_row.h"

namespace monocoque::test {
namespace {

const std::string kStatic = "Finite elements against published static problems";

/// Prints the row and asserts the ratio to the reference.
void compare(const std::string& section, const std::string& name, const std::string& quantity, double ours,
             double reference, double tolerance, const std::string& remark = "") {
  const double error = ours / reference - 1;
  verify_row(section, name, quantity, fmt::format("{:.5g}", ours), fmt::format("{:.5g}", reference),
             std::abs(error), remark);
  EXPECT_LE(std::abs(error), tolerance)
      << name << ", " << quantity << ": " << ours << " against " << reference;
}

const char* label(ElementKind kind) {
  switch (kind) {
    case ElementKind::beam2:
      return "beam2";
    case ElementKind::shell3:
      return "shell3";
    case ElementKind::shell4:
      return "shell4";
    case ElementKind::tet4:
      return "tet4";
    case ElementKind::tet10:
      return "tet10";
    case ElementKind::wedge6:
      return "wedge6";
    case ElementKind::brick8:
      return "brick8";
    case ElementKind::brick20:
      return "brick20";
    default:
      return "?";
  }
}

VecX load(const MeshBuilder& b, const std::vector<std::pair<int, double>>& dofs) {
  VecX f = VecX::Zero(6 * static_cast<Eigen::Index>(b.mesh.nodes.size()));
  for (const auto& [dof, value] : dofs) f[dof] += value;
  return f;
}

enum class Shape { regular, trapezoid, parallelogram };

/// MH straight cantilever 6 x 0.2 x 0.1 with six elements, a unit load at the tip.
/// load_axis 1: in plane (theory 0.1081), 2: out of plane (0.4321), 0: extension (3e-5).
double straight_shell(ElementKind kind, Shape shape, int load_axis) {
  MeshBuilder b;
  const int sheet = b.shell({1e7, 0.3, 1}, 0.1);
  b.surface(kind, sheet, 6, 1, [&](double s, double t) {
    double x = 6 * s;
    const int i = static_cast<int>(std::lround(x));
    if (i > 0 && i < 6 && shape != Shape::regular) {
      // 45 degrees: edges shifted by half of the depth.
      const double sign = shape == Shape::parallelogram ? 1 : (i % 2 == 0 ? -1 : 1);
      x += sign * 0.2 * (t - 0.5);
    }
    return Vec3(x, 0.2 * t, 0);
  });
  b.support_where([](const Vec3& p) { return p.x() < 1e-9; }, io::kAllSix);
  const FeSystem system = assemble(b.mesh);
  std::vector<std::pair<int, double>> f;
  for (const int n : b.nodes_where([](const Vec3& p) { return p.x() > 6 - 1e-9; }))
    f.emplace_back(6 * n + load_axis, 0.5);
  const VecX u = solve_static(system, load(b, f));
  double mean = 0;
  for (const auto& [dof, value] : f) mean += value * u[dof];
  return mean;
}

TEST(MacNealHarder, StraightCantileverOfShells) {
  const double theory[3] = {3e-5, 0.1081, 0.4321};
  const char* direction[3] = {"extension", "in-plane shear", "out-of-plane shear"};
  const char* shapes[3] = {"rectangles", "trapezoids", "parallelograms"};
  for (const ElementKind kind : {ElementKind::shell4, ElementKind::shell3}) {
    for (int s = 0; s < 3; ++s) {
      for (int axis = 0; axis < 3; ++axis) {
        const double ours = straight_shell(kind, static_cast<Shape>(s), axis);
        // In-plane bending of trapezoids locks any four-node quadrilateral that passes the patch test
        // [MacNeal 1987]; the published QUAD4 has 0.071 and 0.080 there.
        const bool known = s > 0 && axis == 1;
        // One pair of triangles across is too soft in plane by design, see shell3.h.
        const bool triangle = kind == ElementKind::shell3;
        const double tolerance = known       ? (triangle ? 0.3
                                                : s == 1 ? 0.96
                                                         : 0.4)
                                 : axis == 1 ? (triangle ? 0.3 : 0.02)
                                 : axis == 0 ? 0.01
                                             : (triangle ? 0.03 : 0.015);
        compare(kStatic, fmt::format("straight beam, 6 {} of {}", shapes[s], label(kind)), direction[axis],
                ours, theory[axis], tolerance,
                known ? "theory; locking of distorted elements, published QUAD4 alike" : "theory");
      }
    }
  }
}

double straight_solid(ElementKind kind, Shape shape, int load_axis) {
  MeshBuilder b;
  const int steel = b.solid({1e7, 0.3, 1});
  b.volume(kind, steel, 6, 1, 1, [&](double s, double t, double r) {
    double x = 6 * s;
    const int i = static_cast<int>(std::lround(x));
    const bool inner = std::abs(x - i) < 1e-9 && i > 0 && i < 6;
    if (inner && shape != Shape::regular) {
      const double sign = shape == Shape::parallelogram ? 1 : (i % 2 == 0 ? -1 : 1);
      x += sign * 0.2 * (t - 0.5);
    }
    return Vec3(x, 0.2 * t, 0.1 * r);
  });
  b.support_where([](const Vec3& p) { return p.x() < 1e-9; }, bits({1, 2, 3}));
  const FeSystem system = assemble(b.mesh);
  const std::vector<int> tip = b.nodes_where([](const Vec3& p) { return p.x() > 6 - 1e-9; });
  std::vector<std::pair<int, double>> f;
  for (const int n : tip) f.emplace_back(6 * n + load_axis, 1.0 / static_cast<double>(tip.size()));
  const VecX u = solve_static(system, load(b, f));
  double mean = 0;
  for (const auto& [dof, value] : f) mean += value * u[dof];
  return mean;
}

TEST(MacNealHarder, StraightCantileverOfSolids) {
  const double theory[3] = {3e-5, 0.1081, 0.4321};
  const char* direction[3] = {"extension", "in-plane shear", "out-of-plane shear"};
  const char* shapes[3] = {"rectangles", "trapezoids", "parallelograms"};
  for (const ElementKind kind : {ElementKind::brick8, ElementKind::brick20, ElementKind::tet10}) {
    for (int s = 0; s < (kind == ElementKind::brick8 ? 3 : 1); ++s) {
      for (int axis = 0; axis < 3; ++axis) {
        const double ours = straight_solid(kind, static_cast<Shape>(s), axis);
        const bool known = s > 0 && axis > 0;
        compare(kStatic, fmt::format("straight beam, 6 {} of {}", shapes[s], label(kind)), direction[axis],
                ours, theory[axis], known ? 1 : 0.06,
                known ? "theory; locking of distorted bricks, published HEXA8 alike" : "theory");
      }
    }
  }
}

TEST(MacNealHarder, CurvedBeam) {
  // Quarter ring, radii 4.12 and 4.32, thickness 0.1, six elements, unit load at the free end.
  for (const ElementKind kind : {ElementKind::shell4, ElementKind::shell3}) {
    for (const int axis : {0, 2}) {
      MeshBuilder b;
      const int sheet = b.shell({1e7, 0.25, 1}, 0.1);
      b.surface(kind, sheet, 6, 1, [](double s, double t) {
        const double r = 4.12 + 0.2 * t, a = M_PI / 2 * (1 - s);
        return Vec3(r * std::cos(a), r * std::sin(a), 0);
      });
      b.support_where([](const Vec3& p) { return p.x() < 1e-9; }, io::kAllSix);
      const FeSystem system = assemble(b.mesh);
      std::vector<std::pair<int, double>> f;
      for (const int n : b.nodes_where([](const Vec3& p) { return p.y() < 1e-9; }))
        f.emplace_back(6 * n + axis, 0.5);
      const VecX u = solve_static(system, load(b, f));
      const double ours = 0.5 * (u[f[0].first] + u[f[1].first]);
      compare(kStatic, fmt::format("curved beam, 6 {}", label(kind)),
              axis == 0 ? "in-plane shear" : "out-of-plane shear", ours, axis == 0 ? 0.08734 : 0.5022,
              kind == ElementKind::shell3 ? 0.32 : 0.12, "theory; published QUAD4: 0.833 and 0.951 of it");
    }
  }
}

TEST(MacNealHarder, TwistedBeam) {
  // 12 long, 1.1 wide, 90 degrees of twist; thickness 0.32, and the thin variant 0.0032 of Belytschko et al.
  // 1989.
  for (const ElementKind kind : {ElementKind::shell4, ElementKind::shell3}) {
    for (const double t : {0.32, 0.0032}) {
      for (const int n : {1, 4}) {
        for (const int axis : {1, 2}) {
          MeshBuilder b;
          const int sheet = b.shell({29e6, 0.22, 1}, t);
          b.surface(kind, sheet, 12 * n, 2 * n, [](double s, double r) {
            const double a = M_PI / 2 * s, y = 1.1 * (r - 0.5);
            return Vec3(12 * s, y * std::cos(a), y * std::sin(a));
          });
          b.support_where([](const Vec3& p) { return p.x() < 1e-9; }, io::kAllSix);
          const FeSystem system = assemble(b.mesh);
          const int tip = b.nearest(Vec3(12, 0, 0));
          const double force = t == 0.32 ? 1 : 1e-6;
          const VecX u = solve_static(system, load(b, {{6 * tip + axis, force}}));
          // At the tip the strip stands along z: z is in plane, y out of plane.
          const double reference =
              t == 0.32 ? (axis == 2 ? 5.424e-3 : 1.754e-3) : (axis == 2 ? 5.256e-3 : 1.294e-3);
          compare(kStatic, fmt::format("twisted beam, t = {}, {} x {} {}", t, 12 * n, 2 * n, label(kind)),
                  axis == 2 ? "in-plane tip load" : "out-of-plane tip load", u[6 * tip + axis], reference,
                  kind == ElementKind::shell4 ? 0.012
                  : t == 0.32                 ? 0.02
                  : n == 1                    ? 0.75
                                              : 0.02,
                  "published");
        }
      }
    }
  }
}

TEST(MacNealHarder, RectangularPlate) {
  // Quarter of a plate a = 2, b = 2 or 10, t = 1e-4; uniform pressure 1e-4 or central load 4e-4.
  struct Case {
    double b;
    bool clamped, point;
    double reference;
  };
  const Case cases[] = {{2, false, false, 4.062}, {10, false, false, 12.97}, {2, false, true, 11.60},
                        {10, false, true, 16.96}, {2, true, false, 1.26},    {10, true, false, 2.56},
                        {2, true, true, 5.60},    {10, true, true, 7.23}};
  for (const ElementKind kind : {ElementKind::shell4, ElementKind::shell3}) {
    for (const Case& c : cases) {
      MeshBuilder b;
      const int n = 8;
      const int sheet = b.shell({1.7472e7, 0.3, 1}, 1e-4);
      b.surface(kind, sheet, n, n, [&](double x, double y) { return Vec3(x, c.b / 2 * y, 0); });
      const double by = c.b / 2;
      // Symmetry at x = 0 and y = 0; the outer edges are supported.
      b.support_where([](const Vec3& p) { return p.x() < 1e-9; }, bits({1, 5}));
      b.support_where([](const Vec3& p) { return p.y() < 1e-9; }, bits({2, 4}));
      b.support_where([&](const Vec3& p) { return p.x() > 1 - 1e-9; },
                      c.clamped ? bits({3, 4, 5}) : bits({3, 4}));
      b.support_where([&](const Vec3& p) { return p.y() > by - 1e-9; },
                      c.clamped ? bits({3, 4, 5}) : bits({3, 5}));
      const FeSystem system = assemble(b.mesh);
      const int centre = b.nearest(Vec3::Zero());
      VecX f = VecX::Zero(6 * system.nodes());
      if (c.point) {
        f[6 * centre + 2] = 1e-4;  // a quarter of 4e-4
      } else {
        for (int i = 0; i < system.nodes(); ++i) {
          const Vec3 p = system.positions[static_cast<std::size_t>(i)];
          const double wx = p.x() < 1e-9 || p.x() > 1 - 1e-9 ? 0.5 : 1,
                       wy = p.y() < 1e-9 || p.y() > by - 1e-9 ? 0.5 : 1;
          f[6 * i + 2] = 1e-4 * wx * wy * by / (n * n);
        }
      }
      const VecX u = solve_static(system, f);
      compare(kStatic,
              fmt::format("plate 2 x {}, {}, 8 x 8 {}", c.b, c.clamped ? "clamped" : "simply supported",
                          label(kind)),
              c.point ? "deflection under a point load" : "deflection under pressure", u[6 * centre + 2],
              c.reference, c.point && c.clamped && c.b > 5 ? 0.065 : 0.04, "series solution in MH");
    }
  }
}

TEST(MacNealHarder, ScordelisLoRoof) {
  // R = 25, L = 50, 80 degrees, t = 0.25, 90 per unit area downwards; one quarter.
  for (const ElementKind kind : {ElementKind::shell4, ElementKind::shell3}) {
    for (const int n : {6, 8, 16, 32}) {
      MeshBuilder b;
      const int sheet = b.shell({4.32e8, 0, 1}, 0.25);
      const double edge = 40 * M_PI / 180;
      b.surface(kind, sheet, n, n, [&](double s, double t) {
        return Vec3(25 * std::sin(edge * t), 25 * s, 25 * std::cos(edge * t));
      });
      b.support_where([](const Vec3& p) { return p.y() < 1e-9; }, bits({1, 3}));  // diaphragm
      b.support_where([](const Vec3& p) { return p.y() > 25 - 1e-9; }, bits({2, 4, 6}));
      b.support_where([](const Vec3& p) { return p.x() < 1e-9; }, bits({1, 5, 6}));
      const FeSystem system = assemble(b.mesh);
      // Pressure as a body force: the lumped mass of density 1 over the thickness.
      AssembleOptions floating;
      floating.use_supports = false;
      const FeSystem free = assemble(b.mesh, MassKind::lumped, floating);
      VecX f = VecX::Zero(6 * system.nodes());
      for (int i = 0; i < free.size(); ++i) {
        const auto& unknown = free.unknowns[static_cast<std::size_t>(i)];
        if (unknown.direction[2] == 1) f[6 * unknown.node + 2] = -90 / 0.25 * free.M.coeff(i, i);
      }
      const VecX u = solve_static(system, f);
      const int corner = b.nearest(Vec3(25 * std::sin(edge), 25, 25 * std::cos(edge)));
      compare(kStatic, fmt::format("Scordelis-Lo roof, {0} x {0} {1}", n, label(kind)),
              "deflection of the free edge", -u[6 * corner + 2], 0.3024,
              kind == ElementKind::shell4 ? 0.02
              : n == 6                    ? 0.06
                                          : 0.04,
              "converged value; theory of MH 0.3086");
    }
  }
}

TEST(MacNealHarder, HemisphereWithHole) {
  // R = 10, t = 0.04, hole of 18 degrees, unit loads 2 in pairs (quarter: 1 per node); 0.094, converged
  // 0.0935.
  for (const ElementKind kind : {ElementKind::shell4, ElementKind::shell3}) {
    for (const int n : {8, 16, 32}) {
      MeshBuilder b;
      const int sheet = b.shell({6.825e7, 0.3, 1}, 0.04);
      b.surface(kind, sheet, n, n, [](double s, double t) {
        const double a = M_PI / 2 * s, e = 72 * M_PI / 180 * t;
        return Vec3(10 * std::cos(a) * std::cos(e), 10 * std::sin(a) * std::cos(e), 10 * std::sin(e));
      });
      b.support_where([](const Vec3& p) { return p.y() < 1e-9; }, bits({2, 4, 6}));
      b.support_where([](const Vec3& p) { return p.x() < 1e-9; }, bits({1, 5, 6}));
      const int A = b.nearest(Vec3(10, 0, 0)), B = b.nearest(Vec3(0, 10, 0));
      b.support(A, bits({3}));
      const FeSystem system = assemble(b.mesh);
      const VecX u = solve_static(system, load(b, {{6 * A, 1.0}, {6 * B + 1, -1.0}}));
      compare(kStatic, fmt::format("hemisphere with hole, {0} x {0} {1}", n, label(kind)),
              "displacement under the load", u[6 * A], 0.0940,
              kind == ElementKind::shell4 ? 0.01
              : n == 8                    ? 0.13
                                          : 0.02,
              "MH; converged 0.0935");
    }
  }
}

TEST(MacNealHarder, ThickCylinder) {
  // Plane strain, radii 3 and 9, unit inner pressure; a ring of 10 degrees, five elements with MH's radii.
  const double radii[6] = {3, 3.5, 4.2, 5.2, 6.75, 9};
  for (const ElementKind kind :
       {ElementKind::brick8, ElementKind::brick20, ElementKind::wedge6, ElementKind::tet10}) {
    for (const double nu : {0.3, 0.49}) {
      MeshBuilder b;
      const int steel = b.solid({1000, nu, 1});
      const double angle = 10 * M_PI / 180;
      b.volume(kind, steel, 5, 1, 1, [&](double s, double t, double z) {
        const double x = 5 * s;
        const int i = std::min(4, static_cast<int>(x + 1e-9));
        const double r = radii[i] + (x - i) * (radii[i + 1] - radii[i]);
        return Vec3(r * std::cos(angle * (t - 0.5)), r * std::sin(angle * (t - 0.5)), z);
      });
      // Symmetry planes through the axis are skew: stiff springs would disturb, so turn the wedge's motion
      // instead: radial motion only, by a rigid constraint on the tangential component through a large
      // penalty.
      io::FeMesh& mesh = b.mesh;
      b.support_where([](const Vec3&) { return true; }, bits({3}));
      const FeSystem system = assemble(mesh);
      // Radial unknown per node: u = r_hat q.
      std::vector<Eigen::Triplet<double>> t;
      std::map<int, int> column;
      for (int i = 0; i < system.size(); ++i) {
        const auto& unknown = system.unknowns[static_cast<std::size_t>(i)];
        const Vec3 p = system.positions[static_cast<std::size_t>(unknown.node)];
        const Vec3 radial = Vec3(p.x(), p.y(), 0).normalized();
        const int q = column.try_emplace(unknown.node, static_cast<int>(column.size())).first->second;
        t.emplace_back(i, q, unknown.direction.head<3>().dot(radial));
      }
      SparseMatrix T(system.size(), static_cast<int>(column.size()));
      T.setFromTriplets(t.begin(), t.end());
      FeSystem radial;
      radial.K = T.transpose() * system.K * T;
      radial.to_nodes = system.to_nodes * T;
      // Pressure on the inner face: equal shares at the corners (linear), 1/-12 and 1/3 on serendipity faces.
      const std::vector<int> inner =
          b.nodes_where([](const Vec3& p) { return std::hypot(p.x(), p.y()) < 3 + 1e-6; });
      const double total = 2 * 3 * std::sin(angle / 2);
      VecX f = VecX::Zero(6 * system.nodes());
      for (const int n : inner) {
        const Vec3 p = system.positions[static_cast<std::size_t>(n)];
        const double fraction = [&] {
          const bool mid_t = std::abs(p.y()) < 1e-9, mid_z = std::abs(p.z() - 0.5) < 1e-9;
          if (kind == ElementKind::brick20) return mid_t || mid_z ? 1.0 / 3 : -1.0 / 12;
          if (kind == ElementKind::tet10) return mid_t && mid_z ? 1.0 / 3 : mid_t || mid_z ? 1.0 / 6 : 0.0;
          return 0.25;
        }();
        const Vec3 r = Vec3(p.x(), p.y(), 0).normalized();
        f.segment<3>(6 * n) = fraction * total * r;
      }
      const VecX u = solve_static(radial, f);
      double mean = 0;
      for (const int n : inner) mean += u.segment<3>(6 * n).norm() / static_cast<double>(inner.size());
      // u = (1 + nu) p R1^2 / (E (R2^2 - R1^2)) (R2^2 / r + (1 - 2 nu) r)
      const double theory = (1 + nu) * 9 / (1000 * 72) * (81.0 / 3 + (1 - 2 * nu) * 3);
      compare(kStatic, fmt::format("thick cylinder, nu = {}, 5 {}", nu, label(kind)),
              "radial displacement at the bore", mean, theory, nu > 0.4 ? 0.2 : 0.04,
              "theory; motion held radial");
    }
  }
}

}  // namespace
}  // namespace monocoque::test

// NAFEMS LE1 and LE10 (The Standard NAFEMS Benchmarks, 1990): stress at the inner ellipse, target 92.7 and
// -5.38 MPa. Element stress is read at the node, averaged over its elements.

#include <array>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include "fe/element.h"
#include "fe/solid.h"
#include "fe/stress.h"
#include "fe/support.h"
#include "support/verify_row.h"

namespace monocoque::test {
namespace {

const std::string kStressSection = "Finite elements against published static problems";

Vec3 ellipse(double s, double t) {
  // s from the inner to the outer ellipse, t from the x axis to the y axis.
  const double phi = M_PI / 2 * t;
  return (1 - s) * Vec3(2 * std::cos(phi), std::sin(phi), 0) +
         s * Vec3(3.25 * std::cos(phi), 2.75 * std::sin(phi), 0);
}

TEST(Nafems, LE1EllipticMembrane) {
  for (const ElementKind kind : {ElementKind::shell4, ElementKind::shell3}) {
    for (const int n : {8, 16, 32}) {
      MeshBuilder b;
      const int sheet = b.shell({2.1e11, 0.3, 7800}, 0.1);
      b.surface(kind, sheet, n, n, ellipse);
      b.support_where([](const Vec3&) { return true; }, bits({3, 4, 5}));
      b.support_where([](const Vec3& p) { return p.y() < 1e-9; }, bits({2, 6}));
      b.support_where([](const Vec3& p) { return p.x() < 1e-9; }, bits({1, 6}));
      const FeSystem system = assemble(b.mesh);
      // 10 MPa outwards on the outer edge: half of each straight side to either end.
      VecX f = VecX::Zero(6 * system.nodes());
      for (int j = 0; j < n; ++j) {
        const int a = n + (n + 1) * j, c = a + n + 1;
        const Vec3 side =
            system.positions[static_cast<std::size_t>(c)] - system.positions[static_cast<std::size_t>(a)];
        const Vec3 push = 1e7 * 0.1 * side.cross(Vec3::UnitZ());
        f.segment<3>(6 * a) += 0.5 * push;
        f.segment<3>(6 * c) += 0.5 * push;
      }
      const VecX u = solve_static(system, f);
      const int D = b.nearest(Vec3(2, 0, 0));
      const SparseMatrix recovery = nodal_stress_matrix(b.mesh, {D}, Surface::top);
      const double ours = (recovery * u)[1] / 1e6;
      const double error = std::abs(ours / 92.7 - 1);
      verify_row(kStressSection,
                 fmt::format("NAFEMS LE1 elliptic membrane, {0} x {0} {1}", n, fe::kind_name(kind)),
                 "stress yy at D", fmt::format("{:.2f} MPa", ours), "92.7 MPa", error);
      // Stresses of triangles converge with the first order only.
      if (n == 32) {
        EXPECT_LT(error, kind == ElementKind::shell4 ? 0.01 : 0.12);
      }
      // The extrapolated modal recovery is the same linear map.
      const VecX q = VecX::LinSpaced(system.size(), -1, 1);
      const MatX modal = modal_stress(b.mesh, system, q, {D}, Surface::top);
      EXPECT_LT((modal - recovery * (system.to_nodes * q)).norm(), 1e-9 * modal.norm());
    }
  }
}

/// Nodal forces of a pressure on the face zeta = 1 of every brick there.
void add_pressure(const io::FeMesh& mesh, double pressure, VecX& f) {
  const double g = std::sqrt(0.6), w[3] = {5.0 / 9, 8.0 / 9, 5.0 / 9}, x[3] = {-g, 0, g};
  for (const io::FeElement& e : mesh.elements) {
    const fe::SolidShape& shape = fe::solid_shape(e.kind);
    const int* nodes = mesh.nodes_of(e);
    if (std::abs(mesh.nodes[static_cast<std::size_t>(nodes[4])].p.z() - 0.6) > 1e-9) continue;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        const Vec3 xi(x[i], x[j], 1);
        fe::Gradients dN(3, shape.nodes);
        std::array<double, 20> N{};
        shape.gradients(xi, dN);
        shape.values(xi, N.data());
        Vec3 a = Vec3::Zero(), c = Vec3::Zero();
        for (int k = 0; k < shape.nodes; ++k) {
          a += dN(0, k) * mesh.nodes[static_cast<std::size_t>(nodes[k])].p;
          c += dN(1, k) * mesh.nodes[static_cast<std::size_t>(nodes[k])].p;
        }
        for (int k = 0; k < shape.nodes; ++k) {
          f.segment<3>(6 * nodes[k]) -= w[i] * w[j] * pressure * N[static_cast<std::size_t>(k)] * a.cross(c);
        }
      }
    }
  }
}

TEST(Nafems, LE10ThickPlate) {
  struct Case {
    ElementKind kind;
    int n, m, nz;
    double tolerance;
  };
  for (const Case& c : {Case{ElementKind::brick20, 4, 6, 2, 0.08}, Case{ElementKind::brick20, 8, 12, 4, 0.03},
                        Case{ElementKind::brick8, 12, 18, 6, 0.08}}) {
    MeshBuilder b;
    const int steel = b.solid({2.1e11, 0.3, 7800});
    b.volume(c.kind, steel, c.n, c.m, c.nz,
             [](double s, double t, double z) { return Vec3(ellipse(s, t) + Vec3(0, 0, 0.6 * z)); });
    const auto outer = [](const Vec3& p) {
      return std::pow(p.x() / 3.25, 2) + std::pow(p.y() / 2.75, 2) > 1 - 1e-9;
    };
    b.support_where([](const Vec3& p) { return p.y() < 1e-9; }, bits({2}));
    b.support_where([](const Vec3& p) { return p.x() < 1e-9; }, bits({1}));
    b.support_where(outer, bits({1, 2}));
    b.support_where([&](const Vec3& p) { return outer(p) && std::abs(p.z() - 0.3) < 1e-9; }, bits({3}));
    const FeSystem system = assemble(b.mesh);
    VecX f = VecX::Zero(6 * system.nodes());
    add_pressure(b.mesh, 1e6, f);
    const VecX u = solve_static(system, f);
    const int D = b.nearest(Vec3(2, 0, 0.6));
    const double ours = (nodal_stress_matrix(b.mesh, {D}, Surface::top) * u)[1] / 1e6,
                 error = std::abs(ours / -5.38 - 1);
    verify_row(kStressSection,
               fmt::format("NAFEMS LE10 thick plate, {} x {} x {} {}", c.n, c.m, c.nz, fe::kind_name(c.kind)),
               "stress yy at D", fmt::format("{:.3f} MPa", ours), "-5.38 MPa", error);
    EXPECT_LT(error, c.tolerance);
  }
}

TEST(Stress, BeamForcesAndFibres) {
  MeshBuilder b;
  io::BeamSection s;
  s.area_m2 = 4e-4;
  s.I_y_m4 = 1e-8;
  s.I_z_m4 = 2e-8;
  s.torsion_m4 = 1.5e-8;
  const int p = b.beam({}, s);
  for (int i = 0; i < 3; ++i) b.node(Vec3(0.5 * i, 0, 0));
  io::BeamPlacement placed;
  placed.y_axis = Vec3::UnitY();
  for (int i = 0; i < 2; ++i) b.element(ElementKind::beam2, p, {i, i + 1}, &placed);
  b.support(0);
  const FeSystem system = assemble(b.mesh);
  VecX f = VecX::Zero(18);
  f[12] = 100;
  f[13] = 20;
  const VecX u = solve_static(system, f);
  const auto forces = section_forces(b.mesh, u);
  ASSERT_EQ(forces.size(), 4u);
  EXPECT_NEAR(forces[0].force[0], 100, 1e-8);
  EXPECT_NEAR(forces[0].force[1], 20, 1e-8);
  EXPECT_NEAR(forces[0].force[5], 20, 1e-8);  // M_z = F L at the root
  EXPECT_NEAR(forces[3].force[5], 0, 1e-8);
  EXPECT_NEAR(extreme_fibre_stress(s, forces[0].force, 0.01, 0.005), 100 / 4e-4 + 20 * 0.01 / 2e-8, 1e-3);
}

}  // namespace
}  // namespace monocoque::test

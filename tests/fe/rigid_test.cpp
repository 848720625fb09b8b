// Rigid elements, supports, springs, masses and what is left out.

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include "fe/support.h"

namespace monocoque::test {
namespace {

io::BeamSection section() {
  io::BeamSection s;
  s.area_m2 = 4e-4;
  s.I_y_m4 = 1e-8;
  s.I_z_m4 = 2e-8;
  s.torsion_m4 = 1.5e-8;
  s.shear_y = s.shear_z = 0.8;
  return s;
}

/// The text of the error that assembling throws.
std::string complaint(const io::FeMesh& mesh) {
  try {
    assemble(mesh);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

TEST(Rigid, Rbe2EqualsOffsetOfTheBeam) {
  // The same cantilever twice: by offsets, and by nodes on the axis tied to the outer nodes.
  const Vec3 offset(0.02, 0.1, -0.05);
  MeshBuilder a, b;
  io::BeamPlacement placed;
  placed.y_axis = Vec3::UnitY();
  const io::BeamPlacement plain = placed;
  placed.offset_a_m = placed.offset_b_m = offset;
  const int p = a.beam({}, section()), q = b.beam({}, section());
  for (int i = 0; i < 4; ++i) a.node(Vec3(0.3 * i, 0, 0));
  for (int i = 0; i < 4; ++i) b.node(Vec3(0.3 * i, 0, 0));
  for (int i = 0; i < 4; ++i) {
    b.node(Vec3(0.3 * i, 0, 0) + offset);
    io::RigidSpider r;
    r.id = 100 + i;
    r.independent = i;
    r.dependent = {4 + i};
    b.mesh.rigid.push_back(r);
  }
  for (int i = 0; i < 3; ++i) {
    a.element(ElementKind::beam2, p, {i, i + 1}, &placed);
    b.element(ElementKind::beam2, q, {4 + i, 5 + i}, &plain);
  }
  a.support(0);
  b.support(0);
  const FeSystem A = assemble(a.mesh), B = assemble(b.mesh);
  ASSERT_EQ(A.size(), B.size());
  EXPECT_LT((MatX(A.K) - MatX(B.K)).cwiseAbs().maxCoeff(), 1e-9 * MatX(A.K).cwiseAbs().maxCoeff());
  EXPECT_LT((MatX(A.M) - MatX(B.M)).cwiseAbs().maxCoeff(), 1e-12 * MatX(A.M).cwiseAbs().maxCoeff());
}

TEST(Rigid, ChainsAndRigidMotion) {
  // Two spiders in a row behind a plate, and a mean of plate nodes that holds a mass.
  MeshBuilder b;
  const int sheet = b.shell({}, 0.01);
  b.surface(ElementKind::shell4, sheet, 4, 4, [](double x, double y) { return Vec3(x, y, 0.1 * x * y); });
  const int first = b.node(Vec3(1.5, 0.5, 0.3)), second = b.node(Vec3(2, 0.2, 0.1)),
            mean = b.node(Vec3(0.4, 0.4, 0.5));
  io::RigidSpider outer, inner;
  outer.id = 11;
  outer.independent = second;
  outer.dependent = {first};
  inner.id = 12;
  inner.independent = first;
  inner.dependent = b.nodes_where([](const Vec3& p) { return std::abs(p.x() - 1) < 1e-9; });
  b.mesh.rigid = {inner, outer};
  io::MeanSpider m;
  m.id = 13;
  m.reference = mean;
  for (const int n : {0, 1, 5, 6, 7}) m.legs.push_back({n, 1.0 + 0.3 * n, 7});
  b.mesh.means = {m};
  io::PointMass mass;
  mass.id = 14;
  mass.node = mean;
  mass.mass_kg = 12;
  mass.offset_m = Vec3(0.1, 0.2, -0.1);
  mass.inertia_kg_m2 = Vec3(0.3, 0.4, 0.5).asDiagonal();
  b.mesh.masses = {mass};
  const FeSystem system = assemble(b.mesh);
  const MatX R = rigid_body_modes(system);
  EXPECT_LT((system.K * R).cwiseAbs().maxCoeff(), 1e-10 * MatX(system.K).cwiseAbs().maxCoeff());
  // All nodes follow, the dependent ones too.
  const MatX nodes = system.to_nodes * R;
  for (int n = 0; n < system.nodes(); ++n) {
    const Vec3 p = system.positions[static_cast<std::size_t>(n)];
    EXPECT_LT((nodes.block<3, 3>(6 * n, 3) + skew(p)).cwiseAbs().maxCoeff(), 1e-10) << n;
  }
  const MassProperties total = mass_properties(system);
  EXPECT_NEAR(total.mass_kg, system.mesh_mass_kg, 1e-9 * total.mass_kg);
  const auto f = frequencies(system, 7);
  EXPECT_LT(std::abs(f[5]), 1e-3);
  EXPECT_GT(f[6], 0.5);
}

TEST(Rigid, MeanSpreadsForceByWeightAndMomentByArms) {
  MeshBuilder b;
  const int steel = b.solid({});
  b.volume(ElementKind::brick8, steel, 1, 1, 1, [](double x, double y, double z) { return Vec3(x, y, z); });
  const int reference = b.node(Vec3(0.5, 0.5, 1));
  io::MeanSpider m;
  m.id = 1;
  m.reference = reference;
  for (const int n : b.nodes_where([](const Vec3& p) { return p.z() > 0.9; })) {
    if (n != reference) m.legs.push_back({n, 1, 7});
  }
  b.mesh.means = {m};
  const FeSystem system = assemble(b.mesh);
  VecX f = VecX::Zero(6 * system.nodes());
  f[6 * reference + 2] = 8;
  f[6 * reference + 5] = 4;
  const VecX g = system.to_nodes.transpose() * f;
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
  for (int i = 0; i < system.size(); ++i) {
    const auto& u = system.unknowns[static_cast<std::size_t>(i)];
    const Vec3 F = g[i] * u.direction.head<3>();
    const Vec3 p = system.positions[static_cast<std::size_t>(u.node)] - Vec3(0.5, 0.5, 1);
    force += F;
    moment += p.cross(F);
    if (u.direction[2] == 1 && p.z() > -0.1) {
      EXPECT_NEAR(g[i], 2, 1e-12);
    }
  }
  EXPECT_LT((force - Vec3(0, 0, 8)).norm(), 1e-12);
  EXPECT_LT((moment - Vec3(0, 0, 4)).norm(), 1e-12);
}

TEST(Rigid, ConflictsAreToldWithTheirElements) {
  MeshBuilder b;
  const int p = b.beam({}, section());
  for (int i = 0; i < 4; ++i) b.node(Vec3(i, 0, 0));
  b.element(ElementKind::beam2, p, {0, 1});
  io::RigidSpider r, s;
  r.id = 21;
  r.independent = 1;
  r.dependent = {2};
  s.id = 22;
  s.independent = 3;
  s.dependent = {2};
  b.mesh.rigid = {r, s};
  std::string text = complaint(b.mesh);
  EXPECT_NE(text.find("RBE2 22"), std::string::npos) << text;
  EXPECT_NE(text.find("RBE2 21"), std::string::npos) << text;
  // In a circle.
  s.independent = 2;
  s.dependent = {1};
  b.mesh.rigid = {r, s};
  text = complaint(b.mesh);
  EXPECT_NE(text.find("circle"), std::string::npos) << text;
  EXPECT_NE(text.find("RBE2 21, RBE2 22"), std::string::npos) << text;
  // Dependent and supported.
  b.mesh.rigid = {r};
  b.support(2, bits({3}));
  text = complaint(b.mesh);
  EXPECT_NE(text.find("RBE2 21"), std::string::npos) << text;
  EXPECT_NE(text.find("supported"), std::string::npos) << text;
  // A mean of legs on one line cannot turn about it.
  b.mesh.supports.clear();
  b.mesh.rigid.clear();
  io::MeanSpider m;
  m.id = 23;
  m.reference = 3;
  m.legs = {{0, 1, 7}, {1, 1, 7}};
  b.mesh.means = {m};
  text = complaint(b.mesh);
  EXPECT_NE(text.find("RBE3 23"), std::string::npos) << text;
  EXPECT_NE(text.find("theta_x of node 4"), std::string::npos) << text;
}

TEST(Rigid, PartialComponentsLeaveTheRestFree) {
  // A hinge: only translations follow, so the second beam turns freely about the joint.
  MeshBuilder b;
  const int p = b.beam({}, section());
  for (const double x : {0.0, 1.0, 1.0, 2.0}) b.node(Vec3(x, 0, 0));
  b.element(ElementKind::beam2, p, {0, 1});
  b.element(ElementKind::beam2, p, {2, 3});
  io::RigidSpider r;
  r.independent = 1;
  r.dependent = {2};
  r.components = bits({1, 2, 3});
  b.mesh.rigid = {r};
  b.support(0);
  const FeSystem system = assemble(b.mesh);
  EXPECT_EQ(system.size(), 6 + 3 + 6);
  const auto f = frequencies(system, 4);
  for (int k = 0; k < 3; ++k) EXPECT_LT(std::abs(f[static_cast<std::size_t>(k)]), 1e-2);
  EXPECT_GT(f[3], 1);
}

TEST(LeftOut, NodesAndRotationsWithoutStiffness) {
  MeshBuilder b;
  const int steel = b.solid({});
  b.volume(ElementKind::brick8, steel, 1, 1, 1, [](double x, double y, double z) { return Vec3(x, y, z); });
  const int loose = b.node(Vec3(5, 5, 5)), heavy = b.node(Vec3(6, 5, 5));
  io::PointMass m;
  m.id = 1;
  m.node = heavy;
  m.mass_kg = 3;
  b.mesh.masses = {m};
  io::PointSpring s;
  s.id = 2;
  s.node_a = 0;
  s.component_a = 5;  // the only rotation that a solid's node gets
  s.stiffness = 10;
  b.mesh.springs = {s};
  const FeSystem system = assemble(b.mesh);
  EXPECT_EQ(system.size(), 25);
  EXPECT_FALSE(system.stiff[static_cast<std::size_t>(loose)][0]);
  EXPECT_FALSE(system.stiff[static_cast<std::size_t>(heavy)][0]);
  EXPECT_TRUE(system.stiff[0][2]);
  EXPECT_FALSE(system.stiff[0][3]);
  EXPECT_TRUE(system.stiff[0][5]);
  ASSERT_EQ(system.notes.size(), 1u);
  EXPECT_NE(system.notes[0].find("3 kg"), std::string::npos) << system.notes[0];
  EXPECT_NEAR(system.mesh_mass_kg, 7853, 1e-9 * 7853);
}

TEST(LeftOut, TorsionOfASkewRod) {
  // One rotation of three, along the rod, which is along no axis; rigid motion must still strain nothing.
  MeshBuilder b;
  io::BeamSection s = section();
  const int p = b.beam({}, s);
  b.node(Vec3(0, 0, 0));
  b.node(Vec3(1, 2, 0.5));
  b.element(ElementKind::rod2, p, {0, 1});
  const FeSystem system = assemble(b.mesh);
  EXPECT_EQ(system.size(), 8);  // three translations with mass, one rotation, per node
  const MatX R = rigid_body_modes(system);
  EXPECT_LT((system.K * R).cwiseAbs().maxCoeff(), 1e-10 * MatX(system.K).cwiseAbs().maxCoeff());
}

TEST(Parts, AreCountedAndExplained) {
  MeshBuilder b;
  const int sheet = b.shell({}, 0.01);
  b.surface(ElementKind::shell4, sheet, 4, 4, [](double x, double y) { return Vec3(x, y, 0); });
  b.surface(ElementKind::shell4, sheet, 2, 2, [](double x, double y) { return Vec3(x + 3, y, 0); });
  const auto parts = connected_parts(b.mesh);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].nodes, 25);
  EXPECT_EQ(parts[1].nodes, 9);
  EXPECT_EQ(parts[1].example_node, 26);
  EXPECT_NE(explain_parts(parts).find("12 zero modes"), std::string::npos);
}

TEST(Mass, PlateAndBoxAgainstClosedForms) {
  MeshBuilder b;
  const int steel = b.solid({2.1e11, 0.3, 1000});
  b.volume(ElementKind::brick20, steel, 2, 2, 2,
           [](double x, double y, double z) { return Vec3(1 + x, 2 * y, 3 * z); });
  const MassProperties m = mass_properties(assemble(b.mesh));
  EXPECT_NEAR(m.mass_kg, 6000, 1e-8);
  EXPECT_LT((m.centre - Vec3(1.5, 1, 1.5)).norm(), 1e-12);
  const Vec3 inertia = 500 * Vec3(4 + 9, 1 + 9, 1 + 4);
  EXPECT_LT((m.inertia - Mat3(inertia.asDiagonal())).cwiseAbs().maxCoeff(), 1e-7);
}

}  // namespace
}  // namespace monocoque::test

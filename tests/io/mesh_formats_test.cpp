// The same mesh in several formats, through the writers, the reference meshes, assembled matrices.

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include "io/mesh/assembled.h"
#include "mesh_testing.h"
#include "support/reference_files.h"

namespace monocoque::io::test {
namespace {

namespace fs = std::filesystem;
using monocoque::test::reference;

std::string scratch(const std::string& name) {
  return (fs::temp_directory_path() / fmt::format("monocoque_mesh_{}_{}", getpid(), name)).string();
}

/// Nodes and elements by id; tolerance for formats with sixteen characters per number.
void expect_same(const FeMesh& a, const FeMesh& b, double tolerance) {
  ASSERT_EQ(a.nodes.size(), b.nodes.size());
  for (std::size_t i = 0; i < a.nodes.size(); ++i) {
    EXPECT_EQ(a.nodes[i].id, b.nodes[i].id);
    EXPECT_LE((a.nodes[i].p - b.nodes[i].p).norm(), tolerance);
  }
  ASSERT_EQ(a.elements.size(), b.elements.size());
  std::map<std::pair<ElementKind, long>, std::size_t> by_id;
  for (std::size_t i = 0; i < b.elements.size(); ++i) by_id[{b.elements[i].kind, b.elements[i].id}] = i;
  for (std::size_t i = 0; i < a.elements.size(); ++i) {
    const auto it = by_id.find({a.elements[i].kind, a.elements[i].id});
    ASSERT_NE(it, by_id.end());
    EXPECT_EQ(corners(a, i), corners(b, it->second));
    const FeProperty& p = a.properties[static_cast<std::size_t>(a.elements[i].property)];
    const FeProperty& q = b.properties[static_cast<std::size_t>(b.elements[it->second].property)];
    EXPECT_EQ(p.kind, q.kind);
    EXPECT_NEAR(p.shell.thickness_m, q.shell.thickness_m, 1e-12);
    EXPECT_NEAR(p.shell.offset_m, q.shell.offset_m, 1e-12);
    EXPECT_NEAR(p.beam.area_m2, q.beam.area_m2, 1e-12);
    EXPECT_NEAR(p.beam.I_y_m4, q.beam.I_y_m4, 1e-18);
    EXPECT_NEAR(p.beam.I_z_m4, q.beam.I_z_m4, 1e-18);
    const FeMaterial& s = a.materials[static_cast<std::size_t>(p.material)];
    const FeMaterial& t = b.materials[static_cast<std::size_t>(q.material)];
    EXPECT_NEAR(s.young_Pa, t.young_Pa, 1e-9 * s.young_Pa);
    EXPECT_NEAR(s.density_kg_per_m3, t.density_kg_per_m3, 1e-9 * s.density_kg_per_m3);
  }
}

TEST(MeshFormats, TheSameMeshReadsEqual) {
  const FeMesh a = nastran(
      "MAT1,1,2.1+11,,.3,7850.\nPSHELL,1,1,.002,1,,1\nPSOLID,2,1\nGRID,1\nGRID,2,,1.\nGRID,3,,1.,1.\nGRID,4,,"
      "0.,1.\nGRID,5,,0.,0.,1.\n"
      "GRID,6,,1.,0.,1.\nGRID,7,,1.,1.,1.\nGRID,8,,0.,1.,1.\nCHEXA,1,2,1,2,3,4,5,6\n,7,8\nCQUAD4,2,1,1,2,3,"
      "4\nCTRIA3,3,1,5,6,7\nCTETRA,4,2,1,2,3,5\n");
  const FeMesh b = abaqus(
      "*NODE\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n*ELEMENT,TYPE=C3D8,"
      "ELSET=A\n1,1,2,3,4,5,6,7,8\n"
      "*ELEMENT,TYPE=S4,ELSET=B\n2,1,2,3,4\n*ELEMENT,TYPE=S3,ELSET=B\n3,5,6,7\n*ELEMENT,TYPE=C3D4,ELSET=A\n4,"
      "1,2,3,5\n*MATERIAL,NAME=M\n"
      "*ELASTIC\n2.1e11,.3\n*DENSITY\n7850\n*SOLID SECTION,ELSET=A,MATERIAL=M\n*SHELL "
      "SECTION,ELSET=B,MATERIAL=M\n.002\n");
  const FeMesh c = lsdyna(
      "*NODE\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n*ELEMENT_SOLID\n1,2,1,"
      "2,3,4,5,6,7,8\n4,2,1,2,3,5,5,5,5,5\n"
      "*ELEMENT_SHELL\n2,1,1,2,3,4\n3,1,5,6,7,7\n*PART\na\n1,1,1\n*PART\nb\n2,2,1\n*SECTION_SHELL\n1,2\n."
      "002\n*SECTION_SOLID\n2,1\n*MAT_ELASTIC\n1,7850,2.1e11,.3\n");
  expect_same(a, b, 0);
  expect_same(a, c, 0);
}

TEST(MeshFormats, WritersAreReadAgain) {
  std::string text =
      "MAT1,1,2.1+11,,.3,7850.\nPSHELL,1,1,.002,1,,1\nPSOLID,2,1\nPBAR,3,1,1.-4,2.-9,3.-9,4.-9\nPROD,4,1,2.-"
      "4\n";
  for (int i = 1; i <= 20; ++i)
    text += fmt::format("GRID,{},,{},{},{}\n", i, 1. / i, 0.1 * i * i, 1. / (3 + i));
  text +=
      "CHEXA,1,2,1,2,3,4,5,6\n,7,8,9,10,11,12,13,14\n,15,16,17,18,19,20\nCQUAD4,2,1,1,2,3,4,,.001\nCBAR,3,3,"
      "1,9,0.,1.,0.\n,5,,0.,.01,0.,0.,.01,0.\n"
      "CROD,4,4,1,10\nCPENTA,5,2,1,2,3,5,6,7\nCTETRA,6,2,1,2,3,5\nRBE2,7,11,123456,12,13,14,15,16\n,17\nRBE2,"
      "8,11,123,18\nRBE3,9,,19,123456,1.,123,1,2\n,3\n"
      "CONM2,10,1,,2.\n,1.,.1,2.,.2,.3,3.\nCELAS2,11,100.,1,1,2,2\nCELAS2,12,100.,3,3\nSPC1,1,123,4,5\n";
  const FeMesh a = nastran(text);
  const std::string nas = scratch("a.nas"), inp = scratch("a.inp");
  write_nastran(a, nas);
  write_inp(a, inp);
  const FeMesh b = read_fe_mesh(nas, {}), c = read_fe_mesh(inp, {});
  fs::remove(nas);
  fs::remove(inp);
  expect_same(a, b, 1e-13);
  expect_same(a, c, 0);
  const BeamPlacement& beam = b.beams.at(0);
  EXPECT_EQ(beam.release_a, 16);
  EXPECT_EQ(beam.offset_b_m, Vec3(0, 0.01, 0));
  for (const FeMesh* m : {&b, &c}) {
    ASSERT_EQ(m->rigid.size(), 2u);
    EXPECT_EQ(m->rigid[0].dependent, a.rigid[0].dependent);
    EXPECT_EQ(m->rigid[1].components, 7);
    ASSERT_EQ(m->means.size(), 1u);
    EXPECT_EQ(m->means[0].legs.size(), 3u);
    EXPECT_EQ(m->springs.size(), 2u);
    EXPECT_EQ(m->supports.size(), 2u);
  }
  EXPECT_EQ(b.masses.at(0).inertia_kg_m2, a.masses.at(0).inertia_kg_m2);
  EXPECT_EQ(c.masses.at(1).inertia_kg_m2, a.masses.at(0).inertia_kg_m2);
}

TEST(MeshFormats, UnknownEndingIsNamed) {
  try {
    read_fe_mesh("part.stl", {});
    FAIL();
  } catch (const Error& e) {
    EXPECT_SAYS(std::string(e.what()),
                "part.stl: the ending '.STL' is of no known mesh format; name it .nas");
  }
  EXPECT_SAYS(mistakes_of([](const std::string& p, const FeReadOptions& o) { return read_fe_mesh(p, o); },
                          "no/such.inp"),
              "no/such.inp: the file does not exist");
}

/// Counts that NOTES.md beside the files gives. Millimetres, tonnes and seconds in full_car and wheel.
struct MeshCounts {
  std::string name;
  std::size_t nodes, rigid;
  std::map<ElementKind, long> elements;
  bool millimetres;
};

void PrintTo(const MeshCounts& c, std::ostream* out) {
  *out << c.name;
}

FeMesh read_counted(const std::string& path, bool millimetres) {
  FeReadOptions o;
  if (millimetres) o.units = {1e-3, 1e3, 1};
  return read_fe_mesh(path, o);
}

class ReferenceMesh : public testing::TestWithParam<MeshCounts> {};

TEST_P(ReferenceMesh, HasTheCountsOfTheNotes) {
  const MeshCounts& c = GetParam();
  const std::string path = reference("fe/" + c.name);
  MONOCOQUE_NEEDS(path);
  const FeMesh m = read_counted(path, c.millimetres);
  EXPECT_EQ(m.nodes.size(), c.nodes);
  EXPECT_EQ(m.rigid.size(), c.rigid);
  EXPECT_EQ(summary_of(m).elements, c.elements);
}

INSTANTIATE_TEST_SUITE_P(
    Files, ReferenceMesh,
    testing::Values(
        MeshCounts{"full_car.nas",
                   4755,
                   0,
                   {{ElementKind::shell4, 4434}, {ElementKind::brick8, 642}, {ElementKind::rod2, 50}},
                   true},
        MeshCounts{"knuckle.nas", 7668, 5, {{ElementKind::tet10, 3992}}, false},
        MeshCounts{"uca.nas", 2160, 3, {{ElementKind::tet4, 6743}}, false},
        MeshCounts{"knuckle.inp", 7664, 0, {{ElementKind::tet10, 3992}}, false},
        MeshCounts{"uca.inp", 2157, 0, {{ElementKind::tet4, 6743}}, false},
        MeshCounts{"wheel.k", 11825, 0, {{ElementKind::shell4, 11553}}, true}),
    [](const auto& info) {
      std::string name = info.param.name;
      std::replace(name.begin(), name.end(), '.', '_');
      return name;
    });

TEST(ReferenceMeshes, SizeAndMassOfTheCar) {
  const std::string path = reference("fe/full_car.nas");
  MONOCOQUE_NEEDS(path);
  const FeMesh m = read_counted(path, true);
  // 3.56 x 1.65 x 1.47 m
  const MeshSummary s = summary_of(m);
  EXPECT_LT((s.high - s.low - Vec3(3.565, 1.65, 1.47)).norm(), 1e-3);
  // Shells of properties 1 to 7 and 15 to 19: 3510 elements, 398.55 kg.
  double mass = 0;
  int count = 0;
  for (const FeElement& e : m.elements) {
    const FeProperty& p = m.properties[static_cast<std::size_t>(e.property)];
    if (e.kind != ElementKind::shell4 || !(p.id <= 7 || (p.id >= 15 && p.id <= 19))) continue;
    const int* n = m.nodes_of(e);
    const auto at = [&](int k) { return m.nodes[static_cast<std::size_t>(n[k])].p; };
    const Vec3 normal = (at(2) - at(0)).cross(at(3) - at(1));
    mass += normal.norm() / 2 * p.shell.thickness_m *
            m.materials[static_cast<std::size_t>(p.material)].density_kg_per_m3;
    ++count;
  }
  EXPECT_EQ(count, 3510);
  // Warped quadrangles have no one area: half of the cross product of the diagonals is a little less.
  EXPECT_NEAR(mass, 398.55, 0.5);
}

TEST(ReferenceMeshes, NastranAndInpAgree) {
  for (const std::string name : {"uca", "knuckle"}) {
    const std::string nas = reference("fe/" + name + ".nas"), inp = reference("fe/" + name + ".inp");
    MONOCOQUE_NEEDS(nas);
    MONOCOQUE_NEEDS(inp);
    const FeMesh a = read_fe_mesh(nas, {}), b = read_fe_mesh(inp, {});
    std::map<long, Vec3> places;
    for (const FeNode& n : a.nodes) places[n.id] = n.p;
    // The .inp has ten digits of what was computed from the local system of the .nas.
    for (const FeNode& n : b.nodes) EXPECT_LT((places.at(n.id) - n.p).norm(), 1e-8) << name << n.id;
    ASSERT_EQ(a.elements.size(), b.elements.size());
    for (std::size_t i = 0; i < a.elements.size(); ++i) EXPECT_EQ(corners(a, i), corners(b, i));
    EXPECT_EQ(a.materials[0].young_Pa, 206.8e9);
  }
}

AssembledMatrices assembled(const std::string& K, const std::string& M, const std::string& rows,
                            const std::string& nodes, const FeUnits& units = {}) {
  return read_assembled_text({K, M, rows, nodes}, {"a.sti", "a.mas", "a.dof", "nodes.csv"}, units);
}

TEST(Assembled, MarketAndCalculixFormsAgree) {
  const std::string nodes = "node,x,y,z\n7,1,2,3\n5,4,5,6\n9,0,0,0\n";
  const AssembledMatrices a =
      assembled("1 1 2.\n2 1 -1.\n2 2 3.\n3 3 4.\n", "1 1 1.\n2 2 1.D0\n3 3 1\n", "7.1\n7.2\n5.6\n", nodes);
  ASSERT_EQ(a.size(), 3);
  ASSERT_EQ(a.nodes.size(), 2u);
  EXPECT_EQ(a.nodes[0].id, 5);
  EXPECT_EQ(a.nodes[1].p, Vec3(1, 2, 3));
  EXPECT_EQ(a.rows[0].node, 1);
  EXPECT_EQ(a.rows[2].component, 5);
  ASSERT_EQ(a.K.size(), 4u);
  EXPECT_EQ(a.K[1].row, 1);
  EXPECT_EQ(a.K[1].column, 0);
  EXPECT_EQ(a.K[1].value, -1);
  const AssembledMatrices b = assembled(
      "%%MatrixMarket matrix coordinate real general\n% remark\n3 3 5\n1 1 2\n1 2 -1\n2 1 -1\n2 2 3\n3 3 4\n",
      "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 1\n2 2 1\n3 3 1\n",
      "row,node,component\n1,7,1\n2,7,2\n3,5,6\n", nodes, {1e-3, 1e3, 1});
  ASSERT_EQ(b.K.size(), 4u);
  EXPECT_NEAR(b.K[1].value, -1000, 1e-9);
  EXPECT_NEAR(b.K[3].value, 4e-3, 1e-15);
  EXPECT_NEAR(b.M[2].value, 1e-3, 1e-15);
  EXPECT_NEAR(b.nodes[0].p.x(), 4e-3, 1e-18);
}

TEST(Assembled, Mistakes) {
  const auto what = [](const std::string& K, const std::string& rows) {
    try {
      assembled(K, "1 1 1\n", rows, "1,0,0,0\n");
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_SAYS(what("1 1 x\n", "1.1\n"), "a.sti:1: stiffness matrix: '1 1 x' is no entry");
  EXPECT_SAYS(what("1 9 1\n", "1.1\n"), "entry 1 9 is outside, the map has 1 rows");
  EXPECT_SAYS(what("1 1 1\n", "1.7\n"), "a.dof:1: node 1 component 7");
  EXPECT_SAYS(what("1 1 1\n", "1.1\n1.1\n"), "component 1 has two rows");
  EXPECT_SAYS(what("1 1 1\n", "2.1\n"), "node 2: its place is missing");
  EXPECT_SAYS(
      what("%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 1\n1 2 1\n2 1 5\n", "1.1\n1.2\n"),
      "the matrix is not symmetric");
  EXPECT_SAYS(what("%%MatrixMarket matrix coordinate real symmetric\n1 1 999999999999\n1 1 1\n", "1.1\n"),
              "it has 1 of 999999999999 entries");
  EXPECT_SAYS(what("%%MatrixMarket matrix array complex general\n1 1 1\n", "1.1\n"), "is not supported");
}

}  // namespace
}  // namespace monocoque::io::test

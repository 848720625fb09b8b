// LS-DYNA keyword files: fixed, long and comma forms, degenerate solids, parts, rigid bodies, mistakes.

#include "mesh_testing.h"

namespace monocoque::io::test {
namespace {

const std::string kNodes =
    "*KEYWORD\n*NODE\n$#   nid               x               y               z      tc      rc\n"
    "       1              0.              0.              0.       0       0\n"
    "       2              1.              0.              0.       7       7\n"
    "       3              1.              1.              0.\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n";
const std::string kParts =
    "*PART\nskin\n         1         1         1\n*PART\nblock\n         2         2         1\nbars\n3,3,1\n"
    "*SECTION_SHELL_TITLE\nfirst\n         1        16     0.833         3\n  2.0E-03     0.002     0.002    "
    " 0.002       1.0\n"
    "*SECTION_SOLID\n2,1\n*SECTION_BEAM\n3,1,,,1\n.02,.02,.01,.01\n"
    "*MAT_PIECEWISE_LINEAR_PLASTICITY\n         1    7850.02.1000E+11       0.3\n       0.0\n";

TEST(LsDyna, ElementsAndParts) {
  const FeMesh m = lsdyna(
      kNodes + kParts +
      "*ELEMENT_SHELL\n       1       1       1       2       3       4\n       2       1       1       2    "
      "   3       3\n"
      "*ELEMENT_SHELL_THICKNESS\n       3       1       1       2       6       5\n.003,.003,.003,.005\n"
      "*ELEMENT_SOLID\n       1       2       1       2       3       4       5       6       7       8\n"
      "2,2\n1,2,3,5,5,5,5,5\n3,2,1,2,3,4,5,5,8,8\n4,2,1,2,3,3,5,6,7,7\n"
      "*ELEMENT_BEAM\n1,3,1,5,2,0,7\n*ELEMENT_MASS\n      10       7             2.5\n"
      "*SET_NODE_LIST_TITLE\nhole\n        12\n         5         6         7         8         0\n"
      "*CONSTRAINED_NODAL_RIGID_BODY\n        20         0        12         8\n*CONSTRAINED_SPOTWELD\n1,3\n"
      "*BOUNDARY_SPC_SET\n12,0,1,0,1\n*CONTROL_TERMINATION\n1.\n*END\nnonsense\n");
  ASSERT_EQ(m.nodes.size(), 8u);
  ASSERT_EQ(m.elements.size(), 8u);
  EXPECT_EQ(m.elements[0].kind, ElementKind::shell4);
  EXPECT_EQ(m.elements[1].kind, ElementKind::shell3);
  EXPECT_EQ(m.elements[3].kind, ElementKind::brick8);
  EXPECT_EQ(m.elements[4].kind, ElementKind::tet4);
  EXPECT_EQ(corners(m, 4), (std::vector<long>{1, 2, 3, 5}));
  // Base 1 2 3 4 with the ridge 5 8 above: triangles 1 5 2 and 4 8 3.
  EXPECT_EQ(m.elements[5].kind, ElementKind::wedge6);
  EXPECT_EQ(corners(m, 5), (std::vector<long>{1, 5, 2, 4, 8, 3}));
  EXPECT_EQ(corners(m, 6), (std::vector<long>{1, 2, 3, 5, 6, 7}));
  const auto property = [&m](std::size_t i) {
    return m.properties[static_cast<std::size_t>(m.elements[i].property)];
  };
  EXPECT_EQ(property(0).name, "skin");
  EXPECT_EQ(property(0).shell.shear_ratio, 0.833);
  EXPECT_EQ(property(0).shell.offset_m, -0.001);
  EXPECT_NEAR(property(2).shell.thickness_m, 0.0035, 1e-17);
  EXPECT_NEAR(property(7).beam.area_m2, 3.14159265358979 * (1e-4 - 0.25e-4), 1e-15);
  const BeamPlacement& beam = m.beams[static_cast<std::size_t>(m.elements[7].placement)];
  EXPECT_EQ(beam.y_axis, Vec3(1, 0, 0));
  EXPECT_EQ(beam.release_a, 0b111000);
  ASSERT_EQ(m.rigid.size(), 2u);
  EXPECT_EQ(m.node_sets.at("hole"), (std::vector<int>{4, 5, 6, 7}));
  EXPECT_EQ(m.node_sets.at("12").size(), 4u);
  EXPECT_EQ(m.supports.size(), 1u + 4);
  EXPECT_EQ(m.supports[0].components, 63);
  EXPECT_EQ(m.supports[1].components, 5);
  ASSERT_EQ(m.masses.size(), 1u);
  EXPECT_EQ(m.materials[0].young_Pa, 2.1e11);
  ASSERT_EQ(m.unknown.size(), 1u);
}

TEST(LsDyna, TenNodesLongFormAndParameters) {
  std::string text =
      "*KEYWORD LONG=S\n*PARAMETER\nRemod               2.1e11              Rt                  "
      ".004\n*NODE\n";
  char line[128];
  for (int i = 1; i <= 10; ++i) {
    std::snprintf(line, sizeof line, "%20d%20.10f%20.10f%20.10f\n", i, 0.1 * i, 0.2 * i, 0.01 * i * i);
    text += line;
  }
  text +=
      "*ELEMENT_SOLID-\n       1       2\n       1       2       3       4       5       6       7       8   "
      "    9      10\n"
      "*ELEMENT_SHELL-\n       1       1       1       2       3\n"
      "*PART-\nskin\n1,1,1\nblock\n2,2,1\n*SECTION_SHELL-\n1,2\n&t\n*SECTION_SOLID-\n2,16\n*MAT_ELASTIC-\n   "
      "      1     7850.    &emod        .3\n";
  const FeMesh m = lsdyna(text);
  EXPECT_EQ(m.elements[0].kind, ElementKind::tet10);
  EXPECT_EQ(m.elements[1].kind, ElementKind::shell3);
  EXPECT_EQ(m.materials[0].young_Pa, 2.1e11);
  EXPECT_EQ(m.properties[0].shell.thickness_m, 0.004);
  EXPECT_NEAR(m.nodes[9].p.z(), 1, 1e-12);
}

TEST(LsDyna, Mistakes) {
  const std::string what =
      mistakes_of(lsdyna, kNodes + kParts +
                              "*NODE\n9,a,0,0\n*ELEMENT_SHELL\n1,1,1,2,3,99\n2,7,1,2,3,4\n3,1,1,2\n4,2,1,2,3,"
                              "4\n*ELEMENT_SOLID\n5,2,1,2,3,4,5,5,5,5\n"
                              "*PART\nlost\n9,9,9\n*MAT_HYPERELASTIC_RUBBER\n5,1.\n*ELEMENT_DISCRETE\n1,1,1,"
                              "2\n*CONSTRAINED_EXTRA_NODES_NODE\n1,2\n"
                              "*CONSTRAINED_NODAL_RIGID_BODY\n1,0,44\n*MAT_ELASTIC\n8,&none,1.\n*INCLUDE\na."
                              "k\n*SECTION_BEAM\n8,1,,,0\n1.,1.,-1.\n");
  for (const char* part :
       {"*NODE: coordinate is 'a', it must be a number", "shell 1: node 99 does not exist",
        "shell 2: property 7 does not exist", "element 3 has not three nodes",
        "shell 4: property 2 is for a solid, it must be for a shell", "*ELEMENT_SOLID as pyramid",
        "*PART 9: section 9 does not exist", "*MAT_HYPERELASTIC_RUBBER: 1 of this kind",
        "*ELEMENT_DISCRETE: 1 of this kind", "*CONSTRAINED_EXTRA_NODES_NODE: 1 of this kind",
        "node set 44 does not exist", "parameter '&none' does not exist", "closes a circle of files",
        "do not make a section"})
    EXPECT_SAYS(what, part);
}

}  // namespace
}  // namespace monocoque::io::test

// Abaqus and CalculiX input: elements, sets, sections, couplings, mistakes.

#include "mesh_testing.h"

namespace monocoque::io::test {
namespace {

const std::string kCube =
    "*HEADING\na cube\n*NODE, "
    "NSET=ALL\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n"
    "*MATERIAL, NAME=Steel\n*ELASTIC\n2.1e11, 0.3\n*DENSITY\n7850.,\n*EXPANSION\n1e-5\n";

TEST(Abaqus, ElementsSetsAndSections) {
  const FeMesh m = abaqus(kCube +
                          "** a comment\n*Element, type=C3D8I, elset=brick\n1, "
                          "1,2,3,4,\n5,6,7,8\n*ELEMENT,TYPE=S4R,ELSET=skin\n2,1,2,3,4\n"
                          "*ELEMENT,TYPE=B31,ELSET=bars\n3,1,5\n4,2,6,3\n*ELEMENT,TYPE=B32,ELSET=bars\n5,4,3,"
                          "2\n*ELEMENT,TYPE=T3D2,ELSET=rods\n6,3,7\n"
                          "*NSET,NSET=top,GENERATE\n5,8\n*NSET,NSET=both\ntop,\n1,2,\n*NSET,NSET=odd,"
                          "GENERATE\n1,8,2\n*ELSET,ELSET=rest\nbars,rods,2\n"
                          "*SOLID SECTION,ELSET=brick,MATERIAL=STEEL\n*SHELL "
                          "SECTION,ELSET=skin,MATERIAL=steel,OFFSET=SPOS\n.002,5\n"
                          "*BEAM SECTION,ELSET=bars,MATERIAL=Steel,SECTION=RECT\n.02,.03\n0.,1.,0.\n*SOLID "
                          "SECTION,ELSET=rods,MATERIAL=Steel\n1e-4\n"
                          "*STEP\n*FREQUENCY\n10\n*BOUNDARY\n1,1,3\n*END STEP\n");
  ASSERT_EQ(m.elements.size(), 6u);
  EXPECT_EQ(corners(m, 0), (std::vector<long>{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(corners(m, 4), (std::vector<long>{4, 2, 3}));  // the middle node last
  EXPECT_EQ(m.elements[4].kind, ElementKind::beam3);
  EXPECT_EQ(m.node_sets.at("BOTH").size(), 6u);
  EXPECT_EQ(m.node_sets.at("ODD"), (std::vector<int>{0, 2, 4, 6}));
  EXPECT_EQ(m.node_sets.at("ALL").size(), 8u);
  EXPECT_EQ(m.element_sets.at("REST"), (std::vector<int>{1, 2, 3, 4, 5}));
  const auto property = [&m](std::size_t i) {
    return m.properties[static_cast<std::size_t>(m.elements[i].property)];
  };
  EXPECT_EQ(property(1).shell.thickness_m, 0.002);
  EXPECT_EQ(property(1).shell.offset_m, -0.001);
  EXPECT_EQ(property(5).beam.area_m2, 1e-4);
  EXPECT_EQ(property(5).kind, PropertyKind::rod);
  // 0.02 along direction 1, which is y here: bending about y is governed by the 0.03 along z.
  EXPECT_NEAR(property(2).beam.I_y_m4, 0.02 * 2.7e-5 / 12, 1e-20);
  EXPECT_EQ(m.beams[static_cast<std::size_t>(m.elements[2].placement)].y_axis, Vec3(0, 1, 0));
  EXPECT_EQ(m.beams[static_cast<std::size_t>(m.elements[3].placement)].y_axis, Vec3(0, 1, 0));
  EXPECT_TRUE(m.supports.empty());
  EXPECT_EQ(m.materials[0].density_kg_per_m3, 7850);
  ASSERT_EQ(m.unknown.size(), 1u);
  EXPECT_EQ(m.unknown[0].name, "*EXPANSION");
}

TEST(Abaqus, MassesSpringsAndCouplings) {
  const FeMesh m = abaqus(
      kCube +
      "*ELEMENT,TYPE=C3D8,ELSET=E\n1,1,2,3,4,5,6,7,8\n*SOLID SECTION,ELSET=E,MATERIAL=STEEL\n"
      "*NODE\n101,.5,.5,2\n102,.5,.5,-1\n103,0,0,0\n"
      "*ELEMENT,TYPE=SPRINGA,ELSET=KA\n20,1,101\n*SPRING,ELSET=KA\n\n1000.\n"
      "*ELEMENT,TYPE=MASS,ELSET=PM\n10,101\n*MASS,ELSET=PM\n2.5\n*ELEMENT,TYPE=ROTARYI,ELSET=PR\n11,101\n"
      "*ROTARY "
      "INERTIA,ELSET=PR\n1,2,3,.1,.2,.3\n*ELEMENT,TYPE=SPRING1,ELSET=K1\n12,1\n*SPRING,ELSET=K1\n3\n500.\n"
      "*ELEMENT,TYPE=SPRING2,ELSET=K2\n13,1,2\n*SPRING,ELSET=K2\n1,2\n600.\n"
      "*SURFACE,NAME=UP\nE,S2\n*COUPLING,CONSTRAINT NAME=C,REF NODE=101,SURFACE=UP\n*KINEMATIC\n1,3\n"
      "*SURFACE,TYPE=NODE,NAME=DOWN\n1,\n2,\n3,\n*COUPLING,CONSTRAINT NAME=D,REF "
      "NODE=102,SURFACE=DOWN\n*DISTRIBUTING\n"
      "*MPC\nBEAM,4,102\nTIE,103,1\n*NSET,NSET=S\n7,8\n*RIGID BODY,NSET=S,REF "
      "NODE=101\n*BOUNDARY\n5,1,2\n6,ENCASTRE\nS,3,,0.\n");
  ASSERT_EQ(m.masses.size(), 2u);
  EXPECT_EQ(m.masses[0].mass_kg, 2.5);
  EXPECT_EQ(m.masses[1].inertia_kg_m2(0, 2), 0.2);
  ASSERT_EQ(m.springs.size(), 2u);
  EXPECT_EQ(m.springs[0].component_a, 2);
  EXPECT_EQ(m.springs[1].component_b, 1);
  ASSERT_EQ(m.elements.size(), 2u);
  const FeProperty& rod = m.properties[static_cast<std::size_t>(m.elements[1].property)];
  // E A / L = k
  EXPECT_NEAR(m.materials[static_cast<std::size_t>(rod.material)].young_Pa / std::sqrt(0.5 + 4), 1000, 1e-9);
  ASSERT_EQ(m.rigid.size(), 4u);
  EXPECT_EQ(m.rigid[0].components, 7);
  EXPECT_EQ(m.rigid[0].dependent, (std::vector<int>{4, 5, 6, 7}));
  EXPECT_EQ(m.rigid[1].dependent, (std::vector<int>{6, 7}));
  ASSERT_EQ(m.means.size(), 1u);
  EXPECT_EQ(m.means[0].legs.size(), 3u);
  ASSERT_EQ(m.supports.size(), 4u);
  EXPECT_EQ(m.supports[0].components, 3);
  EXPECT_EQ(m.supports[1].components, 63);
  EXPECT_EQ(m.supports[2].components, 4);
}

TEST(Abaqus, Mistakes) {
  const std::string what = mistakes_of(
      abaqus,
      kCube +
          "*NODE\n9,x,0,0\n-3,0,0,0\n1,5,5,5\n*ELEMENT,TYPE=C3D8,ELSET=E\n1,1,2,3,4,5,6,7,99\n2,1,2,3\n"
          "*ELEMENT,TYPE=C3D4,ELSET=F\n3,1,2,3,4,5,6\n4,1,2,y,4\n5,1,2,3,5\n*ELEMENT,TYPE=S8R\n6,1,2,3,4,5,6,"
          "7,8\n"
          "*SOLID SECTION,ELSET=E,MATERIAL=WOOD\n*SHELL "
          "SECTION,ELSET=NONE,MATERIAL=STEEL\n1.\n*NSET,NSET=A\nB\n"
          "*NSET,NSET=G,GENERATE\n1,a\n*MPC\nBEAM,1\nLINK,1,2\nTIE,1,2\n*EQUATION\n2\n*COUPLING,REF "
          "NODE=77,SURFACE=Q\n"
          "*KINEMATIC\n*INCLUDE,INPUT=a.inp\n*BOUNDARY\n5\nNOSET,1\n*ELASTIC,TYPE=ORTHO\n1,2,3\n");
  for (const char* part : {"a.inp:20: *NODE: coordinate of node 9 is 'x', it must be a number",
                           "a.inp:21: *NODE: id is '-3'",
                           "a.inp:22: node 1: this id is already used at a.inp:4 for another place",
                           "a.inp:24: C3D8 1: node 99 does not exist",
                           "a.inp:25: *ELEMENT: the nodes of an element are incomplete",
                           "a.inp:27: C3D4 3: it has 6 nodes, it must have 4",
                           "a.inp:28: *ELEMENT: 'y' stands where",
                           "a.inp:29: C3D4 5: no section is given for 1 elements",
                           "a.inp:31: *ELEMENT, TYPE=S8R: 1 of this kind are not understood",
                           "material 'WOOD' does not exist",
                           "element set 'NONE' does not exist",
                           "set 'B' does not exist",
                           "'1,a' is no range",
                           "the line is truncated",
                           "*MPC, LINK: 1 of this kind",
                           "nodes 1 and 2 are apart",
                           "*EQUATION: 1 of this kind",
                           "surface 'Q' does not exist",
                           "node 77 does not exist",
                           "closes a circle of files",
                           "node set 'NOSET' does not exist",
                           "*ELASTIC, TYPE=ORTHO"})
    EXPECT_SAYS(what, part);
  EXPECT_SAYS(mistakes_of(abaqus, "*PART\n*END PART\n*PART\n"), "a second part begins");
}

}  // namespace
}  // namespace monocoque::io::test

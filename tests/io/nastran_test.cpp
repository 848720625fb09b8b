// Nastran bulk data: spellings of fields and numbers, every card, every mistake.

#include <chrono>
#include <numbers>

#include <fmt/format.h>

#include "io/mesh/beam_sections.h"
#include "mesh_testing.h"

namespace monocoque::io::test {
namespace {

const std::string kPlate =
    "MAT1,1,2.1+11,,.3,7850.\nPSHELL,1,1,.002,1,,1\n"
    "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nGRID,3,,1.,1.,0.\nGRID,4,,0.,1.,0.\n";

TEST(Nastran, FieldsInAllForms) {
  const FeMesh m = nastran(
      "SOL 103\nCEND\nTITLE = not a card, really\nBEGIN BULK\n"
      "$ a comment\n"
      "GRID           1          1.5-3  -2.+1   1.D-2\n"
      "GRID*   "
      "               2"
      "                "
      "          1.25E0"
      "             -.5"
      "+\n"
      "*       "
      "              3."
      "                "
      " $ end\n"
      "GRID,3,,+4.,5.E-1,6\n"
      "GRID\t4\t\t7.\t8.\t9.\n"
      "CTRIA3  1       7       1       2       3                               +C1\n"
      "+C1                     .001    .001    .003\n"
      "ctria3,2,7,1,2,4\n"
      "PSHELL, 7, 1, .002, 1, , 1, , .5\n"
      "MAT1*   "
      "               1"
      "         2.1E+11"
      "                "
      "              .3\n"
      "*       "
      "           7850.\n"
      "ENDDATA\nGRID,99,,nonsense\n");
  ASSERT_EQ(m.nodes.size(), 4u);
  EXPECT_EQ(m.nodes[0].p, Vec3(1.5e-3, -20, 0.01));
  EXPECT_EQ(m.nodes[1].p, Vec3(1.25, -0.5, 3));
  EXPECT_EQ(m.nodes[2].p, Vec3(4, 0.5, 6));
  EXPECT_EQ(m.nodes[3].p, Vec3(7, 8, 9));
  ASSERT_EQ(m.elements.size(), 2u);
  EXPECT_EQ(corners(m, 1), (std::vector<long>{1, 2, 4}));
  // The first has thicknesses of its own.
  const auto property = [&m](std::size_t i) {
    return m.properties[static_cast<std::size_t>(m.elements[i].property)];
  };
  EXPECT_NEAR(property(0).shell.thickness_m, 0.005 / 3, 1e-17);
  EXPECT_EQ(property(1).shell.thickness_m, 0.002);
  EXPECT_EQ(property(1).shell.mass_kg_per_m2, 0.5);
  EXPECT_EQ(property(0).id, 7);
  EXPECT_NEAR(m.materials[0].shear_Pa, 2.1e11 / 2.6, 1);
}

TEST(Nastran, SolidsInTheOrderOfTheMesh) {
  std::string text = "MAT1,1,2.1+11,,.3\nPSOLID,1,1\n";
  for (int i = 1; i <= 20; ++i) text += fmt::format("GRID,{},,{}.,{}.,{}.\n", i, i, i * i, i % 7);
  text +=
      "CHEXA,1,1,1,2,3,4,5,6\n,7,8,9,10,11,12,13,14\n,15,16,17,18,19,20\n"
      "CHEXA,2,1,1,2,3,4,5,6,+\n+,7,8\nCPENTA,3,1,1,2,3,4,5,6\nCTETRA,4,1,1,2,3,4\n"
      "CTETRA,5,1,1,2,3,4,5,6\n,7,8,9,10\n";
  const FeMesh m = nastran(text);
  ASSERT_EQ(m.elements.size(), 5u);
  EXPECT_EQ(m.elements[0].kind, ElementKind::brick20);
  // Nastran's nodes 13 to 16 are the vertical edges, 17 to 20 the top ones.
  EXPECT_EQ(corners(m, 0),
            (std::vector<long>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 17, 18, 19, 20, 13, 14, 15, 16}));
  EXPECT_EQ(m.elements[1].kind, ElementKind::brick8);
  EXPECT_EQ(m.elements[2].kind, ElementKind::wedge6);
  EXPECT_EQ(m.elements[3].kind, ElementKind::tet4);
  EXPECT_EQ(m.elements[4].kind, ElementKind::tet10);
  const MeshSummary s = summary_of(m);
  EXPECT_EQ(s.unused_nodes, 0);
  EXPECT_EQ(s.high, Vec3(20, 400, 6));
  EXPECT_EQ(s.elements.at(ElementKind::tet10), 1);
}

TEST(Nastran, CoordinateSystemsInChains) {
  // 5: at (1 2 3), z along x, x along y. 6: cylindrical, in 5, shifted along its z by 1. 7: spherical in 6.
  const FeMesh m = nastran(
      "CORD2C,6,5,0.,0.,1.,0.,0.,2.\n,1.,0.,1.\n"
      "CORD2R,5,,1.,2.,3.,2.,2.,3.\n,1.,3.,3.\n"
      "CORD2S,7,0,0.,0.,0.,0.,0.,1.\n,1.,0.,0.\n"
      "GRID,1,5,1.,2.,3.\nGRID,2,6,2.,90.,4.\nGRID,3,7,2.,90.,90.\nGRID,4,,1.,0.,0.,6\n"
      "MAT1,1,1.,,0.\nPROD,1,1,1.\nCROD,1,1,1,2\n");
  EXPECT_LT((m.nodes[0].p - Vec3(4, 3, 5)).norm(), 1e-14);
  EXPECT_LT((m.nodes[1].p - Vec3(6, 2, 5)).norm(), 1e-14);
  EXPECT_LT((m.nodes[2].p - Vec3(0, 2, 0)).norm(), 1e-14);
}

TEST(Nastran, BeamsWithOrientationOffsetsAndReleases) {
  const FeMesh m = nastran(
      "MAT1,1,2.1+11,,.3,7850.\n"
      "CORD2R,9,,0.,0.,0.,1.,0.,0.\n,0.,1.,0.\n"  // its x is basic y, its y is z, its z is x
      "GRID,1,,0.,0.,0.\nGRID,2,,2.,0.,0.,9\nGRID,3,,1.,5.,0.\n"
      "PBAR,1,1,1.-4,2.-9,3.-9,4.-9,.5\n,,,,,,,,\n+,.8,.7,1.-10\n"
      "PBARL,2,1,,BAR\n,.02,.03,.25\n"
      "PBEAM,3,1,1.-4,2.-9,3.-9,0.,4.-9,.5\n,0.,0.\n,NO,1.,3.-4,4.-9,5.-9,,6.-9\n,.9,.95\n"
      "CBAR,1,1,1,2,0.,1.,0.\n,56,4,0.,.1,0.,0.,0.,.2\n"
      "CBAR,2,2,1,2,3\n"
      "CBEAM,3,3,2,1,0.,1.,0.\n"
      "CBAR,4,1,1,2,0.,0.,1.,GOO\n,,,0.,.1,0.,0.,.1,0.\n");
  ASSERT_EQ(m.elements.size(), 4u);
  const auto beam = [&m](std::size_t i) {
    return m.beams[static_cast<std::size_t>(m.elements[i].placement)];
  };
  const auto section = [&m](std::size_t i) {
    return m.properties[static_cast<std::size_t>(m.elements[i].property)].beam;
  };
  EXPECT_EQ(beam(0).y_axis, Vec3(0, 1, 0));
  EXPECT_EQ(beam(0).release_a, 0b110000);
  EXPECT_EQ(beam(0).release_b, 0b001000);
  EXPECT_EQ(beam(0).offset_a_m, Vec3(0, 0.1, 0));
  // Node 2 has directions of its own: its third is basic x.
  EXPECT_LT((beam(0).offset_b_m - Vec3(0.2, 0, 0)).norm(), 1e-15);
  EXPECT_EQ(beam(1).y_axis, Vec3(1, 5, 0));
  EXPECT_LT((beam(2).y_axis - Vec3(0, 0, 1)).norm(), 1e-15);
  // Offsets in element axes: y is basic z there.
  EXPECT_LT((beam(3).offset_a_m - Vec3(0, 0, 0.1)).norm(), 1e-15);
  EXPECT_EQ(section(0).I_z_m4, 2e-9);
  EXPECT_EQ(section(0).I_y_m4, 3e-9);
  EXPECT_EQ(section(0).I_yz_m4, 1e-10);
  EXPECT_EQ(section(0).shear_y, 0.8);
  EXPECT_EQ(section(0).mass_kg_per_m, 0.5);
  EXPECT_NEAR(section(1).I_z_m4, 0.02 * std::pow(0.03, 3) / 12, 1e-20);
  EXPECT_EQ(section(1).mass_kg_per_m, 0.25);
  EXPECT_NEAR(section(2).area_m2, 2e-4, 1e-18);
  EXPECT_EQ(section(2).shear_z, 0.95);
}

TEST(Nastran, MassesSpringsSpidersSupports) {
  const FeMesh m =
      nastran(kPlate +
              "CQUAD4,1,1,1,2,3,4\nGRID,5,,.5,.5,.1\nGRID,6,,.5,.5,.2,,456\n"
              "RBE2,10,5,123456,1,2,3,4\nRBE3,11,,6,123456,1.,123,1,2\n,2.5,12,3\nRBAR,12,5,6,123456\n"
              "CONM2,13,5,,2.5,.1,.2,.3\n,1.,.1,2.,.2,.3,3.\n"
              "CONM2,14,5,-1,1.,1.,1.,1.\n"
              "CELAS2,15,1000.,1,1\nPELAS,3,500.\nCELAS1,16,3,1,6,2,6\n"
              "SPC,1,1,123,,2,3\nSPC1,1,12,3,THRU,1000000000\nSPC1,2,3,1,2\n");
  ASSERT_EQ(m.rigid.size(), 2u);
  EXPECT_EQ(m.rigid[0].dependent.size(), 4u);
  EXPECT_EQ(m.rigid[0].components, kAllSix);
  ASSERT_EQ(m.means.size(), 1u);
  ASSERT_EQ(m.means[0].legs.size(), 3u);
  EXPECT_EQ(m.means[0].legs[2].weight, 2.5);
  EXPECT_EQ(m.means[0].legs[2].components, 3);
  ASSERT_EQ(m.masses.size(), 2u);
  EXPECT_EQ(m.masses[0].offset_m, Vec3(0.1, 0.2, 0.3));
  EXPECT_EQ(m.masses[0].inertia_kg_m2, (Mat3() << 1, -.1, -.2, -.1, 2, -.3, -.2, -.3, 3).finished());
  EXPECT_LT((m.masses[1].offset_m - Vec3(0.5, 0.5, 0.9)).norm(), 1e-15);
  ASSERT_EQ(m.springs.size(), 2u);
  EXPECT_EQ(m.springs[0].node_b, -1);
  EXPECT_EQ(m.springs[1].component_a, 5);
  EXPECT_EQ(m.springs[1].stiffness, 500);
  EXPECT_EQ(m.supports.size(), 1u + 2 + 4 + 2);
}

TEST(Nastran, UnitsAndMassFactor) {
  FeReadOptions o;
  o.units = {1e-3, 1e3, 1};
  const FeMesh m = nastran(
      "PARAM,WTMASS,.5\nMAT1,1,210000.,,.3,7.85-9\nPSHELL,1,1,2.,1,,1,,1.-9\nGRID,1,,1000.\nGRID,2,,,1000.\n"
      "GRID,3\nCTRIA3,1,1,1,2,3\nCONM2,2,1,,.001,10.\n,1.\nCELAS2,3,1000.,1,1\nCELAS2,4,1000.,1,4\n",
      o);
  EXPECT_EQ(m.nodes[0].p, Vec3(1, 0, 0));
  EXPECT_NEAR(m.materials[0].young_Pa, 2.1e11, 1e-3);
  EXPECT_NEAR(m.materials[0].density_kg_per_m3, 3925, 1e-9);
  EXPECT_NEAR(m.properties[0].shell.thickness_m, 0.002, 1e-18);
  EXPECT_NEAR(m.properties[0].shell.mass_kg_per_m2, 0.5, 1e-12);
  EXPECT_NEAR(m.masses[0].mass_kg, 0.5, 1e-15);
  EXPECT_NEAR(m.masses[0].inertia_kg_m2(0, 0), 5e-4, 1e-15);
  EXPECT_NEAR(m.springs[0].stiffness, 1e6, 1e-6);
  EXPECT_NEAR(m.springs[1].stiffness, 1, 1e-12);  // N mm/rad
}

TEST(Nastran, UnknownCards) {
  const std::string text =
      kPlate + "CQUAD4,1,1,1,2,3,4\nCQUAD4,2,5,1,2,3,4\nCBUSH,9,9,1,2\nPCOMP,5,1\nFORCE,1,1\n";
  const std::string what = mistakes_of(nastran, text);
  EXPECT_SAYS(what, "a.nas:9: CBUSH: 1 of this kind are not understood, but carry mass or stiffness");
  EXPECT_SAYS(what, "a.nas:10: PCOMP: ");
  EXPECT_FALSE(says(what, "property 5")) << what;
  FeReadOptions o;
  o.lenient = true;
  const FeMesh m = nastran(text, o);
  EXPECT_EQ(m.elements.size(), 1u);
  ASSERT_EQ(m.unknown.size(), 3u);
  EXPECT_EQ(m.unknown[2].name, "FORCE");
  EXPECT_FALSE(m.unknown[2].carries);
  EXPECT_SAYS(m.notes.at(0), "1 elements are left out");
}

TEST(Nastran, MistakesAreToldAtOnce) {
  const std::string what = mistakes_of(
      nastran,
      kPlate +
          "GRID,4,,9.,1.,0.\nGRID,x,,9.\nGRID,7,,1.2.3\nCQUAD4,1,1,1,2,3,44\nCQUAD4,2,8,1,2,3,4\n"
          "CQUAD4,3,1,1,2\nCQUAD4,4,1,1,2,3,3\nCQUAD4,2,1,1,2,3,4\nPSHELL,2,77,.1\nCTETRA,5,1,1,2,3,4\n"
          "PSOLID,9,1\nCHEXA,6,9,1,2,3\nMAT1,5\nCORD2R,1,2,0.,0.,0.,0.,0.,1.\n,1.,0.,0.\n"
          "CORD2R,2,1,0.,0.,0.,0.,0.,1.\n,1.,0.,0.\nCORD2R,3,,0.,0.,0.,0.,0.,1.\n,0.,0.,2.\n"
          "GRID,20,3,1.\nRBE2,30,99,12a,1\nCONM2,31,98,,nan\nCBAR,32,1,1,2\nRBE3,33,,1,123,1,2,3\n"
          "PBARL,6,1,,STAR\n,1.\nPBARL,7,1,,TUBE\n,1.,2.\nINCLUDE 'nowhere.bdf'\nINCLUDE '/dev/zero'\n"
          "INCLUDE 'a.nas'\nCONM2,34,98,,1.\n");
  for (const char* part : {"a.nas:7: node 4: this id is already used at a.nas:6 for another place",
                           "a.nas:8: GRID x: id is 'x', it must be an integer",
                           "a.nas:9: GRID 7: coordinate is '1.2.3', it must be a number",
                           "a.nas:10: CQUAD4 1: node 44 does not exist",
                           "a.nas:11: CQUAD4 2: property 8 does not exist",
                           "a.nas:12: CQUAD4 3: node is missing; the card is truncated",
                           "a.nas:13: CQUAD4 4: node 3 is used twice in it",
                           "a.nas:14: CQUAD4 2: this id is already used at a.nas:11",
                           "a.nas:15: PSHELL 2: material 77 does not exist",
                           "a.nas:16: CTETRA 5: property 1 is for a shell, it must be for a solid",
                           "a.nas:18: CHEXA 6: it has 3 of 8 nodes; the card is truncated",
                           "a.nas:19: MAT1 5: neither E nor G is given",
                           "closes a circle",
                           "a.nas:24: CORD2R 3: its three points are in one line",
                           "a.nas:26: GRID 20: coordinate system 3 does not exist or is faulty",
                           "a.nas:27: RBE2 30: components is '12a', it must be made of the digits 1 to 6",
                           "a.nas:28: CONM2 31: mass is 'nan', it must be a number",
                           "a.nas:29: CBAR 32: the orientation vector is zero",
                           "a.nas:30: RBE3 33: '1' stands where a weight is expected",
                           "a.nas:31: PBARL 6: section 'STAR' is not known",
                           "a.nas:33: PBARL 7: section TUBE: the inner radius is 2",
                           "a.nas:35: INCLUDE 'nowhere.bdf': the file does not exist",
                           "a.nas:36: INCLUDE '/dev/zero': this is not an ordinary file",
                           "a.nas:37: INCLUDE 'a.nas': it closes a circle of files",
                           "a.nas:38: CONM2 34: node 98 does not exist"})
    EXPECT_SAYS(what, part);
  EXPECT_SAYS(mistakes_of(nastran, kPlate + "RBE2,1,1,123,2,3,4,1,1,2\n"), "more than 8 fields on one line");
  EXPECT_SAYS(mistakes_of(nastran, ""), "there are no nodes");
  EXPECT_SAYS(mistakes_of(nastran, "+,1\n" + kPlate), "a continuation line without a card");
  EXPECT_SAYS(mistakes_of(nastran, kPlate + "CQUAD4,1,1,1,2,3,4,,,+A\n+B,,1.\n"),
              "continuation 'B' follows a line that names 'A'");
  EXPECT_SAYS(mistakes_of(nastran, kPlate + "PSHELL,3,1,-1.,1\nCQUAD4,1,3,1,2,3,4\n"),
              "PSHELL 3: thickness is -1, it must be > 0");
}

TEST(Nastran, VeryManyMistakesAreCounted) {
  std::string text = kPlate;
  for (int i = 1; i <= 500; ++i) text += fmt::format("CQUAD4,{},1,1,2,3,9999\n", i);
  const std::string what = mistakes_of(nastran, text);
  EXPECT_EQ(std::count(what.begin(), what.end(), '\n'), 50);
  EXPECT_SAYS(what, "and 450 more mistakes");
}

TEST(Nastran, HugeIdsAreNoTrouble) {
  const FeMesh m = nastran(
      "MAT1,1,1.,,0.\nPROD,1,1,1.\nGRID,9223372036854775807\nGRID,3,,1.\nCROD,9223372036854775806,1,3,"
      "9223372036854775807\n");
  EXPECT_EQ(m.elements[0].id, 9223372036854775806L);
  EXPECT_SAYS(mistakes_of(nastran, "GRID,9223372036854775808\n"), "it must be an integer");
  EXPECT_SAYS(mistakes_of(nastran, "GRID,-5\n"), "id is -5, it must be > 0");
}

TEST(BeamSections, ClosedForms) {
  BeamSection s;
  std::string reason;
  ASSERT_TRUE(section_of_shape("TUBE", {0.02, 0.015}, s, reason));
  EXPECT_NEAR(s.area_m2, std::numbers::pi * (4e-4 - 2.25e-4), 1e-18);
  // Box: outer less inner rectangle; torsion by Bredt for one wall thickness: 2 t (b-t)^2 (h-t)^2 / (b + h -
  // 2 t).
  ASSERT_TRUE(section_of_shape("BOX", {0.05, 0.08, 0.002, 0.002}, s, reason));
  EXPECT_NEAR(s.area_m2, 0.05 * 0.08 - 0.046 * 0.076, 1e-16);
  EXPECT_NEAR(s.I_z_m4, (0.05 * std::pow(0.08, 3) - 0.046 * std::pow(0.076, 3)) / 12, 1e-18);
  EXPECT_NEAR(s.I_y_m4, (0.08 * std::pow(0.05, 3) - 0.076 * std::pow(0.046, 3)) / 12, 1e-18);
  EXPECT_NEAR(s.torsion_m4, 2 * 0.002 * std::pow(0.048 * 0.078, 2) / (0.048 + 0.078), 1e-18);
  // Symmetric I: whole rectangle less the two chambers.
  ASSERT_TRUE(section_of_shape("I", {0.1, 0.06, 0.06, 0.004, 0.006, 0.006}, s, reason));
  EXPECT_NEAR(s.I_z_m4, (0.06 * 1e-3 - 0.056 * std::pow(0.088, 3)) / 12, 1e-18);
  EXPECT_NEAR(s.I_yz_m4, 0, 1e-20);
  // Equal angle: principal axes at 45 degrees; material up left and down right makes the product negative.
  ASSERT_TRUE(section_of_shape("L", {0.05, 0.05, 0.005, 0.005}, s, reason));
  EXPECT_NEAR(s.I_y_m4, s.I_z_m4, 1e-20);
  EXPECT_LT(s.I_yz_m4, 0);
  // A square, a slender strip: torsion 0.1406 a^4 and b t^3 / 3 (Timoshenko and Goodier, Theory of
  // Elasticity).
  EXPECT_NEAR(rectangle_section(1, 1).torsion_m4, 0.1406, 3e-4);
  EXPECT_NEAR(rectangle_section(10, 1).torsion_m4, 3.123, 0.005);
  for (const char* shape : {"CHAN", "T", "T1", "T2", "H", "I1", "CHAN1", "CHAN2", "CROSS"}) {
    EXPECT_TRUE(section_of_shape(shape, {0.05, 0.06, 0.064, 0.07}, s, reason) || !reason.empty()) << shape;
    reason.clear();
  }
}

TEST(Nastran, ReadingIsNotQuadratic) {
  // A tenth of a million here; reading is linear. The time is no gate, only a guard against something
  // quadratic.
  std::string text = "MAT1,1,1.,,0.\nPSHELL,1,1,1.,1,,1\n";
  const int n = 316;
  for (int i = 0; i < (n + 1) * (n + 1); ++i)
    text += fmt::format("GRID    {:8}        {:8.1f}{:8.1f}      0.\n", i + 1, double(i % (n + 1)),
                        double(i / (n + 1)));
  for (int i = 0; i < n * n; ++i) {
    const int a = i / n * (n + 1) + i % n + 1;
    text += fmt::format("CQUAD4  {:8}       1{:8}{:8}{:8}{:8}\n", i + 1, a, a + 1, a + n + 2, a + n + 1);
  }
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(nastran(text).elements.size(), static_cast<std::size_t>(n * n));
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 20);
}

}  // namespace
}  // namespace monocoque::io::test

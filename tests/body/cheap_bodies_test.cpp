// Cheaper bodies keep mass, centre, inertia and the stiffness they are fitted to.

#include "body/cheap_bodies.h"

#include <gtest/gtest.h>

#include "fe/assemble.h"

namespace monocoque::body {
namespace {

class CheapBodies : public testing::Test {
 protected:
  BodyInWhite shells = make_body({});
  FeSystem fe = assemble(shells.mesh);
  MassProperties mass = mass_properties(fe);
  Stiffness stiffness = static_stiffness(shells, fe);

  void expect_same_mass(const BodyInWhite& body) const {
    const MassProperties m = mass_properties(assemble(body.mesh));
    EXPECT_NEAR(m.mass_kg, mass.mass_kg, 1e-9 * mass.mass_kg);
    EXPECT_LT((m.centre - mass.centre).norm(), 1e-9);
    EXPECT_LT((m.inertia - mass.inertia).norm(), 1e-9 * mass.inertia.norm());
    for (long id = 1; id <= 20; ++id) {
      EXPECT_EQ(body.mesh.nodes[static_cast<std::size_t>(id - 1)].id, id);
      EXPECT_LT((body.mesh.nodes[static_cast<std::size_t>(id - 1)].p - place(id)).norm(), 1e-9);
    }
  }
  Vec3 place(long id) const {
    for (const io::FeNode& n : shells.mesh.nodes)
      if (n.id == id) return n.p;
    return Vec3::Constant(1e9);
  }
};

TEST_F(CheapBodies, TwoHalvesTurnAgainstOneAnother) {
  const BodyInWhite halves = two_halves(shells, mass, stiffness);
  expect_same_mass(halves);
  const BodyModes modes = named_modes(halves, assemble(halves.mesh), 1);
  ASSERT_FALSE(modes.elastic.empty());
  // Two inertias about the bar: k (1/I_a + 1/I_b), roughly, since their products of inertia couple in.
  EXPECT_GT(modes.elastic[0].frequency_Hz, 10);
  EXPECT_LT(modes.elastic[0].frequency_Hz, 30);
}

TEST_F(CheapBodies, BeamFrameHasTorsionAndBendingOfTheShells) {
  BeamFit fit;
  const BodyInWhite beams = beam_frame(shells, mass, stiffness, &fit);
  expect_same_mass(beams);
  const Stiffness fitted = static_stiffness(beams, assemble(beams.mesh));
  EXPECT_NEAR(fitted.torsion_Nm_per_rad, stiffness.torsion_Nm_per_rad, 1e-5 * stiffness.torsion_Nm_per_rad);
  EXPECT_NEAR(fitted.bending_N_per_m, stiffness.bending_N_per_m, 1e-5 * stiffness.bending_N_per_m);
  EXPECT_GT(fit.panels, 0.1);
  EXPECT_LT(fit.panels, 10);
}

}  // namespace
}  // namespace monocoque::body

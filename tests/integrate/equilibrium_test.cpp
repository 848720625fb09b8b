// Static equilibrium: closed forms, free directions, and the message where there is none.

#include "integrate/equilibrium.h"

#include <gtest/gtest.h>

#include "integrate/consistent.h"
#include "support/run.h"

namespace monocoque::test {
namespace {

State rest_of(const Loaded& loaded, Workspace& ws) {
  State s = initial_state(*loaded.model);
  make_consistent(ws, s, LinearSolverKind::automatic);
  find_equilibrium(ws, s);
  return s;
}

TEST(Equilibrium, MassHangsOnItsSpring) {
  const Loaded loaded = load_text(R"(
monocoque: 1
name: spring
parts:
  - {name: mass, mass_kg: 2, inertia_kg_m2: [1, 1, 1], position_m: [0.3, 0, -1]}
ground: {frames: [{name: top, position_m: [0.3, 0, 0]}]}
interacts:
  - {name: guide, type: prismatic, from: ground.top, to: {part: mass, position_m: [0, 0, 0]}}
  - {name: spring, type: spring_damper, from: ground, to: mass, stiffness_N_per_m: 500, free_length_m: 0.8}
)");
  Workspace ws(*loaded.model);
  const State s = rest_of(loaded, ws);
  // 500 (l - 0.8) |z| / l = 2 * 9.81 with l^2 = z^2 + 0.09
  const double z = s.x[2], l = std::hypot(0.3, z);
  EXPECT_NEAR(500 * (l - 0.8) * -z / l, 2 * 9.81, 1e-7);
  EXPECT_LT(z, -0.75);
  EXPECT_NEAR(s.x[0], 0.3, 1e-12);
}

TEST(Equilibrium, FreeDirectionsKeepTheirValues) {
  const Loaded loaded = load_model("camry/camry.yaml", {{"speed_m_per_s", "20"}});
  Workspace ws(*loaded.model);
  State s = initial_state(*loaded.model);
  s.x[0] += 3.5;
  for (const Part& part : loaded.model->parts)
    if (part.moves() && part.x_start > 0) s.x[part.x_start] += 3.5;
  make_consistent(ws, s, LinearSolverKind::automatic);
  const VecX before = s.x;
  const EquilibriumReport report = find_equilibrium(ws, s);
  EXPECT_LT(report.residual, 1e-7);
  EXPECT_NEAR(s.x[0], before[0], 1e-9);
  EXPECT_EQ(s.z.norm(), 0);
}

TEST(Equilibrium, APartThatNothingHoldsIsNamed) {
  const Loaded loaded = load_text(R"(
monocoque: 1
name: falling
parts: [{name: stone, mass_kg: 2, inertia_kg_m2: [1, 1, 1]}]
)");
  Workspace ws(*loaded.model);
  State s = initial_state(*loaded.model);
  try {
    find_equilibrium(ws, s);
    FAIL() << "a falling stone is not at rest";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("'stone'"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("along z"), std::string::npos) << e.what();
  }
}

/// Held out level, on a hinge and on a ball joint, whose turns about the vertical and about the rod nothing
/// holds.
TEST(Equilibrium, PendulaSinkFromLevel) {
  for (const auto& [file, bottom] :
       {std::pair("adams/revolute_01.yaml", -2.0), {"adams/spherical_02.yaml", 1.0}}) {
    const Loaded loaded = load_model(file);
    Workspace ws(*loaded.model);
    const State s = rest_of(loaded, ws);
    EXPECT_NEAR(s.x[2], bottom, 1e-9) << file;
    EXPECT_TRUE(equilibrium_stiffness(ws, s).stable()) << file;
  }
}

}  // namespace
}  // namespace monocoque::test

// Suspension rig: curves of the Camry against another solver's, closed forms of a swing arm, compliance of a
// wheel on one bushing.

#include "analysis/suspension.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "support/complaint.h"
#include "support/recorded_run.h"
#include "support/verify_row.h"

namespace monocoque::test {
namespace {

using analysis::CornerPoint;
using analysis::RigCorner;
using analysis::RigOptions;
using analysis::SuspensionRig;
using analysis::SuspensionSweep;
using analysis::SweepKind;

constexpr double kDeg = 180 / std::numbers::pi;

io::ModelSpec camry(const std::string& file = "camry.yaml") {
  return read_file(std::string(MONOCOQUE_SOURCE_DIR) + "/models/camry/" + file).model;
}

const CornerPoint& at(const SuspensionSweep& s, const std::string& corner, double parameter) {
  for (const auto& c : s.corners)
    if (c.name == corner)
      for (std::size_t i = 0; i < s.parameter.size(); ++i)
        if (std::abs(s.parameter[i] - parameter) < 1e-12) return c.points[i];
  throw Error("test", "no such point");
}

TEST(Suspension, CamryCurvesAgreeWithAnIndependentSolver) {
  // ../shared/reference/camry-2012.md: car body fixed, centre of gravity of the carrier moved; printed to
  // 0.001 deg.
  RigOptions options;
  options.hold_carrier = true;
  SuspensionRig rig(camry(), options);
  EXPECT_FALSE(rig.equilibrium());
  const SuspensionSweep s = analysis::sweep(rig, SweepKind::travel, {-0.03, 0, 0.03});
  struct Printed {
    const char* corner;
    double travel, heading, camber;
  };
  double worst = 0;
  for (const Printed& p : {Printed{"FL", 0.03, -0.879, -0.554}, Printed{"FL", -0.03, 0.936, 0.718},
                           Printed{"RL", 0.03, 0.544, -0.677}, Printed{"RL", -0.03, -0.905, 0.757}}) {
    const CornerPoint& c = at(s, p.corner, p.travel);
    EXPECT_NEAR(kDeg * c.heading, p.heading, 6e-4) << p.corner << p.travel;
    EXPECT_NEAR(kDeg * c.camber, p.camber, 6e-4) << p.corner << p.travel;
    worst = std::max(
        {worst, std::abs(kDeg * c.heading / p.heading - 1), std::abs(kDeg * c.camber / p.camber - 1)});
  }
  verify_row("Analyses", "suspension curves of the Camry's left corners", "kinematics", "", "camry-2012.md",
             worst, "relative, printed digits");
  // Right: front right heading 0.80 deg at +30 mm (printed without sign).
  EXPECT_NEAR(std::abs(kDeg * at(s, "FR", 0.03).heading), 0.80, 6e-3);
}

TEST(Suspension, CamrySteeringAnglesWithWheelHeightHeld) {
  SuspensionRig rig(camry(), {});
  const SuspensionSweep s = analysis::sweep(rig, SweepKind::steer, {-0.015, 0, 0.015});
  EXPECT_NEAR(kDeg * at(s, "FL", 0.015).heading, -6.79, 6e-3);
  EXPECT_NEAR(kDeg * at(s, "FL", -0.015).heading, 6.89, 6e-3);
  // Kingpin axis of a McPherson strut: from the ball joint to the dome.
  const CornerPoint& c = at(s, "FL", 0);
  const Vec3 axis = Vec3(1.369, 0.599, 0.330 + 0.602) - Vec3(1.413 + 0.009, 0.765 - 0.009, 0.297 - 0.116);
  EXPECT_NEAR(c.caster, std::atan2(-axis.x(), axis.z()), 1e-5);
  EXPECT_NEAR(c.kingpin, std::atan2(-axis.y(), axis.z()), 1e-5);
  const Vec3 ball(1.422, 0.756, 0.181);
  const Vec3 road = ball - axis * (ball.z() / axis.z());
  EXPECT_NEAR(c.scrub_m, 0.805 - road.y(), 1e-6);
  EXPECT_NEAR(c.trail_m, road.x() - 1.413, 1e-6);
  EXPECT_TRUE(std::isnan(at(s, "RL", 0).caster));
}

TEST(Suspension, WheelsThatArePartsGiveTheSameCurves) {
  SuspensionRig rotors(camry(), {}), parts(camry("camry-wheels-apart.yaml"), {});
  const SuspensionSweep a = analysis::sweep(rotors, SweepKind::travel, {0.04});
  const SuspensionSweep b = analysis::sweep(parts, SweepKind::travel, {0.04});
  for (const char* corner : {"FL", "FR", "RL", "RR"}) {
    EXPECT_NEAR(at(a, corner, 0.04).toe, at(b, corner, 0.04).toe, 1e-9) << corner;
    EXPECT_NEAR(at(a, corner, 0.04).spring_ratio, at(b, corner, 0.04).spring_ratio, 1e-7) << corner;
  }
}

/// A swing arm about x at (0.2, 0.25), wheel centre at (0.75, 0.3), spring upright at y = 0.5.
const char* const kSwingArm = R"(
monocoque: 1
parts:
  - {name: arm, mass_kg: 20, inertia_kg_m2: [1, 1, 1], position_m: [0, 0.5, 0.28]}
interacts:
  - {name: hinge, type: revolute,
     from: {part: ground, position_m: [0, 0.2, 0.25], orientation: {z_axis: [1, 0, 0]}},
     to: {part: arm, at_world_m: [0, 0.2, 0.25], orientation_world: {z_axis: [1, 0, 0]}}}
  - {name: spring, type: spring_damper, from: {part: ground, position_m: [0, 0.5, 0.8]},
     to: {part: arm, at_world_m: [0, 0.5, 0.28]}, stiffness_N_per_m: 20000, damping_Ns_per_m: 1000, free_length_m: 0.6}
)";

RigOptions swing_options() {
  RigOptions options;
  RigCorner c;
  c.name = "L";
  c.carrier = "arm";
  c.centre = Vec3(0, 0.75, 0.3);
  c.radius_m = 0.3;
  c.spring = c.damper = "spring";
  options.corners = {c};
  return options;
}

TEST(Suspension, SwingArmFollowsItsClosedForm) {
  SuspensionRig rig(read_text(kSwingArm).model, swing_options());
  EXPECT_EQ(rig.body(), "ground");
  const SuspensionSweep s = analysis::sweep(rig, SweepKind::travel, {0, 0.05});
  const CornerPoint& zero = at(s, "L", 0);
  EXPECT_NEAR(zero.spring_ratio, 0.3 / 0.55, 1e-8);
  EXPECT_NEAR(zero.roll_centre_m, 0.75 * 0.25 / 0.55, 1e-8);
  EXPECT_NEAR(zero.bump_camber, -1 / 0.55, 1e-7);
  const double radius = std::hypot(0.55, 0.05);
  const double turned = std::asin(0.10 / radius) - std::asin(0.05 / radius);
  EXPECT_NEAR(at(s, "L", 0.05).camber, -turned, 1e-10);
  EXPECT_NEAR(at(s, "L", 0.05).centre_out_m, radius * std::cos(std::asin(0.10 / radius)) - 0.55, 1e-10);
  EXPECT_NEAR(at(s, "L", 0.05).toe, 0, 1e-12);
}

TEST(Suspension, EndOfTheLinkageIsToldWithItsPlace) {
  SuspensionRig rig(read_text(kSwingArm).model, swing_options());
  const SuspensionSweep s = analysis::sweep(rig, SweepKind::travel, {0, 0.3, 0.6});
  ASSERT_EQ(s.ends.size(), 1u);
  EXPECT_EQ(s.parameter.size(), 2u);
  // The arm stands upright: 0.25 + sqrt(0.55^2 + 0.05^2) - 0.3.
  const double last = 0.25 + std::hypot(0.55, 0.05) - 0.3;
  const double told = std::stod(s.ends[0].substr(s.ends[0].find("= ") + 2));
  EXPECT_LT(told, last + 1e-9);
  EXPECT_GT(told, last - 0.01);
}

TEST(Suspension, BushingGivesWayByItsStiffness) {
  const io::ModelSpec spec = read_text(R"(
monocoque: 1
gravity_m_per_s2: [0, 0, 0]
parts:
  - {name: upright, mass_kg: 20, inertia_kg_m2: [1, 1, 1], position_m: [0, 0.75, 0.3]}
interacts:
  - {name: bush, type: bushing, from: {part: ground, position_m: [0, 0.75, 0.3]}, to: upright,
     stiffness_N_per_m: [3.0e+6, 2.0e+6, 1.0e+6], damping_Ns_per_m: [10, 10, 10],
     rotational_stiffness_Nm_per_rad: [50000, 40000, 30000], rotational_damping_Nms_per_rad: [1, 1, 1]}
)")
                                 .model;
  RigOptions options;
  RigCorner c;
  c.name = "L";
  c.carrier = "upright";
  c.centre = Vec3(0, 0.75, 0.3);
  c.radius_m = 0.3;
  options.corners = {c};
  SuspensionRig rig(spec, options);
  EXPECT_TRUE(rig.equilibrium());
  const auto list = analysis::compliance(rig, 100, 3);
  ASSERT_EQ(list.size(), 4u);
  // Small loads: linear; 1 kN at the contact point, 0.3 m below the bushing. A push to the left turns the top
  // to the right (inward): camber falls.
  EXPECT_NEAR(list[0].y_mm, 1000 * 1000 / 2e6, 1e-3);
  EXPECT_NEAR(list[0].camber_deg, -kDeg * 1000 * 0.3 / 50000, 1e-3);
  EXPECT_NEAR(list[1].x_mm, 1000 * 1000 / 3e6, 1e-3);
  EXPECT_NEAR(list[2].x_mm, 1000 * 1000 / 3e6, 1e-3);
  EXPECT_NEAR(list[2].toe_deg, 0, 1e-6);
  EXPECT_NEAR(list[3].toe_deg, -kDeg * 100 / 30000, 1e-4);
}

TEST(Suspension, WrongNamesGetSuggestions) {
  RigOptions options;
  options.only = {"FK"};
  EXPECT_NE(complaint([&] { SuspensionRig rig(camry(), options); }).find("FL"), std::string::npos);
  options = {};
  options.body = "kar";
  EXPECT_NE(complaint([&] { SuspensionRig rig(camry(), options); }).find("car"), std::string::npos);
}

}  // namespace
}  // namespace monocoque::test

// Suspension rig: curves of the Camry against another solver's, closed forms of a swing arm, compliance of a
// wheel on one bushing.

#include "analysis/suspension/suspension.h"
#include "core/decompositions.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "support/complaint.h"
#include "support/paths.h"
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
  return read_file(source_dir() + "/models/camry/" + file).model;
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
  verify_row("Analyses", "suspension curves of the Camry's left corners",
             "heading and camber at 30 mm of the carrier, both ways", "as printed",
             "another solver, to 0.001 deg", worst, "relative; the issue asks for 1 %");
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

/// Small motions of a rigid upright on elastic supports, its wheel centre held vertically: K u + e_z' p =
/// load.
struct Support {
  Vec3 place, stiffness, turning;
};
Eigen::Matrix<double, 3, 6> motion_of(const Vec3& point, const Vec3& about) {
  Eigen::Matrix<double, 3, 6> rows;
  rows << Mat3::Identity(), -skew(point - about);
  return rows;
}

TEST(Suspension, BushingsGiveWayByTheirStiffnessMatrix) {
  const std::vector<Support> supports{{{0.10, 0.55, 0.20}, {4e6, 9e6, 1e6}, {200, 300, 400}},
                                      {{-0.15, 0.50, 0.22}, {3e6, 7e6, 2e6}, {500, 100, 200}},
                                      {{0.02, 0.60, 0.55}, {1e6, 5e6, 3e5}, {0, 0, 0}}};
  std::string text = R"(
monocoque: 1
gravity_m_per_s2: [0, 0, 0]
parts:
  - {name: upright, mass_kg: 20, inertia_kg_m2: [1, 1, 1], position_m: [0, 0.75, 0.3]}
interacts:
)";
  const auto list = [](const Vec3& v) {
    return fmt::format("[{:.9g}, {:.9g}, {:.9g}]", v.x(), v.y(), v.z());
  };
  const Vec3 centre(0.01, 0.78, 0.31), contact(0.01, 0.78, 0);
  Eigen::Matrix<double, 7, 7> system = Eigen::Matrix<double, 7, 7>::Zero();
  for (std::size_t i = 0; i < supports.size(); ++i) {
    const Support& b = supports[i];
    text += fmt::format(
        "  - {{name: b{}, type: bushing, from: {{part: ground, position_m: {}}}, to: {{part: upright, "
        "at_world_m: "
        "{}}},\n"
        "     stiffness_N_per_m: {}, damping_Ns_per_m: [9, 9, 9], rotational_stiffness_Nm_per_rad: {},\n"
        "     rotational_damping_Nms_per_rad: [1, 1, 1]}}\n",
        i, list(b.place), list(b.place), list(b.stiffness), list(b.turning));
    const auto J = motion_of(b.place, centre);
    system.topLeftCorner<6, 6>() += J.transpose() * b.stiffness.asDiagonal() * J;
    system.block<3, 3>(3, 3) += Mat3(b.turning.asDiagonal());
  }
  system(2, 6) = system(6, 2) = 1;  // the post
  RigOptions options;
  RigCorner c;
  c.name = "L";
  c.carrier = "upright";
  c.centre = centre;
  c.radius_m = 0.31;
  options.corners = {c};
  SuspensionRig rig(read_text(text).model, options);
  EXPECT_TRUE(rig.equilibrium());
  const auto found = analysis::compliance(rig, 10, 3);  // small loads: linear
  ASSERT_EQ(found.size(), 4u);
  Eigen::Matrix<double, 7, 4> loads = Eigen::Matrix<double, 7, 4>::Zero();
  loads.col(0).head<6>() = motion_of(contact, centre).transpose() * Vec3(0, 1000, 0);
  loads.col(1).head<6>() = motion_of(contact, centre).transpose() * Vec3(1000, 0, 0);
  loads(0, 2) = 1000;
  loads(5, 3) = 100;
  const Eigen::Matrix<double, 7, 4> u = system.partialPivLu().solve(loads);
  double worst = 0;
  for (int k = 0; k < 4; ++k) {
    const auto& f = found[static_cast<std::size_t>(k)];
    const auto near = [&](double ours, double closed, double scale) {
      EXPECT_NEAR(ours, closed, 1e-4 * scale) << f.load;
      worst = std::max(worst, std::abs(ours - closed) / scale);
    };
    const double turn = kDeg * u.col(k).segment<3>(3).norm(), way = 1000 * u.col(k).head<3>().norm();
    near(f.toe_deg, -kDeg * u(5, k), turn);
    near(f.camber_deg, -kDeg * u(3, k), turn);
    near(f.spin_deg, kDeg * u(4, k), turn);
    near(f.x_mm, 1000 * u(0, k), way);
    near(f.y_mm, 1000 * u(1, k), way);
  }
  verify_row("Analyses", "compliance of a wheel on three bushings",
             "toe, camber, wind-up, ways under four loads", "kinematics", "inverse of the stiffness matrix",
             worst, "relative to the largest turn, way");
}

TEST(Suspension, FlexibleWishboneGivesWayAsLinearAlgebraTells) {
  // Without weight there is no reference load that would add its geometric stiffness (0.3 % here). Numbers of
  // reference/compliance.py: the body file and hard points in numpy, no code of ours.
  constexpr double closed[4][5] = {{0.001132, -0.000860, -0.058468, 0.008593, 0.005636},
                                   {-0.056420, 0.008200, 0.806778, -0.045172, -0.090861},
                                   {-0.034414, 0.005309, 0.510769, -0.030947, -0.057105},
                                   {-0.006209, 0.000430, 0.060064, 0.000251, -0.007409}};
  Diagnostics diagnostics;
  io::ReadOptions weightless;
  weightless.overrides.push_back({"gravity_m_per_s2", "[0, 0, -1e-6]"});
  const io::ScenarioSpec spec = io::read_scenario(source_dir() + "/models/camry/camry-flexible-wishbone.yaml",
                                                  element_library(), weightless, diagnostics);
  diagnostics.throw_if_errors();
  RigOptions options;
  options.only = {"FL"};
  options.equilibrium = true;
  SuspensionRig rig(spec.model, options);
  const auto found = analysis::compliance(rig, 100, 3, {"FL"});
  ASSERT_EQ(found.size(), 4u);
  double worst = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    const double ours[] = {found[k].toe_deg, found[k].camber_deg, found[k].x_mm, found[k].y_mm,
                           found[k].spin_deg};
    double scale = 0;
    for (const double v : closed[k]) scale = std::max(scale, std::abs(v));
    for (std::size_t i = 0; i < 5; ++i) {
      EXPECT_NEAR(ours[i], closed[k][i], 1e-4 * scale) << found[k].load << i;
      worst = std::max(worst, std::abs(ours[i] - closed[k][i]) / scale);
    }
  }
  verify_row("Analyses", "compliance of the Camry's front left wheel on its flexible wishbone",
             "toe, camber, wind-up, ways under four loads", "kinematics", "numpy, from the body file", worst,
             "relative to the largest figure of the load; no reference load");
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

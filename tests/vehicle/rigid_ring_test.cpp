// The rigid ring (models/tires/rigid-ring.yaml): frequencies of the belt on a held and on a spinning rim,
// the same steady forces as the tire without it, and what a cleat excites.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <numbers>

#include "analysis/linear/linearise.h"
#include "core/rotation.h"
#include "integrate/consistent.h"
#include "support/paths.h"
#include "support/recorded_run.h"
#include "support/run.h"

namespace monocoque::test {
namespace {

const std::string kModels = source_dir() + "/models/";

std::string header(const std::string& parameters) {
  return fmt::format("monocoque: 1\ninclude: [{}tires/rigid-ring.yaml]\nparameters: {{{}}}\n", kModels,
                     parameters);
}

/// From a file, because text may not include others.
Loaded load_with_ring(const std::string& text) {
  const std::string path =
      testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name() + ".yaml";
  std::ofstream(path) << text;
  Diagnostics diagnostics;
  io::ScenarioSpec spec = io::read_scenario(path, element_library(), {}, diagnostics);
  Loaded loaded = finish(std::move(spec), diagnostics);
  std::filesystem::remove(path);
  return loaded;
}

TEST(RigidRing, HasTheFrequenciesAndDampingOfTheFileOnAHeldRim) {
  const Loaded loaded = load_with_ring(header("") + R"yaml(gravity_m_per_s2: [0, 0, 0]
ground: {frames: [{name: wheel}]}
subsystems: [{name: ring, type: rigid_ring, connect: {hub: ground}}]
)yaml");
  Workspace ws(*loaded.model);
  State s = initial_state(*loaded.model);
  make_consistent(ws, s, LinearSolverKind::automatic);
  const auto modes = analysis::modes_of(*loaded.model, analysis::linearise(ws, s));
  std::vector<double> found;
  for (const auto& mode : modes) {
    found.push_back(mode.value.undamped_Hz());
    EXPECT_NEAR(mode.value.damping_ratio(), 0.04, 1e-9);
  }
  std::sort(found.begin(), found.end());
  const std::vector<double> expected = {40, 50, 50, 70, 80, 80};
  ASSERT_EQ(found.size(), expected.size());
  double worst = 0;
  for (std::size_t i = 0; i < found.size(); ++i)
    worst = std::max(worst, std::abs(found[i] / expected[i] - 1));
  verify_row("Rigid ring", "six frequencies of the belt on a held rim", "linearise", "", "FREQ_*", worst,
             "relative");
  EXPECT_LT(worst, 1e-9);
}

TEST(RigidRing, WhirlsAsAGyroscopeOnASpinningRim) {
  // Camber and yaw p = gamma + i psi of a spinning belt: Ixx p'' + i Iyy Omega p' + k p = 0. The springs turn
  // with the rim, which must not show.
  const double ixx = 0.34, iyy = 0.6, spin = 65, k = ixx * std::pow(2 * std::numbers::pi * 50, 2);
  const double w = (-iyy * spin + std::sqrt(iyy * iyy * spin * spin + 4 * ixx * k)) / (2 * ixx);
  const double tilt = 1e-4, end = 0.2;
  std::string text = header("ring_damping_yaw: 0, ring_damping_windup: 0, ring_damping_long: 0") +
                     R"yaml(gravity_m_per_s2: [0, 0, 0]
parts:
  - name: carrier
    mass_kg: 1
    inertia_kg_m2: [1, 1, 1]
    rotors: [{name: wheel, mass_kg: 10, axial_inertia_kg_m2: 1, transverse_inertia_kg_m2: 1, speed_rad_per_s: 65}]
    frames: [{name: wheel, rotor: wheel}]
  - name: belt
    mass_kg: ring_mass
    inertia_kg_m2: [ring_ixx, ring_iyy, ring_ixx]
    orientation: {axis: [1, 0, 0], angle_rad: TILT}
    angular_velocity_rad_per_s: [0, 65, RATE]
interacts:
  - {name: held, type: rigid, from: ground, to: carrier}
  - {name: sidewall, type: bushing, from: carrier.wheel, to: belt,
     stiffness_N_per_m: [ring_k_long, ring_k_lat, ring_k_long], rotational_stiffness_Nm_per_rad: [ring_k_yaw, ring_k_windup, ring_k_yaw]}
)yaml";
  const auto put = [&](const std::string& name, double value) {
    text.replace(text.find(name), name.size(), fmt::format("{:.17g}", value));
  };
  put("TILT", tilt);
  put("RATE", spin * tilt + w * tilt);
  const Values v = run(load_with_ring(text), ida(end, 1e-10)).final;
  const Vec4 q(v.at("belt/orientation/q0"), v.at("belt/orientation/q1"), v.at("belt/orientation/q2"),
               v.at("belt/orientation/q3"));
  const Vec3 axle = rotation_from_quaternion(q).col(1);
  const double error = std::hypot(axle.z() / tilt - std::cos(w * end), -axle.x() / tilt - std::sin(w * end));
  verify_row("Rigid ring", "whirl of the belt at 65 rad/s after 0.2 s", "ida", "", "closed form", error,
             "of the amplitude");
  EXPECT_LT(error, 1e-3);  // the closed form is linear in the tilt
}

/// A wheel under a given load at 15 m/s and 2 degrees of slip.
std::string rig(bool ring) {
  return header("speed: 15, height: 0.298, a: 2*pi/180") + R"yaml(
ground: {frames: [{name: rail, position_m: [0, 0, height], orientation: {z_axis: [1, 0, 0], x_axis: [0, 0, 1]}}]}
parts:
  - {name: carriage, mass_kg: 1e5, inertia_kg_m2: [50, 50, 50], position_m: [0, 0, height], velocity_m_per_s: [speed, 0, 0],
     frames: [{name: rail, orientation: {z_axis: [1, 0, 0], x_axis: [0, 0, 1]}}, {name: top, position_m: [0, 0, 1]}]}
  - name: hub
    mass_kg: )yaml" +
         std::string(ring ? "414" : "421") + R"yaml(
    inertia_kg_m2: [50, 50, 50]
    position_m: [0, 0, height]
    velocity_m_per_s: [speed, 0, 0]
    rotors:
      - {name: wheel, mass_kg: 12, axial_inertia_kg_m2: 1, transverse_inertia_kg_m2: 0.6, axis: [-sin(a), cos(a), 0],
         speed_rad_per_s: speed/0.3105}
    frames: [{name: wheel, rotor: wheel, orientation: {y_axis: [-sin(a), cos(a), 0], z_axis: [0, 0, 1]}}]
interacts:
  - {name: rail, type: prismatic, from: ground.rail, to: carriage.rail}
  - {name: guide, type: prismatic, from: carriage, to: hub}
  - {name: damper, type: spring_damper, from: carriage.top, to: hub, stiffness_N_per_m: 0, damping_Ns_per_m: 9000,
     free_length_m: 1}
  - {name: tire, type: magic_formula, from: ground, transient: true, file: )yaml" +
         kModels + "tires/touring.tir, " +
         (ring ? R"yaml(to: ring/belt,
     contact_share: [ring_share_x, ring_share_y, ring_share_z], belt_stiffness_Nm_per_rad: ring_k_yaw}
subsystems:
  - {name: ring, type: rigid_ring, connect: {hub: hub}, position_m: [0, 0, height],
     parameters: {forward_m_per_s: speed, spin_rad_per_s: speed/0.3105, yaw_rad: a}}
)yaml"
               : "to: hub.wheel}\n");
}

TEST(RigidRing, CarriesAndCornersLikeTheTireWithoutIt) {
  const auto settings = fixed_step("linearly-implicit-2", 1, 1e-3);
  const Values plain = run(load_with_ring(rig(false)), settings).final,
               ring = run(load_with_ring(rig(true)), settings).final;
  const auto compare = [&](const char* channel, double bound, const char* why) {
    const double error = std::abs(ring.at(channel) / plain.at(channel) - 1);
    verify_row("Rigid ring", fmt::format("{} at 2 degrees of slip", channel), "steady",
               fmt::format("{:.5g}", ring.at(channel)), fmt::format("{:.5g} without ring", plain.at(channel)),
               error, "relative");
    EXPECT_LT(error, bound) << channel << ": " << why;
  };
  compare("tire/load", 1e-5, "the weight is the same");
  compare("hub/position/z", 1e-3, "progressive load, divided as if linear");
  compare("tire/lateral_force", 0.01, "damping of the turning sidewalls yaws the belt");
  compare("tire/aligning_moment", 0.01, "the same");
}

TEST(RigidRing, ACleatExcitesTheVerticalMode) {
  io::ScenarioSpec spec = read_file(kModels + "examples/rigid-ring.yaml");
  spec.simulation.end_s = 0.56;
  const RecordedRun run(spec);
  std::vector<double> peaks;
  for (std::size_t i = 1; i + 1 < run.size(); ++i) {
    const auto load = [&](std::size_t k) { return run.value(k, "tire/load"); };
    if (run.time(i) > 0.48 && load(i) > load(i - 1) && load(i) >= load(i + 1)) peaks.push_back(run.time(i));
  }
  ASSERT_GE(peaks.size(), 5U);
  const double found = 4 / (peaks[4] - peaks[0]);
  // Belt between sidewalls and contact.
  const double k = 7 * std::pow(2 * std::numbers::pi * 80, 2),
               expected = std::sqrt((k + 213000 / (1 - 213000 / k)) / 7) / (2 * std::numbers::pi);
  verify_row("Rigid ring", "frequency of the load behind a cleat", "peaks", fmt::format("{:.1f} Hz", found),
             fmt::format("{:.1f} Hz", expected), std::abs(found / expected - 1), "relative");
  EXPECT_NEAR(found, expected, 0.03 * expected);  // peaks are known to 0.5 ms of 47 ms; other modes mix in
}

}  // namespace
}  // namespace monocoque::test

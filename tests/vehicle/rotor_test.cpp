// Rotors: the same machine with the wheel as a part on a revolute joint, and mistakes in the file.

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "core/rotation.h"
#include "support/run.h"

namespace monocoque::test {
namespace {

// The body that carries the wheel, and what holds it; the wheel comes between.
const std::string kBodyText = R"yaml(
monocoque: 1
parts:
  - name: body
    mass_kg: 3
    inertia_kg_m2: [0.08, 0.11, 0.06, 0.01, -0.02, 0.005]
    center_of_mass_m: [0.05, -0.02, 0.03]
    position_m: [0.1, 0.2, 0.3]
    orientation: {axis: [1, 2, -1], angle_deg: 35}
    velocity_m_per_s: [-0.07, 0.16, 0.25]
    angular_velocity_rad_per_s: [0.7, -1.1, 0.9]
)yaml";
const std::string kHeld =
    R"yaml(  - {name: hang, type: spherical, from: {part: ground, at_world_m: [0, 0, 0.4]}, to: {part: body, at_world_m: [0, 0, 0.4]}}
  - {name: spring, type: spring_damper, from: {part: ground, position_m: [0.5, 0.5, 0.5]}, to: body.hook,
     stiffness_N_per_m: 60, damping_Ns_per_m: 1, free_length_m: 0.4}
simulation: {solver: rk4, step_s: 0.0005, end_s: 2}
)yaml";

const std::string kWithRotor = kBodyText + R"yaml(    rotors:
      - {name: wheel, mass_kg: 1.5, axial_inertia_kg_m2: 0.03, transverse_inertia_kg_m2: 0.02,
         position_m: [0.2, 0.1, -0.05], axis: [1, 2, 3], speed_rad_per_s: 40}
    frames:
      - {name: hub, position_m: [0.2, 0.1, -0.05], orientation: {z_axis: [1, 2, 3]}}
      - {name: rim, rotor: wheel, position_m: [0.2, 0.1, -0.05]}
      - {name: hook, position_m: [-0.2, 0.1, 0]}
interacts:
  - {name: motor, type: actuator_torque, from: body.hub, to: body.rim, torque_Nm: 0.4*sin(3*t)}
)yaml" + kHeld;

const std::string kWithJoint = kBodyText + R"yaml(    frames:
      - {name: hub, position_m: [0.2, 0.1, -0.05], orientation: {z_axis: [1, 2, 3]}}
      - {name: hook, position_m: [-0.2, 0.1, 0]}
  - name: wheel
    mass_kg: 1.5
    inertia_kg_m2: [0.02, 0.02, 0.03]
    position_m: WHEEL_PLACE
    orientation: {quaternion: WHEEL_TURN}
    velocity_m_per_s: WHEEL_VELOCITY
    angular_velocity_rad_per_s: WHEEL_SPIN
interacts:
  - {name: bearing, type: revolute, from: body.hub, to: wheel}
  - {name: motor, type: actuator_torque, from: body.hub, to: wheel, torque_Nm: 0.4*sin(3*t)}
)yaml" + kHeld;

std::string list(const VecX& v) {
  std::string out = "[";
  for (Eigen::Index i = 0; i < v.size(); ++i) out += fmt::format("{}{:.17g}", i ? ", " : "", v[i]);
  return out + "]";
}

void replace(std::string& text, const std::string& word, const std::string& value) {
  text.replace(text.find(word), word.size(), value);
}

TEST(Rotor, MovesLikeAPartOnARevoluteJoint) {
  // Kinematics of the wheel at the start, from the body's.
  const Mat3 R = rotation_from_rotation_vector(Vec3(1, 2, -1).normalized() * (35 * M_PI / 180));
  const Vec3 arm = R * Vec3(0.2, 0.1, -0.05), w(0.7, -1.1, 0.9), v(-0.07, 0.16, 0.25),
             axis = Vec3(1, 2, 3).normalized();
  const Vec3 z = axis, x = z.unitOrthogonal(), y = z.cross(x);
  Mat3 local;
  local << x, y, z;
  std::string joint = kWithJoint;
  replace(joint, "WHEEL_PLACE", list(Vec3(0.1, 0.2, 0.3) + arm));
  replace(joint, "WHEEL_TURN", list(quaternion_from_rotation(R * local)));
  replace(joint, "WHEEL_VELOCITY", list(v + w.cross(arm)));
  replace(joint, "WHEEL_SPIN", list(w + 40 * (R * axis)));
  const Loaded with_rotor = load_text(kWithRotor), with_joint = load_text(joint);
  EXPECT_EQ(with_rotor.model->nz, 7);
  EXPECT_EQ(with_joint.model->nz, 12);
  for (const char* solver : {"rk4", "ida"}) {
    auto settings = with_rotor.spec.simulation;
    settings.solver = solver;
    settings.relative_tolerance = settings.absolute_tolerance = 1e-10;
    settings.output_step_s = 2;
    const Values a = run(with_rotor, settings).final, b = run(with_joint, settings).final;
    double worst = 0;
    for (const char* path :
         {"body/position/x", "body/position/y", "body/position/z", "body/angular_velocity/x",
          "body/angular_velocity/y", "body/angular_velocity/z", "hang/reaction/force/z"})
      worst = std::max(worst, std::abs(a.at(path) - b.at(path)));
    verify_row("Rotors", "free body with a spinning wheel against a part on a revolute joint, 2 s", solver,
               "", "0", worst, "m, rad/s, N");
    EXPECT_LT(worst, 1e-6) << solver;
    EXPECT_NEAR(a.at("energy/total"), b.at("energy/total"), 1e-6);
  }
}

std::string mistake(const std::string& from, const std::string& to) {
  std::string text = kWithRotor;
  replace(text, from, to);
  try {
    load_text(text);
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

TEST(Rotor, MistakesAreTold) {
  EXPECT_NE(mistake("axis: [1, 2, 3], speed", "axis: [0, 0, 0], speed").find("must not be zero"),
            std::string::npos);
  EXPECT_NE(mistake("axial_inertia_kg_m2: 0.03", "axial_inertia_kg_m2: 0.05").find("no body has that"),
            std::string::npos);
  EXPECT_NE(mistake("rotor: wheel, position_m: [0.2, 0.1, -0.05]", "rotor: wheel, position_m: [0.2, 0.1, 0]")
                .find("off the axis"),
            std::string::npos);
  EXPECT_NE(mistake("rotor: wheel,", "rotor: wheal,").find("did you mean 'wheel'?"), std::string::npos);
}

}  // namespace
}  // namespace monocoque::test

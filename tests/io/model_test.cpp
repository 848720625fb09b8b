// Models without mistakes: every value arrives where it belongs.

#include <cmath>
#include <numbers>

#include "core/rotation.h"
#include "test_library.h"

namespace monocoque::io::test {
namespace {

const char* const good_model = R"y(name: pendulum
parameters: {half_m: length_m/2, length_m: 1, k: 2*pi}
gravity_m_per_s2: [0, 0, -9.80665]
ground:
  frames: [{name: A, position_m: [0, 0, 2*length_m]}]
parts:
  - name: rod
    mass_kg: 3
    inertia_kg_m2: [0.1, 0.2, 0.2, 0.01, 0.02, 0.03]
    center_of_mass_m: [0, 0, half_m]
    position_m: [1, 2, 3]
    orientation: {axis: [0, 0, 2], angle_deg: 90}
    velocity_m_per_s: [0.1, 0.2, 0.3]
    angular_velocity_rad_per_s: [4, 5, 6]
    fixed: [x, rz]
    fixed_velocity: [y]
    frames:
      - {name: bottom}
      - {name: top, position_m: [0, 0, length_m], orientation: {roll_pitch_yaw_deg: [0, 90, 0]}}
  - {name: bob, kind: particle, mass_kg: 0.5}
interacts:
  - {name: hinge, type: revolute, from: ground.A, to: rod.bottom}
  - name: spring
    type: spring
    from: {part: rod, at_world_m: [1, 3, 3], orientation_world: {z_axis: [0, 0, 1], x_axis: [1, 0, 0]}}
    to: bob
    stiffness_N_per_m: 100*k
    free_length_m: 0.1*sin(2*t)
    curve: [[0, 1], [half_m, 4]]
  - {name: hinge2, type: revolute, from: rod.top, to: {part: ground, position_m: [0, 1, 0]}}
  - {name: gear, type: coupler, joints: [hinge, hinge2], ratio: -2}
  - {name: fr, type: joint_friction, joint: hinge, coefficient: 0.2}
  - {name: load, type: reaction, of: spring}
signals:
  - {name: rack, formula: "0.015*step(t-3)"}
  - {name: path, table: [[0, 0], [1, 2]], interpolation: hold}
controllers:
  - {name: speed, type: pid, gain: 3, input: load, target: rack}
simulation: {solver: rk4, end_s: 2, step_s: 0.01, outputs: ["rod*"]}
)y";

TEST(Model, EveryValueArrives) {
  const Reading r = read(good_model);
  ASSERT_EQ(r.text(), "");
  const ModelSpec& m = r.model();
  EXPECT_EQ(m.name, "pendulum");
  EXPECT_EQ(m.parts[0].name, "ground");
  EXPECT_EQ(m.parts[0].kind, PartKind::ground);
  EXPECT_DOUBLE_EQ(m.gravity_m_per_s2.z(), -9.80665);
  EXPECT_EQ(r.frame("ground", "A").position_m, Vec3(0, 0, 2));
  const PartSpec& rod = r.part("rod");
  EXPECT_EQ(rod.center_of_mass_m, Vec3(0, 0, 0.5));
  EXPECT_DOUBLE_EQ(rod.inertia_kg_m2(0, 2), 0.02);
  EXPECT_DOUBLE_EQ(rod.inertia_kg_m2(2, 1), 0.03);
  EXPECT_TRUE(rotation_from_quaternion(rod.quaternion).col(0).isApprox(Vec3(0, 1, 0)));
  EXPECT_EQ(rod.fixed_position, (std::array<bool, 6>{true, false, false, false, false, true}));
  EXPECT_EQ(rod.fixed_velocity, (std::array<bool, 6>{false, true, false, false, false, false}));
  EXPECT_TRUE(r.frame("rod", "top").rotation.col(2).isApprox(Vec3(1, 0, 0)));
  EXPECT_EQ(r.part("bob").kind, PartKind::particle);
  EXPECT_EQ(rod.place.line, 8);
  EXPECT_EQ(m.signals.size(), 2u);
  EXPECT_EQ(m.signals[0].function.event_times(), std::vector<double>{3});
}

TEST(Model, InteractsArrive) {
  const Reading r = read(good_model);
  const InteractSpec& spring = r.interact("spring");
  EXPECT_DOUBLE_EQ(spring.parameters.number("stiffness_N_per_m"), 200 * std::numbers::pi);
  EXPECT_EQ(spring.parameters.number("damping_Ns_per_m"), 0);
  EXPECT_DOUBLE_EQ(spring.parameters.signal("free_length_m").function.at(0.5).rate, 0.2 * std::cos(1.0));
  EXPECT_EQ(spring.parameters.text("law"), "linear");
  EXPECT_TRUE(spring.parameters.boolean("active"));
  EXPECT_EQ(spring.parameters.integer("steps"), 3);
  EXPECT_EQ(spring.parameters.table("curve")[1], (std::vector<double>{1, 4}));
  EXPECT_FALSE(spring.parameters.has("label"));
  EXPECT_EQ(spring.parameters.place("stiffness_N_per_m").line, 28);
  EXPECT_EQ(spring.ends[1].part, "bob");
  EXPECT_EQ(spring.ends[1].frame, "origin");
  // World point (1, 3, 3) on a rod at (1, 2, 3) turned by 90 degrees about z: one metre along its x axis.
  const FrameSpec& f = r.frame("rod", spring.ends[0].frame);
  EXPECT_TRUE(f.position_m.isApprox(Vec3(1, 0, 0)));
  EXPECT_TRUE(f.rotation.col(0).isApprox(Vec3(0, -1, 0)));
  EXPECT_EQ(r.interact("gear").targets, (std::vector<std::string>{"hinge", "hinge2"}));
  EXPECT_EQ(r.interact("fr").targets, std::vector<std::string>{"hinge"});
  EXPECT_EQ(r.interact("load").targets, std::vector<std::string>{"spring"});
  EXPECT_EQ(r.model().controllers[0].parameters.signal("target").name, "rack");
  EXPECT_EQ(r.model().controllers[0].parameters.text("input"), "load");
  EXPECT_TRUE(r.scenario.simulation.step_given);
  EXPECT_EQ(r.scenario.simulation.solver, "rk4");
  EXPECT_EQ(r.scenario.simulation.outputs, std::vector<std::string>{"rod*"});
  EXPECT_EQ(r.model().source_text, std::string("# file: m.yaml\nmonocoque: 1\n") + good_model + "\n");
}

TEST(Model, OrientationsAgree) {
  const Reading r = read(R"y(parts:
  - {name: a, mass_kg: 0, orientation: {quaternion: [0.70710678, 0, 0, 0.70710678]}}
  - {name: b, mass_kg: 0, orientation: {axis: [0, 0, 1], angle_rad: pi/2}}
  - {name: c, mass_kg: 0, orientation: {roll_pitch_yaw_rad: [0, 0, pi/2]}}
  - {name: d, mass_kg: 0, orientation: {x_axis: [0, 3, 0], y_axis: [-1, 0.5, 0]}}
  - {name: e, mass_kg: 0, orientation: {y_axis: [-1, 0, 0.2], z_axis: [0, 0, 2]}}
)y");
  ASSERT_EQ(r.text(), "");
  for (const char* name : {"b", "c", "d", "e"})
    EXPECT_TRUE(r.part(name).quaternion.isApprox(r.part("a").quaternion, 1e-7)) << name;
}

TEST(Model, ScenarioReplacesParametersAndSignals) {
  const Reading r = read(R"y(name: fast
model:
  name: car
  parameters: {v: 1, w: 2*v}
  simulation: {end_s: 5, step_s: 0.1}
  signals: [{name: steer, formula: "0"}]
  parts: [{name: p, kind: particle, mass_kg: w}]
parameters: {v: 4}
signals: [{name: steer, formula: "v*t"}]
simulation: {end_s: 7}
)y");
  ASSERT_EQ(r.text(), "");
  EXPECT_EQ(r.scenario.name, "fast");
  EXPECT_EQ(r.model().name, "car");
  EXPECT_EQ(r.part("p").mass_kg, 8);
  EXPECT_EQ(r.model().signals[0].function.at(2).value, 8);
  EXPECT_EQ(r.scenario.simulation.end_s, 7);
  EXPECT_EQ(r.scenario.simulation.step_s, 0.1);
}

TEST(Model, MergeKeysAndAliases) {
  const Reading r = read(R"y(parts:
  - &base {name: a, mass_kg: 2, inertia_kg_m2: [1, 1, 1], position_m: &p [1, 2, 3]}
  - {<<: *base, name: b, velocity_m_per_s: *p}
)y");
  ASSERT_EQ(r.text(), "");
  EXPECT_EQ(r.part("b").mass_kg, 2);
  EXPECT_EQ(r.part("b").velocity_m_per_s, Vec3(1, 2, 3));
}

}  // namespace
}  // namespace monocoque::io::test

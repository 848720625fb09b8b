// Subsystems: names, parameters, ports, shift and mirror.

#include <numbers>

#include "core/rotation.h"
#include "test_library.h"

namespace monocoque::io::test {
namespace {

const char* const corner = R"y(parameters: {track_m: 1.6}
parts:
  - {name: body, mass_kg: 10, inertia_kg_m2: [1, 2, 2], position_m: [0, 0, 0.5],
     orientation: {axis: [0, 0, 1], angle_deg: 90}}
subsystem_types:
  corner:
    parameters: {mass_kg: 20, toe_rad: 0.1*side, half_m: track_m/2}
    ports: [chassis]
    parts:
      - name: upright
        mass_kg: mass_kg
        inertia_kg_m2: [0.3, 0.2, 0.4, 0.01, 0.02, 0.03]
        center_of_mass_m: [0.1, 0.2, 0.3]
        position_m: [0.4, half_m, 0.3]
        orientation: {axis: [1, 2, 3], angle_deg: 40}
        velocity_m_per_s: [1, 2, 3]
        angular_velocity_rad_per_s: [4, 5, 6]
        frames:
          - {name: hub, position_m: [0.01, 0.02, 0.03], orientation: {axis: [3, 1, 2], angle_deg: 25}}
    interacts:
      - {name: arm, type: revolute, from: {part: chassis, position_m: [0.2, 0.3, 0.4]}, to: upright.hub}
      - {name: strut, type: spring, from: {part: chassis, at_world_m: [0.1, 0.5, 0.9]}, to: upright,
         stiffness_N_per_m: 1000, free_length_m: rack}
      - {name: drag, type: joint_friction, joint: arm, coefficient: 0.1}
signals: [{name: rack, formula: "0.01*t"}]
)y";

Mat3 rotation(const Vec3& axis, double degrees) {
  return rotation_from_quaternion(quaternion_from_axis_angle(axis, degrees * std::numbers::pi / 180));
}

TEST(Subsystem, UsedTwiceWithOwnNamesAndParameters) {
  const Reading r = read(std::string(corner) + R"y(subsystems:
  - {name: FL, type: corner, connect: {chassis: body}, position_m: [1, 0, 0]}
  - {name: RL, type: corner, connect: {chassis: body}, position_m: [-1, 0, 0], parameters: {mass_kg: 20*track_m}}
interacts:
  - {name: link, type: spring, from: FL/upright.hub, to: RL/upright, stiffness_N_per_m: 1}
)y");
  ASSERT_EQ(r.text(), "");
  EXPECT_EQ(r.part("FL/upright").mass_kg, 20);
  EXPECT_DOUBLE_EQ(r.part("RL/upright").mass_kg, 32);
  EXPECT_TRUE(r.part("FL/upright").position_m.isApprox(Vec3(1.4, 0.8, 0.3)));
  EXPECT_TRUE(r.part("RL/upright").position_m.isApprox(Vec3(-0.6, 0.8, 0.3)));
  EXPECT_EQ(r.interact("FL/arm").ends[0].part, "body");
  EXPECT_EQ(r.interact("FL/drag").targets, std::vector<std::string>{"FL/arm"});
  EXPECT_EQ(r.interact("FL/strut").parameters.signal("free_length_m").name, "rack");
  EXPECT_EQ(r.interact("link").ends[0].part, "FL/upright");
  EXPECT_EQ(r.frame("body", "RL/arm:from").position_m, Vec3(0.2, 0.3, 0.4));
  // World point (1.1, 0.5, 0.9) on the body at (0, 0, 0.5) turned by 90 degrees about z.
  EXPECT_TRUE(r.frame("body", "FL/strut:from").position_m.isApprox(Vec3(0.5, -1.1, 0.4)));
}

TEST(Subsystem, MirrorReflectsEverything) {
  const Reading r = read(std::string(corner) + R"y(subsystems:
  - {name: L, type: corner, connect: {chassis: body}}
  - {name: R, type: corner, connect: {chassis: body}, mirror: y, position_m: [0, 0, 2]}
)y");
  ASSERT_EQ(r.text(), "");
  const PartSpec& p = r.part("R/upright");
  EXPECT_TRUE(p.position_m.isApprox(Vec3(0.4, -0.8, 2.3)));
  EXPECT_EQ(p.center_of_mass_m, Vec3(0.1, -0.2, 0.3));
  EXPECT_EQ(p.velocity_m_per_s, Vec3(1, -2, 3));
  EXPECT_EQ(p.angular_velocity_rad_per_s, Vec3(-4, 5, -6));
  // The mirror image of a turn about (1, 2, 3) is the turn the other way about (1, -2, 3).
  EXPECT_TRUE(rotation_from_quaternion(p.quaternion).isApprox(rotation({1, -2, 3}, -40), 1e-12));
  EXPECT_TRUE(r.frame("R/upright", "hub").rotation.isApprox(rotation({3, -1, 2}, -25), 1e-12));
  EXPECT_EQ(r.frame("R/upright", "hub").position_m, Vec3(0.01, -0.02, 0.03));
  EXPECT_EQ(p.inertia_kg_m2(0, 1), -0.01);
  EXPECT_EQ(p.inertia_kg_m2(0, 2), 0.02);
  EXPECT_EQ(p.inertia_kg_m2(1, 2), -0.03);
  EXPECT_EQ(r.frame("body", "R/arm:from").position_m, Vec3(0.2, -0.3, 0.4));
  EXPECT_TRUE(r.frame("body", "R/strut:from").position_m.isApprox(Vec3(-0.5, -0.1, 2.4)));
  // The point of the frame in the world is the mirror image too.
  const PartSpec& left = r.part("L/upright");
  const Vec3 hub_left =
      left.position_m + rotation_from_quaternion(left.quaternion) * r.frame("L/upright", "hub").position_m;
  const Vec3 hub =
      p.position_m + rotation_from_quaternion(p.quaternion) * r.frame("R/upright", "hub").position_m;
  EXPECT_TRUE(hub.isApprox(Vec3(hub_left.x(), -hub_left.y(), hub_left.z() + 2)));
}

TEST(Subsystem, MirroredTwiceIsIdentity) {
  std::string text = corner;
  const std::string nested =
      "  again:\n    ports: [c]\n    subsystems: [{name: in, type: corner, connect: {chassis: c}, mirror: y, "
      "position_m: "
      "[1, 2, 3]}]\n";
  text.insert(text.find("signals:"), nested);
  text +=
      "subsystems:\n  - {name: one, type: corner, connect: {chassis: body}, position_m: [1, -2, 3]}\n"
      "  - {name: two, type: again, connect: {c: body}, mirror: y}\n";
  const Reading twice = read(text);
  ASSERT_EQ(twice.text(), "");
  const PartSpec &a = twice.part("one/upright"), &b = twice.part("two/in/upright");
  EXPECT_TRUE(b.position_m.isApprox(a.position_m));
  EXPECT_TRUE(b.quaternion.isApprox(a.quaternion));
  EXPECT_EQ(b.inertia_kg_m2, a.inertia_kg_m2);
  EXPECT_EQ(b.angular_velocity_rad_per_s, a.angular_velocity_rad_per_s);
  EXPECT_EQ(b.velocity_m_per_s, a.velocity_m_per_s);
  EXPECT_TRUE(
      twice.frame("two/in/upright", "hub").rotation.isApprox(twice.frame("one/upright", "hub").rotation));
  EXPECT_TRUE(twice.frame("body", "two/in/strut:from")
                  .position_m.isApprox(twice.frame("body", "one/strut:from").position_m));
}

TEST(Subsystem, SideIsMinusOneWhenMirrored) {
  const Reading r = read(R"y(subsystem_types:
  t: {parts: [{name: p, kind: particle, mass_kg: 2 + side}]}
subsystems: [{name: a, type: t}, {name: b, type: t, mirror: z}]
)y");
  ASSERT_EQ(r.text(), "");
  EXPECT_EQ(r.part("a/p").mass_kg, 3);
  EXPECT_EQ(r.part("b/p").mass_kg, 1);
}

TEST(Subsystem, Mistakes) {
  const std::string types = R"y(subsystem_types:
  t:
    parameters: {m: 1}
    ports: [base]
    parts: [{name: p, kind: particle, mas_kg: m}]
  loop: {subsystems: [{name: x, type: loop}]}
)y";
  EXPECT_EQ(read(types + "subsystems:\n  - {name: a, type: tt}\n").text(),
            "m.yaml:9: subsystem 'a': type is 'tt', there is no such subsystem type; did you mean 't'?");
  EXPECT_EQ(read(types + "subsystems:\n  - {name: a, type: loop}\n").text(),
            "m.yaml:7: subsystem 'a/x': subsystem type 'loop' contains itself");
  // The misspelt key of the type is said once, though the type is used twice.
  EXPECT_EQ(read(types + "subsystems:\n  - {name: a, type: t, connect: {base: ground}, parameters: {n: 1}}\n"
                         "  - {name: b, type: t, connect: {bas: ground}}\n")
                .text(),
            "m.yaml:6: part 'a/p': unknown key 'mas_kg'; did you mean 'mass_kg'?\n"
            "m.yaml:6: part 'a/p': key 'mass_kg' is missing; add it (mass; 0 makes a massless part)\n"
            "m.yaml:9: subsystem 'a': type 't' has no parameter 'n'; did you mean 'm'?\n"
            "m.yaml:10: subsystem 'b': type 't' has no port 'bas'; did you mean 'base'?\n"
            "m.yaml:10: subsystem 'b': port 'base' is not connected; add connect: {base: PART}");
  EXPECT_EQ(
      read("subsystem_types: {t: {ports: [c]}}\nparts: [{name: body, mass_kg: 0}]\n"
           "subsystems:\n  - {name: a, type: t, connect: {c: bodi}}\n  - {name: a, type: t, connect: {c: "
           "body}}\n")
          .text(),
      "m.yaml:5: subsystem 'a': connect.c is 'bodi', there is no such part; did you mean 'body'?\n"
      "m.yaml:6: subsystem 'a': another subsystem has this name; every subsystem needs a name of its own");
}

}  // namespace
}  // namespace monocoque::io::test

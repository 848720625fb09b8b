// Every kind of mistake: place, element, value, rule and remedy of its message.

#include "test_library.h"

namespace monocoque::io::test {
namespace {

const char* const two_parts =
    "  - {name: a, kind: particle, mass_kg: 1}\n  - {name: b, kind: particle, mass_kg: 1}\n";

struct Case {
  const char* name;
  std::string body;  ///< begins on line 2
  std::string expected;
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.name;
}

class Mistake : public testing::TestWithParam<Case> {};

TEST_P(Mistake, IsReportedWithPlaceValueRuleAndRemedy) {
  EXPECT_EQ(read(GetParam().body).text(), GetParam().expected);
}

std::string parts(const std::string& lines) {
  return "parts:\n" + lines;
}
std::string interacts(const std::string& lines) {
  return parts(two_parts) + "interacts:\n" + lines;
}

INSTANTIATE_TEST_SUITE_P(
    Parts, Mistake,
    testing::Values(
        Case{"UnitSuffix", parts("  - name: rod\n    mass_g: 12\n"),
             "m.yaml:3: part 'rod': key 'mass_kg' is missing; add it (mass; 0 makes a massless part)\n"
             "m.yaml:4: part 'rod': unknown key 'mass_g'; did you mean 'mass_kg'? (values are SI, units "
             "stand in the "
             "key)"},
        Case{"NegativeMass", parts("  - name: rod\n    mass_kg: -1\n"),
             "m.yaml:4: part 'rod': mass_kg is -1, it must be >= 0"},
        Case{"Nan", parts("  - {name: rod, mass_kg: .nan}\n"),
             "m.yaml:3: part 'rod': mass_kg is .nan, it must be a finite number"},
        Case{"Infinite", parts("  - {name: rod, mass_kg: -.inf}\n"),
             "m.yaml:3: part 'rod': mass_kg is -.inf, it must be a finite number"},
        Case{"TooLarge", parts("  - {name: rod, mass_kg: 1e999}\n"),
             "m.yaml:3: part 'rod': mass_kg is '1e999': a number outside the range of double precision at "
             "character 1 "
             "('1')"},
        Case{"DividesByZero", parts("  - {name: rod, mass_kg: 1/0}\n"),
             "m.yaml:3: part 'rod': mass_kg is '1/0', its value inf is not finite"},
        Case{"WrongType", parts("  - {name: rod, mass_kg: [1]}\n"),
             "m.yaml:3: part 'rod': mass_kg is a list of 1, it must be a number"},
        Case{"EmptyValue", parts("  - name: rod\n    mass_kg: 0\n    position_m:\n"),
             "m.yaml:5: part 'rod': position_m is empty, it must be a list of 3 numbers"},
        Case{"EmptyMass", parts("  - name: rod\n    mass_kg:\n"),
             "m.yaml:3: part 'rod': key 'mass_kg' is missing; add it (mass; 0 makes a massless part)"},
        Case{"FlexibleWithoutBody", parts("  - {name: rod, kind: flexible}\n"),
             "m.yaml:3: part 'rod': body is missing: a flexible part needs its reduced model; give body: "
             "FILE.sid, "
             "made by `monocoque reduce`"},
        Case{"FlexibleWithMass", parts("  - {name: rod, kind: flexible, mass_kg: 1, body: a.sid}\n"),
             "m.yaml:3: part 'rod': mass_kg is given, a flexible part has it from its body; remove the key\n"
             "m.yaml:3: part 'rod': the body cannot be read: other files are not allowed here"},
        Case{"BodyOfARigidPart", parts("  - {name: rod, mass_kg: 0, body: a.sid}\n"),
             "m.yaml:3: part 'rod': body is given, only a flexible part has it; remove the key or use kind: "
             "flexible"},
        Case{"NodeOfARigidPart", parts("  - {name: rod, mass_kg: 0, frames: [{name: a, node: 3}]}\n"),
             "m.yaml:3: frame 'a' of part 'rod': node is given, only flexible parts have nodes; remove the "
             "key"},
        Case{"WrongLength", parts("  - name: rod\n    mass_kg: 0\n    position_m: [1, 2]\n"),
             "m.yaml:5: part 'rod': position_m is a list of 2, it must be a list of 3 numbers"},
        Case{"DuplicateKey", parts("  - name: rod\n    mass_kg: 0\n    mass_kg: 1\n"),
             "m.yaml:5: key 'mass_kg' appears twice in the same map; keep one of them"},
        Case{"DuplicateName", parts("  - {name: rod, mass_kg: 0}\n  - {name: rod, mass_kg: 0}\n"),
             "m.yaml:4: part 'rod': the name is taken by line 3 of m.yaml; every part needs a name of its "
             "own"},
        Case{"BadName", parts("  - {name: a.b, mass_kg: 0}\n"),
             "m.yaml:3: part: name is 'a.b', a name has letters, digits, _ - and / only"},
        Case{"GroundIsTaken", parts("  - {name: ground, mass_kg: 0}\n"),
             "m.yaml:3: part 'ground': this name stands for something else already; choose another name"},
        Case{"InertiaMissing", parts("  - {name: rod, mass_kg: 1}\n"),
             "m.yaml:3: part 'rod': inertia_kg_m2 is missing for a part with mass; give Ixx Iyy Izz, or use "
             "kind: "
             "particle for a mass point"},
        Case{"InertiaNegative", parts("  - {name: rod, mass_kg: 1, inertia_kg_m2: [1, 1, -1]}\n"),
             "m.yaml:3: part 'rod': inertia_kg_m2 has the principal moments -1, 1, 1, none may be negative"},
        Case{"InertiaTriangle", parts("  - {name: rod, mass_kg: 1, inertia_kg_m2: [1, 1, 3]}\n"),
             "m.yaml:3: part 'rod': inertia_kg_m2 has the principal moments 1, 1, 3, the largest must not "
             "exceed the "
             "sum of the other two; no body of positive mass has such moments; check the units and the "
             "reference "
             "point"},
        Case{"InertiaWithoutMass", parts("  - {name: rod, mass_kg: 0, inertia_kg_m2: [1, 1, 1]}\n"),
             "m.yaml:3: part 'rod': inertia_kg_m2 is given, but mass_kg is 0; give the part a mass, or "
             "remove its "
             "inertia"},
        Case{"QuaternionLength",
             parts("  - name: rod\n    mass_kg: 0\n    orientation: {quaternion: [1, 1, 0, 0]}\n"),
             "m.yaml:5: part 'rod': orientation.quaternion has the length 1.41421, it must be 1 within "
             "0.001; order is "
             "scalar part first, then x y z"},
        Case{"ZeroAxis", parts("  - {name: rod, mass_kg: 0, orientation: {axis: [0, 0, 0], angle_deg: 3}}\n"),
             "m.yaml:3: part 'rod': orientation.axis has the length 0, it must point somewhere"},
        Case{"AngleWithoutUnit",
             parts("  - {name: rod, mass_kg: 0, orientation: {axis: [0, 0, 1], angle: 3}}\n"),
             "m.yaml:3: part 'rod': unknown key 'angle'; did you mean 'angle_deg' or 'angle_rad'? (values "
             "are SI, "
             "units stand in the key)\n"
             "m.yaml:3: part 'rod': orientation must have axis together with angle_deg or angle_rad"},
        Case{"ParallelAxes",
             parts("  - {name: r, mass_kg: 0, orientation: {x_axis: [1, 0, 0], z_axis: [2, 0, 0]}}\n"),
             "m.yaml:3: part 'r': orientation: the z and x axes are parallel, they must span a plane"},
        Case{"OneAxis", parts("  - {name: r, mass_kg: 0, orientation: {x_axis: [1, 0, 0]}}\n"),
             "m.yaml:3: part 'r': orientation has 1 axes, it must have two, or z_axis alone"},
        Case{"TwoOrientations",
             parts("  - {name: r, mass_kg: 0, orientation: {z_axis: [1, 0, 0], quaternion: [1, 0, 0, 0]}}\n"),
             "m.yaml:3: part 'r': orientation must be given in exactly one way; use quaternion, axis with "
             "angle_deg, "
             "roll_pitch_yaw_deg, or two axes"},
        Case{
            "ParticleOrientation",
            parts(
                "  - {name: r, kind: particle, mass_kg: 1, orientation: {z_axis: [1, 0, 0]}, fixed: [rx]}\n"),
            "m.yaml:3: part 'r': orientation is given, a particle has none; remove the key or use kind: "
            "rigid\n"
            "m.yaml:3: part 'r': fixed names rx, a particle does not turn; use x, y and z only"},
        Case{"FixedWord", parts("  - {name: r, mass_kg: 0, fixed: [q]}\n"),
             "m.yaml:3: part 'r': fixed[0] is 'q'; did you mean 'x'?"},
        Case{"FrameTwice",
             parts("  - name: r\n    mass_kg: 0\n    frames: [{name: f}, {name: f}, {name: origin}]\n"),
             "m.yaml:5: frame 'f' of part 'r': another frame of the part has this name; choose another name\n"
             "m.yaml:5: frame 'origin' of part 'r': the name 'origin' stands for the part frame itself; "
             "choose "
             "another name"},
        Case{"NotAList", "parts: 3\n",
             "m.yaml:2: parts is 3, it must be a list; begin each entry with '- name: ...'"},
        Case{"NotAMap", "parts:\n  - 3\n", "m.yaml:3: an entry of parts is 3, it must be a map of keys"}),
    [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Interacts, Mistake,
    testing::Values(
        Case{"UnknownType", interacts("  - {name: h, type: revolut, from: a, to: b}\n"),
             "m.yaml:6: revolut 'h' (a - b): type is 'revolut', there is no such type; did you mean "
             "'revolute'?"},
        Case{"MissingType", interacts("  - {name: h, from: a, to: b}\n"),
             "m.yaml:6: interact 'h' (a - b): key 'type' is missing; use one of revolute, spring, coupler, "
             "joint_friction, reaction"},
        Case{"ControllerType", interacts("  - {name: h, type: pid}\n"),
             "m.yaml:6: pid 'h': type is 'pid', which belongs under controllers"},
        Case{"UnknownPart", interacts("  - {name: h, type: revolute, from: grund, to: b}\n"),
             "m.yaml:6: revolute 'h' (grund - b): from is 'grund', there is no part 'grund'; did you mean "
             "'ground'?"},
        Case{"UnknownFrame",
             "ground: {frames: [{name: top}]}\n" + interacts("  - {name: h, type: revolute, from: "
                                                             "ground.tpo, to: b}\n"),
             "m.yaml:7: revolute 'h' (ground.tpo - b): from is 'ground.tpo', part 'ground' has no frame "
             "'tpo'; did you "
             "mean 'top'?"},
        Case{
            "MissingEnd", interacts("  - {name: h, type: revolute, to: b}\n"),
            "m.yaml:6: revolute 'h' ( - b): key 'from' is missing; add it (first frame: part, part.frame, or "
            "inline)"},
        Case{"SamePart", interacts("  - {name: h, type: revolute, from: b, to: b}\n"),
             "m.yaml:6: revolute 'h' (b - b): from and to are both on part 'b'; an interact acts between two "
             "parts"},
        Case{"FieldRule",
             interacts("  - name: s\n    type: spring\n    from: a\n    to: b\n"
                       "    stiffness_N_per_m: -1200\n"),
             "m.yaml:10: spring 's' (a - b): stiffness_N_per_m is -1200, it must be >= 0"},
        Case{"FieldUnit",
             interacts("  - {name: s, type: spring, from: a, to: b, stiffness_N_per_m: 1,\n"
                       "     damping_Ns_per_mm: 2}\n"),
             "m.yaml:7: spring 's' (a - b): unknown key 'damping_Ns_per_mm'; did you mean "
             "'damping_Ns_per_m'? (values "
             "are SI, units stand in the key)"},
        Case{"NoCloseKey", interacts("  - {name: h, type: revolute, from: a, to: b, colour: red}\n"),
             "m.yaml:6: revolute 'h' (a - b): unknown key 'colour'; known keys are name, type, from, to"},
        Case{"Choice",
             interacts("  - {name: s, type: spring, from: a, to: b, stiffness_N_per_m: 1, law: qubic}\n"),
             "m.yaml:6: spring 's' (a - b): law is 'qubic'; did you mean 'cubic'?"},
        Case{"VectorEntry",
             interacts("  - name: s\n    type: spring\n    from: a\n    to: b\n"
                       "    stiffness_N_per_m: 1\n    offset_m:\n      - 0\n      - x\n      - 0\n"),
             "m.yaml:13: spring 's' (a - b): offset_m[1] is 'x': unknown parameter 'x' at character 1"},
        Case{"TableOrder",
             interacts("  - {name: s, type: spring, from: a, to: b, stiffness_N_per_m: 1,\n"
                       "     curve: [[0, 1], [0, 2]]}\n"),
             "m.yaml:7: spring 's' (a - b): curve[1][0] is 0 after 0, it must increase from pair to pair"},
        Case{
            "TableShort",
            interacts("  - {name: s, type: spring, from: a, to: b, stiffness_N_per_m: 1, curve: [[0, 1]]}\n"),
            "m.yaml:6: spring 's' (a - b): curve is a list of 1, it must be a list of at least 2 pairs [x, "
            "y]"},
        Case{"Integer",
             interacts("  - {name: s, type: spring, from: a, to: b, stiffness_N_per_m: 1, steps: 1.5}\n"),
             "m.yaml:6: spring 's' (a - b): steps is 1.5, it must be a whole number"},
        Case{"Boolean",
             interacts("  - {name: s, type: spring, from: a, to: b, stiffness_N_per_m: 1, active: si}\n"),
             "m.yaml:6: spring 's' (a - b): active is si, it must be true or false"},
        Case{"UnknownSignal",
             "signals: [{name: rack, formula: t}]\n" +
                 interacts("  - {name: s, type: spring, from: a, to: b, stiffness_N_per_m: 1, free_length_m: "
                           "rak}\n"),
             "m.yaml:7: spring 's' (a - b): free_length_m is 'rak', no signal, controller or parameter has "
             "this name; "
             "did you mean 'rack'?"},
        Case{"UnknownTarget",
             interacts("  - {name: hinge, type: revolute, from: a, to: b}\n"
                       "  - {name: f, type: joint_friction, joint: hing, coefficient: 0.1}\n"),
             "m.yaml:7: joint_friction 'f' (hing): joint is 'hing', there is no interact of this name; did "
             "you mean "
             "'hinge'?"},
        Case{"NoJoint",
             interacts("  - {name: s, type: spring, from: a, to: b, stiffness_N_per_m: 1}\n"
                       "  - {name: f, type: joint_friction, joint: s, coefficient: 0.1}\n"),
             "m.yaml:7: joint_friction 'f' (s): joint is 's', which is no joint"},
        Case{"OneJoint",
             interacts("  - {name: h, type: revolute, from: a, to: b}\n"
                       "  - {name: c, type: coupler, joints: [h], ratio: 1}\n"),
             "m.yaml:7: coupler 'c' (h): joints is a list of 1, it must be a list of two joints"},
        Case{"SharedName",
             "signals: [{name: h, formula: t}]\n" +
                 interacts("  - {name: h, type: revolute, from: a, to: b}\n"),
             "m.yaml:7: interact 'h': the name is taken by line 2 of m.yaml; interacts, signals and "
             "controllers need "
             "names of their own"},
        Case{"InlineTwice",
             interacts("  - {name: h, type: revolute, from: {part: ground, position_m: [0, 0, 0], "
                       "at_world_m: [0, 0, 0]}, to: b}\n"),
             "m.yaml:6: revolute 'h' (ground - b): from has position_m and at_world_m, it must have one of "
             "them"},
        Case{"UnknownReference",
             "controllers: [{name: c, type: pid, gain: 1, input: lod}]\n"
             "signals: [{name: load, formula: t}]\n",
             "m.yaml:2: controller 'c': input is 'lod', nothing has this name; did you mean 'load'?"}),
    [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Rest, Mistake,
    testing::Values(
        Case{"UnknownTopKey", "part: []\n", "m.yaml:2: unknown key 'part'; did you mean 'parts'?"},
        Case{"ParameterCycle", "parameters:\n  a: b + 1\n  b: 2*a\n",
             "m.yaml:3: parameter 'a': its value b + 1 depends on itself; break the circle with a number"},
        Case{"ParameterName", "parameters:\n  sin: 3\n  a-b: 2\n",
             "m.yaml:3: parameter 'sin' has a name that formulas use themselves; choose another name\n"
             "m.yaml:4: parameter 'a-b' has a name that formulas cannot use; use letters, digits and _, and "
             "begin "
             "with a letter"},
        Case{"ParameterUnknown", "parameters:\n  length: 1\n  half: lenght/2\n",
             "m.yaml:4: parameter 'half': value is 'lenght/2': unknown parameter 'lenght' at character 1; "
             "did you mean "
             "'length'?"},
        Case{"TimeInNumber", "gravity_m_per_s2: [0, 0, -t]\n",
             "m.yaml:2: gravity_m_per_s2[2] is '-t': the time t is not allowed here, only parameters "
             "(character 2)"},
        Case{"SignalBoth", "signals:\n  - {name: s, formula: t, table: [[0, 0]]}\n",
             "m.yaml:3: signal 's': it must have either formula, table or controller"},
        Case{"SignalFormula", "signals:\n  - {name: s, formula: sni(t)}\n",
             "m.yaml:3: signal 's': formula is 'sni(t)': unknown function 'sni' at character 1, did you mean "
             "'sin'?"},
        Case{"SimulationEnd", "simulation: {start_s: 2, end_s: 1}\n",
             "m.yaml:2: simulation: end_s is 1, it must be > start_s = 2"},
        Case{"SimulationUnit", "simulation:\n  step_ms: 1\n",
             "m.yaml:3: simulation: unknown key 'step_ms'; did you mean 'step_s'? (values are SI, units "
             "stand in the "
             "key)"},
        Case{"ScenarioParameter", "model: {parameters: {speed: 1}}\nparameters: {sped: 2}\n",
             "m.yaml:3: the model has no parameter 'sped'; did you mean 'speed'?"},
        Case{"IncludeInText", "include: [x.yaml]\n",
             "m.yaml:2: 'x.yaml' cannot be read: other files are not allowed here"}),
    [](const auto& info) { return info.param.name; });

TEST(Mistakes, VersionIsRequired) {
  EXPECT_EQ(read_raw("name: x\n").text(),
            "m.yaml:1: key 'monocoque' is missing; begin the file with monocoque: 1");
  EXPECT_EQ(read_raw("monocoque: 2\n").text(), "m.yaml:1: monocoque is 2, this program reads version 1");
}

TEST(Mistakes, AllAreReportedTogether) {
  const Reading r = read(R"y(parts:
  - name: rod
    mass_kg: -3
    position: [0, 0, 1]
  - name: bob
    kind: particel
    mass_kg: 1
    inertia_kg_m2: [1, 1, 1]
interacts:
  - {name: h, type: revolute, from: ground.x, to: rot}
)y");
  EXPECT_EQ(r.diagnostics.error_count(), 5);
  EXPECT_EQ(
      r.text(),
      "m.yaml:4: part 'rod': mass_kg is -3, it must be >= 0\n"
      "m.yaml:5: part 'rod': unknown key 'position'; did you mean 'position_m'? (values are SI, units stand "
      "in "
      "the key)\n"
      "m.yaml:7: part 'bob': kind is 'particel'; did you mean 'particle'?\n"
      "m.yaml:11: revolute 'h' (ground.x - rot): from is 'ground.x', part 'ground' has no frame 'x'; use one "
      "of "
      "origin\n"
      "m.yaml:11: revolute 'h' (ground.x - rot): to is 'rot', there is no part 'rot'; did you mean 'rod'?");
}

}  // namespace
}  // namespace monocoque::io::test

// Bad input: never a crash, never silence; the message has place, element, value, rule and remedy.

#include "program.h"

namespace monocoque::test {
namespace {

struct Case {
  const char* name;
  std::string text;                   ///< of the file m.yaml
  std::vector<std::string> expected;  ///< parts of the message on stderr
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.name;
}

class Refused : public Program, public testing::WithParamInterface<Case> {};

TEST_P(Refused, ByCheckAndRunAlike) {
  write("m.yaml", GetParam().text);
  for (const char* command : {"check", "run"}) {
    const Outcome o = run({command, "m.yaml"});
    EXPECT_EQ(o.status, 3) << command;
    for (const std::string& part : GetParam().expected)
      EXPECT_NE(o.err.find(part), std::string::npos) << command << " lacks: " << part << "\nin: " << o.err;
    EXPECT_EQ(o.out, "");
  }
}

const std::string head = "monocoque: 1\nname: m\n";
std::string part(const std::string& keys) {
  return head + "parts:\n  - {name: a, " + keys + "}\n";
}
const std::string body = "mass_kg: 1, inertia_kg_m2: [1, 1, 1]";
std::string joined(const std::string& interacts, const std::string& keys = body) {
  return part(keys) + "interacts:\n" + interacts;
}

INSTANTIATE_TEST_SUITE_P(
    Values, Refused,
    testing::Values(
        Case{"NegativeMass",
             part("mass_kg: -1, inertia_kg_m2: [1, 1, 1]"),
             {"m.yaml:4: part 'a': mass_kg is -1, it must be >= 0"}},
        Case{"InertiaTriangle",
             part("mass_kg: 1, inertia_kg_m2: [1, 1, 3]"),
             {"m.yaml:4: part 'a': inertia_kg_m2 has the principal moments 1, 1, 3, the largest must not "
              "exceed the "
              "sum of the other two",
              "check the units and the reference point"}},
        Case{
            "QuaternionLength",
            part(body + ", orientation: {quaternion: [1, 1, 0, 0]}"),
            {"m.yaml:4: part 'a': orientation.quaternion has the length 1.41421, it must be 1 within 0.001"}},
        Case{"TwoOfOneName",
             part(body) + "  - {name: a, " + body + "}\n",
             {"m.yaml:5: part 'a': the name is taken by line 4 of m.yaml; every part needs a name of its "
              "own"}},
        Case{"MarkerWithoutPart",
             joined("  - {name: h, type: revolute, from: ground, to: aa.top}\n"),
             {"m.yaml:6: revolute 'h' (ground - aa.top)", "there is no part 'aa'"}},
        Case{"NotANumber",
             part("mass_kg: .nan"),
             {"m.yaml:4: part 'a': mass_kg is .nan, it must be a finite number"}},
        Case{"Infinite",
             part("mass_kg: .inf"),
             {"m.yaml:4: part 'a': mass_kg is .inf, it must be a finite number"}},
        Case{"Unit",
             part("mass_g: 12"),
             {"m.yaml:4: part 'a': unknown key 'mass_g'; did you mean 'mass_kg'?"}},
        Case{"ZeroRod",
             joined("  - {name: r, type: rod, from: ground, to: a, length_m: 0}\n"),
             {"m.yaml:6: rod 'r' (ground - a): length_m is 0, it must be > 0"}},
        Case{"EndBeforeStart",
             part(body) + "simulation: {start_s: 2, end_s: 1}\n",
             {"m.yaml:5: simulation: end_s is 1, it must be > start_s = 2"}},
        Case{"NoSuchOutput",
             part(body) + "simulation: {outputs: ['b/*']}\n",
             {"m.yaml:5: outputs: no channel matches 'b/*'"}},
        Case{"Truncated", "monocoque: 1\nparts:\n  - {name: a, mass_kg: 1, inertia_kg", {"m.yaml:"}},
        Case{"Empty", "", {"m.yaml:", "monocoque: 1"}},
        Case{"Binary",
             std::string("\x7f"
                         "ELF\x02\x01\x01\0\0\0\xff\xfe\0",
                         13),
             {"m.yaml"}}),
    [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Mechanisms, Refused,
    testing::Values(
        Case{"ParticleThatTurns",
             joined("  - {name: h, type: revolute, from: ground, to: a}\n"
                    "  - {name: t, type: torsion_spring, from: ground, to: a, stiffness_Nm_per_rad: 1}\n",
                    "kind: particle, mass_kg: 1"),
             {"m.yaml:6: revolute 'h' (ground.origin - a.origin): it holds the rotation of 'a', which is a "
              "particle and "
              "has none; make 'a' a rigid part",
              "m.yaml:7: torsion_spring 't' (ground.origin - a.origin): it acts with a torque on 'a'"}},
        Case{"MasslessAlone",
             part("mass_kg: 0"),
             {"m.yaml:4: part 'a': it has no mass and no joint holds it", "give it mass_kg, or a joint"}},
        Case{"MasslessTurns",
             joined("  - {name: h, type: revolute, from: ground, to: a}\n", "mass_kg: 0"),
             {"m.yaml: m: the accelerations cannot be found",
              "parts without mass or inertia can move freely: 'a'"}},
        Case{"DrivesContradictPosition",
             joined("  - {name: d, type: driven_prismatic, from: ground, to: a, travel_m: 0.1}\n"
                    "  - {name: e, type: driven_position, from: ground, to: a, travel_m: 0.2}\n"),
             {"m.yaml:7: driven_position 'e'", "this joint stays open by 0.05", "contradicting drives"}},
        Case{"DrivesContradictVelocity",
             joined("  - {name: d, type: driven_prismatic, from: ground, to: a, travel_m: 0.1*t}\n"
                    "  - {name: e, type: driven_position, from: ground, to: a, travel_m: 0.2*t}\n"),
             {"driven_position 'e'", "no velocities fulfil all constraints",
              "two drives contradict each other"}},
        Case{"RodWithoutDirection",
             joined("  - {name: r, type: rod, from: ground, to: a, length_m: 1}\n"),
             {"m.yaml:6: rod 'r'", "this joint stays open by 1", "move one of its parts"}},
        Case{"SignalWithoutValue",
             joined("  - {name: f, type: actuator_vector, from: ground, to: a, force_x_N: log(t)}\n"),
             {"m.yaml:6: actuator_vector 'f'", "no finite value at t = 0 s"}}),
    [](const auto& info) { return info.param.name; });

class Mistakes : public Program {
 protected:
  void expect_refused(const std::vector<std::string>& arguments, const std::vector<std::string>& parts,
                      int status = 3) const {
    const Outcome o = run(arguments);
    EXPECT_EQ(o.status, status);
    for (const std::string& text : parts)
      EXPECT_NE(o.err.find(text), std::string::npos) << "lacks: " << text << "\nin: " << o.err;
  }
};

TEST_F(Mistakes, FilesThatAreNone) {
  std::filesystem::create_directory(folder_ / "folder");
  expect_refused({"run", "gone.yaml"}, {"gone.yaml", "does not exist"});
  expect_refused({"check", "folder"}, {"folder"});
  expect_refused({"export", "folder"}, {"folder"});
}

TEST_F(Mistakes, TireAndRoadFilesThatAreDamaged) {
  const std::string rig = read_text(example("tire-rig.yaml")),
                    tir = read_text(example("../tires/touring.tir")),
                    crg = read_text(example("../roads/example.crg"));
  const auto complaint = [&](const std::string& tire_text, const std::string& road_text) {
    std::string text = rig;
    const auto put = [&](const std::string& what, const std::string& with) {
      text.replace(text.find(what), what.size(), with);
    };
    put("../tires/touring.tir", write("t.tir", tire_text));
    put("../roads/example.crg", write("r.crg", road_text));
    const Outcome o = run({"check", write("m.yaml", text)});
    EXPECT_EQ(o.status, 3) << o.out;
    return o.err;
  };
  // Damage is shown where it is; what concerns the whole file, where the file is named.
  const std::string cut = complaint(tir.substr(0, 1500), crg);
  EXPECT_NE(cut.find("t.tir:55: magic_formula 'tire' (ground.origin - carrier.wheel): 'Q_RB1' is neither"),
            std::string::npos)
      << cut;
  std::string without = tir;
  without.replace(without.find("PKY1 "), 5, "PKYY ");
  const std::string missing = complaint(without, crg);
  EXPECT_NE(
      missing.find("m.yaml:36: magic_formula 'tire' (ground.origin - carrier.wheel): t.tir: PKY1 is missing"),
      std::string::npos)
      << missing;
  const std::string half = complaint(tir, crg.substr(0, crg.size() / 2));
  EXPECT_NE(half.find("r.crg:102: road 1, opencrg: row 38 ends after 9 of 11 numbers; the file is cut"),
            std::string::npos)
      << half;
}

TEST_F(Mistakes, LoopThatCannotClose) {
  expect_refused({"check", example("four-bar.yaml"), "--set", "ground.frames.D.position_m=[2,0,0]"},
                 {"four-bar.yaml:", "revolute '", "the mechanism does not close: this joint stays open by",
                  "check lengths and positions of the loop"});
  // The formula for the starting position has no value for such lengths.
  expect_refused({"check", example("four-bar.yaml"), "--set", "rocker_m=0.05"},
                 {"coupler_rad", "is not finite"});
}

TEST_F(Mistakes, DeadPoint) {
  // A parallelogram stretched out flat could go on as a parallelogram or crossed over.
  write("flat.yaml", R"(monocoque: 1
name: flat
parts:
  - {name: left, mass_kg: 1, inertia_kg_m2: [0.1, 0.1, 0.1]}
  - {name: bar, mass_kg: 1, inertia_kg_m2: [0.1, 0.1, 0.1], position_m: [1, 0, 0]}
  - {name: right, mass_kg: 1, inertia_kg_m2: [0.1, 0.1, 0.1], position_m: [2, 0, 0]}
interacts:
  - {name: A, type: revolute, from: ground, to: left}
  - {name: B, type: revolute, from: {part: left, position_m: [1, 0, 0]}, to: bar}
  - {name: C, type: revolute, from: {part: bar, position_m: [2, 0, 0]}, to: {part: right, position_m: [1, 0, 0]}}
  - {name: D, type: revolute, from: {part: ground, position_m: [2, 0, 0]}, to: right}
)");
  for (const char* command : {"check", "run"})
    expect_refused({command, "flat.yaml"}, {"flat.yaml:", "the initial position is a singular configuration",
                                            "row '", "start from a slightly different position"});
}

TEST_F(Mistakes, DrivesThatPartLater) {
  write("m.yaml",
        joined("  - {name: d, type: driven_prismatic, from: ground, to: a, travel_m: 0.1*t}\n"
               "  - {name: e, type: driven_position, from: ground, to: a, travel_m: 0.1*t + t^2}\n"));
  expect_refused({"run", "m.yaml"},
                 {"m.yaml:7: ", "driven_position 'e'", "was redundant at the start but is now open by",
                  "two drives contradict each other"},
                 4);
}

TEST_F(Mistakes, SignalThatEndsEarly) {
  write("m.yaml",
        joined("  - {name: d, type: driven_prismatic, from: ground, to: a, travel_m: sqrt(0.5 - t)}\n"));
  expect_refused({"run", "m.yaml"}, {"m.yaml:6: driven_prismatic 'd'", "no finite value at t = 0.5"}, 4);
}

TEST_F(Mistakes, ControllerWithoutEnd) {
  write("m.yaml", joined("  - {name: v, type: velocity, from: ground, to: a}\n"
                         "  - {name: f, type: actuator_vector, from: ground, to: a, force_x_N: c}\n") +
                      "controllers: [{name: c, type: pid, sensor: v/x, sample_s: 1e-14, proportional: 1}]\n");
  expect_refused({"run", "m.yaml"}, {"m.yaml:8: pid 'c': sample_s is 1e-14", "take a larger sample_s"});
}

TEST_F(Mistakes, ResultsNotToBeTrustedAreSaid) {
  const Outcome inaccurate =
      run({"run", example("spinning-top.yaml"), "--solver", "linearly-implicit-euler", "--step", "0.01"});
  EXPECT_EQ(inaccurate.status, 0);
  EXPECT_NE(inaccurate.err.find("warning: the energy balance is off by 0.2"), std::string::npos)
      << inaccurate.err;
  const Outcome lost =
      run({"run", example("spinning-top.yaml"), "--solver", "generalized-alpha", "--step", "0.02"});
  EXPECT_EQ(lost.status, 4);
  EXPECT_NE(lost.err.find("spherical 'socket' (ground.origin - top.origin): this joint has opened by"),
            std::string::npos)
      << lost.err;
  EXPECT_NE(lost.err.find("take a smaller step_s"), std::string::npos) << lost.err;
}

}  // namespace
}  // namespace monocoque::test

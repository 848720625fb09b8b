// Exit statuses of every command: the list is the program's own, so that a new command cannot be forgotten.

#include <algorithm>
#include <map>
#include <set>

#include <nlohmann/json.hpp>

#include "program.h"
#include "support/paths.h"

namespace monocoque::test {
namespace {

using Words = std::vector<std::string>;

class ExitStatus : public Program {
 protected:
  Words commands() const {
    const Outcome o = run({"list", "commands", "--json"});
    EXPECT_EQ(o.status, 0) << o.err;
    Words out;
    for (const auto& command : nlohmann::json::parse(o.out)) out.push_back(command["name"]);
    EXPECT_GT(out.size(), 20U);
    return out;
  }
  void expect(int status, const Words& arguments, const std::string& part = {}) const {
    const Outcome o = run(arguments);
    std::string line;
    for (const std::string& word : arguments) line += word + " ";
    EXPECT_EQ(o.status, status) << line << "\n" << o.err;
    EXPECT_TRUE(has(o.err, part)) << line << "lacks: " << part << "\nin: " << o.err;
  }
  /// A run of the pendulum and one that differs.
  void make_runs() const {
    expect(0, {"run", example("pendulum.yaml"), "--end", "0.2", "-q", "-o", "a.h5"});
    expect(0, {"run", example("pendulum.yaml"), "--end", "0.2", "-q", "-o", "b.h5", "--set",
               "gravity_m_per_s2=[0,0,-5]"});
  }
};

TEST_F(ExitStatus, EveryCommandExplainsItself) {
  for (const std::string& command : commands()) {
    const Outcome o = run({command, "--help"});
    EXPECT_EQ(o.status, 0) << command;
    EXPECT_TRUE(has(o.out, command)) << command << ": " << o.out;
    EXPECT_EQ(o.err, "") << command;
  }
  EXPECT_TRUE(has(run({"--help"}).out, "Exit status: 0 success"));
}

TEST_F(ExitStatus, UnknownOptionsAreUsage) {
  for (const std::string& command : commands()) expect(2, {command, "--no-such-option"}, "--no-such-option");
  expect(2, {"no-such-command"}, "no-such-command");
  expect(2, {});
}

TEST_F(ExitStatus, MissingFilesAreInput) {
  const std::map<std::string, Words> with_missing = {
      {"check", {"gone.yaml"}},
      {"run", {"gone.yaml"}},
      {"rt", {"gone.yaml", "--solver", "rk4"}},
      {"drive", {"gone.yaml", "--no-browser"}},
      {"view", {"gone.h5", "--no-browser"}},
      {"report", {"gone.h5"}},
      {"export", {"gone.h5"}},
      {"compare", {"gone.h5", "gone.h5"}},
      {"signal", {"rms", "gone.h5", "x"}},
      {"comfort", {"gone.h5", "--seat", "x"}},
      {"loads", {"gone.h5", "x"}},
      {"equilibrium", {"gone.yaml"}},
      {"nominal", {"gone.yaml"}},
      {"kinematics", {"gone.yaml"}},
      {"inverse", {"gone.yaml"}},
      {"handling", {"gone.yaml"}},
      {"modes", {"gone.yaml"}},
      {"linearize", {"gone.yaml"}},
      {"bode", {"gone.yaml", "--input", "a", "--output", "b"}},
      {"locus", {"gone.yaml", "--over", "a=1:2:2"}},
      {"stability", {"gone.yaml"}},
      {"covariance", {"gone.yaml"}},
      {"reduce", {"gone.nas", "-o", "a.sid"}},
      {"bench", {"gone.yaml"}},
  };
  const std::set<std::string> without_input = {"body", "reproduce", "list", "schema"};
  for (const std::string& command : commands()) {
    if (without_input.count(command) > 0) continue;
    const auto row = with_missing.find(command);
    ASSERT_NE(row, with_missing.end()) << command << " needs a row in this test";
    Words arguments = {command};
    arguments.insert(arguments.end(), row->second.begin(), row->second.end());
    expect(3, arguments, "gone.");
  }
}

TEST_F(ExitStatus, WhatCannotBeWrittenIsTheSystems) {
  make_runs();
  const std::string pendulum = example("pendulum.yaml"), car = example("quarter-car.yaml");
  const std::vector<Words> cases = {
      {"run", pendulum, "--end", "0.01", "-o", "no/p.h5"},
      {"rt", pendulum, "--solver", "rk4", "--unpaced", "--end", "0.01", "-o", "no/p.h5"},
      {"rt", pendulum, "--solver", "rk4", "--unpaced", "--end", "0.01", "--layout", "no/l.json"},
      {"export", "a.h5", "-o", "no/a.csv"},
      {"report", "a.h5", "-o", "no/a.html"},
      {"view", "a.h5", "--html", "no/a.html"},
      {"compare", "a.h5", "a.h5", "-o", "no/c.csv"},
      {"signal", "rms", "a.h5", "bob/position/x", "-o", "no/s.csv"},
      {"equilibrium", car, "-o", "no/e.csv"},
      {"kinematics", example("mcpherson.yaml"), "--body", "ground", "--wheel", "L=upright@0,0.75,0.3",
       "--travel", "-0.01:0.01:3", "-o", "no/k.csv"},
      {"inverse", pendulum, "--drive", "hinge=0.5*sin(2*t)", "--to", "0.1", "-o", "no/i.csv"},
      {"modes", car, "-o", "no/m.h5"},
      {"linearize", car, "-o", "no/l.csv"},
      {"linearize", car, "-o", "no/l.mat"},
      {"bode", car, "--input", "road", "--output", "comfort/z", "-o", "no/b.csv"},
      {"stability", car, "--no-run", "-o", "no/s.csv"},
      {"body", "--size", "0.4", "-o", "no/b.nas"},
  };
  for (const Words& arguments : cases) expect(5, arguments, "no/");
  write("file", "");  // where a folder is wanted
  expect(5, {"modes", car, "--plot", "file/figures"}, "file/figures");
  expect(5, {"rt", pendulum, "--solver", "rk4", "--unpaced", "--udp", "203.0.113.9:5005"}, "--udp");
}

TEST_F(ExitStatus, FailedComputationsAreNumerics) {
  write("stiff.yaml", R"(monocoque: 1
name: stiff
parts: [{name: m, kind: particle, mass_kg: 0.001, position_m: [0, 0, 1.01]}]
interacts:
  - {name: s, type: spring_damper, from: ground, to: m, stiffness_N_per_m: 1.0e+6, damping_Ns_per_m: 1, free_length_m: 1}
simulation: {solver: rk4, step_s: 0.01, end_s: 10}
)");
  expect(4, {"run", "stiff.yaml"}, "unstable");
  expect(4, {"rt", "stiff.yaml", "--unpaced"}, "unstable");
  expect(4, {"modes", "stiff.yaml", "--at", "9"}, "unstable");
  write("falling.yaml", "monocoque: 1\nname: falling\nparts: [{name: m, kind: particle, mass_kg: 1}]\n");
  expect(4, {"equilibrium", "falling.yaml"}, "there is no equilibrium");
}

TEST_F(ExitStatus, OneMeansTheAnswerIsNo) {
  make_runs();
  expect(0, {"compare", "a.h5", "a.h5"});
  expect(1, {"compare", "a.h5", "b.h5"});
}

TEST_F(ExitStatus, MistakesInOptionsAreUsage) {
  make_runs();
  const std::string pendulum = example("pendulum.yaml");
  expect(2, {"run", pendulum, "--end", "-1"}, "--end");
  expect(2, {"run", pendulum, "--solver", "rk5"}, "did you mean 'rk4'?");
  expect(2, {"run", pendulum, "--set", "no"}, "PATH=VALUE");
  expect(2, {"modes", pendulum, "--plot", "modes.svg"}, "folder");
  expect(2, {"modes", pendulum, "--turning-with", "nobody"}, "--turning-with");
  expect(2, {"bode", pendulum, "--input", "a", "--output", "b", "--from", "9", "--to", "1"}, "--to");
  expect(2, {"signal", "filter", "a.h5", "bob/position/x"}, "corner frequency");
  expect(2, {"comfort", "a.h5"}, "no acceleration");
  expect(2, {"stability"}, "neither a model");
  expect(2, {"reproduce", "slider-krank"}, "slider-crank");
  expect(2, {"bench", "tabel"}, "table");
  expect(2, {"equilibrium", pendulum, "--radius", "20"}, "--speed");
}

TEST_F(ExitStatus, AnalysesShareTheirWords) {
  const std::set<std::string> of_models = {"equilibrium", "nominal", "kinematics", "inverse",
                                           "handling",    "modes",   "linearize",  "bode",
                                           "locus",       "rt",      "covariance", "stability"},
                              of_runs = {"compare", "comfort", "loads"};
  for (const std::string& command : commands()) {
    const bool model = of_models.count(command) > 0;
    if (!model && of_runs.count(command) == 0) continue;
    const std::string help = run({command, "--help"}).out;
    for (const char* word : {" -o,", "--plot", "--json", "-q,--quiet"})
      EXPECT_TRUE(has(help, word)) << command << " lacks " << word << "\n" << help;
    EXPECT_EQ(has(help, "--set"), model) << command;
  }
}

class SetFiles : public ExitStatus {};

TEST_F(SetFiles, GiveValuesByLines) {
  write("values.txt", "# a longer pendulum\n\n  length_m = 0.7\nsimulation.end_s=0.1   # YAML comment\r\n");
  const std::string model = example("double-pendulum.yaml");
  const Outcome lines = run({"run", model, "--set", "@values.txt", "--json", "-o", "a.h5"}),
                words = run({"run", model, "--set", "length_m=0.7", "--end", "0.1", "--json", "-o", "b.h5"});
  ASSERT_EQ(lines.status, 0) << lines.err;
  ASSERT_EQ(words.status, 0) << words.err;
  EXPECT_EQ(nlohmann::json::parse(lines.out)["final"], nlohmann::json::parse(words.out)["final"]);
}

TEST_F(SetFiles, NameTheirWrongLine) {
  const std::string model = example("double-pendulum.yaml");
  write("form.txt", "# comment\nlength_m\n");
  expect(3, {"check", model, "--set", "@form.txt"},
         "form.txt:2: --set: 'length_m' is not of the form PATH=VALUE");
  write("name.txt", "\n\nlenght_m=1\n");
  expect(3, {"check", model, "--set", "@name.txt"}, "name.txt:3: nothing in the model is called 'lenght_m'");
  expect(3, {"check", model, "--set", "@gone.txt"}, "gone.txt: the file does not exist");
}

TEST_F(SetFiles, TakeWhatNominalWritesAndStates) {
  const std::string car = example("quarter-car.yaml");
  expect(0, {"equilibrium", car, "--start", "start.json", "-o", "table.csv"});
  EXPECT_TRUE(has(read_text(folder_ / "table.csv"), "kind,name,x,y,z,unit"));
  expect(0, {"run", car, "--set", "@start.json", "--end", "0.01", "-q"});
  expect(2, {"nominal", car, "--set", "@start.json"}, "start.json' is a state");
  const std::string camry = source_dir() + "/models/camry/camry.yaml";
  expect(0, {"nominal", camry, "-o", "nominal.txt", "-q"});
  expect(0, {"check", camry, "--set", "@nominal.txt", "-q"});
}

}  // namespace
}  // namespace monocoque::test

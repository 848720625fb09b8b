// Includes, scenarios in files, --set overrides, and files that mean harm.

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "test_library.h"

namespace monocoque::io::test {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() /
              fmt::format("monocoque_io_{}_{}", getpid(),
                          testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_ / "sub");
  }
  void TearDown() override { fs::remove_all(folder_); }
  void write(const std::string& name, const std::string& body) const {
    std::ofstream(folder_ / name) << "monocoque: 1\n" << body;
  }
  Reading open(const std::string& name, ReadOptions options = {}) const {
    Reading r;
    r.scenario = read_scenario((folder_ / name).string(), library(), options, r.diagnostics);
    return r;
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  fs::path folder_;
};

TEST_F(Files, IncludesAreMerged) {
  write("main.yaml",
        "include: [sub/a.yaml, sub/b.yaml]\nparameters: {m: 5}\n"
        "interacts: [{name: h, type: revolute, from: pa, to: pb}]\n");
  write("sub/a.yaml",
        "include: [b.yaml]\nparameters: {m: 1, n: 2}\nparts: [{name: pa, kind: particle, mass_kg: m}]\n");
  write("sub/b.yaml", "parts: [{name: pb, kind: particle, mass_kg: n}]\ngravity_m_per_s2: [0, 0, 0]\n");
  const Reading r = open("main.yaml");
  ASSERT_EQ(r.text(), "");
  EXPECT_EQ(r.part("pa").mass_kg, 5);
  EXPECT_EQ(r.part("pb").mass_kg, 2);
  EXPECT_EQ(r.model().gravity_m_per_s2, Vec3(0, 0, 0));
  EXPECT_EQ(r.model().name, "main");
  EXPECT_NE(r.model().source_text.find("# file: " + path("sub/b.yaml") + "\n"), std::string::npos);
}

TEST_F(Files, CircleOfIncludesIsRefused) {
  write("a.yaml", "include: [b.yaml]\n");
  write("b.yaml", "include: [a.yaml]\n");
  EXPECT_EQ(open("a.yaml").text(),
            path("b.yaml") + ":2: include of 'a.yaml' closes a circle of files; remove one of the includes");
}

TEST_F(Files, MissingFilesAreNamed) {
  EXPECT_EQ(open("no.yaml").text(), path("no.yaml") + ": file '" + path("no.yaml") +
                                        "' does not exist or is no file; check the path");
  write("a.yaml", "include:\n  - no.yaml\n");
  EXPECT_EQ(open("a.yaml").text(), path("a.yaml") + ":3: file '" + path("no.yaml") +
                                       "' does not exist or is no file; check the path");
}

TEST_F(Files, DepthOfIncludesIsBounded) {
  for (int i = 0; i < 20; ++i) write(fmt::format("f{}.yaml", i), fmt::format("include: [f{}.yaml]\n", i + 1));
  write("f20.yaml", "name: x\n");
  EXPECT_NE(open("f0.yaml").text().find("includes are nested deeper than 16 files"), std::string::npos);
}

TEST_F(Files, ScenarioNamesItsModel) {
  write("sub/model.yaml", "name: car\nparameters: {m: 1}\nparts: [{name: p, kind: particle, mass_kg: m}]\n");
  write("run.yaml", "model: sub/model.yaml\nparameters: {m: 3}\nsimulation: {solver: rk4}\n");
  const Reading r = open("run.yaml");
  ASSERT_EQ(r.text(), "");
  EXPECT_EQ(r.scenario.name, "run");
  EXPECT_EQ(r.model().name, "car");
  EXPECT_EQ(r.model().file, path("sub/model.yaml"));
  EXPECT_EQ(r.part("p").mass_kg, 3);
  EXPECT_EQ(r.scenario.simulation.solver, "rk4");
}

TEST_F(Files, MistakesOfAllFilesAreReportedTogether) {
  write("a.yaml", "include: [b.yaml]\nparts: [{name: x, mass_kg: -1}]\n");
  write("b.yaml", "parts: [{name: y, mass_kg: -2}]\n");
  EXPECT_EQ(open("a.yaml").diagnostics.error_count(), 2);
}

const char* const model = R"y(parameters: {k: 1}
subsystem_types: {t: {parameters: {q: 1}, parts: [{name: p, kind: particle, mass_kg: q}]}}
subsystems: [{name: s, type: t}]
parts: [{name: rod, mass_kg: 1, inertia_kg_m2: [1, 1, 1], frames: [{name: f}]}]
interacts: [{name: spring, type: spring, from: ground, to: rod.f, stiffness_N_per_m: k}]
)y";

TEST(Overrides, ReachEveryPlace) {
  const Reading r = read(model, {{"parameters.k", "7"},
                                 {"parts.rod.mass_kg", "2*k"},
                                 {"parts.rod.frames.f.position_m", "[1, 2, 3]"},
                                 {"parts.s/p.position_m", "[k, 0, 0]"},
                                 {"interacts.spring.damping_Ns_per_m", "3"},
                                 {"subsystems.s.parameters.q", "9"},
                                 {"gravity_m_per_s2", "[0, 0, 0]"},
                                 {"simulation.step_s", "0.5"}});
  ASSERT_EQ(r.text(), "");
  EXPECT_EQ(r.part("rod").mass_kg, 14);
  EXPECT_EQ(r.frame("rod", "f").position_m, Vec3(1, 2, 3));
  EXPECT_EQ(r.part("s/p").position_m, Vec3(7, 0, 0));
  EXPECT_EQ(r.part("s/p").mass_kg, 9);
  EXPECT_EQ(r.interact("spring").parameters.number("stiffness_N_per_m"), 7);
  EXPECT_EQ(r.interact("spring").parameters.number("damping_Ns_per_m"), 3);
  EXPECT_EQ(r.model().gravity_m_per_s2, Vec3(0, 0, 0));
  EXPECT_EQ(r.scenario.simulation.step_s, 0.5);
  EXPECT_TRUE(r.scenario.simulation.step_given);
}

TEST(Overrides, UnknownPathsAndBadValuesAreReported) {
  EXPECT_EQ(read(model, {{"parts.rod.mas_kg", "1"}}).text(),
            "--set parts.rod.mas_kg: nothing in the model is called 'parts.rod.mas_kg'; did you mean "
            "'parts.rod.mass_kg'?");
  EXPECT_EQ(read(model, {{"parts.rot.mass_kg", "1"}}).text(),
            "--set parts.rot.mass_kg: nothing in the model is called 'parts.rot.mass_kg'; did you mean "
            "'parts.rod'?");
  EXPECT_EQ(read(model, {{"zzz", "1"}}).text(),
            "--set zzz: nothing in the model is called 'zzz'; use the name of a parameter, or a path such as "
            "parts.NAME.mass_kg or simulation.step_s");
  EXPECT_EQ(read(model, {{"parts.rod.mass_kg", "-1"}}).text(),
            "--set parts.rod.mass_kg:1: part 'rod': mass_kg is -1, it must be >= 0");
}

TEST(Hostile, DeepNestingIsRefused) {
  for (const char* piece : {"[", "{a: ", "- ", "? "}) {
    std::string text = "monocoque: 1\nx: \n  ";
    for (int i = 0; i < 200'000; ++i) text += piece;
    EXPECT_TRUE(read_raw(text).diagnostics.has_errors()) << piece;
  }
  std::string lines = "monocoque: 1\n", indent;
  for (int i = 0; i < 150; ++i) lines += (indent += " ") + "a:\n";
  EXPECT_TRUE(read_raw(lines).diagnostics.has_errors());
}

TEST(Hostile, AliasBombIsRefused) {
  std::string text = "monocoque: 1\na0: &a0 [1, 2]\n";
  for (int i = 1; i < 60; ++i) text += fmt::format("a{0}: &a{0} [*a{1}, *a{1}]\n", i, i - 1);
  EXPECT_EQ(read_raw(text).text(), "m.yaml:20: the file holds more than 1000000 values, aliases counted");
  EXPECT_EQ(read_raw("monocoque: 1\na: &a [1, *a]\n").text(),
            "m.yaml:2: an alias refers to a node that contains it; a model cannot contain itself");
}

TEST(Hostile, SubsystemBombIsRefused) {
  std::string text = "subsystem_types:\n  t0: {}\n";
  for (int i = 1; i < 12; ++i) {
    text += fmt::format("  t{}: {{subsystems: [", i);
    for (int k = 0; k < 10; ++k) text += fmt::format("{{name: n{}, type: t{}}}, ", k, i - 1);
    text += "]}\n";
  }
  EXPECT_TRUE(read(text + "subsystems: [{name: a, type: t11}]\n").diagnostics.has_errors());
}

TEST(Hostile, LongChainOfParametersIsRefused) {
  std::string text = "parameters:\n  p0: 1\n";
  for (int i = 1; i < 50'000; ++i) text += fmt::format("  p{}: p{}\n", i, i - 1);
  text += "  a: p49999\n";
  EXPECT_TRUE(read(text).diagnostics.has_errors());
}

TEST(Hostile, GarbageAndTruncationAreDiagnostics) {
  EXPECT_EQ(read_raw(std::string("\0\1\2\xff", 4)).text(),
            "m.yaml:1: this is no text file: it holds a control character");
  EXPECT_EQ(read_raw("").text(), "m.yaml: the file is empty; begin with monocoque: 1");
  EXPECT_EQ(read_raw("just words\n").text(),
            "m.yaml:1: the file holds just words, it must be a map of keys; begin with monocoque: 1");
  EXPECT_NE(read("parts:\n  - {name: a, mass_kg: 0").text().find("check that every bracket is closed"),
            std::string::npos);
  EXPECT_TRUE(read("a: b: c\n\t- x\n").diagnostics.has_errors());
  EXPECT_TRUE(read_raw("monocoque: 1\n---\nmonocoque: 1\n").diagnostics.has_errors());
  EXPECT_TRUE(read_raw("monocoque: 1\n? [1, 2]\n: 3\n").diagnostics.has_errors());
  // Every prefix of a good file is answered without a crash.
  const std::string whole = std::string("monocoque: 1\n") + model;
  for (std::size_t n = 0; n < whole.size(); ++n) read_raw(whole.substr(0, n));
}

}  // namespace
}  // namespace monocoque::io::test

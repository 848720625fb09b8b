// Every command as a user meets it: exit status, data on stdout, messages on stderr.

#include <algorithm>
#include <sstream>

#include <nlohmann/json.hpp>

#include "program.h"
#include "support/paths.h"

namespace monocoque::test {
namespace {

using Json = nlohmann::json;

class Commands : public Program {
 protected:
  Json run_json(std::vector<std::string> arguments) const {
    arguments.push_back("--json");
    const Outcome o = run(arguments);
    EXPECT_EQ(o.status, 0) << o.err;
    return Json::parse(o.out);
  }
};

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

TEST_F(Commands, RunPrintsSummaryAndWritesResults) {
  const Outcome o = run({"run", example("pendulum.yaml"), "--end", "0.1"});
  EXPECT_EQ(o.status, 0);
  EXPECT_TRUE(has(o.out, "solver          rk4 (index-1, projection; dense LU)")) << o.out;
  EXPECT_TRUE(has(o.out, "simulated       0.1 s in 100 steps")) << o.out;
  EXPECT_TRUE(has(o.out, "results         pendulum.h5")) << o.out;
  EXPECT_TRUE(has(o.err, "next: monocoque report pendulum.h5")) << o.err;
  EXPECT_TRUE(std::filesystem::exists(folder_ / "pendulum.h5"));
}

TEST_F(Commands, RunJsonHasThePromisedKeys) {
  const Json j = run_json({"run", example("pendulum.yaml"), "--end", "0.05", "-o", "p.h5"});
  for (const char* key : {"model", "scenario", "solver", "step_s", "steps", "simulated_s", "wall_s",
                          "rt_factor", "step_us", "drift", "energy_error", "final", "warnings"})
    EXPECT_TRUE(j.contains(key)) << key;
  for (const char* key : {"mean", "p50", "p99", "max"}) EXPECT_TRUE(j["step_us"].contains(key)) << key;
  for (const char* key : {"position", "velocity"}) EXPECT_TRUE(j["drift"].contains(key)) << key;
  EXPECT_EQ(j["model"], "pendulum");
  EXPECT_EQ(j["steps"], 50);
  EXPECT_NEAR(j["simulated_s"], 0.05, 1e-12);
  EXPECT_LT(j["drift"]["position"], 1e-12);
  EXPECT_LT(j["energy_error"], 1e-9);
  EXPECT_TRUE(j["warnings"].empty());
  EXPECT_TRUE(j["final"]["bob/position/z"].is_number());
  EXPECT_TRUE(std::filesystem::exists(folder_ / "p.h5"));
}

TEST_F(Commands, OptionsReplaceTheSettings) {
  const Json j = run_json({"run", example("pendulum.yaml"), "--solver", "linearly-implicit-euler", "--step",
                           "0.002", "--end", "0.02", "-o", "p.h5"});
  EXPECT_EQ(j["solver"], "linearly-implicit-euler");
  EXPECT_EQ(j["constraints"], "index-2");
  EXPECT_EQ(j["step_s"], 0.002);
  EXPECT_EQ(j["steps"], 10);
}

TEST_F(Commands, SetReplacesParametersAndPaths) {
  const std::string model = example("double-pendulum.yaml");
  const Json plain = run_json({"run", model, "--end", "0.1"});
  const Json longer = run_json({"run", model, "--end", "0.1", "--set", "length_m=0.7"});
  EXPECT_NE(plain["final"]["lower/position/z"], longer["final"]["lower/position/z"]);
  const Json floating =
      run_json({"run", model, "--set", "gravity_m_per_s2=[0,0,0]", "--set", "simulation.end_s=0.1"});
  EXPECT_NEAR(floating["simulated_s"], 0.1, 1e-12);
  EXPECT_NEAR(floating["final"]["lower/velocity/z"], 0, 1e-12);

  const Outcome typo = run({"run", model, "--set", "lenght_m=0.7"});
  EXPECT_EQ(typo.status, 2);
  EXPECT_TRUE(has(typo.err, "did you mean 'length_m'?")) << typo.err;
  const Outcome form = run({"run", model, "--set", "length_m"});
  EXPECT_EQ(form.status, 2);
  EXPECT_TRUE(has(form.err, "--set: 'length_m' is not of the form PATH=VALUE; for example")) << form.err;
}

TEST_F(Commands, CheckCountsFreedomsAndNamesRedundantRows) {
  const Json j = run_json({"check", example("four-bar.yaml")});
  EXPECT_EQ(j["parts"], 3);
  EXPECT_EQ(j["constraints"], 20);
  EXPECT_EQ(j["rank"], 17);
  EXPECT_EQ(j["degrees_of_freedom"], 1);
  ASSERT_EQ(j["redundant"].size(), 3U);
  for (const Json& row : j["redundant"]) EXPECT_EQ(row["depends_on"].size(), 3U);
  const Outcome o = run({"check", example("four-bar.yaml")});
  EXPECT_EQ(o.status, 0);
  EXPECT_TRUE(has(o.out, "degrees of freedom     1\n")) << o.out;
  EXPECT_TRUE(has(o.out, "redundant              revolute '")) << o.out;
  EXPECT_TRUE(has(o.out, "row 'position y (world)'")) << o.out;
  const Json r = run_json({"run", example("four-bar.yaml"), "--end", "0.01"});
  EXPECT_EQ(r["redundant_constraints"].size(), 3U);
  EXPECT_LT(r["drift"]["position"], 1e-9);
}

TEST_F(Commands, CheckTellsWhatATireFileLeavesOpen) {
  const std::string model = example("tire-rig.yaml");
  const Json tires = run_json({"check", model})["tire_files"];
  ASSERT_EQ(tires.size(), 1U);
  EXPECT_EQ(tires.front()["unused"], (Json{"FILE_VERSION", "ASPECT_RATIO", "RIM_WIDTH"}));
  EXPECT_EQ(tires.front()["assumed"], (Json{"QSX12 = 0", "QSX13 = 0", "QSX14 = 0"}));
  const Outcome o = run({"check", model});
  EXPECT_TRUE(has(o.out, "  not used             FILE_VERSION, ASPECT_RATIO, RIM_WIDTH\n")) << o.out;
  EXPECT_TRUE(has(o.out, "  assumed              QSX12 = 0, QSX13 = 0, QSX14 = 0\n")) << o.out;
}

TEST_F(Commands, ExportGivesTheNumbersOfTheRun) {
  const Json j = run_json({"run", example("pendulum.yaml"), "--end", "0.05", "-o", "p.h5"});
  const Outcome csv = run({"export", "p.h5"});
  ASSERT_EQ(csv.status, 0) << csv.err;
  const std::vector<std::string> rows = lines(csv.out);
  ASSERT_EQ(rows.size(), 52U);  // header and 51 instants
  std::vector<std::string> names, values;
  std::istringstream head(rows.front()), tail(rows.back());
  for (std::string cell; std::getline(head, cell, ',');) names.push_back(cell);
  for (std::string cell; std::getline(tail, cell, ',');) values.push_back(cell);
  ASSERT_EQ(names.size(), values.size());
  EXPECT_TRUE(has(names[0], "time")) << names[0];
  EXPECT_TRUE(has(rows.front(), "bob/position/x [m]")) << rows.front();
  EXPECT_TRUE(has(rows.front(), "hinge/reaction/torque/x [N*m]")) << rows.front();
  EXPECT_EQ(names.size(), j["final"].size() + 1);
  for (const auto& [path, value] : j["final"].items()) {
    const auto column = std::find_if(names.begin(), names.end(),
                                     [&p = path](const std::string& n) { return n.rfind(p + " [", 0) == 0; });
    ASSERT_NE(column, names.end()) << path;
    EXPECT_EQ(std::stod(values[static_cast<std::size_t>(column - names.begin())]), value.get<double>())
        << path;
  }
}

TEST_F(Commands, ExportChoosesAndLists) {
  run_json({"run", example("pendulum.yaml"), "--end", "0.01", "-o", "p.h5"});
  const Outcome list = run({"export", "p.h5", "--list", "-c", "bob/position/*"});
  EXPECT_EQ(list.out, "bob/position/x [m]\nbob/position/y [m]\nbob/position/z [m]\n");
  const Outcome chosen = run({"export", "p.h5", "-c", "energy/total", "-o", "e.csv"});
  EXPECT_EQ(chosen.status, 0);
  EXPECT_EQ(chosen.out, "");
  EXPECT_EQ(lines(read_text(folder_ / "e.csv")).size(), 12U);
  const Json json = run_json({"export", "p.h5", "-c", "energy/total"});
  EXPECT_EQ(json["channels"]["energy/total"]["unit"], "J");
  EXPECT_EQ(json["channels"]["energy/total"]["values"].size(), 11U);
  const Outcome none = run({"export", "p.h5", "-c", "bob/positoin/x"});
  EXPECT_EQ(none.status, 3);
  EXPECT_TRUE(has(none.err, "no channel matches 'bob/positoin/x'; did you mean 'bob/position/x'?"))
      << none.err;
  const Outcome locked = run({"export", "p.h5", "-o", "nowhere/e.csv"});
  EXPECT_EQ(locked.status, 5);
  EXPECT_TRUE(has(locked.err, "nowhere/e.csv: export: the file cannot be written")) << locked.err;
}

TEST_F(Commands, ExportRefusesWhatIsNoRun) {
  write("no.h5", "this is text");
  const Outcome text = run({"export", "no.h5"});
  EXPECT_EQ(text.status, 3);
  EXPECT_TRUE(has(text.err, "no.h5")) << text.err;
  const Outcome missing = run({"export", "gone.h5"});
  EXPECT_EQ(missing.status, 3);
  EXPECT_TRUE(has(missing.err, "gone.h5")) << missing.err;
}

TEST_F(Commands, ReportShowsTheNumbersOfTheRun) {
  const Json first = run_json({"run", example("four-bar.yaml"), "--end", "0.2", "-o", "a.h5"});
  run_json({"run", example("four-bar.yaml"), "--end", "0.2", "--solver", "ida", "-o", "b.h5"});
  const Outcome o = run({"report", "a.h5"});
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(o.out, "a.html\n");
  const std::string page = read_text(folder_ / "a.html");
  EXPECT_TRUE(has(page, "<th scope=\"row\">steps</th><td class=\"v\">" +
                            std::to_string(first["steps"].get<int>()) + "</td>"));
  EXPECT_TRUE(has(page, "<title>four-bar</title>")) << page.substr(0, 300);
  const Outcome both = run({"report", "a.h5", "b.h5", "-o", "both.html"});
  EXPECT_EQ(both.status, 0) << both.err;
  const std::string compared = read_text(folder_ / "both.html");
  EXPECT_TRUE(has(compared, "Largest differences"));
  EXPECT_TRUE(has(compared, first["solver"].get<std::string>() + "</td><td class=\"v\">ida</td>"));
}

TEST_F(Commands, ReportRefusesWhatIsNoRun) {
  write("no.h5", "this is not a result file");
  const Outcome text = run({"report", "no.h5"});
  EXPECT_EQ(text.status, 3);
  EXPECT_TRUE(has(text.err, "no.h5")) << text.err;
  const Outcome missing = run({"report", "missing.h5"});
  EXPECT_EQ(missing.status, 3);
  EXPECT_TRUE(has(missing.err, "missing.h5")) << missing.err;
  run_json({"run", example("pendulum.yaml"), "--end", "0.1", "-o", "p.h5"});
  // Half of a file.
  std::filesystem::resize_file(folder_ / "p.h5", std::filesystem::file_size(folder_ / "p.h5") / 2);
  const Outcome half = run({"report", "p.h5"});
  EXPECT_EQ(half.status, 3) << half.out;
  EXPECT_TRUE(has(half.err, "p.h5")) << half.err;
  // A page does not replace its run.
  run_json({"run", example("pendulum.yaml"), "--end", "0.1", "-o", "p.h5"});
  const Outcome same = run({"report", "p.h5", "-o", "p.h5"});
  EXPECT_EQ(same.status, 2);
  EXPECT_TRUE(has(same.err, "would replace the run")) << same.err;
  const Outcome nowhere = run({"report", "p.h5", "-o", "no/such/folder/p.html"});
  EXPECT_EQ(nowhere.status, 5);
  EXPECT_TRUE(has(nowhere.err, "cannot be written")) << nowhere.err;
}

TEST_F(Commands, SchemaIsTheCommittedOne) {
  const Outcome o = run({"schema"});
  EXPECT_EQ(o.status, 0);
  EXPECT_TRUE(Json::accept(o.out));
  EXPECT_EQ(o.out, read_text(source_dir() + "/schema/monocoque.schema.json"))
      << "write it anew: monocoque schema > schema/monocoque.schema.json";
}

TEST_F(Commands, ListsNameEverything) {
  const Json elements = run_json({"list"});
  EXPECT_GT(elements.size(), 40U);
  for (const Json& e : elements)
    for (const char* key : {"type", "group", "doc", "keys"}) EXPECT_TRUE(e.contains(key));
  const Json solvers = run_json({"list", "solvers"});
  EXPECT_EQ(solvers.size(), 7U);
  EXPECT_TRUE(has(run({"list", "solvers"}).out, "rk4"));
  EXPECT_TRUE(has(run({"list"}).out, "spring_damper (force)"));
}

TEST_F(Commands, ConstraintLevelOfAnotherMethodIsRefused) {
  // The file's own level belongs to its method and goes with it; one given by --set stays and is judged.
  const std::string car = example("four-bar.yaml");
  const Outcome refused = run({"run", car, "--solver", "ida", "--set", "simulation.constraints=index-3"});
  EXPECT_NE(refused.status, 0);
  EXPECT_TRUE(has(refused.err, "it does not take constraints 'index-3'")) << refused.err;
  const Json j = run_json({"run", car, "--solver", "ida", "--set", "simulation.constraints=index-1", "--end",
                           "0.01", "-o", "a.h5"});
  EXPECT_EQ(j["constraints"], "index-1");
}

TEST_F(Commands, TyposGetSuggestions) {
  const Outcome command = run({"rnu", "x.yaml"});
  EXPECT_EQ(command.status, 2);
  EXPECT_TRUE(has(command.err, "monocoque: unknown command 'rnu'; did you mean 'run'?")) << command.err;
  EXPECT_EQ(command.out, "");
  const Outcome solver = run({"run", example("pendulum.yaml"), "--solver", "rk5"});
  EXPECT_EQ(solver.status, 2);
  EXPECT_TRUE(
      has(solver.err, "solver: unknown method 'rk5'; did you mean 'rk4'? methods: explicit-euler, rk4"))
      << solver.err;
  const Outcome option = run({"run", example("pendulum.yaml"), "--sovler", "rk4"});
  EXPECT_EQ(option.status, 2);
  EXPECT_TRUE(has(option.err, "monocoque run: unknown option '--sovler'; did you mean '--solver'?"))
      << option.err;
  const Outcome analysis = run({"signal", "rmss", "x.h5", "y"});
  EXPECT_EQ(analysis.status, 2);
  EXPECT_TRUE(has(analysis.err, "monocoque signal: unknown command 'rmss'; did you mean 'rms'?"))
      << analysis.err;
  EXPECT_EQ(run({}).status, 2);
  EXPECT_EQ(run({"--help"}).status, 0);
  EXPECT_EQ(run({"--version"}).status, 0);
}

TEST_F(Commands, SettingsThatDoNotFit) {
  const Outcome level = run({"run", example("pendulum.yaml"), "--set", "simulation.constraints=index-3"});
  EXPECT_EQ(level.status, 3);
  EXPECT_TRUE(has(level.err, "solver 'rk4': it does not take constraints 'index-3'")) << level.err;
  EXPECT_TRUE(has(level.err, "it takes: index-1 with projection")) << level.err;
  const Outcome solver = run({"check", example("pendulum.yaml"), "--set", "simulation.solver=rk5"});
  EXPECT_EQ(solver.status, 3);
  EXPECT_TRUE(has(solver.err, "pendulum.yaml:")) << solver.err;
  EXPECT_TRUE(has(solver.err, "did you mean 'rk4'?")) << solver.err;
  const Outcome end = run({"run", example("pendulum.yaml"), "--end", "-1"});
  EXPECT_EQ(end.status, 2);
  EXPECT_TRUE(has(end.err, "--end: the end time is -1 s, it must be later than start_s = 0 s")) << end.err;
  EXPECT_NE(run({"run", example("pendulum.yaml"), "--step", "0"}).status, 0);
  const Outcome tiny = run({"run", example("pendulum.yaml"), "--step", "1e-15"});
  EXPECT_EQ(tiny.status, 3);
  EXPECT_TRUE(has(tiny.err, "take a larger step_s")) << tiny.err;
  const Outcome locked = run({"run", example("pendulum.yaml"), "-o", "nowhere/p.h5"});
  EXPECT_EQ(locked.status, 5);
  EXPECT_TRUE(has(locked.err, "nowhere/p.h5")) << locked.err;
  const Outcome none = run({"run", example("pendulum.yaml"), "--set", "simulation.outputs=[bob/positoin/x]"});
  EXPECT_EQ(none.status, 3);
  EXPECT_TRUE(has(none.err, "no channel matches 'bob/positoin/x'; did you mean 'bob/position/x'?"))
      << none.err;
}

TEST_F(Commands, StepLargerThanTheRunIsOneStep) {
  const Json j = run_json({"run", example("pendulum.yaml"), "--step", "10", "--end", "0.01"});
  EXPECT_EQ(j["steps"], 1);
  EXPECT_NEAR(j["simulated_s"], 0.01, 1e-15);
}

TEST_F(Commands, HandlingNamesWhatACarLacks) {
  const std::string camry = source_dir() + "/models/camry/camry.yaml";
  const Outcome signal = run({"handling", camry, "--steer", "rakc"});
  EXPECT_EQ(signal.status, 3);
  EXPECT_TRUE(has(signal.err, "there is no signal 'rakc'; did you mean 'rack'?")) << signal.err;
  const Outcome part = run({"handling", camry, "--front", "FL/carier"});
  EXPECT_EQ(part.status, 3);
  EXPECT_TRUE(has(part.err, "there is no part 'FL/carier'; did you mean 'FL/carrier'?")) << part.err;
  const Outcome no_car = run({"handling", example("pendulum.yaml")});
  EXPECT_EQ(no_car.status, 2);
  EXPECT_TRUE(has(no_car.err, "nothing in the model is called 'speed_m_per_s'")) << no_car.err;
}

}  // namespace
}  // namespace monocoque::test

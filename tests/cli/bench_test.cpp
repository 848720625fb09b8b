// `monocoque bench`: tables, bounds and JSON of short measurements; mistakes on the command line.

#include <nlohmann/json.hpp>

#include "program.h"

namespace monocoque::test {
namespace {

class Bench : public Program {
 protected:
  nlohmann::json measured(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "bench");
    arguments.insert(arguments.end(), {"--quick", "--json", "-q", "-o", "here"});
    const Outcome o = run(arguments);
    // A machine that others use may miss a bound of time: status 1.
    EXPECT_TRUE(o.status == 0 || o.status == 1) << o.err;
    EXPECT_EQ(o.err, "");
    return nlohmann::json::parse(o.out);
  }
};

TEST_F(Bench, AModelOfTheUsers) {
  const auto json = measured({example("double-pendulum.yaml"), "--solver", "linearly-implicit-euler,rk4",
                              "--step", "0.001,0.002", "--steps", "20", "--state", "state.txt"});
  const auto& rows = json["tables"][0]["rows"];
  ASSERT_EQ(rows.size(), 4U);
  for (const auto& row : rows) {
    EXPECT_GT(row["CPU per step [us]"].get<double>(), 0);
    EXPECT_EQ(row["runs bit-identical"], "yes");
  }
  EXPECT_EQ(rows[2]["method"], "rk4");
  EXPECT_EQ(json["machine"]["commit"].get<std::string>().empty(), false);
  EXPECT_FALSE(read_text(folder_ / "state.txt").empty());
}

TEST_F(Bench, WritesBetweenTheMarksOfAPage) {
  write("page.md", "# Before\n<!-- monocoque bench: begin -->\nold\n<!-- monocoque bench: end -->\nAfter\n");
  measured({example("double-pendulum.yaml"), "--steps", "5", "--solver", "rk4", "--docs", "page.md"});
  const std::string page = read_text(folder_ / "page.md");
  EXPECT_TRUE(has(page, "# Before\n<!-- monocoque bench: begin -->\nWritten by `monocoque bench`")) << page;
  EXPECT_TRUE(has(page, "<!-- monocoque bench: end -->\nAfter\n")) << page;
  EXPECT_FALSE(has(page, "old"));
  EXPECT_TRUE(has(page, "| rk4 "));
}

TEST_F(Bench, MistakesAreNamed) {
  const Outcome part = run({"bench", "tabel"});
  EXPECT_EQ(part.status, 2);
  EXPECT_TRUE(has(part.err, "did you mean 'table'?")) << part.err;
  const Outcome solver = run({"bench", example("double-pendulum.yaml"), "--solver", "rk5", "-q"});
  EXPECT_EQ(solver.status, 2);
  EXPECT_TRUE(has(solver.err, "unknown method 'rk5'")) << solver.err;
  const Outcome variable = run({"bench", example("double-pendulum.yaml"), "--solver", "ida", "-q"});
  EXPECT_EQ(variable.status, 3);
  EXPECT_TRUE(has(variable.err, "chooses its steps itself")) << variable.err;
  const Outcome manoeuvre = run({"bench", "frontier", "--manoeuvre", "washbord", "-q"});
  EXPECT_EQ(manoeuvre.status, 2);
  EXPECT_TRUE(has(manoeuvre.err, "did you mean 'washboard'?")) << manoeuvre.err;
  const Outcome step = run({"bench", "table", "--step", "-1"});
  EXPECT_NE(step.status, 0);
}

#ifdef NDEBUG  // seconds of the flexible car are minutes with sanitizers
TEST_F(Bench, TheTableHasEveryBound) {
  const auto json = measured({"table", "units", "solve"});
  std::string all;
  for (const auto& row : json["bounds"]) all += row["quantity"].get<std::string>() + '\n';
  for (const char* quantity :
       {"generalized subsystems, linearly implicit Euler, 10 ms: real-time factor",
        "full model with separate wheels", "flexible over rigid", "1 ms: real-time factor",
        "rigid Camry at 1 ms", "bit-identical", "cost per trailer", "axle loads beside statics",
        "40 modes, rigid-forces: dense over structured", "difference of the solutions"})
    EXPECT_TRUE(has(all, quantity)) << quantity << " in\n" << all;
  // What does not depend on the machine's load.
  for (const auto& row : json["bounds"]) {
    const auto quantity = row["quantity"].get<std::string>();
    if (has(quantity, "bit-identical") || has(quantity, "statics") || has(quantity, "sideways") ||
        has(quantity, "difference")) {
      EXPECT_TRUE(row["met"].get<bool>()) << row;
    }
  }
}
#endif

}  // namespace
}  // namespace monocoque::test

// Analyses of models as the user calls them: figures, files, statuses, complaints.

#include <nlohmann/json.hpp>

#include "program.h"
#include "support/paths.h"

namespace monocoque::test {
namespace {

class AnalysisCommands : public Program {
 protected:
  static std::string model(const std::string& name) { return source_dir() + "/models/" + name; }
};

TEST_F(AnalysisCommands, SuspensionCurvesOfTheCamry) {
  const Outcome o = run({"kinematics", model("camry/camry.yaml"), "--corner", "FL,RL", "--hold", "carrier",
                         "--travel", "-0.03:0.03:3", "--json", "--plot", "kc"});
  ASSERT_EQ(o.status, 0) << o.err;
  const auto corners = nlohmann::json::parse(o.out)["travel"]["corners"];
  // Another solver's, printed in the reference of the car (camry-2012.md): -30 mm, +30 mm, within 1 %.
  struct Printed {
    const char *corner, *column;
    double down, up;
  };
  for (const Printed& p :
       {Printed{"FL", "heading_deg", 0.936, -0.879}, Printed{"FL", "camber_deg", 0.718, -0.554},
        Printed{"RL", "heading_deg", -0.905, 0.544}, Printed{"RL", "camber_deg", 0.757, -0.677}}) {
    const auto values = corners[p.corner][p.column];
    EXPECT_NEAR(values[0].get<double>() / p.down, 1, 0.01) << p.corner << p.column;
    EXPECT_NEAR(values[2].get<double>() / p.up, 1, 0.01) << p.corner << p.column;
  }
  EXPECT_TRUE(has(read_text(folder_ / "kc/travel-toe.svg"), "<svg"));
  EXPECT_TRUE(has(read_text(folder_ / "kc/kinematics.csv"), "heading_deg"));
}

TEST_F(AnalysisCommands, StableStepsOfTheQuarterCar) {
  // A bump comes half a second later; it must not disturb the check.
  const Outcome o = run({"stability", example("quarter-car.yaml"), "-o", "steps.csv"});
  EXPECT_EQ(o.status, 0) << o.out << o.err;
  EXPECT_TRUE(has(o.out, "rk4: largest stable step 0.038921 s"));
  EXPECT_TRUE(has(read_text(folder_ / "steps.csv"), "method,largest_step_s"));
}

TEST_F(AnalysisCommands, StableStepsOfTheCarWithNineteenFreedoms) {
  // Explicit Euler's limit is set by an oscillation whose phase must not pass for growth.
  const Outcome o = run({"stability", model("vehicles/ride-19.yaml")});
  EXPECT_EQ(o.status, 0) << o.out << o.err;
}

TEST_F(AnalysisCommands, StepsLongerThanTheirStateAreExplained) {
  // The wheel turns by 1.6 rad in the largest step, the gear's torque rises within it: no
  // disagreement.
  const Outcome wheel = run({"stability", example("rolling-wheel.yaml")});
  EXPECT_EQ(wheel.status, 0) << wheel.out << wheel.err;
  EXPECT_TRUE(has(wheel.err, "part 'wheel' turns by")) << wheel.err;
  const Outcome gears = run({"stability", example("gear-train.yaml")});
  EXPECT_EQ(gears.status, 0) << gears.out << gears.err;
  EXPECT_TRUE(has(gears.err, "changes its speed by")) << gears.err;
}

TEST_F(AnalysisCommands, NominalValuesAreDrawn) {
  EXPECT_EQ(run({"nominal", model("camry/camry.yaml"), "--plot", "out"}).status, 0);
  const std::string svg = read_text(folder_ / "out/nominal.svg");
  EXPECT_TRUE(has(svg, "<svg"));
  EXPECT_TRUE(has(svg, "FL/spring.preload_N"));
}

TEST_F(AnalysisCommands, EigenvaluesAreDrawn) {
  EXPECT_EQ(run({"modes", example("quarter-car.yaml"), "--plot", "out"}).status, 0);
  EXPECT_TRUE(has(read_text(folder_ / "out/eigenvalues.svg"), "Re s [1/s]"));
}

TEST_F(AnalysisCommands, MissingModelsAreNamed) {
  for (const char* command :
       {"equilibrium", "nominal", "linearize", "modes", "stability", "kinematics", "inverse", "covariance"}) {
    const Outcome o = run({command, "missing.yaml"});
    EXPECT_NE(o.status, 0) << command;
    EXPECT_TRUE(has(o.err, "missing.yaml")) << command << ": " << o.err;
  }
}

}  // namespace
}  // namespace monocoque::test

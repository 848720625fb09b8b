// The rigid Camry against the numbers of its tables, and its two ways of modelling a wheel against each
// other. Published: wheel loads and mount forces of the nominal-force problem, rack ratio
// (models/camry/body.yaml has the sources).

#include <gtest/gtest.h>

#include "support/run.h"

namespace monocoque::test {
namespace {

constexpr const char* kCorners[] = {"FL", "FR", "RL", "RR"};

io::SimulationSpec settings_of(const Loaded& loaded, const std::string& solver, double step_s, double end_s) {
  io::SimulationSpec s = loaded.spec.simulation;
  s.solver = solver;
  s.constraints = s.stabilisation = "";
  s.step_s = step_s;
  s.step_given = true;
  s.end_s = end_s;
  s.output_step_s = end_s;
  return s;
}

TEST(Camry, HasTheCountsOfTheDissertation) {
  const Loaded apart = load_model("camry/camry-wheels-apart.yaml"), on = load_model("camry/camry.yaml");
  EXPECT_EQ(apart.model->parts.size(), 11U);  // with the ground
  EXPECT_EQ(apart.model->nlambda, 41);
  EXPECT_EQ(apart.model->nx, 70);
  EXPECT_EQ(apart.model->nz, 60);
  EXPECT_EQ(on.model->nx, 46);
  EXPECT_EQ(on.model->nz, 40);
  EXPECT_EQ(on.model->nlambda, 21);
}

TEST(Camry, NominalForcesAreThoseOfTheTables) {
  for (const char* file : {"camry/camry.yaml", "camry/camry-wheels-apart.yaml"}) {
    const Loaded loaded = load_model(file);
    const Values v = run(loaded, settings_of(loaded, "rk4", 1e-3, 1e-3)).final;
    for (const auto& [corner, load] :
         {std::pair{"FL", 4303.352}, {"FR", 4303.352}, {"RL", 2938.537}, {"RR", 2938.537}})
      EXPECT_NEAR(v.at(fmt::format("{}/tire/load", corner)), load, 1e-3) << file;
    EXPECT_NEAR(v.at("mount_L/force/z"), 1024.788, 1e-3);
    EXPECT_NEAR(v.at("mount_C/force/z"), 335.996, 1e-3);
    EXPECT_NEAR(v.at("mount_R/force/z"), 1137.137, 1e-3);
    EXPECT_NEAR(v.at("torque_support/reaction/force/z"), 0, 1e-6);
    const auto row = [&](const char* name, const char* path, double published) {
      verify_row("Camry", fmt::format("{}, {}", name, file), "nominal forces",
                 fmt::format("{:.3f} N", v.at(path)), fmt::format("{:.3f} N", published),
                 std::abs(v.at(path) - published), "N");
    };
    row("front wheel load", "FL/tire/load", 4303.352);
    row("rear wheel load", "RL/tire/load", 2938.537);
    row("engine mount L", "mount_L/force/z", 1024.788);
  }
}

#ifdef NDEBUG
constexpr double kStraight = 10, kCornering = 15;
#else
constexpr double kStraight = 1, kCornering = 3.3;  // with sanitizers
#endif

TEST(Camry, StraightRunningStaysInEquilibrium) {
  const Loaded loaded = load_model("camry/scenarios/straight.yaml");
  const Values v = run(loaded, settings_of(loaded, "rk4", 1e-3, kStraight)).final;
  EXPECT_NEAR(v.at("car/position/z"), 0.602, 1e-6);
  EXPECT_NEAR(v.at("car/position/y"), 0, 1e-6);
  EXPECT_NEAR(v.at("car/position/x"), kStraight * 40 / 3.6, 1e-4);
}

TEST(Camry, CorneringDoesNotDependOnSolverOrFormulation) {
  const Loaded on = load_model("camry/scenarios/cornering.yaml"),
               apart = load_model("camry/scenarios/cornering-wheels-apart.yaml");
  const Values reference = run(on, settings_of(on, "rk4", 1e-3, kCornering)).final;
  const auto compare = [&](const char* name, const Loaded& loaded, const io::SimulationSpec& settings,
                           double bound) {
    const Values v = run(loaded, settings).final;
    double worst = 0;
    for (const char* corner : kCorners) {
      const std::string load = fmt::format("{}/tire/load", corner);
      worst = std::max(worst, std::abs(v.at(load) / reference.at(load) - 1));
    }
    const double place = std::hypot(v.at("car/position/x") - reference.at("car/position/x"),
                                    v.at("car/position/y") - reference.at("car/position/y"));
    verify_row("Camry", fmt::format("cornering, {}: largest relative deviation of a wheel load", name), name,
               "", "0", worst, "1");
    EXPECT_LT(worst, bound) << name;
    EXPECT_LT(place, bound < 2e-3 ? 0.02 : 0.2) << name;
  };
  compare("rk4 with separate wheels", apart, settings_of(apart, "rk4", 1e-3, kCornering), 1e-3);
  compare("linearly implicit, extrapolated, 2 ms", on,
          settings_of(on, "linearly-implicit-2", 2e-3, kCornering), 1e-3);
  // Its bound is one on steady values: the short run of the sanitizers ends while the car turns in.
  if (kCornering > 10)
    compare("linearly implicit Euler, 10 ms, wheels on carriers", on,
            settings_of(on, "linearly-implicit-euler", 1e-2, kCornering), 1e-2);
  io::SimulationSpec ida = settings_of(on, "ida", 1, kCornering);
  ida.step_given = false;
  ida.relative_tolerance = 1e-6;
  compare("ida", on, ida, 1e-3);
}

}  // namespace
}  // namespace monocoque::test

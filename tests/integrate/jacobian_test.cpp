// Simplified Jacobians: a poorer one must cost accuracy of a step, not the order of the method, and a
// constant one must spare factorisations.

#include <gtest/gtest.h>

#include "support/run.h"

namespace monocoque::test {
namespace {

// A double pendulum with a spring across it: gyroscopic forces, reactions and stiffness all matter.
constexpr const char* kMachine = R"yaml(
monocoque: 1
parts:
  - {name: a, mass_kg: 2, inertia_kg_m2: [0.05, 0.06, 0.03], position_m: [0.3, 0, 0], angular_velocity_rad_per_s: [0, 0, 1]}
  - {name: b, mass_kg: 1, inertia_kg_m2: [0.02, 0.03, 0.02], position_m: [0.6, 0.3, 0]}
interacts:
  - {name: top, type: spherical, from: ground, to: {part: a, at_world_m: [0, 0, 0]}}
  - {name: mid, type: revolute, from: {part: a, at_world_m: [0.6, 0, 0], orientation_world: {z_axis: [0, 1, 0]}},
     to: {part: b, at_world_m: [0.6, 0, 0], orientation_world: {z_axis: [0, 1, 0]}}}
  - {name: spring, type: spring_damper, from: ground, to: b, stiffness_N_per_m: 200, damping_Ns_per_m: 4, free_length_m: 0.5}
)yaml";

double error_of(const Loaded& loaded, const Values& exact, io::SimulationSpec s,
                const std::string& jacobian) {
  s.jacobian = jacobian;
  const Values v = run(loaded, s).final;
  double worst = 0;
  for (const char* path : {"a/position/x", "b/position/x", "b/position/y", "b/position/z"})
    worst = std::max(worst, std::abs(v.at(path) - exact.at(path)));
  return worst;
}

TEST(Jacobian, OrderDoesNotDependOnIt) {
  const Loaded loaded = load_text(kMachine);
  const Values exact = run(loaded, ida(0.5, 1e-11)).final;
  for (const auto& [solver, order] :
       {std::pair{"linearly-implicit-euler", 1.0}, {"linearly-implicit-2", 2.0}})
    for (const char* jacobian : {"full", "applied-forces", "simplified", "rigid-forces", "constant"}) {
      const double coarse = error_of(loaded, exact, fixed_step(solver, 0.5, 2e-3), jacobian),
                   fine = error_of(loaded, exact, fixed_step(solver, 0.5, 1e-3), jacobian);
      const double measured = std::log2(coarse / fine);
      EXPECT_NEAR(measured, order, 0.25) << solver << ", " << jacobian;
      verify_row("Jacobians", fmt::format("{}, jacobian {}", solver, jacobian), "order",
                 fmt::format("{:.2f}", measured), fmt::format("{:g}", order), fine, "error at 1 ms, m");
    }
}

TEST(Jacobian, AConstantMatrixIsFactoredOnce) {
  const Loaded loaded = load_model("examples/quarter-car.yaml");
  io::SimulationSpec s = fixed_step("linearly-implicit-euler", 0.5, 1e-3);
  const Outcome full = run(loaded, s);
  s.jacobian = "constant-matrix";
  const Outcome once = run(loaded, s);
  EXPECT_GE(full.summary.counts.factorisations, 500);
  EXPECT_LE(once.summary.counts.factorisations, 3);
  for (const auto& [path, value] : full.final) {
    if (path.find("position") == std::string::npos) continue;
    EXPECT_NEAR(once.final.at(path), value, 1e-4) << path;
  }
}

TEST(Jacobian, StepsThatShareAMatrixKeepTheOrder) {
  const Loaded loaded = load_text(kMachine);
  const Values exact = run(loaded, ida(0.5, 1e-11)).final;
  for (const auto& [solver, order] :
       {std::pair{"linearly-implicit-euler", 1.0}, {"generalized-alpha", 2.0}}) {
    io::SimulationSpec s = fixed_step(solver, 0.5, 2e-3);
    s.iterations = 2;
    for (const int steps : {2, 3, 4}) {
      s.matrix_steps = steps;
      s.step_s = 1e-3;
      const double coarse = error_of(loaded, exact, s, "simplified");
      s.step_s = 5e-4;
      const double fine = error_of(loaded, exact, s, "simplified");
      EXPECT_NEAR(std::log2(coarse / fine), order, 0.25) << solver << ", " << steps;
      // One matrix at the start, then one in so many steps.
      EXPECT_LE(run(loaded, s).summary.counts.factorisations, 3 + 1000 / steps);
      verify_row("Jacobians", fmt::format("{}, matrix_steps {}", solver, steps), "order",
                 fmt::format("{:.2f}", std::log2(coarse / fine)), fmt::format("{:g}", order), fine,
                 "error at 0.5 ms, m");
    }
  }
}

TEST(Jacobian, OnlyFixedStepImplicitMethodsHoldAMatrix) {
  const Loaded loaded = load_text(kMachine);
  io::SimulationSpec s = fixed_step("rk4", 0.1, 1e-3);
  s.matrix_steps = 4;
  try {
    run(loaded, s);
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("does not take matrix_steps 4"), std::string::npos) << e.what();
  }
}

/// Springs and mounts of the Camry are much softer than its body: their elastic derivatives do not matter.
TEST(Jacobian, ForcesMayTakeTheFlexibleCarAsRigid) {
  const Loaded loaded = load_model("camry/scenarios/double-lane-change-open-loop.yaml");
  io::SimulationSpec s = fixed_step("linearly-implicit-euler", 0.3, 1e-3);
  s.linear_solver = "structured";
  s.jacobian = "simplified";
  const Values exact = run(loaded, s).final;
  s.jacobian = "rigid-forces";
  for (const int steps : {1, 8}) {
    s.matrix_steps = steps;
    const Values v = run(loaded, s).final;
    for (const char* path : {"car/position/x", "car/position/y", "car/position/z", "FL/carrier/position/z"})
      EXPECT_NEAR(v.at(path), exact.at(path), 2e-5) << path << ", " << steps;
  }
}

TEST(Jacobian, OnlyFixedStepImplicitMethodsTakeIt) {
  const Loaded loaded = load_text(kMachine);
  for (const char* solver : {"rk4", "ida"}) {
    io::SimulationSpec s = fixed_step(solver, 0.1, 1e-3);
    s.jacobian = "simplified";
    try {
      run(loaded, s);
      FAIL() << solver;
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find("does not take jacobian 'simplified'"), std::string::npos)
          << e.what();
    }
  }
}

}  // namespace
}  // namespace monocoque::test

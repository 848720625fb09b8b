// The hot path: no allocation in a step, two runs bit-identical, save and restore bit-identical.

#include <cstring>

#include <memory>

#include <gtest/gtest.h>

#include "elements/registry.h"
#include "integrate/simulation.h"
#include "io/model/reader.h"
#include "solve/malloc_count.h"
#include "support/paths.h"

namespace monocoque {
namespace {

using test::malloc_count;
using test::malloc_is_counted;

/// Joints with and without drive and memory, forces with inner states, algebraic variables and signals.
const char* const kMachine = R"yaml(
monocoque: 1
name: machine of everything
parts:
  - {name: crank, mass_kg: 2, inertia_kg_m2: [0.02, 0.03, 0.04], position_m: [0.2, 0, 0]}
  - {name: arm, mass_kg: 1, inertia_kg_m2: [0.01, 0.02, 0.02], position_m: [0.6, 0.1, 0]}
  - {name: rod, mass_kg: 0.5, inertia_kg_m2: [0.002, 0.01, 0.01], position_m: [1.1, 0.1, -0.1]}
  - {name: mount, mass_kg: 3, inertia_kg_m2: [0.05, 0.04, 0.03], position_m: [0, 0.5, 0.2]}
  - {name: bob, kind: particle, mass_kg: 0.3, position_m: [0.3, 0.4, -0.5]}
  - {name: wheel1, mass_kg: 1, inertia_kg_m2: [0.01, 0.01, 0.02], position_m: [0, -1, 0],
     angular_velocity_rad_per_s: [0, 0, 2]}
  - {name: wheel2, mass_kg: 1, inertia_kg_m2: [0.01, 0.01, 0.02], position_m: [0.5, -1, 0]}
signals:
  - {name: push, formula: "20*sin(5*t)"}
  - {name: table, table: [[0, 0], [0.5, 1], [4, 2]], interpolation: cubic}
interacts:
  - {name: drive, type: driven_revolute, from: ground, to: {part: crank, position_m: [-0.2, 0, 0]},
     angle_rad: "0.4*sin(3*t)"}
  - {name: knee, type: revolute, from: {part: crank, at_world_m: [0.4, 0, 0], orientation_world: {z_axis: [0, 1, 0.2]}},
     to: {part: arm, at_world_m: [0.4, 0, 0], orientation_world: {z_axis: [0, 1, 0.2]}}}
  - {name: ball, type: spherical, from: {part: arm, at_world_m: [0.8, 0.1, 0]}, to: {part: rod, at_world_m: [0.8, 0.1, 0]}}
  - {name: axle1, type: revolute, from: {part: ground, position_m: [0, -1, 0]}, to: wheel1}
  - {name: axle2, type: revolute, from: {part: ground, position_m: [0.5, -1, 0]}, to: wheel2}
  - {name: teeth, type: gear, joints: [axle1, axle2], ratio: -2}
  - {name: rubbing, type: joint_friction, joint: knee, friction_coefficient: 0.1, radius_m: 0.02}
  - {name: rubber, type: bushing, from: {part: ground, position_m: [0, 0.5, 0.2]}, to: mount,
     stiffness_N_per_m: [5000, 4000, 3000], damping_Ns_per_m: [20, 30, 40],
     rotational_stiffness_Nm_per_rad: [50, 40, 30], rotational_damping_Nms_per_rad: [1, 1, 1]}
  - {name: creep, type: maxwell, from: mount, to: bob, stiffness_N_per_m: 400, damping_Ns_per_m: 20,
     parallel_stiffness_N_per_m: 100, free_length_m: 0.7}
  - {name: spring, type: spring_damper, from: mount, to: rod, stiffness_N_per_m: 300, damping_Ns_per_m: 5,
     free_length_m: 1}
  - {name: motor, type: actuator_torque, from: ground, to: wheel1, torque_Nm: table}
  - {name: ram, type: actuator_force, from: ground, to: bob, force_N: push}
)yaml";

const Model& machine() {
  static const std::unique_ptr<const Model> model = [] {
    Diagnostics diagnostics;
    const io::ScenarioSpec spec =
        io::read_scenario_text(kMachine, "machine", element_library(), {}, diagnostics);
    diagnostics.throw_if_errors();
    return build_model(spec.model);
  }();
  return *model;
}

constexpr double kStep = 1e-3;

io::SimulationSpec settings_of(const std::string& method, const std::string& path) {
  io::SimulationSpec s;
  s.solver = method;
  s.linear_solver = path;
  s.step_s = kStep;
  s.end_s = 10;
  return s;
}

void steps(Simulation& simulation, int first, int last) {
  for (int i = first; i < last; ++i)
    ASSERT_EQ(simulation.step_to((i + 1) * kStep), StepStatus::ok) << "step " << i;
}

/// Bits, not values: -0 and 0 differ.
bool same_bits(const VecX& a, const VecX& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<std::size_t>(a.size())) == 0;
}

void expect_same(const State& a, const State& b) {
  EXPECT_EQ(a.t, b.t);
  EXPECT_TRUE(same_bits(a.x, b.x)) << "x";
  EXPECT_TRUE(same_bits(a.z, b.z)) << "z";
  EXPECT_TRUE(same_bits(a.c, b.c)) << "c";
  EXPECT_TRUE(same_bits(a.lambda, b.lambda)) << "lambda";
  EXPECT_TRUE(same_bits(a.w, b.w)) << "w";
  EXPECT_TRUE(same_bits(a.r, b.r)) << "r";
}

struct Case {
  std::string method, path;
};

std::vector<Case> cases() {
  std::vector<Case> list;
  for (const IntegratorType& type : integrator_types())
    for (const char* path : {"dense", "sparse", "structured"})
      if (type.fixed_step) list.push_back({type.name, path});
  return list;
}

std::string case_name(const testing::TestParamInfo<Case>& info) {
  std::string name = info.param.method + "_" + info.param.path;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
}

class HotPath : public testing::TestWithParam<Case> {};

TEST_P(HotPath, StepsAllocateNothing) {
  if (!malloc_is_counted()) GTEST_SKIP() << "a sanitizer replaces malloc";
  Simulation simulation(machine(), settings_of(GetParam().method, GetParam().path));
  steps(simulation, 0, 3);  // the sparse path orders its matrix at the first factorisation
  StepStatus worst = StepStatus::ok;
  const long before = malloc_count();
  for (int i = 3; i < 200; ++i) {
    const StepStatus status = simulation.step_to((i + 1) * kStep);
    if (status != StepStatus::ok) worst = status;
  }
  const long calls = malloc_count() - before;
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(worst, StepStatus::ok);
}

/// Two flexible beams with joints on their nodes.
const Model& beams() {
  static const std::unique_ptr<const Model> model = [] {
    Diagnostics diagnostics;
    const io::ScenarioSpec spec = io::read_scenario(
        source_dir() + "/models/examples/flexible-double-pendulum.yaml", element_library(), {}, diagnostics);
    diagnostics.throw_if_errors();
    return build_model(spec.model);
  }();
  return *model;
}

void expect_no_malloc(const io::SimulationSpec& settings) {
  Simulation simulation(beams(), settings);
  StepStatus worst = StepStatus::ok;
  long before = 0;
  for (int i = 0; i < 100; ++i) {
    if (i == 3) before = malloc_count();
    const StepStatus status = simulation.step_to((i + 1) * settings.step_s);
    if (status != StepStatus::ok) worst = status;
  }
  EXPECT_EQ(malloc_count() - before, 0);
  EXPECT_EQ(worst, StepStatus::ok);
}

TEST_P(HotPath, StepsOfFlexiblePartsAllocateNothing) {
  if (!malloc_is_counted()) GTEST_SKIP() << "a sanitizer replaces malloc";
  io::SimulationSpec settings = settings_of(GetParam().method, GetParam().path);
  settings.step_s = 1e-4;
  expect_no_malloc(settings);
}

TEST(HotPathOfFormulations, StepsAllocateNothing) {
  if (!malloc_is_counted()) GTEST_SKIP() << "a sanitizer replaces malloc";
  for (const char* formulation : {"floating", "quaternion"}) {
    io::SimulationSpec settings = settings_of("rk4", "dense");
    settings.step_s = 1e-4;
    settings.formulation = formulation;
    SCOPED_TRACE(formulation);
    expect_no_malloc(settings);
  }
}

/// The flexible Camry with the settings of real time, each way to couple its body and its inertia.
template <class Check>
void for_the_car(Check&& check) {
  for (const char* couplings : {"full", "compressed", "neglected"}) {
    Diagnostics diagnostics;
    io::ReadOptions options;
    options.overrides.emplace_back("parts.car.inertia_couplings", couplings);
    const io::ScenarioSpec spec =
        io::read_scenario(source_dir() + "/models/camry/scenarios/washboard-flexible.yaml", element_library(),
                          options, diagnostics);
    diagnostics.throw_if_errors();
    const std::unique_ptr<const Model> model = build_model(spec.model);
    for (const char* method : {"linearly-implicit-euler", "generalized-alpha"}) {
      SCOPED_TRACE(std::string(couplings) + ", " + method);
      io::SimulationSpec settings = settings_of(method, "structured");
      settings.jacobian = "rigid-forces";
      settings.matrix_steps = 8;
      settings.iterations = 2;
      settings.outputs = {"energy/total"};
      check(*model, settings);
    }
  }
}

TEST(HotPathOfTheCar, StepsAllocateNothing) {
  if (!malloc_is_counted()) GTEST_SKIP() << "a sanitizer replaces malloc";
  for_the_car([](const Model& model, const io::SimulationSpec& settings) {
    Simulation simulation(model, settings);
    steps(simulation, 0, 3);
    const long before = malloc_count();
    StepStatus worst = StepStatus::ok;
    for (int i = 3; i < 60; ++i) {
      const StepStatus status = simulation.step_to((i + 1) * kStep);
      if (status != StepStatus::ok) worst = status;
    }
    EXPECT_EQ(malloc_count() - before, 0);
    EXPECT_EQ(worst, StepStatus::ok);
  });
}

TEST(HotPathOfTheCar, TwoRunsAreBitIdentical) {
  for_the_car([](const Model& model, const io::SimulationSpec& settings) {
    Simulation first(model, settings), second(model, settings);
    steps(first, 0, 60);
    steps(second, 0, 60);
    expect_same(first.state(), second.state());
  });
}

TEST_P(HotPath, TwoRunsAreBitIdentical) {
  Simulation first(machine(), settings_of(GetParam().method, GetParam().path));
  Simulation second(machine(), settings_of(GetParam().method, GetParam().path));
  steps(first, 0, 100);
  steps(second, 0, 100);
  expect_same(first.state(), second.state());
}

/// One-step methods on the dense path: a multistep method would have to save its earlier steps too, and the
/// pivots of the sparse path depend on the matrices before.
class SaveAndRestore : public testing::TestWithParam<Case> {};

TEST_P(SaveAndRestore, ContinuesBitIdentical) {
  const auto [method, path] = GetParam();
  Simulation whole(machine(), settings_of(method, path));
  steps(whole, 0, 50);
  const State saved = whole.state();
  steps(whole, 50, 100);

  Simulation restored(machine(), settings_of(method, path));
  restored.state() = saved;
  restored.integrator().start(saved);
  steps(restored, 50, 100);
  expect_same(whole.state(), restored.state());
}

const Case kOneStep[] = {{"explicit-euler", "dense"},
                         {"rk4", "dense"},
                         {"linearly-implicit-euler", "dense"},
                         {"linearly-implicit-2", "dense"}};
INSTANTIATE_TEST_SUITE_P(OneStepMethods, SaveAndRestore, testing::ValuesIn(kOneStep), case_name);
INSTANTIATE_TEST_SUITE_P(AllFixedStepMethods, HotPath, testing::ValuesIn(cases()), case_name);

TEST(MallocCount, SeesEigen) {
  if (!malloc_is_counted()) GTEST_SKIP() << "a sanitizer replaces malloc";
  volatile int size = 2;
  const long before = malloc_count();
  const VecX vector = VecX::Zero(size);
  EXPECT_EQ(malloc_count() - before, 1) << vector.size();
}

}  // namespace
}  // namespace monocoque

// A model divided into groups that run beside each other: who gets what, agreement with the whole, order of
// the coupling, repetition bit by bit, failures.

#include <gtest/gtest.h>

#include "realtime/split_run.h"
#include "support/complaint.h"
#include "support/run.h"

namespace monocoque::test {
namespace {

using realtime::split_model;
using realtime::SplitGroup;
using realtime::SplitRun;
using realtime::SplitSettings;

const std::vector<SplitGroup> kHalves = {{"front", {"engine", "FL/*", "FR/*"}}, {"rear", {"RL/*", "RR/*"}}};

bool has(const io::ModelSpec& spec, const std::string& interact) {
  return std::any_of(spec.interacts.begin(), spec.interacts.end(),
                     [&](const io::InteractSpec& e) { return e.name == interact; });
}

TEST(Split, EveryElementIsInOneGroup) {
  const Loaded car = load_model("camry/camry.yaml");
  const realtime::SplitModel split = split_model(car.spec.model, kHalves);
  EXPECT_EQ(split.shared, std::vector<std::string>{"car"});
  ASSERT_EQ(split.models.size(), 2u);
  for (const io::InteractSpec& e : car.spec.model.interacts) {
    const int count = has(split.models[0], e.name) + has(split.models[1], e.name);
    const bool car_only = e.group == io::Group::sensor && count == 2;
    EXPECT_TRUE(count == 1 || car_only) << e.name;
  }
  EXPECT_TRUE(has(split.models[0], "FL/tie") && has(split.models[0], "mount_C"));
  EXPECT_TRUE(has(split.models[1], "RR/spring") && has(split.models[1], "attitude"));
  EXPECT_EQ(split.models[0].controllers.size(), 1u);  // drives the front wheels
  EXPECT_EQ(split.models[1].controllers.size(), 0u);
}

TEST(Split, RefusesWhatCannotBeDivided) {
  const Loaded car = load_model("camry/camry.yaml");
  const auto text = [&](const std::vector<SplitGroup>& groups) {
    return complaint([&] { split_model(car.spec.model, groups); });
  };
  EXPECT_NE(text({{"a", {"engine", "car"}}, {"b", {"RL/*", "RR/*"}}}).find("joins group"), std::string::npos);
  EXPECT_NE(text({{"a", {"FL/carier"}}, {"b", {"RL/*"}}}).find("no part is named 'FL/carier'"),
            std::string::npos);
  EXPECT_NE(text({{"a", {"FL/*"}}, {"b", {"*/carrier"}}}).find("in group 'a' and in 'b'"), std::string::npos);
  EXPECT_NE(text({{"all", {"*"}}}).find("fewer than two"), std::string::npos);
  const auto variable = [&] {
    io::SimulationSpec s = car.spec.simulation;
    s.solver = "ida";
    SplitRun(car.spec.model, kHalves, s);
  };
  EXPECT_NE(complaint(variable).find("fixed step"), std::string::npos);
}

/// A beam on two sprung wheels that are pushed about; the beam is shared.
constexpr const char* kBeam = R"yaml(
monocoque: 1
name: beam on wheels
parts:
  - name: beam
    mass_kg: 400
    inertia_kg_m2: [40, 300, 300]
    position_m: [0, 0, 0.8]
    frames: [{name: f, position_m: [1.2, 0, 0]}, {name: r, position_m: [-1.3, 0, 0]}]
  - {name: F/wheel, mass_kg: 45, inertia_kg_m2: [1, 1, 1], position_m: [1.2, 0, 0.3]}
  - {name: R/wheel, mass_kg: 40, inertia_kg_m2: [1, 1, 1], position_m: [-1.3, 0, 0.3]}
interacts:
  - {name: F/guide, type: prismatic, from: {part: beam, position_m: [1.2, 0, 0]}, to: F/wheel}
  - {name: R/guide, type: prismatic, from: {part: beam, position_m: [-1.3, 0, 0]}, to: R/wheel}
  - {name: F/spring, type: spring_damper, from: beam.f, to: F/wheel, stiffness_N_per_m: 20000,
     damping_Ns_per_m: 900, free_length_m: 0.6}
  - {name: R/spring, type: spring_damper, from: beam.r, to: R/wheel, stiffness_N_per_m: 24000,
     damping_Ns_per_m: 1100, free_length_m: 0.6}
  - {name: F/tire, type: spring_damper_3d, from: {part: ground, position_m: [1.2, 0, 0]}, to: F/wheel,
     stiffness_N_per_m: [3e4, 3e4, 1.5e5], damping_Ns_per_m: [500, 500, 500], free_offset_m: [0, 0, 0.32]}
  - {name: R/tire, type: spring_damper_3d, from: {part: ground, position_m: [-1.3, 0, 0]}, to: R/wheel,
     stiffness_N_per_m: [3e4, 3e4, 1.5e5], damping_Ns_per_m: [500, 500, 500], free_offset_m: [0, 0, 0.32]}
  - {name: F/push, type: actuator_force, from: {part: ground, position_m: [1.2, 0, -1]}, to: F/wheel,
     force_N: "1500*sin(25*t)"}
)yaml";
const std::vector<SplitGroup> kEnds = {{"front", {"F/*"}}, {"rear", {"R/*"}}};

/// Positions and velocities of a part at the end, by its name.
VecX motion(const Model& model, const State& s, const std::string& name) {
  for (const Part& p : model.parts)
    if (p.name == name) {
      VecX out(p.x_size + p.z_size);
      out << s.x.segment(p.x_start, p.x_size), s.z.segment(p.z_start, p.z_size);
      return out;
    }
  return {};
}

double split_error(const Loaded& model, const io::SimulationSpec& s, int order, int rounds,
                   const std::vector<SplitGroup>& groups) {
  const Outcome whole = run(model, s);
  SplitSettings split;
  split.extrapolation = order;
  split.rounds = rounds;
  SplitRun halves(model.spec.model, groups, s, split);
  halves.run();
  double worst = 0;
  for (std::size_t i = 0; i < halves.size(); ++i)
    for (const Part& p : halves.model(i).parts) {
      if (!p.moves()) continue;
      const VecX a = motion(halves.model(i), halves.simulation(i).state(), p.name);
      worst = std::max(worst, (a - motion(*model.model, whole.state, p.name)).norm());
    }
  return worst;
}

TEST(Split, ErrorFallsWithTheStepAndWithCorrections) {
  const Loaded beam = load_text(kBeam);
  for (const char* solver : {"bdf2", "linearly-implicit-euler", "linearly-implicit-2"}) {
    double uncorrected = 0;
    for (const auto& [order, rounds] : {std::pair{0, 0}, {1, 0}, {1, 1}, {1, 2}}) {
      io::SimulationSpec s = fixed_step(solver, 0.2, 0);
      double error[2];
      for (int i = 0; i < 2; ++i) {
        s.step_s = 2e-3 / (1 << i);
        error[i] = split_error(beam, s, order, rounds, kEnds);
      }
      const double measured = std::log2(error[0] / error[1]);
      verify_row("Front-rear split",
                 fmt::format("{}, extrapolation of order {}, {} corrections", solver, order, rounds),
                 "order of the difference from the whole", fmt::format("{:.2f}", measured),
                 rounds > 0   ? "-"
                 : order == 0 ? "1"
                              : "2",
                 error[1], "absolute, step 1 ms");
      if (rounds == 0) {
        EXPECT_GT(measured, (order == 0 ? 1 : 2) - 0.3);
        uncorrected = error[1];
      } else if (s.solver == "linearly-implicit-2") {  // cannot be corrected
        EXPECT_LT(error[1], 1.01 * uncorrected);
      } else {
        EXPECT_LT(error[1], 0.5 * uncorrected);  // the first step of bdf2 stays uncorrected
      }
    }
  }
}

TEST(Split, RigidCarOverBumpsIsThatOfTheWhole) {
  const Loaded car = load_model("camry/scenarios/washboard.yaml");
  io::SimulationSpec s = fixed_step("bdf2", 0.6, 1e-3, kIndex1Psi, kBaumgarte);
  s.outputs = {"energy/total"};
  EXPECT_LT(split_error(car, s, 1, 2, kHalves), 1e-3);
}

TEST(Split, RepeatsBitByBit) {
  const Loaded car = load_model("camry/camry.yaml", {{"speed_m_per_s", "15"}});
  io::SimulationSpec s = fixed_step("linearly-implicit-euler", 0.1, 1e-3);
  s.outputs = {"energy/total"};
  VecX first;
  for (int i = 0; i < 3; ++i) {
    SplitRun halves(car.spec.model, kHalves, s);
    halves.run();
    VecX all(halves.simulation(0).state().z.size() + halves.simulation(1).state().z.size());
    all << halves.simulation(0).state().z, halves.simulation(1).state().z;
    if (i == 0) first = all;
    EXPECT_TRUE(all == first);
  }
}

TEST(Split, FailureOfOneGroupEndsAll) {
  std::string text = kBeam;
  text +=
      R"yaml(  - {name: R/push, type: actuator_force, from: {part: ground, position_m: [-1.3, 0, -1]}, to: R/wheel,
     force_N: "1e30*ramp(t - 0.05)"}
)yaml";
  const Loaded beam = load_text(text);
  io::SimulationSpec s = fixed_step("linearly-implicit-euler", 60, 1e-3);
  const std::string what = complaint([&] { SplitRun(beam.spec.model, kEnds, s).run(); });
  EXPECT_NE(what.find("grows without bound"), std::string::npos) << what;
}

}  // namespace
}  // namespace monocoque::test

// Which method takes which constraint level and stabilisation: the table of the registry decides, for every
// pair.

#include <gtest/gtest.h>

#include <algorithm>

#include "integrate/simulation.h"
#include "io/model/reader.h"

namespace monocoque {
namespace {

constexpr const char* kLevels[] = {kIndex1, kIndex1Psi, kIndex2, kIndex3, kStabilised};
constexpr const char* kStabilisations[] = {kNone, kBaumgarte, kProjection};

std::unique_ptr<const Model> pendulum() {
  Diagnostics diagnostics;
  const io::ScenarioSpec spec = io::read_scenario_text(R"yaml(
monocoque: 1
name: pendulum
gravity_m_per_s2: [0, -9.81, 0]
parts: [{name: bob, mass_kg: 1, inertia_kg_m2: [0.1, 0.1, 0.1], position_m: [1, 0, 0]}]
interacts:
  - {name: hinge, type: revolute, from: ground, to: {part: bob, position_m: [-1, 0, 0]}}
)yaml",
                                                       "test.yaml", element_library(), {}, diagnostics);
  diagnostics.throw_if_errors();
  return build_model(spec.model);
}

/// The level and stabilisation that a run has, or "" when it is refused.
std::string chosen(const Model& model, const IntegratorType& type, const std::string& level,
                   const std::string& stabilisation) {
  io::SimulationSpec settings;
  settings.solver = type.name;
  settings.constraints = level;
  settings.stabilisation = stabilisation;
  settings.end_s = 0.01;
  try {
    Simulation simulation(model, settings);
    const RunSummary summary = simulation.run();
    return summary.constraints + " " + summary.stabilisation;
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("it does not take constraints"), std::string::npos) << e.what();
    return "";
  }
}

TEST(ConstraintLevels, APairOutsideTheTableIsRefused) {
  const auto model = pendulum();
  for (const IntegratorType& type : integrator_types())
    for (const std::string level : kLevels)
      for (const std::string stabilisation : kStabilisations) {
        const bool listed = std::find(type.levels.begin(), type.levels.end(),
                                      std::pair(level, stabilisation)) != type.levels.end();
        EXPECT_EQ(chosen(*model, type, level, stabilisation), listed ? level + " " + stabilisation : "")
            << type.name << " with " << level << " and " << stabilisation;
      }
}

TEST(ConstraintLevels, ALevelAloneIsKeptOrRefused) {
  const auto model = pendulum();
  for (const IntegratorType& type : integrator_types())
    for (const std::string level : kLevels) {
      const auto first = std::find_if(type.levels.begin(), type.levels.end(),
                                      [&](const auto& pair) { return pair.first == level; });
      EXPECT_EQ(chosen(*model, type, level, ""),
                first == type.levels.end() ? "" : level + " " + first->second)
          << type.name << " with " << level;
    }
}

}  // namespace
}  // namespace monocoque

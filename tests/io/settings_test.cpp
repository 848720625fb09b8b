// Simulation settings: what the one table declares arrives in the structure and in the stored JSON.

#include <nlohmann/json.hpp>

#include "io/model/simulation_settings.h"
#include "test_library.h"

namespace monocoque::io::test {
namespace {

using Json = nlohmann::ordered_json;

/// A value of the right kind that is not the default.
Json other_than_default(const SimulationSetting& s) {
  if (s.key == "end_s") return 7.5;  // later than start_s
  if (std::holds_alternative<double SimulationSpec::*>(s.member)) return 0.625;
  if (std::holds_alternative<int SimulationSpec::*>(s.member)) return 3;
  if (std::holds_alternative<std::vector<std::string> SimulationSpec::*>(s.member))
    return Json::array({"rod*", "energy/*"});
  return s.choices.empty() ? "rk4" : s.choices.back();
}

TEST(Settings, EveryKeyIsReadAndStored) {
  Json wanted;
  for (const SimulationSetting& s : simulation_settings()) wanted[s.key] = other_than_default(s);
  const Json defaults = Json::parse(settings_json({}));
  for (const auto& [key, value] : wanted.items()) EXPECT_NE(defaults.at(key), value) << key;
  // JSON is YAML.
  const Reading r = read("simulation: " + wanted.dump() + "\n");
  EXPECT_FALSE(r.diagnostics.has_errors()) << r.text();
  EXPECT_EQ(Json::parse(settings_json(r.scenario.simulation)), wanted);
}

TEST(Settings, StoredSettingsHaveMatrixStepsAndOutputs) {
  SimulationSpec s;
  s.matrix_steps = 4;
  s.outputs = {"car*"};
  const Json stored = Json::parse(settings_json(s));
  EXPECT_EQ(stored.at("matrix_steps"), 4);
  EXPECT_EQ(stored.at("outputs"), Json::array({"car*"}));
}

TEST(Settings, SchemaHasTheDefaultsOfTheStructure) {
  const Json schema = Json::parse(json_schema(library()));
  const Json& properties = schema["definitions"]["simulation"]["properties"];
  const Json defaults = Json::parse(settings_json({}));
  EXPECT_EQ(properties.size(), defaults.size());
  for (const auto& [key, value] : defaults.items()) {
    ASSERT_TRUE(properties.contains(key)) << key;
    if (value.empty() || value == "")
      EXPECT_FALSE(properties[key].contains("default")) << key;
    else
      EXPECT_EQ(properties[key].at("default"), value) << key;
  }
}

TEST(Settings, ChoicesAreThoseOfTheTable) {
  EXPECT_EQ(setting_choices("jacobian").front(), SimulationSpec{}.jacobian);
  EXPECT_THROW(setting_choices("step_s"), Error);
}

}  // namespace
}  // namespace monocoque::io::test

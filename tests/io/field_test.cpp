// Fields, defaults, examples, and the JSON Schema made from them.

#include <nlohmann/json.hpp>

#include "io/model/parameter_set.h"
#include "test_library.h"

namespace monocoque::io::test {
namespace {

Field field(FieldKind kind, Rule rule = Rule::any, int size = 0) {
  return {"f", kind, "", "", "", rule, size, {"a", "b"}};
}

TEST(ParameterSet, AccessorsNameAnAbsentField) {
  const ParameterSet set;
  EXPECT_FALSE(set.has("x"));
  try {
    set.number("gain");
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "field 'gain' has no value; declare it in the fields of the type");
  }
}

TEST(ParameterSet, ParseFieldReadsEveryKind) {
  EXPECT_EQ(parse_field(field(FieldKind::number), "2*3").number, 6);
  EXPECT_EQ(parse_field(field(FieldKind::integer), "-4").number, -4);
  EXPECT_EQ(parse_field(field(FieldKind::boolean), "true").number, 1);
  EXPECT_EQ(parse_field(field(FieldKind::text), "hello there").text, "hello there");
  EXPECT_EQ(parse_field(field(FieldKind::text), "''").text, "");
  EXPECT_EQ(parse_field(field(FieldKind::choice), "b").text, "b");
  EXPECT_EQ(parse_field(field(FieldKind::vector, Rule::any, 2), "[1, 2]").list, (std::vector<double>{1, 2}));
  EXPECT_EQ(parse_field(field(FieldKind::list), "[3]").list, std::vector<double>{3});
  EXPECT_EQ(parse_field(field(FieldKind::table), "[[0, 5], [1, 6]]").table[1], (std::vector<double>{5, 6}));
  EXPECT_EQ(parse_field(field(FieldKind::signal), "3*t").signal.function.at(2).value, 6);
  EXPECT_EQ(parse_field(field(FieldKind::signal), "rack").signal.name, "rack");
  EXPECT_EQ(parse_field(field(FieldKind::reference), "hinge").text, "hinge");
}

TEST(ParameterSet, ParseFieldThrowsOnMistakes) {
  EXPECT_THROW(parse_field(field(FieldKind::number, Rule::positive), "0"), Error);
  EXPECT_THROW(parse_field(field(FieldKind::number, Rule::nonzero), "0"), Error);
  EXPECT_THROW(parse_field(field(FieldKind::number, Rule::fraction), "1.1"), Error);
  EXPECT_THROW(parse_field(field(FieldKind::signal, Rule::positive), "-1"), Error);
  EXPECT_THROW(parse_field(field(FieldKind::choice), "c"), Error);
  EXPECT_THROW(parse_field(field(FieldKind::vector, Rule::any, 3), "[1]"), Error);
}

TEST(ParameterSet, ExamplesFillEveryField) {
  for (const TypeInfo& type : library().types) {
    const ParameterSet set = example_parameters(type);
    for (const Field& f : type.fields)
      EXPECT_EQ(set.has(f.name), f.default_text != "~") << type.name << " " << f.name;
  }
  const ParameterSet spring = example_parameters(*library().find("spring"));
  EXPECT_EQ(spring.number("stiffness_N_per_m"), 1200);
  EXPECT_EQ(spring.vec3("offset_m"), Vec3(1, 2, 3));
  EXPECT_EQ(spring.integer("steps"), 3);
  EXPECT_THROW(spring.vec3("weights"), Error);
}

TEST(Schema, ListsTypesWithTheirFields) {
  const auto schema = nlohmann::json::parse(json_schema(library()));
  EXPECT_EQ(schema["$schema"], "http://json-schema.org/draft-07/schema#");
  const auto& interact = schema["definitions"]["interact"];
  EXPECT_EQ(interact["properties"]["type"]["enum"].size(), 5u);
  const auto& spring = interact["allOf"][1]["then"];
  EXPECT_EQ(spring["required"], (nlohmann::json{"name", "type", "from", "to", "stiffness_N_per_m"}));
  EXPECT_EQ(spring["properties"]["law"]["enum"], (nlohmann::json{"linear", "cubic"}));
  EXPECT_EQ(spring["properties"]["law"]["default"], "linear");
  EXPECT_EQ(spring["properties"]["offset_m"]["minItems"], 3);
  EXPECT_EQ(spring["properties"]["damping_Ns_per_m"]["default"], 0);
  EXPECT_EQ(spring["properties"]["damping_Ns_per_m"]["description"], "damping");
  EXPECT_EQ(schema["definitions"]["controller"]["allOf"].size(), 1u);
  EXPECT_EQ(schema["definitions"]["part"]["required"], nlohmann::json{"name"});
  EXPECT_EQ(schema["else"]["required"], nlohmann::json{"monocoque"});
}

}  // namespace
}  // namespace monocoque::io::test

// The JSON Schema (draft 7) of model and scenario files, written from the tables the reader reads by.

#include "io/files/json.h"

#include "io/model/document.h"
#include "io/model/reader.h"
#include "io/model/structure.h"

namespace monocoque::io {

namespace {

using Json = nlohmann::ordered_json;

Json reference(const char* name) {
  return {{"$ref", std::string("#/definitions/") + name}};
}
Json list_of(Json items) {
  return {{"type", "array"}, {"items", std::move(items)}};
}
Json map_of(Json values) {
  return {{"type", "object"}, {"additionalProperties", std::move(values)}};
}

/// A number, with the rule where it is one, or a formula.
Json number(Rule rule, const char* type = "number") {
  Json plain{{"type", type}};
  switch (rule) {
    case Rule::positive:
      plain["exclusiveMinimum"] = 0;
      break;
    case Rule::non_negative:
      plain["minimum"] = 0;
      break;
    case Rule::nonzero:
      plain["not"] = {{"const", 0}};
      break;
    case Rule::fraction:
      plain["minimum"] = 0;
      plain["maximum"] = 1;
      break;
    case Rule::any:
      break;
  }
  return {{"anyOf", Json::array({plain, reference("formula")})}};
}

Json sized(Json list, int least, int most = 0) {
  list["minItems"] = least;
  if (most > 0) list["maxItems"] = most;
  return list;
}

Json pairs(int least) {
  return sized(list_of(sized(list_of(number(Rule::any)), 2, 2)), least);
}

Json of_field(const Field& f) {
  switch (f.kind) {
    case FieldKind::number:
      return number(f.rule);
    case FieldKind::integer:
      return number(f.rule, "integer");
    case FieldKind::boolean:
      return {{"type", "boolean"}};
    case FieldKind::choice:
      return {{"enum", f.choices}};
    case FieldKind::vector:
      return sized(list_of(number(f.rule)), f.size, f.size);
    case FieldKind::list:
      return sized(list_of(number(f.rule)), 1);
    case FieldKind::table:
      return pairs(2);
    case FieldKind::signal:
      return {{"type", Json::array({"number", "string"})}};
    case FieldKind::text:
    case FieldKind::reference:
      break;
  }
  // YAML reads a name such as 12 as a number.
  return {{"type", Json::array({"string", "number"})}};
}

Json of_key(const Key& k) {
  Json word{{"type", "string"}};
  if (!k.choices.empty()) word = {{"enum", k.choices}};
  switch (k.shape) {
    case Shape::value:
      return of_field(k);
    case Shape::inertia:
      return {{"anyOf", Json::array({sized(list_of(number(Rule::any)), 3, 3),
                                     sized(list_of(number(Rule::any)), 6, 6)})}};
    case Shape::names:
      return list_of(word);
    case Shape::numbers:
      return map_of(number(Rule::any));
    case Shape::connections:
      return map_of(word);
    case Shape::orientation:
      return reference("orientation");
    case Shape::end:
      return {{"anyOf", Json::array({word, reference("inline_end")})}};
    case Shape::frames:
      return list_of(reference("frame"));
    case Shape::rotors:
      return list_of(reference("rotor"));
    case Shape::nominal:
      return reference("nominal");
    case Shape::unknowns:
      return list_of(reference("unknown"));
    case Shape::road:
      return list_of(reference("road"));
    case Shape::lane:
      return reference("lane");
    case Shape::points:
      return pairs(1);
    case Shape::ground:
      return reference("ground");
    case Shape::parts:
      return list_of(reference("part"));
    case Shape::interacts:
      return list_of(reference("interact"));
    case Shape::signals:
      return list_of(reference("signal"));
    case Shape::controllers:
      return list_of(reference("controller"));
    case Shape::subsystem_types:
      return map_of(reference("subsystem_type"));
    case Shape::subsystems:
      return list_of(reference("subsystem"));
    case Shape::simulation:
      return reference("simulation");
    case Shape::model:
      return {{"anyOf", Json::array({word, reference("model")})}};
  }
  return Json::object();
}

/// The default as a JSON value where it is one (numbers, true, lists), else as text.
Json default_value(const std::string& text) {
  Json parsed = Json::parse(text, nullptr, false);
  return parsed.is_discarded() ? Json(text) : parsed;
}

Json of_map(const Keys& keys) {
  Json properties = Json::object(), required = Json::array();
  for (const Key& k : keys) {
    Json p = of_key(k);
    // Draft 7 ignores everything beside $ref, so the description needs a level of its own.
    if (p.contains("$ref")) p = {{"allOf", Json::array({p})}};
    p["description"] = k.doc;
    if (k.name == "monocoque") p = {{"const", format_version}, {"description", k.doc}};
    if (k.required())
      required.push_back(k.name);
    else if (k.default_text != "~")
      p["default"] = default_value(k.default_text);
    properties[k.name] = std::move(p);
  }
  Json map{{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
  if (!required.empty()) map["required"] = required;
  return map;
}

/// One branch per type, chosen by the value of `type`, so that an editor names the fields of that type only.
Json of_elements(const Library& library, Section section) {
  Json branches = Json::array(), names = Json::array();
  for (const TypeInfo& t : library.types) {
    if (section_of(t.group) != section) continue;
    Json map = of_map(element_keys(t));
    map["description"] = t.doc;
    map["properties"]["type"] = {{"const", t.name}, {"description", t.doc}};
    names.push_back(t.name);
    branches.push_back({{"if", {{"properties", {{"type", {{"const", t.name}}}}}, {"required", {"type"}}}},
                        {"then", std::move(map)}});
  }
  Json element{{"type", "object"}, {"required", {"name", "type"}}};
  if (section == Section::road || section == Section::lane) element["required"] = {"type"};
  element["properties"]["type"]["enum"] = names;
  if (!branches.empty()) element["allOf"] = branches;
  return element;
}

}  // namespace

std::string json_schema(const Library& library) {
  Json definitions;
  definitions["formula"] = {{"type", "string"},
                            {"description",
                             "formula of parameters: + - * / ^ ( ), pi, sin cos tan asin acos atan "
                             "atan2 sqrt exp log abs min max sign deg"}};
  definitions["orientation"] = of_map(orientation_keys());
  definitions["frame"] = of_map(frame_keys());
  definitions["rotor"] = of_map(rotor_keys());
  definitions["nominal"] = of_map(nominal_keys());
  definitions["unknown"] = of_map(unknown_keys());
  definitions["inline_end"] = of_map(inline_end_keys());
  definitions["ground"] = of_map(ground_keys());
  definitions["part"] = of_map(part_keys());
  definitions["interact"] = of_elements(library, Section::interacts);
  definitions["controller"] = of_elements(library, Section::controllers);
  definitions["road"] = of_elements(library, Section::road);
  definitions["lane"] = of_elements(library, Section::lane);
  definitions["signal"] = of_map(signal_keys());
  definitions["subsystem_type"] = of_map(subsystem_type_keys());
  definitions["subsystem"] = of_map(subsystem_keys());
  definitions["simulation"] = of_map(simulation_keys());
  definitions["model"] = of_map(model_keys());
  // Inside a scenario a model needs no version of its own.
  Json model = definitions["model"];
  definitions["model"].erase("required");
  Json schema;
  schema["$schema"] = "http://json-schema.org/draft-07/schema#";
  schema["title"] = "Monocoque model or scenario";
  schema["if"] = {{"required", {"model"}}};
  schema["then"] = of_map(scenario_keys());
  schema["else"] = std::move(model);
  schema["definitions"] = std::move(definitions);
  return schema.dump(2) + "\n";
}

}  // namespace monocoque::io

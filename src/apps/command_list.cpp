#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "apps/command.h"
#include "apps/common.h"
#include "elements/registry.h"
#include "integrate/integrator.h"

namespace monocoque {

namespace {

struct ListOptions {
  std::string what = "elements";  ///< or solvers, commands
  bool json = false;
};

const char* group_name(io::Group group) {
  switch (group) {
    case io::Group::joint:
      return "joint";
    case io::Group::force:
      return "force";
    case io::Group::sensor:
      return "sensor";
    case io::Group::road:
      return "road";
    case io::Group::lane:
      return "lane";
    case io::Group::controller:
      return "controller";
  }
  return "";
}

int list_solvers(bool json) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const IntegratorType& type : integrator_types()) {
    if (json) {
      nlohmann::ordered_json levels = nlohmann::ordered_json::array();
      for (const auto& [level, stabilisation] : type.levels)
        levels.push_back({{"constraints", level}, {"stabilisation", stabilisation}});
      all.push_back({{"name", type.name},
                     {"doc", type.doc},
                     {"order", type.order},
                     {"fixed_step", type.fixed_step},
                     {"levels", levels}});
      continue;
    }
    fmt::print("{:<26} order {}  {}\n", type.name, type.order == 0 ? "1-5" : std::to_string(type.order),
               type.doc);
    for (const auto& [level, stabilisation] : type.levels)
      fmt::print("{:<26}   {} with {}{}\n", "", level, stabilisation,
                 &level == &type.levels[0].first ? " (default)" : "");
  }
  if (json) fmt::print("{}\n", all.dump(2));
  return 0;
}

int list_commands(bool json) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const Command& command : commands())
    if (json)
      all.push_back({{"name", command.name}, {"doc", command.help}});
    else
      fmt::print("{:<14}{}\n", command.name, command.help);
  if (json) fmt::print("{}\n", all.dump(2));
  return 0;
}

int execute(const ListOptions& o) {
  const bool json = o.json;
  if (o.what == "solvers") return list_solvers(json);
  if (o.what == "commands") return list_commands(json);
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const io::TypeInfo& type : element_library().types) {
    if (json) {
      nlohmann::ordered_json fields = nlohmann::ordered_json::array();
      for (const io::Field& f : type.fields)
        fields.push_back(
            {{"name", f.name}, {"doc", f.doc}, {"default", f.default_text}, {"required", f.required()}});
      all.push_back(
          {{"type", type.name}, {"group", group_name(type.group)}, {"doc", type.doc}, {"keys", fields}});
      continue;
    }
    fmt::print("{} ({}): {}\n", type.name, group_name(type.group), type.doc);
    for (const io::Field& f : type.fields)
      fmt::print("    {:<34} {}{}\n", f.name, f.doc,
                 f.required() ? " (required)" : fmt::format(" (default {})", f.default_text));
  }
  if (json) fmt::print("{}\n", all.dump(2));
  return 0;
}

void declare(CLI::App& app, ListOptions& o) {
  app.add_option("what", o.what, "elements, solvers or commands; elements")
      ->check(CLI::IsMember({"elements", "solvers", "commands"}));
  app.add_flag("--json", o.json, "as JSON");
}

}  // namespace

Command list_command() {
  return make_command("list", "element types or solvers with their keys; commands", declare, execute);
}

}  // namespace monocoque

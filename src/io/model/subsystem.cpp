// Subsystem types and their instances.

#include <algorithm>

#include <fmt/format.h>

#include "io/model/builder.h"

namespace monocoque::io {

namespace {

constexpr int max_depth = 16;
constexpr std::size_t max_instances = 10'000;

}  // namespace

void Builder::collect_types(const std::vector<NodePtr>& files) {
  for (const NodePtr& file : files) {
    const NodePtr types = file->find("subsystem_types");
    if (!types || types->is_null()) continue;
    if (!types->is_map()) {
      context_.error(types->place(), {},
                     fmt::format("subsystem_types is {}, it must be a map of types", describe(*types)));
      continue;
    }
    for (const Node::Member& m : types->members) {
      const Place place{types->place().file, m.line};
      if (!m.value->is_map())
        context_.error(place, fmt::format("subsystem type '{}'", shorten(m.key)),
                       fmt::format("this is {}, it must be a map of keys", describe(*m.value)));
      else if (!types_.emplace(m.key, m.value).second)
        context_.error(place, fmt::format("subsystem type '{}'", shorten(m.key)),
                       "the name is taken by another file");
    }
  }
}

void Builder::expand(Instance& parent) {
  std::vector<NodePtr> nodes;
  for (const MapReader& block : parent.blocks)
    for (const NodePtr& node : block.maps("subsystems")) nodes.push_back(node);
  for (const NodePtr& node : nodes) instantiate(parent, node);
}

bool Builder::may_instantiate(const Instance& parent, const MapReader& declaration, const std::string& full) {
  const std::string type = declaration.text("type");
  for (const Instance* i = &parent; i; i = i->parent)
    if (i->type == type) {
      declaration.error("type", fmt::format("subsystem type '{}' contains itself", shorten(type)));
      return false;
    }
  if (parent.depth >= max_depth || instances_.size() >= max_instances) {
    declaration.error("type", fmt::format("there are more than {} levels or {} instances of subsystems",
                                          max_depth, max_instances));
    return false;
  }
  if (!prefixes_.insert(full).second) {
    declaration.error("name", "another subsystem has this name", "every subsystem needs a name of its own");
    return false;
  }
  return true;
}

void Builder::instantiate(Instance& parent, const NodePtr& node) {
  const std::string name = read_name(*node, "subsystem");
  const std::string full = parent.prefix + name;
  const std::string element = fmt::format("subsystem '{}'", full);
  auto declaration = std::make_unique<MapReader>(context_, *parent.scope, node, subsystem_keys(),
                                                 "subsystems." + full, element);
  const std::string type = declaration->text("type");
  if (name.empty() || type.empty()) return;
  const auto found = types_.find(type);
  if (found == types_.end()) {
    std::vector<std::string> known;
    for (const auto& [key, value] : types_) known.push_back(key);
    declaration->error("type", fmt::format("type is '{}', there is no such subsystem type", shorten(type)),
                       suggestion(type, known));
    return;
  }
  if (!may_instantiate(parent, *declaration, full)) return;
  auto instance = std::make_unique<Instance>();
  instance->prefix = full + "/";
  instance->type = type;
  instance->parent = &parent;
  instance->depth = parent.depth + 1;
  Transform own;
  own.shift = declaration->vec3("position_m");
  const std::string mirror = declaration->text("mirror");
  if (!mirror.empty()) own.sign[mirror[0] - 'x'] = -1;
  instance->transform = parent.transform.after(own);
  // Types see the parameters of the model, not those of whoever uses them.
  instance->scope = std::make_unique<Scope>(context_, instances_.front()->scope.get());
  instance->declaration = std::move(declaration);
  instance->blocks.emplace_back(context_, *instance->scope, found->second, subsystem_type_keys(),
                                "types." + full, fmt::format("subsystem type '{}'", type));
  define_parameters(*instance, parent, instance->blocks.front());
  for (const std::string& port : instance->blocks.front().words("ports")) instance->ports[port] = {};
  instances_.push_back(std::move(instance));
  expand(*instances_.back());
}

void Builder::define_parameters(Instance& instance, const Instance& parent, const MapReader& type) {
  Scope& scope = *instance.scope;
  const MapReader& use = *instance.declaration;
  const std::string path = use.path_of("parameters");
  std::vector<std::string> known;
  const auto members = [&](const NodePtr& map, const MapReader& owner) {
    if (map && !map->is_map())
      owner.error("parameters", fmt::format("parameters is {}, it must be a map", describe(*map)));
    return map && map->is_map() ? map->members : std::vector<Node::Member>{};
  };
  for (const Node::Member& m : members(type.find("parameters"), type)) {
    if (m.key == "side")
      type.error("parameters", "parameter 'side' is set by the mirror of the subsystem",
                 "choose another name");
    else
      scope.define(m.key, m.value);
    known.push_back(m.key);
  }
  for (const Node::Member& m : members(use.find("parameters"), use)) {
    if (std::find(known.begin(), known.end(), m.key) != known.end() && m.key != "side")
      scope.define(m.key, m.value, parent.scope.get());
    else
      context_.error({m.value->place().file, m.line}, use.element(),
                     fmt::format("type '{}' has no parameter '{}'", instance.type, shorten(m.key)),
                     suggestion(m.key, known));
  }
  context_.note_owner(path, known);
  for (const std::string& name : known)
    if (const NodePtr value = context_.override_of(fmt::format("{}.{}", path, name)))
      scope.define(name, value, parent.scope.get());
  scope.define("side", instance.transform.side());
  scope.evaluate_all();
}

void Builder::connect_ports(Instance& instance) {
  if (!instance.declaration) return;
  const MapReader& use = *instance.declaration;
  const NodePtr map = use.find("connect");
  if (map && !map->is_map()) {
    use.error("connect", fmt::format("connect is {}, it must be a map from port to part", describe(*map)));
    return;
  }
  std::vector<std::string> known;
  for (const auto& [port, full] : instance.ports) known.push_back(port);
  for (const Node::Member& m : map ? map->members : std::vector<Node::Member>{}) {
    const Place place{m.value->place().file, m.line};
    if (!instance.ports.count(m.key)) {
      context_.error(place, use.element(),
                     fmt::format("type '{}' has no port '{}'", instance.type, shorten(m.key)),
                     known.empty() ? "the type has no ports" : expected_one_of(m.key, known));
      continue;
    }
    const auto name = read_text(context_, *m.value, {use.element(), "connect." + m.key});
    if (!name) continue;
    std::string full = resolve_part(*instance.parent, *name);
    if (full.empty() && !instance.parent->ports.count(*name))
      context_.error(place, use.element(),
                     fmt::format("connect.{} is '{}', there is no such part", m.key, shorten(*name)),
                     suggestion(*name, visible_parts(*instance.parent)));
    instance.ports[m.key] = std::move(full);
  }
  for (const std::string& port : known)
    if (!map || !map->find(port))
      context_.error(use.place("name"), use.element(), fmt::format("port '{}' is not connected", port),
                     fmt::format("add connect: {{{}: PART}}", port));
}

}  // namespace monocoque::io

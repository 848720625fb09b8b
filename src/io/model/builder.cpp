#include "io/model/builder.h"

#include <algorithm>

#include <fmt/format.h>

namespace monocoque::io {

Builder::Builder(Context& context, const Library& library, ModelSpec& model)
    : context_(context), library_(library), model_(model) {
  PartSpec ground;
  ground.name = "ground";
  ground.kind = PartKind::ground;
  parts_["ground"] = 0;
  model_.parts.push_back(std::move(ground));
}

void Builder::build(const std::vector<NodePtr>& files, std::unique_ptr<Scope> scope,
                    const MapReader* scenario) {
  auto root = std::make_unique<Instance>();
  root->scope = std::move(scope);
  root_keys_ = model_keys();
  // The version has been checked when the file was loaded; a model inside a scenario has none of its own.
  for (Key& k : root_keys_)
    if (k.name == "monocoque") k.default_text = std::string("1");
  for (const NodePtr& file : files)
    root->blocks.emplace_back(context_, *root->scope, file, root_keys_, "", "");
  instances_.push_back(std::move(root));
  Instance& model = *instances_.front();
  model.scope->evaluate_all();
  for (const MapReader& block : model.blocks)
    if (block.has("gravity_m_per_s2")) model_.gravity_m_per_s2 = block.vec3("gravity_m_per_s2");
  collect_types(files);
  expand(model);

  read_ground(model);
  for (const auto& in : instances_)
    for (const MapReader& block : in->blocks)
      for (const NodePtr& node : block.maps("parts")) read_part(*in, node);
  for (const auto& in : instances_) connect_ports(*in);
  for (const auto& in : instances_) register_names(*in);

  if (scenario)
    for (const NodePtr& node : scenario->maps("controllers"))
      register_name(model, *node, NameKind::controller);
  if (scenario)
    for (const NodePtr& node : scenario->maps("signals")) {
      const std::string name = read_name(*node, "signal");
      const auto it = names_.find(name);
      if (!name.empty() && (it == names_.end() || it->second.kind != NameKind::signal))
        context_.error(node->place(), fmt::format("signal '{}'", name),
                       "the model has no signal of this name", suggestion(name, visible_names(model, true)));
      replaced_signals_[name] = node;
    }
  for (const MapReader& block : model.blocks) {
    read_road(model, block);
    read_lane(model, block);
    read_nominal(model, block);
  }
  if (scenario) {
    read_road(model, *scenario);
    read_lane(model, *scenario);
  }
  for (const auto& in : instances_)
    for (const MapReader& block : in->blocks) {
      for (const NodePtr& node : block.maps("signals")) read_signal(*in, node);
      for (const NodePtr& node : block.maps("controllers")) read_controller(*in, node);
      for (const NodePtr& node : block.maps("interacts")) read_interact(*in, node);
    }
  if (scenario)
    for (const NodePtr& node : scenario->maps("controllers")) read_controller(model, node);
}

std::string Builder::read_name(const Node& node, const std::string& kind) {
  const NodePtr name = node.find("name");
  if (!name) return {};  // the table of keys complains about that
  if (!name->is_scalar()) {
    context_.error(name->place(), kind, fmt::format("name is {}, it must be text", describe(*name)));
    return {};
  }
  const std::string& s = name->text;
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '/';
  };
  if (s.empty() || s.size() > 200 || !std::all_of(s.begin(), s.end(), allowed)) {
    context_.error(name->place(), kind,
                   fmt::format("name is '{}', a name has letters, digits, _ - and / only", shorten(s)));
    return {};
  }
  return s;
}

PartSpec* Builder::part(const std::string& full_name) {
  const auto it = parts_.find(full_name);
  return it == parts_.end() ? nullptr : &model_.parts[it->second];
}

std::string Builder::resolve_part(const Instance& in, const std::string& name) const {
  if (name == "ground") return name;
  if (const auto it = in.ports.find(name); it != in.ports.end()) return it->second;
  return parts_.count(in.prefix + name) ? in.prefix + name : std::string{};
}

std::vector<std::string> Builder::visible_parts(const Instance& in) const {
  std::vector<std::string> list{"ground"};
  for (const auto& [port, full] : in.ports) list.push_back(port);
  for (const auto& [name, index] : parts_)
    if (name.rfind(in.prefix, 0) == 0) list.push_back(name.substr(in.prefix.size()));
  return list;
}

const std::pair<const std::string, Builder::Named>* Builder::resolve(const Instance& in,
                                                                     const std::string& name) const {
  for (const Instance* i = &in; i; i = i->parent)
    if (const auto it = names_.find(i->prefix + name); it != names_.end()) return &*it;
  return nullptr;
}

std::vector<std::string> Builder::visible_names(const Instance& in, bool signals_only) const {
  std::vector<std::string> list;
  for (const auto& [name, named] : names_) {
    if (signals_only && named.kind == NameKind::interact) continue;
    for (const Instance* i = &in; i; i = i->parent)
      if (name.rfind(i->prefix, 0) == 0) list.push_back(name.substr(i->prefix.size()));
  }
  return list;
}

Names Builder::names_for(const Instance& in) const {
  const auto full = [this, &in](const std::string& name, bool signals_only) -> std::optional<std::string> {
    const auto* found = resolve(in, name);
    if (!found || (signals_only && found->second.kind == NameKind::interact)) return std::nullopt;
    return found->first;
  };
  return {[full](const std::string& name) { return full(name, true); },
          [full](const std::string& name) { return full(name, false); },
          [this, &in] { return visible_names(in, true); }, [this, &in] { return visible_names(in, false); }};
}

void Builder::register_name(const Instance& in, const Node& node, NameKind kind) {
  const char* word = kind == NameKind::signal       ? "signal"
                     : kind == NameKind::controller ? "controller"
                                                    : "interact";
  const std::string name = read_name(node, word);
  if (name.empty()) return;
  Named named{kind, node.place(), Group::joint};
  if (const NodePtr type = node.find("type"); type && type->is_scalar())
    if (const TypeInfo* info = library_.find(type->text)) named.group = info->group;
  const auto [it, fresh] = names_.emplace(in.prefix + name, named);
  if (!fresh)
    context_.error(
        node.place(), fmt::format("{} '{}'", word, in.prefix + name),
        fmt::format("the name is taken by line {} of {}", it->second.place.line, it->second.place.file),
        "interacts, signals and controllers need names of their own");
}

void Builder::register_names(const Instance& in) {
  for (const MapReader& block : in.blocks) {
    for (const NodePtr& node : block.maps("signals")) register_name(in, *node, NameKind::signal);
    for (const NodePtr& node : block.maps("controllers")) register_name(in, *node, NameKind::controller);
    for (const NodePtr& node : block.maps("interacts")) register_name(in, *node, NameKind::interact);
  }
}

}  // namespace monocoque::io

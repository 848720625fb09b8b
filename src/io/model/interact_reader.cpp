// Signals, controllers, joints, forces and sensors.

#include <algorithm>

#include <fmt/format.h>

#include "core/rotation.h"
#include "io/model/builder.h"

namespace monocoque::io {

namespace {

std::string scalar_of(const Node& node, const std::string& key) {
  const NodePtr value = node.find(key);
  return value && value->is_scalar() ? shorten(value->text) : std::string{};
}

std::string end_label(const Node& node, const std::string& key) {
  const NodePtr end = node.find(key);
  return end && end->is_map() ? scalar_of(*end, "part") : scalar_of(node, key);
}

}  // namespace

std::string interact_label(const Node& node, const std::string& prefix) {
  const std::string type = scalar_of(node, "type");
  std::string label =
      fmt::format("{} '{}{}'", type.empty() ? "interact" : type, prefix, scalar_of(node, "name"));
  const std::string from = end_label(node, "from"), to = end_label(node, "to");
  std::string ends;
  if (!from.empty() || !to.empty())
    ends = from + " - " + to;
  else if (const std::string housing = end_label(node, "housing"); !housing.empty())
    ends = fmt::format("{} - {}, {}", housing, end_label(node, "left"), end_label(node, "right"));
  for (const char* key : {"joint", "of"})
    if (ends.empty()) ends = scalar_of(node, key);
  if (const NodePtr joints = node.find("joints"); ends.empty() && joints && joints->is_list())
    for (const NodePtr& j : joints->items) {
      if (ends.size() > 200) break;
      ends += (ends.empty() ? "" : " - ") + describe(*j);
    }
  return ends.empty() ? label : fmt::format("{} ({})", label, ends);
}

bool Builder::has_rotors(const std::string& part) const {
  const auto it = parts_.find(part);
  return it != parts_.end() && !model_.parts[it->second].rotors.empty();
}

const Keys& Builder::keys_of(const TypeInfo& type) {
  const auto [it, fresh] = element_keys_.try_emplace(&type);
  if (fresh) it->second = element_keys(type);
  return it->second;
}

const TypeInfo* Builder::find_type(const Node& node, const std::string& element, Section section) {
  const NodePtr value = node.find("type");
  std::vector<std::string> known;
  for (const TypeInfo& t : library_.types)
    if (section_of(t.group) == section) known.push_back(t.name);
  if (!value || !value->is_scalar()) {
    context_.error(node.place(), element, "key 'type' is missing", expected_one_of("", known));
    return nullptr;
  }
  const TypeInfo* type = library_.find(value->text);
  if (type && section_of(type->group) == section) return type;
  constexpr const char* names[] = {"interacts", "controllers", "road", "lane"};
  context_.error(value->place(), element,
                 type ? fmt::format("type is '{}', which belongs under {}", type->name,
                                    names[static_cast<std::size_t>(section_of(type->group))])
                      : fmt::format("type is '{}', there is no such type", shorten(value->text)),
                 type ? std::string{} : expected_one_of(value->text, known));
  return nullptr;
}

void Builder::read_signal(const Instance& in, const NodePtr& original) {
  SignalSpec signal;
  const std::string name = read_name(*original, "signal");
  signal.name = in.prefix + name;
  const auto replaced = replaced_signals_.find(signal.name);
  const NodePtr node = replaced == replaced_signals_.end() || name.empty() ? original : replaced->second;
  signal.place = node->place();
  const std::string element = fmt::format("signal '{}'", signal.name);
  const MapReader r(context_, *in.scope, node, signal_keys(), "signals." + signal.name, element);
  const NodePtr formula = r.find("formula"), table = r.find("table");
  const bool controlled = r.has("controller");
  if ((formula ? 1 : 0) + (table ? 1 : 0) + (controlled ? 1 : 0) != 1) {
    context_.error(signal.place, element, "it must have either formula, table or controller");
  } else if (controlled) {
    const std::string target = r.text("controller");
    const auto* found = resolve(in, target);
    if (!found || found->second.kind != NameKind::controller)
      r.error("controller", fmt::format("there is no controller '{}'", shorten(target)),
              suggestion(target, visible_names(in, true)));
    else
      signal.controller = found->first;
  } else if (formula) {
    if (auto f = read_time_formula(context_, *in.scope, *formula, {element, "formula"})) signal.function = *f;
  } else if (auto pairs = read_pairs(context_, *in.scope, *table, {element, "table"}, 1, Rule::any)) {
    const std::string kind = r.text("interpolation");
    using Kind = TimeFunction::Interpolation;
    signal.function = TimeFunction::table(std::move((*pairs)[0]), std::move((*pairs)[1]),
                                          kind == "cubic"  ? Kind::cubic
                                          : kind == "hold" ? Kind::hold
                                                           : Kind::linear);
  }
  if (!table && r.has("interpolation"))
    r.error("interpolation", "interpolation belongs to a table, not to a formula");
  if (!name.empty()) model_.signals.push_back(std::move(signal));
}

ParameterSet Builder::read_fields(const MapReader& r, const Instance& in, const TypeInfo& type) {
  ParameterSet set;
  const Names names = names_for(in);
  for (const Field& field : type.fields)
    if (auto entry = r.entry(field.name, names)) set.entries[field.name] = std::move(*entry);
  return set;
}

void Builder::read_controller(const Instance& in, const NodePtr& node) {
  ControllerSpec controller;
  const std::string name = read_name(*node, "controller");
  controller.name = in.prefix + name;
  controller.place = node->place();
  const std::string element = fmt::format("controller '{}'", controller.name);
  const TypeInfo* type = find_type(*node, element, Section::controllers);
  if (!type) return;
  controller.type = type->name;
  const MapReader r(context_, *in.scope, node, keys_of(*type), "controllers." + controller.name, element);
  controller.parameters = read_fields(r, in, *type);
  if (!name.empty()) model_.controllers.push_back(std::move(controller));
}

void Builder::read_nominal(const Instance& in, const MapReader& block) {
  const NodePtr node = block.find("nominal");
  if (!node) return;
  const MapReader r(context_, *in.scope, node, nominal_keys(), "nominal", "nominal");
  model_.nominal.place = node->place();
  for (const std::string& name : r.words("unloaded")) model_.nominal.unloaded.push_back(name);
  for (const NodePtr& item : r.maps("unknowns")) {
    const MapReader u(context_, *in.scope, item, unknown_keys(), "nominal.unknowns", "nominal");
    model_.nominal.unknowns.push_back({u.words("of"), item->place()});
    if (model_.nominal.unknowns.back().targets.empty())
      context_.error(item->place(), "nominal", "an unknown without targets",
                     "give of: [interact.field, ...]");
  }
}

void Builder::read_road(const Instance& in, const MapReader& block) {
  if (!block.has("road")) return;
  model_.road.clear();  // the last one that is given counts
  int number = 0;
  for (const NodePtr& node : block.maps("road")) {
    const std::string element = fmt::format("road {}", ++number);
    const TypeInfo* type = find_type(*node, element, Section::road);
    if (!type) continue;
    const MapReader r(context_, *in.scope, node, keys_of(*type), fmt::format("road.{}", number), element);
    model_.road.push_back({type->name, read_fields(r, in, *type), node->place()});
  }
}

void Builder::read_lane(const Instance& in, const MapReader& block) {
  const NodePtr node = block.find("lane");
  if (!node) return;
  model_.lane = {};  // the last one that is given counts
  if (!node->is_map()) {
    block.error("lane", fmt::format("lane is {}, it must be a map", describe(*node)),
                "give type and its keys");
    return;
  }
  const TypeInfo* type = find_type(*node, "lane", Section::lane);
  if (!type) return;
  const MapReader r(context_, *in.scope, node, keys_of(*type), "lane", "lane");
  model_.lane = {type->name, read_fields(r, in, *type), node->place()};
}

void Builder::read_interact(const Instance& in, const NodePtr& node) {
  InteractSpec interact;
  const std::string name = read_name(*node, "interact");
  interact.name = in.prefix + name;
  interact.place = node->place();
  const std::string element = interact_label(*node, in.prefix);
  const TypeInfo* type = find_type(*node, element, Section::interacts);
  if (!type) return;
  interact.type = type->name;
  interact.group = type->group;
  const MapReader r(context_, *in.scope, node, keys_of(*type), "interacts." + interact.name, element);
  read_attachment(r, in, *type, interact);
  interact.parameters = read_fields(r, in, *type);
  if (!name.empty()) model_.interacts.push_back(std::move(interact));
}

void Builder::read_attachment(const MapReader& r, const Instance& in, const TypeInfo& type,
                              InteractSpec& interact) {
  switch (type.attachment) {
    case Attachment::frames:
    case Attachment::shafts:
      for (const char* key : frame_keys(type.attachment))
        if (r.has(key)) interact.ends.push_back(read_end(r, key, in, interact));
      if (type.attachment == Attachment::shafts) break;
      if (interact.ends.size() == 2 && interact.ends[0].part == interact.ends[1].part &&
          !interact.ends[0].part.empty() && !has_rotors(interact.ends[0].part))
        r.error("to", fmt::format("from and to are both on part '{}'", interact.ends[0].part),
                "an interact acts between two parts");
      break;
    case Attachment::joint:
      if (r.has("joint")) add_target(r, "joint", in, r.text("joint"), true, interact);
      break;
    case Attachment::interact:
      if (r.has("of")) add_target(r, "of", in, r.text("of"), false, interact);
      break;
    case Attachment::two_joints: {
      const NodePtr list = r.find("joints");
      if (!list) break;
      const auto words = r.words("joints");
      if (words.empty() && !list->is_list()) break;
      if (list->items.size() != 2)
        r.error("joints", fmt::format("joints is {}, it must be a list of two joints", describe(*list)));
      else
        for (const std::string& word : words) add_target(r, "joints", in, word, true, interact);
      if (interact.targets.size() == 2 && interact.targets[0] == interact.targets[1])
        r.error("joints", fmt::format("joints names '{}' twice", interact.targets[0]),
                "name two different joints");
    }
  }
}

void Builder::add_target(const MapReader& r, const std::string& key, const Instance& in,
                         const std::string& name, bool joint_only, InteractSpec& interact) {
  if (name.empty()) return;
  const auto* found = resolve(in, name);
  if (!found || found->second.kind != NameKind::interact) {
    std::vector<std::string> candidates;
    for (const std::string& other : visible_names(in, false))
      if (const auto* o = resolve(in, other); o && o->second.kind == NameKind::interact)
        candidates.push_back(other);
    r.error(key, fmt::format("{} is '{}', there is no interact of this name", key, shorten(name)),
            suggestion(name, candidates));
  } else if (joint_only && found->second.group != Group::joint) {
    r.error(key, fmt::format("{} is '{}', which is no joint", key, shorten(name)));
  } else if (found->first == interact.name) {
    r.error(key, fmt::format("{} is '{}', which is this interact itself", key, shorten(name)));
  } else {
    interact.targets.push_back(found->first);
  }
}

EndSpec Builder::read_end(const MapReader& r, const std::string& key, const Instance& in,
                          const InteractSpec& interact) {
  const NodePtr node = r.find(key);
  EndSpec end{{}, {}, node->place()};
  if (node->is_map()) return read_inline_end(r, key, node, in, interact);
  if (!node->is_scalar()) {
    r.error(key, fmt::format("{} is {}, it must be part.frame or a map", key, describe(*node)));
    return end;
  }
  const auto dot = node->text.find('.');
  const std::string name = node->text.substr(0, dot);
  end.frame = dot == std::string::npos ? "origin" : node->text.substr(dot + 1);
  end.part = resolve_part(in, name);
  const PartSpec* p = part(end.part);
  if (!p) {
    end.part.clear();
    // A port whose connection is in error has been reported where it is connected.
    if (!in.ports.count(name))
      r.error(key, fmt::format("{} is '{}', there is no part '{}'", key, shorten(node->text), shorten(name)),
              suggestion(name, visible_parts(in)));
    return end;
  }
  std::vector<std::string> frames{"origin"};
  for (const FrameSpec& f : p->frames)
    if (f.name.find(':') == std::string::npos) frames.push_back(f.name);
  if (std::find(frames.begin(), frames.end(), end.frame) == frames.end())
    r.error(key,
            fmt::format("{} is '{}', part '{}' has no frame '{}'", key, shorten(node->text), name,
                        shorten(end.frame)),
            expected_one_of(end.frame, frames));
  return end;
}

EndSpec Builder::read_inline_end(const MapReader& outer, const std::string& key, const NodePtr& node,
                                 const Instance& in, const InteractSpec& interact) {
  EndSpec end{{}, fmt::format("{}:{}", interact.name, key), node->place()};
  const MapReader r(context_, *in.scope, node, inline_end_keys(), outer.path_of(key), outer.element());
  const std::string name = r.text("part");
  PartSpec* p = name.empty() ? nullptr : part(resolve_part(in, name));
  if (!p) {
    if (!name.empty() && !in.ports.count(name))
      r.error("part", fmt::format("{}.part is '{}', there is no such part", key, shorten(name)),
              suggestion(name, visible_parts(in)));
    return end;
  }
  end.part = p->name;
  for (const auto& [a, b] :
       {std::pair{"position_m", "at_world_m"}, std::pair{"orientation", "orientation_world"}})
    if (r.has(a) && r.has(b))
      r.error(b, fmt::format("{} has {} and {}, it must have one of them", key, a, b));
  if (p->kind == PartKind::particle && node->members.size() > 1) {
    r.error("part", fmt::format("{} gives a place on particle '{}', which is a point", key, p->name),
            fmt::format("write {}: {}", key, name));
    return end;
  }
  FrameSpec frame;
  frame.name = end.frame;
  frame.place = end.place;
  const Mat3 R = rotation_from_quaternion(p->quaternion);
  const bool on_ground = p->kind == PartKind::ground;
  if (r.has("at_world_m"))
    frame.position_m = R.transpose() * (in.transform.point(r.vec3("at_world_m")) - p->position_m);
  else if (const Vec3 x = r.vec3("position_m"); on_ground)
    // The ground does not move with a subsystem, so a point given on it must.
    frame.position_m = in.transform.point(x);
  else
    frame.position_m = in.transform.direction(x);
  const bool world = r.has("orientation_world");
  const std::string axes_key = world ? "orientation_world" : "orientation";
  if (const NodePtr axes = r.find(axes_key))
    if (const auto F =
            read_orientation(context_, *in.scope, axes, r.path_of(axes_key), {r.element(), axes_key}))
      frame.rotation = world ? Mat3(R.transpose() * in.transform.conjugate(*F)) : in.transform.conjugate(*F);
  p->frames.push_back(std::move(frame));
  return end;
}

}  // namespace monocoque::io

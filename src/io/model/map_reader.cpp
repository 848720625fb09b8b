#include "io/model/map_reader.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace monocoque::io {

namespace {

std::vector<std::string> tokens(const std::string& key) {
  std::vector<std::string> list;
  std::size_t begin = 0;
  for (std::size_t end = key.find('_'); end != std::string::npos; end = key.find('_', begin)) {
    list.push_back(key.substr(begin, end - begin));
    begin = end + 1;
  }
  list.push_back(key.substr(begin));
  return list;
}

bool are_units(const std::vector<std::string>& list, std::size_t from) {
  static const std::set<std::string> units{
      "m",      "mm",      "cm",      "km",    "in",      "kg",  "g",   "t",   "lb",  "s",   "ms",
      "us",     "N",       "kN",      "Nm",    "Nmm",     "rad", "deg", "rpm", "Hz",  "Pa",  "MPa",
      "J",      "W",       "kW",      "kmh",   "km/h",    "m2",  "m3",  "mm2", "s2",  "per", "percent",
      "degree", "degrees", "radians", "meter", "seconds", "Ns",  "Nms", "N2",  "rad2"};
  return std::all_of(list.begin() + static_cast<std::ptrdiff_t>(from), list.end(),
                     [](const std::string& x) { return units.count(x) > 0; });
}

/// The same quantity with another unit, or with none.
bool differ_by_unit(const std::string& a, const std::string& b) {
  const auto x = tokens(a), y = tokens(b);
  std::size_t same = 0;
  while (same < x.size() && same < y.size() && x[same] == y[same]) ++same;
  return same > 0 && y.size() > same && are_units(x, same) && are_units(y, same);
}

std::vector<std::string> names_of(const Keys& keys) {
  std::vector<std::string> names;
  for (const Key& k : keys) names.push_back(k.name);
  return names;
}

}  // namespace

std::string unknown_key_remedy(const std::string& key, const std::vector<std::string>& known) {
  std::vector<std::string> others;
  for (const std::string& k : known)
    if (differ_by_unit(key, k)) others.push_back(fmt::format("'{}'", k));
  if (!others.empty())
    return fmt::format("did you mean {}? (values are SI, units stand in the key)", fmt::join(others, " or "));
  const std::string hint = suggestion(key, known);
  return hint.empty() ? fmt::format("known keys are {}", fmt::join(known, ", ")) : hint;
}

MapReader::MapReader(Context& context, const Scope& scope, NodePtr node, const Keys& keys, std::string path,
                     std::string element)
    : context_(context),
      scope_(scope),
      node_(std::move(node)),
      keys_(keys),
      path_(std::move(path)),
      element_(std::move(element)) {
  if (context_.has_overrides()) context_.note_owner(path_, names_of(keys_));
  if (!node_) return;
  if (!node_->is_map()) {
    context_.error(node_->place(), element_,
                   fmt::format("this is {}, it must be a map of keys", describe(*node_)));
    node_ = nullptr;
    return;
  }
  for (const Node::Member& m : node_->members)
    if (std::none_of(keys_.begin(), keys_.end(), [&](const Key& k) { return k.name == m.key; }))
      report_unknown(m);
  for (const Key& k : keys_)
    if (k.required() && !has(k.name))
      context_.error(node_->place(), element_, fmt::format("key '{}' is missing", k.name),
                     fmt::format("add it ({})", k.doc));
}

void MapReader::report_unknown(const Node::Member& member) const {
  if (context_.full()) return;
  context_.error({node_->place().file, member.line}, element_,
                 fmt::format("unknown key '{}'", shorten(member.key)),
                 unknown_key_remedy(member.key, names_of(keys_)));
}

const Key& MapReader::key_info(const std::string& key) const {
  const auto it = std::find_if(keys_.begin(), keys_.end(), [&](const Key& k) { return k.name == key; });
  if (it == keys_.end()) throw Error({}, fmt::format("key '{}' is not in the table of keys", key));
  return *it;
}

NodePtr MapReader::find(const std::string& key) const {
  if (NodePtr replaced = context_.override_of(path_of(key))) return replaced;
  if (!node_) return nullptr;
  NodePtr value = node_->find(key);
  // A key with nothing behind it counts as absent where absence is allowed.
  if (value && value->is_null() && key_info(key).default_text == "~") return nullptr;
  return value;
}

Place MapReader::place(const std::string& key) const {
  if (const NodePtr value = find(key)) return value->place();
  return node_ ? node_->place() : Place{};
}

void MapReader::error(const std::string& key, const std::string& problem, const std::string& remedy) const {
  context_.error(place(key), element_, problem, remedy);
}

std::optional<ParameterSet::Entry> MapReader::entry(const std::string& key, const Names& names) const {
  const Key& info = key_info(key);
  if (const NodePtr value = find(key)) return read_field(context_, scope_, info, *value, element_, names);
  return info.required() ? std::nullopt : context_.default_of(info);
}

double MapReader::number(const std::string& key) const {
  const auto e = entry(key);
  return e ? e->number : 0;
}

Vec3 MapReader::vec3(const std::string& key) const {
  const auto e = entry(key);
  return e && e->list.size() == 3 ? Vec3(e->list[0], e->list[1], e->list[2]) : Vec3::Zero();
}

std::string MapReader::text(const std::string& key) const {
  const auto e = entry(key);
  return e ? e->text : std::string{};
}

std::vector<std::string> MapReader::words(const std::string& key) const {
  const NodePtr value = find(key);
  if (!value) return {};
  return read_words(context_, *value, {element_, key}, key_info(key).choices)
      .value_or(std::vector<std::string>{});
}

std::vector<NodePtr> MapReader::maps(const std::string& key) const {
  const NodePtr value = find(key);
  if (!value) return {};
  if (!value->is_list()) {
    error(key, fmt::format("{} is {}, it must be a list", key, describe(*value)),
          "begin each entry with '- name: ...'");
    return {};
  }
  std::vector<NodePtr> items;
  for (const NodePtr& item : value->items) {
    if (item->is_map())
      items.push_back(item);
    else
      context_.error(item->place(), element_,
                     fmt::format("an entry of {} is {}, it must be a map of keys", key, describe(*item)));
  }
  return items;
}

}  // namespace monocoque::io

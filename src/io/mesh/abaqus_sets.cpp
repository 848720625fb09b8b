// Sets and surfaces of Abaqus input.

#include <algorithm>

#include <fmt/format.h>

#include "io/files/text_source.h"
#include "io/mesh/abaqus_reader.h"

namespace monocoque::io {

namespace {

void sort_unique(std::vector<int>& v) {
  std::sort(v.begin(), v.end());
  v.erase(std::unique(v.begin(), v.end()), v.end());
}

/// "PART-1-1.TOP" is the set TOP of an instance.
std::string_view without_instance(std::string_view name) {
  const std::size_t point = name.rfind('.');
  return point == std::string_view::npos ? name : name.substr(point + 1);
}

/// Corner nodes of face S1, S2, ... of an element; nodes on edges are added by the caller.
std::vector<int> face_corners(ElementKind kind, int face) {
  static const std::vector<std::vector<int>> tet = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
  static const std::vector<std::vector<int>> wedge = {
      {0, 1, 2}, {3, 5, 4}, {0, 3, 4, 1}, {1, 4, 5, 2}, {2, 5, 3, 0}};
  static const std::vector<std::vector<int>> brick = {{0, 1, 2, 3}, {4, 7, 6, 5}, {0, 4, 5, 1},
                                                      {1, 5, 6, 2}, {2, 6, 7, 3}, {3, 7, 4, 0}};
  const std::vector<std::vector<int>>* faces = nullptr;
  switch (kind) {
    case ElementKind::tet4:
    case ElementKind::tet10:
      faces = &tet;
      break;
    case ElementKind::wedge6:
      faces = &wedge;
      break;
    case ElementKind::brick8:
    case ElementKind::brick20:
      faces = &brick;
      break;
    default:
      return {};
  }
  if (face < 1 || face > static_cast<int>(faces->size())) return {};
  return (*faces)[static_cast<std::size_t>(face) - 1];
}

/// Nodes on edges: number of the node and the corners it is between.
std::vector<std::array<int, 3>> edge_nodes(ElementKind kind) {
  if (kind == ElementKind::tet10) return {{4, 0, 1}, {5, 1, 2}, {6, 2, 0}, {7, 0, 3}, {8, 1, 3}, {9, 2, 3}};
  if (kind == ElementKind::brick20)
    return {{8, 0, 1},  {9, 1, 2},  {10, 2, 3}, {11, 3, 0}, {12, 4, 5}, {13, 5, 6},
            {14, 6, 7}, {15, 7, 4}, {16, 0, 4}, {17, 1, 5}, {18, 2, 6}, {19, 3, 7}};
  return {};
}

}  // namespace

void AbaqusReader::begin_set(const Keyword& k, bool of_nodes) {
  SetPart part;
  part.name = k.get(of_nodes ? "NSET" : "ELSET");
  part.where = k.where;
  part.of_nodes = of_nodes;
  if (k.name == "NSET") part.nodes_of_elements = k.get("ELSET");
  set_parts_.push_back(std::move(part));
  current_set_ = set_parts_.size() - 1;
}

void AbaqusReader::set_line(std::string_view line) {
  SetPart& part = set_parts_[current_set_];
  FieldScanner fields(line);
  std::string_view field;
  if (now_.has("GENERATE")) {
    std::array<long, 3> range{0, 0, 1};
    std::size_t n = 0;
    for (; n < 3 && fields.next(field); ++n)
      if (!field.empty() && !parse_integer(field, range[n])) n = 10;
    if (n < 1 || n > 3 || range[2] <= 0 || range[0] <= 0)
      return error(fmt::format("'{}' is no range", std::string(line.substr(0, 40))),
                   "write first, last, step");
    if (n == 1) range[1] = range[0];
    part.ranges.push_back(range);
    return;
  }
  while (fields.next(field)) {
    if (field.empty()) continue;
    long id = 0;
    if (parse_integer(field, id))
      part.ids.push_back(id);
    else
      part.others.push_back(upper(without_instance(field)));
  }
}

void AbaqusReader::surface_line(std::string_view line) {
  FieldScanner fields(line);
  std::string_view target, face;
  if (!fields.next(target)) return;
  fields.next(face);
  surfaces_.back().items.emplace_back(upper(without_instance(target)), upper(face));
}

bool AbaqusReader::spend(std::size_t steps, FileLine where) {
  if (steps > steps_left_) {
    if (steps_left_ > 0)
      draft_.mistakes.error(where, "", "the sets of this file are too large", "name each set less often");
    steps_left_ = 0;
    return false;
  }
  steps_left_ -= steps;
  return true;
}

std::vector<int>* AbaqusReader::find_set(bool of_nodes, const std::string& name) {
  auto& sets = of_nodes ? node_sets_ : element_sets_;
  const auto it = sets.find(name);
  if (it == sets.end()) return nullptr;
  // Sorted when first needed: a set may be the sum of very many parts.
  if (tidy_.insert((of_nodes ? "n:" : "e:") + name).second) {
    spend(it->second.size(), {0, 0});
    sort_unique(it->second);
  }
  return &it->second;
}

void AbaqusReader::resolve_sets() {
  element_count_ = static_cast<int>(draft_.mesh.elements.size());
  const auto& nodes = draft_.mesh.nodes;
  for (std::size_t i = 0; i < nodes.size(); ++i) nodes_sorted_.emplace_back(nodes[i].id, static_cast<int>(i));
  std::vector<long> ids;
  for (const FeElement& e : draft_.mesh.elements) ids.push_back(e.id);
  for (const PointElement& e : points_) ids.push_back(e.id);
  for (std::size_t i = 0; i < ids.size(); ++i) elements_sorted_.emplace_back(ids[i], static_cast<int>(i));
  element_ids_.build(ids);
  std::sort(nodes_sorted_.begin(), nodes_sorted_.end());
  std::sort(elements_sorted_.begin(), elements_sorted_.end());
  for (const SetPart& part : set_parts_) {
    if (part.name.empty()) continue;
    const std::string who = fmt::format("{} '{}'", part.of_nodes ? "node set" : "element set", part.name);
    std::vector<int> found;
    for (const long id : part.ids) {
      const int index = part.of_nodes ? draft_.node_index(id) : element_ids_.find(id);
      if (index >= 0)
        found.push_back(index);
      else
        draft_.note(fmt::format("{} names {} that do not exist", who, part.of_nodes ? "nodes" : "elements"));
    }
    const auto& sorted = part.of_nodes ? nodes_sorted_ : elements_sorted_;
    for (const auto& [first, last, step] : part.ranges) {
      auto it = std::lower_bound(sorted.begin(), sorted.end(), std::make_pair(first, -1));
      for (; it != sorted.end() && it->first <= last && spend(1, part.where); ++it)
        if ((it->first - first) % step == 0) found.push_back(it->second);
    }
    for (const std::string& other : part.others) {
      const std::vector<int>* set = find_set(part.of_nodes, other);
      if (set == nullptr)
        draft_.mistakes.error(part.where, who, fmt::format("set '{}' does not exist", other.substr(0, 80)),
                              "define it before this one");
      else if (spend(set->size() + 1, part.where))
        found.insert(found.end(), set->begin(), set->end());
    }
    if (!part.nodes_of_elements.empty()) {
      const std::vector<int>* set = find_set(false, part.nodes_of_elements);
      if (set == nullptr)
        draft_.mistakes.error(part.where, who,
                              fmt::format("element set '{}' does not exist", part.nodes_of_elements));
      else if (spend(20 * set->size() + 1, part.where)) {
        const std::vector<int> more = nodes_of_elements(*set);
        found.insert(found.end(), more.begin(), more.end());
      }
    }
    std::vector<int>& set = (part.of_nodes ? node_sets_ : element_sets_)[part.name];
    set.insert(set.end(), found.begin(), found.end());
    tidy_.erase((part.of_nodes ? "n:" : "e:") + part.name);
  }
}

std::vector<int> AbaqusReader::nodes_of_elements(const std::vector<int>& elements) const {
  std::vector<int> out;
  const int count = element_count_;
  for (const int i : elements) {
    if (i >= count) continue;
    const FeElement& e = draft_.mesh.elements[static_cast<std::size_t>(i)];
    for (int k = 0; k < node_count(e.kind); ++k) {
      const int node = draft_.node_index(
          draft_.connectivity[static_cast<std::size_t>(e.first_node) + static_cast<std::size_t>(k)]);
      if (node >= 0) out.push_back(node);
    }
  }
  sort_unique(out);
  return out;
}

std::vector<int> AbaqusReader::nodes_named(const std::string& name, const std::string& who, FileLine where) {
  long id = 0;
  const std::string bare(without_instance(name));
  if (parse_integer(bare, id)) {
    const int index = draft_.node_index(id);
    if (index >= 0) return {index};
    draft_.mistakes.error(where, who, fmt::format("node {} does not exist", id),
                          "define the node or correct its id");
    return {};
  }
  if (const std::vector<int>* set = find_set(true, bare))
    return spend(set->size(), where) ? *set : std::vector<int>{};
  draft_.mistakes.error(where, who, fmt::format("node set '{}' does not exist", bare.substr(0, 80)));
  return {};
}

std::vector<int> AbaqusReader::elements_named(const std::string& name, const std::string& who,
                                              FileLine where) {
  long id = 0;
  if (parse_integer(name, id)) {
    const int index = element_ids_.find(id);
    if (index >= 0) return {index};
    draft_.mistakes.error(where, who, fmt::format("element {} does not exist", id));
    return {};
  }
  if (const std::vector<int>* set = find_set(false, name))
    return spend(set->size(), where) ? *set : std::vector<int>{};
  draft_.mistakes.error(where, who, fmt::format("element set '{}' does not exist", name.substr(0, 80)),
                        "define it with *ELSET or on *ELEMENT");
  return {};
}

std::vector<int> AbaqusReader::surface_nodes(const std::string& name, const std::string& who,
                                             FileLine where) {
  std::vector<int> out;
  bool found = false;
  for (const SurfacePart& s : surfaces_) {
    if (s.name != name) continue;
    found = true;
    for (const auto& [target, face] : s.items) {
      if (s.of_nodes) {
        const std::vector<int> nodes = nodes_named(target, "*SURFACE " + name, s.where);
        out.insert(out.end(), nodes.begin(), nodes.end());
        continue;
      }
      for (const int i : elements_named(target, "*SURFACE " + name, s.where)) {
        if (i >= element_count_) continue;
        const FeElement& e = draft_.mesh.elements[static_cast<std::size_t>(i)];
        std::vector<int> local;
        if (property_kind_of(e.kind) == PropertyKind::shell) {
          for (int k = 0; k < node_count(e.kind); ++k) local.push_back(k);
        } else {
          local = face_corners(e.kind, face.size() == 2 && face[0] == 'S' ? face[1] - '0' : 0);
          if (local.empty()) {
            draft_.mistakes.error(s.where, "*SURFACE " + name,
                                  fmt::format("element {} has no face '{}'", e.id, face.substr(0, 16)));
            return {};
          }
          const std::vector<int> corners = local;
          const auto on_face = [&](int k) {
            return std::find(corners.begin(), corners.end(), k) != corners.end();
          };
          for (const auto& [node, a, b] : edge_nodes(e.kind))
            if (on_face(a) && on_face(b)) local.push_back(node);
        }
        for (const int k : local) {
          const int node = draft_.node_index(
              draft_.connectivity[static_cast<std::size_t>(e.first_node) + static_cast<std::size_t>(k)]);
          if (node >= 0) out.push_back(node);
        }
      }
    }
  }
  if (!found)
    draft_.mistakes.error(where, who, fmt::format("surface '{}' does not exist", name.substr(0, 80)));
  sort_unique(out);
  return out;
}

void AbaqusReader::store_sets() {
  for (auto& [name, set] : node_sets_) {
    find_set(true, name);
    draft_.mesh.node_sets[name] = set;
  }
  const int count = element_count_;
  for (auto& [name, set] : element_sets_) {
    find_set(false, name);
    // Masses and springs stand behind the elements.
    set.erase(std::lower_bound(set.begin(), set.end(), count), set.end());
    draft_.mesh.element_sets[name] = set;
  }
}

}  // namespace monocoque::io

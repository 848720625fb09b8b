#include "fe/subset.h"
#include "core/index.h"

#include <algorithm>
#include <charconv>
#include <set>

#include <fmt/format.h>

namespace monocoque {
namespace {

using io::ElementKind;
using io::FeMesh;

constexpr ElementKind kKinds[] = {
    ElementKind::rod2, ElementKind::beam2, ElementKind::beam3,  ElementKind::shell3, ElementKind::shell4,
    ElementKind::tet4, ElementKind::tet10, ElementKind::wedge6, ElementKind::brick8, ElementKind::brick20};

bool parse(std::string_view text, long& id) {
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), id);
  return status == std::errc() && end == text.data() + text.size() && !text.empty();
}

bool within(const std::vector<std::pair<long, long>>& ranges, long id) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [id](const auto& r) { return id >= r.first && id <= r.second; });
}

/// A range without any property of the mesh is a slip of the pen.
void check_properties(const FeMesh& mesh, const SubsetChoice& choice) {
  for (const auto& range : choice.properties) {
    const bool found = std::any_of(mesh.properties.begin(), mesh.properties.end(),
                                   [&](const io::FeProperty& p) { return within({range}, p.id); });
    if (found) continue;
    std::set<long> ids;
    for (const io::FeProperty& p : mesh.properties) ids.insert(p.id);
    std::string list;
    int listed = 0;
    for (const long id : ids) {
      if (++listed > 30) break;
      list += fmt::format("{}{}", list.empty() ? "" : ", ", id);
    }
    throw Error(Place{mesh.file, 0}, "--only-properties",
                range.first == range.second
                    ? fmt::format("the mesh has no property {}", range.first)
                    : fmt::format("the mesh has no property {} to {}", range.first, range.second),
                "its properties are " + list + (ids.size() > 30 ? ", ..." : ""));
  }
}

/// Elements chosen, their connectivity and placements packed anew.
void take_elements(FeMesh& mesh, const SubsetChoice& choice) {
  const auto wanted = [&](const io::FeElement& e) {
    const bool property = choice.properties.empty() ||
                          (e.property >= 0 && within(choice.properties, mesh.properties[at(e.property)].id));
    const bool kind = choice.kinds.empty() ||
                      std::find(choice.kinds.begin(), choice.kinds.end(), e.kind) != choice.kinds.end();
    return property && kind;
  };
  std::vector<io::FeElement> kept;
  std::vector<int> connectivity, new_index(mesh.elements.size(), -1);
  for (std::size_t i = 0; i < mesh.elements.size(); ++i) {
    io::FeElement e = mesh.elements[i];
    if (!wanted(e)) continue;
    const int* n = mesh.nodes_of(e);
    e.first_node = static_cast<int>(connectivity.size());
    connectivity.insert(connectivity.end(), n, n + node_count(e.kind));
    new_index[i] = static_cast<int>(kept.size());
    kept.push_back(e);
  }
  if (kept.empty())
    throw Error(Place{mesh.file, 0}, "subset", "none of its elements has the properties and kinds asked for",
                "loosen --only-properties or --only-elements");
  mesh.notes.push_back(fmt::format("subset: {} of {} elements", kept.size(), mesh.elements.size()));
  mesh.elements = std::move(kept);
  mesh.connectivity = std::move(connectivity);
  for (auto& [name, set] : mesh.element_sets) {
    for (int& e : set) e = new_index[at(e)];
    std::erase(set, -1);
  }
}

/// Nodes that elements use, and what rigid elements add to them, until nothing changes.
std::vector<char> used_nodes(FeMesh& mesh) {
  std::vector<char> used(mesh.nodes.size(), 0);
  for (const int n : mesh.connectivity) used[at(n)] = 1;
  // The leader of a rigid element that carries used nodes stays: it is where others attach.
  for (bool changed = true; changed;) {
    changed = false;
    const auto use = [&](int n) {
      if (used[at(n)]) return;
      used[at(n)] = 1;
      changed = true;
    };
    for (const io::RigidSpider& r : mesh.rigid)
      if (std::any_of(r.dependent.begin(), r.dependent.end(), [&](int n) { return used[at(n)] != 0; }))
        use(r.independent);
    for (const io::MeanSpider& r : mesh.means)
      if (std::any_of(r.legs.begin(), r.legs.end(), [&](const auto& leg) { return used[at(leg.node)] != 0; }))
        use(r.reference);
  }
  return used;
}

void prune_attachments(FeMesh& mesh, const std::vector<char>& used) {
  const auto loose = [&](int n) { return n >= 0 && !used[at(n)]; };
  const std::size_t before = mesh.rigid.size() + mesh.means.size() + mesh.masses.size() + mesh.springs.size();
  for (io::RigidSpider& r : mesh.rigid) std::erase_if(r.dependent, loose);
  std::erase_if(mesh.rigid,
                [&](const io::RigidSpider& r) { return loose(r.independent) || r.dependent.empty(); });
  for (io::MeanSpider& r : mesh.means)
    std::erase_if(r.legs, [&](const auto& leg) { return loose(leg.node); });
  std::erase_if(mesh.means, [&](const io::MeanSpider& r) { return loose(r.reference) || r.legs.empty(); });
  std::erase_if(mesh.masses, [&](const io::PointMass& m) { return loose(m.node); });
  std::erase_if(mesh.springs, [&](const io::PointSpring& s) { return loose(s.node_a) || loose(s.node_b); });
  std::erase_if(mesh.supports, [&](const io::Support& s) { return loose(s.node); });
  const std::size_t gone =
      before - (mesh.rigid.size() + mesh.means.size() + mesh.masses.size() + mesh.springs.size());
  if (gone > 0)
    mesh.notes.push_back(
        fmt::format("subset: {} rigid elements, masses and springs left with their nodes", gone));
}

void renumber(FeMesh& mesh, const std::vector<char>& used) {
  std::vector<int> to(mesh.nodes.size(), -1);
  std::vector<io::FeNode> nodes;
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
    if (!used[i]) continue;
    to[i] = static_cast<int>(nodes.size());
    nodes.push_back(mesh.nodes[i]);
  }
  if (nodes.size() < mesh.nodes.size())
    mesh.notes.push_back(fmt::format("subset: {} nodes that nothing uses any more are left out",
                                     mesh.nodes.size() - nodes.size()));
  mesh.nodes = std::move(nodes);
  const auto move = [&](int& n) {
    if (n >= 0) n = to[at(n)];
  };
  for (int& n : mesh.connectivity) move(n);
  for (io::RigidSpider& r : mesh.rigid) {
    move(r.independent);
    for (int& n : r.dependent) move(n);
  }
  for (io::MeanSpider& r : mesh.means) {
    move(r.reference);
    for (auto& leg : r.legs) move(leg.node);
  }
  for (io::PointMass& m : mesh.masses) move(m.node);
  for (io::PointSpring& s : mesh.springs) {
    move(s.node_a);
    move(s.node_b);
  }
  for (io::Support& s : mesh.supports) move(s.node);
  for (auto& [name, set] : mesh.node_sets) {
    for (int& n : set) move(n);
    std::erase(set, -1);
  }
}

}  // namespace

std::vector<std::pair<long, long>> id_ranges(const std::vector<std::string>& words) {
  std::vector<std::pair<long, long>> out;
  for (const std::string& word : words) {
    const std::size_t dash = word.find('-', 1);
    long first = 0, last = 0;
    const std::string_view text = word;
    const bool good =
        parse(text.substr(0, dash), first) &&
        (dash == std::string::npos ? ((last = first), true) : parse(text.substr(dash + 1), last));
    if (!good || last < first)
      throw Error("--only-properties", fmt::format("'{}' is no id and no range of ids", word),
                  "e.g. 1,2,5-9");
    out.emplace_back(first, last);
  }
  return out;
}

std::vector<io::ElementKind> element_kinds(const std::vector<std::string>& words) {
  std::vector<ElementKind> out;
  std::vector<std::string> names;
  for (const ElementKind kind : kKinds) names.emplace_back(io::name_of(kind));
  for (const std::string& word : words) {
    const auto it = std::find(names.begin(), names.end(), word);
    if (it == names.end()) {
      std::string list;
      for (const std::string& n : names) list += (list.empty() ? "" : ", ") + n;
      throw Error("--only-elements", fmt::format("'{}' is no kind of element", word),
                  "the kinds are " + list);
    }
    out.push_back(kKinds[it - names.begin()]);
  }
  return out;
}

io::FeMesh subset(io::FeMesh mesh, const SubsetChoice& choice) {
  if (choice.empty()) return mesh;
  check_properties(mesh, choice);
  take_elements(mesh, choice);
  const std::vector<char> used = used_nodes(mesh);
  prune_attachments(mesh, used);
  renumber(mesh, used);
  return mesh;
}

}  // namespace monocoque

#include "io/mesh/mesh_draft.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace monocoque::io {

int Mistakes::add_file(std::string name) {
  files_.push_back(std::move(name));
  return static_cast<int>(files_.size()) - 1;
}

void Mistakes::error(FileLine where, std::string element, std::string problem, std::string remedy) {
  if (++count_ > kMostMistakes) return;
  Diagnostic d;
  d.place = Place{file(where.file), where.line};
  d.element = std::move(element);
  d.problem = std::move(problem);
  d.remedy = std::move(remedy);
  list_.emplace_back(where, std::move(d));
}

void Mistakes::throw_if_any() const {
  if (count_ == 0) return;
  auto sorted = list_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return a.first.file != b.first.file ? a.first.file < b.first.file : a.first.line < b.first.line;
  });
  Diagnostics all;
  for (auto& [where, d] : sorted) all.add(std::move(d));
  if (count_ > kMostMistakes)
    all.error(Place{file(0), 0}, "", fmt::format("and {} more mistakes", count_ - kMostMistakes));
  all.throw_if_errors();
}

void IdMap::build(const std::vector<long>& ids) {
  table_.clear();
  sorted_.clear();
  if (ids.empty()) return;
  const auto [low, high] = std::minmax_element(ids.begin(), ids.end());
  const auto most = static_cast<long>(8 * ids.size() + 100000);
  // The first of equal ids is the one found.
  if (*low >= 0 && *high < most) {
    table_.assign(static_cast<std::size_t>(*high) + 1, -1);
    for (std::size_t i = ids.size(); i-- > 0;) table_[static_cast<std::size_t>(ids[i])] = static_cast<int>(i);
    return;
  }
  sorted_.reserve(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) sorted_.emplace_back(ids[i], static_cast<int>(i));
  std::sort(sorted_.begin(), sorted_.end());
}

int IdMap::find(long id) const {
  if (!table_.empty())
    return id >= 0 && id < static_cast<long>(table_.size()) ? table_[static_cast<std::size_t>(id)] : -1;
  const auto it = std::lower_bound(sorted_.begin(), sorted_.end(), std::make_pair(id, -1));
  return it != sorted_.end() && it->first == id ? it->second : -1;
}

MeshDraft::MeshDraft(const FeReadOptions& options, std::string file) : options_(options) {
  mesh.file = file;
  mistakes.add_file(std::move(file));
}

std::string MeshDraft::place(FileLine where) const {
  return fmt::format("{}:{}", mistakes.file(where.file), where.line);
}

void MeshDraft::node(long id, const Vec3& p, FileLine where) {
  if (mesh.nodes.size() >= static_cast<std::size_t>(std::numeric_limits<int>::max())) return;
  FeNode& n = mesh.nodes.emplace_back();
  n.id = id;
  n.p = p;
  node_where.push_back(where);
}

void MeshDraft::material(FeMaterial material, FileLine where) {
  mesh.materials.push_back(std::move(material));
  material_where_.push_back(where);
}

void MeshDraft::property(FeProperty property, long material, const char* card, FileLine where) {
  mesh.properties.push_back(std::move(property));
  property_materials_.push_back(material);
  property_where_.push_back(where);
  property_cards_.push_back(card);
}

int MeshDraft::element(long id, ElementKind kind, const long* nodes, const ElementDraft& draft) {
  const int count = node_count(kind);
  if (connectivity.size() > static_cast<std::size_t>(std::numeric_limits<int>::max() - count)) return -1;
  FeElement& e = mesh.elements.emplace_back();
  e.id = id;
  e.kind = kind;
  e.first_node = static_cast<int>(connectivity.size());
  connectivity.insert(connectivity.end(), nodes, nodes + count);
  element_drafts.push_back(draft);
  return static_cast<int>(mesh.elements.size()) - 1;
}

void MeshDraft::rigid(long id, long independent, std::vector<long> dependent, std::uint8_t components,
                      const char* card, FileLine where) {
  RigidSpider& s = mesh.rigid.emplace_back();
  s.id = id;
  s.components = components;
  dependent.insert(dependent.begin(), independent);
  rigid_drafts_.push_back({card, where, std::move(dependent)});
}

void MeshDraft::mean(long id, long reference, std::uint8_t components, std::vector<Leg> legs,
                     const char* card, FileLine where) {
  MeanSpider& s = mesh.means.emplace_back();
  s.id = id;
  s.components = components;
  std::vector<long> nodes{reference};
  for (const Leg& leg : legs) {
    nodes.push_back(leg.node);
    s.legs.push_back({-1, leg.weight, leg.components});
  }
  mean_drafts_.push_back({card, where, std::move(nodes)});
}

void MeshDraft::mass(long id, long node, double mass, const Vec3& offset, const Mat3& inertia,
                     const char* card, FileLine where) {
  PointMass& m = mesh.masses.emplace_back();
  m.id = id;
  m.mass_kg = mass;
  m.offset_m = offset;
  m.inertia_kg_m2 = inertia;
  mass_drafts_.push_back({card, where, {node}});
}

void MeshDraft::spring(long id, long node_a, int component_a, long node_b, int component_b, double k,
                       const char* card, FileLine where) {
  PointSpring& s = mesh.springs.emplace_back();
  s.id = id;
  s.component_a = component_a;
  s.component_b = component_b;
  s.stiffness = k;
  spring_drafts_.push_back({card, where, {node_a, node_b}});
}

void MeshDraft::support(long node, std::uint8_t components, const char* card, FileLine where) {
  Support& s = mesh.supports.emplace_back();
  s.components = components;
  support_drafts_.push_back({card, where, {node}});
}

void MeshDraft::unknown(std::string_view name, FileLine where, bool carries) {
  std::string key(name.substr(0, 80));
  auto [it, fresh] = unknown_.try_emplace(key);
  UnknownCard& card = it->second.first;
  if (fresh) {
    it->second.second = where;
    card.name = key;
    card.first_line = where.line;
    card.carries = carries;
    unknown_order_.push_back(std::move(key));
  }
  ++card.count;
}

void MeshDraft::note(const std::string& text) {
  if (mesh.notes.size() < 1000 && said_.insert(text).second) mesh.notes.push_back(text);
}

FeMesh MeshDraft::finish() {
  for (const std::string& name : unknown_order_) {
    const auto& [card, where] = unknown_.at(name);
    if (card.carries && !options_.lenient)
      mistakes.error(
          where, card.name,
          fmt::format("{} of this kind are not understood, but carry mass or stiffness", card.count),
          "replace them, or read the file with --lenient to leave them out");
    mesh.unknown.push_back(card);
  }
  index_nodes();
  resolve_properties();
  resolve_elements();
  check_doubled_elements();
  resolve_attachments();
  check_values();
  if (mistakes.count() == 0 && mesh.nodes.empty())
    mistakes.error({0, 0}, "", "there are no nodes in this file",
                   "check that this is a mesh in the format of its ending");
  mistakes.throw_if_any();
  convert_units();
  return std::move(mesh);
}

}  // namespace monocoque::io

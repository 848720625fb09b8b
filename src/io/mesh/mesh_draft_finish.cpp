// Second half of MeshDraft: ids become indices, values are checked, units become SI.

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "io/mesh/mesh_draft.h"

namespace monocoque::io {

namespace {

std::string label(const char* card, long id) {
  return id > 0 ? fmt::format("{} {}", card, id) : std::string(card);
}

}  // namespace

const char* name_of(PropertyKind kind) {
  constexpr const char* names[] = {"rod", "beam", "shell", "solid"};
  return names[static_cast<int>(kind)];
}

PropertyKind property_kind_of(ElementKind kind) {
  switch (kind) {
    case ElementKind::rod2:
      return PropertyKind::rod;
    case ElementKind::beam2:
    case ElementKind::beam3:
      return PropertyKind::beam;
    case ElementKind::shell3:
    case ElementKind::shell4:
      return PropertyKind::shell;
    default:
      return PropertyKind::solid;
  }
}

void MeshDraft::index_nodes() {
  if (indexed_) return;
  indexed_ = true;
  std::vector<long> ids;
  ids.reserve(mesh.nodes.size());
  for (const FeNode& n : mesh.nodes) ids.push_back(n.id);
  node_ids_.build(ids);
  // The same node given twice in the same place is common where files are joined.
  std::size_t kept = 0;
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
    const int first = node_ids_.find(mesh.nodes[i].id);
    if (first != static_cast<int>(i)) {
      const auto f = static_cast<std::size_t>(first);
      if (mesh.nodes[f].p != mesh.nodes[i].p)
        mistakes.error(node_where[i], label("node", mesh.nodes[i].id),
                       fmt::format("this id is already used at {} for another place", place(node_where[f])),
                       "give each node its own id");
      else
        note("nodes given twice in the same place are taken once");
    }
  }
  std::vector<long> unique;
  std::vector<bool> keep(mesh.nodes.size());
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i)
    keep[i] = node_ids_.find(mesh.nodes[i].id) == static_cast<int>(i);
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
    if (!keep[i]) continue;
    if (kept != i) {
      mesh.nodes[kept] = mesh.nodes[i];
      node_where[kept] = node_where[i];
    }
    unique.push_back(mesh.nodes[kept].id);
    ++kept;
  }
  if (kept == mesh.nodes.size()) return;
  mesh.nodes.resize(kept);
  node_where.resize(kept);
  node_ids_.build(unique);
}

int MeshDraft::resolve(long id, const char* card, long element, FileLine where) {
  const int index = node_ids_.find(id);
  if (index < 0)
    mistakes.error(where, label(card, element), fmt::format("node {} does not exist", id),
                   "define the node or correct its id");
  return index;
}

void MeshDraft::resolve_properties() {
  std::vector<long> ids;
  for (std::size_t i = 0; i < mesh.materials.size(); ++i) ids.push_back(mesh.materials[i].id);
  IdMap materials;
  materials.build(ids);
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (const int first = materials.find(ids[i]); first != static_cast<int>(i))
      mistakes.error(material_where_[i], label("material", ids[i]),
                     fmt::format("this id is already used at {}",
                                 place(material_where_[static_cast<std::size_t>(first)])),
                     "give each material its own id");
  ids.clear();
  for (std::size_t i = 0; i < mesh.properties.size(); ++i) {
    FeProperty& p = mesh.properties[i];
    ids.push_back(p.id);
    p.material = materials.find(property_materials_[i]);
    if (p.material >= 0) continue;
    if (skipped_materials.count(property_materials_[i]) > 0) {
      skipped_properties.insert(p.id);
      ids.back() = -1 - static_cast<long>(i);
    } else {
      mistakes.error(property_where_[i], label(property_cards_[i], p.id),
                     fmt::format("material {} does not exist", property_materials_[i]),
                     "define the material or correct its id");
    }
  }
  property_ids_.build(ids);
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (const int first = property_ids_.find(ids[i]); first != static_cast<int>(i))
      mistakes.error(property_where_[i], label(property_cards_[i], ids[i]),
                     fmt::format("this id is already used at {}",
                                 place(property_where_[static_cast<std::size_t>(first)])),
                     "give each property its own id");
}

int MeshDraft::property_of(std::size_t element) {
  const FeElement& e = mesh.elements[element];
  const ElementDraft& draft = element_drafts[element];
  const int found = property_ids_.find(draft.property);
  if (found < 0) {
    if (skipped_properties.count(draft.property) == 0)
      mistakes.error(draft.where, label(draft.card, e.id),
                     fmt::format("property {} does not exist", draft.property),
                     "define the property or correct its id");
    return -1;
  }
  const FeProperty& p = mesh.properties[static_cast<std::size_t>(found)];
  const PropertyKind wanted = property_kind_of(e.kind);
  if (p.kind != wanted) {
    mistakes.error(draft.where, label(draft.card, e.id),
                   fmt::format("property {} is for a {}, it must be for a {}", draft.property,
                               name_of(p.kind), name_of(wanted)),
                   "refer to a property of the right kind");
    return -1;
  }
  return found;
}

void MeshDraft::resolve_elements() {
  mesh.connectivity.resize(connectivity.size());
  std::vector<bool> drop(mesh.elements.size());
  long dropped = 0;
  std::map<std::tuple<int, double, double>, int> variant_properties;
  for (std::size_t i = 0; i < mesh.elements.size(); ++i) {
    FeElement& e = mesh.elements[i];
    const ElementDraft& draft = element_drafts[i];
    const int count = node_count(e.kind);
    int* nodes = mesh.connectivity.data() + e.first_node;
    const long* ids = connectivity.data() + e.first_node;
    bool complete = true;
    for (int k = 0; k < count; ++k) {
      nodes[k] = resolve(ids[k], draft.card, e.id, draft.where);
      complete = complete && nodes[k] >= 0;
    }
    for (int k = 1; complete && k < count; ++k)
      if (std::find(nodes, nodes + k, nodes[k]) != nodes + k) {
        mistakes.error(draft.where, label(draft.card, e.id),
                       fmt::format("node {} is used twice in it", ids[k]), "give each corner its own node");
        break;
      }
    e.property = property_of(i);
    if (e.property < 0) {
      drop[i] = true;
      ++dropped;
    } else if (draft.variant >= 0) {
      const ShellVariant& v = variants[static_cast<std::size_t>(draft.variant)];
      const auto [it, fresh] = variant_properties.try_emplace({e.property, v.thickness, v.offset}, 0);
      if (fresh) it->second = variant_of(e.property, v);
      e.property = it->second;
    }
  }
  if (dropped > 0 && mistakes.count() == 0) {
    note(fmt::format("{} elements are left out: their property or material is not understood", dropped));
    drop_elements(drop);
  }
}

int MeshDraft::variant_of(int property, const ShellVariant& variant) {
  FeProperty p = mesh.properties[static_cast<std::size_t>(property)];
  if ((variant.thickness <= 0 || variant.thickness == p.shell.thickness_m) && variant.offset == 0)
    return property;
  if (variant.thickness > 0) p.shell.thickness_m = variant.thickness;
  p.shell.offset_m += variant.offset;
  mesh.properties.push_back(std::move(p));
  property_where_.push_back(property_where_[static_cast<std::size_t>(property)]);
  property_cards_.push_back(property_cards_[static_cast<std::size_t>(property)]);
  return static_cast<int>(mesh.properties.size()) - 1;
}

void MeshDraft::drop_elements(const std::vector<bool>& drop) {
  std::vector<int> fresh(mesh.elements.size(), -1), nodes;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < mesh.elements.size(); ++i) {
    if (drop[i]) continue;
    FeElement e = mesh.elements[i];
    const int* old = mesh.nodes_of(e);
    e.first_node = static_cast<int>(nodes.size());
    nodes.insert(nodes.end(), old, old + node_count(e.kind));
    fresh[i] = static_cast<int>(kept);
    element_drafts[kept] = element_drafts[i];
    mesh.elements[kept++] = e;
  }
  mesh.elements.resize(kept);
  element_drafts.resize(kept);
  mesh.connectivity = std::move(nodes);
  for (auto& [name, set] : mesh.element_sets) {
    std::vector<int> left;
    for (const int i : set)
      if (fresh[static_cast<std::size_t>(i)] >= 0) left.push_back(fresh[static_cast<std::size_t>(i)]);
    set = std::move(left);
  }
}

void MeshDraft::check_doubled_elements() {
  using Key = std::tuple<int, long, std::size_t>;
  std::vector<Key> keys;
  keys.reserve(mesh.elements.size());
  for (std::size_t i = 0; i < mesh.elements.size(); ++i)
    keys.emplace_back(element_drafts[i].number_range, mesh.elements[i].id, i);
  if (!std::is_sorted(keys.begin(), keys.end())) std::sort(keys.begin(), keys.end());
  for (std::size_t i = 1; i < keys.size(); ++i) {
    const auto& [range, id, index] = keys[i];
    if (std::get<0>(keys[i - 1]) != range || std::get<1>(keys[i - 1]) != id) continue;
    const ElementDraft& before = element_drafts[std::get<2>(keys[i - 1])];
    mistakes.error(element_drafts[index].where, label(element_drafts[index].card, id),
                   fmt::format("this id is already used at {}", place(before.where)),
                   "give each element its own id");
  }
}

void MeshDraft::resolve_attachments() {
  for (std::size_t i = 0; i < rigid_drafts_.size(); ++i) {
    const Deferred& d = rigid_drafts_[i];
    RigidSpider& s = mesh.rigid[i];
    s.independent = resolve(d.nodes[0], d.card, s.id, d.where);
    for (std::size_t k = 1; k < d.nodes.size(); ++k)
      if (d.nodes[k] != d.nodes[0]) s.dependent.push_back(resolve(d.nodes[k], d.card, s.id, d.where));
    if (s.dependent.empty())
      mistakes.error(d.where, label(d.card, s.id), "it has no dependent node",
                     "add one or remove the element");
  }
  for (std::size_t i = 0; i < mean_drafts_.size(); ++i) {
    const Deferred& d = mean_drafts_[i];
    MeanSpider& s = mesh.means[i];
    s.reference = resolve(d.nodes[0], d.card, s.id, d.where);
    for (std::size_t k = 0; k < s.legs.size(); ++k)
      s.legs[k].node = resolve(d.nodes[k + 1], d.card, s.id, d.where);
    if (s.legs.empty())
      mistakes.error(d.where, label(d.card, s.id), "it has no legs", "add nodes or remove the element");
  }
  for (std::size_t i = 0; i < mass_drafts_.size(); ++i) {
    const Deferred& d = mass_drafts_[i];
    mesh.masses[i].node = resolve(d.nodes[0], d.card, mesh.masses[i].id, d.where);
    if (mesh.masses[i].mass_kg < 0)
      mistakes.error(d.where, label(d.card, mesh.masses[i].id),
                     fmt::format("mass is {}, it must be >= 0", mesh.masses[i].mass_kg));
  }
  for (std::size_t i = 0; i < spring_drafts_.size(); ++i) {
    const Deferred& d = spring_drafts_[i];
    PointSpring& s = mesh.springs[i];
    s.node_a = resolve(d.nodes[0], d.card, s.id, d.where);
    if (d.nodes[1] > 0) s.node_b = resolve(d.nodes[1], d.card, s.id, d.where);
  }
  for (std::size_t i = 0; i < support_drafts_.size(); ++i)
    mesh.supports[i].node =
        resolve(support_drafts_[i].nodes[0], support_drafts_[i].card, 0, support_drafts_[i].where);
}

void MeshDraft::check_values() {
  std::vector<bool> used(mesh.properties.size()), used_material(mesh.materials.size());
  for (const FeElement& e : mesh.elements)
    if (e.property >= 0) used[static_cast<std::size_t>(e.property)] = true;
  const auto demand = [this](bool good, FileLine where, const std::string& element, const char* what,
                             double value, const char* rule) {
    if (!good) mistakes.error(where, element, fmt::format("{} is {}, it must be {}", what, value, rule));
  };
  for (std::size_t i = 0; i < mesh.properties.size(); ++i) {
    const FeProperty& p = mesh.properties[i];
    if (!used[i] || p.material < 0) continue;
    used_material[static_cast<std::size_t>(p.material)] = true;
    const std::string who = label(property_cards_[i], p.id);
    if (p.kind == PropertyKind::shell)
      demand(p.shell.thickness_m > 0, property_where_[i], who, "thickness", p.shell.thickness_m, "> 0");
    if (p.kind == PropertyKind::rod || p.kind == PropertyKind::beam)
      demand(p.beam.area_m2 > 0, property_where_[i], who, "area", p.beam.area_m2, "> 0");
    if (p.kind == PropertyKind::beam) {
      demand(p.beam.I_y_m4 > 0, property_where_[i], who, "second moment about y", p.beam.I_y_m4, "> 0");
      demand(p.beam.I_z_m4 > 0, property_where_[i], who, "second moment about z", p.beam.I_z_m4, "> 0");
      demand(p.beam.torsion_m4 >= 0, property_where_[i], who, "torsion constant", p.beam.torsion_m4, ">= 0");
    }
  }
  for (std::size_t i = 0; i < mesh.materials.size(); ++i) {
    const FeMaterial& m = mesh.materials[i];
    if (!used_material[i]) continue;
    const std::string who = m.name.empty() ? label("material", m.id) : fmt::format("material '{}'", m.name);
    demand(m.young_Pa > 0, material_where_[i], who, "Young's modulus", m.young_Pa, "> 0");
    demand(m.density_kg_per_m3 >= 0, material_where_[i], who, "density", m.density_kg_per_m3, ">= 0");
    demand(m.poisson > -1 && m.poisson < 0.5, material_where_[i], who, "Poisson's ratio", m.poisson,
           "> -1 and < 0.5");
  }
}

void MeshDraft::convert_units() {
  const double L = options_.units.length_m, T = options_.units.time_s;
  const double M = options_.units.mass_kg;                // of stiffness: force is M L / T^2
  const double W = options_.units.mass_kg * mass_factor;  // of what is called mass in the file
  for (FeNode& n : mesh.nodes) n.p *= L;
  for (FeMaterial& m : mesh.materials) {
    m.young_Pa *= M / (L * T * T);
    m.shear_Pa *= M / (L * T * T);
    m.density_kg_per_m3 *= W / (L * L * L);
  }
  for (FeProperty& p : mesh.properties) {
    BeamSection& b = p.beam;
    b.area_m2 *= L * L;
    for (double* I : {&b.I_y_m4, &b.I_z_m4, &b.I_yz_m4, &b.torsion_m4}) *I *= L * L * L * L;
    b.mass_kg_per_m *= W / L;
    p.shell.thickness_m *= L;
    p.shell.offset_m *= L;
    p.shell.mass_kg_per_m2 *= W / (L * L);
  }
  for (BeamPlacement& b : mesh.beams) {
    b.offset_a_m *= L;
    b.offset_b_m *= L;
  }
  for (PointMass& m : mesh.masses) {
    m.mass_kg *= W;
    m.offset_m *= L;
    m.inertia_kg_m2 *= W * L * L;
  }
  for (PointSpring& s : mesh.springs) {
    // One factor of length for each end that turns.
    s.stiffness *= M / (T * T);
    const int turning =
        (s.component_a >= 3 ? 1 : 0) + ((s.node_b >= 0 ? s.component_b : s.component_a) >= 3 ? 1 : 0);
    s.stiffness *= turning == 2 ? L * L : turning == 1 ? L : 1;
  }
}

}  // namespace monocoque::io

// Sections, couplings and supports of Abaqus input, once nodes, elements and sets are known.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "io/files/text_source.h"
#include "io/mesh/abaqus_reader.h"
#include "io/mesh/beam_sections.h"

namespace monocoque::io {

namespace {

std::uint8_t component_range(long first, long last) {
  int bits = 0;
  for (long k = std::max(first, 1L); k <= std::min(last, 6L); ++k) bits |= 1 << (k - 1);
  return static_cast<std::uint8_t>(bits);
}

/// Turns a section drawn with its height along y into one with its height along z.
BeamSection turned(BeamSection s) {
  std::swap(s.I_y_m4, s.I_z_m4);
  std::swap(s.shear_y, s.shear_z);
  return s;
}

}  // namespace

std::vector<long> AbaqusReader::ids_of(const std::vector<int>& nodes) const {
  std::vector<long> out;
  for (const int i : nodes) out.push_back(draft_.mesh.nodes[static_cast<std::size_t>(i)].id);
  return out;
}

long AbaqusReader::material_id(const std::string& name, const std::string& who, FileLine where) {
  const auto it = materials_.find(name);
  if (it != materials_.end()) return it->second;
  draft_.mistakes.error(where, who, fmt::format("material '{}' does not exist", name.substr(0, 80)),
                        "define it with *MATERIAL");
  return 0;
}

void AbaqusReader::finish_sections() {
  const int count = element_count_;
  for (const Section& s : sections_) {
    const std::string who = fmt::format("*{} of '{}'", s.keyword, s.elset);
    if (s.elset.empty()) continue;
    const std::vector<int> elements = elements_named(s.elset, who, s.where);
    const auto value = [&s](std::size_t i) { return i < s.numbers.size() ? s.numbers[i] : 0; };
    if (s.keyword == "MASS" || s.keyword == "ROTARY INERTIA") {
      const bool mass = s.keyword == "MASS";
      Mat3 inertia = Mat3::Zero();
      if (!mass)
        inertia << value(0), value(3), value(4), value(3), value(1), value(5), value(4), value(5), value(2);
      for (const int i : elements) {
        if (i < count) continue;
        const PointElement& p = points_[static_cast<std::size_t>(i - count)];
        if (p.type == (mass ? "MASS" : "ROTARYI"))
          draft_.mass(p.id, p.nodes[0], mass ? value(0) : 0, Vec3::Zero(), inertia, mass ? "MASS" : "ROTARYI",
                      p.where);
      }
    } else if (s.keyword == "SPRING") {
      finish_spring(s, elements);
    } else if (s.keyword == "SOLID SECTION" || s.keyword == "SHELL SECTION") {
      const long material = material_id(s.material, who, s.where);
      std::map<PropertyKind, long> ids;
      for (const int i : elements) {
        if (i >= count) continue;
        const PropertyKind kind = property_kind_of(draft_.mesh.elements[static_cast<std::size_t>(i)].kind);
        long& id = ids[kind];
        if (id == 0) {
          id = next_property_++;
          FeProperty p;
          p.id = id;
          p.name = s.elset;
          // A mismatch of section and element is reported with the element.
          p.kind = s.keyword == "SHELL SECTION" ? PropertyKind::shell
                   : kind == PropertyKind::rod  ? PropertyKind::rod
                                                : PropertyKind::solid;
          if (p.kind == PropertyKind::rod) p.beam.area_m2 = s.numbers.empty() ? 1 : value(0);
          if (p.kind == PropertyKind::shell) {
            p.shell.thickness_m = value(0);
            p.shell.offset_m = -s.offset * value(0);
            p.shell.mass_kg_per_m2 = s.mass;
          }
          if (material > 0)
            draft_.property(p, material, s.keyword == "SHELL SECTION" ? "*SHELL SECTION" : "*SOLID SECTION",
                            s.where);
          else
            draft_.skipped_properties.insert(id);
        }
        draft_.element_drafts[static_cast<std::size_t>(i)].property = id;
      }
    } else {
      finish_beam_section(s, elements);
    }
  }
  // Elements without a section are named once by type, not one by one.
  std::map<std::string, std::pair<long, std::size_t>> bare;
  for (std::size_t i = 0; i < draft_.element_drafts.size(); ++i)
    if (draft_.element_drafts[i].property == 0) {
      auto& [n, first] = bare.try_emplace(draft_.element_drafts[i].card, 0, i).first->second;
      ++n;
    }
  for (const auto& [card, entry] : bare)
    draft_.mistakes.error(
        draft_.element_drafts[entry.second].where,
        fmt::format("{} {}", card, draft_.mesh.elements[entry.second].id),
        fmt::format("no section is given for {} elements of this type, this is the first", entry.first),
        "add *SOLID SECTION, *SHELL SECTION or *BEAM SECTION for their set");
  if (!bare.empty()) draft_.skipped_properties.insert(0);
}

bool AbaqusReader::beam_shape(const Section& s, BeamSection& out, std::string& reason) const {
  // Direction 1 is y here and direction 2 is z.
  const std::vector<double>& d = s.numbers;
  const auto shape = [&](const char* name, std::size_t need, std::vector<double> given) {
    if (d.size() >= need) return section_of_shape(name, given, out, reason);
    reason = fmt::format("it has {} of {} dimensions", d.size(), need);
    return false;
  };
  const auto at = [&d](std::size_t i) { return i < d.size() ? d[i] : 0; };
  if (s.shape == "RECT") return shape("BAR", 2, {at(1), at(0)});
  if (s.shape == "CIRC") return shape("ROD", 1, {at(0)});
  if (s.shape == "PIPE") return shape("TUBE2", 2, {at(0), at(1)});
  if (s.shape == "BOX") return shape("BOX1", 6, {at(1), at(0), at(2), at(4), at(3), at(5)});
  if (s.shape == "I") {
    if (!shape("I", 7, {at(1), at(2), at(3), at(6), at(4), at(5)})) return false;
  } else if (s.shape == "L") {
    if (!shape("L", 4, {at(0), at(1), at(2), at(3)})) return false;
  } else {
    reason =
        fmt::format("section '{}' is not supported; use RECT, CIRC, PIPE, BOX, I, L or *BEAM GENERAL SECTION",
                    s.shape.substr(0, 24));
    return false;
  }
  out = turned(out);
  return true;
}

void AbaqusReader::finish_beam_section(const Section& s, const std::vector<int>& elements) {
  const std::string who = fmt::format("*{} of '{}'", s.keyword, s.elset);
  FeProperty p;
  p.id = next_property_++;
  p.name = s.elset;
  p.kind = PropertyKind::beam;
  std::string reason;
  long material = 0;
  bool good = true;
  if (s.keyword == "BEAM SECTION") {
    good = beam_shape(s, p.beam, reason);
    material = material_id(s.material, who, s.where);
    if (s.shape == "I" || s.shape == "L")
      draft_.note("the nodes of I and L beams are put into the centre of the section");
  } else if ((s.shape.empty() || s.shape == "GENERAL") && s.numbers.size() >= 5 && s.third.size() >= 2) {
    p.beam.area_m2 = s.numbers[0];
    p.beam.I_y_m4 = s.numbers[1];
    p.beam.I_yz_m4 = s.numbers[2];
    p.beam.I_z_m4 = s.numbers[3];
    p.beam.torsion_m4 = s.numbers[4];
    p.beam.shear_y = p.beam.shear_z = 5.0 / 6;
    FeMaterial m;
    m.id = static_cast<long>(draft_.mesh.materials.size()) + 1;
    m.name = s.elset;
    m.young_Pa = s.third[0];
    m.shear_Pa = s.third[1];
    m.poisson = m.shear_Pa > 0 ? std::clamp(m.young_Pa / (2 * m.shear_Pa) - 1, -0.99, 0.49) : 0;
    m.density_kg_per_m3 = s.density;
    material = m.id;
    draft_.material(m, s.where);
  } else {
    good = false;
    reason = "only SECTION=GENERAL with A, I11, I12, I22, J, then a direction, then E, G is supported";
  }
  if (!good) draft_.mistakes.error(s.where, who, reason);
  if (good && material > 0)
    draft_.property(p, material, "*BEAM SECTION", s.where);
  else
    draft_.skipped_properties.insert(p.id);
  Vec3 n1(0, 0, -1);
  if (s.second.size() >= 3) n1 = {s.second[0], s.second[1], s.second[2]};
  const int count = element_count_;
  for (const int i : elements) {
    if (i >= count) continue;
    FeElement& e = draft_.mesh.elements[static_cast<std::size_t>(i)];
    draft_.element_drafts[static_cast<std::size_t>(i)].property = p.id;
    BeamPlacement placement;
    placement.y_axis = n1;
    if (const auto it = beam_nodes_.find(i); it != beam_nodes_.end()) {
      const int a = draft_.node_index(draft_.connectivity[static_cast<std::size_t>(e.first_node)]);
      const int g = draft_.node_index(it->second);
      if (g < 0)
        draft_.mistakes.error(draft_.element_drafts[static_cast<std::size_t>(i)].where,
                              fmt::format("beam {}", e.id),
                              fmt::format("orientation node {} does not exist", it->second));
      if (a >= 0 && g >= 0)
        placement.y_axis = draft_.mesh.nodes[static_cast<std::size_t>(g)].p -
                           draft_.mesh.nodes[static_cast<std::size_t>(a)].p;
    }
    if (property_kind_of(e.kind) != PropertyKind::beam) continue;
    e.placement = static_cast<int>(draft_.mesh.beams.size());
    draft_.mesh.beams.push_back(placement);
  }
}

void AbaqusReader::finish_spring(const Section& s, const std::vector<int>& elements) {
  const int count = element_count_;
  const std::string who = fmt::format("*SPRING of '{}'", s.elset);
  for (const int i : elements) {
    if (i < count) continue;
    const PointElement& p = points_[static_cast<std::size_t>(i - count)];
    // Axial springs have no line of components where it is left out, as blank lines are skipped.
    const bool axial = p.type == "SPRINGA";
    const std::vector<double>& stiffness = axial && s.lines == 1 ? s.numbers : s.second;
    if (stiffness.empty()) {
      draft_.mistakes.error(s.where, who, "the stiffness is missing; the keyword is truncated");
      return;
    }
    if (p.type == "SPRING1" || p.type == "SPRING2") {
      const double a = s.numbers.empty() ? 0 : s.numbers[0];
      const double b = p.type == "SPRING1" ? a : s.numbers.size() > 1 ? s.numbers[1] : 0;
      if (!(a >= 1 && a <= 6 && b >= 1 && b <= 6)) {
        draft_.mistakes.error(s.where, who, "each end must have one component from 1 to 6");
        return;
      }
      draft_.spring(p.id, p.nodes[0], static_cast<int>(a) - 1, p.nodes[1], static_cast<int>(b) - 1,
                    stiffness[0], "SPRING", p.where);
    } else if (axial) {
      // A massless rod with E A / L equal to the stiffness.
      const int a = draft_.node_index(p.nodes[0]), b = draft_.node_index(p.nodes[1]);
      double length = 1;
      if (a >= 0 && b >= 0)
        length = (draft_.mesh.nodes[static_cast<std::size_t>(a)].p -
                  draft_.mesh.nodes[static_cast<std::size_t>(b)].p)
                     .norm();
      FeMaterial m;
      m.id = static_cast<long>(draft_.mesh.materials.size()) + 1;
      m.name = fmt::format("SPRINGA {}", p.id);
      m.young_Pa = stiffness[0] * length;
      m.shear_Pa = m.young_Pa / 2;
      draft_.material(m, p.where);
      FeProperty property;
      property.id = next_property_++;
      property.name = m.name;
      property.kind = PropertyKind::rod;
      property.beam.area_m2 = 1;
      draft_.property(property, m.id, "SPRINGA", p.where);
      draft_.element(p.id, ElementKind::rod2, p.nodes.data(), {property.id, p.where, "SPRINGA", -1, 1});
      draft_.note("axial springs (SPRINGA) are read as massless rods");
    }
  }
}

void AbaqusReader::mpc_line(std::string_view line) {
  FieldScanner fields(line);
  std::string_view type, dependent, independent;
  fields.next(type);
  if (!fields.next(dependent) || !fields.next(independent))
    return error("a type and two nodes are expected; the line is truncated",
                 "write BEAM, dependent, leading");
  links_.push_back({upper(type), upper(dependent), upper(independent), line_});
}

void AbaqusReader::finish_links() {
  for (const Link& l : links_) {
    const std::string who = "*MPC " + l.type.substr(0, 16);
    if (l.type != "BEAM" && l.type != "TIE" && l.type != "PIN") {
      draft_.unknown("*MPC, " + l.type, l.where, true);
      continue;
    }
    const std::vector<int> dependent = nodes_named(l.dependent, who, l.where);
    const std::vector<int> leading = nodes_named(l.independent, who, l.where);
    if (dependent.empty() || leading.empty()) continue;
    if (leading.size() != 1 && leading.size() != dependent.size()) {
      draft_.mistakes.error(l.where, who,
                            fmt::format("{} nodes are to follow {}", dependent.size(), leading.size()),
                            "give one leading node, or as many as follow");
      continue;
    }
    for (std::size_t i = 0; i < dependent.size(); ++i) {
      const FeNode& a = draft_.mesh.nodes[static_cast<std::size_t>(dependent[i])];
      const FeNode& b = draft_.mesh.nodes[static_cast<std::size_t>(leading[leading.size() == 1 ? 0 : i])];
      if (l.type != "BEAM" && a.p != b.p) {
        draft_.mistakes.error(l.where, who,
                              fmt::format("nodes {} and {} are apart, they must be in one place", a.id, b.id),
                              "use BEAM");
        continue;
      }
      const std::uint8_t components = l.type == "PIN" ? std::uint8_t{7} : kAllSix;
      draft_.rigid(0, b.id, {a.id}, components, "*MPC", l.where);
    }
  }
}

void AbaqusReader::kinematic_coupling_line(std::string_view line) {
  FieldScanner fields(line);
  std::string_view target, first, last;
  fields.next(target);
  long a = 1, b = 6;
  if (fields.next(first) && !first.empty()) {
    if (!parse_integer(first, a)) return error("a component is no integer from 1 to 6");
    b = a;
    if (fields.next(last) && !last.empty() && !parse_integer(last, b))
      return error("a component is no integer from 1 to 6");
  }
  Coupling c = couplings_.back();
  c.nset = upper(target);
  c.components = component_range(a, b);
  c.keyword = "KINEMATIC COUPLING";
  c.where = line_;
  c.more.clear();
  // The entry of the keyword itself stays without nodes and is left out at the end.
  couplings_.insert(couplings_.end() - 1, std::move(c));
}

void AbaqusReader::coupling_line(std::string_view line) {
  FieldScanner fields(line);
  std::string_view first, last;
  fields.next(first);
  long a = 0, b = 0;
  if (first.empty()) return;
  if (!parse_integer(first, a)) return error("a component is no integer from 1 to 6");
  b = a;
  if (fields.next(last) && !last.empty() && !parse_integer(last, b))
    return error("a component is no integer from 1 to 6");
  Coupling& c = couplings_.back();
  c.components = static_cast<std::uint8_t>(c.components | component_range(a, b));
}

void AbaqusReader::finish_couplings() {
  for (const Coupling& c : couplings_) {
    const std::string who = "*" + c.keyword;
    if (c.reference.empty()) continue;
    std::vector<int> nodes;
    const auto add = [&nodes](const std::vector<int>& more) {
      nodes.insert(nodes.end(), more.begin(), more.end());
    };
    if (c.keyword == "KINEMATIC COUPLING" && c.nset.empty()) continue;
    if (!c.surface.empty()) add(surface_nodes(c.surface, who, c.where));
    if (!c.nset.empty()) add(nodes_named(c.nset, who, c.where));
    if (!c.elset.empty()) add(nodes_of_elements(elements_named(c.elset, who, c.where)));
    for (const std::string& more : c.more) add(nodes_named(more, who, c.where));
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    const std::vector<int> reference = nodes_named(c.reference, who, c.where);
    if (reference.size() != 1) {
      if (!reference.empty())
        draft_.mistakes.error(c.where, who, "the reference is a set of several nodes", "name one node");
      continue;
    }
    nodes.erase(std::remove(nodes.begin(), nodes.end(), reference[0]), nodes.end());
    const long lead = ids_of(reference)[0];
    const std::uint8_t components = c.components == 0 ? kAllSix : c.components;
    if (c.kind == "DISTRIBUTING") {
      std::vector<MeshDraft::Leg> legs;
      for (const long id : ids_of(nodes)) legs.push_back({id, 1, 7});
      draft_.note("*DISTRIBUTING: all nodes have the same weight");
      draft_.mean(0, lead, components, std::move(legs), "*COUPLING", c.where);
    } else if (c.keyword == "COUPLING" && c.kind.empty()) {
      draft_.mistakes.error(c.where, who, "neither *KINEMATIC nor *DISTRIBUTING follows");
    } else {
      draft_.rigid(0, lead, ids_of(nodes), components,
                   c.keyword == "RIGID BODY" ? "*RIGID BODY" : "*COUPLING", c.where);
    }
  }
}

void AbaqusReader::boundary_line(std::string_view line) {
  FieldScanner fields(line);
  std::string_view target, first, last, value;
  fields.next(target);
  if (!fields.next(first) || first.empty())
    return error("a node and components are expected; the line is truncated", "write node, first, last");
  static const std::map<std::string, std::uint8_t> named = {
      {"ENCASTRE", 63}, {"PINNED", 7},    {"XSYMM", 0x31},  {"YSYMM", 0x2a},
      {"ZSYMM", 0x1c},  {"XASYMM", 0x0e}, {"YASYMM", 0x15}, {"ZASYMM", 0x23}};
  Fixing f;
  f.target = upper(target);
  f.where = line_;
  if (const auto it = named.find(upper(first)); it != named.end()) {
    f.components = it->second;
  } else {
    long a = 0, b = 0;
    if (!parse_integer(first, a)) return error("the first component is no integer");
    b = a;
    if (fields.next(last) && !last.empty() && !parse_integer(last, b))
      return error("the last component is no integer");
    f.components = component_range(a, b);
    double x = 0;
    if (fields.next(value) && !value.empty() && parse_real(value, x) && x != 0)
      draft_.note("*BOUNDARY with a value is read as a support that does not move");
  }
  if (f.components != 0) fixings_.push_back(std::move(f));
}

void AbaqusReader::finish_fixings() {
  for (const Fixing& f : fixings_)
    for (const long id : ids_of(nodes_named(f.target, "*BOUNDARY", f.where)))
      draft_.support(id, f.components, "*BOUNDARY", f.where);
}

}  // namespace monocoque::io

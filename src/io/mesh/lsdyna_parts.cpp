// Parts, sections, materials and rigid connections of LS-DYNA.

#include <algorithm>

#include <fmt/format.h>

#include "io/files/text_source.h"
#include "io/mesh/beam_sections.h"
#include "io/mesh/lsdyna_reader.h"

namespace monocoque::io {

void LsDynaReader::part_card() {
  // Title, numbers, then the cards of the option; a keyword may hold several parts.
  if (element_cards_ == 0) {
    part_ = {};
    part_.title = std::string(trimmed(line_).substr(0, 80));
    element_cards_ = 1;
    return;
  }
  if (element_cards_ == 1) {
    cut_equal(card_width(), 8);
    part_.id = integer(0, "id");
    part_.section = integer(1, "section");
    part_.material = integer(2, "material");
    part_.where = where_;
    if (good_ && part_.id <= 0) error(fmt::format("id is {}, it must be > 0", part_.id));
    if (good_) parts_.push_back(part_);
    element_cards_ = name_ == "PART" ? 0 : 2;
    if (name_ == "PART_INERTIA")
      draft_.note(fmt::format(
          "part {}: the mass and inertia of PART_INERTIA are left out, those of its elements hold",
          part_.id));
    angle_cards_ = name_ == "PART_INERTIA" ? 3 : 1;
    return;
  }
  if (element_cards_ == 2 && name_ == "PART_INERTIA") {
    cut_equal(card_width(), 6);
    if (integer(4, "IRCS") == 1) ++angle_cards_;
  }
  ++element_cards_;
  if (--angle_cards_ <= 0) element_cards_ = 0;
}

void LsDynaReader::store_section(long id, const Section& section) {
  if (!good_) return;
  if (!sections_.emplace(id, section).second)
    error(fmt::format("section {} is already defined", id), "give each section its own id");
}

void LsDynaReader::section_shell_card() {
  cut_equal(card_width(), 8);
  if (element_cards_ == 0) {
    section_ = {};
    section_.kind = PropertyKind::shell;
    section_.where = where_;
    section_id_ = integer(0, "id");
    section_shrf_ = real(2, "shear factor");
    const double points = real(3, "points");
    angle_cards_ = integer(6, "ICOMP") == 1
                       ? std::clamp((static_cast<long>(std::clamp(points, 0.0, 1e4)) + 7) / 8, 0L, 2000L)
                       : 0;
    element_cards_ = 1;
    return;
  }
  if (element_cards_ == 1) {
    ShellSection& s = section_.shell;
    const double t = real(0, "thickness");
    s.thickness_m = t;
    for (std::size_t k = 1; k < 4; ++k)
      if (const double tk = real(k, "thickness"); tk != 0 && tk != t)
        draft_.note(fmt::format("*SECTION_SHELL {}: the first of its thicknesses is taken", section_id_));
    if (section_shrf_ > 0) s.shear_ratio = section_shrf_;
    s.offset_m = -real(4, "NLOC") * t / 2;
    s.mass_kg_per_m2 = real(5, "added mass");
    store_section(section_id_, section_);
    if (angle_cards_ > 0)
      draft_.note(fmt::format("*SECTION_SHELL {}: the angles of its layers are left out", section_id_));
    element_cards_ = angle_cards_ > 0 ? 2 : 0;
  } else if (--angle_cards_ <= 0) {
    element_cards_ = 0;
  }
  // With a title, each further section has its own again.
  if (element_cards_ == 0 && options_.count("TITLE") > 0) {
    card_ = -1;
    title_.clear();
  }
}

void LsDynaReader::section_solid_card() {
  cut_equal(card_width(), 8);
  section_ = {};
  section_.where = where_;
  const long form = integer(1, "element form");
  if (form > 100) {
    error(fmt::format("element form {} of the user is not supported", form));
    use_ = &LsDynaReader::skip_card;
    return;
  }
  store_section(integer(0, "id"), section_);
  if (options_.count("TITLE") > 0) {
    card_ = -1;
    title_.clear();
  }
}

void LsDynaReader::section_beam_card() {
  cut_equal(card_width(), 8);
  if (element_cards_ == 0) {
    section_ = {};
    section_.kind = PropertyKind::beam;
    section_.where = where_;
    section_id_ = integer(0, "id");
    section_form_ = integer(1, "element form");
    section_shrf_ = real(2, "shear factor");
    section_cst_ = static_cast<long>(std::clamp(real(4, "CST"), -10.0, 10.0));
    section_nsm_ = real(6, "added mass");
    element_cards_ = 1;
    return;
  }
  element_cards_ = 0;
  if (options_.count("TITLE") > 0) {
    card_ = -1;
    title_.clear();
  }
  const long f = section_form_;
  BeamSection& s = section_.beam;
  if (f == 2 || f == 3 || f == 12 || f == 13) {
    if (starts_with_word(text(0), "SECTION")) {
      error(fmt::format("section {}: standard shapes are not supported", section_id_),
            "give A, ISS, ITT and J");
      return;
    }
    s.area_m2 = real(0, "area");
    if (f == 3) {
      section_.kind = PropertyKind::rod;
    } else {
      s.I_y_m4 = real(1, "ISS");
      s.I_z_m4 = real(2, "ITT");
      s.torsion_m4 = real(3, "J");
      if (s.torsion_m4 == 0) s.torsion_m4 = s.I_y_m4 + s.I_z_m4;
      s.shear_y = s.shear_z = s.area_m2 > 0 ? real(4, "shear area") / s.area_m2 : 0;
      s.I_yz_m4 = real(5, "IST");
    }
  } else if (f == 0 || f == 1 || f == 4 || f == 5 || f == 9 || f == 11 || f == 14) {
    const double ts = real(0, "TS1"), tt = real(2, "TT1");
    if ((text(1).size() > 0 && real(1, "TS2") != 0 && real(1, "TS2") != ts) ||
        (real(3, "TT2") != 0 && real(3, "TT2") != tt))
      draft_.note(
          fmt::format("*SECTION_BEAM {} is tapered; the values at its first node are taken", section_id_));
    if (section_cst_ == 0 && f != 9 && ts > 0 && tt > 0) {
      s = rectangle_section(tt, ts);
    } else if ((section_cst_ == 1 || f == 9) && ts > 0 && tt >= 0 && tt < ts) {
      s = round_section(ts / 2, tt / 2);
    } else {
      error(fmt::format("section {}: dimensions {} and {} with CST {} do not make a section", section_id_, ts,
                        tt, section_cst_),
            "CST 0 is a rectangle, 1 a tube with its outer and inner diameter");
      return;
    }
    if (section_shrf_ > 0) s.shear_y = s.shear_z = section_shrf_;
  } else {
    draft_.unknown(fmt::format("*SECTION_BEAM, form {}", f), section_.where, true);
    skipped_sections_.insert(section_id_);
    return;
  }
  s.mass_kg_per_m = section_nsm_;
  store_section(section_id_, section_);
}

void LsDynaReader::unknown_section_card() {
  if (card_ > 0) return;
  cut_equal(card_width(), 8);
  long id = 0;
  if (parse_integer(text(0), id)) skipped_sections_.insert(id);
}

void LsDynaReader::unknown_material_card() {
  if (card_ > 0) return;
  cut_equal(card_width(), 8);
  long id = 0;
  if (parse_integer(text(0), id)) draft_.skipped_materials.insert(id);
}

void LsDynaReader::material_card() {
  const bool elastic = name_ == "MAT_ELASTIC" || name_ == "MAT_001",
             null = name_ == "MAT_NULL" || name_ == "MAT_009";
  if (card_ > 0 && !elastic) return;
  if (elastic && card_ > 0 && options_.count("TITLE") > 0) return;
  cut_equal(card_width(), 8);
  FeMaterial m;
  m.id = integer(0, "id");
  m.name = std::string(trimmed(title_));
  m.density_kg_per_m3 = real(1, "density");
  m.young_Pa = real(null ? 6 : 2, "Young's modulus");
  m.poisson = real(null ? 7 : 3, "Poisson's ratio");
  m.shear_Pa = m.poisson != -1 ? m.young_Pa / (2 * (1 + m.poisson)) : 0;
  if (name_ == "MAT_RIGID" || name_ == "MAT_020")
    draft_.note("parts of *MAT_RIGID are read as elastic with its modulus");
  else if (!elastic)
    draft_.note(fmt::format("*{} is read as elastic", name_));
  if (good_) draft_.material(m, where_);
}

void LsDynaReader::rigid_body_card() {
  // One body per keyword with _INERTIA or _SPC, which have further cards; otherwise one per card.
  const bool inertia = name_.size() > 8 && name_.find("_INERTIA") != std::string::npos;
  if (card_ > 0 && (inertia || options_.count("SPC") > 0 || options_.count("TITLE") > 0)) return;
  cut_equal(card_width(), 7);
  RigidBody b;
  b.id = integer(0, "id");
  b.set = integer(2, "node set");
  if (b.set == 0) b.set = b.id;
  b.lead = integer(3, "PNODE");
  b.where = where_;
  if (inertia) draft_.note("*CONSTRAINED_NODAL_RIGID_BODY_INERTIA: its mass and inertia are left out");
  if (options_.count("SPC") > 0) draft_.note("*CONSTRAINED_NODAL_RIGID_BODY_SPC: its supports are left out");
  if (integer(5, "DRFLAG") != 0 || integer(6, "RRFLAG") != 0)
    error(fmt::format("body {}: released directions are not supported", b.id), "use a body without releases");
  if (good_) rigid_bodies_.push_back(b);
}

void LsDynaReader::spotweld_card() {
  const bool with_id = name_.size() > 3 && name_.compare(name_.size() - 3, 3, "_ID") == 0;
  if (with_id && card_ % 2 == 0) return;
  cut_equal(card_width(), 8);
  const long a = integer(0, "node 1"), b = integer(1, "node 2");
  if (good_ && (a <= 0 || b <= 0)) error("two nodes are expected; the card is truncated");
  if (good_) draft_.rigid(0, a, {b}, kAllSix, "*CONSTRAINED_SPOTWELD", where_);
}

void LsDynaReader::finish_parts() {
  for (const Part& p : parts_) {
    const auto it = sections_.find(p.section);
    if (it == sections_.end()) {
      draft_.skipped_properties.insert(p.id);
      if (skipped_sections_.count(p.section) == 0)
        draft_.mistakes.error(p.where, fmt::format("*PART {}", p.id),
                              fmt::format("section {} does not exist", p.section),
                              "define the section or correct its id");
      continue;
    }
    FeProperty property;
    property.id = p.id;
    property.name = p.title;
    property.kind = it->second.kind;
    property.beam = it->second.beam;
    property.shell = it->second.shell;
    draft_.property(property, p.material, "*PART", p.where);
  }
  // A beam whose section is that of a truss is a rod.
  std::set<long> rods;
  for (const Part& p : parts_)
    if (const auto it = sections_.find(p.section);
        it != sections_.end() && it->second.kind == PropertyKind::rod)
      rods.insert(p.id);
  for (std::size_t i = 0; !rods.empty() && i < draft_.mesh.elements.size(); ++i)
    if (draft_.mesh.elements[i].kind == ElementKind::beam2 &&
        rods.count(draft_.element_drafts[i].property) > 0)
      draft_.mesh.elements[i].kind = ElementKind::rod2;
}

void LsDynaReader::finish_sets() {
  std::size_t steps = 1000000000;
  for (auto& [id, ranges] : node_ranges_)
    for (const auto& [first, last] : ranges) {
      // A range is a walk over all nodes; a file of nothing but ranges must not take for ever.
      if (node_sets_[id].size() > 20 * draft_.mesh.nodes.size() + 1000 || steps < draft_.mesh.nodes.size()) {
        draft_.mistakes.error({0, 0}, fmt::format("node set {}", id), "it has too many ranges", "join them");
        break;
      }
      steps -= draft_.mesh.nodes.size();
      for (const FeNode& n : draft_.mesh.nodes)
        if (n.id >= first && n.id <= last) node_sets_[id].push_back(n.id);
    }
  for (const auto& [id, nodes] : node_sets_) {
    const auto named = set_names_.find(id);
    std::vector<int> found;
    for (const long n : nodes) {
      const int index = draft_.node_index(n);
      if (index >= 0)
        found.push_back(index);
      else
        draft_.note(fmt::format("node set {} names nodes that do not exist", id));
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    draft_.mesh.node_sets[std::to_string(id)] = found;
    if (named != set_names_.end() && !named->second.empty()) draft_.mesh.node_sets[named->second] = found;
  }
  std::size_t budget = 100000000;
  const auto members = [&](long id, const std::string& who, FileLine where) -> std::vector<long> {
    const auto it = node_sets_.find(id);
    if (it == node_sets_.end()) {
      draft_.mistakes.error(where, who, fmt::format("node set {} does not exist", id),
                            "define it with *SET_NODE_LIST");
      return {};
    }
    if (it->second.size() > budget) {
      draft_.mistakes.error(where, who, "the sets of this file are too large", "name each set less often");
      return {};
    }
    budget -= it->second.size();
    return it->second;
  };
  for (const RigidBody& b : rigid_bodies_) {
    const std::string who = fmt::format("*CONSTRAINED_NODAL_RIGID_BODY {}", b.id);
    std::vector<long> nodes = members(b.set, who, b.where);
    if (nodes.empty()) continue;
    const long lead = b.lead > 0 ? b.lead : nodes.front();
    nodes.erase(std::remove(nodes.begin(), nodes.end(), lead), nodes.end());
    draft_.rigid(b.id, lead, std::move(nodes), kAllSix, "*CONSTRAINED_NODAL_RIGID_BODY", b.where);
  }
  for (const Fixing& f : fixings_) {
    if (f.set)
      for (const long n : members(f.target, "*BOUNDARY_SPC_SET", f.where))
        draft_.support(n, f.components, "*BOUNDARY_SPC_SET", f.where);
    else
      draft_.support(f.target, f.components, "*BOUNDARY_SPC_NODE", f.where);
  }
}

void LsDynaReader::finish_beams() {
  for (const Beam& b : beams_) {
    FeElement& e = draft_.mesh.elements[static_cast<std::size_t>(b.element)];
    BeamPlacement& placement = draft_.mesh.beams[static_cast<std::size_t>(e.placement)];
    if (e.kind == ElementKind::rod2) {
      e.placement = -1;
      continue;
    }
    if (b.node3 <= 0 || !placement.y_axis.isZero()) continue;
    const int a = draft_.node_index(draft_.connectivity[static_cast<std::size_t>(e.first_node)]);
    const int c = draft_.node_index(b.node3);
    if (c < 0)
      draft_.mistakes.error(draft_.element_drafts[static_cast<std::size_t>(b.element)].where,
                            fmt::format("beam {}", e.id),
                            fmt::format("orientation node {} does not exist", b.node3));
    if (a >= 0 && c >= 0)
      placement.y_axis =
          draft_.mesh.nodes[static_cast<std::size_t>(c)].p - draft_.mesh.nodes[static_cast<std::size_t>(a)].p;
  }
}

}  // namespace monocoque::io

// Point masses, springs, rigid and mean spiders, supports of Nastran.

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "io/files/text_source.h"
#include "io/mesh/nastran_reader.h"

namespace monocoque::io {

void NastranReader::conm2(NastranCard& card) {
  const long id = card.positive(0, "id"), node = card.positive(1, "node"),
             system = card.integer(2, "system", 0);
  const double mass = card.real(3, "mass", 0);
  const Vec3 offset = card.vector(4, "offset");
  const double I11 = card.real(8, "I11", 0), I21 = card.real(9, "I21", 0), I22 = card.real(10, "I22", 0),
               I31 = card.real(11, "I31", 0), I32 = card.real(12, "I32", 0), I33 = card.real(13, "I33", 0);
  if (!card.good()) return;
  Mat3 inertia;
  // Products are integrals of x y dm: they stand in the tensor with a minus.
  inertia << I11, -I21, -I31, -I21, I22, -I32, -I31, -I32, I33;
  later_.push_back([this, id, node, system, mass, offset, inertia, where = card.where] {
    const int index = draft_.node_index(node);
    Vec3 p = index < 0 ? Vec3(Vec3::Zero()) : draft_.mesh.nodes[static_cast<std::size_t>(index)].p;
    Mat3 axes = Mat3::Identity();
    if (system > 0) {
      const CoordinateSystem* s = systems_.find(system);
      if (s == nullptr) {
        draft_.mistakes.error(where, fmt::format("CONM2 {}", id),
                              fmt::format("coordinate system {} does not exist", system));
        return;
      }
      axes = s->basis_at(p);
    }
    const Vec3 r = system < 0 ? Vec3(offset - p) : Vec3(axes * offset);
    draft_.mass(id, node, mass, r, axes * inertia * axes.transpose(), "CONM2", where);
  });
}

void NastranReader::celas1(NastranCard& card) {
  const long id = card.positive(0, "id"), property = card.integer(1, "property", id);
  const long g1 = card.integer(2, "node", 0), g2 = card.integer(4, "node", 0);
  const std::uint8_t c1 = card.components(3, "component", 0), c2 = card.components(5, "component", 0);
  if (!card.good()) return;
  later_.push_back([this, id, property, g1, c1, g2, c2, where = card.where] {
    const auto it = spring_rates_.find(property);
    if (it == spring_rates_.end())
      draft_.mistakes.error(where, fmt::format("CELAS1 {}", id),
                            fmt::format("property {} does not exist", property), "define it with PELAS");
    else
      spring(id, it->second, g1, c1, g2, c2, "CELAS1", where);
  });
}

void NastranReader::celas2(NastranCard& card) {
  const long id = card.positive(0, "id");
  const double k = card.real(1, "stiffness");
  const long g1 = card.integer(2, "node", 0), g2 = card.integer(4, "node", 0);
  const std::uint8_t c1 = card.components(3, "component", 0), c2 = card.components(5, "component", 0);
  if (!card.good()) return;
  later_.push_back(
      [this, id, k, g1, c1, g2, c2, where = card.where] { spring(id, k, g1, c1, g2, c2, "CELAS2", where); });
}

void NastranReader::spring(long id, double k, long g1, std::uint8_t c1, long g2, std::uint8_t c2,
                           const char* card, FileLine where) {
  if (g1 == 0) {
    std::swap(g1, g2);
    std::swap(c1, c2);
  }
  const std::string who = fmt::format("{} {}", card, id);
  if (std::popcount(c1) != 1 || (g2 != 0 && std::popcount(c2) != 1)) {
    draft_.mistakes.error(where, who, "each end must have one component",
                          "give a digit from 1 to 6 beside each node");
    return;
  }
  std::uint8_t b1 = 0, b2 = 0;
  if (!turn_components(g1, c1, b1, who, where) || (g2 != 0 && !turn_components(g2, c2, b2, who, where)))
    return;
  draft_.spring(id, g1, std::countr_zero(b1), g2, g2 != 0 ? std::countr_zero(b2) : 0, k, card, where);
}

void NastranReader::rbe2(NastranCard& card) {
  const long id = card.positive(0, "id"), independent = card.positive(1, "independent node");
  const std::uint8_t components = card.components(2, "components", 0);
  if (components == 0 && card.good()) card.mistake("it has no components", "name some, such as 123456");
  std::vector<long> dependent;
  for (std::size_t i = 3; i < card.used(); ++i) {
    // The number at the end is thermal expansion.
    if (!card.has(i) || (is_real_field(card.text(i)) && i + 1 == card.used())) continue;
    dependent.push_back(card.positive(i, "dependent node"));
  }
  if (card.good()) spider(id, independent, std::move(dependent), components, "RBE2", card.where);
}

void NastranReader::rbar(NastranCard& card) {
  const long id = card.positive(0, "id"), a = card.positive(1, "node A"), b = card.positive(2, "node B");
  const std::uint8_t independent_a = card.components(3, "components CNA", 0),
                     independent_b = card.components(4, "components CNB", 0),
                     dependent_a = card.components(5, "components CMA", 0),
                     dependent_b = card.components(6, "components CMB", 0);
  if (!card.good()) return;
  if (independent_a == kAllSix && independent_b == 0 && dependent_a == 0)
    spider(id, a, {b}, dependent_b == 0 ? kAllSix : dependent_b, "RBAR", card.where);
  else if (independent_b == kAllSix && independent_a == 0 && dependent_b == 0)
    spider(id, b, {a}, dependent_a == 0 ? kAllSix : dependent_a, "RBAR", card.where);
  else
    card.mistake("its independent components are shared between both nodes, which is not supported",
                 "give one node all six independent components");
}

void NastranReader::spider(long id, long independent, std::vector<long> dependent, std::uint8_t components,
                           const char* card, FileLine where) {
  later_.push_back([this, id, independent, dependent = std::move(dependent), components, card, where] {
    std::uint8_t basic = components;
    const std::string who = fmt::format("{} {}", card, id);
    for (std::size_t i = 0; i < dependent.size(); ++i) {
      std::uint8_t turned = 0;
      if (!turn_components(dependent[i], components, turned, who, where)) return;
      if (i > 0 && turned != basic) {
        draft_.mistakes.error(where, who, "the directions of its dependent nodes differ",
                              "take all three components of displacement and of rotation");
        return;
      }
      basic = turned;
    }
    draft_.rigid(id, independent, dependent, basic, card, where);
  });
}

void NastranReader::rbe3(NastranCard& card) {
  const long id = card.positive(0, "id"), reference = card.positive(2, "reference node");
  const std::uint8_t components = card.components(3, "reference components", kAllSix);
  std::vector<MeshDraft::Leg> legs;
  double weight = 0;
  std::uint8_t leg_components = 0;
  bool in_group = false;
  for (std::size_t i = 4; i < card.used() && card.good(); ++i) {
    const std::string_view field = card.text(i);
    if (field.empty()) continue;
    if (same_word(field, "UM") || same_word(field, "ALPHA")) break;
    if (is_real_field(field)) {
      weight = card.real(i, "weight");
      if (!(weight > 0)) card.mistake(fmt::format("weight is {}, it must be > 0", weight));
      leg_components = card.components(++i, "components", 0);
      if (leg_components == 0 && card.good())
        card.mistake("a weight without components", "name some, such as 123");
      in_group = true;
    } else if (!in_group) {
      card.mistake(fmt::format("'{}' stands where a weight is expected", std::string(field.substr(0, 16))),
                   "write weights with a point: 1.0");
    } else {
      legs.push_back({card.positive(i, "node"), weight, leg_components});
    }
  }
  if (!card.good()) return;
  later_.push_back([this, id, reference, components, legs, where = card.where]() mutable {
    const std::string who = fmt::format("RBE3 {}", id);
    std::uint8_t basic = 0;
    if (!turn_components(reference, components, basic, who, where)) return;
    for (MeshDraft::Leg& leg : legs)
      if (!turn_components(leg.node, leg.components, leg.components, who, where)) return;
    draft_.mean(id, reference, basic, legs, "RBE3", where);
  });
}

void NastranReader::support_set(long set) {
  support_sets_.insert(set);
}

void NastranReader::spc(NastranCard& card) {
  support_set(card.integer(0, "set"));
  for (std::size_t at = 1; at < 7; at += 3) {
    if (!card.has(at)) continue;
    const long node = card.positive(at, "node");
    const std::uint8_t given = card.components(at + 1, "components", 0);
    if (card.real(at + 2, "enforced value", 0) != 0)
      draft_.note("enforced displacements of SPC are read as supports that do not move");
    if (!card.good() || given == 0) continue;
    later_.push_back([this, node, given, where = card.where] {
      std::uint8_t basic = 0;
      if (turn_components(node, given, basic, "SPC", where)) draft_.support(node, basic, "SPC", where);
    });
  }
}

void NastranReader::spc1(NastranCard& card) {
  support_set(card.integer(0, "set"));
  const std::uint8_t given = card.components(1, "components", 0);
  const auto fix = [this, given](long node, FileLine where) {
    std::uint8_t basic = 0;
    if (turn_components(node, given, basic, "SPC1", where)) draft_.support(node, basic, "SPC1", where);
  };
  if (same_word(card.text(3), "THRU")) {
    const long first = card.positive(2, "first node"), last = card.positive(4, "last node");
    if (!card.good() || given == 0) return;
    // Nodes missing in the range are no mistake; the range may be far wider than the mesh.
    later_.push_back([this, fix, first, last, where = card.where] {
      if (range_steps_ < draft_.mesh.nodes.size()) {
        draft_.mistakes.error(where, "SPC1", "the file has too many ranges of nodes", "join them");
        return;
      }
      range_steps_ -= draft_.mesh.nodes.size();
      for (const FeNode& n : draft_.mesh.nodes)
        if (n.id >= first && n.id <= last) fix(n.id, where);
    });
    return;
  }
  for (std::size_t i = 2; i < card.used(); ++i) {
    if (!card.has(i)) continue;
    const long node = card.positive(i, "node");
    if (card.good() && given != 0) later_.push_back([fix, node, where = card.where] { fix(node, where); });
  }
}

}  // namespace monocoque::io

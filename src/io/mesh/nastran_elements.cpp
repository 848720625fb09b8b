// Elements of Nastran: shells, solids, rods, beams.

#include <array>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include "io/files/text_source.h"
#include "io/mesh/nastran_reader.h"

namespace monocoque::io {

struct NastranReader::BeamInput {
  long id = 0;
  int element = -1;
  const char* card = "";
  FileLine where;
  long a = 0, b = 0, g0 = 0;
  Vec3 v = Vec3::Zero(), offset_a = Vec3::Zero(), offset_b = Vec3::Zero();
  std::array<char, 3> offt = {'G', 'G', 'G'};
};

void NastranReader::shell(NastranCard& card) {
  const bool quad = card.name[1] == 'Q';
  const std::size_t count = quad ? 4 : 3;
  std::array<long, 4> nodes{};
  const long id = card.positive(0, "id");
  const long property = card.integer(1, "property", id);
  for (std::size_t k = 0; k < count; ++k) nodes[k] = card.positive(2 + k, "node");
  // Behind the nodes: direction of the material, offset; on the next line one blank or two, TFLAG,
  // thicknesses.
  ShellVariant variant;
  variant.offset = card.real(3 + count, "offset", 0);
  double sum = 0, first = 0;
  int given = 0;
  bool equal = true;
  constexpr std::size_t flag = 9;
  const long relative = card.has(flag) ? card.integer(flag, "thickness flag", 0) : 0;
  for (std::size_t k = 0; k < count; ++k)
    if (card.has(flag + 1 + k)) {
      const double t = card.real(flag + 1 + k, "thickness");
      if (given++ == 0) first = t;
      equal = equal && t == first;
      sum += t;
    }
  if (!card.good()) return;
  ElementDraft e{property, card.where, quad ? "CQUAD4" : "CTRIA3", -1, 0};
  if (given > 0 && relative == 0) {
    variant.thickness = equal ? first : sum / given;
    if (!(variant.thickness > 0))
      card.mistake(fmt::format("thickness is {}, it must be > 0", variant.thickness));
    if (!equal) draft_.note("shells with thicknesses at their corners have the mean of them");
  } else if (given > 0) {
    card.mistake("relative thicknesses (TFLAG 1) are not supported",
                 "give thicknesses, or one in the property");
    return;
  }
  if (!card.good()) return;
  if (variant.thickness != 0 || variant.offset != 0) {
    e.variant = static_cast<int>(draft_.variants.size());
    draft_.variants.push_back(variant);
  }
  draft_.element(id, quad ? ElementKind::shell4 : ElementKind::shell3, nodes.data(), e);
}

void NastranReader::solid(NastranCard& card) {
  // Nastran puts the vertical edges of a brick before the top ones.
  constexpr std::array<std::size_t, 20> brick = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,
                                                 10, 11, 16, 17, 18, 19, 12, 13, 14, 15};
  const std::size_t used = card.used();
  const std::size_t given = used > 2 ? used - 2 : 0;
  const bool hexa = card.name == "CHEXA", penta = card.name == "CPENTA";
  const std::size_t corners = hexa ? 8 : penta ? 6 : 4, full = hexa ? 20 : penta ? 15 : 10;
  const long id = card.positive(0, "id"), property = card.integer(1, "property", id);
  if (given < corners) {
    card.mistake(fmt::format("it has {} of {} nodes; the card is truncated", given, corners));
    return;
  }
  const bool quadratic = given > corners;
  if (quadratic && penta) {
    card.mistake("wedges with nodes on their edges are not supported",
                 "use CPENTA with 6 nodes or CTETRA with 10");
    return;
  }
  const std::size_t count = quadratic ? full : corners;
  if (given > full) {
    card.mistake(fmt::format("it has {} nodes, it must have {} or {}", given, corners, full));
    return;
  }
  std::array<long, 20> nodes{};
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t from = hexa && quadratic ? brick[k] : k;
    nodes[k] = card.positive(2 + from, from < corners ? "node" : "node on an edge");
  }
  if (!card.good()) return;
  const ElementKind kind = hexa    ? (quadratic ? ElementKind::brick20 : ElementKind::brick8)
                           : penta ? ElementKind::wedge6
                                   : (quadratic ? ElementKind::tet10 : ElementKind::tet4);
  draft_.element(id, kind, nodes.data(),
                 {property, card.where,
                  hexa    ? "CHEXA"
                  : penta ? "CPENTA"
                          : "CTETRA",
                  -1, 0});
}

void NastranReader::rod(NastranCard& card) {
  const long id = card.positive(0, "id"), property = card.integer(1, "property", id);
  const std::array<long, 2> nodes = {card.positive(2, "node"), card.positive(3, "node")};
  if (card.good())
    draft_.element(id, ElementKind::rod2, nodes.data(),
                   {property, card.where, card.name == "CROD" ? "CROD" : "CTUBE", -1, 0});
}

void NastranReader::conrod(NastranCard& card) {
  const long id = card.positive(0, "id");
  const std::array<long, 2> nodes = {card.positive(1, "node"), card.positive(2, "node")};
  const long material = card.positive(3, "material");
  FeProperty p;
  // Its own property gets an id that no card can have.
  p.id = -id;
  p.name = fmt::format("CONROD {}", id);
  p.kind = PropertyKind::rod;
  p.beam.area_m2 = card.real(4, "area", 0);
  p.beam.torsion_m4 = card.real(5, "torsion constant", 0);
  p.beam.mass_kg_per_m = card.real(7, "nonstructural mass", 0);
  if (!card.good()) return;
  draft_.property(p, material, "CONROD", card.where);
  draft_.element(id, ElementKind::rod2, nodes.data(), {p.id, card.where, "CONROD", -1, 0});
}

void NastranReader::beam_defaults(NastranCard& card) {
  BeamDefaults& d = card.name == "BAROR" ? bar_defaults_ : beam_defaults_;
  if (d.given) card.mistake("there is already one in the file", "keep one of them");
  d.given = true;
  d.property = card.integer(1, "property", 0);
  d.x1 = card.text(4);
  d.x2 = card.text(5);
  d.x3 = card.text(6);
  d.offt = card.text(7);
}

void NastranReader::beam(NastranCard& card) {
  const bool bar = card.name == "CBAR";
  const BeamDefaults& defaults = bar ? bar_defaults_ : beam_defaults_;
  BeamInput in;
  in.id = card.positive(0, "id");
  in.card = bar ? "CBAR" : "CBEAM";
  in.where = card.where;
  const long property = card.integer(1, "property", defaults.property > 0 ? defaults.property : in.id);
  in.a = card.positive(2, "node A");
  in.b = card.positive(3, "node B");
  card.fields.resize(std::max<std::size_t>(card.fields.size(), 8));
  if (!card.has(4) && !card.has(5) && !card.has(6)) {
    card.fields[4] = defaults.x1;
    card.fields[5] = defaults.x2;
    card.fields[6] = defaults.x3;
  }
  if (!card.has(7)) card.fields[7] = defaults.offt;
  if (card.has(4) && !is_real_field(card.text(4)) && !card.has(5) && !card.has(6)) {
    in.g0 = card.positive(4, "orientation node");
  } else {
    in.v = card.vector(4, "orientation vector");
    if (in.v.isZero())
      card.mistake("the orientation vector is zero or missing", "give a vector off the axis, or a node");
  }
  if (card.has(7) && card.text(7).size() == 3)
    for (std::size_t k = 0; k < 3; ++k) in.offt[k] = upper(card.text(7))[k];
  BeamPlacement placement;
  placement.release_a = card.components(8, "pin flags at A", 0);
  placement.release_b = card.components(9, "pin flags at B", 0);
  in.offset_a = card.vector(10, "offset at A");
  in.offset_b = card.vector(13, "offset at B");
  if (!bar && (card.has(16) || card.has(17))) draft_.note("warping of CBEAM (SA, SB) is left out");
  if (!card.good()) return;
  const std::array<long, 2> nodes = {in.a, in.b};
  in.element =
      draft_.element(in.id, ElementKind::beam2, nodes.data(), {property, card.where, in.card, -1, 0});
  if (in.element < 0) return;
  draft_.mesh.elements[static_cast<std::size_t>(in.element)].placement =
      static_cast<int>(draft_.mesh.beams.size());
  draft_.mesh.beams.push_back(placement);
  later_.push_back([this, in] { place_beam(in); });
}

void NastranReader::place_beam(const BeamInput& in) {
  const int a = draft_.node_index(in.a), b = draft_.node_index(in.b);
  if (a < 0 || b < 0) return;  // reported with the element
  const auto& nodes = draft_.mesh.nodes;
  const Vec3 p_a = nodes[static_cast<std::size_t>(a)].p, p_b = nodes[static_cast<std::size_t>(b)].p;
  const std::string who = fmt::format("{} {}", in.card, in.id);
  BeamPlacement& out = draft_.mesh.beams[static_cast<std::size_t>(
      draft_.mesh.elements[static_cast<std::size_t>(in.element)].placement)];
  if (in.g0 > 0) {
    const int g0 = draft_.node_index(in.g0);
    if (g0 < 0) {
      draft_.mistakes.error(in.where, who, fmt::format("orientation node {} does not exist", in.g0));
      return;
    }
    out.y_axis = nodes[static_cast<std::size_t>(g0)].p - p_a;
  } else {
    out.y_axis = in.offt[0] == 'B' ? in.v : Vec3(directions_at(in.a) * in.v);
  }
  const Vec3 along = p_b - p_a;
  const Vec3 z = along.cross(out.y_axis);
  const bool in_element_axes = in.offt[1] == 'O' || in.offt[2] == 'O';
  // Offsets of their own can make the axis differ from the line of the nodes; the element checks that again.
  const bool no_offset = in.offset_a.isZero() && in.offset_b.isZero();
  if ((no_offset || in_element_axes) && !(z.norm() > 1e-9 * along.norm() * out.y_axis.norm())) {
    draft_.mistakes.error(in.where, who, "the orientation vector is along the beam or the beam has no length",
                          "choose a vector across the beam");
    return;
  }
  Mat3 element_axes = Mat3::Identity();
  if (in_element_axes) {
    element_axes.col(0) = along.normalized();
    element_axes.col(2) = z.normalized();
    element_axes.col(1) = element_axes.col(2).cross(element_axes.col(0));
  }
  out.offset_a_m = (in.offt[1] == 'O' ? element_axes : directions_at(in.a)) * in.offset_a;
  out.offset_b_m = (in.offt[2] == 'O' ? element_axes : directions_at(in.b)) * in.offset_b;
}

}  // namespace monocoque::io

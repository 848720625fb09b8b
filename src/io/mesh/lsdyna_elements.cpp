// Nodes and elements of LS-DYNA.

#include <fmt/format.h>

#include "io/files/text_source.h"
#include "io/mesh/lsdyna_reader.h"

namespace monocoque::io {

namespace {

/// Codes of *NODE and of beam releases: 1 x, 2 y, 3 z, 4 xy, 5 yz, 6 zx, 7 xyz.
std::uint8_t directions(long code) {
  constexpr std::array<std::uint8_t, 8> bits = {0, 1, 2, 4, 3, 6, 5, 7};
  return code >= 0 && code < 8 ? bits[static_cast<std::size_t>(code)] : std::uint8_t{0};
}

}  // namespace

void LsDynaReader::node_card() {
  const std::size_t id_columns = id_width(), x = long_ ? 20 : 16, flag = long_ ? 20 : 8;
  cut({id_columns, x, x, x, flag, flag});
  const long id = integer(0, "id");
  const Vec3 p(real(1, "coordinate"), real(2, "coordinate"), real(3, "coordinate"));
  if (good_ && id <= 0) error(fmt::format("id is {}, it must be > 0", id));
  if (!good_) return;
  draft_.node(id, p, where_);
  if (fields_.size() <= 4) return;
  const int fixed = directions(integer(4, "constraint")) | directions(integer(5, "constraint")) << 3;
  if (fixed != 0) draft_.support(id, static_cast<std::uint8_t>(fixed), "*NODE", where_);
}

void LsDynaReader::shell_card() {
  if (element_cards_ == 0) {
    cut_equal(id_width(), 10);
    element_id_ = integer(0, "id");
    element_part_ = integer(1, "part");
    element_ = {};
    for (std::size_t k = 0; k < 8; ++k) element_[k] = integer(2 + k, "node");
    element_where_ = where_;
    variant_ = {};
    shell_relevant_ = good_;
    if (good_ && element_id_ <= 0) error(fmt::format("id is {}, it must be > 0", element_id_));
    if (good_ && (element_[0] <= 0 || element_[1] <= 0 || element_[2] <= 0))
      error(fmt::format("element {} has not three nodes; the card is truncated", element_id_));
    shell_relevant_ = good_;
    element_cards_ = 1;
  } else if (element_cards_ == 1) {
    cut_equal(16, 5);
    double sum = 0;
    const std::size_t count = element_[3] == 0 || element_[3] == element_[2] ? 3 : 4;
    for (std::size_t k = 0; k < count; ++k) sum += real(k, "thickness");
    if (options_.count("THICKNESS") > 0) variant_.thickness = sum / static_cast<double>(count);
    if (variant_.thickness < 0) error(fmt::format("thickness is {}, it must be > 0", variant_.thickness));
    element_cards_ = 2;
  } else {
    cut_equal(16, 1);
    variant_.offset = real(0, "offset");
    element_cards_ = 3;
  }
  const bool thickness = options_.count("THICKNESS") + options_.count("BETA") + options_.count("MCID") > 0;
  const bool offset = options_.count("OFFSET") > 0;
  if (element_cards_ == 1 && thickness) return;
  if (element_cards_ == 1 && offset) {
    element_cards_ = 2;
    return;
  }
  if (element_cards_ == 2 && offset) return;
  element_cards_ = 0;
  if (shell_relevant_ && good_) store_shell();
}

void LsDynaReader::store_shell() {
  if (element_[4] != 0) {
    draft_.unknown("*ELEMENT_SHELL with 8 nodes", element_where_, true);
    return;
  }
  ElementDraft e{element_part_, element_where_, "shell", -1, 0};
  if (variant_.thickness > 0 || variant_.offset != 0) {
    e.variant = static_cast<int>(draft_.variants.size());
    draft_.variants.push_back(variant_);
  }
  const bool triangle = element_[3] == 0 || element_[3] == element_[2];
  draft_.element(element_id_, triangle ? ElementKind::shell3 : ElementKind::shell4, element_.data(), e);
}

void LsDynaReader::solid_card() {
  if (element_cards_ == 2) {  // angles of _ORTHO
    if (++element_part_ == 2) element_cards_ = 0;
    return;
  }
  cut_equal(id_width(), 10);
  if (element_cards_ == 0) {
    element_ = {};
    element_id_ = integer(0, "id");
    element_part_ = integer(1, "part");
    element_where_ = where_;
    if (good_ && element_id_ <= 0) error(fmt::format("id is {}, it must be > 0", element_id_));
    bool short_card = true;
    for (std::size_t k = 2; k < fields_.size(); ++k)
      short_card = short_card && (fields_[k].empty() || fields_[k] == "0");
    if (short_card) {
      element_cards_ = 1;  // nodes on the next card, up to ten
      return;
    }
    for (std::size_t k = 0; k < 8; ++k) element_[k] = integer(2 + k, "node");
  } else {
    for (std::size_t k = 0; k < 10; ++k) element_[k] = integer(k, "node");
    element_cards_ = 0;
  }
  if (good_) store_solid(element_id_, element_part_, element_);
  if (options_.count("ORTHO") > 0) {
    element_cards_ = 2;
    element_part_ = 0;
  }
}

void LsDynaReader::store_solid(long id, long part, const std::array<long, 10>& n) {
  const ElementDraft e{part, element_where_, "solid", -1, 1};
  const auto equal = [&n](std::size_t a, std::size_t b) { return n[a] == n[b]; };
  if (n[0] <= 0 || n[1] <= 0 || n[2] <= 0 || n[3] <= 0) {
    draft_.mistakes.error(element_where_, fmt::format("solid {}", id),
                          "it has fewer than four nodes; the card is truncated");
  } else if (n[8] > 0 && n[9] > 0) {
    draft_.element(id, ElementKind::tet10, n.data(), e);
  } else if (n[4] <= 0 || (equal(3, 4) && equal(4, 5) && equal(5, 6) && equal(6, 7))) {
    draft_.element(id, ElementKind::tet4, n.data(), e);
  } else if (n[6] <= 0) {
    draft_.element(id, ElementKind::wedge6, n.data(), e);
  } else if (equal(4, 5) && equal(6, 7) && !equal(5, 6)) {
    // The edge above nodes 1 and 2 and the one above 3 and 4 have shrunk to points.
    const std::array<long, 6> wedge = {n[0], n[4], n[1], n[3], n[6], n[2]};
    draft_.element(id, ElementKind::wedge6, wedge.data(), e);
  } else if (equal(2, 3) && equal(6, 7)) {
    const std::array<long, 6> wedge = {n[0], n[1], n[2], n[4], n[5], n[6]};
    draft_.element(id, ElementKind::wedge6, wedge.data(), e);
  } else if (equal(4, 5) && equal(5, 6) && equal(6, 7)) {
    draft_.unknown("*ELEMENT_SOLID as pyramid", element_where_, true);
  } else {
    draft_.element(id, ElementKind::brick8, n.data(), e);
  }
}

void LsDynaReader::beam_card() {
  if (element_cards_ == 0) {
    cut_equal(id_width(), 10);
    const long id = integer(0, "id"), part = integer(1, "part");
    const std::array<long, 2> nodes = {integer(2, "node 1"), integer(3, "node 2")};
    const long node3 = integer(4, "node 3");
    BeamPlacement placement;
    placement.release_a =
        static_cast<std::uint8_t>(directions(integer(5, "release")) | directions(integer(6, "release")) << 3);
    placement.release_b =
        static_cast<std::uint8_t>(directions(integer(7, "release")) | directions(integer(8, "release")) << 3);
    if (integer(9, "LOCAL") == 1 && (placement.release_a | placement.release_b) != 0)
      error(fmt::format("beam {}: releases in global directions are not supported", id),
            "give them in local ones");
    if (good_ && (id <= 0 || nodes[0] <= 0 || nodes[1] <= 0))
      error("an id or a node is missing; the card is truncated");
    last_beam_ =
        good_ ? draft_.element(id, ElementKind::beam2, nodes.data(), {part, where_, "beam", -1, 2}) : -1;
    if (last_beam_ >= 0) {
      draft_.mesh.elements[static_cast<std::size_t>(last_beam_)].placement =
          static_cast<int>(draft_.mesh.beams.size());
      draft_.mesh.beams.push_back(placement);
      beams_.push_back({last_beam_, node3});
    }
    element_cards_ = options_.count("OFFSET") > 0 ? 1 : options_.count("ORIENTATION") > 0 ? 2 : 0;
    return;
  }
  if (element_cards_ == 1) {
    cut_equal(long_ ? 20 : 8, 6);
    const Vec3 a(real(0, "offset"), real(1, "offset"), real(2, "offset"));
    const Vec3 b(real(3, "offset"), real(4, "offset"), real(5, "offset"));
    if (last_beam_ >= 0) {
      draft_.mesh.beams.back().offset_a_m = a;
      draft_.mesh.beams.back().offset_b_m = b;
    }
    element_cards_ = options_.count("ORIENTATION") > 0 ? 2 : 0;
    return;
  }
  cut_equal(card_width(), 3);
  if (last_beam_ >= 0)
    draft_.mesh.beams.back().y_axis = {real(0, "direction"), real(1, "direction"), real(2, "direction")};
  element_cards_ = 0;
}

void LsDynaReader::mass_card() {
  const std::size_t width = id_width();
  cut({width, width, long_ ? std::size_t{20} : std::size_t{16}, width});
  const long id = integer(0, "id"), node = integer(1, "node");
  const double mass = real(2, "mass");
  if (good_) draft_.mass(id, node, mass, Vec3::Zero(), Mat3::Zero(), "*ELEMENT_MASS", where_);
}

void LsDynaReader::inertia_card() {
  if (element_cards_ == 0) {
    cut_equal(id_width(), 3);
    element_id_ = integer(0, "id");
    element_[0] = integer(1, "node");
    element_where_ = where_;
    if (integer(2, "system") != 0)
      error("a coordinate system is not supported", "give the tensor in global axes");
    element_cards_ = 1;
    return;
  }
  element_cards_ = 0;
  cut_equal(card_width(), 7);
  std::array<double, 7> v{};
  for (std::size_t k = 0; k < 7; ++k) v[k] = real(k, "inertia");
  Mat3 inertia;
  inertia << v[0], v[1], v[2], v[1], v[3], v[4], v[2], v[4], v[5];
  if (good_)
    draft_.mass(element_id_, element_[0], v[6], Vec3::Zero(), inertia, "*ELEMENT_INERTIA", element_where_);
}

}  // namespace monocoque::io

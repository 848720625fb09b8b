// LS-DYNA keyword files: lines, fields, nodes, elements, sets. Parts, sections and materials are in
// lsdyna_parts.cpp.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "io/lsdyna_reader.h"
#include "io/mesh_readers.h"
#include "io/text_source.h"

namespace monocoque::io {

namespace {

/// Takes an option off the end of a keyword.
bool strip(std::string& name, std::string_view option) {
  if (name.size() <= option.size() || name.compare(name.size() - option.size(), option.size(), option) != 0)
    return false;
  name.resize(name.size() - option.size());
  return true;
}

/// Codes of *NODE and of beam releases: 1 x, 2 y, 3 z, 4 xy, 5 yz, 6 zx, 7 xyz.
std::uint8_t directions(long code) {
  constexpr std::array<std::uint8_t, 8> bits = {0, 1, 2, 4, 3, 6, 5, 7};
  return code >= 0 && code < 8 ? bits[static_cast<std::size_t>(code)] : std::uint8_t{0};
}

bool starts(const std::string& name, std::string_view head) {
  return name.compare(0, head.size(), head) == 0;
}

}  // namespace

FeMesh LsDynaReader::read(std::string_view text) {
  open_files_.push_back(draft_.mesh.file);
  scan(text, 0);
  finish_parts();
  draft_.index_nodes();
  finish_sets();
  finish_beams();
  return draft_.finish();
}

bool LsDynaReader::scan(std::string_view text, int file) {
  LineScanner lines(text);
  std::string_view line;
  use_ = nullptr;
  while (lines.next(line)) {
    if (!line.empty() && line.front() == '$') continue;
    where_ = {file, lines.line()};
    if (!line.empty() && line.front() == '*') {
      keyword(trimmed(line.substr(1)));
      if (name_ == "END") return false;
      continue;
    }
    if (use_ == nullptr) continue;
    line_ = line;
    good_ = true;
    if (options_.count("TITLE") > 0 && title_.empty() && card_ == 0) {
      title_ = trimmed(line);
      if (title_.empty()) title_.assign(1, ' ');
      continue;
    }
    // Blank lines between cards of nodes and elements are no cards.
    if (trimmed(line).empty() && (starts(name_, "NODE") || starts(name_, "ELEMENT"))) continue;
    (this->*use_)();
    ++card_;
  }
  return true;
}

void LsDynaReader::keyword(std::string_view line) {
  // "*KEYWORD LONG=S I10=Y"; "*NODE+" is long, "*NODE %" has ids of ten columns.
  std::string name = upper(line.substr(0, line.find(' ')));
  const std::string rest = upper(trimmed(line.substr(std::min(line.size(), name.size()))));
  if (name == "KEYWORD") {
    long_file_ = rest.find("LONG=S") != std::string::npos || rest.find("LONG=Y") != std::string::npos;
    i10_file_ = rest.find("I10=Y") != std::string::npos;
  }
  long_ = long_file_ || (!name.empty() && name.back() == '+') || rest == "+";
  i10_ = i10_file_ || (!name.empty() && name.back() == '%') || rest == "%";
  if (!name.empty() && name.back() == '-') long_ = false;
  while (!name.empty() && (name.back() == '+' || name.back() == '%' || name.back() == '-')) name.pop_back();
  card_ = 0;
  element_cards_ = 0;
  options_.clear();
  title_.clear();
  use_ = nullptr;
  name_ = name;
  if (name != "TITLE" && strip(name, "_TITLE")) options_.insert("TITLE");
  name_ = name;
  if (name == "END" || name == "KEYWORD" || name == "TITLE") return;
  use_ = starts(name, "ELEMENT_") ? element_keyword(name) : other_keyword(name);
  if (use_ != nullptr) return;
  const bool heavy = starts(name, "ELEMENT_") || starts(name, "CONSTRAINED_") ||
                     name == "INCLUDE_TRANSFORM" || starts(name, "PART_") || starts(name, "PARAMETER_") ||
                     name == "NODE_TRANSFORM";
  // A damper or a printout for a group of elements has neither mass nor stiffness.
  const bool light =
      starts(name, "PART_SENSOR") || starts(name, "PART_MODES") || starts(name, "CONSTRAINED_GLOBAL");
  draft_.unknown("*" + name, where_, heavy && !light);
}

LsDynaReader::Card LsDynaReader::element_keyword(const std::string& full) {
  std::string name = full;
  const auto take = [&](std::initializer_list<const char*> known) {
    for (bool again = true; again;) {
      again = false;
      for (const char* option : known)
        if (strip(name, fmt::format("_{}", option))) {
          options_.insert(option);
          again = true;
        }
    }
  };
  if (starts(name, "ELEMENT_SHELL")) {
    take({"THICKNESS", "BETA", "OFFSET", "MCID"});
    if (name == "ELEMENT_SHELL") return &LsDynaReader::shell_card;
  } else if (starts(name, "ELEMENT_SOLID")) {
    take({"ORTHO"});
    if (name == "ELEMENT_SOLID") return &LsDynaReader::solid_card;
  } else if (starts(name, "ELEMENT_BEAM")) {
    take({"ORIENTATION", "OFFSET"});
    if (name == "ELEMENT_BEAM") return &LsDynaReader::beam_card;
  } else if (name == "ELEMENT_MASS") {
    return &LsDynaReader::mass_card;
  } else if (name == "ELEMENT_INERTIA") {
    return &LsDynaReader::inertia_card;
  }
  return nullptr;
}

LsDynaReader::Card LsDynaReader::other_keyword(const std::string& full) {
  std::string name = full;
  if (name == "NODE") return &LsDynaReader::node_card;
  if (name == "INCLUDE") return &LsDynaReader::include_card;
  if (name == "PARAMETER") return &LsDynaReader::parameter_card;
  if (name == "SET_NODE" || name == "SET_NODE_LIST" || name == "SET_NODE_LIST_GENERATE")
    return &LsDynaReader::set_card;
  if (name == "BOUNDARY_SPC_NODE" || name == "BOUNDARY_SPC_SET" || name == "BOUNDARY_SPC_NODE_ID" ||
      name == "BOUNDARY_SPC_SET_ID")
    return &LsDynaReader::spc_card;
  if (name == "PART" || name == "PART_INERTIA" || name == "PART_CONTACT" || name == "PART_PRINT")
    return &LsDynaReader::part_card;
  if (name == "SECTION_SHELL") return &LsDynaReader::section_shell_card;
  if (name == "SECTION_SOLID") return &LsDynaReader::section_solid_card;
  if (name == "SECTION_BEAM") return &LsDynaReader::section_beam_card;
  if (starts(name, "SECTION_")) {
    draft_.unknown("*" + name, where_, true);
    return &LsDynaReader::unknown_section_card;
  }
  if (starts(name, "MAT_") && !starts(name, "MAT_ADD_") && !starts(name, "MAT_THERMAL_")) {
    static const std::set<std::string_view> known = {"MAT_ELASTIC",
                                                     "MAT_001",
                                                     "MAT_PLASTIC_KINEMATIC",
                                                     "MAT_003",
                                                     "MAT_PIECEWISE_LINEAR_PLASTICITY",
                                                     "MAT_024",
                                                     "MAT_RIGID",
                                                     "MAT_020",
                                                     "MAT_PLASTICITY_WITH_DAMAGE",
                                                     "MAT_081",
                                                     "MAT_082",
                                                     "MAT_MODIFIED_PIECEWISE_LINEAR_PLASTICITY",
                                                     "MAT_123",
                                                     "MAT_SPOTWELD",
                                                     "MAT_100",
                                                     "MAT_POWER_LAW_PLASTICITY",
                                                     "MAT_018",
                                                     "MAT_SIMPLIFIED_JOHNSON_COOK",
                                                     "MAT_098",
                                                     "MAT_STRAIN_RATE_DEPENDENT_PLASTICITY",
                                                     "MAT_019",
                                                     "MAT_3-PARAMETER_BARLAT",
                                                     "MAT_036",
                                                     "MAT_TRANSVERSELY_ANISOTROPIC_ELASTIC_PLASTIC",
                                                     "MAT_037",
                                                     "MAT_NULL",
                                                     "MAT_009",
                                                     "MAT_RATE_SENSITIVE_POWERLAW_PLASTICITY",
                                                     "MAT_064",
                                                     "MAT_ANISOTROPIC_ELASTIC_PLASTIC_E"};
    if (known.count(name) > 0) return &LsDynaReader::material_card;
    draft_.unknown("*" + name, where_, true);
    return &LsDynaReader::unknown_material_card;
  }
  if (name == "CONSTRAINED_SPOTWELD" || name == "CONSTRAINED_RIVET" || name == "CONSTRAINED_SPOTWELD_ID" ||
      name == "CONSTRAINED_RIVET_ID")
    return &LsDynaReader::spotweld_card;
  if (strip(name, "_SPC")) options_.insert("SPC");
  if (name == "CONSTRAINED_NODAL_RIGID_BODY" || name == "CONSTRAINED_NODAL_RIGID_BODY_INERTIA")
    return &LsDynaReader::rigid_body_card;
  return nullptr;
}

void LsDynaReader::cut(std::initializer_list<std::size_t> widths) {
  fields_.clear();
  std::string_view field;
  if (line_.find(',') != std::string_view::npos) {
    FieldScanner scanner(line_);
    while (scanner.next(field) && fields_.size() < 64) fields_.push_back(field);
    return;
  }
  std::size_t at = 0;
  for (const std::size_t width : widths) {
    if (at >= line_.size()) break;
    fields_.push_back(trimmed(line_.substr(at, width)));
    at += width;
  }
}

void LsDynaReader::cut_equal(std::size_t width, std::size_t count) {
  fields_.clear();
  if (line_.find(',') != std::string_view::npos) return cut({});
  for (std::size_t at = 0; at < line_.size() && fields_.size() < count; at += width)
    fields_.push_back(trimmed(line_.substr(at, width)));
}

std::string_view LsDynaReader::text(std::size_t i) {
  std::string_view s = i < fields_.size() ? fields_[i] : std::string_view{};
  const bool minus = s.size() > 2 && s[0] == '-' && s[1] == '&';
  if (!minus && (s.size() < 2 || s[0] != '&')) return s;
  const auto it = parameters_.find(upper(s.substr(minus ? 2 : 1)));
  if (it == parameters_.end()) {
    error(fmt::format("parameter '{}' does not exist", std::string(s.substr(0, 24))),
          "define it with *PARAMETER before");
    return {};
  }
  if (!minus) return it->second;
  parameter_text_ = it->second.rfind('-', 0) == 0 ? it->second.substr(1) : fmt::format("-{}", it->second);
  return parameter_text_;
}

long LsDynaReader::integer(std::size_t i, const char* what) {
  const std::string_view s = text(i);
  long value = 0;
  if (s.empty() || parse_integer(s, value)) return value;
  // Some programs write ids and flags as "0.000".
  double x = 0;
  if (parse_real(s, x) && x == static_cast<double>(static_cast<long>(std::clamp(x, -1e15, 1e15))))
    return static_cast<long>(x);
  error(fmt::format("{} is '{}', it must be an integer", what, std::string(s.substr(0, 24))));
  return 0;
}

double LsDynaReader::real(std::size_t i, const char* what) {
  const std::string_view s = text(i);
  double value = 0;
  if (s.empty() || parse_real(s, value)) return value;
  error(fmt::format("{} is '{}', it must be a number", what, std::string(s.substr(0, 24))));
  return 0;
}

void LsDynaReader::error(const std::string& problem, const std::string& remedy) {
  good_ = false;
  draft_.mistakes.error(where_, "*" + name_, problem, remedy);
}

void LsDynaReader::parameter_card() {
  cut_equal(card_width(), 8);
  for (std::size_t i = 0; i + 1 < fields_.size(); i += 2) {
    std::string_view name = fields_[i];
    if (name.empty()) continue;
    name.remove_prefix(1);  // R, I or C: the kind of the value
    const std::string value(fields_[i + 1].substr(0, 80));
    if (!value.empty() && value.front() == '&')
      error("a parameter that is another parameter is not supported");
    parameters_[upper(trimmed(name))] = value;
  }
}

void LsDynaReader::include_card() {
  // A path of several lines has " +" at the end of each but the last.
  std::string_view part = trimmed(line_);
  const bool more = part.size() > 1 && part.back() == '+' && part[part.size() - 2] == ' ';
  if (more) part = trimmed(part.substr(0, part.size() - 1));
  if (include_path_.size() < 4000) include_path_ += part;
  if (more || include_path_.empty()) return;
  const std::string path = std::exchange(include_path_, {});
  const Where where = where_;
  const std::string full = beside(draft_.mistakes.file(where.file), path);
  if (std::find(open_files_.begin(), open_files_.end(), full) != open_files_.end())
    return error(fmt::format("'{}' closes a circle of files", path.substr(0, 200)),
                 "remove one of the includes");
  if (open_files_.size() > 20 || draft_.mistakes.file_count() > 10000)
    return error("files are included too deep or too often", "include them flatter");
  std::string text;
  try {
    text = read_text_file(full);
  } catch (const Error& e) {
    return error(fmt::format("'{}': {}", path.substr(0, 200), e.diagnostics().front().problem));
  }
  included_bytes_ += text.size();
  if (included_bytes_ > std::uintmax_t{8} << 30)
    return error("more than 8 GiB are included", "divide the model");
  const bool long_format = long_file_, i10 = i10_file_;
  open_files_.push_back(full);
  scan(text, draft_.mistakes.add_file(full));
  open_files_.pop_back();
  long_file_ = long_format;
  i10_file_ = i10;
  name_ = "INCLUDE";
  use_ = &LsDynaReader::include_card;
  options_.clear();
}

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

void LsDynaReader::set_card() {
  cut_equal(card_width(), 8);
  if (card_ == 0) {
    set_id_ = integer(0, "set");
    node_sets_[set_id_];
    if (!title_.empty()) set_names_[set_id_] = trimmed(title_);
    return;
  }
  const bool ranges = name_ == "SET_NODE_LIST_GENERATE";
  for (std::size_t k = 0; k < fields_.size() && k < 8; k += ranges ? 2 : 1) {
    const long id = integer(k, "node");
    if (!good_ || id == 0) continue;
    if (ranges)
      node_ranges_[set_id_].emplace_back(id, integer(k + 1, "node"));
    else
      node_sets_[set_id_].push_back(id);
  }
}

void LsDynaReader::spc_card() {
  const bool with_id = name_.size() > 3 && name_.compare(name_.size() - 3, 3, "_ID") == 0;
  if (with_id && card_ % 2 == 0) return;
  cut_equal(card_width(), 8);
  Fixing f;
  f.target = integer(0, "node or set");
  f.set = starts(name_, "BOUNDARY_SPC_SET");
  f.where = where_;
  int bits = 0;
  for (int k = 0; k < 6; ++k)
    if (integer(static_cast<std::size_t>(k) + 2, "component") != 0) bits |= 1 << k;
  f.components = static_cast<std::uint8_t>(bits);
  const bool whole = (bits & 7) % 7 == 0 && (bits >> 3) % 7 == 0;
  if (integer(1, "system") != 0 && !whole)
    error("components of a coordinate system are not supported", "give them in global axes");
  if (good_ && bits != 0) fixings_.push_back(f);
}

FeMesh read_lsdyna(const std::string& path, const FeReadOptions& options) {
  const std::string text = read_text_file(path);
  return read_lsdyna_text(text, path, options);
}

FeMesh read_lsdyna_text(std::string_view text, const std::string& file_name, const FeReadOptions& options) {
  return LsDynaReader(options, file_name).read(text);
}

}  // namespace monocoque::io

// LS-DYNA keyword files: lines, fields, sets, supports. Nodes and elements are in lsdyna_elements.cpp,
// parts, sections and materials in lsdyna_parts.cpp.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "io/files/text_source.h"
#include "io/mesh/lsdyna_reader.h"
#include "io/mesh/mesh_readers.h"

namespace monocoque::io {

namespace {

/// Takes an option off the end of a keyword.
bool strip(std::string& name, std::string_view option) {
  if (name.size() <= option.size() || name.compare(name.size() - option.size(), option.size(), option) != 0)
    return false;
  name.resize(name.size() - option.size());
  return true;
}

bool starts(const std::string& name, std::string_view head) {
  return name.compare(0, head.size(), head) == 0;
}

}  // namespace

FeMesh LsDynaReader::read(std::string_view text) {
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
  const FileLine where = where_;
  const IncludeStack::Opened file = includes_.open(path, draft_.mistakes.file(where.file));
  if (!file.good()) return error(fmt::format("'{}': {}", path.substr(0, 200), file.problem), file.remedy);
  const bool long_format = long_file_, i10 = i10_file_;
  scan(file.text, draft_.mistakes.add_file(file.path));
  includes_.close();
  long_file_ = long_format;
  i10_file_ = i10;
  name_ = "INCLUDE";
  use_ = &LsDynaReader::include_card;
  options_.clear();
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

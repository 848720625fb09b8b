// Nodes and elements of Abaqus input.

#include <algorithm>

#include <fmt/format.h>

#include "io/files/text_source.h"
#include "io/mesh/abaqus_reader.h"

namespace monocoque::io {

namespace {

struct Type {
  std::string_view name;
  const char* shown;
  ElementKind kind;
};
constexpr Type kTypes[] = {
    {"S3", "S3", ElementKind::shell3},          {"S3R", "S3R", ElementKind::shell3},
    {"S3RS", "S3RS", ElementKind::shell3},      {"S4", "S4", ElementKind::shell4},
    {"S4R", "S4R", ElementKind::shell4},        {"S4RS", "S4RS", ElementKind::shell4},
    {"S4R5", "S4R5", ElementKind::shell4},      {"C3D4", "C3D4", ElementKind::tet4},
    {"C3D4H", "C3D4H", ElementKind::tet4},      {"C3D10", "C3D10", ElementKind::tet10},
    {"C3D10M", "C3D10M", ElementKind::tet10},   {"C3D10H", "C3D10H", ElementKind::tet10},
    {"C3D10HS", "C3D10HS", ElementKind::tet10}, {"C3D10T", "C3D10T", ElementKind::tet10},
    {"C3D6", "C3D6", ElementKind::wedge6},      {"C3D6H", "C3D6H", ElementKind::wedge6},
    {"C3D8", "C3D8", ElementKind::brick8},      {"C3D8I", "C3D8I", ElementKind::brick8},
    {"C3D8R", "C3D8R", ElementKind::brick8},    {"C3D8H", "C3D8H", ElementKind::brick8},
    {"C3D8IH", "C3D8IH", ElementKind::brick8},  {"C3D8RH", "C3D8RH", ElementKind::brick8},
    {"C3D20", "C3D20", ElementKind::brick20},   {"C3D20R", "C3D20R", ElementKind::brick20},
    {"C3D20H", "C3D20H", ElementKind::brick20}, {"C3D20RH", "C3D20RH", ElementKind::brick20},
    {"B31", "B31", ElementKind::beam2},         {"B31R", "B31R", ElementKind::beam2},
    {"B31H", "B31H", ElementKind::beam2},       {"B33", "B33", ElementKind::beam2},
    {"B32", "B32", ElementKind::beam3},         {"B32R", "B32R", ElementKind::beam3},
    {"B32H", "B32H", ElementKind::beam3},       {"T3D2", "T3D2", ElementKind::rod2}};

}  // namespace

void AbaqusReader::node_line(std::string_view line) {
  FieldScanner fields(line);
  std::string_view field;
  long id = 0;
  if (!fields.next(field) || !parse_integer(field, id) || id <= 0)
    return error(fmt::format("id is '{}', it must be an integer > 0", std::string(field.substr(0, 24))));
  Vec3 p = Vec3::Zero();
  for (Eigen::Index i = 0; i < 3 && fields.next(field); ++i)
    if (!field.empty() && !parse_real(field, p[i]))
      return error(fmt::format("coordinate of node {} is '{}', it must be a number", id,
                               std::string(field.substr(0, 24))));
  draft_.node(id, p, line_);
  if (!set_parts_[current_set_].name.empty()) set_parts_[current_set_].ids.push_back(id);
}

void AbaqusReader::begin_element(const Keyword& k) {
  const std::string type = k.get("TYPE");
  element_values_.clear();
  point_type_.clear();
  const auto* found =
      std::find_if(std::begin(kTypes), std::end(kTypes), [&](const Type& t) { return t.name == type; });
  if (found != std::end(kTypes)) {
    element_kind_ = found->kind;
    element_name_ = found->shown;
    element_nodes_ = static_cast<std::size_t>(node_count(found->kind));
    if (type == "B33") draft_.note("B33 (cubic, without shear) is read as a two-node beam with shear");
  } else if (type == "MASS" || type == "ROTARYI" || type == "SPRING1" || type == "SPRING2" ||
             type == "SPRINGA") {
    point_type_ = type;
    element_nodes_ = type == "SPRING2" || type == "SPRINGA" ? 2 : 1;
  } else {
    data_ = &AbaqusReader::unknown_element_line;
    if (type.empty()) error("the type is missing", "write *ELEMENT, TYPE=...");
    return;
  }
  begin_set(k, false);
  data_ = &AbaqusReader::element_line;
}

void AbaqusReader::unknown_element_line(std::string_view line) {
  // Lines that continue an element are not told apart: the count is that of lines.
  if (line.empty()) return;
  const std::string type = now_.get("TYPE");
  const bool damper = type.rfind("DASHPOT", 0) == 0;
  draft_.unknown("*ELEMENT, TYPE=" + type, line_, !damper);
}

void AbaqusReader::element_line(std::string_view line) {
  if (element_values_.empty()) element_where_ = line_;
  FieldScanner fields(line);
  std::string_view field;
  while (fields.next(field)) {
    long x = 0;
    if (field.empty()) continue;
    if (const std::size_t point = field.rfind('.'); point != std::string_view::npos)
      field = field.substr(point + 1);
    if (!parse_integer(field, x) || x <= 0) {
      error(fmt::format("'{}' stands where the id of an element or node is expected",
                        std::string(field.substr(0, 24))),
            "ids are integers > 0");
      element_values_.clear();
      return;
    }
    element_values_.push_back(x);
    if (element_values_.size() > 32) break;
  }
  if (element_values_.size() >= element_nodes_ + 1) store_element();
}

void AbaqusReader::store_element() {
  std::vector<long> v;
  v.swap(element_values_);
  const long id = v[0];
  const bool orientation = element_kind_ == ElementKind::beam2 && point_type_.empty() && v.size() == 4;
  if (v.size() > element_nodes_ + (orientation ? 2 : 1)) {
    draft_.mistakes.error(element_where_,
                          fmt::format("{} {}", point_type_.empty() ? element_name_ : point_type_, id),
                          fmt::format("it has {} nodes, it must have {}", v.size() - 1, element_nodes_));
    return;
  }
  if (!set_parts_[current_set_].name.empty()) set_parts_[current_set_].ids.push_back(id);
  if (!point_type_.empty()) {
    points_.push_back({id, point_type_, {v[1], v.size() > 2 ? v[2] : 0}, element_where_});
    return;
  }
  if (element_kind_ == ElementKind::beam3) std::swap(v[2], v[3]);  // the middle node last
  const int index =
      draft_.element(id, element_kind_, v.data() + 1, {0, element_where_, element_name_, -1, 0});
  if (orientation && index >= 0) beam_nodes_[index] = v[3];
}

}  // namespace monocoque::io

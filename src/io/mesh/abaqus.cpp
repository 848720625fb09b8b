// Abaqus and CalculiX input: lines, keywords, materials. Nodes and elements are in abaqus_elements.cpp, sets
// in abaqus_sets.cpp, sections and couplings in abaqus_finish.cpp.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "io/files/text_source.h"
#include "io/mesh/abaqus_reader.h"
#include "io/mesh/mesh_readers.h"

namespace monocoque::io {

namespace {

/// Keywords with mass, stiffness or coupling that this reader does not know.
bool keyword_carries(std::string_view name) {
  static const std::set<std::string_view> known = {"EQUATION",
                                                   "TIE",
                                                   "EMBEDDED ELEMENT",
                                                   "CONNECTOR SECTION",
                                                   "NONSTRUCTURAL MASS",
                                                   "MEMBRANE SECTION",
                                                   "SHELL GENERAL SECTION",
                                                   "GASKET SECTION",
                                                   "COHESIVE SECTION",
                                                   "USER ELEMENT",
                                                   "MATRIX INPUT",
                                                   "JOINT",
                                                   "DISTRIBUTING COUPLING",
                                                   "SHELL TO SOLID COUPLING",
                                                   "FASTENER",
                                                   "BUSHING",
                                                   "NGEN",
                                                   "NFILL",
                                                   "NCOPY",
                                                   "NMAP",
                                                   "ELGEN",
                                                   "ELCOPY",
                                                   "SUBSTRUCTURE PROPERTY",
                                                   "SYSTEM",
                                                   "SURFACE SECTION",
                                                   "REBAR LAYER",
                                                   "FRAME SECTION",
                                                   "PIPE SECTION",
                                                   "NETWORK MPC",
                                                   "RIGID SURFACE",
                                                   "ANISOTROPIC ELASTIC"};
  return known.count(name) > 0;
}

std::string collapsed(std::string_view s) {
  std::string out;
  for (const char c : trimmed(s))
    if (c != ' ' || (!out.empty() && out.back() != ' ')) out += c;
  return upper(out);
}

std::string unquoted(std::string_view s) {
  s = trimmed(s);
  if (s.size() >= 2 && s.front() == '"' && s.back() == '"') return std::string(s.substr(1, s.size() - 2));
  return std::string(s);
}

}  // namespace

bool AbaqusReader::Keyword::has(std::string_view key) const {
  return std::any_of(parameters.begin(), parameters.end(), [key](const auto& p) { return p.first == key; });
}

std::string AbaqusReader::Keyword::get(std::string_view key) const {
  for (const auto& [name, value] : parameters)
    if (name == key) return upper(value);
  return {};
}

void AbaqusReader::error(const std::string& problem, const std::string& remedy) {
  draft_.mistakes.error(line_, "*" + now_.name, problem, remedy);
}

FeMesh AbaqusReader::read(std::string_view text) {
  scan(text, 0);
  draft_.index_nodes();
  resolve_sets();
  finish_sections();
  finish_couplings();
  finish_links();
  finish_fixings();
  store_sets();
  return draft_.finish();
}

void AbaqusReader::scan(std::string_view text, int file) {
  LineScanner lines(text);
  std::string_view line;
  while (lines.next(line)) {
    line = trimmed(line);
    if (line.empty() || (line.size() > 1 && line[0] == '*' && line[1] == '*')) continue;
    line_ = {file, lines.line()};
    if (line.front() != '*') {
      if (data_ != nullptr && !in_step_) (this->*data_)(line);
      continue;
    }
    if (!element_values_.empty()) {
      draft_.mistakes.error(element_where_, "*ELEMENT",
                            "the nodes of an element are incomplete; the line is truncated",
                            fmt::format("an element of this type has {} nodes", element_nodes_));
      element_values_.clear();
    }
    Keyword k;
    k.where = line_;
    // A keyword line that ends with a comma goes on.
    std::string joined(line.substr(1));
    while (!joined.empty() && joined.back() == ',' && joined.size() < 100000 && lines.next(line))
      joined += trimmed(line);
    FieldScanner fields(joined);
    std::string_view field;
    if (fields.next(field)) k.name = collapsed(field);
    while (fields.next(field)) {
      const std::size_t equal = field.find('=');
      k.parameters.emplace_back(collapsed(field.substr(0, equal)), equal == std::string_view::npos
                                                                       ? std::string{}
                                                                       : unquoted(field.substr(equal + 1)));
    }
    keyword(std::move(k));
  }
}

void AbaqusReader::keyword(Keyword k) {
  data_ = nullptr;
  if (k.name == "END STEP") {
    in_step_ = false;
    return;
  }
  if (k.name == "STEP") in_step_ = true;
  if (in_step_) return;
  now_ = std::move(k);
  if (structure_keyword(now_) || section_keyword(now_) || coupling_keyword(now_)) return;
  draft_.unknown("*" + now_.name, now_.where, keyword_carries(now_.name));
}

bool AbaqusReader::structure_keyword(const Keyword& k) {
  if (k.name == "HEADING" || k.name == "PREPRINT" || k.name == "RESTART") return true;
  if (k.name == "INCLUDE") {
    include(k);
  } else if (k.name == "NODE") {
    data_ = &AbaqusReader::node_line;
    const std::string system = k.get("SYSTEM");
    if (!system.empty() && system != "R")
      error("coordinates of system " + system + " are not supported", "use SYSTEM=R");
    begin_set(k, true);
  } else if (k.name == "ELEMENT") {
    begin_element(k);
  } else if (k.name == "NSET" || k.name == "ELSET") {
    begin_set(k, k.name == "NSET");
    if (set_parts_[current_set_].name.empty())
      error("the set has no name", fmt::format("write *{0}, {0}=name", k.name));
    data_ = &AbaqusReader::set_line;
  } else if (k.name == "SURFACE") {
    surfaces_.push_back({k.get("NAME"), k.where, {}, k.get("TYPE") == "NODE"});
    data_ = &AbaqusReader::surface_line;
  } else if (k.name == "MATERIAL") {
    FeMaterial m;
    m.name = k.get("NAME");
    m.id = static_cast<long>(draft_.mesh.materials.size()) + 1;
    if (!materials_.emplace(m.name, m.id).second)
      error(fmt::format("material '{}' is already defined", m.name), "give each material its own name");
    draft_.material(m, k.where);
  } else if (k.name == "ELASTIC") {
    const std::string type = k.get("TYPE");
    elastic_lines_ = 0;
    if (draft_.mesh.materials.empty())
      error("it stands before any *MATERIAL");
    else if (!type.empty() && type != "ISO" && type != "ISOTROPIC")
      draft_.unknown("*ELASTIC, TYPE=" + type, k.where, true);
    else
      data_ = &AbaqusReader::elastic_line;
  } else if (k.name == "DENSITY") {
    if (draft_.mesh.materials.empty())
      error("it stands before any *MATERIAL");
    else
      data_ = &AbaqusReader::density_line;
  } else if (k.name == "PART" || k.name == "INSTANCE") {
    if (k.name == "PART" && ++parts_ == 2)
      error("a second part begins", "write the model without parts and assemblies");
    if (k.name == "INSTANCE") data_ = &AbaqusReader::instance_line;
  } else {
    return k.name == "END PART" || k.name == "ASSEMBLY" || k.name == "END ASSEMBLY" ||
           k.name == "END INSTANCE";
  }
  return true;
}

void AbaqusReader::instance_line(std::string_view line) {
  std::vector<double> values;
  if (!numbers(line, values, "position")) return;
  if (std::any_of(values.begin(), values.end(), [](double x) { return x != 0; }))
    error("the instance is moved or turned", "write the model without parts and assemblies");
}

bool AbaqusReader::numbers(std::string_view line, std::vector<double>& out, const char* what) {
  FieldScanner fields(line);
  std::string_view field;
  out.clear();
  while (fields.next(field) && out.size() < 64) {
    double x = 0;
    if (!field.empty() && !parse_real(field, x)) {
      error(fmt::format("{} is '{}', it must be a number", what, std::string(field.substr(0, 24))));
      return false;
    }
    out.push_back(x);
  }
  return true;
}

void AbaqusReader::include(const Keyword& k) {
  std::string path;
  for (const auto& [name, value] : k.parameters)
    if (name == "INPUT") path = value;
  const IncludeStack::Opened file = includes_.open(path, draft_.mistakes.file(line_.file));
  if (!file.good()) return error(fmt::format("'{}': {}", path.substr(0, 200), file.problem), file.remedy);
  scan(file.text, draft_.mistakes.add_file(file.path));
  includes_.close();
}

void AbaqusReader::elastic_line(std::string_view line) {
  std::vector<double> v;
  if (!numbers(line, v, "modulus") || v.empty()) return;
  if (++elastic_lines_ > 1) return draft_.note("of moduli that depend on temperature the first are taken");
  FeMaterial& m = draft_.mesh.materials.back();
  m.young_Pa = v[0];
  m.poisson = v.size() > 1 ? v[1] : 0;
  if (m.poisson != -1) m.shear_Pa = m.young_Pa / (2 * (1 + m.poisson));
}

void AbaqusReader::density_line(std::string_view line) {
  std::vector<double> v;
  if (numbers(line, v, "density") && !v.empty()) draft_.mesh.materials.back().density_kg_per_m3 = v[0];
  data_ = nullptr;
}

bool AbaqusReader::section_keyword(const Keyword& k) {
  static const std::set<std::string_view> known = {
      "SOLID SECTION", "SHELL SECTION",  "BEAM SECTION", "BEAM GENERAL SECTION",
      "MASS",          "ROTARY INERTIA", "SPRING"};
  if (known.count(k.name) == 0) return false;
  if (k.has("COMPOSITE")) {
    draft_.unknown("*" + k.name + ", COMPOSITE", k.where, true);
    return true;
  }
  Section s;
  s.keyword = k.name;
  s.elset = k.get("ELSET");
  s.material = k.get("MATERIAL");
  s.shape = k.get("SECTION");
  s.where = k.where;
  const std::string offset = k.get("OFFSET");
  if (offset == "SPOS")
    s.offset = 0.5;
  else if (offset == "SNEG")
    s.offset = -0.5;
  else if (!offset.empty() && !parse_real(offset, s.offset))
    error(fmt::format("offset is '{}', it must be a number, SPOS or SNEG", offset.substr(0, 24)));
  if (k.has("DENSITY") && !parse_real(k.get("DENSITY"), k.name == "SHELL SECTION" ? s.mass : s.density))
    error("the density is no number");
  if (k.has("ORIENTATION") && k.name == "ROTARY INERTIA")
    error("an orientation is not supported", "give the tensor in global axes");
  if (k.has("NODAL THICKNESS")) error("thicknesses at nodes are not supported", "give one thickness");
  if (s.elset.empty()) error("the parameter ELSET is missing", "name the elements it is for");
  sections_.push_back(std::move(s));
  data_ = &AbaqusReader::section_line;
  return true;
}

void AbaqusReader::section_line(std::string_view line) {
  Section& s = sections_.back();
  std::vector<double> v;
  if (s.lines < 3 && numbers(line, v, "value"))
    (s.lines == 0 ? s.numbers : s.lines == 1 ? s.second : s.third) = v;
  ++s.lines;
}

bool AbaqusReader::coupling_keyword(const Keyword& k) {
  if (k.name == "MPC") {
    data_ = &AbaqusReader::mpc_line;
  } else if (k.name == "BOUNDARY") {
    data_ = &AbaqusReader::boundary_line;
  } else if (k.name == "COUPLING" || k.name == "KINEMATIC COUPLING" || k.name == "RIGID BODY") {
    Coupling c;
    c.keyword = k.name;
    c.where = k.where;
    c.reference = k.get("REF NODE");
    c.surface = k.get("SURFACE");
    c.nset = k.get("NSET");
    c.elset = k.get("ELSET");
    for (const char* key : {"TIE NSET", "PIN NSET"})
      if (k.has(key)) c.more.push_back(k.get(key));
    if (k.name == "KINEMATIC COUPLING") {
      c.kind = "KINEMATIC";
      data_ = &AbaqusReader::kinematic_coupling_line;
    }
    if (k.has("ROT NODE")) draft_.note("*RIGID BODY: the rotations of ROT NODE are those of REF NODE here");
    if (c.reference.empty()) error("the parameter REF NODE is missing", "name the node that leads");
    couplings_.push_back(std::move(c));
  } else if (k.name == "KINEMATIC" || k.name == "DISTRIBUTING") {
    if (couplings_.empty() || couplings_.back().keyword != "COUPLING") {
      error("it stands behind no *COUPLING");
      return true;
    }
    couplings_.back().kind = k.name;
    data_ = &AbaqusReader::coupling_line;
  } else {
    return false;
  }
  return true;
}

FeMesh read_abaqus(const std::string& path, const FeReadOptions& options) {
  const std::string text = read_text_file(path);
  return read_abaqus_text(text, path, options);
}

FeMesh read_abaqus_text(std::string_view text, const std::string& file_name, const FeReadOptions& options) {
  return AbaqusReader(options, file_name).read(text);
}

}  // namespace monocoque::io

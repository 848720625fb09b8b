#pragma once
// State of the reader of Abaqus and CalculiX input. Keywords and data lines are taken as they come; sets,
// sections and couplings are resolved after the last line, in the order in which they were written.

#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/files/include_stack.h"
#include "io/mesh/mesh_draft.h"

namespace monocoque::io {

class AbaqusReader {
 public:
  AbaqusReader(const FeReadOptions& options, const std::string& file)
      : draft_(options, file), includes_(draft_.mesh.file) {}
  FeMesh read(std::string_view text);

 private:
  using Data = void (AbaqusReader::*)(std::string_view line);

  struct Keyword {
    std::string name;  ///< capitals, single blanks, without the star
    std::vector<std::pair<std::string, std::string>> parameters;
    FileLine where;
    bool has(std::string_view key) const;
    std::string get(std::string_view key) const;  ///< "" where missing; names in capitals
  };
  /// A set as it is written: the union of ids, ranges and other sets.
  struct SetPart {
    std::string name;
    FileLine where;
    bool of_nodes = true;
    std::vector<long> ids;
    std::vector<std::array<long, 3>> ranges;  ///< first, last, step
    std::vector<std::string> others;
    std::string nodes_of_elements;  ///< *NSET, ELSET=
  };
  struct SurfacePart {
    std::string name;
    FileLine where;
    std::vector<std::pair<std::string, std::string>> items;  ///< node, element or set; face or ""
    bool of_nodes = false;
  };
  struct Section {
    std::string keyword, elset, material, shape;
    FileLine where;
    std::vector<double> numbers;        ///< first data line
    std::vector<double> second, third;  ///< of beams: direction; modulus
    double offset = 0, density = 0, mass = 0;
    int lines = 0;
  };
  struct Coupling {
    std::string keyword, surface, nset, elset, reference, kind;
    FileLine where;
    std::uint8_t components = 0;    ///< 0: all
    std::vector<std::string> more;  ///< further node sets
  };
  struct PointElement {
    long id = 0;
    std::string type;
    std::array<long, 2> nodes{};
    FileLine where;
  };
  struct Fixing {
    std::string target;
    std::uint8_t components = 0;
    FileLine where;
  };
  struct Link {
    std::string type, dependent, independent;
    FileLine where;
  };

  void scan(std::string_view text, int file);
  void keyword(Keyword k);
  bool structure_keyword(const Keyword& k);
  bool section_keyword(const Keyword& k);
  bool coupling_keyword(const Keyword& k);
  void include(const Keyword& k);
  void error(const std::string& problem, const std::string& remedy = {});
  bool numbers(std::string_view line, std::vector<double>& out, const char* what);

  void begin_element(const Keyword& k);
  void begin_set(const Keyword& k, bool of_nodes);
  void node_line(std::string_view line);
  void element_line(std::string_view line);
  void unknown_element_line(std::string_view line);
  void store_element();
  void set_line(std::string_view line);
  void surface_line(std::string_view line);
  void elastic_line(std::string_view line);
  void density_line(std::string_view line);
  void section_line(std::string_view line);
  void mpc_line(std::string_view line);
  void kinematic_coupling_line(std::string_view line);
  void coupling_line(std::string_view line);
  void boundary_line(std::string_view line);
  void instance_line(std::string_view line);

  // abaqus_sets.cpp
  void resolve_sets();
  bool spend(std::size_t steps, FileLine where);
  std::vector<int>* find_set(bool of_nodes, const std::string& name);
  /// Indices of nodes of a node or set; reports what does not exist.
  std::vector<int> nodes_named(const std::string& name, const std::string& who, FileLine where);
  std::vector<int> elements_named(const std::string& name, const std::string& who, FileLine where);
  std::vector<int> nodes_of_elements(const std::vector<int>& elements) const;
  std::vector<int> surface_nodes(const std::string& name, const std::string& who, FileLine where);

  // abaqus_finish.cpp
  void finish_sections();
  void finish_beam_section(const Section& s, const std::vector<int>& elements);
  bool beam_shape(const Section& s, BeamSection& out, std::string& reason) const;
  void finish_spring(const Section& s, const std::vector<int>& elements);
  long material_id(const std::string& name, const std::string& who, FileLine where);
  void finish_couplings();
  void finish_links();
  void finish_fixings();
  std::vector<long> ids_of(const std::vector<int>& nodes) const;
  void store_sets();

  MeshDraft draft_;
  IncludeStack includes_;
  Keyword now_;
  FileLine line_;
  Data data_ = nullptr;
  bool in_step_ = false;
  int parts_ = 0;

  // element under way
  ElementKind element_kind_ = ElementKind::tet4;
  std::string point_type_;
  std::size_t element_nodes_ = 0;
  std::vector<long> element_values_;
  FileLine element_where_;
  const char* element_name_ = "";
  std::map<int, long> beam_nodes_;  ///< element to its orientation node

  std::vector<SetPart> set_parts_;
  std::size_t current_set_ = 0;
  std::vector<SurfacePart> surfaces_;
  std::vector<Section> sections_;
  std::vector<Coupling> couplings_;
  std::vector<PointElement> points_;
  std::vector<Fixing> fixings_;
  std::vector<Link> links_;
  std::map<std::string, long> materials_;
  int elastic_lines_ = 0;

  IdMap element_ids_;
  int element_count_ = 0;  ///< without masses and springs, which are counted behind the elements
  std::vector<std::pair<long, int>> nodes_sorted_, elements_sorted_;
  std::map<std::string, std::vector<int>> node_sets_, element_sets_;
  std::set<std::string> tidy_;  ///< sets that are sorted: "n:" or "e:" and name
  std::size_t steps_left_ = std::size_t{1} << 30;
  long next_property_ = 1;
};

}  // namespace monocoque::io

#pragma once
// A mesh while it is being read: everything by the file's ids and in the file's units, with file and line of
// each item. finish() resolves ids to indices, checks, converts to SI and throws one Error with all mistakes.
// Messages beyond the first kMostMistakes are only counted.

#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "io/mesh/fe_mesh.h"

namespace monocoque::io {

constexpr int kMostMistakes = 50;

struct FileLine {
  int file = 0;  ///< into the names of the Mistakes
  int line = 0;
};

/// Mistakes of a file and of the files it includes.
class Mistakes {
 public:
  int add_file(std::string name);
  const std::string& file(int index) const { return files_[static_cast<std::size_t>(index)]; }
  void error(FileLine where, std::string element, std::string problem, std::string remedy = {});
  long count() const { return count_; }
  /// In order of lines; throws Error.
  void throw_if_any() const;

 private:
  std::vector<std::string> files_;
  std::vector<std::pair<FileLine, Diagnostic>> list_;
  long count_ = 0;
};

/// Ids to indices: a table where the ids are dense, a sorted list otherwise.
class IdMap {
 public:
  void build(const std::vector<long>& ids);
  int find(long id) const;  ///< -1: none

 private:
  std::vector<int> table_;
  std::vector<std::pair<long, int>> sorted_;
};

struct ElementDraft {
  long property = 0;
  FileLine where;
  const char* card = "";
  int variant = -1;               ///< into MeshDraft::variants
  std::uint8_t number_range = 0;  ///< ids are unique within one range
};

/// Thickness or offset that an element has in place of its property's.
struct ShellVariant {
  double thickness = 0;  ///< 0: the property's
  double offset = 0;     ///< added to the property's
};

class MeshDraft {
 public:
  MeshDraft(const FeReadOptions& options, std::string file);

  FeMesh mesh;  ///< nodes, elements, beams, materials, properties in the file's units
  Mistakes mistakes;
  double mass_factor = 1;  ///< Nastran's WTMASS
  std::vector<FileLine> node_where;
  std::vector<ElementDraft> element_drafts;  ///< beside mesh.elements
  std::vector<long> connectivity;            ///< ids, beside mesh.connectivity
  std::vector<ShellVariant> variants;
  std::set<long> skipped_properties, skipped_materials;  ///< known to exist, but not understood

  const FeReadOptions& options() const { return options_; }
  std::string place(FileLine where) const;

  void node(long id, const Vec3& p, FileLine where);
  void material(FeMaterial material, FileLine where);
  void property(FeProperty property, long material, const char* card, FileLine where);
  /// Takes node_count(kind) ids; returns the index of the element.
  int element(long id, ElementKind kind, const long* nodes, const ElementDraft& draft);
  void rigid(long id, long independent, std::vector<long> dependent, std::uint8_t components,
             const char* card, FileLine where);
  struct Leg {
    long node;
    double weight;
    std::uint8_t components;
  };
  void mean(long id, long reference, std::uint8_t components, std::vector<Leg> legs, const char* card,
            FileLine where);
  void mass(long id, long node, double mass, const Vec3& offset, const Mat3& inertia, const char* card,
            FileLine where);
  /// node_b = 0: ground.
  void spring(long id, long node_a, int component_a, long node_b, int component_b, double k, const char* card,
              FileLine where);
  void support(long node, std::uint8_t components, const char* card, FileLine where);
  void unknown(std::string_view name, FileLine where, bool carries);
  /// Said once, however often it is called.
  void note(const std::string& text);

  /// Sorts out doubled nodes and builds the map of ids; afterwards node_index answers. finish() calls it if
  /// need be.
  void index_nodes();
  int node_index(long id) const { return node_ids_.find(id); }

  FeMesh finish();

 private:
  struct Deferred {
    const char* card;
    FileLine where;
    std::vector<long> nodes;  ///< first, then the others
  };
  int resolve(long id, const char* card, long element, FileLine where);
  void resolve_properties();
  void resolve_elements();
  void drop_elements(const std::vector<bool>& drop);
  int property_of(std::size_t element);
  int variant_of(int property, const ShellVariant& variant);
  void check_doubled_elements();
  void check_values();
  void resolve_attachments();
  void convert_units();

  FeReadOptions options_;
  bool indexed_ = false;
  IdMap node_ids_, property_ids_;
  std::vector<long> property_materials_;
  std::vector<FileLine> material_where_, property_where_;
  std::vector<const char*> property_cards_;
  std::vector<Deferred> rigid_drafts_, mean_drafts_, mass_drafts_, spring_drafts_, support_drafts_;
  std::set<std::string> said_;
  std::unordered_map<std::string, std::pair<UnknownCard, FileLine>> unknown_;
  std::vector<std::string> unknown_order_;
};

/// Which element kinds a property suits, for messages: "shell".
const char* name_of(PropertyKind kind);
PropertyKind property_kind_of(ElementKind kind);

}  // namespace monocoque::io

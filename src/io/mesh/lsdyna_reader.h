#pragma once
// State of the reader of LS-DYNA keyword files. Cards are taken as they come; parts, sets and rigid bodies
// are resolved after the last line.

#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "io/files/include_stack.h"
#include "io/mesh/mesh_draft.h"

namespace monocoque::io {

class LsDynaReader {
 public:
  LsDynaReader(const FeReadOptions& options, const std::string& file)
      : draft_(options, file), includes_(draft_.mesh.file) {}
  FeMesh read(std::string_view text);

 private:
  using Card = void (LsDynaReader::*)();

  struct Section {
    PropertyKind kind = PropertyKind::solid;
    BeamSection beam;
    ShellSection shell;
    FileLine where;
  };
  struct Part {
    long id = 0, section = 0, material = 0;
    std::string title;
    FileLine where;
  };
  struct RigidBody {
    long id = 0, set = 0, lead = 0;
    FileLine where;
  };
  struct Fixing {
    long target = 0;
    bool set = false;
    std::uint8_t components = 0;
    FileLine where;
  };
  struct Beam {
    int element = -1;
    long node3 = 0;
  };

  bool scan(std::string_view text, int file);
  void keyword(std::string_view line);
  Card element_keyword(const std::string& name);
  Card other_keyword(const std::string& name);
  void include(std::string_view path);

  /// Cuts the line under way: fields of these columns, or at commas.
  void cut(std::initializer_list<std::size_t> widths);
  void cut_equal(std::size_t width, std::size_t count);
  std::size_t id_width() const { return long_ ? 20 : i10_ ? 10 : 8; }
  std::size_t card_width() const { return long_ ? 20 : 10; }
  std::string_view text(std::size_t i);  ///< with parameters put in
  long integer(std::size_t i, const char* what);
  double real(std::size_t i, const char* what);
  void error(const std::string& problem, const std::string& remedy = {});

  // One card each; card_ counts the cards of the keyword.
  void skip_card() {}
  void parameter_card();
  void include_card();
  void node_card();
  void shell_card();
  void store_shell();
  void solid_card();
  void store_solid(long id, long part, const std::array<long, 10>& n);
  void beam_card();
  void mass_card();
  void inertia_card();
  void set_card();
  void spc_card();

  // lsdyna_parts.cpp
  void part_card();
  void section_shell_card();
  void section_solid_card();
  void section_beam_card();
  void store_section(long id, const Section& section);
  void material_card();
  void unknown_material_card();
  void unknown_section_card();
  void rigid_body_card();
  void spotweld_card();
  void finish_parts();
  void finish_sets();
  void finish_beams();

  MeshDraft draft_;
  IncludeStack includes_;
  bool long_file_ = false, i10_file_ = false, long_ = false, i10_ = false;
  FileLine where_;
  std::string_view line_;
  std::string name_;  ///< keyword without options that the reader handles
  std::set<std::string> options_;
  std::string include_path_;
  Card use_ = nullptr;
  long card_ = 0;
  bool good_ = true;
  std::vector<std::string_view> fields_;
  std::map<std::string, std::string> parameters_;
  std::string parameter_text_;

  // under way over several cards
  std::array<long, 10> element_{};
  long element_id_ = 0, element_part_ = 0;
  FileLine element_where_;
  int element_cards_ = 0;
  ShellVariant variant_;
  bool shell_relevant_ = true;
  Part part_;
  Section section_;
  long section_id_ = 0, section_form_ = 0, section_cst_ = 0, angle_cards_ = 0;
  double section_nsm_ = 0, section_shrf_ = 0;
  long set_id_ = 0;
  std::string title_;
  int last_beam_ = -1;

  std::map<long, Section> sections_;
  std::set<long> skipped_sections_;
  std::vector<Part> parts_;
  std::map<long, std::vector<long>> node_sets_;
  std::map<long, std::vector<std::pair<long, long>>> node_ranges_;
  std::map<long, std::string> set_names_;
  std::vector<RigidBody> rigid_bodies_;
  std::vector<Fixing> fixings_;
  std::vector<Beam> beams_;
};

}  // namespace monocoque::io

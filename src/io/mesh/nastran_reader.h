#pragma once
// The Nastran reader's state between cards; one member function per group of cards. Places of nodes and
// directions of displacement are known only after the last card: what needs them waits in `later`.

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "io/files/include_stack.h"
#include "io/mesh/mesh_draft.h"
#include "io/mesh/nastran_cards.h"
#include "io/mesh/nastran_coordinates.h"

namespace monocoque::io {

class NastranReader {
 public:
  NastranReader(const FeReadOptions& options, const std::string& file)
      : draft_(options, file), includes_(draft_.mesh.file) {}
  FeMesh read(std::string_view text);

 private:
  using Handler = void (NastranReader::*)(NastranCard&);
  static const std::unordered_map<std::string_view, Handler>& handlers();

  bool scan(std::string_view text, int file);
  bool include(std::string_view path, FileLine where);
  void use(NastranCard& card);
  void unknown(NastranCard& card);

  // nastran.cpp: nodes, systems, parameters
  void grid(NastranCard& card);
  void grdset(NastranCard& card);
  void cord2(NastranCard& card);
  void param(NastranCard& card);
  void place_nodes();
  /// Directions of displacement at a node (columns, basic axes).
  Mat3 directions_at(long node) const;
  /// The components in basic axes; reports directions that are not those of the axes.
  bool turn_components(long node, std::uint8_t given, std::uint8_t& basic, const std::string& element,
                       FileLine where);

  // nastran_elements.cpp
  void shell(NastranCard& card);
  void solid(NastranCard& card);
  void rod(NastranCard& card);
  void conrod(NastranCard& card);
  void beam(NastranCard& card);
  void beam_defaults(NastranCard& card);
  struct BeamInput;
  void place_beam(const BeamInput& input);

  // nastran_properties.cpp
  void mat1(NastranCard& card);
  void pshell(NastranCard& card);
  void psolid(NastranCard& card);
  void prod(NastranCard& card);
  void ptube(NastranCard& card);
  void pbar(NastranCard& card);
  void pbarl(NastranCard& card);
  void pbeam(NastranCard& card);
  void pelas(NastranCard& card);

  // nastran_attachments.cpp
  void conm2(NastranCard& card);
  void celas1(NastranCard& card);
  void celas2(NastranCard& card);
  void spring(long id, double k, long g1, std::uint8_t c1, long g2, std::uint8_t c2, const char* card,
              FileLine where);
  void rbe2(NastranCard& card);
  void rbe3(NastranCard& card);
  void rbar(NastranCard& card);
  void spider(long id, long independent, std::vector<long> dependent, std::uint8_t components,
              const char* card, FileLine where);
  void spc(NastranCard& card);
  void spc1(NastranCard& card);
  void support_set(long set);

  MeshDraft draft_;
  IncludeStack includes_;
  CoordinateSystems systems_;
  std::vector<long> grid_cp_;                    ///< beside draft_.mesh.nodes; -1: GRDSET's
  std::unordered_map<long, long> displacement_;  ///< node to its system, where that is not basic
  std::vector<long> blank_cd_;                   ///< nodes that take GRDSET's
  long default_cp_ = 0, default_cd_ = 0;
  struct BeamDefaults {
    long property = 0;
    std::string x1, x2, x3, offt;
    bool given = false;
  };
  BeamDefaults bar_defaults_, beam_defaults_;
  std::unordered_map<long, double> spring_rates_;
  std::vector<std::function<void()>> later_;
  std::set<long> support_sets_;
  std::size_t range_steps_ = 100000000;  ///< nodes that ranges may still be compared with
};

}  // namespace monocoque::io

// Nastran bulk data: files, nodes, coordinate systems, parameters. The other cards are in nastran_*.cpp.

#include <algorithm>
#include <array>
#include <deque>
#include <filesystem>

#include <fmt/format.h>

#include "io/files/text_source.h"
#include "io/mesh/mesh_readers.h"
#include "io/mesh/nastran_reader.h"

namespace monocoque::io {

namespace {

/// Cards with mass, stiffness or rigid coupling that this reader does not know.
bool card_carries(std::string_view name) {
  static const std::set<std::string_view> known = {
      "CBUSH",   "CBUSH1D", "CBUSH2D", "CBEND",   "CBEAM3",  "CCONEAX", "CELAS3",  "CELAS4",  "CFAST",
      "CGAP",    "CMASS1",  "CMASS2",  "CMASS3",  "CMASS4",  "CONM1",   "CPYRAM",  "CPYRA",   "CQUAD",
      "CQUAD8",  "CQUADX",  "CQUADX4", "CQUADX8", "CRAC2D",  "CRAC3D",  "CSEAM",   "CSHEAR",  "CTRIA6",
      "CTRIAX",  "CTRIAX6", "CTRAX3",  "CTRAX6",  "CWELD",   "CPLSTN3", "CPLSTN4", "CPLSTS3", "CPLSTS4",
      "CTETRAX", "CHEXAX",  "CHEXA1",  "CHEXA2",  "CWEDGE",  "CQDMEM",  "CTRMEM",  "CQUAD1",  "GENEL",
      "DMIG",    "MPC",     "RBE1",    "RROD",    "RTRPLT",  "RTRPLT1", "RSPLINE", "RJOINT",  "RSSCON",
      "NSM",     "NSM1",    "NSML",    "NSML1",   "NSMADD",  "CIFHEX",  "CIFPENT", "CIFQDX",  "CAXISYM",
      "CBELT",   "CBAR3",   "K2GG",    "CONM3",   "RBJOINT", "CSLOT3",  "CSLOT4",  "CBEAR",   "CNGRET",
      "RBAR1"};
  return known.count(name) > 0;
}

bool is_property(std::string_view name) {
  static const std::set<std::string_view> known = {
      "PCOMP",   "PCOMPG", "PCOMPP",  "PCOMPS",  "PCOMPLS", "PLSOLID", "PBEAML", "PBCOMP", "PBEAM3", "PBEND",
      "PLPLANE", "PSHEAR", "PBMSECT", "PBRSECT", "PSHLN1",  "PSHLN2",  "PSLDN1", "PMIC",   "PAABSF"};
  return known.count(name) > 0;
}

bool is_material(std::string_view name) {
  static const std::set<std::string_view> known = {"MAT2",  "MAT3",  "MAT8",  "MAT9",    "MAT10",
                                                   "MAT11", "MATHE", "MATHP", "MATDIGI", "MATUSR"};
  return known.count(name) > 0;
}

}  // namespace

const std::unordered_map<std::string_view, NastranReader::Handler>& NastranReader::handlers() {
  using R = NastranReader;
  static const std::unordered_map<std::string_view, Handler> table = {{"GRID", &R::grid},
                                                                      {"GRDSET", &R::grdset},
                                                                      {"CORD2R", &R::cord2},
                                                                      {"CORD2C", &R::cord2},
                                                                      {"CORD2S", &R::cord2},
                                                                      {"PARAM", &R::param},
                                                                      {"CQUAD4", &R::shell},
                                                                      {"CQUADR", &R::shell},
                                                                      {"CTRIA3", &R::shell},
                                                                      {"CTRIAR", &R::shell},
                                                                      {"CHEXA", &R::solid},
                                                                      {"CPENTA", &R::solid},
                                                                      {"CTETRA", &R::solid},
                                                                      {"CROD", &R::rod},
                                                                      {"CTUBE", &R::rod},
                                                                      {"CONROD", &R::conrod},
                                                                      {"CBAR", &R::beam},
                                                                      {"CBEAM", &R::beam},
                                                                      {"BAROR", &R::beam_defaults},
                                                                      {"BEAMOR", &R::beam_defaults},
                                                                      {"MAT1", &R::mat1},
                                                                      {"PSHELL", &R::pshell},
                                                                      {"PSOLID", &R::psolid},
                                                                      {"PROD", &R::prod},
                                                                      {"PTUBE", &R::ptube},
                                                                      {"PBAR", &R::pbar},
                                                                      {"PBARL", &R::pbarl},
                                                                      {"PBEAM", &R::pbeam},
                                                                      {"PELAS", &R::pelas},
                                                                      {"CONM2", &R::conm2},
                                                                      {"CELAS1", &R::celas1},
                                                                      {"CELAS2", &R::celas2},
                                                                      {"RBE2", &R::rbe2},
                                                                      {"RBE3", &R::rbe3},
                                                                      {"RBAR", &R::rbar},
                                                                      {"SPC", &R::spc},
                                                                      {"SPC1", &R::spc1}};
  return table;
}

FeMesh NastranReader::read(std::string_view text) {
  scan(text, 0);
  place_nodes();
  draft_.index_nodes();
  for (const auto& task : later_) task();
  if (support_sets_.size() > 1)
    draft_.note(fmt::format("{} sets of SPC and SPC1 are taken together; the case control is not read",
                            support_sets_.size()));
  return draft_.finish();
}

bool NastranReader::scan(std::string_view text, int file) {
  return scan_nastran(
      text, file, draft_.mistakes, file == 0, [this](NastranCard& card) { use(card); },
      [this](std::string_view path, FileLine where) { return include(path, where); });
}

bool NastranReader::include(std::string_view path, FileLine where) {
  const IncludeStack::Opened file = includes_.open(path, draft_.mistakes.file(where.file));
  if (!file.good()) {
    draft_.mistakes.error(where, fmt::format("INCLUDE '{}'", std::string(path.substr(0, 200))), file.problem,
                          file.remedy);
    return true;
  }
  const bool more = scan(file.text, draft_.mistakes.add_file(file.path));
  includes_.close();
  return more;
}

void NastranReader::use(NastranCard& card) {
  const auto it = handlers().find(card.name);
  if (it == handlers().end())
    unknown(card);
  else
    (this->*it->second)(card);
}

void NastranReader::unknown(NastranCard& card) {
  const bool property = is_property(card.name), material = is_material(card.name);
  long id = 0;
  if ((property || material) && parse_integer(card.text(0), id))
    (property ? draft_.skipped_properties : draft_.skipped_materials).insert(id);
  draft_.unknown(card.name, card.where, property || material || card_carries(card.name));
}

void NastranReader::param(NastranCard& card) {
  if (!same_word(card.text(0), "WTMASS")) return;
  const double factor = card.real(1, "WTMASS");
  if (factor > 0)
    draft_.mass_factor = factor;
  else
    card.mistake(fmt::format("WTMASS is {}, it must be > 0", factor));
}

void NastranReader::grid(NastranCard& card) {
  const long id = card.positive(0, "id");
  grid_cp_.push_back(card.integer(1, "coordinate system CP", -1));
  draft_.node(id, card.vector(2, "coordinate"), card.where);
  if (!card.has(5))
    blank_cd_.push_back(id);
  else if (const long cd = card.integer(5, "coordinate system CD", 0); cd > 0)
    displacement_[id] = cd;
  else if (cd < 0)
    card.mistake(fmt::format("coordinate system CD is {}, a fluid point, which is not supported", cd));
  if (!card.has(6)) return;
  const std::uint8_t fixed = card.components(6, "permanent constraint", 0);
  if (fixed == 0) return;
  later_.push_back([this, id, fixed, where = card.where] {
    std::uint8_t basic = 0;
    if (turn_components(id, fixed, basic, fmt::format("GRID {}", id), where))
      draft_.support(id, basic, "GRID", where);
  });
}

void NastranReader::grdset(NastranCard& card) {
  default_cp_ = card.integer(1, "coordinate system CP", 0);
  default_cd_ = card.integer(5, "coordinate system CD", 0);
  if (card.has(6) && card.text(6) != "0")
    card.mistake("a permanent constraint for all nodes is not supported", "use SPC1");
}

void NastranReader::cord2(NastranCard& card) {
  const long id = card.positive(0, "id"), reference = card.integer(1, "reference system", 0);
  if (card.used() < 8)
    card.mistake(fmt::format("it has {} of 9 coordinates; the card is truncated",
                             card.used() > 2 ? card.used() - 2 : 0));
  const Vec3 a = card.vector(2, "coordinate of A"), b = card.vector(5, "coordinate of B"),
             c = card.vector(8, "coordinate of C");
  if (card.good()) systems_.add(id, card.name.back(), reference, a, b, c, card.where);
}

void NastranReader::place_nodes() {
  systems_.resolve(draft_.mistakes);
  for (std::size_t i = 0; i < draft_.mesh.nodes.size(); ++i) {
    const long cp = grid_cp_[i] < 0 ? default_cp_ : grid_cp_[i];
    if (cp == 0) continue;
    FeNode& n = draft_.mesh.nodes[i];
    if (const CoordinateSystem* system = systems_.find(cp))
      n.p = system->to_basic(n.p);
    else
      draft_.mistakes.error(draft_.node_where[i], fmt::format("GRID {}", n.id),
                            fmt::format("coordinate system {} does not exist or is faulty", cp),
                            "define it with CORD2R, CORD2C or CORD2S");
  }
  if (default_cd_ != 0)
    for (const long id : blank_cd_) displacement_[id] = default_cd_;
}

Mat3 NastranReader::directions_at(long node) const {
  const auto it = displacement_.find(node);
  if (it == displacement_.end()) return Mat3::Identity();
  const int index = draft_.node_index(node);
  const CoordinateSystem* system = systems_.find(it->second);
  if (index < 0 || system == nullptr) return Mat3::Identity();
  return system->basis_at(draft_.mesh.nodes[static_cast<std::size_t>(index)].p);
}

bool NastranReader::turn_components(long node, std::uint8_t given, std::uint8_t& basic,
                                    const std::string& element, FileLine where) {
  basic = given;
  const int moving = given & 7, turning = given >> 3;
  if ((moving == 0 || moving == 7) && (turning == 0 || turning == 7)) return true;
  const Mat3 directions = directions_at(node);
  std::array<int, 3> axis{};
  for (int k = 0; k < 3; ++k) {
    Eigen::Index at = 0;
    const double largest = directions.col(k).cwiseAbs().maxCoeff(&at);
    if (largest < 1 - 1e-9) {
      draft_.mistakes.error(
          where, element,
          fmt::format("single components at node {} are in directions of system {}, which are not "
                      "those of the basic axes",
                      node, displacement_.at(node)),
          "take all three components, or put the node's directions along the basic axes");
      return false;
    }
    axis[static_cast<std::size_t>(k)] = static_cast<int>(at);
  }
  int bits = 0;
  for (int k = 0; k < 6; ++k)
    if ((given >> k & 1) != 0)
      bits |= 1 << (k < 3 ? axis[static_cast<std::size_t>(k)] : axis[static_cast<std::size_t>(k - 3)] + 3);
  basic = static_cast<std::uint8_t>(bits);
  return true;
}

FeMesh read_nastran(const std::string& path, const FeReadOptions& options) {
  const std::string text = read_text_file(path);
  return read_nastran_text(text, path, options);
}

FeMesh read_nastran_text(std::string_view text, const std::string& file_name, const FeReadOptions& options) {
  return NastranReader(options, file_name).read(text);
}

}  // namespace monocoque::io

#include "io/body/sid.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "io/body/sid_hdf5.h"
#include "io/files/text_source.h"
#include "io/mesh/mesh_draft.h"

namespace monocoque::io {

namespace {

constexpr std::size_t kFreeNumbers = 64u << 20;  // doubles a file may claim beyond what it lists

class SidReader {
 public:
  SidReader(std::string_view text, const std::string& file)
      : lines_(text), budget_(kFreeNumbers + 4 * text.size()) {
    mistakes_.add_file(file);
  }

  Sid read() {
    first_line();
    while (next()) {
      if (word_ == "REFMOD")
        refmod();
      else if (word_ == "FRAME")
        frames();
      else if (Block* block = find_block())
        read_block(*block);
    }
    finish();
    mistakes_.throw_if_any();
    return std::move(sid_);
  }

 private:
  struct Block {
    const char* name;
    const char* alias;
    SidTaylor* taylor;
    int rows, columns;  // -1: nq, -3: 3 nq
    bool required, found;
  };

  void error(std::string element, std::string problem, std::string remedy = {}) {
    mistakes_.error({0, lines_.line()}, std::move(element), std::move(problem), std::move(remedy));
  }

  /// The next line that is not blank, cut into word_ (capitals) and value_.
  bool next() {
    std::string_view line;
    while (lines_.next(line)) {
      line = trimmed(line);
      if (line.empty()) continue;
      const std::size_t equal = line.find('=');
      value_ = equal == std::string_view::npos ? std::string_view{} : trimmed(line.substr(equal + 1));
      raw_word_ = trimmed(line.substr(0, equal));
      word_ = upper(raw_word_.substr(0, 64));
      return true;
    }
    return false;
  }

  void first_line() {
    std::string_view line;
    while (lines_.next(line) && trimmed(line).empty()) {
    }
    const std::size_t colon = line.find(':');
    std::string_view name =
        colon == std::string_view::npos ? std::string_view{} : trimmed(line.substr(colon + 1));
    constexpr std::string_view usual = "NO. NODES, NO. MODES:";
    if (starts_with_word(name, usual)) name = trimmed(name.substr(usual.size()));
    constexpr std::string_view ours = "MONOCOQUE, GR PER COMPONENT:";
    gr_known_ = starts_with_word(name, ours);
    if (gr_known_) name = trimmed(name.substr(ours.size()));
    sid_.name = name;
  }

  long count(const char* what, long most) {
    long n = 0;
    if (!parse_integer(value_, n) || n < 0 || n > most) {
      error(what, fmt::format("value is '{}', it must be an integer from 0 to {}",
                              std::string(value_.substr(0, 24)), most));
      return 0;
    }
    return n;
  }

  void refmod() {
    bool has_mass = false;
    std::vector<std::pair<long, std::string>> names;
    while (next()) {
      if (word_ == "END REFMOD") break;
      if (word_ == "MASS") {
        has_mass = parse_real(value_, sid_.mass_kg);
        if (!has_mass || sid_.mass_kg < 0)
          error("mass",
                fmt::format("value is '{}', it must be a number >= 0", std::string(value_.substr(0, 24))));
        has_mass = true;
      } else if (word_ == "NELASTQ") {
        sid_.nq = static_cast<int>(count("nelastq", kMostModes));
        has_nq_ = true;
      } else if (word_.rfind("IELASTQ", 0) == 0) {
        long index = 0;
        const std::size_t open = word_.find('('), close = word_.find(')');
        if (open == std::string::npos || close == std::string::npos || close < open ||
            !parse_integer(std::string_view(word_).substr(open + 1, close - open - 1), index) || index < 1 ||
            index > kMostModes)
          error("ielastq", "its number is missing or out of range");
        else
          names.emplace_back(index, value_);
      }
    }
    if (!has_mass) error("refmod", "the mass is missing");
    if (!has_nq_) error("refmod", "the number of modes nelastq is missing");
    sid_.mode_names.resize(static_cast<std::size_t>(sid_.nq));
    for (auto& [index, text] : names) {
      if (index > sid_.nq)
        error(fmt::format("ielastq({})", index), fmt::format("there are {} modes only", sid_.nq));
      else
        sid_.mode_names[static_cast<std::size_t>(index) - 1] = std::move(text);
    }
  }

  void frames() {
    while (next()) {
      if (word_ == "END FRAME") return;
      if (word_ != "NEW NODE") continue;
      SidNode& node = sid_.nodes.emplace_back();
      if (!parse_integer(value_, node.id))
        error("new node",
              fmt::format("id is '{}', it must be an integer", std::string(value_.substr(0, 24))));
      read_node(node);
    }
    error("frame", "the file ends within the nodes; it is truncated");
  }

  void read_node(SidNode& node) {
    const std::string who = fmt::format("node {}", node.id);
    Block blocks[] = {{"ORIGIN", "", &node.origin, 3, 1, true, false},
                      {"PHI", "", &node.phi, 3, -1, true, false},
                      {"PSI", "", &node.psi, 3, -1, false, false},
                      {"AP", "", &node.AP, 3, 3, false, false},
                      {"SIGMA", "", &node.sigma, 6, -1, false, false}};
    while (next()) {
      if (word_ == "END NODE") break;
      for (Block& b : blocks)
        if (word_ == b.name) {
          read_block(b, who);
          break;
        }
    }
    for (Block& b : blocks)
      if (b.required && !b.found) error(who, fmt::format("block {} is missing", b.name));
    if (!blocks[0].found) node.origin.zero = MatX::Zero(3, 1);
    if (!blocks[1].found) node.phi.zero = zeros(3, -1);
    if (!blocks[2].found) node.psi.zero = zeros(3, -1);
    if (!blocks[3].found) node.AP.zero = MatX::Identity(3, 3);
  }

  Block* find_block() {
    for (Block& b : blocks_)
      if (word_ == b.name || (*b.alias != '\0' && word_ == b.alias)) return &b;
    return nullptr;
  }

  long size_of(int code) const { return code == -1 ? sid_.nq : code == -3 ? 3L * sid_.nq : code; }
  MatX zeros(int rows, int columns) const { return MatX::Zero(size_of(rows), size_of(columns)); }

  /// False, with one message, when the file claims far more numbers than it lists.
  bool claim(std::size_t numbers) {
    if (numbers <= budget_) {
      budget_ -= numbers;
      return true;
    }
    if (!exhausted_)
      error("", "the blocks of this file are larger than its text can fill", "check nelastq and the nodes");
    exhausted_ = true;
    return false;
  }

  void read_block(Block& block, const std::string& owner = {}) {
    const std::string end = "END " + word_;
    const std::string who = owner.empty() ? block.name : fmt::format("{}, block {}", owner, block.name);
    if (block.found) error(who, "this block is given twice");
    block.found = true;
    SidTaylor& t = *block.taylor;
    t = {};
    const long rows = size_of(block.rows), columns = size_of(block.columns);
    const auto nq = static_cast<std::size_t>(sid_.nq), entries = static_cast<std::size_t>(rows * columns);
    const bool room = claim(entries);
    if (room) t.zero = MatX::Zero(rows, columns);
    long order = 0, structure = 3;
    bool closed = false;
    while (!closed && next()) {
      if (word_ == end || word_ == "END") {
        closed = true;
      } else if (word_ == "ORDER") {
        order = count("order", 2);
        if (order > 0 && t.first.empty() && room && claim(nq * entries)) t.first.assign(nq, t.zero);
        if (order > 1 && t.second.empty() && second_allowed(block, who) && room &&
            claim(nq * (nq + 1) / 2 * entries))
          t.second.assign(nq * (nq + 1) / 2, MatX::Zero(rows, columns));
      } else if (word_ == "NROW") {
        check_size(who, "nrow", rows);
      } else if (word_ == "NCOL") {
        check_size(who, "ncol", columns);
      } else if (word_ == "NQ") {
        check_size(who, "nq", sid_.nq);
      } else if (word_ == "STRUCTURE") {
        structure = count("structure", 4);
        if (structure == 4 && room) {
          t.zero.setIdentity();
          if (rows != columns) error(who, "structure 4 is for square matrices", "use structure 3");
        }
      } else if (word_.size() > 2 && word_[0] == 'M' &&
                 (word_[1] == '0' || word_[1] == '1' || word_[1] == 'N')) {
        if (room) entry(who, t, structure == 2);
      }
    }
    if (!closed) error(who, "the file ends within this block; it is truncated");
  }

  bool second_allowed(const Block& block, const std::string& who) {
    if (block.taylor == &sid_.J) return true;
    error(who, "order is 2, it must be <= 1", "only J has a second order");
    return false;
  }

  void check_size(const std::string& who, const char* what, long wanted) {
    long given = 0;
    if (!parse_integer(value_, given) || given != wanted)
      error(who, fmt::format("{} is '{}', it must be {}", what, std::string(value_.substr(0, 24)), wanted));
  }

  void entry(const std::string& who, SidTaylor& t, bool symmetric) {
    const char kind = word_[1];
    const std::size_t wanted = kind == '0' ? 2 : 3;
    std::array<long, 3> index{};
    std::size_t given = 0;
    const std::size_t open = word_.find('('), close = word_.rfind(')');
    if (open != std::string::npos && close != std::string::npos && open < close) {
      FieldScanner scanner(std::string_view(word_).substr(open + 1, close - open - 1));
      std::string_view field;
      while (given < 3 && scanner.next(field) && parse_integer(field, index[given])) ++given;
    }
    double x = 0;
    if (given != wanted || !parse_real(value_, x)) {
      error(who,
            fmt::format("'{} = {}' is not understood", std::string(raw_word_.substr(0, 40)),
                        std::string(value_.substr(0, 30))),
            wanted == 2 ? "write m0( row, column) = number" : "write m1( row, mode, column) = number");
      return;
    }
    const std::vector<MatX>& list = kind == '1' ? t.first : t.second;
    const long i = index[0] - 1, j = index[wanted - 1] - 1, l = kind == '0' ? 0 : index[1] - 1;
    const long layers = kind == '0' ? 1 : static_cast<long>(list.size());
    if (i < 0 || j < 0 || l < 0 || i >= t.zero.rows() || j >= t.zero.cols() || l >= layers) {
      error(who,
            fmt::format("{} is out of range: {} rows, {} columns, {} matrices of this order",
                        std::string(raw_word_.substr(0, 40)), t.zero.rows(), t.zero.cols(), layers),
            kind == '1' ? "the order of indices is (row, mode, column); some programs exchange the last two"
                        : "");
      return;
    }
    MatX& m = kind == '0'   ? t.zero
              : kind == '1' ? t.first[static_cast<std::size_t>(l)]
                            : t.second[static_cast<std::size_t>(l)];
    m(i, j) = x;
    if (symmetric && j < m.rows() && i < m.cols()) m(j, i) = x;
  }

  void finish() {
    if (!has_nq_) error("", "there is no block refmod", "check that this is a SID file");
    for (Block& b : blocks_) {
      if (b.found) continue;
      if (b.required && has_nq_)
        mistakes_.error({0, 0}, b.name, "this block is missing; the file is truncated");
      if (claim(static_cast<std::size_t>(size_of(b.rows) * size_of(b.columns))))
        b.taylor->zero = zeros(b.rows, b.columns);
    }
    if (mistakes_.count() > 0) return;
    regroup(sid_.Ge);
    if (gr_known_ || gr_is_per_component()) regroup(sid_.Gr);
  }

  /// Columns c nq + l become 3 l + c.
  void regroup(SidTaylor& t) const {
    const auto turn = [this](MatX& m) {
      const MatX old = m;
      for (Eigen::Index l = 0; l < sid_.nq; ++l)
        for (Eigen::Index c = 0; c < 3; ++c) m.col(3 * l + c) = old.col(c * sid_.nq + l);
    };
    turn(t.zero);
    for (MatX& m : t.first) turn(m);
  }

  bool gr_is_per_component() const {
    if (sid_.J.first.empty() || sid_.nq < 2) return false;
    double per_mode = 0, per_component = 0;
    for (Eigen::Index l = 0; l < sid_.nq; ++l) {
      const MatX& j = sid_.J.first[static_cast<std::size_t>(l)];
      Mat3 J1;
      J1 << j(0), j(3), j(4), j(3), j(1), j(5), j(4), j(5), j(2);
      Mat3 a, b;
      for (Eigen::Index c = 0; c < 3; ++c) {
        a.col(c) = sid_.Gr.zero.col(3 * l + c);
        b.col(c) = sid_.Gr.zero.col(c * sid_.nq + l);
      }
      per_mode += ((a + a.transpose()) / 2 - J1).squaredNorm();
      per_component += ((b + b.transpose()) / 2 - J1).squaredNorm();
    }
    return per_component < per_mode;
  }

  LineScanner lines_;
  std::size_t budget_;
  bool exhausted_ = false, has_nq_ = false, gr_known_ = false;
  Mistakes mistakes_;
  std::string_view raw_word_, value_;
  std::string word_;
  Sid sid_;
  std::array<Block, 11> blocks_ = {{{"MDCM", "MCM", &sid_.mdCM, 3, 1, true, false},
                                    {"J", "MMI", &sid_.J, 6, 1, true, false},
                                    {"CT", "", &sid_.Ct, -1, 3, true, false},
                                    {"CR", "", &sid_.Cr, -1, 3, true, false},
                                    {"ME", "", &sid_.Me, -1, -1, true, false},
                                    {"GR", "", &sid_.Gr, 3, -3, true, false},
                                    {"GE", "", &sid_.Ge, -1, -3, true, false},
                                    {"OE", "", &sid_.Oe, -1, 6, true, false},
                                    {"KSIGMA", "", &sid_.ksigma, -1, 1, false, false},
                                    {"KE", "", &sid_.Ke, -1, -1, true, false},
                                    {"DE", "", &sid_.De, -1, -1, false, false}}};
};

}  // namespace

Sid read_sid(const std::string& path) {
  if (is_hdf5(path)) return read_sid_hdf5(path);
  return read_sid_text(read_text_file(path), path);
}

Sid read_sid_text(std::string_view text, const std::string& file_name) {
  return SidReader(text, file_name).read();
}

}  // namespace monocoque::io

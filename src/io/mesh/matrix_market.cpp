#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>

#include <fmt/format.h>

#include "io/files/text_source.h"
#include "io/mesh/assembled.h"
#include "io/mesh/mesh_draft.h"
#include "io/mesh/mesh_readers.h"

namespace monocoque::io {

namespace {

constexpr std::size_t kMostRows = 1u << 30;

bool is_remark(std::string_view line) {
  const char c = line.front();
  return c == '%' || c == '#' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Words between commas, semicolons or blanks.
std::size_t words(std::string_view line, std::array<std::string_view, 4>& out) {
  std::size_t n = 0, at = 0;
  const auto is_gap = [](char c) { return c == ' ' || c == ',' || c == ';' || c == '\t'; };
  while (at < line.size()) {
    while (at < line.size() && is_gap(line[at])) ++at;
    const std::size_t begin = at;
    while (at < line.size() && !is_gap(line[at])) ++at;
    if (begin == at) break;
    if (n == out.size()) return out.size() + 1;
    out[n++] = line.substr(begin, at - begin);
  }
  return n;
}

class AssembledReader {
 public:
  AssembledReader(const AssembledFiles& names, const FeUnits& units) : units_(units) {
    for (const std::string* name : {&names.stiffness, &names.mass, &names.rows, &names.nodes})
      mistakes_.add_file(*name);
  }

  void read_rows(std::string_view text) {
    LineScanner lines(text);
    std::string_view line;
    std::array<std::string_view, 4> w;
    while (lines.next(line) && ids_.size() < kMostRows) {
      line = trimmed(line);
      if (line.empty() || is_remark(line)) continue;
      const FileLine where{2, lines.line()};
      const std::size_t n = words(line, w);
      long row = static_cast<long>(ids_.size()) + 1, node = 0, component = 0;
      bool good = false;
      if (n == 1) {
        const std::size_t point = w[0].find('.');
        good = point != std::string_view::npos && parse_integer(w[0].substr(0, point), node) &&
               parse_integer(w[0].substr(point + 1), component);
      } else if (n == 3) {
        good = parse_integer(w[0], row) && parse_integer(w[1], node) && parse_integer(w[2], component);
      }
      if (!good) {
        mistakes_.error(where, "", fmt::format("'{}' is no row", std::string(line.substr(0, 40))),
                        "write node.component, or row, node, component");
      } else if (row != static_cast<long>(ids_.size()) + 1) {
        mistakes_.error(where, "", fmt::format("row is {}, it must be {}", row, ids_.size() + 1),
                        "list the rows in order");
      } else if (node <= 0 || component < 1 || component > 6) {
        mistakes_.error(
            where, "",
            fmt::format("node {} component {}: the node must be > 0, the component 1 to 6", node, component));
      }
      ids_.emplace_back(node, static_cast<int>(std::clamp(component, 1L, 6L)) - 1);
      row_lines_.push_back(lines.line());
    }
    if (ids_.empty()) mistakes_.error({2, 0}, "", "there are no rows in this file");
  }

  void read_nodes(std::string_view text) {
    LineScanner lines(text);
    std::string_view line;
    std::array<std::string_view, 4> w;
    while (lines.next(line)) {
      line = trimmed(line);
      if (line.empty() || is_remark(line)) continue;
      FeNode n;
      if (words(line, w) != 4 || !parse_integer(w[0], n.id) || !parse_real(w[1], n.p[0]) ||
          !parse_real(w[2], n.p[1]) || !parse_real(w[3], n.p[2])) {
        mistakes_.error({3, lines.line()}, "",
                        fmt::format("'{}' is no node", std::string(line.substr(0, 40))),
                        "write node, x, y, z");
        continue;
      }
      n.p *= units_.length_m;
      places_.push_back(n);
    }
  }

  void take_nodes(const FeMesh& mesh) { places_ = mesh.nodes; }

  std::vector<MatrixEntry> read_matrix(std::string_view text, int file, const char* name) {
    std::vector<MatrixEntry> out;
    LineScanner lines(text);
    std::string_view line;
    bool market = false, symmetric = true, sized = false;
    const auto size = static_cast<long>(ids_.size());
    long wanted = -1, count = 0;
    std::array<std::string_view, 4> w;
    while (lines.next(line)) {
      line = trimmed(line);
      const FileLine where{file, lines.line()};
      if (starts_with_word(line, "%%MATRIXMARKET")) {
        market = true;
        symmetric = check_head(line, where, name);
        continue;
      }
      if (line.empty() || is_remark(line)) continue;
      const std::size_t n = words(line, w);
      long i = 0, j = 0;
      double x = 0;
      if (market && !sized) {
        sized = true;
        if (n != 3 || !parse_integer(w[0], i) || !parse_integer(w[1], j) || !parse_integer(w[2], wanted))
          mistakes_.error(where, name, "the line of sizes is not understood", "write rows columns entries");
        else if (i != size || j != size)
          mistakes_.error(where, name, fmt::format("it is {} x {}, but the map has {} rows", i, j, size),
                          "give the map that belongs to this matrix");
        continue;
      }
      ++count;
      if (n != 3 || !parse_integer(w[0], i) || !parse_integer(w[1], j) || !parse_real(w[2], x)) {
        mistakes_.error(where, name, fmt::format("'{}' is no entry", std::string(line.substr(0, 40))),
                        "write row column value");
      } else if (i < 1 || j < 1 || i > size || j > size) {
        mistakes_.error(where, name, fmt::format("entry {} {} is outside, the map has {} rows", i, j, size));
      } else {
        out.push_back({static_cast<int>(i) - 1, static_cast<int>(j) - 1, x});
      }
    }
    if (wanted >= 0 && count != wanted)
      mistakes_.error({file, 0}, name,
                      fmt::format("it has {} of {} entries; the file is truncated", count, wanted));
    if (count == 0) mistakes_.error({file, 0}, name, "there are no entries in this file");
    return symmetric ? lower_of_half(out, file, name) : lower_of_whole(out, file, name);
  }

  AssembledMatrices finish(std::vector<MatrixEntry> K, std::vector<MatrixEntry> M) {
    AssembledMatrices a;
    std::vector<long> ids;
    for (const FeNode& n : places_) ids.push_back(n.id);
    IdMap known;
    known.build(ids);
    std::vector<long> used;
    for (const auto& [node, component] : ids_) used.push_back(node);
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    IdMap place;
    place.build(used);
    for (const long id : used) {
      const int at = known.find(id);
      if (at < 0)
        mistakes_.error({3, 0}, fmt::format("node {}", id), "its place is missing",
                        "add it to the list of nodes");
      else
        a.nodes.push_back(places_[static_cast<std::size_t>(at)]);
    }
    std::vector<std::uint8_t> seen(used.size());
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      const auto& [node, component] = ids_[i];
      const int index = place.find(node);
      std::uint8_t& bits = seen[static_cast<std::size_t>(index)];
      if ((bits >> component & 1) != 0)
        mistakes_.error({2, row_lines_[i]}, fmt::format("node {}", node),
                        fmt::format("component {} has two rows", component + 1));
      bits = static_cast<std::uint8_t>(bits | 1 << component);
      a.rows.push_back({index, component});
    }
    mistakes_.throw_if_any();
    a.K = scaled(std::move(K), a.rows, units_.mass_kg / (units_.time_s * units_.time_s));
    a.M = scaled(std::move(M), a.rows, units_.mass_kg);
    return a;
  }

 private:
  bool check_head(std::string_view line, FileLine where, const char* name) {
    const std::string head = upper(line);
    const auto has = [&head](const char* word) { return head.find(word) != std::string::npos; };
    if (!has("COORDINATE") || !(has("REAL") || has("INTEGER")) || !(has(" GENERAL") || has(" SYMMETRIC")))
      mistakes_.error(where, name, fmt::format("'{}' is not supported", std::string(line.substr(0, 60))),
                      "write it as matrix coordinate real symmetric (or general)");
    return !has(" GENERAL");
  }

  static void sort_and_sum(std::vector<MatrixEntry>& e) {
    std::sort(e.begin(), e.end(), [](const MatrixEntry& a, const MatrixEntry& b) {
      return a.column != b.column ? a.column < b.column : a.row < b.row;
    });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < e.size(); ++i) {
      if (kept > 0 && e[kept - 1].row == e[i].row && e[kept - 1].column == e[i].column)
        e[kept - 1].value += e[i].value;
      else
        e[kept++] = e[i];
    }
    e.resize(kept);
  }

  /// One triangle is given, or, by programs that do not say so, both.
  std::vector<MatrixEntry> lower_of_half(std::vector<MatrixEntry> e, int file, const char* name) {
    bool low = false, high = false;
    for (const MatrixEntry& x : e) {
      low = low || x.row > x.column;
      high = high || x.row < x.column;
    }
    if (low && high) return lower_of_whole(std::move(e), file, name);
    for (MatrixEntry& x : e)
      if (x.row < x.column) std::swap(x.row, x.column);
    sort_and_sum(e);
    return e;
  }

  std::vector<MatrixEntry> lower_of_whole(std::vector<MatrixEntry> e, int file, const char* name) {
    std::vector<MatrixEntry> low, high;
    double largest = 0;
    for (const MatrixEntry& x : e) {
      largest = std::max(largest, std::abs(x.value));
      if (x.row >= x.column) low.push_back(x);
      if (x.row <= x.column) high.push_back({x.column, x.row, x.value});
    }
    sort_and_sum(low);
    sort_and_sum(high);
    bool same = low.size() == high.size();
    for (std::size_t i = 0; same && i < low.size(); ++i) {
      same = low[i].row == high[i].row && low[i].column == high[i].column &&
             std::abs(low[i].value - high[i].value) <= 1e-8 * largest;
      if (same) low[i].value = (low[i].value + high[i].value) / 2;
    }
    if (!same)
      mistakes_.error({file, 0}, name, "the matrix is not symmetric",
                      "give both triangles with equal entries, or one");
    return low;
  }

  std::vector<MatrixEntry> scaled(std::vector<MatrixEntry> e, const std::vector<AssembledMatrices::Row>& rows,
                                  double factor) const {
    const double L = units_.length_m;
    for (MatrixEntry& x : e) {
      const bool a = rows[static_cast<std::size_t>(x.row)].component > 2,
                 b = rows[static_cast<std::size_t>(x.column)].component > 2;
      x.value *= factor * (a && b ? L * L : a || b ? L : 1);
    }
    return e;
  }

  FeUnits units_;
  Mistakes mistakes_;
  std::vector<std::pair<long, int>> ids_;
  std::vector<int> row_lines_;
  std::vector<FeNode> places_;
};

}  // namespace

AssembledMatrices read_assembled(const AssembledFiles& files, const FeUnits& units) {
  AssembledReader reader(files, units);
  reader.read_rows(read_text_file(files.rows));
  const std::string ending = upper(std::filesystem::path(files.nodes).extension().string());
  if (ending == ".CSV" || ending == ".TXT") {
    reader.read_nodes(read_text_file(files.nodes));
  } else {
    FeReadOptions options;
    options.units = units;
    options.lenient = true;
    reader.take_nodes(read_fe_mesh(files.nodes, options));
  }
  auto K = reader.read_matrix(read_text_file(files.stiffness), 0, "stiffness matrix");
  auto M = reader.read_matrix(read_text_file(files.mass), 1, "mass matrix");
  return reader.finish(std::move(K), std::move(M));
}

AssembledMatrices read_assembled_text(const AssembledFiles& texts, const AssembledFiles& names,
                                      const FeUnits& units) {
  AssembledReader reader(names, units);
  reader.read_rows(texts.rows);
  reader.read_nodes(texts.nodes);
  auto K = reader.read_matrix(texts.stiffness, 0, "stiffness matrix");
  auto M = reader.read_matrix(texts.mass, 1, "mass matrix");
  return reader.finish(std::move(K), std::move(M));
}

}  // namespace monocoque::io

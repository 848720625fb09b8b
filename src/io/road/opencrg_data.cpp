#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "io/files/text_source.h"
#include "io/road/opencrg_reader.h"

namespace monocoque::io::crg {

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kLargestHeight = 1e5;
constexpr std::size_t kRecord = 80;

/// Where a number stands, for complaints: a line of text or a byte of binary data.
struct At {
  int line = 0;
  std::size_t byte = 0, width = 0;  ///< of the begin of the row; bytes of a number
  At column(std::size_t c) const { return {line, byte + c * width, width}; }
};

/// Takes one row after the other and sorts its numbers into the road.
class RowSink {
 public:
  explicit RowSink(Draft& draft) : draft_(draft), road_(draft.road) {
    for (const Column& c : draft.columns) {
      std::size_t j = 0;
      if (c.kind == ColumnKind::section) j = static_cast<std::size_t>(c.v) - 1;
      if (c.kind == ColumnKind::section_at_v)
        j = static_cast<std::size_t>(std::lower_bound(road_.v.begin(), road_.v.end(), c.v) - road_.v.begin());
      section_.push_back(j);
    }
    row_.resize(draft.columns.size());
  }

  std::size_t columns() const { return row_.size(); }
  double& value(std::size_t column) { return row_[column]; }

  void reserve(std::size_t rows) { road_.z.reserve(rows * road_.v.size()); }

  /// The row held is complete.
  void finish(const At& at) {
    const std::size_t first = road_.z.size();
    road_.z.resize(first + road_.v.size(), kNaN);
    for (std::size_t c = 0; c < row_.size(); ++c) {
      const ColumnKind kind = draft_.columns[c].kind;
      if (kind == ColumnKind::section || kind == ColumnKind::section_at_v)
        road_.z[first + section_[c]] = height(row_[c], c, at.column(c));
      else if (kind != ColumnKind::ignored && kind != ColumnKind::u)
        of(kind).push_back(line_value(kind, row_[c], c, at.column(c)));
    }
    ++road_.rows;
  }

  bool row_is_missing() const {
    return std::all_of(row_.begin(), row_.end(), [](double x) { return std::isnan(x); });
  }

  [[noreturn]] void complain(const At& at, const std::string& problem, const std::string& remedy) const {
    const std::string place = at.line > 0 ? "" : fmt::format("byte {}: ", at.byte);
    refuse(road_.file, at.line, place + problem, remedy);
  }

 private:
  std::vector<double>& of(ColumnKind kind) {
    switch (kind) {
      case ColumnKind::phi:
        return road_.phi;
      case ColumnKind::slope:
        return road_.slope;
      case ColumnKind::banking:
        return road_.banking;
      case ColumnKind::x:
        return road_.x;
      default:
        return road_.y;
    }
  }

  std::string which(std::size_t column) const {
    return fmt::format("row {}, column {}", road_.rows + 1, column + 1);
  }

  double height(double z, std::size_t column, const At& at) const {
    if (std::isnan(z)) return z;
    if (!(std::abs(z) <= kLargestHeight))
      complain(
          at, fmt::format("{}: the height is {} m, it must be within +-{}", which(column), z, kLargestHeight),
          "the file is damaged, or its columns are not what $KD_DEFINITION says");
    return z;
  }

  double line_value(ColumnKind kind, double value, std::size_t column, const At& at) const {
    if (road_.rows == 0 && (kind == ColumnKind::phi || kind == ColumnKind::slope)) return 0;
    const double largest = kind == ColumnKind::x || kind == ColumnKind::y ? 1e9 : 1e4;
    if (!(std::abs(value) <= largest))
      complain(at,
               fmt::format("{}: the number of the reference line is {}, it must be within +-{}",
                           which(column), value, largest),
               "the file is damaged, or its columns are not what $KD_DEFINITION says");
    return value;
  }

  Draft& draft_;
  CrgFile& road_;
  std::vector<std::size_t> section_;
  std::vector<double> row_;
};

/// Rows that the header promises, if it does.
std::optional<double> promised_rows(const CrgFile& road) {
  if (!road.header.end_u) return std::nullopt;
  return std::floor((*road.header.end_u - road.header.start_u.value_or(0)) / *road.header.increment + 0.5) +
         1;
}

double text_number(std::string_view field, const At& at, const RowSink& sink, std::size_t column) {
  const std::string_view word = trimmed(field);
  // "*missing*", "**unused**": a place without a number
  if (word.find('*') != std::string_view::npos || same_word(word, "NAN")) return kNaN;
  double value = 0;
  if (!parse_real(word, value))
    sink.complain(at, fmt::format("column {} is '{}', that is no number", column + 1, word.substr(0, 30)),
                  "write a number of the width of the format, or a word with * for a missing one");
  return value;
}

void read_text(std::string_view data, Draft& draft, RowSink& sink) {
  const std::size_t width = draft.road.format == CrgFormat::LRFI ? 10 : 20, per_line = kRecord / width;
  LineScanner scanner(data);
  std::string_view line;
  while (scanner.next(line)) {
    if (trimmed(line).empty()) continue;
    std::size_t column = 0;
    At at;
    while (true) {
      at.line = draft.data_line + scanner.line() - 1;
      std::size_t k = 0;
      for (; k < per_line && column < sink.columns() && k * width < line.size(); ++k, ++column) {
        const std::string_view field = line.substr(k * width, width);
        if (trimmed(field).empty()) break;
        sink.value(column) = text_number(field, at, sink, column);
      }
      if (column == sink.columns()) break;
      // A record that ends early belongs to a row that was cut.
      if (k != per_line || !scanner.next(line))
        sink.complain(
            at,
            fmt::format("row {} ends after {} of {} numbers", draft.road.rows + 1, column, sink.columns()),
            "the file is cut, or its columns are not what $KD_DEFINITION says");
    }
    sink.finish(at);
  }
}

template <class Bits, class Number>
double big_end_first(const char* p) {
  Bits bits = 0;
  for (std::size_t i = 0; i < sizeof(Bits); ++i)
    bits = static_cast<Bits>(bits << 8) | static_cast<unsigned char>(p[i]);
  return static_cast<double>(std::bit_cast<Number>(bits));
}

void read_binary(std::string_view text, Draft& draft, RowSink& sink) {
  const bool single = draft.road.format == CrgFormat::KRBI;
  const std::size_t width = single ? 4 : 8, row_bytes = width * sink.columns(), start = *draft.data_at;
  const std::size_t bytes = text.size() - start;
  std::size_t rows = bytes / row_bytes;
  if (const auto promised = promised_rows(draft.road)) {
    if (!(*promised <= static_cast<double>(rows)))
      sink.complain(
          {0, text.size(), width},
          fmt::format("the file ends within row {} of {}; {} bytes of data are there, {:.0f} are needed",
                      rows + 1, *promised, bytes, *promised * static_cast<double>(row_bytes)),
          "the file is cut or was changed as if it were text (line ends); copy it in binary mode");
    rows = static_cast<std::size_t>(std::max(0.0, *promised));
  }
  sink.reserve(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    const char* p = text.data() + start + i * row_bytes;
    for (std::size_t c = 0; c < sink.columns(); ++c, p += width)
      sink.value(c) =
          single ? big_end_first<std::uint32_t, float>(p) : big_end_first<std::uint64_t, double>(p);
    // The last record is filled up with missing numbers, which may look like whole rows.
    const bool may_be_filling = !draft.road.header.end_u && (rows - i) * row_bytes < kRecord + row_bytes;
    if (may_be_filling && i >= 2 && sink.row_is_missing()) break;
    sink.finish({0, start + i * row_bytes, width});
  }
}

}  // namespace

void read_data(std::string_view text, Draft& draft) {
  CrgFile& road = draft.road;
  RowSink sink(draft);
  const bool is_text = road.format == CrgFormat::LRFI || road.format == CrgFormat::LDFI;
  if (is_text) {
    read_text(text.substr(*draft.data_at), draft, sink);
    const auto promised = promised_rows(road);
    if (promised && static_cast<double>(road.rows) < *promised)
      refuse(road.file, 0,
             fmt::format("{} rows of data are there, REFERENCE_LINE_END_U = {} needs {}", road.rows,
                         *road.header.end_u, *promised),
             "the file is cut, or END_U is wrong");
  } else {
    read_binary(text, draft, sink);
  }
  if (road.rows < 2)
    refuse(road.file, draft.data_line,
           fmt::format("{} rows of data are there, at least 2 are needed", road.rows),
           "the file is cut, or REFERENCE_LINE_END_U is not beyond REFERENCE_LINE_START_U");
}

}  // namespace monocoque::io::crg

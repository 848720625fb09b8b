#pragma once
// The stages of reading an OpenCRG file. Internal to io.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/road/opencrg.h"

namespace monocoque::io::crg {

enum class ColumnKind { ignored, phi, slope, banking, x, y, u, section, section_at_v };

struct Column {
  ColumnKind kind = ColumnKind::ignored;
  double v = 0;  ///< position or number of a section
  int line = 0;
};

/// A file after its header: what it says, and where its data begin.
struct Draft {
  CrgFile road;
  std::vector<Column> columns;
  bool has_options = false;
  std::string reference;  ///< of $ROAD_CRG_FILE; empty: none
  int reference_line = 0;
  int increment_line = 0;
  std::optional<std::size_t> data_at;  ///< first byte of the data
  int data_line = 0;                   ///< number of its first line
};

[[noreturn]] void refuse(const std::string& file, int line, std::string problem, std::string remedy);
/// Appends a warning, up to a bound.
void warn(CrgFile& road, int line, std::string problem);

Draft read_header(std::string_view text, const std::string& file);
/// Gives the sections their positions v; checks the columns against each other.
void arrange_columns(Draft& draft);
/// Rows of numbers, column by column as `columns` says: text (LRFI, LDFI) or binary (KRBI, KDBI).
void read_data(std::string_view text, Draft& draft);
/// What must hold for the numbers of a complete road.
void check_road(const Draft& draft);

}  // namespace monocoque::io::crg

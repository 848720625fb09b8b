#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "io/files/text_source.h"
#include "io/road/opencrg_reader.h"

namespace monocoque::io::crg {

namespace {

enum class Section { none, comment, road, options, modifiers, definition, reference, ignored };

constexpr double kLargestNumber = 1e9;

using HeaderKey = std::optional<double> CrgHeader::*;
using ModifierKey = std::optional<double> CrgModifiers::*;

struct HeaderName {
  std::string_view name;
  HeaderKey key;
};
constexpr HeaderName kHeaderNames[] = {
    {"REFERENCE_LINE_INCREMENT", &CrgHeader::increment},
    {"REFERENCE_LINE_START_U", &CrgHeader::start_u},
    {"REFERENCE_LINE_START_X", &CrgHeader::start_x},
    {"REFERENCE_LINE_START_Y", &CrgHeader::start_y},
    {"REFERENCE_LINE_START_Z", &CrgHeader::start_z},
    {"REFERENCE_LINE_START_PHI", &CrgHeader::start_phi},
    {"REFERENCE_LINE_START_S", &CrgHeader::start_slope},
    {"REFERENCE_LINE_START_B", &CrgHeader::start_banking},
    {"REFERENCE_LINE_END_U", &CrgHeader::end_u},
    {"REFERENCE_LINE_END_X", &CrgHeader::end_x},
    {"REFERENCE_LINE_END_Y", &CrgHeader::end_y},
    {"REFERENCE_LINE_END_Z", &CrgHeader::end_z},
    {"REFERENCE_LINE_END_PHI", &CrgHeader::end_phi},
    {"REFERENCE_LINE_END_S", &CrgHeader::end_slope},
    {"REFERENCE_LINE_END_B", &CrgHeader::end_banking},
    {"LONG_SECTION_V_RIGHT", &CrgHeader::v_right},
    {"LONG_SECTION_V_LEFT", &CrgHeader::v_left},
    {"LONG_SECTION_V_INCREMENT", &CrgHeader::v_increment},
};
/// Known, and without effect on the surface.
constexpr std::string_view kHeaderIgnored[] = {"REFERENCE_LINE_OFFSET_X",  "REFERENCE_LINE_OFFSET_Y",
                                               "REFERENCE_LINE_OFFSET_Z",  "REFERENCE_LINE_OFFSET_PHI",
                                               "REFERENCE_LINE_START_LON", "REFERENCE_LINE_START_LAT",
                                               "REFERENCE_LINE_START_ALT", "REFERENCE_LINE_END_LON",
                                               "REFERENCE_LINE_END_LAT",   "REFERENCE_LINE_END_ALT"};

struct ModifierName {
  std::string_view name;
  ModifierKey key;
};
constexpr ModifierName kModifierNames[] = {
    {"SCALE_Z_GRID", &CrgModifiers::scale_z},
    {"SCALE_SLOPE", &CrgModifiers::scale_slope},
    {"SCALE_BANKING", &CrgModifiers::scale_banking},
    {"SCALE_LENGTH", &CrgModifiers::scale_length},
    {"SCALE_WIDTH", &CrgModifiers::scale_width},
    {"SCALE_CURVATURE", &CrgModifiers::scale_curvature},
    {"GRID_NAN_OFFSET", &CrgModifiers::nan_offset},
    {"REFPOINT_U", &CrgModifiers::refpoint_u},
    {"REFPOINT_U_FRACTION", &CrgModifiers::refpoint_u_fraction},
    {"REFPOINT_U_OFFSET", &CrgModifiers::refpoint_u_offset},
    {"REFPOINT_V", &CrgModifiers::refpoint_v},
    {"REFPOINT_V_FRACTION", &CrgModifiers::refpoint_v_fraction},
    {"REFPOINT_V_OFFSET", &CrgModifiers::refpoint_v_offset},
    {"REFPOINT_X", &CrgModifiers::refpoint_x},
    {"REFPOINT_Y", &CrgModifiers::refpoint_y},
    {"REFPOINT_Z", &CrgModifiers::refpoint_z},
    {"REFPOINT_PHI", &CrgModifiers::refpoint_phi},
    {"REFLINE_ROTCENTER_X", &CrgModifiers::rotation_center_x},
    {"REFLINE_ROTCENTER_Y", &CrgModifiers::rotation_center_y},
    {"REFLINE_OFFSET_X", &CrgModifiers::offset_x},
    {"REFLINE_OFFSET_Y", &CrgModifiers::offset_y},
    {"REFLINE_OFFSET_Z", &CrgModifiers::offset_z},
    {"REFLINE_OFFSET_PHI", &CrgModifiers::offset_phi},
};
constexpr std::string_view kOptionsIgnored[] = {"REFLINE_SEARCH_", "WARN_", "LOG_", "CHECK_"};

std::string_view without_comment(std::string_view line) {
  return trimmed(line.substr(0, line.find('!')));
}

class HeaderReader {
 public:
  HeaderReader(std::string_view text, const std::string& file) : text_(text), scanner_(text) {
    draft_.road.file = file;
  }

  Draft read() {
    std::string_view line;
    while (scanner_.next(line)) {
      if (!line.empty() && line.front() == '$' && mark(line)) break;
      if (line.empty() || line.front() != '$') content(line);
    }
    return std::move(draft_);
  }

 private:
  [[noreturn]] void complain(std::string problem, std::string remedy) const {
    refuse(draft_.road.file, scanner_.line(), std::move(problem), std::move(remedy));
  }

  /// A line that begins with $: begin or end of a section, or (true) of the data.
  bool mark(std::string_view line) {
    if (line.size() > 1 && line[1] == '$') {
      draft_.data_at = static_cast<std::size_t>(line.data() - text_.data());
      const std::size_t end = text_.find('\n', *draft_.data_at);
      draft_.data_at = end == std::string_view::npos ? text_.size() : end + 1;
      draft_.data_line = scanner_.line() + 1;
      return true;
    }
    std::size_t n = 1;
    while (n < line.size() && (std::isalnum(static_cast<unsigned char>(line[n])) || line[n] == '_')) ++n;
    const std::string word = upper(line.substr(1, n - 1));
    section_ = Section::none;
    if (word.empty()) return false;
    if (word == "CT")
      section_ = Section::comment;
    else if (word == "ROAD_CRG")
      section_ = Section::road;
    else if (word == "KD_DEFINITION")
      section_ = Section::definition;
    else if (word == "ROAD_CRG_FILE")
      section_ = Section::reference;
    else if (word == "ROAD_CRG_OPTS")
      section_ = Section::options;
    else if (word == "ROAD_CRG_MODS")
      section_ = Section::modifiers;
    else
      section_ = Section::ignored;
    if (section_ == Section::options) draft_.has_options = true;
    if (section_ == Section::modifiers) draft_.road.modifiers = CrgModifiers{};
    if (section_ == Section::ignored && word != "ROAD_CRG_MPRO")
      warn(draft_.road, scanner_.line(), fmt::format("section ${} is unknown, it is ignored", word));
    return false;
  }

  void content(std::string_view line) {
    if (section_ == Section::comment) {
      if (draft_.road.comment.empty()) draft_.road.comment = std::string(trimmed(line.substr(0, 200)));
      return;
    }
    if (section_ == Section::none || section_ == Section::ignored) return;
    const std::string_view entry = without_comment(line);
    if (entry.empty() || entry.front() == '*') return;
    if (section_ == Section::definition) return definition(entry);
    if (section_ == Section::reference) return reference(entry);
    const std::size_t equals = entry.find('=');
    if (equals == std::string_view::npos)
      complain(fmt::format("'{}' is no assignment", entry.substr(0, 80)),
               "write KEY = value, begin a comment with *, end the section with $");
    assign(upper(trimmed(entry.substr(0, equals))), trimmed(entry.substr(equals + 1)));
  }

  double number(const std::string& key, std::string_view text) const {
    double value = 0;
    if (!parse_real(text, value))
      complain(fmt::format("{} is '{}', that is no number", key, text.substr(0, 40)),
               "write a decimal number");
    if (std::abs(value) > kLargestNumber)
      complain(fmt::format("{} is {}, it must be within +-{}", key, value, kLargestNumber),
               "lengths are in m");
    return value;
  }

  int integer(const std::string& key, std::string_view text, int largest) const {
    const double value = number(key, text);
    if (!(value >= 0 && value <= largest) || value != std::floor(value))
      complain(fmt::format("{} is {}, it must be an integer from 0 to {}", key, value, largest),
               "see docs/roads.md, OpenCRG");
    return static_cast<int>(value);
  }

  void assign(const std::string& key, std::string_view text) {
    if (section_ == Section::road) return road(key, text);
    if (section_ == Section::options) return option(key, text);
    modifier(key, text);
  }

  void road(const std::string& key, std::string_view text) {
    for (const HeaderName& n : kHeaderNames)
      if (n.name == key) {
        draft_.road.header.*n.key = number(key, text);
        if (n.key == &CrgHeader::increment) draft_.increment_line = scanner_.line();
        return;
      }
    if (std::find(std::begin(kHeaderIgnored), std::end(kHeaderIgnored), key) == std::end(kHeaderIgnored))
      warn(draft_.road, scanner_.line(), fmt::format("{} is unknown in $ROAD_CRG, it is ignored", key));
  }

  double ramp(const std::string& key, std::string_view text) const {
    const double value = number(key, text);
    if (value < 0) complain(fmt::format("{} is {}, it must be >= 0", key, value), "it is a length in m");
    return value;
  }

  void option(const std::string& key, std::string_view text) {
    CrgOptions& o = draft_.road.options;
    if (key == "BORDER_MODE_U")
      o.border_mode_u = integer(key, text, 4);
    else if (key == "BORDER_MODE_V")
      o.border_mode_v = integer(key, text, 4);
    else if (key == "BORDER_OFFSET_U")
      o.border_offset_u = number(key, text);
    else if (key == "BORDER_OFFSET_V")
      o.border_offset_v = number(key, text);
    else if (key == "BORDER_SMOOTH_UBEG")
      o.smooth_begin = ramp(key, text);
    else if (key == "BORDER_SMOOTH_UEND")
      o.smooth_end = ramp(key, text);
    else if (key == "REFLINE_CONTINUATION")
      o.close_track = integer(key, text, 1) == 1;
    else if (std::none_of(std::begin(kOptionsIgnored), std::end(kOptionsIgnored),
                          [&](std::string_view s) { return key.starts_with(s); }))
      warn(draft_.road, scanner_.line(), fmt::format("option {} is unknown, it is ignored", key));
  }

  void modifier(const std::string& key, std::string_view text) {
    CrgModifiers& m = *draft_.road.modifiers;
    if (key == "GRID_NAN_MODE") {
      m.nan_mode = integer(key, text, 2);
      return;
    }
    for (const ModifierName& n : kModifierNames)
      if (n.name == key) {
        const double value = number(key, text);
        if ((key == "SCALE_LENGTH" || key == "SCALE_WIDTH") && !(value >= 1e-6 && value <= 1e6))
          complain(fmt::format("{} is {}, it must be within 1e-6 and 1e6", key, value), "1 changes nothing");
        m.*n.key = value;
        return;
      }
    warn(draft_.road, scanner_.line(), fmt::format("modifier {} is unknown, it is ignored", key));
  }

  void reference(std::string_view entry) {
    if (draft_.reference.empty()) draft_.reference_line = scanner_.line();
    // A path may be divided over lines; blanks do not belong to it.
    draft_.reference += entry.substr(0, entry.find(' '));
    if (draft_.reference.size() > 4096)
      complain("the path of $ROAD_CRG_FILE is longer than 4096", "shorten it");
  }

  void definition(std::string_view entry) {
    const std::string line = upper(entry);
    if (line.starts_with("#:")) return format(std::string(trimmed(std::string_view(line).substr(2))));
    if (!line.starts_with("D:")) return;  // U: is a column for viewers only
    Column c;
    c.line = scanner_.line();
    const std::string_view what = trimmed(std::string_view(line).substr(2));
    if (what.starts_with("LONG SECTION"))
      section_column(trimmed(what.substr(12)), c);
    else if (what.starts_with("REFERENCE LINE"))
      line_column(trimmed(what.substr(14)), c);
    else
      warn(draft_.road, c.line, fmt::format("column '{}' is unknown, it is ignored", what.substr(0, 40)));
    draft_.columns.push_back(c);
  }

  void format(const std::string& name) {
    const std::string four = name.substr(0, 4);
    if (four == "LRFI")
      draft_.road.format = CrgFormat::LRFI;
    else if (four == "LDFI")
      draft_.road.format = CrgFormat::LDFI;
    else if (four == "KRBI")
      draft_.road.format = CrgFormat::KRBI;
    else if (four == "KDBI")
      draft_.road.format = CrgFormat::KDBI;
    else
      complain(fmt::format("the format of the data is '{}', it must be LRFI, LDFI, KRBI or KDBI", four),
               "write the data anew in one of them");
  }

  void unit(std::string_view what, std::string_view wanted) const {
    const std::size_t comma = what.find(',');
    const std::string_view given = comma == std::string_view::npos ? "" : trimmed(what.substr(comma + 1));
    if (!given.starts_with(wanted))
      complain(fmt::format("the unit of '{}' must be {}", what.substr(0, 40), wanted),
               "write it behind a comma at the end of the column's definition");
  }

  void section_column(std::string_view what, Column& c) const {
    unit(what, "M");
    std::string_view text = trimmed(what.substr(0, what.find(',')));
    c.kind = ColumnKind::section;
    if (text.starts_with("AT")) {
      c.kind = ColumnKind::section_at_v;
      const std::size_t equals = text.find('=');
      text = equals == std::string_view::npos ? std::string_view{} : trimmed(text.substr(equals + 1));
    }
    c.v = number("the long section", text);
  }

  void line_column(std::string_view what, Column& c) const {
    const std::string_view name = trimmed(what.substr(0, what.find(',')));
    if (name == "PHI")
      c.kind = ColumnKind::phi;
    else if (name == "SLOPE")
      c.kind = ColumnKind::slope;
    else if (name == "BANKING")
      c.kind = ColumnKind::banking;
    else if (name == "X")
      c.kind = ColumnKind::x;
    else if (name == "Y")
      c.kind = ColumnKind::y;
    else if (name == "U")
      c.kind = ColumnKind::u;
    else
      complain(fmt::format("column 'reference line {}' is unknown", name.substr(0, 40)),
               "there are phi, slope, banking, x, y and u");
    const bool angle = c.kind == ColumnKind::phi,
               length = c.kind == ColumnKind::x || c.kind == ColumnKind::y || c.kind == ColumnKind::u;
    unit(what, angle ? "RAD" : length ? "M" : "M/M");
  }

  std::string_view text_;
  LineScanner scanner_;
  Draft draft_;
  Section section_ = Section::none;
};

int count(const Draft& draft, ColumnKind kind) {
  return static_cast<int>(std::count_if(draft.columns.begin(), draft.columns.end(),
                                        [&](const Column& c) { return c.kind == kind; }));
}

}  // namespace

Draft read_header(std::string_view text, const std::string& file) {
  return HeaderReader(text, file).read();
}

void arrange_columns(Draft& draft) {
  CrgFile& road = draft.road;
  for (const ColumnKind kind :
       {ColumnKind::phi, ColumnKind::slope, ColumnKind::banking, ColumnKind::x, ColumnKind::y, ColumnKind::u})
    if (count(draft, kind) > 1)
      refuse(road.file, draft.columns.back().line, "a column of the reference line is defined twice",
             "define each of phi, slope, banking, x, y once");
  if (count(draft, ColumnKind::x) != count(draft, ColumnKind::y))
    refuse(road.file, 0, "only one of the columns 'reference line x' and 'y' is there",
           "give both or neither");
  const int numbered = count(draft, ColumnKind::section), placed = count(draft, ColumnKind::section_at_v);
  if (numbered + placed < 2)
    refuse(road.file, 0,
           fmt::format("$KD_DEFINITION has {} long sections, at least 2 are needed", numbered + placed),
           "a surface needs two columns D:long section");
  if (numbered > 0 && placed > 0)
    refuse(road.file, 0, "long sections are given by number and by position v", "use one of the two ways");
  for (const Column& c : draft.columns)
    if (c.kind == ColumnKind::section || c.kind == ColumnKind::section_at_v) road.v.push_back(c.v);
  std::sort(road.v.begin(), road.v.end());
  road.explicit_v = placed > 0;
  if (road.explicit_v) {
    for (std::size_t j = 1; j < road.v.size(); ++j)
      if (road.v[j] - road.v[j - 1] < 1e-6)
        refuse(road.file, 0, fmt::format("two long sections are at v = {}", road.v[j]), "remove one of them");
    return;
  }
  const CrgHeader& h = road.header;
  const std::size_t n = road.v.size();
  for (std::size_t j = 0; j < n; ++j)
    if (road.v[j] != static_cast<double>(j + 1))
      refuse(road.file, 0,
             fmt::format("the long sections are numbered {} where {} is expected", road.v[j], j + 1),
             "number them 1, 2, 3 ... without gaps");
  const double gaps = static_cast<double>(n - 1);
  double step = 0;
  if (h.v_increment)
    step = *h.v_increment;
  else if (h.v_right && h.v_left)
    step = (*h.v_left - *h.v_right) / gaps;
  if (!(step >= 1e-6))
    refuse(road.file, 0,
           fmt::format("the distance of numbered long sections is {} m, it must be at least 1e-6", step),
           "give LONG_SECTION_V_INCREMENT, or V_RIGHT and V_LEFT with V_RIGHT < V_LEFT");
  // Without a border the sections lie symmetrically to the reference line.
  const double right = h.v_right ? *h.v_right : h.v_left ? *h.v_left - gaps * step : -0.5 * gaps * step;
  if (h.v_right && h.v_left && std::abs(*h.v_right + gaps * step - *h.v_left) > 0.5 * step)
    refuse(road.file, 0,
           fmt::format(
               "{} long sections with an increment of {} m reach from {} to {}, LONG_SECTION_V_LEFT is {}", n,
               step, right, right + gaps * step, *h.v_left),
           "make number, increment and borders agree");
  for (std::size_t j = 0; j < n; ++j) road.v[j] = right + static_cast<double>(j) * step;
}

}  // namespace monocoque::io::crg

#include "io/tire/tir.h"

#include <cctype>
#include <cmath>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

#include "io/files/text_source.h"
#include "io/tire/tir_tables.h"

namespace monocoque::io {
namespace {

using namespace tir;

/// Without these there is no tyre; a file that ends early lacks some of them.
constexpr const char* kEssential[] = {"UNLOADED_RADIUS",
                                      "FNOMIN",
                                      "PCX1",
                                      "PDX1",
                                      "PKX1",
                                      "PCY1",
                                      "PDY1",
                                      "PKY1",
                                      "PKY2",
                                      "QBZ1",
                                      "QCZ1",
                                      "QDZ1"};

constexpr double kLargest = 1e12;

/// At most 60 printable characters, for messages.
std::string shown(const std::string& s) {
  std::string out;
  for (char c : s.substr(0, 60)) out += std::isprint(static_cast<unsigned char>(c)) != 0 ? c : '?';
  return s.size() > 60 ? out + "..." : out;
}

/// A whole text as a number; Fortran's D exponents count. NaN and infinities are numbers here.
std::optional<double> number_of(std::string s) {
  for (char& c : s)
    if (c == 'd' || c == 'D') c = 'e';
  const char* begin = s.c_str();
  if (*begin == '+') ++begin;
  double x = 0;
  const auto [end, status] = std::from_chars(begin, s.c_str() + s.size(), x);
  if (end != s.c_str() + s.size() || end == begin) return std::nullopt;
  if (status == std::errc::result_out_of_range) return HUGE_VAL;
  if (status != std::errc()) return std::nullopt;
  return x;
}

class TirReader {
 public:
  TirReader(const std::string& text, const std::string& file) : text_(text) { out_.file = file; }

  TirFile read() {
    read_lines();
    if (!seen_section_)
      errors_.error({out_.file, 0}, "", "the file has no [SECTION]", "give a tyre property file (.tir)");
    errors_.throw_if_errors();
    read_units();
    read_version();
    read_values();
    read_tables();
    errors_.throw_if_errors();
    complete();
    check();
    errors_.throw_if_errors();
    return std::move(out_);
  }

 private:
  static constexpr int kMostErrors = 50;

  Place at(int line) const { return {out_.file, line}; }
  Place place(const std::string& key) const {
    const auto found = out_.entries.find(key);
    return found == out_.entries.end() ? Place{out_.file, 0} : found->second.place;
  }
  void complain(int line, std::string problem, std::string remedy) {
    if (errors_.error_count() < kMostErrors)
      errors_.error(at(line), section_, std::move(problem), std::move(remedy));
  }

  void read_lines() {
    int line = 0;
    std::size_t begin = 0;
    while (begin < text_.size()) {
      std::size_t end = text_.find_first_of("\r\n", begin);
      if (end == std::string::npos) end = text_.size();
      ++line;
      read_line(std::string_view(text_).substr(begin, end - begin), line);
      if (end + 1 < text_.size() && text_[end] == '\r' && text_[end + 1] == '\n') ++end;
      begin = end + 1;
    }
  }

  /// The part of a line before its comment; $ and ! inside quotes do not count.
  static std::string_view without_comment(std::string_view line) {
    char quote = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const char c = line[i];
      if (quote != 0) {
        if (c == quote) quote = 0;
      } else if (c == '\'' || c == '"') {
        // A quote that is never closed is an apostrophe.
        if (line.find(c, i + 1) != std::string_view::npos) quote = c;
      } else if (c == '$' || c == '!') {
        return line.substr(0, i);
      }
    }
    return line;
  }

  void read_line(std::string_view raw, int line) {
    const std::string content(trimmed(without_comment(raw)));
    if (content.empty()) return;
    if (content.front() == '[') return read_section(content, line);
    if (content.front() == '(') {  // Adams: (COMMENTS)
      table_.clear();
      free_text_ = true;
      return;
    }
    if (content.front() == '{') {
      table_ = free_text_ ? "" : section_;
      return;
    }
    const std::size_t equals = content.find('=');
    if (equals != std::string::npos && !(free_text_ && content.front() == '\'')) {
      table_.clear();
      return read_key(content, equals, line);
    }
    if (!table_.empty()) return read_row(content, line);
    if (free_text_ || section_ == "MDI_HEADER") return;
    complain(line, fmt::format("'{}' is neither KEY = value nor a section nor a comment", shown(content)),
             "write KEY = value, or $ before a comment; is the file cut off?");
  }

  void read_section(const std::string& content, int line) {
    const std::size_t close = content.find(']');
    if (close == std::string::npos)
      return complain(line, fmt::format("'{}' has no closing ]", shown(content)),
                      "write [SECTION]; is the file cut off?");
    section_ = upper(trimmed(std::string_view(content).substr(1, close - 1)));
    table_.clear();
    free_text_ = false;
    seen_section_ = true;
  }

  void read_row(const std::string& content, int line) {
    std::istringstream words(content);
    std::vector<double> row;
    for (std::string word; words >> word && row.size() < 16;) {
      const std::optional<double> x = number_of(word);
      if (!x || !std::isfinite(*x) || std::abs(*x) > kLargest)
        return complain(line,
                        fmt::format("'{}' in the table of [{}] is no usable number", shown(word), section_),
                        "give finite numbers in columns");
      row.push_back(*x);
    }
    out_.tables[table_].push_back(std::move(row));
    table_lines_[table_] = line;
  }

  void read_key(const std::string& content, std::size_t equals, int line) {
    std::string key = upper(trimmed(std::string_view(content).substr(0, equals)));
    const std::string value(trimmed(std::string_view(content).substr(equals + 1)));
    if (key.empty() || key.find_first_of(" \t'\"") != std::string::npos) {
      if (free_text_ || section_ == "MDI_HEADER") return;
      return complain(line, fmt::format("'{}' is no key", shown(key)), "write KEY = value");
    }
    if (section_.empty() && !seen_section_)
      return complain(line, fmt::format("{} stands before the first [SECTION]", shown(key)),
                      "begin with [MDI_HEADER] or [UNITS]");
    TirEntry entry;
    entry.place = at(line);
    entry.section = section_;
    if (value.empty())
      return complain(line, fmt::format("{} has no value", shown(key)), "give one; is the file cut off?");
    if (value.size() >= 2 && (value.front() == '\'' || value.front() == '"') &&
        value.back() == value.front()) {
      entry.text = value.substr(1, value.size() - 2);
    } else if (const std::optional<double> x = number_of(value)) {
      entry.is_number = true;
      entry.number = *x;
      entry.text = value;
    } else {
      entry.text = value;
    }
    const bool unit = section_ == "UNITS";
    if (!unit)
      if (const auto other = aliases().find(key); other != aliases().end()) key = other->second;
    auto& into = unit ? units_ : out_.entries;
    const auto [old, fresh] = into.emplace(key, entry);
    if (fresh) return;
    const bool same = old->second.is_number == entry.is_number &&
                      (entry.is_number ? old->second.number == entry.number : old->second.text == entry.text);
    if (same)
      out_.warnings.warning(at(line), "",
                            fmt::format("{} = {} stands here again (first in line {})", shown(key),
                                        shown(entry.text), old->second.place.line));
    else
      complain(line,
               fmt::format("{} is {} here and {} in line {}", shown(key), shown(entry.text),
                           shown(old->second.text), old->second.place.line),
               "keep one of the two");
  }

  template <std::size_t Size>
  void read_unit(const char* key, const Unit (&table)[Size], double& factor) {
    const auto found = units_.find(key);
    if (found == units_.end()) return;
    const std::string word = upper(trimmed(found->second.text));
    std::string known;
    for (const Unit& u : table) {
      if (word == u.name) {
        factor = u.factor;
        return;
      }
      known += (known.empty() ? "" : ", ") + std::string(u.name);
    }
    errors_.error(found->second.place, "UNITS", fmt::format("{} is '{}', an unknown unit", key, shown(word)),
                  "give one of " + known);
  }

  void read_units() {
    section_ = "UNITS";
    read_unit("LENGTH", kLengths, unit_.length);
    read_unit("FORCE", kForces, unit_.force);
    read_unit("ANGLE", kAngles, unit_.angle);
    read_unit("MASS", kMasses, unit_.mass);
    read_unit("TIME", kTimes, unit_.time);
    read_unit("PRESSURE", kPressures, unit_.pressure);
    for (const auto& [key, entry] : units_)
      if (std::string(" LENGTH FORCE ANGLE MASS TIME PRESSURE ").find(" " + key + " ") == std::string::npos)
        out_.warnings.warning(entry.place, "UNITS", fmt::format("{} is not used", shown(key)));
    std::string missing;
    for (const char* key : {"LENGTH", "FORCE", "ANGLE", "MASS", "TIME"})
      if (units_.count(key) == 0) missing += (missing.empty() ? "" : ", ") + std::string(key);
    if (!missing.empty())
      out_.warnings.warning(at(0), "UNITS", fmt::format("no unit of {}: SI is assumed", missing));
  }

  void read_version() {
    const auto found = out_.entries.find("FITTYP");
    if (found == out_.entries.end()) {
      errors_.error(at(0), "MODEL", "FITTYP is missing, it chooses the equations",
                    "add FITTYP = 6 (MF 5.2), 61 or 62 to [MODEL]");
      return;
    }
    const TirEntry& entry = found->second;
    const double x = entry.is_number ? entry.number : 0;
    out_.fittyp = std::abs(x) < 1000 ? static_cast<int>(x) : 0;
    switch (x == out_.fittyp ? out_.fittyp : 0) {
      case 5:
      case 6:
      case 21:
        out_.version = TirVersion::mf52;
        break;
      case 51:
      case 52:
        out_.warnings.warning(
            entry.place, "MODEL",
            fmt::format("FITTYP is {} (motorcycle MF-MCTyre), read with the equations of MF 6.1",
                        out_.fittyp));
        [[fallthrough]];
      case 60:
      case 61:
        out_.version = TirVersion::mf61;
        break;
      case 62:
        out_.version = TirVersion::mf62;
        break;
      default:
        errors_.error(
            entry.place, "MODEL",
            fmt::format("FITTYP is {}, it must be 5, 6, 21, 51, 52, 60, 61 or 62", shown(entry.text)),
            "use a Magic Formula file of version 5.2, 6.1 or 6.2");
    }
  }

  void read_values() {
    static const std::vector<std::string> names = [] {
      std::vector<std::string> all(text_keys().begin(), text_keys().end());
      for (const TirKey& k : keys()) all.emplace_back(k.name);
      return all;
    }();
    int suggestions = 0;
    for (const auto& [key, entry] : out_.entries) {
      const auto known = keys_by_name().find(key);
      if (known == keys_by_name().end()) {
        if (key == "FITTYP" || text_keys().count(key) > 0) continue;
        // A long list of strange keys must not take long.
        const std::string hint = key.size() < 40 && ++suggestions <= 20 ? suggestion(key, names) : "";
        out_.warnings.warning(entry.place, entry.section,
                              fmt::format("{} is unknown and not used", shown(key)), hint);
        continue;
      }
      if (!entry.is_number) {
        errors_.error(entry.place, entry.section,
                      fmt::format("{} is '{}', it must be a number", key, shown(entry.text)),
                      "give a number without a unit");
        continue;
      }
      const double x = entry.number * unit_.factor(known->second->dimension);
      if (!std::isfinite(x) || std::abs(entry.number) > kLargest) {
        errors_.error(entry.place, entry.section,
                      fmt::format("{} is {}, it must be finite and below 1e12", key, shown(entry.text)),
                      "correct the value");
        continue;
      }
      out_.values.*(known->second->member) = x;
    }
    for (const char* key : kEssential)
      if (!out_.given(key))
        errors_.error(at(0), "", fmt::format("{} is missing, no tyre can do without it", key),
                      "add it; is the file cut off?");
    read_side();
  }

  void read_side() {
    const auto found = out_.entries.find("TYRESIDE");
    if (found == out_.entries.end()) return;
    const std::string side = upper(trimmed(found->second.text));
    if (side == "LEFT") {
      out_.side = TireSide::left;
    } else if (side == "RIGHT") {
      out_.side = TireSide::right;
    } else if (side == "SYMMETRIC" || side == "UNKNOWN" || side == "NONE") {
      out_.side = TireSide::symmetric;
      out_.warnings.warning(found->second.place, found->second.section,
                            fmt::format("TYRESIDE is '{}': the tyre is never mirrored", side));
    } else {
      errors_.error(
          found->second.place, found->second.section,
          fmt::format("TYRESIDE is '{}', it must be LEFT, RIGHT or SYMMETRIC", shown(found->second.text)),
          "name the side the tyre was measured on");
    }
  }

  void read_tables() {
    for (const auto& [name, rows] : out_.tables) {
      if (name != "DEFLECTION_LOAD_CURVE") {
        if (name != "SHAPE")
          out_.warnings.warning(at(table_lines_[name]), name, "the table is read and not used");
        continue;
      }
      auto& curve = out_.deflection_load;
      for (const std::vector<double>& row : rows) {
        if (row.size() != 2) {
          errors_.error(at(table_lines_[name]), name, fmt::format("a row has {} numbers", row.size()),
                        "give deflection and force in each row");
          return;
        }
        curve[0].push_back(row[0] * unit_.length);
        curve[1].push_back(row[1] * unit_.force);
      }
      bool good = curve[0].size() >= 2 && curve[0][0] >= 0 && curve[1][0] >= 0;
      for (std::size_t i = 1; i < curve[0].size(); ++i)
        good = good && curve[0][i] > curve[0][i - 1] && curve[1][i] > curve[1][i - 1];
      if (!good)
        errors_.error(at(table_lines_[name]), name,
                      "deflection and force must both increase from zero or more",
                      "give two or more rows in order");
    }
  }

  bool matters(User user) const {
    switch (user) {
      case User::all:
        return true;
      case User::five:
        return out_.version == TirVersion::mf52;
      case User::six:
        return out_.version != TirVersion::mf52;
      case User::two:
        return out_.version == TirVersion::mf62;
      case User::turn:
        return seen_turn_slip();
      case User::given:
      case User::kept:
        return false;
    }
    return false;
  }
  /// Coefficients of turn slip are there; LMP alone is in most files and says nothing.
  bool seen_turn_slip() const {
    return std::any_of(keys().begin(), keys().end(), [&](const TirKey& k) {
      return k.user == User::turn && k.name != std::string_view("LMP") && out_.given(k.name);
    });
  }

  void assume(const std::string& key, double& value, double chosen, const std::string& reason) {
    value = chosen;
    out_.assumed.push_back({key, chosen, reason});
  }

  /// Values for what the file leaves out; each that the equations of this version use is reported.
  void complete() {
    TirValues& v = out_.values;
    const std::string left_out = "the file leaves it out";
    if (!out_.given("NOMPRES") && out_.given("INFLPRES"))
      assume("NOMPRES", v.NOMPRES, v.INFLPRES, left_out + " (INFLPRES is taken)");
    else if (!out_.given("INFLPRES") && out_.given("NOMPRES"))
      assume("INFLPRES", v.INFLPRES, v.NOMPRES, left_out + " (NOMPRES is taken)");
    if (!out_.given("FZMAX") && v.FZMAX < 2 * v.FNOMIN)
      assume("FZMAX", v.FZMAX, 2 * v.FNOMIN, left_out + " (twice FNOMIN)");
    if (!out_.given("RIM_RADIUS") && v.RIM_RADIUS > 0.8 * v.UNLOADED_RADIUS)
      assume("RIM_RADIUS", v.RIM_RADIUS, 0.6 * v.UNLOADED_RADIUS, left_out + " (0.6 UNLOADED_RADIUS)");
    std::set<std::string> done;
    for (const TirAssumption& a : out_.assumed) done.insert(a.key);
    const bool turn_slip = seen_turn_slip();
    for (const TirKey& k : keys())
      if (!out_.given(k.name) && done.count(k.name) == 0 && matters(k.user) &&
          (k.user != User::turn || turn_slip))
        out_.assumed.push_back({k.name, k.assumed, left_out});
    for (const TirKey& k : keys())
      if (out_.given(k.name) && !matters(k.user) && k.user != User::given && k.user != User::turn)
        out_.unused.push_back(k.name);
    if (!out_.given("TYRESIDE"))
      out_.warnings.warning(at(0), "MODEL", "TYRESIDE is missing: the tyre counts as measured on the left");
  }

  void must(bool good, const std::string& key, const std::string& rule, const std::string& remedy) {
    if (good) return;
    const double x = out_.values.*(keys_by_name().at(key)->member);
    const auto entry = out_.entries.find(key);
    errors_.error(
        place(key), entry == out_.entries.end() ? "" : entry->second.section,
        fmt::format(
            "{} is {}, {}", key,
            entry == out_.entries.end() ? fmt::format("{:g} (assumed)", x) : shown(entry->second.text), rule),
        remedy);
  }

  void check() {
    const TirValues& v = out_.values;
    for (const auto& [key, x] : {std::pair<const char*, double>{"FNOMIN", v.FNOMIN},
                                 {"UNLOADED_RADIUS", v.UNLOADED_RADIUS},
                                 {"VERTICAL_STIFFNESS", v.VERTICAL_STIFFNESS},
                                 {"LONGVL", v.LONGVL},
                                 {"VXLOW", v.VXLOW},
                                 {"WIDTH", v.WIDTH},
                                 {"NOMPRES", v.NOMPRES},
                                 {"INFLPRES", v.INFLPRES},
                                 {"LFZO", v.LFZO},
                                 {"RIM_RADIUS", v.RIM_RADIUS},
                                 {"LONGITUDINAL_STIFFNESS", v.LONGITUDINAL_STIFFNESS},
                                 {"LATERAL_STIFFNESS", v.LATERAL_STIFFNESS}})
      must(x > 0, key, "it must be > 0", "correct the value and the [UNITS]");
    for (const auto& [key, x] : {std::pair<const char*, double>{"VERTICAL_DAMPING", v.VERTICAL_DAMPING},
                                 {"BOTTOM_STIFF", v.BOTTOM_STIFF},
                                 {"BOTTOM_OFFST", v.BOTTOM_OFFST},
                                 {"FZMIN", v.FZMIN},
                                 {"LMUX", v.LMUX},
                                 {"LMUY", v.LMUY},
                                 {"LMUV", v.LMUV}})
      must(x >= 0, key, "it must be >= 0", "correct the value");
    // What follows compares values; a wrong one would be reported twice.
    if (errors_.has_errors()) return;
    must(v.UNLOADED_RADIUS < 100, "UNLOADED_RADIUS", "more than 100 m in the units of the file",
         "check LENGTH in [UNITS]");
    must(v.RIM_RADIUS < v.UNLOADED_RADIUS, "RIM_RADIUS", "it must be below UNLOADED_RADIUS",
         "correct one of the two");
    must(v.KPUMIN < v.KPUMAX, "KPUMIN", fmt::format("it must be below KPUMAX = {:g}", v.KPUMAX),
         "swap or correct them");
    must(v.ALPMIN < v.ALPMAX, "ALPMIN", fmt::format("it must be below ALPMAX = {:g} rad", v.ALPMAX),
         "swap or correct them");
    must(v.CAMMIN < v.CAMMAX, "CAMMIN", fmt::format("it must be below CAMMAX = {:g} rad", v.CAMMAX),
         "swap or correct them");
    must(v.FZMIN < v.FZMAX, "FZMIN", fmt::format("it must be below FZMAX = {:g} N", v.FZMAX),
         "swap or correct them");
    must(v.PRESMIN < v.PRESMAX, "PRESMIN", fmt::format("it must be below PRESMAX = {:g} Pa", v.PRESMAX),
         "swap or correct them");
    must(v.PKY2 != 0, "PKY2", "it must not be zero",
         "give the load of greatest cornering stiffness over FNOMIN");
    const double slope = v.VERTICAL_STIFFNESS * v.UNLOADED_RADIUS / v.FNOMIN;
    must(out_.given("Q_FZ1") || slope * slope > 4 * v.Q_FZ2, "Q_FZ2",
         fmt::format("it must be below (VERTICAL_STIFFNESS UNLOADED_RADIUS / FNOMIN)^2 / 4 = {:g}",
                     slope * slope / 4),
         "correct it or the stiffness");
    for (const auto& [key, mu] :
         {std::pair<const char*, double>{"PDX1", v.PDX1 * v.LMUX}, {"PDY1", v.PDY1 * v.LMUY}})
      if (!(std::abs(mu) >= 0.05 && std::abs(mu) <= 5))
        out_.warnings.warning(place(key), "",
                              fmt::format("{} gives a friction of {:g} at the nominal load", key, mu),
                              "tires have 0.05 to 5; check it and its scaling factor");
    if (!(v.PKX1 * v.LKX > 0))
      out_.warnings.warning(place("PKX1"), "", fmt::format("PKX1 is {:g}: Fx acts against the slip", v.PKX1),
                            "it is above zero in the axes of these files (ISO-W)");
    if (!(v.PKY1 * v.LKY / v.PKY2 < 0))
      out_.warnings.warning(place("PKY1"), "", fmt::format("PKY1 is {:g}: Fy acts along the sliding", v.PKY1),
                            "it is below zero in the axes of these files (ISO-W)");
    if (v.PCX1 * v.LCX <= 0 || v.PCY1 * v.LCY <= 0)
      out_.warnings.warning(place(v.PCX1 * v.LCX <= 0 ? "PCX1" : "PCY1"), "",
                            "a shape factor C is not above zero");
    if (out_.version != TirVersion::mf52 && v.QSY7 <= 0 && v.QSY1 != 0)
      out_.warnings.warning(place("QSY7"), "",
                            "with QSY7 <= 0 the rolling resistance does not vanish with the load");
  }

  const std::string& text_;
  TirFile out_;
  Diagnostics errors_;
  Units unit_;
  std::map<std::string, TirEntry> units_;
  std::map<std::string, int> table_lines_;
  std::string section_, table_;
  bool seen_section_ = false, free_text_ = false;
};

}  // namespace

std::string TirAssumption::line() const {
  return fmt::format("assumed: {} = {:g} because {}", key, value, reason);
}

TirFile read_tir_text(const std::string& text, const std::string& file) {
  return TirReader(text, file).read();
}

TirFile read_tir(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw Error(Place{file, 0}, "", "the tyre property file cannot be opened", "check the path");
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  return read_tir_text(text, file);
}

}  // namespace monocoque::io

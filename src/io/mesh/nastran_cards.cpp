#include "io/mesh/nastran_cards.h"

#include <algorithm>
#include <deque>

#include <fmt/format.h>

#include "io/files/text_source.h"

namespace monocoque::io {

namespace {

constexpr std::size_t kMostFields = 8u << 20;  // of one card: a spider on a million nodes

/// A value from the file for a message: short, printable.
std::string excerpt(std::string_view s) {
  std::string out;
  for (const char c : s.substr(0, 24)) out += c >= ' ' && c <= '~' ? c : '?';
  return out;
}

std::string with_blanks_for_tabs(std::string_view line) {
  std::string out;
  for (const char c : line) {
    if (c == '\t')
      out.append(8 - out.size() % 8, ' ');
    else
      out += c;
  }
  return out;
}

class Scanner {
 public:
  Scanner(std::string_view text, int file, Mistakes& mistakes, const std::function<void(NastranCard&)>& use)
      : lines_(text), file_(file), mistakes_(mistakes), use_(use) {
    card_.mistakes = &mistakes;
  }

  bool run(bool skip_head, const std::function<bool(std::string_view, FileLine)>& include) {
    std::string_view line;
    while (lines_.next(line)) {
      if (skip_head) {
        skip_head = !is_begin_bulk(line);
        continue;
      }
      if (const std::size_t dollar = line.find('$'); dollar != std::string_view::npos)
        line = line.substr(0, dollar);
      if (line.find_first_not_of(" \t\f\v\r") == std::string_view::npos) continue;
      if (std::find(line.begin(), line.begin() + static_cast<long>(std::min<std::size_t>(line.size(), 80)),
                    '\t') != line.begin() + static_cast<long>(std::min<std::size_t>(line.size(), 80)))
        line = expanded_.emplace_back(with_blanks_for_tabs(line));
      const std::string_view word = trimmed(line);
      if (starts_with_word(word, "ENDDATA") && (word.size() == 7 || word[7] == ' ' || word[7] == ',')) {
        flush();
        return false;
      }
      if (starts_with_word(word, "INCLUDE") && word.size() > 7 &&
          (word[7] == ' ' || word[7] == '\'' || word[7] == '"')) {
        flush();
        const FileLine where{file_, lines_.line()};
        if (!include(include_path(word.substr(7)), where)) return false;
        continue;
      }
      if (is_begin_bulk(line)) continue;
      add_line(line);
    }
    flush();
    return true;
  }

  static bool is_begin_bulk(std::string_view line) {
    line = trimmed(line);
    if (!starts_with_word(line, "BEGIN")) return false;
    line = trimmed(line.substr(5));
    if (!line.empty() && line.front() == ',') line = trimmed(line.substr(1));
    return line.empty() || starts_with_word(line, "BULK");
  }

 private:
  /// A quoted path may run over several lines.
  std::string_view include_path(std::string_view rest) {
    rest = trimmed(rest);
    if (rest.empty() || (rest.front() != '\'' && rest.front() != '"')) return rest;
    const char quote = rest.front();
    rest.remove_prefix(1);
    std::size_t end = rest.find(quote);
    if (end != std::string_view::npos) return rest.substr(0, end);
    std::string& whole = expanded_.emplace_back(rest);
    std::string_view line;
    for (int i = 0; i < 8 && lines_.next(line); ++i) {
      line = trimmed(line);
      end = line.find(quote);
      whole += line.substr(0, end);
      if (end != std::string_view::npos) return whole;
    }
    return whole;
  }

  void add_line(std::string_view line) {
    // Free field is told by a comma in the first ten columns.
    const std::string_view head = line.substr(0, 10);
    const bool free = head.find(',') != std::string_view::npos;
    const std::string_view name = trimmed(free ? line.substr(0, line.find(',')) : line.substr(0, 8));
    const bool continued = name.empty() || name.front() == '+' || name.front() == '*';
    const bool large = !name.empty() && (name.front() == '*' || name.back() == '*');
    if (continued) {
      if (!open_) {
        mistakes_.error({file_, lines_.line()}, "", "a continuation line without a card before it",
                        "put it right behind its card");
        return;
      }
      check_marker(name);
    } else {
      flush();
      open_ = true;
      card_.begin(large ? trimmed(name.substr(0, name.size() - 1)) : name, {file_, lines_.line()});
    }
    // Continuation lines begin at a full card line.
    std::vector<std::string_view>& f = card_.fields;
    const std::size_t step = large ? 4 : 8;
    while (f.size() % step != 0) f.push_back({});
    if (f.size() > kMostFields) return;
    marker_ = {};
    if (free)
      add_free(line, step);
    else
      add_fixed(line, large ? 16 : 8);
  }

  void add_fixed(std::string_view line, std::size_t width) {
    std::size_t at = 8;
    for (; at < 72 && at < line.size(); at += width) {
      const std::size_t length = std::min(width, 72 - at);
      card_.fields.push_back(trimmed(line.substr(at, length)));
    }
    if (line.size() > 72) marker_ = trimmed(line.substr(72, 8));
  }

  void add_free(std::string_view line, std::size_t step) {
    FieldScanner scanner(line);
    std::string_view field;
    scanner.next(field);
    std::size_t count = 0;
    while (scanner.next(field)) {
      if (count < step) {
        card_.fields.push_back(field);
      } else if (double x = 0; count == step && !parse_real(field, x)) {
        marker_ = field;
      } else if (!field.empty()) {
        mistakes_.error({file_, lines_.line()}, card_.label(),
                        fmt::format("more than {} fields on one line", step), "continue it on the next line");
        return;
      }
      ++count;
    }
  }

  /// Markers must agree where both lines have a name in them.
  void check_marker(std::string_view name) {
    const auto bare = [](std::string_view s) {
      while (!s.empty() && (s.front() == '+' || s.front() == '*')) s.remove_prefix(1);
      return trimmed(s);
    };
    const std::string_view wanted = bare(marker_), given = bare(name);
    if (!wanted.empty() && !given.empty() && !same_word(wanted, upper(given)))
      mistakes_.error(
          {file_, lines_.line()}, card_.label(),
          fmt::format("continuation '{}' follows a line that names '{}'", excerpt(given), excerpt(wanted)),
          "put continuation lines right behind their card");
  }

  void flush() {
    if (!open_) return;
    open_ = false;
    use_(card_);
  }

  LineScanner lines_;
  int file_;
  Mistakes& mistakes_;
  const std::function<void(NastranCard&)>& use_;
  NastranCard card_;
  bool open_ = false;
  std::string_view marker_;
  std::deque<std::string> expanded_;
};

}  // namespace

bool is_real_field(std::string_view field) {
  return field.find_first_of(".eEdD") != std::string_view::npos ||
         (field.size() > 1 && field.find_first_of("+-", 1) != std::string_view::npos);
}

void NastranCard::begin(std::string_view card_name, FileLine place) {
  const std::size_t n = std::min(card_name.size(), sizeof name_buffer_);
  for (std::size_t i = 0; i < n; ++i) {
    const char c = card_name[i];
    name_buffer_[i] = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  name = {name_buffer_, n};
  fields.clear();
  where = place;
  good_ = true;
}

std::size_t NastranCard::used() const {
  std::size_t n = fields.size();
  while (n > 0 && fields[n - 1].empty()) --n;
  return n;
}

std::string NastranCard::label() const {
  return has(0) ? fmt::format("{} {}", excerpt(name), excerpt(text(0))) : excerpt(name);
}

void NastranCard::mistake(std::string problem, std::string remedy) {
  good_ = false;
  mistakes->error(where, label(), std::move(problem), std::move(remedy));
}

long NastranCard::integer(std::size_t i, const char* what) {
  if (!has(i)) {
    mistake(fmt::format("{} is missing; the card is truncated or the field is blank", what));
    return 0;
  }
  return integer(i, what, 0);
}

long NastranCard::integer(std::size_t i, const char* what, long otherwise) {
  if (!has(i)) return otherwise;
  long value = otherwise;
  if (!parse_integer(text(i), value)) {
    mistake(fmt::format("{} is '{}', it must be an integer", what, excerpt(text(i))));
    return otherwise;
  }
  return value;
}

long NastranCard::positive(std::size_t i, const char* what) {
  const bool before = good_;
  const long value = integer(i, what);
  if (value <= 0 && before == good_) mistake(fmt::format("{} is {}, it must be > 0", what, value));
  return value;
}

double NastranCard::real(std::size_t i, const char* what) {
  if (!has(i)) {
    mistake(fmt::format("{} is missing; the card is truncated or the field is blank", what));
    return 0;
  }
  return real(i, what, 0);
}

double NastranCard::real(std::size_t i, const char* what, double otherwise) {
  if (!has(i)) return otherwise;
  double value = otherwise;
  if (!parse_real(text(i), value)) {
    mistake(fmt::format("{} is '{}', it must be a number", what, excerpt(text(i))));
    return otherwise;
  }
  return value;
}

Vec3 NastranCard::vector(std::size_t i, const char* what) {
  Vec3 v;
  for (std::size_t k = 0; k < 3; ++k) v[static_cast<Eigen::Index>(k)] = real(i + k, what, 0);
  return v;
}

std::uint8_t NastranCard::components(std::size_t i, const char* what, std::uint8_t otherwise) {
  if (!has(i)) return otherwise;
  std::uint8_t bits = 0;
  for (const char c : text(i)) {
    if (c == '0' || c == ' ') continue;
    if (c < '1' || c > '6') {
      mistake(fmt::format("{} is '{}', it must be made of the digits 1 to 6", what, excerpt(text(i))));
      return otherwise;
    }
    bits = static_cast<std::uint8_t>(bits | (1 << (c - '1')));
  }
  return bits;
}

bool scan_nastran(std::string_view text, int file, Mistakes& mistakes, bool main_file,
                  const std::function<void(NastranCard&)>& use,
                  const std::function<bool(std::string_view path, FileLine where)>& include) {
  bool has_head = false;
  if (main_file) {
    LineScanner lines(text);
    std::string_view line;
    while (!has_head && lines.next(line)) has_head = Scanner::is_begin_bulk(line);
  }
  return Scanner(text, file, mistakes, use).run(has_head, include);
}

}  // namespace monocoque::io

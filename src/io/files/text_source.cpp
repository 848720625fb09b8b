#include "io/files/text_source.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>

#include "core/error_kinds.h"

namespace monocoque::io {

namespace {

constexpr std::uintmax_t kLargestFile = std::uintmax_t{8} << 30;

bool blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}
char capital(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

/// The slow way: Fortran exponents, and values beyond the range of double.
bool parse_rare_real(std::string_view s, double& value) {
  char buffer[72];
  std::size_t n = 0;
  bool exponent = false;
  for (std::size_t i = 0; i < s.size(); ++i) {
    const char c = s[i];
    if (n + 2 >= sizeof buffer) return false;
    if ((c == '+' || c == '-') && i > 0) {
      const char before = s[i - 1];
      const bool after_letter = before == 'e' || before == 'E' || before == 'd' || before == 'D';
      if (!after_letter) {
        if (exponent || !((before >= '0' && before <= '9') || before == '.')) return false;
        buffer[n++] = 'e';
        exponent = true;
      }
      buffer[n++] = c;
    } else if (c == 'e' || c == 'E' || c == 'd' || c == 'D') {
      if (exponent) return false;
      exponent = true;
      buffer[n++] = 'e';
    } else if ((c >= '0' && c <= '9') || c == '.' || c == '+' || c == '-') {
      buffer[n++] = c;
    } else {
      return false;
    }
  }
  buffer[n] = '\0';
  char* end = nullptr;
  value = std::strtod(buffer, &end);
  return n > 0 && end == buffer + n && std::isfinite(value);
}

}  // namespace

std::string read_text_file(const std::string& path) {
  std::error_code code;
  const auto status = std::filesystem::status(path, code);
  if (code || !std::filesystem::exists(status))
    throw Error(Place{path, 0}, "", "the file does not exist", "check the path");
  if (!std::filesystem::is_regular_file(status))
    throw Error(Place{path, 0}, "", "this is not an ordinary file", "give the path of a text file");
  const std::uintmax_t size = std::filesystem::file_size(path, code);
  if (code) throw Error(Place{path, 0}, "", "the size of the file cannot be found", "");
  if (size > kLargestFile)
    throw Error(Place{path, 0}, "", "the file is larger than 8 GiB", "divide it or remove results");
  std::ifstream in(path, std::ios::binary);
  std::string text(static_cast<std::size_t>(size), '\0');
  if (!in.read(text.data(), static_cast<std::streamsize>(size)))
    throw Error(Place{path, 0}, "", "the file cannot be read", "check its permissions");
  return text;
}

void write_text_file(const std::string& path, std::string_view text) {
  std::ofstream out(path, std::ios::binary);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
  if (!out)
    throw SystemError(Place{path, 0}, "", "the file cannot be written",
                      "check the folder and the space on it");
}

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && blank(s.front())) s.remove_prefix(1);
  while (!s.empty() && blank(s.back())) s.remove_suffix(1);
  return s;
}

std::string upper(std::string_view s) {
  std::string out(s);
  std::transform(out.begin(), out.end(), out.begin(), capital);
  return out;
}

bool same_word(std::string_view a, std::string_view b) {
  return a.size() == b.size() && starts_with_word(a, b);
}

bool starts_with_word(std::string_view a, std::string_view b) {
  return a.size() >= b.size() &&
         std::equal(b.begin(), b.end(), a.begin(), [](char y, char x) { return capital(x) == y; });
}

bool parse_integer(std::string_view s, long& value) {
  s = trimmed(s);
  if (s.size() > 1 && s.front() == '+' && s[1] != '-') s.remove_prefix(1);
  const auto [end, code] = std::from_chars(s.data(), s.data() + s.size(), value);
  return code == std::errc{} && end == s.data() + s.size() && !s.empty();
}

bool parse_real(std::string_view s, double& value) {
  s = trimmed(s);
  if (s.size() > 1 && s.front() == '+' && s[1] != '-') s.remove_prefix(1);
  if (s.empty()) return false;
  const auto [end, code] = std::from_chars(s.data(), s.data() + s.size(), value);
  if (code == std::errc{} && end == s.data() + s.size()) return std::isfinite(value);
  return parse_rare_real(s, value);
}

bool LineScanner::next(std::string_view& line) {
  if (rest_.empty() || line_ == std::numeric_limits<int>::max()) return false;
  const std::size_t end = rest_.find('\n');
  line = rest_.substr(0, end);
  rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  ++line_;
  return true;
}

bool FieldScanner::next(std::string_view& field) {
  if (rest_.empty()) return false;
  const std::size_t end = rest_.find(separator_);
  field = trimmed(rest_.substr(0, end));
  rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
  return true;
}

std::string beside(const std::string& including, std::string_view included) {
  std::filesystem::path path{std::string(included)};
  if (path.is_relative()) path = std::filesystem::path(including).parent_path() / path;
  return path.lexically_normal().string();
}

}  // namespace monocoque::io

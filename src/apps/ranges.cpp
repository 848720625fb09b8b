#include "apps/ranges.h"

#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "core/error.h"

namespace monocoque {

namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> out{""};
  for (const char c : text)
    if (c == separator)
      out.emplace_back();
    else
      out.back() += c;
  return out;
}

double to_number(const std::string& option, const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !std::isfinite(value))
    throw Error(option, fmt::format("'{}' is not a number", text), "for example -0.08:0.08:17");
  return value;
}

}  // namespace

Range parse_range(const std::string& option, const std::string& text) {
  const std::vector<std::string> words = split(text, ':');
  if (words.size() > 3)
    throw Error(option, fmt::format("'{}' is not of the form from:to:points", text),
                "for example -0.08:0.08:17");
  Range r;
  r.from = r.to = to_number(option, words[0]);
  if (words.size() > 1) r.to = to_number(option, words[1]);
  if (words.size() > 2) {
    r.points = static_cast<int>(to_number(option, words[2]));
    if (r.points < 2 || r.points > 100000)
      throw Error(option, fmt::format("the number of points is {}, it must be from 2 to 100000", words[2]));
  }
  if (words.size() > 1 && !(r.from < r.to))
    throw Error(option, fmt::format("the range '{}' does not rise", text), "smaller value first");
  return r;
}

std::vector<double> parse_numbers(const std::string& option, const std::string& text) {
  std::vector<double> out;
  for (const std::string& word : split(text, ',')) out.push_back(to_number(option, word));
  return out;
}

}  // namespace monocoque

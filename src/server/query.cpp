#include "server/query.h"

#include <charconv>
#include <cmath>

namespace monocoque::server {

namespace {

int hexadecimal(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

std::string percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    const int high = i + 2 < text.size() ? hexadecimal(text[i + 1]) : -1;
    const int low = i + 2 < text.size() ? hexadecimal(text[i + 2]) : -1;
    if (high < 0 || low < 0) refuse(400, "a percent sign in the address is not followed by two digits");
    out += static_cast<char>(16 * high + low);
    i += 2;
  }
  return out;
}

Query::Query(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = text.find('&');
    const std::string_view item = text.substr(0, end);
    const std::size_t equals = item.find('=');
    if (!item.empty())
      items_.emplace_back(item.substr(0, equals),
                          equals == std::string_view::npos ? "" : item.substr(equals + 1));
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  }
}

std::optional<std::string_view> Query::find(std::string_view key) const {
  for (const auto& [name, value] : items_)
    if (name == key) return value;
  return std::nullopt;
}

double Query::number(std::string_view key, std::optional<double> otherwise) const {
  const auto found = find(key);
  if (!found) {
    if (!otherwise) refuse(400, fmt::format("'{}' is missing in the address", key));
    return *otherwise;
  }
  const std::string text = percent_decoded(*found);
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
    refuse(400, fmt::format("'{}' is '{}', it must be a number", key, text));
  return value;
}

std::size_t Query::whole(std::string_view key, std::size_t otherwise, std::size_t most) const {
  const double value = number(key, static_cast<double>(otherwise));
  if (!(value >= 0) || value != std::floor(value) || value > static_cast<double>(most))
    refuse(400, fmt::format("'{}' is {}, it must be a whole number from 0 to {}", key, value, most));
  return static_cast<std::size_t>(value);
}

std::vector<std::string> Query::list(std::string_view key, std::size_t most) const {
  const auto found = find(key);
  if (!found || found->empty()) refuse(400, fmt::format("'{}' is missing in the address", key));
  std::vector<std::string> out;
  for (std::string_view rest = *found;;) {
    const std::size_t comma = rest.find(',');
    out.push_back(percent_decoded(rest.substr(0, comma)));
    if (out.size() > most) refuse(400, fmt::format("'{}' has more than {} items", key, most));
    if (comma == std::string_view::npos) return out;
    rest = rest.substr(comma + 1);
  }
}

}  // namespace monocoque::server

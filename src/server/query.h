#pragma once
// The part of an address after '?': key=value&key=value, percent-encoded. Complaints are Refusals, which
// become answers of 4xx.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace monocoque::server {

struct Refusal {
  int status;
  std::string text;
};

[[noreturn]] inline void refuse(int status, std::string text) {
  throw Refusal{status, std::move(text)};
}

/// %20 and the like; '+' stays. Refuses what is no valid encoding.
std::string percent_decoded(std::string_view text);

class Query {
 public:
  explicit Query(std::string_view text);
  bool has(std::string_view key) const { return find(key).has_value(); }
  /// A finite number within limits, or the default when it is absent.
  double number(std::string_view key, std::optional<double> otherwise = {}) const;
  std::size_t whole(std::string_view key, std::size_t otherwise, std::size_t most) const;
  /// Items between commas; a comma inside of one is encoded. Refuses none and more than `most`.
  std::vector<std::string> list(std::string_view key, std::size_t most) const;

 private:
  std::optional<std::string_view> find(std::string_view key) const;
  std::vector<std::pair<std::string, std::string>> items_;  ///< values still encoded
};

}  // namespace monocoque::server

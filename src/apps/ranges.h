#pragma once
// Ranges of options: "-0.08:0.08" or "-0.08:0.08:17" (from, to, number of points), or one number.

#include <string>
#include <vector>

namespace monocoque {

struct Range {
  double from = 0, to = 0;
  int points = 0;  ///< 0: not given
  bool single() const { return from == to; }
};

/// Throws Error naming the option.
Range parse_range(const std::string& option, const std::string& text);
/// Numbers between commas; throws Error naming the option.
std::vector<double> parse_numbers(const std::string& option, const std::string& text);

}  // namespace monocoque

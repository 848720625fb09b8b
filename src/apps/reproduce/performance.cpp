// Dissertation 5.4: real-time factors, and the bounds this program sets itself, from the parts of `monocoque
// bench`. In short only the parts whose bounds are counts and laws: no machine is too busy for those.

#include <algorithm>
#include <array>

#include "apps/bench/bench.h"

namespace monocoque {

namespace {

constexpr std::array kWithoutBounds = {"step-size"};
constexpr std::array kTimesOnly = {"modes", "spread", "couplings", "frontier"};

}  // namespace

void reproduce_performance(Reproduction& r) {
  const BenchOptions command;
  bench::Bench b(command, r);
  const auto among = [](const auto& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const bench::Part& part : bench::parts())
    if (!among(kWithoutBounds, part.name) && !(r.quick() && among(kTimesOnly, part.name))) part.run(b);
}

}  // namespace monocoque

// Dissertation 5.4: real-time factors, and the bounds this program sets itself, from the parts of `monocoque
// bench`.

#include "apps/bench/bench.h"

namespace monocoque {

void reproduce_performance(Reproduction& r) {
  const BenchCommand command;
  bench::Bench b(command, r);
  for (const bench::Part& part : bench::parts())
    if (part.name != "step-size") part.run(b);  // it has no bounds
}

}  // namespace monocoque

#pragma once
// The key geometry of a four-door sedan of 4.8 m with a wheelbase of 2.8 m, strut towers in front, domes over
// the rear wheels, subframes at both ends. Stations along x are numbered from the front, 0 at the bumper, 20
// at the rear panel; docs/body.md has a picture.

#include "body/skeleton.h"

namespace monocoque::body {

struct SedanOptions {
  bool glass = true;             ///< bonded windscreen and rear window
  bool closed_bulkhead = false;  ///< behind the rear seats; otherwise open for folding seats
};

Skeleton sedan(const SedanOptions& options);

}  // namespace monocoque::body

#include "body/sedan.h"

#include "body/sedan_parts.h"

namespace monocoque::body {

Skeleton sedan(const SedanOptions& options) {
  Skeleton b;
  add_underbody(b);
  add_dash(b);
  add_side(b);
  const Rows rows = add_roof(b, options.glass);
  add_front(b);
  add_rear(b, rows, options.closed_bulkhead);
  add_frames(b);
  return b;
}

}  // namespace monocoque::body

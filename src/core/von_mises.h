#pragma once
// The stress that metals are judged by.

#include <cmath>

#include "core/types.h"

namespace monocoque {

/// From xx yy zz and the three shear stresses in any order.
inline double von_mises(const Vec6& s) {
  const double a = s[0] - s[1], b = s[1] - s[2], c = s[2] - s[0];
  return std::sqrt(0.5 * (a * a + b * b + c * c) + 3 * s.tail<3>().squaredNorm());
}

}  // namespace monocoque

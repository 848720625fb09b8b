#pragma once
// Scaling of a matrix by powers of two, rows first, then columns, so that every row and column has a largest
// entry between 1/2 and 2. Saddle-point matrices mix units (M / h^2 beside G): without it pivots of healthy
// matrices spread over 1e15, and "singular" could not be told from "small step". Powers of two round nothing.

#include <bit>
#include <cstdint>

namespace monocoque {

/// The power of two that brings a largest entry near 1; 0 when the row or column is (nearly) empty or not
/// finite.
inline double power_of_two_scale(double largest) {
  if (!(largest > 1e-280) || !(largest < 1e280)) return 0;
  // 2^-ilogb(largest) from the exponent's bits: ldexp and ilogb showed in profiles.
  return std::bit_cast<double>((std::uint64_t{2046} - (std::bit_cast<std::uint64_t>(largest) >> 52)) << 52);
}

}  // namespace monocoque

#include "realtime/step_histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace monocoque::realtime {

std::size_t StepHistogram::cell_of(std::int64_t ns) {
  const auto v = static_cast<std::uint64_t>(std::max<std::int64_t>(ns, 0));
  const int exponent = static_cast<int>(std::bit_width(v)) - 1;
  if (exponent <= kCellBits) return v;
  if (exponent > kLargestExponent) return kCells - 1;
  const int shift = exponent - kCellBits;
  // The leading bits run from 2^kCellBits to its double: cells of one exponent follow those of the last.
  return (static_cast<std::size_t>(shift) << kCellBits) + (v >> shift);
}

std::int64_t StepHistogram::cell_begin_ns(std::size_t cell) {
  constexpr std::size_t exact = 2U << kCellBits;
  if (cell < exact) return static_cast<std::int64_t>(cell);
  const std::size_t shift = (cell >> kCellBits) - 1;
  return static_cast<std::int64_t>((cell - (shift << kCellBits)) << shift);
}

void StepHistogram::add(std::int64_t ns) {
  ns = std::max<std::int64_t>(ns, 0);
  ++cells_[cell_of(ns)];
  least_ = count_ > 0 ? std::min(least_, ns) : ns;
  largest_ = std::max(largest_, ns);
  sum_ += ns;
  ++count_;
}

double StepHistogram::quantile_ns(double q) const {
  if (count_ == 0) return 0;
  const double wanted = std::ceil(std::clamp(q, 0.0, 1.0) * static_cast<double>(count_));
  const auto rank = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(wanted), 1, count_);
  if (rank == count_) return static_cast<double>(largest_);
  std::uint64_t seen = 0;
  std::size_t cell = 0;
  while (cell < kCells && (seen += cells_[cell]) < rank) ++cell;
  const auto begin = cell_begin_ns(cell), last = cell_begin_ns(cell + 1) - 1;
  return std::clamp(0.5 * static_cast<double>(begin + last), static_cast<double>(least_),
                    static_cast<double>(largest_));
}

}  // namespace monocoque::realtime

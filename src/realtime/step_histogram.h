#pragma once
// Times counted in a fixed table whose cells grow with the time: 64 to each power of two, so a quantile is
// right to 1/128 of itself from 1 ns to 18 minutes; below 128 ns it is exact. Adding costs a few
// instructions, no allocation and no rounding of sum, least and largest. Times beyond the table fall into its
// last cell.

#include <array>
#include <cstddef>
#include <cstdint>

namespace monocoque::realtime {

class StepHistogram {
 public:
  static constexpr int kCellBits = 6, kLargestExponent = 40;
  static constexpr std::size_t kCells = ((kLargestExponent - kCellBits) << kCellBits) + (2U << kCellBits);

  /// Negative times (a clock was set back) count as zero.
  void add(std::int64_t ns);

  std::uint64_t count() const { return count_; }
  std::int64_t least_ns() const { return count_ > 0 ? least_ : 0; }
  std::int64_t largest_ns() const { return largest_; }
  double mean_ns() const { return count_ > 0 ? static_cast<double>(sum_) / static_cast<double>(count_) : 0; }
  /// The least time that at least the share q of all times does not exceed: middle of its cell, kept within
  /// the least and the largest. 0 without times.
  double quantile_ns(double q) const;

  std::uint64_t cell_count(std::size_t cell) const { return cells_[cell]; }
  static std::size_t cell_of(std::int64_t ns);
  /// First time of a cell; that of the next one ends it.
  static std::int64_t cell_begin_ns(std::size_t cell);

 private:
  std::array<std::uint64_t, kCells> cells_{};
  std::uint64_t count_ = 0;
  std::int64_t sum_ = 0, least_ = 0, largest_ = 0;
};

}  // namespace monocoque::realtime

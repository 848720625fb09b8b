#include "analysis/signals/rainflow.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/error.h"

namespace monocoque::analysis {

namespace {

LoadCycle cycle_between(const std::vector<double>& x, std::size_t a, std::size_t b, double count) {
  return {std::abs(x[a] - x[b]), 0.5 * (x[a] + x[b]), count, std::min(a, b), std::max(a, b)};
}

/// The history begun at its greatest value and closed there again.
std::vector<std::size_t> from_the_greatest(const std::vector<double>& x, std::vector<std::size_t> points) {
  if (points.size() < 3) return points;
  const auto less = [&](std::size_t a, std::size_t b) { return x[a] < x[b]; };
  std::rotate(points.begin(), std::max_element(points.begin(), points.end(), less), points.end());
  points.push_back(points.front());
  // Where the end met the beginning some points do not turn any more.
  std::vector<std::size_t> out;
  for (const std::size_t p : points) {
    if (!out.empty() && x[out.back()] == x[p]) continue;
    while (out.size() > 1 && (x[out.back()] - x[out[out.size() - 2]]) * (x[p] - x[out.back()]) > 0)
      out.pop_back();
    out.push_back(p);
  }
  return out;
}

}  // namespace

std::vector<std::size_t> turning_points(const std::vector<double>& x, double hysteresis) {
  std::vector<std::size_t> out;
  if (x.empty()) return out;
  // The last candidate moves on as long as the signal goes its way; it is fixed when the signal has turned
  // back by more than the hysteresis.
  std::size_t low = 0, high = 0, candidate = 0;
  int direction = 0;
  for (std::size_t i = 1; i < x.size(); ++i) {
    if (direction == 0) {
      if (x[i] < x[low]) low = i;
      if (x[i] > x[high]) high = i;
      if (!(x[high] - x[low] > hysteresis)) continue;
      direction = high > low ? 1 : -1;
      out.push_back(direction > 0 ? low : high);
      candidate = i;
      continue;
    }
    const double onward = direction * (x[i] - x[candidate]);
    if (onward > 0) {
      candidate = i;
    } else if (-onward > hysteresis) {
      out.push_back(candidate);
      candidate = i;
      direction = -direction;
    }
  }
  if (direction != 0) out.push_back(candidate);
  return out;
}

std::vector<LoadCycle> rainflow(const std::vector<double>& x, RainflowResidue residue, double hysteresis) {
  if (!std::all_of(x.begin(), x.end(), [](double v) { return std::isfinite(v); }))
    throw Error("rainflow", "the signal has values that are not finite", "");
  if (!(hysteresis >= 0))
    throw Error("rainflow", fmt::format("the hysteresis is {}, it must be >= 0", hysteresis), "");
  std::vector<std::size_t> points = turning_points(x, hysteresis);
  if (residue == RainflowResidue::repeat) points = from_the_greatest(x, std::move(points));
  std::vector<LoadCycle> out;
  std::vector<std::size_t> stack;
  for (const std::size_t p : points) {
    stack.push_back(p);
    while (stack.size() >= 3) {
      const std::size_t n = stack.size();
      const double last = std::abs(x[stack[n - 1]] - x[stack[n - 2]]),
                   before = std::abs(x[stack[n - 2]] - x[stack[n - 3]]);
      if (last < before) break;
      if (n == 3 && residue != RainflowResidue::repeat) {
        // The range contains the start of the history: half a cycle.
        if (residue == RainflowResidue::half) out.push_back(cycle_between(x, stack[0], stack[1], 0.5));
        stack.erase(stack.begin());
      } else {
        out.push_back(cycle_between(x, stack[n - 3], stack[n - 2], 1));
        stack.erase(stack.end() - 3, stack.end() - 1);
      }
    }
  }
  if (residue == RainflowResidue::half)
    for (std::size_t i = 1; i < stack.size(); ++i)
      out.push_back(cycle_between(x, stack[i - 1], stack[i], 0.5));
  return out;
}

CycleHistogram cycle_histogram(const std::vector<LoadCycle>& cycles, int range_bins, int mean_bins) {
  if (range_bins < 1 || mean_bins < 1)
    throw Error("rainflow", fmt::format("a histogram of {} by {} bins has none", range_bins, mean_bins), "");
  CycleHistogram out;
  double greatest = 0, low = INFINITY, high = -INFINITY;
  for (const LoadCycle& c : cycles) {
    greatest = std::max(greatest, c.range);
    low = std::min(low, c.mean);
    high = std::max(high, c.mean);
  }
  if (cycles.empty()) low = high = 0;
  for (int i = 0; i <= range_bins; ++i) out.range_edges.push_back(greatest * i / range_bins);
  for (int i = 0; i <= mean_bins; ++i) out.mean_edges.push_back(low + (high - low) * i / mean_bins);
  out.counts.assign(static_cast<std::size_t>(range_bins),
                    std::vector<double>(static_cast<std::size_t>(mean_bins), 0.0));
  const auto bin = [](double share, int bins) {
    return static_cast<std::size_t>(std::clamp(static_cast<int>(share * bins), 0, bins - 1));
  };
  for (const LoadCycle& c : cycles)
    out.counts[bin(greatest > 0 ? c.range / greatest : 0, range_bins)]
              [bin(high > low ? (c.mean - low) / (high - low) : 0, mean_bins)] += c.count;
  return out;
}

double damage_equivalent_range(const std::vector<LoadCycle>& cycles, double m, double reference_cycles) {
  if (!(m > 0) || !(reference_cycles > 0))
    throw Error("rainflow",
                fmt::format("Woehler exponent {} and reference cycles {} must be > 0", m, reference_cycles),
                "");
  double greatest = 0, sum = 0;
  for (const LoadCycle& c : cycles) greatest = std::max(greatest, c.range);
  if (greatest == 0) return 0;
  for (const LoadCycle& c : cycles) sum += c.count * std::pow(c.range / greatest, m);
  return greatest * std::pow(sum / reference_cycles, 1 / m);
}

}  // namespace monocoque::analysis

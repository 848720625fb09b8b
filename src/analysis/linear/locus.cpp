#include "analysis/linear/locus.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>

#include <boost/math/tools/toms748_solve.hpp>

namespace monocoque::analysis {

namespace {

/// Smaller real parts are rounding.
double growth_limit(const std::vector<ModelMode>& modes) {
  double largest = 0;
  for (const ModelMode& m : modes) largest = std::max(largest, std::abs(m.value.s));
  return 1e-9 * largest;
}

std::size_t count_standing(const std::vector<ModelMode>& modes) {
  return static_cast<std::size_t>(
      std::count_if(modes.begin(), modes.end(), [](const ModelMode& m) { return m.value.s == 0.0; }));
}

/// Real parts above the limit of what grows, the largest first, without `standing` of the zeros.
std::vector<double> growths(const std::vector<ModelMode>& modes, std::size_t standing) {
  const double limit = growth_limit(modes);
  std::vector<double> out;
  for (const ModelMode& m : modes) {
    if (m.value.s == 0.0 && standing > 0)
      --standing;
    else
      out.push_back(m.value.s.real() - limit);
  }
  std::sort(out.begin(), out.end(), std::greater<>());
  return out;
}

int count_growing(const std::vector<ModelMode>& modes) {
  const double limit = growth_limit(modes);
  return static_cast<int>(std::count_if(modes.begin(), modes.end(),
                                        [&](const ModelMode& m) { return m.value.s.real() > limit; }));
}

double distance(const ModelMode& a, const ModelMode& b) {
  const double size = std::max({std::abs(a.value.s), std::abs(b.value.s), 1e-12});
  return std::abs(a.value.s - b.value.s) / size + 1 - modal_assurance(a.xi, b.xi);
}

/// Greedy: the nearest pair first.
void follow(const LocusPoint& before, LocusPoint& now, int& tracks) {
  struct Pair {
    double cost;
    std::size_t from, to;
  };
  std::vector<Pair> pairs;
  now.track.assign(now.modes.size(), -1);
  for (std::size_t i = 0; i < before.modes.size(); ++i)
    for (std::size_t k = 0; k < now.modes.size(); ++k) {
      if (before.track[i] < 0 || now.modes[k].value.s == 0.0) continue;
      pairs.push_back({distance(before.modes[i], now.modes[k]), i, k});
    }
  std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) { return a.cost < b.cost; });
  std::vector<bool> gone(before.modes.size(), false);
  for (const Pair& p : pairs) {
    if (p.cost > 1 || gone[p.from] || now.track[p.to] >= 0) continue;
    now.track[p.to] = before.track[p.from];
    gone[p.from] = true;
  }
  for (std::size_t k = 0; k < now.modes.size(); ++k)
    if (now.track[k] < 0 && now.modes[k].value.s != 0.0) now.track[k] = tracks++;
}

/// An evaluated value beside a crossing.
struct Beside {
  double value = 0;
  int growing = 0;
  std::vector<ModelMode> modes;
};

/// Which real part changes its sign between `below` growing modes and more (or fewer).
struct Watched {
  int below = 0;
  bool more = true;
  std::size_t standing = 0;  ///< zeros on both sides of the crossing
  /// How far it is from the limit: negative as long as there are `below`.
  double side(const Beside& at) const {
    const std::vector<double> sizes = growths(at.modes, standing);
    const auto k = static_cast<std::size_t>(more ? below : below - 1);
    const double size = k < sizes.size() ? std::abs(sizes[k]) : 1;
    return at.growing == below ? -std::max(size, kLeast) : std::max(size, kLeast);
  }
  static constexpr double kLeast = std::numeric_limits<double>::min();
};

/// The first crossing after `low`, whose growing modes are others than those of `high`. `low` becomes the
/// value behind it.
Crossing find_crossing(const ModesAt& modes_at, Beside& low, const Beside& high, double width) {
  const Watched watched{low.growing, high.growing > low.growing,
                        std::min(count_standing(low.modes), count_standing(high.modes))};
  Beside left = low, right = high;
  const auto f = [&](double value) {
    Beside now{value, 0, modes_at(value)};
    now.growing = count_growing(now.modes);
    const double side = watched.side(now);
    (side < 0 ? left : right) = std::move(now);
    return side;
  };
  if (std::abs(high.value - low.value) > width) {
    // The method asks for rising values.
    const double sign = high.value > low.value ? 1 : -1;
    std::uintmax_t calls = 60;
    boost::math::tools::toms748_solve([&](double v) { return f(sign * v); }, sign * low.value,
                                      sign * high.value, watched.side(low), watched.side(high),
                                      [&](double a, double b) { return b - a <= width; }, calls);
  }
  const double a = watched.side(left), b = watched.side(right);
  Crossing c;
  c.value = left.value + (right.value - left.value) * a / (a - b);
  c.before = watched.below;
  c.after = right.growing;
  double least = INFINITY;
  for (const ModelMode& m : (-a < b ? left : right).modes)
    if (m.value.s != 0.0 && std::abs(m.value.s.real()) < least) {
      least = std::abs(m.value.s.real());
      c.s = m.value.s;
      c.part = m.part;
    }
  low = std::move(right);
  return c;
}

}  // namespace

double modal_assurance(const VecXc& a, const VecXc& b) {
  const double size = a.squaredNorm() * b.squaredNorm();
  return size > 0 && a.size() == b.size() ? std::norm(a.dot(b)) / size : 0;
}

Locus trace_locus(const ModesAt& modes_at, const std::vector<double>& values, double accuracy) {
  Locus locus;
  double largest = 0;
  for (const double v : values) largest = std::max(largest, std::abs(v));
  for (const double value : values) {
    LocusPoint point;
    point.value = value;
    point.modes = modes_at(value);
    point.growing = count_growing(point.modes);
    if (locus.points.empty()) {
      for (const ModelMode& m : point.modes) point.track.push_back(m.value.s == 0.0 ? -1 : locus.tracks++);
    } else {
      follow(locus.points.back(), point, locus.tracks);
    }
    locus.points.push_back(std::move(point));
  }
  for (std::size_t i = 1; i < locus.points.size(); ++i) {
    const auto beside = [](const LocusPoint& p) { return Beside{p.value, p.growing, p.modes}; };
    Beside low = beside(locus.points[i - 1]);
    const Beside high = beside(locus.points[i]);
    const double width = accuracy * largest;
    // More than one change within an interval: one after the other.
    while (low.growing != high.growing) {
      locus.crossings.push_back(find_crossing(modes_at, low, high, width));
      if (std::abs(high.value - low.value) <= width) break;
    }
  }
  return locus;
}

}  // namespace monocoque::analysis

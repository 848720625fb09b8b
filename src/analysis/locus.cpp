#include "analysis/locus.h"

#include <algorithm>
#include <cmath>

namespace monocoque::analysis {

namespace {

/// Smaller real parts are rounding.
double growth_limit(const std::vector<ModelMode>& modes) {
  double largest = 0;
  for (const ModelMode& m : modes) largest = std::max(largest, std::abs(m.value.s));
  return 1e-9 * largest;
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
    double low = locus.points[i - 1].value, high = locus.points[i].value;
    int below = locus.points[i - 1].growing;
    const int above = locus.points[i].growing;
    while (below != above) {  // more than one change within an interval: one after the other
      double far = high;
      std::vector<ModelMode> at;
      int beyond = above;
      for (int k = 0; k < 60 && std::abs(far - low) > accuracy * largest; ++k) {
        const double middle = 0.5 * (low + far);
        at = modes_at(middle);
        const int count = count_growing(at);
        if (count == below) {
          low = middle;
        } else {
          far = middle;
          beyond = count;
        }
      }
      Crossing c;
      c.value = 0.5 * (low + far);
      c.before = below;
      c.after = beyond;
      if (at.empty()) at = modes_at(c.value);
      double least = INFINITY;
      for (const ModelMode& m : at)
        if (m.value.s != 0.0 && std::abs(m.value.s.real()) < least) {
          least = std::abs(m.value.s.real());
          c.s = m.value.s;
          c.part = m.part;
        }
      locus.crossings.push_back(std::move(c));
      low = far;
      below = beyond;
      if (std::abs(high - low) <= accuracy * largest) break;
    }
  }
  return locus;
}

}  // namespace monocoque::analysis

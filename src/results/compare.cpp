#include "results/compare.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "results/channel_book.h"

namespace monocoque {

namespace {

/// Place of an instant among the rows of another run.
struct PlaceInRows {
  Eigen::Index row, lower;
  double share;
};

Eigen::Index instants_between(const RowSource::Times& time, double from, double to) {
  return std::count_if(time.begin(), time.end(), [&](double t) { return t >= from && t <= to; });
}

std::vector<PlaceInRows> places_of(const RowSource::Times& times, const RowSource::Times& among) {
  std::vector<PlaceInRows> out;
  Eigen::Index j = 0;
  for (Eigen::Index r = 0; r < times.size() && among.size() > 0; ++r) {
    const double t = times[r], slack = 1e-9 * (1 + std::abs(t));
    if (t < among[0] - slack || t > among[among.size() - 1] + slack) continue;
    while (j + 2 < among.size() && among[j + 1] < t) ++j;
    const double h = j + 1 < among.size() ? among[j + 1] - among[j] : 0;
    double share = h > 0 ? std::clamp((t - among[j]) / h, 0.0, 1.0) : 0;
    if (h > 0 && std::abs(t - among[j + 1]) <= slack) share = 1;
    out.push_back({r, j, share});
  }
  return out;
}

bool is_component(const std::string& path) {
  const std::string leaf = leaf_of(path);
  return leaf == "x" || leaf == "y" || leaf == "z" ||
         (leaf.size() == 2 && leaf[0] == 'q' && ends_with(folder_of(path), "/orientation"));
}

/// At an instant of its own a run has its own value, whatever stands beside it (a NaN, say).
template <class Column>
double value_at(const Column& column, const PlaceInRows& p, Eigen::Index first) {
  const Eigen::Index lower = p.lower - first;
  if (p.share <= 0) return column[lower];
  if (p.share >= 1) return column[lower + 1];
  return column[lower] + p.share * (column[lower + 1] - column[lower]);
}

/// A channel of both runs, and what has been seen of it.
struct Pair {
  ChannelDifference difference;
  Eigen::Index sparse = 0, dense = 0;  ///< columns
  double low = INFINITY, high = -INFINITY, squares = 0;
  bool missing = false;  ///< one run alone has no number: nothing can be worse

  void see(double ours, double theirs, double t) {
    if (missing || (std::isnan(ours) && std::isnan(theirs))) return;
    const double d = std::abs(ours - theirs);
    squares += d * d;
    if (d > difference.largest || std::isnan(d)) {
      difference.largest = d;
      difference.at_s = t;
      missing = std::isnan(d);
    }
    if (missing) return;
    low = std::min({low, ours, theirs});
    high = std::max({high, ours, theirs});
  }
  void conclude(std::size_t instants) {
    difference.rms = std::sqrt(squares / static_cast<double>(instants));
    difference.scale = high > low ? high - low : 0;
    difference.magnitude = high >= low ? std::max(std::abs(low), std::abs(high)) : 0;
  }
};

/// Piece by piece, so that of either run only some rows are in memory.
void see_all(std::vector<Pair>& pairs, const std::vector<PlaceInRows>& places, const RowSource& sparse,
             const RowSource& dense) {
  std::vector<Eigen::Index> ours, theirs;
  for (const Pair& p : pairs) {
    ours.push_back(p.sparse);
    theirs.push_back(p.dense);
  }
  constexpr Eigen::Index kNumbers = 1 << 22;  // 32 MB of each run
  const Eigen::Index limit = std::max<Eigen::Index>(
      2, kNumbers / std::max<Eigen::Index>(1, static_cast<Eigen::Index>(pairs.size())));
  for (std::size_t i = 0, end = 0; i < places.size(); i = end) {
    while (end < places.size() && places[end].row - places[i].row < limit &&
           places[end].lower - places[i].lower < limit)
      ++end;
    const Eigen::Index row = places[i].row, lower = places[i].lower;
    const Eigen::Index last = std::min(places[end - 1].lower + 1, dense.time().size() - 1);
    const MatX a = sparse.rows(row, places[end - 1].row - row + 1, ours),
               b = dense.rows(lower, last - lower + 1, theirs);
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      const auto column = static_cast<Eigen::Index>(k);
      for (std::size_t j = i; j < end; ++j)
        pairs[k].see(a(places[j].row - row, column), value_at(b.col(column), places[j], lower),
                     sparse.time()[places[j].row]);
    }
  }
}

}  // namespace

bool ChannelDifference::within(double relative_tolerance, double absolute_tolerance) const {
  return largest <= absolute_tolerance + relative_tolerance * scale + 1e-14 * magnitude;
}

RunComparison compare_runs(const RunData& a, const RunData& b, const std::vector<std::string>& patterns) {
  return compare_runs(RowsOfRun(a), RowsOfRun(b), patterns);
}

RunComparison compare_runs(const RowSource& a, const RowSource& b, const std::vector<std::string>& patterns) {
  RunComparison out;
  const auto wanted = [&](const Channel& c) {
    if (c.path.compare(0, 6, "drift/") == 0) return false;
    return patterns.empty() || std::any_of(patterns.begin(), patterns.end(),
                                           [&](const std::string& p) { return matches(p, c.path); });
  };
  const RowSource::Times times = a.time(), others = b.time();
  std::map<std::string, Eigen::Index> in_b;
  for (std::size_t i = 0; i < b.channels().size(); ++i)
    if (wanted(b.channels()[i])) in_b.emplace(b.channels()[i].path, static_cast<Eigen::Index>(i));
  if (times.size() == 0 || others.size() == 0) return out;
  out.from_s = std::max(times[0], others[0]);
  out.to_s = std::min(times[times.size() - 1], others[others.size() - 1]);
  const double whole =
      std::max(times[times.size() - 1], others[others.size() - 1]) - std::min(times[0], others[0]);
  out.coverage = whole > 0 ? std::max(0.0, (out.to_s - out.from_s) / whole) : 1;
  const bool first_is_sparse =
      instants_between(times, out.from_s, out.to_s) <= instants_between(others, out.from_s, out.to_s);
  const RowSource& sparse = first_is_sparse ? a : b;
  const RowSource& dense = first_is_sparse ? b : a;
  const std::vector<PlaceInRows> places = places_of(sparse.time(), dense.time());
  out.instants = static_cast<Eigen::Index>(places.size());
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < a.channels().size(); ++i) {
    const Channel& c = a.channels()[i];
    if (!wanted(c)) continue;
    const auto it = in_b.find(c.path);
    if (it == in_b.end()) {
      out.only_first.push_back(c.path);
      continue;
    }
    const Eigen::Index column = it->second, in_a = static_cast<Eigen::Index>(i);
    in_b.erase(it);
    if (b.channels()[static_cast<std::size_t>(column)].unit != c.unit) {
      out.other_units.push_back(c.path);
      continue;
    }
    pairs.push_back({{c.path, c.unit}, first_is_sparse ? in_a : column, first_is_sparse ? column : in_a});
  }
  for (const auto& [path, column] : in_b) out.only_second.push_back(path);
  if (places.empty()) return out;
  see_all(pairs, places, sparse, dense);
  std::map<std::string, double> vector_scale;
  for (Pair& p : pairs) {
    p.conclude(places.size());
    ChannelDifference& d = p.difference;
    if (is_component(d.path)) {
      double& scale = vector_scale[folder_of(d.path)];
      scale = std::max(scale, d.scale);
    }
    out.channels.push_back(std::move(d));
  }
  for (ChannelDifference& d : out.channels) {
    if (is_component(d.path)) d.scale = vector_scale[folder_of(d.path)];
    d.relative = d.scale > 0 ? d.largest / d.scale : (std::isnan(d.largest) ? d.largest : 0);
  }
  std::stable_sort(out.channels.begin(), out.channels.end(), [](const auto& x, const auto& y) {
    const auto key = [](double v) { return std::isnan(v) ? INFINITY : v; };
    return key(x.relative) > key(y.relative);
  });
  return out;
}

}  // namespace monocoque

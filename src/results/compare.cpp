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

Eigen::Index instants_between(const VecX& time, double from, double to) {
  return std::count_if(time.begin(), time.end(), [&](double t) { return t >= from && t <= to; });
}

std::vector<PlaceInRows> places_of(const VecX& times, const VecX& among) {
  std::vector<PlaceInRows> out;
  Eigen::Index j = 0;
  for (Eigen::Index r = 0; r < times.size() && among.size() > 0; ++r) {
    const double t = times[r], slack = 1e-9 * (1 + std::abs(t));
    if (t < among[0] - slack || t > among[among.size() - 1] + slack) continue;
    while (j + 2 < among.size() && among[j + 1] < t) ++j;
    const double h = j + 1 < among.size() ? among[j + 1] - among[j] : 0;
    out.push_back({r, j, h > 0 ? std::clamp((t - among[j]) / h, 0.0, 1.0) : 0});
  }
  return out;
}

bool is_component(const std::string& path) {
  const std::string leaf = leaf_of(path);
  return leaf == "x" || leaf == "y" || leaf == "z" ||
         (leaf.size() == 2 && leaf[0] == 'q' && ends_with(folder_of(path), "/orientation"));
}

template <class Column>
void measure(ChannelDifference& d, const std::vector<PlaceInRows>& places, const VecX& times,
             const Column& sparse, const Column& dense) {
  double low = INFINITY, high = -INFINITY, squares = 0;
  for (const PlaceInRows& p : places) {
    const double left = dense[p.lower], right = p.share > 0 ? dense[p.lower + 1] : left;
    const double theirs = left + p.share * (right - left), ours = sparse[p.row];
    if (std::isnan(ours) && std::isnan(theirs)) continue;
    const double difference = std::abs(ours - theirs);
    squares += difference * difference;
    if (difference > d.largest || std::isnan(difference)) {
      d.largest = difference;
      d.at_s = times[p.row];
      if (std::isnan(difference)) break;
    }
    low = std::min({low, ours, theirs});
    high = std::max({high, ours, theirs});
  }
  d.rms = std::sqrt(squares / static_cast<double>(places.size()));
  d.scale = high > low ? high - low : 0;
  d.magnitude = high >= low ? std::max(std::abs(low), std::abs(high)) : 0;
}

}  // namespace

bool ChannelDifference::within(double relative_tolerance, double absolute_tolerance) const {
  return largest <= absolute_tolerance + relative_tolerance * scale + 1e-14 * magnitude;
}

RunComparison compare_runs(const RunData& a, const RunData& b, const std::vector<std::string>& patterns) {
  RunComparison out;
  const auto wanted = [&](const Channel& c) {
    if (c.path.compare(0, 6, "drift/") == 0) return false;
    return patterns.empty() || std::any_of(patterns.begin(), patterns.end(),
                                           [&](const std::string& p) { return matches(p, c.path); });
  };
  std::map<std::string, Eigen::Index> in_b;
  for (std::size_t i = 0; i < b.channels.size(); ++i)
    if (wanted(b.channels[i])) in_b.emplace(b.channels[i].path, static_cast<Eigen::Index>(i));
  if (a.time.size() == 0 || b.time.size() == 0) return out;
  out.from_s = std::max(a.time[0], b.time[0]);
  out.to_s = std::min(a.time[a.time.size() - 1], b.time[b.time.size() - 1]);
  const double whole =
      std::max(a.time[a.time.size() - 1], b.time[b.time.size() - 1]) - std::min(a.time[0], b.time[0]);
  out.coverage = whole > 0 ? std::max(0.0, (out.to_s - out.from_s) / whole) : 1;
  const bool first_is_sparse =
      instants_between(a.time, out.from_s, out.to_s) <= instants_between(b.time, out.from_s, out.to_s);
  const RunData& sparse = first_is_sparse ? a : b;
  const RunData& dense = first_is_sparse ? b : a;
  const std::vector<PlaceInRows> places = places_of(sparse.time, dense.time);
  out.instants = static_cast<Eigen::Index>(places.size());
  std::map<std::string, double> vector_scale;
  for (std::size_t i = 0; i < a.channels.size(); ++i) {
    const Channel& c = a.channels[i];
    if (!wanted(c)) continue;
    const auto it = in_b.find(c.path);
    if (it == in_b.end()) {
      out.only_first.push_back(c.path);
      continue;
    }
    const Eigen::Index column = it->second;
    in_b.erase(it);
    if (b.channels[static_cast<std::size_t>(column)].unit != c.unit) {
      out.other_units.push_back(c.path);
      continue;
    }
    if (places.empty()) continue;
    ChannelDifference d{c.path, c.unit};
    const auto in_a = static_cast<Eigen::Index>(i);
    measure(d, places, sparse.time, sparse.data.col(first_is_sparse ? in_a : column),
            dense.data.col(first_is_sparse ? column : in_a));
    if (is_component(c.path)) {
      double& scale = vector_scale[folder_of(c.path)];
      scale = std::max(scale, d.scale);
    }
    out.channels.push_back(std::move(d));
  }
  for (const auto& [path, column] : in_b) out.only_second.push_back(path);
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

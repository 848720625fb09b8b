#include <algorithm>
#include <cmath>
#include <map>

#include "results/report.h"

namespace monocoque {

std::vector<ChannelDifference> largest_differences(const RunData& a, const RunData& b) {
  std::map<std::string, Eigen::Index> in_b;
  for (std::size_t i = 0; i < b.channels.size(); ++i)
    in_b.emplace(b.channels[i].path, static_cast<Eigen::Index>(i));
  // Places of the times of a among those of b.
  struct Place {
    Eigen::Index row, lower;
    double share;
  };
  std::vector<Place> places;
  Eigen::Index j = 0;
  for (Eigen::Index r = 0; r < a.time.size() && b.time.size() > 0; ++r) {
    const double t = a.time[r], slack = 1e-9 * (1 + std::abs(t));
    if (t < b.time[0] - slack || t > b.time[b.time.size() - 1] + slack) continue;
    while (j + 2 < b.time.size() && b.time[j + 1] < t) ++j;
    const double h = j + 1 < b.time.size() ? b.time[j + 1] - b.time[j] : 0;
    places.push_back({r, j, h > 0 ? std::clamp((t - b.time[j]) / h, 0.0, 1.0) : 0});
  }
  std::vector<ChannelDifference> out;
  for (std::size_t i = 0; i < a.channels.size(); ++i) {
    const auto it = in_b.find(a.channels[i].path);
    if (it == in_b.end() || places.empty() || a.channels[i].path.compare(0, 6, "drift/") == 0) continue;
    ChannelDifference d{a.channels[i].path, a.channels[i].unit};
    double low = INFINITY, high = -INFINITY;
    for (const Place& p : places) {
      const double left = b.data(p.lower, it->second);
      const double right = p.share > 0 ? b.data(p.lower + 1, it->second) : left;
      const double theirs = left + p.share * (right - left),
                   ours = a.data(p.row, static_cast<Eigen::Index>(i));
      const double difference = std::abs(ours - theirs);
      if (difference > d.largest || std::isnan(difference)) {
        d.largest = difference;
        d.at_s = a.time[p.row];
        if (std::isnan(difference)) break;
      }
      low = std::min({low, ours, theirs});
      high = std::max({high, ours, theirs});
    }
    d.relative = high > low ? d.largest / (high - low) : (std::isnan(d.largest) ? d.largest : 0);
    out.push_back(std::move(d));
  }
  std::stable_sort(out.begin(), out.end(), [](const auto& x, const auto& y) {
    const auto key = [](double v) { return std::isnan(v) ? INFINITY : v; };
    return key(x.relative) > key(y.relative);
  });
  return out;
}

}  // namespace monocoque

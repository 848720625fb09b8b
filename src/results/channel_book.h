#pragma once
// The channels of a run by their paths, for whatever draws them: which there are, which have been drawn.

#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "results/recorder.h"

namespace monocoque {

inline bool ends_with(const std::string& text, const std::string& end) {
  return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

inline std::string leaf_of(const std::string& path) {
  return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

inline std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

/// "owner/name".
inline std::string path_of(const std::string& owner, const std::string& name) {
  std::string out = owner;
  out += '/';
  return out += name;
}

/// Columns of the channels that match any of the patterns, all for none, in the order of the run. Throws
/// Error with a suggestion for a pattern that matches nothing.
std::vector<Eigen::Index> chosen_channels(const RunData& run, const std::vector<std::string>& patterns);

/// The channels of a run: which are left to be drawn, and whether they move.
class ChannelBook {
 public:
  explicit ChannelBook(const RunData& run) : run_(run) {
    for (std::size_t i = 0; i < run.channels.size(); ++i) column_.emplace(run.channels[i].path, i);
  }
  const std::vector<Channel>& channels() const { return run_.channels; }
  bool has(const std::string& path) const { return column_.count(path) > 0; }
  bool has_vector(const std::string& base) const {
    return has(base + "/x") && has(base + "/y") && has(base + "/z");
  }
  const std::string& unit(const std::string& path) const { return run_.channels[column_.at(path)].unit; }
  auto values(const std::string& path) const {
    return run_.data.col(static_cast<Eigen::Index>(column_.at(path)));
  }
  bool zero(const std::string& path) const { return (values(path).array() == 0).all(); }
  double range(const std::string& path) const {
    double low = INFINITY, high = -INFINITY;
    for (const double v : values(path))
      if (std::isfinite(v)) {
        low = std::min(low, v);
        high = std::max(high, v);
      }
    return high > low ? high - low : 0;
  }
  void use(const std::string& path) { used_.insert(path); }
  bool used(const std::string& path) const { return used_.count(path) > 0; }
  /// Owners of vectors OWNER/quantity, in the order of the file.
  std::vector<std::string> owners(const std::string& quantity) const {
    std::vector<std::string> out;
    const std::string end = "/" + quantity + "/x";
    for (const Channel& c : channels())
      if (ends_with(c.path, end)) {
        const std::string owner = c.path.substr(0, c.path.size() - end.size());
        if (has_vector(path_of(owner, quantity))) out.push_back(owner);
      }
    return out;
  }

 private:
  const RunData& run_;
  std::map<std::string, std::size_t> column_;
  std::set<std::string> used_;
};

}  // namespace monocoque

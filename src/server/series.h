#pragma once
// Curves of one run, at any scale, without reading the file as a whole more than once. Least and greatest
// values of small groups of rows are kept for all channels (the overview, made in the background); samples
// are read where a picture needs them, and kept while there is room. Derived channels are computed once for
// the whole run. For one thread; only progress() may be asked from others.

#include <atomic>
#include <limits>
#include <list>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "results/derived_channel.h"
#include "results/run_file.h"

namespace monocoque::server {

struct Extremes {
  double lo = std::numeric_limits<double>::quiet_NaN(), hi = std::numeric_limits<double>::quiet_NaN();
  /// Values that are no numbers do not count.
  void take(double low, double high) {
    if (!(lo <= low)) lo = low == low ? low : lo;
    if (!(hi >= high)) hi = high == high ? high : hi;
  }
};

/// Least and greatest value of each group of rows that share a picture column.
struct Buckets {
  std::size_t rows_each = 1;  ///< 1: the samples themselves, in hi
  std::vector<double> t, lo, hi;
};

class Series {
 public:
  Series(RunFile& file, std::size_t memory_bytes) : file_(file), memory_bytes_(memory_bytes) {}

  /// Takes notice of rows that came, or of a new run in the file. To be called before a request is answered.
  void update();
  const RunHead& head() const { return *head_; }

  /// A channel by its number, or a derived one, "e:EXPR". Throws Error when there is none.
  struct Curve {
    std::size_t channel = 0;
    std::string expression;  ///< empty: the channel itself
    std::string path, unit;
  };
  Curve curve(const std::string& key) const;

  /// Samples of rows first to first + count, curve after curve.
  void samples(const std::vector<Curve>& curves, std::size_t first, std::size_t count, double* out);
  /// At most `points` groups over these rows, aligned so that they stay when the picture is moved.
  std::vector<Buckets> buckets(const std::vector<Curve>& curves, std::size_t first, std::size_t last,
                               std::size_t points);

  /// A piece of the overview; false when it is done.
  bool work();
  /// From 0 to 1: how much of the run the overview has seen.
  double progress() const { return progress_; }
  std::size_t memory() const { return used_bytes_; }

 private:
  static constexpr std::size_t segment_rows = 65536;
  using Values = std::shared_ptr<const std::vector<double>>;
  struct Overview {
    std::size_t rows_each = 16, groups = 0;
    std::vector<std::vector<double>> lo, hi;  ///< by channel
  };
  /// Samples and overview of a derived channel.
  struct Whole {
    std::vector<double> values, lo, hi;
    std::size_t rows_each = 16;
  };
  struct Cached {
    Values segment;
    std::shared_ptr<const Whole> whole;
    std::size_t bytes = 0;
    std::list<std::string>::iterator used;
  };

  void plan_overview();
  void tell_progress();
  void finish_overview();
  std::size_t slice_rows() const;
  Values segment(std::size_t channel, std::size_t number, const std::vector<Curve>& also);
  std::shared_ptr<const Whole> whole(const Curve& curve);
  std::vector<double> compute(const DerivedChannel& derived);
  /// The samples of one channel, through the segments kept, or straight from the file for a few.
  void channel_samples(std::size_t channel, std::size_t first, std::size_t count,
                       const std::vector<Curve>& also, double* out);
  Extremes extremes(const Curve& curve, const Whole* whole, std::size_t first, std::size_t last,
                    const std::vector<Curve>& also);
  const Cached* find(const std::string& key);
  void keep(const std::string& key, Cached entry);
  void forget();

  RunFile& file_;
  const std::size_t memory_bytes_;
  std::shared_ptr<const RunHead> head_;
  Overview overview_;
  std::unordered_map<std::string, Cached> cache_;
  std::list<std::string> order_;  ///< most recently used first
  std::size_t used_bytes_ = 0;
  std::vector<double> slice_;
  std::atomic<double> progress_{0};
};

}  // namespace monocoque::server

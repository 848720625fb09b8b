#include "server/series.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "core/error.h"

namespace monocoque::server {

namespace {

constexpr std::size_t overview_bytes = 64U << 20;
constexpr std::size_t slice_bytes = 8U << 20;
constexpr std::size_t few_rows = 2048;  // fewer than this are read without keeping them

std::string segment_key(std::size_t channel, std::size_t number) {
  return fmt::format("{}/{}", channel, number);
}

/// Of rows [first, last) at this place: finished groups in the middle, single rows at both ends.
struct Division {
  std::size_t begin, end;  ///< groups
  Division(std::size_t first, std::size_t last, std::size_t rows_each, std::size_t groups)
      : begin((first + rows_each - 1) / rows_each), end(std::min(last / rows_each, groups)) {
    if (end < begin) end = begin;
  }
};

void add_groups(const std::vector<double>& values, std::size_t rows_each, std::vector<double>& lo,
                std::vector<double>& hi) {
  for (std::size_t i = 0; i + rows_each <= values.size(); i += rows_each) {
    Extremes e;
    for (std::size_t k = i; k < i + rows_each; ++k) e.take(values[k], values[k]);
    lo.push_back(e.lo);
    hi.push_back(e.hi);
  }
}

}  // namespace

void Series::update() {
  file_.refresh();
  auto next = file_.head();
  if (next == head_) return;
  const bool anew = !head_ || head_->generation != next->generation;
  head_ = std::move(next);
  if (anew) {
    cache_.clear();
    order_.clear();
    used_bytes_ = 0;
    overview_ = {};
    overview_.lo.resize(head_->channels.size());
    overview_.hi.resize(head_->channels.size());
  } else {
    forget();
  }
  plan_overview();
}

/// Groups become larger when the run is too long for small ones.
void Series::plan_overview() {
  const std::size_t channels = std::max<std::size_t>(1, head_->channels.size());
  while (head_->time.size() / overview_.rows_each * channels * 16 > overview_bytes) {
    overview_.rows_each *= 2;
    overview_.groups /= 2;
    for (auto* table : {&overview_.lo, &overview_.hi})
      for (std::vector<double>& column : *table) {
        for (std::size_t g = 0; g < overview_.groups; ++g) {
          Extremes e;
          e.take(column[2 * g], column[2 * g]);
          e.take(column[2 * g + 1], column[2 * g + 1]);
          column[g] = table == &overview_.lo ? e.lo : e.hi;
        }
        column.resize(overview_.groups);
      }
    forget();
  }
  tell_progress();
}

void Series::tell_progress() {
  const std::size_t all = head_->time.size() / overview_.rows_each;
  progress_ = all == 0 ? 1.0 : static_cast<double>(overview_.groups) / static_cast<double>(all);
}

/// After the run has grown: what was not full yet, or derived from all of it.
void Series::forget() {
  for (auto at = order_.begin(); at != order_.end();) {
    const auto entry = cache_.find(*at);
    const bool stale = !entry->second.segment || entry->second.segment->size() < segment_rows;
    if (!stale) {
      ++at;
      continue;
    }
    used_bytes_ -= entry->second.bytes;
    cache_.erase(entry);
    at = order_.erase(at);
  }
}

std::size_t Series::slice_rows() const {
  const std::size_t row = 8 * std::max<std::size_t>(1, head_->channels.size());
  return std::max<std::size_t>(1, slice_bytes / row);
}

bool Series::work() {
  if (!head_) return false;
  const std::size_t each = overview_.rows_each, columns = head_->channels.size();
  const std::size_t all = head_->time.size() / each;
  if (overview_.groups < all && columns > 0) {
    const std::size_t groups = std::clamp<std::size_t>(slice_rows() / each, 1, all - overview_.groups);
    slice_.resize(groups * each * columns);
    file_.rows(overview_.groups * each, groups * each, columns, slice_.data());
    constexpr double infinity = std::numeric_limits<double>::infinity();
    std::vector<double> lo(columns), hi(columns);
    const double* value = slice_.data();
    for (std::size_t g = 0; g < groups; ++g) {
      std::fill(lo.begin(), lo.end(), infinity);
      std::fill(hi.begin(), hi.end(), -infinity);
      for (std::size_t i = 0; i < each; ++i, value += columns)
        for (std::size_t k = 0; k < columns; ++k) {  // comparisons with NaN fail, so that it is left out
          lo[k] = value[k] < lo[k] ? value[k] : lo[k];
          hi[k] = value[k] > hi[k] ? value[k] : hi[k];
        }
      for (std::size_t k = 0; k < columns; ++k) {
        const bool none = lo[k] > hi[k];
        overview_.lo[k].push_back(none ? std::nan("") : lo[k]);
        overview_.hi[k].push_back(none ? std::nan("") : hi[k]);
      }
    }
    overview_.groups += groups;
  }
  tell_progress();
  return overview_.groups < all && columns > 0;
}

void Series::finish_overview() {
  while (work()) {
  }
}

Series::Curve Series::curve(const std::string& key) const {
  Curve c;
  if (key.starts_with("e:")) {
    c.expression = key.substr(2);
    c.path = key;
    c.unit = parse_derived_channel(c.expression, head_->channels)->unit;  // complains at once
    return c;
  }
  const auto [end, code] = std::from_chars(key.data(), key.data() + key.size(), c.channel);
  if (code != std::errc{} || end != key.data() + key.size() || c.channel >= head_->channels.size())
    throw Error("channel", fmt::format("there is no channel '{}', they are numbered from 0 to {}", key,
                                       static_cast<long>(head_->channels.size()) - 1));
  c.path = head_->channels[c.channel].path;
  c.unit = head_->channels[c.channel].unit;
  return c;
}

const Series::Cached* Series::find(const std::string& key) {
  const auto at = cache_.find(key);
  if (at == cache_.end()) return nullptr;
  order_.splice(order_.begin(), order_, at->second.used);
  return &at->second;
}

void Series::keep(const std::string& key, Cached entry) {
  order_.push_front(key);
  entry.used = order_.begin();
  used_bytes_ += entry.bytes;
  cache_.emplace(key, std::move(entry));
  while (used_bytes_ > memory_bytes_ && order_.size() > 1) {
    const auto last = cache_.find(order_.back());
    used_bytes_ -= last->second.bytes;
    cache_.erase(last);
    order_.pop_back();
  }
}

Series::Values Series::segment(std::size_t channel, std::size_t number, const std::vector<Curve>& also) {
  if (const Cached* known = find(segment_key(channel, number))) return known->segment;
  // One pass over the rows serves all curves of the request.
  std::vector<std::size_t> wanted{channel};
  for (const Curve& c : also)
    if (c.expression.empty() && std::find(wanted.begin(), wanted.end(), c.channel) == wanted.end() &&
        !cache_.contains(segment_key(c.channel, number)))
      wanted.push_back(c.channel);
  const std::size_t columns = head_->channels.size(), first = number * segment_rows;
  const std::size_t rows = std::min(segment_rows, head_->time.size() - first);
  std::vector<std::shared_ptr<std::vector<double>>> values;
  for (std::size_t k = 0; k < wanted.size(); ++k)
    values.push_back(std::make_shared<std::vector<double>>(rows));
  for (std::size_t i = 0; i < rows; i += slice_rows()) {
    const std::size_t n = std::min(slice_rows(), rows - i);
    slice_.resize(n * columns);
    file_.rows(first + i, n, columns, slice_.data());
    for (std::size_t k = 0; k < wanted.size(); ++k)
      for (std::size_t r = 0; r < n; ++r) (*values[k])[i + r] = slice_[r * columns + wanted[k]];
  }
  for (std::size_t k = wanted.size(); k-- > 0;) {  // the one asked for last: it is the last to be given up
    Cached entry;
    entry.segment = values[k];
    entry.bytes = 8 * rows;
    keep(segment_key(wanted[k], number), std::move(entry));
  }
  return values[0];
}

void Series::channel_samples(std::size_t channel, std::size_t first, std::size_t count,
                             const std::vector<Curve>& also, double* out) {
  const std::size_t columns = head_->channels.size();
  for (std::size_t i = first; i < first + count;) {
    const std::size_t number = i / segment_rows, begin = number * segment_rows;
    const std::size_t n = std::min(first + count, begin + segment_rows) - i;
    if (count <= few_rows && cache_.find(segment_key(channel, number)) == cache_.end()) {
      slice_.resize(n * columns);
      file_.rows(i, n, columns, slice_.data());
      for (std::size_t r = 0; r < n; ++r) out[i - first + r] = slice_[r * columns + channel];
    } else {
      const Values values = segment(channel, number, also);
      std::copy_n(values->begin() + static_cast<std::ptrdiff_t>(i - begin), n, out + (i - first));
    }
    i += n;
  }
}

void Series::samples(const std::vector<Curve>& curves, std::size_t first, std::size_t count, double* out) {
  for (std::size_t c = 0; c < curves.size(); ++c) {
    double* place = out + c * count;
    if (curves[c].expression.empty()) {
      channel_samples(curves[c].channel, first, count, curves, place);
    } else {
      const auto all = whole(curves[c]);
      std::copy_n(all->values.begin() + static_cast<std::ptrdiff_t>(first), count, place);
    }
  }
}

std::vector<double> Series::compute(const DerivedChannel& derived) {
  std::vector<Curve> channels;
  for (const std::size_t k : derived.channels()) channels.emplace_back().channel = k;
  std::unordered_map<std::size_t, Values> held;
  return evaluate(derived, head_->time, segment_rows, [&](std::size_t channel, std::size_t first) {
    Values& values = held[channel];
    values = segment(channel, first / segment_rows, channels);
    return values->data();
  });
}

std::shared_ptr<const Series::Whole> Series::whole(const Curve& curve) {
  if (const Cached* known = find(curve.path)) return known->whole;
  if (8 * head_->time.size() > memory_bytes_)
    throw Error("derived channel", "the run is too long to compute channels from it");
  auto made = std::make_shared<Whole>();
  made->values = compute(*parse_derived_channel(curve.expression, head_->channels));
  made->rows_each = overview_.rows_each;
  add_groups(made->values, made->rows_each, made->lo, made->hi);
  Cached entry;
  entry.whole = made;
  entry.bytes = 8 * (made->values.size() + made->lo.size() + made->hi.size());
  keep(curve.path, std::move(entry));
  return made;
}

Extremes Series::extremes(const Curve& curve, const Whole* whole, std::size_t first, std::size_t last,
                          const std::vector<Curve>& also) {
  const std::vector<double>& lo = whole != nullptr ? whole->lo : overview_.lo[curve.channel];
  const std::vector<double>& hi = whole != nullptr ? whole->hi : overview_.hi[curve.channel];
  const std::size_t each = overview_.rows_each;
  const Division groups(first, last, each, lo.size());
  Extremes e;
  for (std::size_t g = groups.begin; g < groups.end; ++g) e.take(lo[g], hi[g]);
  std::vector<double> rest;
  const auto single = [&](std::size_t from, std::size_t to) {
    if (from >= to) return;
    rest.resize(to - from);
    if (whole != nullptr)
      std::copy_n(whole->values.begin() + static_cast<std::ptrdiff_t>(from), to - from, rest.begin());
    else
      channel_samples(curve.channel, from, to - from, also, rest.data());
    for (const double v : rest) e.take(v, v);
  };
  if (groups.begin == groups.end) {
    single(first, last);
  } else {
    single(first, groups.begin * each);
    single(groups.end * each, last);
  }
  return e;
}

std::vector<Buckets> Series::buckets(const std::vector<Curve>& curves, std::size_t first, std::size_t last,
                                     std::size_t points) {
  std::vector<Buckets> out(curves.size());
  const std::size_t n = last - first;
  if (n <= points) {
    std::vector<double> values(n * curves.size());
    samples(curves, first, n, values.data());
    for (std::size_t c = 0; c < curves.size(); ++c) {
      const auto at = [n](std::size_t k) { return static_cast<std::ptrdiff_t>(k * n); };
      out[c].t.assign(head_->time.begin() + static_cast<std::ptrdiff_t>(first),
                      head_->time.begin() + static_cast<std::ptrdiff_t>(last));
      out[c].hi.assign(values.begin() + at(c), values.begin() + at(c + 1));
    }
    return out;
  }
  std::size_t width = (n + points - 1) / points;
  const std::size_t unit = width >= overview_.rows_each ? overview_.rows_each : 1;
  width = (width + unit - 1) / unit * unit;
  while ((last - 1) / width - first / width + 1 > points) width += unit;
  const bool coarse = unit > 1;
  if (coarse && overview_.groups < last / overview_.rows_each) finish_overview();

  const std::size_t begin = first / width, count = (last - 1) / width - begin + 1;
  for (std::size_t c = 0; c < curves.size(); ++c) {
    Buckets& b = out[c];
    b.rows_each = width;
    b.t.resize(count);
    b.lo.resize(count);
    b.hi.resize(count);
    const auto all = curves[c].expression.empty() ? nullptr : whole(curves[c]);
    Values held;
    std::size_t held_number = 0;
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t from = std::max(first, (begin + k) * width),
                        to = std::min(last, (begin + k + 1) * width);
      b.t[k] = 0.5 * (head_->time[from] + head_->time[to - 1]);
      Extremes e;
      if (coarse) {
        e = extremes(curves[c], all.get(), from, to, curves);
      } else {
        for (std::size_t i = from; i < to;) {
          const std::size_t number = i / segment_rows, start = number * segment_rows;
          const std::size_t stop = std::min(to, start + segment_rows);
          if (!all && (!held || held_number != number))
            held = segment(curves[c].channel, held_number = number, curves);
          const double* value = all ? all->values.data() + start : held->data();
          for (; i < stop; ++i) e.take(value[i - start], value[i - start]);
        }
      }
      b.lo[k] = e.lo;
      b.hi[k] = e.hi;
    }
  }
  return out;
}

}  // namespace monocoque::server

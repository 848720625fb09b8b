// Answers that need samples: curves, values at a time, X-Y, spectra, CSV.

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <memory>

#include <fmt/format.h>

#include "core/error.h"
#include "core/spectrum.h"
#include "results/csv.h"
#include "server/container.h"
#include "server/run_api.h"

namespace monocoque::server {

namespace {

constexpr std::size_t most_curves = 4096;
constexpr std::size_t most_points = 20000;
constexpr std::size_t most_numbers = 8000000;  // of one answer
constexpr std::size_t block_rows = 65536;

using Curves = std::vector<Series::Curve>;

Curves curves_of(const Series& series, const std::vector<std::string>& keys) {
  Curves out;
  for (const std::string& key : keys) {
    try {
      out.push_back(series.curve(key));
    } catch (const Error& e) {
      refuse(400, e.what());
    }
  }
  return out;
}

struct Rows {
  std::size_t first, last;
  std::size_t count() const { return last - first; }
};

/// Rows with from <= time <= to.
Rows rows_of(const Series& series, const Query& query) {
  const RunHead& head = series.head();
  const double t0 = head.time.empty() ? 0 : head.time.front(), t1 = head.time.empty() ? 0 : head.time.back();
  const double from = query.number("from", t0), to = query.number("to", t1);
  Rows r{head.first_at(from), head.first_after(to)};
  r.last = std::max(r.first, r.last);
  return r;
}

nlohmann::ordered_json described(const Series::Curve& c) {
  return {{"path", c.path}, {"unit", c.unit}};
}

Reply binary(const Container& c) {
  Reply r;
  r.type = "application/octet-stream";
  r.body = c.bytes();
  return r;
}

Reply data(Series& series, const Query& query) {
  const Curves curves = curves_of(series, query.list("c", most_curves));
  const Rows rows = rows_of(series, query);
  const std::size_t points = std::max<std::size_t>(2, query.whole("points", 2000, most_points));
  if (curves.size() * points > most_numbers)
    refuse(400, fmt::format("{} curves of {} points are too many for one answer", curves.size(), points));
  // All curves of an answer have the same times; who asks for it gets them once.
  const bool common_time = query.has("common_time");
  std::vector<Buckets> all(curves.size());
  if (rows.count() > 0) all = series.buckets(curves, rows.first, rows.last, points);
  Container c;
  c.head["series"] = nlohmann::ordered_json::array();
  for (std::size_t k = 0; k < all.size(); ++k) {
    auto j = described(curves[k]);
    j["rows_each"] = all[k].rows_each;
    c.head["series"].push_back(j);
    if (k == 0 || !common_time) c.add(fmt::format("t_{}", k), all[k].t);
    if (all[k].rows_each > 1) c.add(fmt::format("lo_{}", k), all[k].lo);
    c.add(fmt::format("hi_{}", k), all[k].hi);
  }
  return binary(c);
}

Reply at(Series& series, const Query& query) {
  const Curves curves = curves_of(series, query.list("c", most_curves));
  const RunHead& head = series.head();
  const double t = query.number("t");
  std::vector<double> out(curves.size(), std::nan(""));
  if (!head.time.empty() && t >= head.time.front() && t <= head.time.back()) {
    const std::size_t last = std::min(head.first_after(t), head.time.size() - 1);
    const std::size_t first = last > 0 ? last - 1 : 0, n = last - first + 1;
    std::vector<double> v(n * curves.size());
    series.samples(curves, first, n, v.data());
    const double span = head.time[last] - head.time[first];
    const double part = span > 0 ? (t - head.time[first]) / span : 1;
    for (std::size_t k = 0; k < curves.size(); ++k) {
      const double a = v[k * n], b = v[k * n + n - 1];
      out[k] = part >= 1 ? b : a + part * (b - a);
    }
  }
  Reply r;
  r.body = json_text({{"t", t}, {"values", out}});
  return r;
}

/// Keeps, of every group of rows, those with the least and greatest x and y: no tip of the curve is lost.
Reply xy(Series& series, const Query& query) {
  Curves curves = curves_of(series, query.list("x", 1));
  curves.push_back(curves_of(series, query.list("y", 1))[0]);
  const Rows rows = rows_of(series, query);
  const std::size_t points = std::max<std::size_t>(8, query.whole("points", 4000, most_points));
  const std::size_t groups = points / 4;
  const std::size_t width = rows.count() <= points ? 1 : (rows.count() + groups - 1) / groups;
  std::vector<double> x, y, t, block;
  struct Tip {
    std::size_t row = 0;
    double x = 0, y = 0;
  };
  std::array<Tip, 4> tips{};
  bool any = false;
  const auto put = [&] {
    std::sort(tips.begin(), tips.end(), [](const Tip& a, const Tip& b) { return a.row < b.row; });
    for (std::size_t k = 0; any && k < tips.size(); ++k) {
      if (k > 0 && tips[k].row == tips[k - 1].row) continue;
      x.push_back(tips[k].x);
      y.push_back(tips[k].y);
      t.push_back(series.head().time[tips[k].row]);
    }
    any = false;
  };
  for (std::size_t first = rows.first; first < rows.last; first += block_rows) {
    const std::size_t n = std::min(block_rows, rows.last - first);
    block.resize(2 * n);
    series.samples(curves, first, n, block.data());
    for (std::size_t i = 0; i < n; ++i) {
      if ((first + i - rows.first) % width == 0) put();
      const Tip here{first + i, block[i], block[n + i]};
      if (!std::isfinite(here.x) || !std::isfinite(here.y)) continue;
      if (!any) tips.fill(here);
      any = true;
      if (here.x < tips[0].x) tips[0] = here;
      if (here.x > tips[1].x) tips[1] = here;
      if (here.y < tips[2].y) tips[2] = here;
      if (here.y > tips[3].y) tips[3] = here;
    }
  }
  put();
  Container c;
  c.head["x"] = described(curves[0]);
  c.head["y"] = described(curves[1]);
  c.head["rows_each"] = width;
  c.add("x", x);
  c.add("y", y);
  c.add("t", t);
  return binary(c);
}

/// Evenly spaced samples; those of a method with variable steps are interpolated.
std::vector<double> even(const std::vector<double>& time, std::size_t first, std::vector<double> v,
                         double step, bool& changed) {
  const std::size_t n = v.size();
  const double start = time[first];
  changed = false;
  for (std::size_t i = 0; i < n && !changed; ++i)
    changed = std::abs(time[first + i] - (start + static_cast<double>(i) * step)) > 0.01 * step;
  if (!changed) return v;
  std::vector<double> out(n);
  std::size_t k = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double t = start + static_cast<double>(i) * step;
    while (k + 2 < n && time[first + k + 1] < t) ++k;
    const double span = time[first + k + 1] - time[first + k];
    const double part = span > 0 ? std::clamp((t - time[first + k]) / span, 0.0, 1.0) : 1.0;
    out[i] = v[k] + part * (v[k + 1] - v[k]);
  }
  return out;
}

std::string density_unit(const std::string& unit) {
  if (unit.empty() || unit == "1") return "1/Hz";
  const bool plain = unit.find_first_of("/^* ") == std::string::npos;
  return plain ? unit + "^2/Hz" : "(" + unit + ")^2/Hz";
}

Reply psd(Series& series, const Query& query) {
  const Curves curves = curves_of(series, query.list("c", 1));
  const Rows rows = rows_of(series, query);
  const double window = query.number("window", 2.0), overlap = query.number("overlap", 0.5);
  if (!(window > 0)) refuse(400, "'window' must be positive");
  if (!(overlap >= 0 && overlap <= 0.95)) refuse(400, "'overlap' must lie between 0 and 0.95");
  constexpr std::size_t most_samples = 20000000;
  if (rows.count() < 8) refuse(400, "there are less than 8 samples between 'from' and 'to'");
  if (rows.count() > most_samples) refuse(400, "there are too many samples; choose a shorter piece");
  const std::vector<double>& time = series.head().time;
  const double step = (time[rows.last - 1] - time[rows.first]) / static_cast<double>(rows.count() - 1);
  if (!(step > 0)) refuse(400, "the samples have no distance in time");
  std::vector<double> v(rows.count());
  series.samples(curves, rows.first, v.size(), v.data());
  bool interpolated = false;
  v = even(time, rows.first, std::move(v), step, interpolated);
  const Spectrum s = welch(v, step, window, overlap);
  Container c;
  c.head = {{"path", curves[0].path},
            {"unit", density_unit(curves[0].unit)},
            {"window", std::min(window, step * static_cast<double>(v.size()))},
            {"overlap", overlap},
            {"sample_s", step},
            {"interpolated", interpolated}};
  c.add("f", s.frequency_Hz);
  c.add("p", s.density);
  return binary(c);
}

Reply csv(const std::string& file_name, Series& series, const Query& query) {
  struct State {
    Curves curves;
    Rows rows{};
    std::uint64_t generation = 0;
    std::size_t next = 0;
    bool begun = false;
    std::vector<double> block;
  };
  auto state = std::make_shared<State>();
  state->curves = curves_of(series, query.list("c", most_curves));
  state->rows = rows_of(series, query);
  state->next = state->rows.first;
  state->generation = series.head().generation;
  Reply r;
  r.type = "text/csv; charset=utf-8";
  for (const char c : file_name.substr(0, file_name.rfind('.')))
    r.file_name += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.' ? c : '_';
  r.file_name += ".csv";
  r.stream = [state, &series](std::string& piece) {
    State& s = *state;
    if (!s.begun) {
      std::vector<Channel> channels;
      for (const Series::Curve& c : s.curves) channels.push_back({c.path, c.unit});
      piece = csv_header(channels);
      s.begun = true;
      return;
    }
    if (s.generation != series.head().generation) throw Error("csv", "the run was written anew meanwhile");
    const std::size_t n = std::min<std::size_t>(4096, s.rows.last - s.next), curves = s.curves.size();
    s.block.resize(n * curves);
    if (n > 0) series.samples(s.curves, s.next, n, s.block.data());
    for (std::size_t i = 0; i < n; ++i) {
      fmt::format_to(std::back_inserter(piece), "{:.17g}", series.head().time[s.next + i]);
      for (std::size_t k = 0; k < curves; ++k)
        fmt::format_to(std::back_inserter(piece), ",{:.17g}", s.block[k * n + i]);
      piece += '\n';
    }
    s.next += n;
  };
  return r;
}

}  // namespace

Reply curve_answer(const std::string& kind, const std::string& file_name, Series& series,
                   const Query& query) {
  if (kind == "data") return data(series, query);
  if (kind == "at") return at(series, query);
  if (kind == "xy") return xy(series, query);
  if (kind == "psd") return psd(series, query);
  return csv(file_name, series, query);
}

}  // namespace monocoque::server

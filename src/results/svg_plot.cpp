#include "results/svg_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <limits>

#include <fmt/format.h>

#include "core/error.h"

namespace monocoque {

namespace {

constexpr std::array<const char*, 8> kColors = {"#1f5fa8", "#c8501e", "#2e8b57", "#8a4fa3",
                                                "#b8860b", "#2aa1b3", "#a83250", "#5a5a5a"};
constexpr double kLeft = 74, kRight = 18, kTop = 34, kBottom = 50;
constexpr double kThinning = 0.25;  ///< points nearer than this (in pixels) to the last are left out

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else
      out += c;
  }
  return out;
}

/// One axis: data to pixels.
struct Scale {
  bool logarithmic = false;
  double low = 0, high = 1, from = 0, to = 1;

  double of(double v) const { return logarithmic ? std::log10(v) : v; }
  bool shows(double v) const { return std::isfinite(v) && (!logarithmic || v > 0); }
  double pixel(double v) const { return from + (of(v) - low) / (high - low) * (to - from); }

  void cover(const Plot& plot, std::vector<double> PlotSeries::*values) {
    low = std::numeric_limits<double>::infinity();
    high = -low;
    for (const PlotSeries& s : plot.series)
      for (const double v : s.*values)
        if (shows(v)) {
          low = std::min(low, of(v));
          high = std::max(high, of(v));
        }
    if (!(low <= high)) {
      low = 0;
      high = 1;
    }
    // A constant is drawn in the middle, not blown up to its rounding errors.
    const double least = logarithmic ? 0.1 : 1e-9 * std::max(std::abs(low), std::abs(high)) + 1e-300;
    if (high - low < least) {
      const double margin = logarithmic ? 0.5 : std::max(0.05 * std::abs(low), 1e-12);
      low -= margin;
      high += margin;
    }
  }
  std::vector<double> ticks(int count) const {
    if (!logarithmic) return round_ticks(low, high, count);
    std::vector<double> out;
    const int step = std::max(1, static_cast<int>(std::ceil((high - low) / count)));
    for (int e = static_cast<int>(std::ceil(low - 1e-9)); e <= high + 1e-9; e += step)
      out.push_back(std::pow(10.0, e));
    if (out.size() < 2) {
      out.clear();
      for (const double t : round_ticks(std::pow(10, low), std::pow(10, high), count))
        if (t > 0) out.push_back(t);
    }
    return out;
  }
};

void fit_equal(Scale& x, Scale& y) {
  const double per_x = (x.high - x.low) / std::abs(x.to - x.from);
  const double per_y = (y.high - y.low) / std::abs(y.to - y.from);
  Scale& tight = per_x < per_y ? x : y;
  const double middle = 0.5 * (tight.low + tight.high);
  const double half = 0.5 * std::max(per_x, per_y) * std::abs(tight.to - tight.from);
  tight.low = middle - half;
  tight.high = middle + half;
}

void draw_axes(const Plot& plot, const Scale& x, const Scale& y, std::string& out) {
  for (const double t : x.ticks(8)) {
    const double p = x.pixel(t);
    out += fmt::format(
        "<line class=\"g\" x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\"/>"
        "<text x=\"{0:.1f}\" y=\"{3:.1f}\" text-anchor=\"middle\">{4:.6g}</text>\n",
        p, y.to, y.from, y.from + 16, t);
  }
  for (const double t : y.ticks(6)) {
    const double p = y.pixel(t);
    out += fmt::format(
        "<line class=\"g\" x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{2:.1f}\" y2=\"{1:.1f}\"/>"
        "<text x=\"{3:.1f}\" y=\"{4:.1f}\" text-anchor=\"end\">{5:.6g}</text>\n",
        x.from, p, x.to, x.from - 6, p + 4, t);
  }
  out += fmt::format("<rect class=\"f\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n",
                     x.from, y.to, x.to - x.from, y.from - y.to);
  out += fmt::format("<text x=\"{:.1f}\" y=\"20\" text-anchor=\"middle\" class=\"t\">{}</text>\n",
                     0.5 * (x.from + x.to), escaped(plot.title));
  out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
                     0.5 * (x.from + x.to), y.from + 36, escaped(plot.x_label));
  out +=
      fmt::format("<text transform=\"translate(16,{:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                  0.5 * (y.from + y.to), escaped(plot.y_label));
}

void draw_series(const PlotSeries& s, const char* color, const Scale& x, const Scale& y, std::string& out) {
  std::string path;
  bool open = false;
  double last_x = 0, last_y = 0;
  const std::size_t n = std::min(s.x.size(), s.y.size());
  for (std::size_t i = 0; i < n; ++i) {
    if (!x.shows(s.x[i]) || !y.shows(s.y[i])) {
      open = false;
      continue;
    }
    const double px = x.pixel(s.x[i]), py = y.pixel(s.y[i]);
    if (s.points_only) {
      out += fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"3\" fill=\"{}\"/>\n", px, py, color);
      continue;
    }
    if (open && i + 1 < n && std::hypot(px - last_x, py - last_y) < kThinning) continue;
    path += fmt::format("{}{:.2f} {:.2f}", open ? "L" : "M", px, py);
    open = true;
    last_x = px;
    last_y = py;
  }
  if (!path.empty())
    out += fmt::format("<path d=\"{}\" stroke=\"{}\"{}/>\n", path, color,
                       s.dashed ? " stroke-dasharray=\"6 4\"" : "");
}

const char* color_of(const Plot& plot, std::size_t i) {
  return plot.series[i].color.empty() ? kColors[i % kColors.size()] : plot.series[i].color.c_str();
}

void draw_legend(const Plot& plot, const Scale& x, const Scale& y, std::string& out) {
  std::size_t longest = 0;
  int rows = 0;
  for (const PlotSeries& s : plot.series) {
    longest = std::max(longest, s.name.size());
    rows += s.name.empty() ? 0 : 1;
  }
  if (rows == 0) return;
  const double width = 40 + 6.6 * static_cast<double>(longest), left = x.to - width - 6;
  out += fmt::format("<rect class=\"b\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\"/>\n", left,
                     y.to + 6, width, 8 + 16 * rows);
  double row = y.to + 20;
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    const PlotSeries& s = plot.series[i];
    if (s.name.empty()) continue;
    out += fmt::format(
        "<path d=\"M{:.1f} {:.1f}h22\" stroke=\"{}\"{}/><text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
        left + 6, row - 4, color_of(plot, i), s.dashed ? " stroke-dasharray=\"6 4\"" : "", left + 34, row,
        escaped(s.name));
    row += 16;
  }
}

}  // namespace

std::vector<double> round_ticks(double low, double high, int count) {
  const double raw = (high - low) / std::max(count, 1);
  if (!(raw > 0) || !std::isfinite(raw)) return {low};
  const double power = std::pow(10, std::floor(std::log10(raw)));
  const double step = raw / power <= 1   ? power
                      : raw / power <= 2 ? 2 * power
                      : raw / power <= 5 ? 5 * power
                                         : 10 * power;
  std::vector<double> out;
  for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k)
    out.push_back(k == 0 ? 0 : k * step);
  return out;
}

std::string svg_text(const Plot& plot) {
  Scale x{plot.log_x, 0, 1, kLeft, plot.width - kRight}, y{plot.log_y, 0, 1, plot.height - kBottom, kTop};
  x.cover(plot, &PlotSeries::x);
  y.cover(plot, &PlotSeries::y);
  const double margin = 0.04 * (y.high - y.low);
  y.low -= margin;
  y.high += margin;
  if (plot.equal_axes) fit_equal(x, y);
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n"
      "<style>text{{font:12px sans-serif;fill:#222}}.t{{font-size:14px}}.g{{stroke:#ddd}}path{{fill:none;"
      "stroke-width:1.5}}.f{{fill:none;stroke:#444}}.b{{fill:#fff;fill-opacity:.85;stroke:#ccc}}</style>\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n",
      plot.width, plot.height);
  draw_axes(plot, x, y, out);
  for (std::size_t i = 0; i < plot.series.size(); ++i)
    draw_series(plot.series[i], color_of(plot, i), x, y, out);
  draw_legend(plot, x, y, out);
  return out + "</svg>\n";
}

void write_svg(const Plot& plot, const std::string& path) {
  std::ofstream file(path);
  file << svg_text(plot);
  if (!file.flush())
    throw Error(Place{path, 0}, "", "the plot cannot be written", "check the folder and the free space");
}

}  // namespace monocoque

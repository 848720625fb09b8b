#include "results/svg_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "core/error_kinds.h"

namespace monocoque {

namespace {

constexpr std::array<const char*, kPlotColors> kColors = {"#1f5fa8", "#c8501e", "#2e8b57", "#8a4fa3",
                                                          "#b8860b", "#2aa1b3", "#a83250", "#5a5a5a"};
constexpr double kThinning = 0.5;  ///< points nearer than this (in pixels) to the last are left out
constexpr std::size_t kMostPoints = 6000;

struct Margins {
  double left = 74, right = 18, top = 34, bottom = 50;
};

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
  for (const double t : x.ticks(plot.width < 600 ? 5 : 8)) {
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
  out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
                     0.5 * (x.from + x.to), y.from + 33, escape_markup(plot.x_label));
  out +=
      fmt::format("<text transform=\"translate(14,{:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                  0.5 * (y.from + y.to), escape_markup(plot.y_label));
}

struct Pixel {
  double x, y;
};

/// Path data with steps of a tenth of a pixel, each relative to the last.
class PathText {
 public:
  void move(const Pixel& p) { put('M', p, 0, 0); }
  void line(const Pixel& p) { put('l', p, x_, y_); }
  std::size_t points() const { return points_; }
  std::string take() { return std::move(text_); }

 private:
  void put(char command, const Pixel& p, long from_x, long from_y) {
    const long x = std::lround(10 * p.x), y = std::lround(10 * p.y);
    text_ += fmt::format("{}{:g} {:g}", command, 0.1 * static_cast<double>(x - from_x),
                         0.1 * static_cast<double>(y - from_y));
    x_ = x;
    y_ = y;
    ++points_;
  }
  std::string text_;
  long x_ = 0, y_ = 0;
  std::size_t points_ = 0;
};

/// From left to right: lowest and highest point of each column, in their order.
void draw_columns(const std::vector<Pixel>& line, PathText& out) {
  out.move(line.front());
  for (std::size_t i = 1; i < line.size();) {
    const double column = std::floor(line[i].x);
    std::size_t low = i, high = i, last = i;
    for (; i < line.size() && std::floor(line[i].x) == column; last = i++) {
      if (line[i].y < line[low].y) low = i;
      if (line[i].y > line[high].y) high = i;
    }
    out.line(line[std::min(low, high)]);
    if (low != high) out.line(line[std::max(low, high)]);
    if (i == line.size() && last != std::max(low, high)) out.line(line[last]);
  }
}

/// Any curve: steps of at least `step`, none drawn twice. False when there are too many.
bool draw_steps(const std::vector<Pixel>& line, double step, PathText& out) {
  std::unordered_set<std::uint64_t> drawn;
  const auto cell = [&](const Pixel& p) {
    const auto part = [&](double v) {
      return static_cast<std::uint64_t>(std::clamp(v / (0.5 * step) + 1000, 0.0, 65535.0));
    };
    return part(p.x) << 16 | part(p.y);
  };
  Pixel last = line.front();
  bool down = false;
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (i + 1 < line.size() && std::hypot(line[i].x - last.x, line[i].y - last.y) < step) continue;
    const std::uint64_t a = cell(last), b = cell(line[i]);
    if (drawn.insert(std::min(a, b) << 32 | std::max(a, b)).second) {
      if (!down) out.move(last);
      out.line(line[i]);
      down = true;
      if (out.points() > kMostPoints) return false;
    } else {
      down = false;
    }
    last = line[i];
  }
  return true;
}

std::string path_of(const std::vector<std::vector<Pixel>>& lines) {
  const auto to_the_right = [](const std::vector<Pixel>& line) {
    return std::is_sorted(line.begin(), line.end(), [](const Pixel& a, const Pixel& b) { return a.x < b.x; });
  };
  if (std::all_of(lines.begin(), lines.end(), to_the_right)) {
    PathText out;
    for (const auto& line : lines) draw_columns(line, out);
    return out.take();
  }
  for (double step = kThinning;; step *= 2) {
    PathText out;
    bool fits = true;
    for (const auto& line : lines) fits = fits && draw_steps(line, step, out);
    if (fits || step > 100) return out.take();
  }
}

const char* dashes(const PlotSeries& s) {
  return s.dashed ? " stroke-dasharray=\"6 4\"" : "";
}

int color_of(const Plot& plot, std::size_t i) {
  const int color = plot.series[i].color;
  return (color < 0 ? static_cast<int>(i) : color) % kPlotColors;
}

void draw_series(const PlotSeries& s, int color, const Scale& x, const Scale& y, std::string& out) {
  std::vector<std::vector<Pixel>> lines;
  bool open = false;
  for (std::size_t i = 0; i < std::min(s.x.size(), s.y.size()); ++i) {
    if (!x.shows(s.x[i]) || !y.shows(s.y[i])) {
      open = false;
      continue;
    }
    const Pixel p{x.pixel(s.x[i]), y.pixel(s.y[i])};
    if (s.points_only) {
      out += fmt::format("<circle class=\"c{}\" cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"3\"/>\n", color, p.x, p.y);
      continue;
    }
    if (!open) lines.emplace_back();
    open = true;
    lines.back().push_back(p);
  }
  if (!lines.empty())
    out += fmt::format("<path class=\"c{}\" d=\"{}\"{}/>\n", color, path_of(lines), dashes(s));
}

/// How much of the curves lies within a rectangle: their points, and some between points that lie far apart.
std::size_t covered(const Plot& plot, const Scale& x, const Scale& y, const Pixel& corner, double width,
                    double height) {
  std::size_t count = 0;
  for (const PlotSeries& s : plot.series) {
    const std::size_t n = std::min(s.x.size(), s.y.size());
    const std::size_t stride = n / 4000 + 1;
    const int between = s.points_only ? 1 : static_cast<int>(std::clamp<std::size_t>(400 / (n + 1), 1, 100));
    bool open = false;
    Pixel last{0, 0};
    for (std::size_t i = 0; i < n; i += stride) {
      if (!x.shows(s.x[i]) || !y.shows(s.y[i])) {
        open = false;
        continue;
      }
      const Pixel p{x.pixel(s.x[i]), y.pixel(s.y[i])};
      for (int k = open ? 1 : between; k <= between; ++k) {
        const double share = static_cast<double>(k) / between;
        const double px = open ? last.x + share * (p.x - last.x) : p.x,
                     py = open ? last.y + share * (p.y - last.y) : p.y;
        count +=
            px > corner.x - 4 && px < corner.x + width + 4 && py > corner.y - 4 && py < corner.y + height + 4
                ? 1
                : 0;
      }
      open = true;
      last = p;
    }
  }
  return count;
}

/// In the corner where it hides least; of equal ones the upper right.
struct LegendSize {
  double width;
  int height;  ///< 0: no legend
};

LegendSize legend_size(const Plot& plot) {
  std::size_t longest = 0;
  int rows = 0;
  for (const PlotSeries& s : plot.series) {
    longest = std::max(longest, s.name.size());
    rows += s.name.empty() ? 0 : 1;
  }
  return {40 + 6.6 * static_cast<double>(longest), rows == 0 ? 0 : 8 + 16 * rows};
}

/// A long legend would hide the curves: it stands below the plot, whose picture becomes higher.
bool legend_below(const Plot& plot) {
  return legend_size(plot).height > 0.4 * plot.height;
}
int picture_height(const Plot& plot) {
  return plot.height + (legend_below(plot) ? legend_size(plot).height + 6 : 0);
}

/// The corner where it hides the least.
Pixel legend_place(const Plot& plot, const Scale& x, const Scale& y, double width, double height) {
  const double right = x.to - width - 6, top = y.to + 6, low = y.from - height - 6;
  Pixel place{right, top};
  std::size_t least = covered(plot, x, y, place, width, height);
  for (const Pixel& corner : {Pixel{x.from + 6, top}, Pixel{right, low}, Pixel{x.from + 6, low}}) {
    const std::size_t hidden = covered(plot, x, y, corner, width, height);
    if (hidden >= least) continue;
    least = hidden;
    place = corner;
  }
  return place;
}

void draw_legend(const Plot& plot, const Scale& x, const Scale& y, std::string& out) {
  const auto [width, height] = legend_size(plot);
  if (height == 0) return;
  const Pixel place = legend_below(plot) ? Pixel{x.from, static_cast<double>(plot.height)}
                                         : legend_place(plot, x, y, width, height);
  const double left = place.x;
  out += fmt::format("<rect class=\"b\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\"/>\n", left,
                     place.y, width, height);
  double row = place.y + 14;
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    const PlotSeries& s = plot.series[i];
    if (s.name.empty()) continue;
    out += s.points_only ? fmt::format("<circle class=\"c{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"/>",
                                       color_of(plot, i), left + 17, row - 4)
                         : fmt::format("<path class=\"c{}\" d=\"M{:.1f} {:.1f}h22\"{}/>", color_of(plot, i),
                                       left + 6, row - 4, dashes(s));
    out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", left + 34, row, escape_markup(s.name));
    row += 16;
  }
}

std::pair<Scale, Scale> draw_plot(const Plot& plot, const Margins& m, std::string& out) {
  Scale x{plot.log_x, 0, 1, m.left, plot.width - m.right}, y{plot.log_y, 0, 1, plot.height - m.bottom, m.top};
  x.cover(plot, &PlotSeries::x);
  y.cover(plot, &PlotSeries::y);
  const double margin = 0.04 * (y.high - y.low);
  y.low -= margin;
  y.high += margin;
  if (plot.equal_axes) fit_equal(x, y);
  draw_axes(plot, x, y, out);
  for (std::size_t i = 0; i < plot.series.size(); ++i)
    draw_series(plot.series[i], color_of(plot, i), x, y, out);
  return {x, y};
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

const char* plot_color(int number) {
  return kColors[static_cast<std::size_t>(number % kPlotColors)];
}

std::string escape_markup(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += static_cast<unsigned char>(c) < 32 && c != '\n' ? ' ' : c;
  }
  return out;
}

std::string svg_inline(const Plot& plot) {
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" role=\"img\" viewBox=\"0 0 {} {}\">\n"
      "<title>{}</title>\n",
      plot.width, plot.height, escape_markup(plot.title));
  draw_plot(plot, {68, 10, 10, 40}, out);
  return out + "</svg>\n";
}

std::string svg_text(const Plot& plot) {
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n"
      "<style>text{{font:12px sans-serif;fill:#222}}.t{{font-size:14px}}.g{{stroke:#ddd}}path{{fill:none;"
      "stroke:currentColor;stroke-width:1.5}}circle{{fill:currentColor}}.f{{fill:none;stroke:#444}}"
      ".b{{fill:#fff;fill-opacity:.85;stroke:#ccc}}",
      plot.width, picture_height(plot));
  for (int i = 0; i < kPlotColors; ++i) out += fmt::format(".c{}{{color:{}}}", i, plot_color(i));
  out += fmt::format("</style>\n<rect width=\"{}\" height=\"{}\" fill=\"#fff\"/>\n", plot.width,
                     picture_height(plot));
  const auto [x, y] = draw_plot(plot, {}, out);
  out += fmt::format("<text x=\"{:.1f}\" y=\"20\" text-anchor=\"middle\" class=\"t\">{}</text>\n",
                     0.5 * (x.from + x.to), escape_markup(plot.title));
  draw_legend(plot, x, y, out);
  return out + "</svg>\n";
}

std::string stacked_svg(const std::vector<Plot>& plots) {
  int width = 0, height = 0;
  std::string inside;
  for (const Plot& plot : plots) {
    inside += fmt::format("<svg y=\"{}\" ", height) + svg_text(plot).substr(std::string("<svg ").size());
    width = std::max(width, plot.width);
    height += picture_height(plot);
  }
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
             "{1}\">\n",
             width, height) +
         inside + "</svg>\n";
}

void write_svg(const Plot& plot, const std::string& path) {
  std::ofstream file(path);
  file << svg_text(plot);
  if (!file.flush())
    throw SystemError(Place{path, 0}, "", "the plot cannot be written",
                      "check the folder and the free space");
}

}  // namespace monocoque

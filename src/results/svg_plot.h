#pragma once
// Line plots as SVG, without any other program: axes with round ticks, legend, linear or logarithmic scales.
// Points that are not finite (or not positive on a logarithmic axis) interrupt a line.

#include <string>
#include <vector>

namespace monocoque {

struct PlotSeries {
  std::string name;  ///< empty: not in the legend
  std::vector<double> x, y;
  bool dashed = false, points_only = false;
  std::string color = {};  ///< as SVG writes it; empty: by its place in the list
};

struct Plot {
  std::string title, x_label, y_label;
  std::vector<PlotSeries> series;
  bool log_x = false, log_y = false;
  bool equal_axes = false;  ///< one metre is as long in both directions
  int width = 720, height = 420;
};

std::string svg_text(const Plot& plot);
/// Throws Error when the file cannot be written.
void write_svg(const Plot& plot, const std::string& path);

/// Round numbers that cover [low, high] in about `count` steps; for tests and other drawings.
std::vector<double> round_ticks(double low, double high, int count);

}  // namespace monocoque

#pragma once
// Line plots as SVG, without any other program: axes with round ticks, legend, linear or logarithmic scales.
// Points that are not finite (or not positive on a logarithmic axis) interrupt a line. Lines of many points
// are thinned without loss to the eye: a curve that goes from left to right keeps the lowest and the highest
// point of each pixel column, any other curve leaves out what it has drawn before. A line has at most some
// 6 000 points, however long the run was.

#include <string>
#include <vector>

namespace monocoque {

struct PlotSeries {
  std::string name;  ///< empty: not in the legend
  std::vector<double> x, y;
  bool dashed = false, points_only = false;
  int color = -1;  ///< number in the list of colours; -1: place of the series
};

struct Plot {
  std::string title, x_label, y_label;
  std::vector<PlotSeries> series;
  bool log_x = false, log_y = false;
  bool equal_axes = false;  ///< one metre is as long in both directions
  int width = 720, height = 420;
};

std::string svg_text(const Plot& plot);
/// One picture of several plots, one below the other.
std::string stacked_svg(const std::vector<Plot>& plots);
/// For a page that brings title, legend and styles itself: an element of class "plot" that takes the width it
/// is given. Classes: c0 to c7 colours of the series (as `color`), g grid, f frame.
std::string svg_inline(const Plot& plot);
constexpr int kPlotColors = 8;
/// Colour of a series on a light ground.
const char* plot_color(int number);
/// Text for SVG and XHTML: &, <, >, " as entities, control characters as spaces.
std::string escape_markup(const std::string& text);

/// Throws Error when the file cannot be written.
void write_svg(const Plot& plot, const std::string& path);

/// Round numbers that cover [low, high] in about `count` steps; for tests and other drawings.
std::vector<double> round_ticks(double low, double high, int count);

}  // namespace monocoque

#include "elements/roads/grid_road.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "elements/roads/road_fields.h"
#include "elements/roads/smooth.h"
#include "io/files/text_source.h"

namespace monocoque {

GridRoad::Table GridRoad::read_table(const std::string& path) {
  std::string text = io::read_text_file(path);
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == ';' || c == '\t' || c == ','; }, ' ');
  Table t;
  io::LineScanner lines(text);
  std::string_view line;
  bool header = true;
  while (lines.next(line)) {
    line = io::trimmed(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    io::FieldScanner words(line, ' ');
    std::string_view word;
    std::size_t column = 0;
    while (words.next(word)) {
      if (word.empty()) continue;
      double value = 0;
      if (!(header && column == 0) && !io::parse_real(word, value))
        throw Error(
            Place{path, lines.line()}, "",
            fmt::format("column {} is '{}', that is no finite number", column + 1, word.substr(0, 30)),
            "fill the gap: a tire needs a height everywhere");
      if (column == 0 && !header) t.x.push_back(value);
      if (column > 0) (header ? t.y : t.z).push_back(value);
      ++column;
    }
    if (!header && column != t.y.size() + 1)
      throw Error(
          Place{path, lines.line()}, "",
          fmt::format("the line holds {} numbers, the first line has {} columns", column, t.y.size() + 1),
          "give x and one height per y");
    header = false;
  }
  return t;
}

GridRoad::Axis GridRoad::axis(const io::ParameterSet& p, const std::string& field,
                              const std::vector<double>& values) {
  if (values.size() < 2)
    fields::refuse(p, field,
                   fmt::format("the grid has {} values of {}, at least 2 are needed", values.size(), field),
                   "");
  Axis a;
  a.begin = values.front();
  a.count = values.size();
  a.step = (values.back() - values.front()) / static_cast<double>(values.size() - 1);
  if (!(a.step > 0))
    fields::refuse(p, field, fmt::format("{} does not increase", field), "give it in rising order");
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double expected = a.begin + static_cast<double>(i) * a.step;
    if (std::abs(values[i] - expected) > 1e-6 * a.step)
      fields::refuse(
          p, field,
          fmt::format("value {} of {} is {}, an even spacing gives {}", i + 1, field, values[i], expected),
          "the grid must be regular; resample it");
  }
  return a;
}

GridRoad::GridRoad(const io::ParameterSet& p)
    : friction_(p.number("friction")), source_("in the model file") {
  Table t;
  if (p.has("file")) {
    source_ = io::beside(p.place("file").file, p.text("file"));
    t = read_table(source_);
  } else {
    for (const char* field : {"x_m", "y_m", "heights_m"})
      if (!p.has(field))
        fields::refuse(p, "friction", fmt::format("{} is missing", field),
                       "give file, or x_m, y_m and heights_m");
    t = {p.list("x_m"), p.list("y_m"), p.list("heights_m")};
  }
  x_ = axis(p, p.has("file") ? "file" : "x_m", t.x);
  y_ = axis(p, p.has("file") ? "file" : "y_m", t.y);
  if (t.z.size() != x_.count * y_.count)
    fields::refuse(
        p, "heights_m",
        fmt::format("heights_m holds {} numbers, {} x {} are needed", t.z.size(), x_.count, y_.count),
        "give one height per y for the first x, then for the next");
  const std::size_t width = y_.count + 2;
  z_.resize((x_.count + 2) * width);
  for (std::size_t i = 0; i < x_.count; ++i) {
    double* line = &z_[(i + 1) * width];
    std::copy_n(&t.z[i * y_.count], y_.count, line + 1);
    line[0] = 2 * line[1] - line[2];
    line[width - 1] = 2 * line[width - 2] - line[width - 3];
  }
  for (std::size_t j = 0; j < width; ++j) {
    z_[j] = 2 * z_[width + j] - z_[2 * width + j];
    z_[(x_.count + 1) * width + j] = 2 * z_[x_.count * width + j] - z_[(x_.count - 1) * width + j];
  }
}

void GridRoad::sample(double x, double y, RoadHint&, RoadSample& out) const noexcept {
  out = RoadSample{};
  // A place beyond the border is moved onto it, which makes the height constant in that direction.
  const auto place = [&out](double at, const Axis& a, std::size_t& cell, double& rate) {
    const double t = (at - a.begin) / a.step, last = static_cast<double>(a.count - 1),
                 c = std::clamp(t, 0.0, last);
    rate = t == c ? 1 / a.step : 0;
    if (t != c) out.on_road = false;
    cell = std::min(static_cast<std::size_t>(c), a.count - 2);
    return c - static_cast<double>(cell);
  };
  std::size_t i = 0, j = 0;
  double r = 0, q = 0;
  const CubicWeights a = hermite_weights(place(x, x_, i, r)), b = hermite_weights(place(y, y_, j, q));
  const std::size_t width = y_.count + 2;
  double z_a = 0, z_b = 0, z_aa = 0, z_ab = 0, z_bb = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    const double* c = &z_[(i + k) * width + j];
    double s = 0, s_b = 0, s_bb = 0;
    for (std::size_t l = 0; l < 4; ++l) {
      s += b.w[l] * c[l];
      s_b += b.d[l] * c[l];
      s_bb += b.dd[l] * c[l];
    }
    out.z += a.w[k] * s;
    z_a += a.d[k] * s;
    z_aa += a.dd[k] * s;
    z_b += a.w[k] * s_b;
    z_ab += a.d[k] * s_b;
    z_bb += a.w[k] * s_bb;
  }
  out.z_x = z_a * r;
  out.z_y = z_b * q;
  out.z_xx = z_aa * r * r;
  out.z_xy = z_ab * r * q;
  out.z_yy = z_bb * q * q;
  out.mu = friction_;
}

RoadExtent GridRoad::extent() const {
  return {x_.begin, x_.begin + x_.step * static_cast<double>(x_.count - 1), y_.begin,
          y_.begin + y_.step * static_cast<double>(y_.count - 1)};
}

double GridRoad::shortest_wavelength_m() const {
  return 2 * std::min(x_.step, y_.step);
}

std::string GridRoad::description() const {
  return fmt::format("grid of {} x {} heights, {}", x_.count, y_.count, source_);
}

ElementType<Road> grid_road_type() {
  using namespace fields;
  const auto list = [](const char* name, const char* doc, const char* example) {
    return make(name, FieldKind::list, doc, "~", example);
  };
  return road<GridRoad>(
      "grid", "heights on a regular grid of x and y, from a table or from lists",
      {make("file", FieldKind::text, "table: first line y values, then per line x and heights", "~", ""),
       list("x_m", "x of the lines of the grid, evenly spaced", "[-1, 0, 1, 2]"),
       list("y_m", "y of the lines of the grid, evenly spaced", "[-0.7, 0, 0.7]"),
       list("heights_m", "heights: all y of the first x, then of the next",
            "[0.01, 0.03, 0.02, 0.05, 0.02, 0.07, 0.03, 0.08, 0.01, 0.02, 0.06, 0.04]"),
       friction()});
}

}  // namespace monocoque

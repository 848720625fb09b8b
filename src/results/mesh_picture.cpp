#include "results/mesh_picture.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <unordered_map>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include "core/error.h"
#include "core/index.h"
#include "io/files/text_source.h"
#include "results/canvas.h"
#include "results/svg_plot.h"

namespace monocoque {

namespace {

constexpr double kTop = 66, kBottom = 14, kLeft = 14, kRight = 118;  ///< margins around the surface, pixels
constexpr double kFold = 0.85;   ///< cosine between faces below which their edge is drawn strongly
constexpr double kSeenEdge = 5;  ///< pixels; edges of smaller elements would only darken
constexpr double kBias = 2e-3;   ///< of depth: lines lie on surfaces
constexpr Rgb kPlain{0.72F, 0.76F, 0.80F}, kPlainBar{0.25F, 0.33F, 0.45F}, kInk{0.08F, 0.09F, 0.12F},
    kRest{0.55F, 0.55F, 0.55F};

/// From space to pixels.
class Camera {
 public:
  Camera(const MeshPicture& p, const std::vector<Vec3>& points) {
    Vec3 low = points.front(), high = low;
    for (const Vec3& x : points) {
      low = low.cwiseMin(x);
      high = high.cwiseMax(x);
    }
    const double size = std::max((high - low).norm(), 1e-9);
    back_ = p.view_from.normalized();
    const Vec3 up = std::abs(back_.z()) < 0.999 ? Vec3::UnitZ() : Vec3::UnitX();
    right_ = up.cross(back_).normalized();
    up_ = back_.cross(right_);
    eye_ = 0.5 * (low + high) + p.eye_distance * size * back_;
    double x0 = 1e300, x1 = -1e300, y0 = 1e300, y1 = -1e300;
    for (const Vec3& x : points) {
      const CanvasPoint q = project(x);
      x0 = std::min(x0, q.x);
      x1 = std::max(x1, q.x);
      y0 = std::min(y0, q.y);
      y1 = std::max(y1, q.y);
    }
    const double w = p.width - kLeft - (p.value.empty() ? kLeft : kRight), h = p.height - kTop - kBottom;
    scale_ = std::min(w / std::max(x1 - x0, 1e-9), h / std::max(y1 - y0, 1e-9));
    shift_x_ = kLeft + 0.5 * w - scale_ * 0.5 * (x0 + x1);
    shift_y_ = kTop + 0.5 * h - scale_ * 0.5 * (y0 + y1);
  }

  CanvasPoint project(const Vec3& p, double value = 0) const {
    const Vec3 d = p - eye_;
    const double depth = 1 / std::max(-d.dot(back_), 1e-9);
    return {shift_x_ + scale_ * d.dot(right_) * depth, shift_y_ - scale_ * d.dot(up_) * depth, depth, value};
  }
  /// Of a surface with this normal: a lamp at the eye, another from above left.
  double light(const Vec3& normal) const {
    const Vec3 lamp = (back_ + 0.5 * up_ - 0.5 * right_).normalized();
    return std::min(1.0, 0.52 + 0.25 * std::abs(normal.dot(back_)) + 0.27 * std::abs(normal.dot(lamp)));
  }
  Vec3 on_screen(const Vec3& direction) const { return {direction.dot(right_), direction.dot(up_), 0}; }

 private:
  Vec3 back_, right_, up_, eye_;
  double scale_ = 1, shift_x_ = 0, shift_y_ = 0;
};

struct Edge {
  int a, b;
  bool strong;
};

/// Each edge of the faces once; strong: at the border of a sheet or at a fold.
std::vector<Edge> edges_of(const MeshSurface& s) {
  struct Seen {
    Vec3 normal;
    int count = 0;
    bool fold = false;
  };
  std::unordered_map<std::uint64_t, Seen> seen;
  std::vector<std::uint64_t> order;
  for (const auto& f : s.faces) {
    const int n = f[3] < 0 ? 3 : 4;
    const Vec3 normal = (s.points[at(f[2])] - s.points[at(f[0])])
                            .cross(s.points[at(n == 4 ? f[3] : f[2])] - s.points[at(f[1])])
                            .normalized();
    for (int k = 0; k < n; ++k) {
      const auto a = static_cast<std::uint64_t>(std::min(f[at(k)], f[at((k + 1) % n)]));
      const auto b = static_cast<std::uint64_t>(std::max(f[at(k)], f[at((k + 1) % n)]));
      const auto [it, fresh] = seen.emplace(a << 32U | b, Seen{normal});
      if (fresh) order.push_back(it->first);
      it->second.fold = it->second.fold || std::abs(it->second.normal.dot(normal)) < kFold;
      ++it->second.count;
    }
  }
  std::vector<Edge> out;
  for (const std::uint64_t key : order) {
    const Seen& e = seen.at(key);
    out.push_back(
        {static_cast<int>(key >> 32U), static_cast<int>(key & 0xffffffffU), e.count != 2 || e.fold});
  }
  return out;
}

struct Range {
  double low = 0, high = 1;
  double share(double v) const { return (v - low) / (high - low); }
};

Range range_of(const MeshPicture& p) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double v : p.value)
    if (std::isfinite(v)) {
      low = std::min(low, v);
      high = std::max(high, v);
    }
  Range r{std::isfinite(p.low) ? p.low : low, std::isfinite(p.high) ? p.high : high};
  if (!(r.low < r.high) || !std::isfinite(r.low + r.high)) {
    r.low = std::isfinite(r.low) ? r.low : 0;
    r.high = r.low + std::max(1e-12, 1e-9 * std::abs(r.low));
  }
  return r;
}

std::string draw_surface(const MeshSurface& s, const MeshPicture& p, const std::vector<Vec3>& shape,
                         const Camera& camera, const Range& range) {
  Canvas canvas(p.width, p.height);
  std::vector<CanvasPoint> q;
  for (std::size_t i = 0; i < shape.size(); ++i)
    q.push_back(camera.project(shape[i], p.value.empty() ? 0 : p.value[i]));
  const auto painted = [&](double v) { return p.value.empty() ? kPlain : map_color(range.share(v)); };
  const auto ink = [](double) { return kInk; };
  const auto grey = [](double) { return kRest; };
  for (const auto& f : s.faces) {
    const bool four = f[3] >= 0;
    const Vec3 normal = (shape[at(f[2])] - shape[at(f[0])])
                            .cross(shape[at(four ? f[3] : f[2])] - shape[at(f[1])])
                            .normalized();
    const double light = camera.light(normal);
    canvas.triangle(q[at(f[0])], q[at(f[1])], q[at(f[2])], light, painted);
    if (four) canvas.triangle(q[at(f[0])], q[at(f[2])], q[at(f[3])], light, painted);
  }
  const auto bar = [&](double v) { return p.value.empty() ? kPlainBar : painted(v); };
  for (const auto& b : s.bars) canvas.line(q[at(b[0])], q[at(b[1])], 4, 1, kBias, bar);
  const std::vector<Edge> edges = edges_of(s);
  double mean = 0;
  for (const Edge& e : edges)
    mean += std::hypot(q[at(e.a)].x - q[at(e.b)].x, q[at(e.a)].y - q[at(e.b)].y) /
            static_cast<double>(edges.size());
  for (const Edge& e : edges)
    if (e.strong || mean > kSeenEdge)
      canvas.line(q[at(e.a)], q[at(e.b)], e.strong ? 0.7 : 0.5, e.strong ? 0.75 : 0.28, kBias, ink);
  if (p.rest_outline && !p.displacement_m.empty())
    for (const Edge& e : edges)
      if (e.strong)
        canvas.line(camera.project(s.points[at(e.a)]), camera.project(s.points[at(e.b)]), 0.6, 0.8, 0, grey);
  return canvas.png();
}

/// "1.2" steps: as many digits as the ticks need.
std::string tick_text(double v, double step) {
  if (v == 0) return "0";
  const int digits = std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
  return std::abs(v) >= 1e5 || digits > 4 ? fmt::format("{:.3g}", v) : fmt::format("{:.{}f}", v, digits);
}

std::string draw_legend(const MeshPicture& p, const Range& range) {
  const double x = p.width - 92, top = kTop + 52, height = p.height - top - 40;
  std::string out = "<defs><linearGradient id=\"bar\" x1=\"0\" y1=\"1\" x2=\"0\" y2=\"0\">";
  constexpr int kStops = 24;
  for (int i = 0; i <= kStops; ++i)
    out += fmt::format("<stop offset=\"{:.4f}\" stop-color=\"{}\"/>", static_cast<double>(i) / kStops,
                       hex_color(map_color(static_cast<double>(i) / kStops)));
  out += fmt::format(
      "</linearGradient></defs>\n<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"18\" height=\"{:.1f}\" "
      "fill=\"url(#bar)\" stroke=\"#222\" stroke-width=\"0.7\"/>\n",
      x, top, height);
  const std::vector<double> ticks = round_ticks(range.low, range.high, 6);
  const double step = ticks.size() > 1 ? ticks[1] - ticks[0] : 1;
  for (const double t : ticks) {
    const double y = top + height * (1 - range.share(t));
    out += fmt::format(
        "<line x1=\"{0:.1f}\" y1=\"{2:.1f}\" x2=\"{1:.1f}\" y2=\"{2:.1f}\" stroke=\"#222\" "
        "stroke-width=\"0.7\"/>"
        "<text x=\"{3:.1f}\" y=\"{4:.1f}\">{5}</text>\n",
        x + 18, x + 23, y, x + 27, y + 4.5, tick_text(t, step));
  }
  out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", p.width - 14.0,
                     top - 30, escape_markup(p.quantity));
  if (!p.unit.empty())
    out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">[{}]</text>\n", p.width - 14.0,
                       top - 14, escape_markup(p.unit));
  return out;
}

std::string draw_axes(const MeshPicture& p, const Camera& camera) {
  const double x = 52, y = p.height - 46.0;
  std::string out;
  static constexpr const char* kNames[] = {"x", "y", "z"};
  for (int k = 0; k < 3; ++k) {
    const Vec3 d = 34 * camera.on_screen(Vec3::Unit(k));
    out += fmt::format(
        "<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{2:.1f}\" y2=\"{3:.1f}\" stroke=\"#222\" "
        "stroke-width=\"1.6\"/>"
        "<text x=\"{4:.1f}\" y=\"{5:.1f}\" text-anchor=\"middle\">{6}</text>\n",
        x, y, x + d.x(), y - d.y(), x + 1.32 * d.x(), y - 1.32 * d.y() + 4.5, kNames[k]);
  }
  return out;
}

void check(const MeshSurface& s, const MeshPicture& p) {
  const std::size_t n = s.points.size();
  if (n == 0 || (s.faces.empty() && s.bars.empty()))
    throw Error("picture", "the mesh has no shell, solid or beam", "there is nothing to draw");
  if ((!p.displacement_m.empty() && p.displacement_m.size() != n) ||
      (!p.value.empty() && p.value.size() != n))
    throw Error("picture",
                fmt::format("{} points, but {} displacements and {} values", n, p.displacement_m.size(),
                            p.value.size()),
                "give one per node of the mesh, or none");
  if (p.width < 200 || p.height < 150 || p.width > 20000 || p.height > 20000)
    throw Error("picture", fmt::format("{} x {} pixels", p.width, p.height), "200 x 150 to 20000 x 20000");
}

}  // namespace

std::string picture_svg(const MeshSurface& s, const MeshPicture& p) {
  check(s, p);
  std::vector<Vec3> shape = s.points;
  for (std::size_t i = 0; i < p.displacement_m.size(); ++i) shape[i] += p.magnification * p.displacement_m[i];
  std::vector<Vec3> all = shape;
  all.insert(all.end(), s.points.begin(), s.points.end());
  const Camera camera(p, all);
  const Range range = range_of(p);
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"15\" fill=\"#111\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n"
      "<image width=\"{0}\" height=\"{1}\" href=\"data:image/png;base64,{2}\"/>\n",
      p.width, p.height, base64(draw_surface(s, p, shape, camera, range)));
  out += fmt::format("<text x=\"18\" y=\"30\" font-size=\"21\" font-weight=\"bold\">{}</text>\n",
                     escape_markup(p.title));
  if (!p.subtitle.empty())
    out += fmt::format("<text x=\"18\" y=\"52\" fill=\"#444\">{}</text>\n", escape_markup(p.subtitle));
  if (!p.value.empty()) out += draw_legend(p, range);
  out += draw_axes(p, camera);
  return out + "</svg>\n";
}

void write_picture(const MeshSurface& s, const MeshPicture& p, const std::string& path) {
  io::write_text_file(path, picture_svg(s, p));
}

std::vector<Vec3> displacements(const VecX& motion) {
  std::vector<Vec3> out;
  for (Eigen::Index i = 0; i + 5 < motion.size(); i += 6) out.push_back(motion.segment<3>(i));
  return out;
}

double magnification_for(const std::vector<Vec3>& displacement_m, double largest_m) {
  double largest = 0;
  for (const Vec3& u : displacement_m) largest = std::max(largest, u.norm());
  return largest > 0 ? largest_m / largest : 1;
}

}  // namespace monocoque

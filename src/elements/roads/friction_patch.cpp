#include "elements/roads/friction_patch.h"

#include <cmath>

#include <fmt/format.h>

#include "elements/roads/road_fields.h"
#include "elements/roads/smooth.h"

namespace monocoque {

namespace {

constexpr std::size_t kMostCorners = 64;

}  // namespace

FrictionPatch::FrictionPatch(const io::ParameterSet& p)
    : friction_(p.number("friction")), edge_(p.number("edge_m")) {
  if (p.has("polygon_m"))
    add_polygon(p);
  else
    add_strip(p);
}

void FrictionPatch::add_strip(const io::ParameterSet& p) {
  const double c = std::cos(p.number("heading_rad")), s = std::sin(p.number("heading_rad"));
  const double x = p.list("position_m")[0], y = p.list("position_m")[1];
  const double along = c * x + s * y, across = c * y - s * x;
  edges_.push_back({c, s, along});
  if (p.has("length_m")) edges_.push_back({-c, -s, -(along + p.number("length_m"))});
  if (p.has("width_m")) {
    const double half = 0.5 * p.number("width_m");
    edges_.push_back({-s, c, across - half});
    edges_.push_back({s, -c, -(across + half)});
  }
  for (const char* field : {"length_m", "width_m"})
    if (p.has(field) && p.number(field) < 2 * edge_)
      fields::refuse(p, "edge_m", fmt::format("edge_m is {}, {} is only {}", edge_, field, p.number(field)),
                     "make the edge at most half of it");
}

void FrictionPatch::add_polygon(const io::ParameterSet& p) {
  const std::vector<double>& xy = p.list("polygon_m");
  const std::size_t n = xy.size() / 2;
  if (xy.size() % 2 != 0 || n < 3 || n > kMostCorners)
    fields::refuse(p, "polygon_m",
                   fmt::format("polygon_m holds {} numbers, it must be x, y of 3 to {} corners", xy.size(),
                               kMostCorners),
                   "write [x1, y1, x2, y2, x3, y3, ...]");
  double area = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t j = (i + 1) % n;
    area += xy[2 * i] * xy[2 * j + 1] - xy[2 * j] * xy[2 * i + 1];
  }
  const double sign = area < 0 ? -1 : 1;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t j = (i + 1) % n;
    const double dx = xy[2 * j] - xy[2 * i], dy = xy[2 * j + 1] - xy[2 * i + 1], length = std::hypot(dx, dy);
    if (!(length > 1e-9))
      fields::refuse(p, "polygon_m", fmt::format("corners {} and {} coincide", i + 1, j + 1),
                     "remove one of them");
    const Edge e{-sign * dy / length, sign * dx / length, 0};
    edges_.push_back({e.n_x, e.n_y, e.n_x * xy[2 * i] + e.n_y * xy[2 * i + 1]});
  }
  for (const Edge& e : edges_)
    for (std::size_t i = 0; i < n; ++i)
      if (e.n_x * xy[2 * i] + e.n_y * xy[2 * i + 1] - e.offset < -1e-9)
        fields::refuse(p, "polygon_m", fmt::format("the polygon is not convex at corner {}", i + 1),
                       "divide it into convex patches");
}

void FrictionPatch::cover(double x, double y, RoadSample& s) const noexcept {
  double w = 1, w_x = 0, w_y = 0;
  for (const Edge& e : edges_) {
    const Curve c = smooth_step(e.n_x * x + e.n_y * y - e.offset, edge_);
    w_x = w_x * c.y + w * c.d * e.n_x;
    w_y = w_y * c.y + w * c.d * e.n_y;
    w *= c.y;
  }
  const double gain = friction_ - s.mu;
  s.mu_x = (1 - w) * s.mu_x + gain * w_x;
  s.mu_y = (1 - w) * s.mu_y + gain * w_y;
  s.mu += gain * w;
}

void FrictionPatch::sample(double x, double y, RoadHint&, RoadSample& out) const noexcept {
  out = RoadSample{};
  cover(x, y, out);
}

std::string FrictionPatch::description() const {
  return fmt::format("friction patch, mu {}", friction_);
}

ElementType<Road> friction_patch_type() {
  using namespace fields;
  return road<FrictionPatch>(
      "friction_patch", "another friction on a part of the plane; no height",
      {number("friction", "factor on the friction of the tire within the patch", "", "0.3",
              Rule::non_negative),
       position(), heading(),
       number("length_m", "length along the heading; absent: endless", "~", "6", Rule::positive),
       number("width_m", "width across the heading; absent: endless", "~", "4", Rule::positive),
       make("polygon_m", FieldKind::list,
            "x, y of the corners of a convex patch, instead of position, length, width", "~", ""),
       number("edge_m", "over which the friction changes inside the border", "0.1", "1.1", Rule::positive)});
}

}  // namespace monocoque

// A lane along a path through given points.

#include <cmath>

#include <fmt/format.h>

#include "elements/lanes/lane_fields.h"

namespace monocoque {

namespace {

using namespace fields;

std::vector<Vec2> points_of(const io::ParameterSet& p, const char* x_field, const char* y_field) {
  const std::vector<double>&x = p.list(x_field), &y = p.list(y_field);
  if (x.size() != y.size())
    refuse(p, y_field,
           fmt::format("{} has {} numbers, it must have as many as {} ({})", y_field, y.size(), x_field,
                       x.size()),
           "each point has an x and a y");
  std::vector<Vec2> out;
  for (std::size_t i = 0; i < x.size(); ++i) out.emplace_back(x[i], y[i]);
  return out;
}

}  // namespace

ElementType<Lane> path_lane_type() {
  ElementType<Lane> t;
  t.info = {"path",
            io::Group::lane,
            "A path through given points, with limits and cones where wanted",
            {},
            io::Attachment::frames};
  t.info.fields = lanes::with_common_fields(
      {make("x_m", FieldKind::list, "x of the points in driving order, world axes", "", "[0, 21, 43, 60]"),
       make("y_m", FieldKind::list, "y of the points", "", "[0.3, 2.1, -1.2, 0.4]"),
       number("width_m", "distance of the two limits, along the path; 0: no limits", "0", "3.2",
              Rule::non_negative),
       make("cones_x_m", FieldKind::list, "x of the middles of cones", "[]", "[12, 31]"),
       make("cones_y_m", FieldKind::list, "y of the middles of cones", "[]", "[3.3, -2.4]")});
  t.make = [](const io::ParameterSet& p) {
    const std::vector<Vec2> points = points_of(p, "x_m", "y_m"),
                            cones = points_of(p, "cones_x_m", "cones_y_m");
    if (points.size() < 2 || points.size() > 5000)
      refuse(p, "x_m", fmt::format("the path has {} points, it must have 2 to 5000", points.size()),
             "give x_m and y_m of the points");
    for (std::size_t i = 1; i < points.size(); ++i)
      if (!((points[i] - points[i - 1]).norm() > 1e-6))
        refuse(p, "x_m", fmt::format("points {} and {} of the path are the same", i, i + 1),
               "remove one of the two");
    auto lane = std::make_unique<Lane>();
    lanes::read_common(p, "path", lane->geometry);
    lane->path = DriverPath::through(points);
    lanes::draw_path(*lane, lane->path.first(), lane->path.last());
    for (const Vec2& q : cones)
      lane->geometry.cones.push_back(
          {q.x(), q.y(), 1, lane->path.offset(q, lane->path.nearest(q)) >= 0 ? 1 : -1});
    if (p.number("width_m") > 0)
      for (const int side : {1, -1}) {
        LaneLimit limit;
        limit.side = side;
        const std::size_t n = lane->geometry.path_x_m.size();
        for (std::size_t i = 0; i < n; ++i) {
          const double u = lane->path.first() + (lane->path.last() - lane->path.first()) *
                                                    static_cast<double>(i) / static_cast<double>(n - 1);
          const PathPoint q = lane->path.at(u);
          const double out = side * 0.5 * p.number("width_m");
          limit.x_m.push_back(q.p.x() - out * std::sin(q.heading_rad));
          limit.y_m.push_back(q.p.y() + out * std::cos(q.heading_rad));
        }
        lane->geometry.limits.push_back(limit);
      }
    return lane;
  };
  return t;
}

}  // namespace monocoque

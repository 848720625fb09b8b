#include "elements/lanes/lane_types.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include "elements/forces/field_makers.h"

namespace monocoque {

namespace {

using namespace fields;

constexpr double kPathPoint_m = 0.5;  ///< distance of the drawn points of the driver's path
constexpr std::size_t kMostCones = 100000;

std::vector<Field> common_fields() {
  return {
      text("frame", "frame of the vehicle that carries its outline: part or part.frame, x forward", "car"),
      number("vehicle_width_m", "width b of the vehicle without mirrors", "", "1.821", Rule::positive),
      number("front_m", "from the frame to the front end of the vehicle", "", "2.37", Rule::positive),
      number("rear_m", "from the frame to the rear end", "", "2.43", Rule::positive),
      number("cone_radius_m", "of the base of a cone", "0.14", "0.15", Rule::positive)};
}

std::vector<Field> placed_fields() {
  return {make("start_m", FieldKind::vector, "x and y of the middle of the entry", "[0, 0]", "[30, -0.4]",
               Rule::any, 2),
          number("heading_rad", "driving direction, from x towards y", "0", "0.25"),
          choice("side", "side to which the lane is offset", "left", "right", {"left", "right"}),
          number("cone_distance_m", "largest distance of two cones of a row", "3", "2.5", Rule::positive),
          make("section_widths_m", FieldKind::vector,
               "widths of first, offset and last lane instead of those of the standard", "~",
               "[2.3, 2.9, 3.1]", Rule::positive, 3)};
}

std::vector<Field> path_fields(const char* turn_in, const char* settle, const char* inside, const char* crest,
                               const char* turn_out) {
  return {
      number("turn_in_m", "the driver's path leaves the first lane's middle this far before its end", turn_in,
             "3.5", Rule::non_negative),
      number("settle_m", "it is at its crest this far after the begin of the offset lane, at most its half",
             settle, "4", Rule::non_negative),
      number("inside_m", "the crest is this much nearer to the first lane than the middle", inside, "0.2"),
      number("crest_curvature_per_m", "curvature at the crest when it is in the middle of the section", crest,
             "0.03", Rule::non_negative),
      number("turn_out_m", "it is in the middle of the last lane this far after its begin", turn_out, "4",
             Rule::non_negative)};
}

void append(std::vector<Field>& list, const std::vector<Field>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

void read_common(const io::ParameterSet& p, const char* type, LaneGeometry& out) {
  out.type = type;
  out.frame = p.text("frame");
  out.outline = {p.number("vehicle_width_m"), p.number("front_m"), p.number("rear_m")};
  out.cone_radius_m = p.number("cone_radius_m");
}

std::array<double, 3> widths_of(const io::ParameterSet& p, const std::array<double, 3>& standard) {
  if (!p.has("section_widths_m")) return standard;
  const std::vector<double>& w = p.list("section_widths_m");
  return {w[0], w[1], w[2]};
}

void draw_path(Lane& lane, double from, double to) {
  const int n = std::max(2, static_cast<int>(std::min(1e5, std::ceil((to - from) / kPathPoint_m))));
  for (int k = 0; k <= n; ++k) {
    const Vec2 q = lane.path.at(from + (to - from) * k / n).p;
    lane.geometry.path_x_m.push_back(q.x());
    lane.geometry.path_y_m.push_back(q.y());
  }
}

/// Cones, limits and path of straight sections, moved to their place in the world.
std::unique_ptr<Lane> place_sections(const io::ParameterSet& p, const char* type,
                                     const std::vector<LaneSection>& sections) {
  auto lane = std::make_unique<Lane>();
  read_common(p, type, lane->geometry);
  const Vec2 start(p.list("start_m")[0], p.list("start_m")[1]);
  const double heading = p.number("heading_rad"), radius = lane->geometry.cone_radius_m;
  const double mirror = p.text("side") == "left" ? 1 : -1;
  const auto to_world = [&](double x, double y) -> Vec2 {
    return start + Eigen::Rotation2Dd(heading) * Vec2(x, mirror * y);
  };
  for (const LaneSection& s : sections) {
    const double length = s.end_m - s.begin_m;
    const double gaps = std::ceil(length / p.number("cone_distance_m") - 1e-9);
    if (gaps > static_cast<double>(kMostCones))
      refuse(p, "cone_distance_m",
             fmt::format("cone_distance_m is {}: {:.3g} cones in a row", p.number("cone_distance_m"), gaps),
             "take a larger distance (it is in metres)");
    for (const int side : {1, -1}) {
      // The limits touch the bases, which stand outside.
      const double edge = s.centre_m + side * mirror * 0.5 * s.width_m;
      LaneLimit limit;
      limit.section = s.number;
      limit.side = side;
      for (const double x : {s.begin_m, s.end_m}) {
        const Vec2 q = to_world(x, edge);
        limit.x_m.push_back(q.x());
        limit.y_m.push_back(q.y());
      }
      lane->geometry.limits.push_back(limit);
      for (int k = 0; k <= static_cast<int>(gaps); ++k) {
        const Vec2 q = to_world(s.begin_m + length * k / gaps, edge + side * mirror * radius);
        lane->geometry.cones.push_back({q.x(), q.y(), s.number, side});
      }
    }
  }

  const LaneSection &first = sections[0], &offset = sections[1], &last = sections[2];
  const double half = 0.5 * (offset.end_m - offset.begin_m), settle = std::min(p.number("settle_m"), half);
  const double crest = offset.centre_m - p.number("inside_m");
  const auto node = [&](double x, double y, double bend) {
    PathNode n;
    n.u = x;
    n.p = {x, mirror * y};
    n.dd = {0, mirror * bend};
    return n;
  };
  std::vector<PathNode> nodes{node(first.end_m - p.number("turn_in_m"), first.centre_m, 0)};
  if (settle >= half) {
    nodes.push_back(node(offset.begin_m + half, crest, -p.number("crest_curvature_per_m")));
  } else {
    nodes.push_back(node(offset.begin_m + settle, crest, 0));
    nodes.push_back(node(offset.end_m - settle, crest, 0));
  }
  nodes.push_back(node(last.begin_m + p.number("turn_out_m"), last.centre_m, 0));
  lane->path = DriverPath(std::move(nodes)).placed(start, heading);
  draw_path(*lane, 0, sections.back().end_m);
  return lane;
}

ElementType<Lane> iso3888_1_type() {
  ElementType<Lane> t;
  t.info = {"iso3888_1",
            io::Group::lane,
            "Double lane change after ISO 3888-1, 125 m long",
            {},
            io::Attachment::frames};
  t.info.fields = common_fields();
  append(t.info.fields, placed_fields());
  append(t.info.fields,
         {number("offset_m", "lane offset of the standard", "3.5", "3.4", Rule::positive),
          choice("offset_between",
                 "what offset_m lies between: right edges of the lanes, their centres, or the centre of the "
                 "first and the near edge of the offset lane",
                 "right_edges", "centres", {"right_edges", "centres", "centre_and_edge"})});
  append(t.info.fields, path_fields("5", "7.5", "-0.1", "0", "9"));
  t.make = [](const io::ParameterSet& p) {
    const std::array<double, 3> w = widths_of(p, iso3888_1_widths(p.number("vehicle_width_m")));
    const std::string& between = p.text("offset_between");
    // Lanes offset to the right are the mirror image, so "right" edges are then left ones.
    const double offset = p.number("offset_m") + (between == "right_edges" ? 0.5 * (w[1] - w[0])
                                                  : between == "centres"   ? 0.0
                                                                           : 0.5 * w[1]);
    return place_sections(p, "iso3888_1", iso3888_1_sections(w, offset));
  };
  return t;
}

ElementType<Lane> iso3888_2_type() {
  ElementType<Lane> t;
  t.info = {"iso3888_2",
            io::Group::lane,
            "Obstacle avoidance after ISO 3888-2, 61 m long",
            {},
            io::Attachment::frames};
  t.info.fields = common_fields();
  append(t.info.fields, placed_fields());
  append(t.info.fields,
         {number("gap_m", "from the edge of the first lane to the near edge of the offset lane", "1", "0.9",
                 Rule::non_negative)});
  append(t.info.fields, path_fields("4", "5.5", "-0.03", "0.017", "6"));
  t.make = [](const io::ParameterSet& p) {
    const std::array<double, 3> w = widths_of(p, iso3888_2_widths(p.number("vehicle_width_m")));
    return place_sections(p, "iso3888_2", iso3888_2_sections(w, p.number("gap_m")));
  };
  return t;
}

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

ElementType<Lane> path_type() {
  ElementType<Lane> t;
  t.info = {"path",
            io::Group::lane,
            "A path through given points, with limits and cones where wanted",
            {},
            io::Attachment::frames};
  t.info.fields = common_fields();
  append(t.info.fields,
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
    read_common(p, "path", lane->geometry);
    lane->path = DriverPath::through(points);
    draw_path(*lane, lane->path.first(), lane->path.last());
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

}  // namespace

std::array<double, 3> iso3888_1_widths(double b_m) {
  return {1.1 * b_m + 0.25, 1.2 * b_m + 0.25, 1.3 * b_m + 0.25};
}

std::array<double, 3> iso3888_2_widths(double b_m) {
  return {1.1 * b_m + 0.25, b_m + 1, std::max(1.3 * b_m + 0.25, 3.0)};
}

std::vector<LaneSection> iso3888_1_sections(const std::array<double, 3>& w, double offset_m) {
  // The last lane has the outer edge of the first.
  const double last = 0.5 * (w[2] - w[0]);
  return {
      {1, 0, 15, 0, w[0]}, {3, 45, 70, offset_m, w[1]}, {5, 95, 110, last, w[2]}, {6, 110, 125, last, w[2]}};
}

std::vector<LaneSection> iso3888_2_sections(const std::array<double, 3>& w, double gap_m) {
  return {{1, 0, 12, 0, w[0]},
          {3, 25.5, 36.5, 0.5 * w[0] + gap_m + 0.5 * w[1], w[1]},
          {5, 49, 61, 0.5 * (w[2] - w[0]), w[2]}};
}

const std::vector<ElementType<Lane>>& lane_types() {
  static const std::vector<ElementType<Lane>> types = {iso3888_1_type(), iso3888_2_type(), path_type()};
  return types;
}

}  // namespace monocoque

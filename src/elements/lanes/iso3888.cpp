// The double lane change of ISO 3888-1 and the obstacle avoidance of ISO 3888-2.

#include "elements/lanes/iso3888.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include "elements/lanes/lane_fields.h"

namespace monocoque {

namespace {

using namespace fields;

constexpr std::size_t kMaxConesInRow = 100000;

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

std::array<double, 3> widths_of(const io::ParameterSet& p, const std::array<double, 3>& standard) {
  if (!p.has("section_widths_m")) return standard;
  const std::vector<double>& w = p.list("section_widths_m");
  return {w[0], w[1], w[2]};
}

/// Cones, limits and path of straight sections, moved to their place in the world.
std::unique_ptr<Lane> place_sections(const io::ParameterSet& p, const char* type,
                                     const std::vector<LaneSection>& sections) {
  auto lane = std::make_unique<Lane>();
  lanes::read_common(p, type, lane->geometry);
  const Vec2 start(p.list("start_m")[0], p.list("start_m")[1]);
  const double heading = p.number("heading_rad"), radius = lane->geometry.cone_radius_m;
  const double mirror = p.text("side") == "left" ? 1 : -1;
  const auto to_world = [&](double x, double y) -> Vec2 {
    return start + Eigen::Rotation2Dd(heading) * Vec2(x, mirror * y);
  };
  for (const LaneSection& s : sections) {
    const double length = s.end_m - s.begin_m;
    const double gaps = std::ceil(length / p.number("cone_distance_m") - 1e-9);
    if (gaps > static_cast<double>(kMaxConesInRow))
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
  lanes::draw_path(*lane, 0, sections.back().end_m);
  return lane;
}

}  // namespace

ElementType<Lane> iso3888_1_lane_type() {
  ElementType<Lane> t;
  t.info = {"iso3888_1",
            io::Group::lane,
            "Double lane change after ISO 3888-1, 125 m long",
            {},
            io::Attachment::frames};
  std::vector<Field> own = placed_fields();
  append(own,
         {number("offset_m", "lane offset of the standard", "3.5", "3.4", Rule::positive),
          choice("offset_between",
                 "what offset_m lies between: right edges of the lanes, their centres, or the centre of the "
                 "first and the near edge of the offset lane",
                 "right_edges", "centres", {"right_edges", "centres", "centre_and_edge"})});
  append(own, path_fields("5", "7.5", "-0.1", "0", "9"));
  t.info.fields = lanes::with_common_fields(std::move(own));
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

ElementType<Lane> iso3888_2_lane_type() {
  ElementType<Lane> t;
  t.info = {"iso3888_2",
            io::Group::lane,
            "Obstacle avoidance after ISO 3888-2, 61 m long",
            {},
            io::Attachment::frames};
  std::vector<Field> own = placed_fields();
  append(own, {number("gap_m", "from the edge of the first lane to the near edge of the offset lane", "1",
                      "0.9", Rule::non_negative)});
  append(own, path_fields("4", "5.5", "-0.03", "0.017", "6"));
  t.info.fields = lanes::with_common_fields(std::move(own));
  t.make = [](const io::ParameterSet& p) {
    const std::array<double, 3> w = widths_of(p, iso3888_2_widths(p.number("vehicle_width_m")));
    return place_sections(p, "iso3888_2", iso3888_2_sections(w, p.number("gap_m")));
  };
  return t;
}

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

}  // namespace monocoque

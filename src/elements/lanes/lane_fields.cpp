#include "elements/lanes/lane_fields.h"

#include <algorithm>
#include <cmath>

namespace monocoque::lanes {

namespace {

constexpr double kPathPoint_m = 0.5;  ///< distance of the drawn points of the driver's path

}  // namespace

std::vector<io::Field> with_common_fields(std::vector<io::Field> own) {
  using namespace fields;
  std::vector<Field> list = {
      text("frame", "frame of the vehicle that carries its outline: part or part.frame, x forward", "car"),
      number("vehicle_width_m", "width b of the vehicle without mirrors", "", "1.821", Rule::positive),
      number("front_m", "from the frame to the front end of the vehicle", "", "2.37", Rule::positive),
      number("rear_m", "from the frame to the rear end", "", "2.43", Rule::positive),
      number("cone_radius_m", "of the base of a cone", "0.14", "0.15", Rule::positive)};
  for (Field& f : own) list.push_back(std::move(f));
  return list;
}

void read_common(const io::ParameterSet& p, const char* type, LaneGeometry& out) {
  out.type = type;
  out.frame = p.text("frame");
  out.outline = {p.number("vehicle_width_m"), p.number("front_m"), p.number("rear_m")};
  out.cone_radius_m = p.number("cone_radius_m");
}

void draw_path(Lane& lane, double from, double to) {
  const int n = std::max(2, static_cast<int>(std::min(1e5, std::ceil((to - from) / kPathPoint_m))));
  for (int k = 0; k <= n; ++k) {
    const Vec2 q = lane.path.at(from + (to - from) * k / n).p;
    lane.geometry.path_x_m.push_back(q.x());
    lane.geometry.path_y_m.push_back(q.y());
  }
}

}  // namespace monocoque::lanes

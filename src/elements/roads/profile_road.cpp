#include "elements/roads/profile_road.h"

#include <fmt/format.h>

namespace monocoque {

ProfileRoad::ProfileRoad(const io::ParameterSet& p)
    : x_0_(p.list("position_m")[0]),
      y_0_(p.list("position_m")[1]),
      cos_(std::cos(p.number("heading_rad"))),
      sin_(std::sin(p.number("heading_rad"))),
      friction_(p.number("friction")),
      edge_(p.number("edge_m")) {
  const std::string& track = p.text("track");
  if (p.has("width_m")) {
    const double half = 0.5 * p.number("width_m");
    right_end_ = left_end_ = true;
    right_ = -half;
    left_ = half;
  }
  if (track == "left") {
    right_end_ = true;
    right_ = 0;
  } else if (track == "right") {
    left_end_ = true;
    left_ = 0;
  }
  if (right_end_ && left_end_ && left_ - right_ < 2 * edge_)
    fields::refuse(
        p, "edge_m",
        fmt::format("edge_m is {}, the part with a height is only {} m wide", edge_, left_ - right_),
        "make the edge at most half of it");
}

Curve ProfileRoad::window(double n) const noexcept {
  Curve w{1, 0, 0};
  if (right_end_) w = smooth_step(n - right_, edge_);
  if (left_end_) {
    Curve l = smooth_step(left_ - n, edge_);
    l.d = -l.d;
    w = product(w, l);
  }
  return w;
}

void ProfileRoad::sample(double x, double y, RoadHint&, RoadSample& out) const noexcept {
  const double dx = x - x_0_, dy = y - y_0_;
  const Curve p = profile(cos_ * dx + sin_ * dy), w = window(cos_ * dy - sin_ * dx);
  const double s = p.d * w.y, n = p.y * w.d, ss = p.dd * w.y, sn = p.d * w.d, nn = p.y * w.dd;
  out = RoadSample{};
  out.z = p.y * w.y;
  out.z_x = cos_ * s - sin_ * n;
  out.z_y = sin_ * s + cos_ * n;
  out.z_xx = cos_ * cos_ * ss - 2 * cos_ * sin_ * sn + sin_ * sin_ * nn;
  out.z_xy = cos_ * sin_ * (ss - nn) + (cos_ * cos_ - sin_ * sin_) * sn;
  out.z_yy = sin_ * sin_ * ss + 2 * cos_ * sin_ * sn + cos_ * cos_ * nn;
  out.mu = friction_;
}

std::vector<io::Field> profile_fields(std::vector<io::Field> own) {
  using namespace fields;
  own.push_back(position());
  own.push_back(heading());
  own.push_back(number("width_m", "width across the heading; absent: endless", "~", "1.9", Rule::positive));
  own.push_back(
      choice("track", "both sides of the middle, or one of them", "both", "both", {"both", "left", "right"}));
  own.push_back(
      number("edge_m", "over which the height falls to 0 inside a border", "0.05", "0.2", Rule::positive));
  own.push_back(friction());
  return own;
}

}  // namespace monocoque

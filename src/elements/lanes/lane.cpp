#include "elements/lanes/lane.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace monocoque {

namespace {
constexpr double kPiece_m = 0.005;
constexpr double kBeside_m = 20;       ///< a cone further away is not passed
constexpr double kMostPieces = 20000;  ///< of one step: a car that jumps further has other troubles
}  // namespace

double distance_to_outline(const Outline& outline, const OutlinePose& pose, double x_m, double y_m) {
  const double c = std::cos(pose.heading_rad), s = std::sin(pose.heading_rad);
  const double dx = x_m - pose.x_m, dy = y_m - pose.y_m;
  const double ahead = c * dx + s * dy, left = c * dy - s * dx;
  // Beyond the sides, negative when inside.
  const double along = std::max(ahead - outline.front_m, -outline.rear_m - ahead);
  const double across = std::abs(left) - 0.5 * outline.width_m;
  if (along <= 0 || across <= 0) return std::max(along, across);
  return std::hypot(along, across);
}

Clearance smallest_clearance(const LaneGeometry& lane, const OutlinePose& pose) {
  Clearance out;
  for (std::size_t i = 0; i < lane.cones.size(); ++i) {
    const double distance = distance_to_outline(lane.outline, pose, lane.cones[i].x_m, lane.cones[i].y_m);
    if (distance - lane.cone_radius_m >= out.distance_m) continue;
    out.distance_m = distance - lane.cone_radius_m;
    out.cone = static_cast<int>(i);
  }
  return out;
}

ConeWatch::ConeWatch(const LaneGeometry& lane)
    : lane_(lane), hit_(lane.cones.size(), 0), ahead_(lane.cones.size(), 0) {
  hits_.reserve(lane.cones.size());
}

void ConeWatch::check(double t_s, const OutlinePose& pose) {
  const Clearance nearest = smallest_clearance(lane_, pose);
  if (nearest.distance_m < smallest_.distance_m) {
    smallest_ = nearest;
    smallest_t_s_ = t_s;
  }
  const double c = std::cos(pose.heading_rad), s = std::sin(pose.heading_rad);
  for (std::size_t i = 0; i < lane_.cones.size(); ++i) {
    const Cone& cone = lane_.cones[i];
    const double dx = cone.x_m - pose.x_m, dy = cone.y_m - pose.y_m, left = c * dy - s * dx;
    const bool before = c * dx + s * dy > 0;
    const bool touched = nearest.distance_m < 0 &&
                         distance_to_outline(lane_.outline, pose, cone.x_m, cone.y_m) < lane_.cone_radius_m;
    if (touched)
      note(i, t_s, false);
    else if (ahead_[i] && !before && std::abs(left) < kBeside_m && left * cone.side < 0)
      note(i, t_s, true);
    ahead_[i] = before;
  }
}

void ConeWatch::note(std::size_t cone, double t_s, bool wrong_side) {
  if (hit_[cone]) return;
  hit_[cone] = 1;
  hits_.push_back({static_cast<int>(cone), t_s, wrong_side});
}

void ConeWatch::add(double t_s, const OutlinePose& pose) {
  if (!std::isfinite(pose.x_m) || !std::isfinite(pose.y_m) || !std::isfinite(pose.heading_rad)) return;
  if (started_) {
    const Outline& o = lane_.outline;
    const double reach = std::hypot(std::max(o.front_m, o.rear_m), 0.5 * o.width_m);
    const double turn = std::remainder(pose.heading_rad - last_.heading_rad, 2 * M_PI);
    const double way = std::hypot(pose.x_m - last_.x_m, pose.y_m - last_.y_m) + reach * std::abs(turn);
    const int pieces = static_cast<int>(std::min(std::ceil(way / kPiece_m), kMostPieces));
    for (int k = 1; k < pieces; ++k) {
      const double part = static_cast<double>(k) / pieces;
      check(last_t_s_ + part * (t_s - last_t_s_),
            {last_.x_m + part * (pose.x_m - last_.x_m), last_.y_m + part * (pose.y_m - last_.y_m),
             last_.heading_rad + part * turn});
    }
  }
  check(t_s, pose);
  last_ = pose;
  last_t_s_ = t_s;
  started_ = true;
}

std::string cone_label(const LaneGeometry& lane, int cone) {
  const Cone& c = lane.cones[static_cast<std::size_t>(cone)];
  return fmt::format("{} (section {}, {})", cone + 1, c.section, c.side > 0 ? "left" : "right");
}

}  // namespace monocoque

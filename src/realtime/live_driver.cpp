#include "realtime/live_driver.h"

namespace monocoque::realtime {

namespace {

double toward(double value, double wanted, double most) {
  return value + std::clamp(wanted - value, -most, most);
}

}  // namespace

double LiveDriver::lock(double speed) const {
  const double v0_squared = style_.lateral_m_per_s2 / style_.lock_curvature_per_m;
  return 1 / (1 + speed * speed / v0_squared);
}

void LiveDriver::reset() {
  steer_ = go_ = stop_ = rested_s_ = 0;
  command_ = {};
}

const DriveCommand& LiveDriver::update(double h, const Pedals& wanted, double v) {
  const DriveStyle& s = style_;
  const double range = lock(v), goal = wanted.steer * range;
  const bool back = std::abs(goal) < std::abs(steer_) || goal * steer_ < 0;
  steer_ = toward(steer_, goal, range * h / (back ? s.centre_time_s : s.lock_time_s));
  command_.steer = steer_;

  const bool rests = std::abs(v) < s.rest_m_per_s;
  const bool waits = rests && wanted.brake > 0.1 && wanted.throttle < 0.05 && !wanted.hold;
  rested_s_ = waits && !command_.reverse ? rested_s_ + h : 0;
  if (rested_s_ > s.reverse_after_s) command_.reverse = true;
  if (command_.reverse && v > -s.rest_m_per_s && wanted.throttle > 0.1) command_.reverse = false;
  const bool backwards = command_.reverse && !wanted.hold;
  const double go = command_.reverse ? (backwards ? wanted.brake : 0) : wanted.throttle;
  const double stop = wanted.hold ? wanted.brake : command_.reverse ? wanted.throttle : wanted.brake;
  go_ = toward(go_, go, h / (go > go_ ? s.throttle_time_s : s.release_time_s));
  stop_ = toward(stop_, stop, h / (stop > stop_ ? s.brake_time_s : s.release_time_s));

  double drive = go_;
  if (command_.reverse) drive *= -s.reverse_share * std::clamp(2 * (1 + v / s.reverse_m_per_s), 0.0, 1.0);
  const double power = s.power_W / (s.most_force_N * std::max(std::abs(v), 0.1));
  drive = std::clamp(drive, -power, power);
  drive -= s.engine_drag * (1 - go_) * std::clamp(v / 2, -1.0, 1.0);
  command_.drive = drive;
  command_.brake = rests && go_ < 0.02 ? std::max(stop_, s.hold_brake) : stop_;
  return command_;
}

}  // namespace monocoque::realtime

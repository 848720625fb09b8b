#pragma once
// Between the keys of a driver and the car: what a foot and two arms cannot do, the limits of engine and
// steering at speed, reverse, and a brake that holds at rest. A fixed cost per step, no memory but its own
// five numbers.
//
//   steering   moves towards the wanted share of the lock in `lock_time_s`, faster back to the middle. The
//              lock shrinks with speed, 1 / (1 + (v/v0)^2), v0^2 = lateral_m_per_s2 / lock_curvature_per_m:
//              a key held down asks for lateral_m_per_s2 at most
//   drive      throttle, limited by power; without throttle the engine drags
//   reverse    the brake held at rest for `reverse_after_s` becomes the throttle backwards, and the throttle
//              the brake, until the throttle is pressed at rest
//   hold       at rest without throttle the brake stays on

#include "realtime/live_exchange.h"

namespace monocoque::realtime {

/// Values of the Camry.
struct DriveStyle {
  double lock_time_s = 0.35, centre_time_s = 0.22;
  double throttle_time_s = 0.4, brake_time_s = 0.25, release_time_s = 0.12;
  double lateral_m_per_s2 = 8.5;
  double lock_curvature_per_m = 0.19;  ///< of the path with the steering at its stop
  double power_W = 130e3;
  double most_force_N = 5650;  ///< of all driven wheels at full throttle: power is force times speed
  double engine_drag = 0.06;   ///< share of the full drive
  double reverse_share = 0.5, reverse_m_per_s = 6;
  double rest_m_per_s = 0.3, reverse_after_s = 0.4;
  double hold_brake = 0.35;
};

/// Shares of what the car can do.
struct DriveCommand {
  double steer = 0;  ///< of the lock, -1 left to 1 right
  double drive = 0;  ///< of the largest torque, negative: backwards or drag
  double brake = 0;
  bool reverse = false;
};

class LiveDriver {
 public:
  explicit LiveDriver(const DriveStyle& style) : style_(style) {}
  /// One step of h seconds at a forward speed.
  const DriveCommand& update(double h_s, const Pedals& wanted, double speed_m_per_s);
  const DriveCommand& command() const { return command_; }
  void reset();
  double lock(double speed_m_per_s) const;

 private:
  DriveStyle style_;
  DriveCommand command_;
  double steer_ = 0, go_ = 0, stop_ = 0;  ///< steer_: share of the full lock
  double rested_s_ = 0;
};

}  // namespace monocoque::realtime

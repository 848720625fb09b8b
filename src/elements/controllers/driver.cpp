#include "elements/controllers/driver.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "elements/field_makers.h"

namespace monocoque {

namespace {

constexpr double kLeastSpeed = 0.5;  ///< m/s; below it no course can be told
constexpr int kMostDelay = 1000;

std::vector<std::string> driver_sensors(const io::ParameterSet& p) {
  return {p.text("position") + "/x", p.text("position") + "/y", p.text("heading"),
          p.text("velocity") + "/x", p.text("velocity") + "/y", p.text("yaw_rate")};
}

int delay_samples(const io::ParameterSet& p) {
  const double samples = p.number("delay_s") / p.number("sample_s");
  if (samples > kMostDelay || std::abs(samples - std::round(samples)) > 1e-6)
    fields::refuse(p, "delay_s",
                   fmt::format("delay_s is {}, it must be a multiple of sample_s = {}, at most {} times",
                               p.number("delay_s"), p.number("sample_s"), kMostDelay),
                   "change one of the two");
  return static_cast<int>(std::lround(samples));
}

}  // namespace

DriverController::DriverController(const io::ParameterSet& p)
    : Controller(p.number("sample_s"), State::pending + delay_samples(p), driver_sensors(p)),
      preview_s_(p.number("preview_s")),
      shortest_m_(p.number("shortest_preview_m")),
      lead_s_(p.number("lead_s")),
      gain_(p.number("gain")),
      wheelbase_m_(p.number("wheelbase_m")),
      understeer_(p.number("understeer_s2_per_m")),
      rack_m_per_rad_(p.number("rack_m_per_rad")),
      most_travel_(p.number("most_travel_m")),
      servo_{p.number("servo_rad_per_s"), p.number("most_rate_m_per_s"), p.number("sample_s")},
      delay_(delay_samples(p)) {
  if (servo_.w_rad_per_s * period_s() > Servo::kMost)
    fields::refuse(p, "servo_rad_per_s",
                   fmt::format("servo_rad_per_s is {}, times sample_s = {} it must be <= {}",
                               servo_.w_rad_per_s, period_s(), Servo::kMost),
                   "a faster servo needs a shorter sample_s");
}

void DriverController::start(double* r) const {
  std::fill_n(r, state_count(), 0.0);
}

double DriverController::wanted_travel(const double* s, double* r) const {
  const Vec2 here(s[0], s[1]);
  r[station] = r[started] != 0 ? path_->nearest(here, r[station]) : path_->nearest(here);
  r[started] = 1;
  const double v = std::hypot(s[3], s[4]);
  if (v < kLeastSpeed) return r[Servo::value];
  // Where the vehicle will be when the steering takes effect: on along its circle.
  const double way = lead_s_ * v, turn = lead_s_ * s[5], course = s[2] + std::atan2(s[4], s[3]);
  const double chord = course + 0.5 * turn;
  const Vec2 soon = here + way * Vec2(std::cos(chord), std::sin(chord));
  const double u = path_->nearest(soon, path_->ahead(r[station], way));
  const PathPoint point = path_->at(u);
  const double error = path_->offset(soon, u);
  const double angle = std::remainder(course + turn - point.heading_rad, 2 * M_PI);
  const double l = std::max(preview_s_ * v, shortest_m_);
  const double curvature = point.curvature_per_m - 2 * gain_ * (error + l * angle) / (l * l);
  return std::clamp(-rack_m_per_rad_ * curvature * (wheelbase_m_ + understeer_ * v * v), -most_travel_,
                    most_travel_);
}

void DriverController::sample(double t, const double* sensor_values, double* r) const {
  double wanted = wanted_travel(sensor_values, r);
  if (delay_ > 0) {
    const double late = r[pending];
    std::copy(r + pending + 1, r + pending + delay_, r + pending);
    r[pending + delay_ - 1] = wanted;
    wanted = late;
  }
  servo_.sample(t, wanted, r);
}

LaneSpeedController::LaneSpeedController(const io::ParameterSet& p)
    : Controller(p.number("sample_s"), State::count,
                 {p.text("position") + "/x", p.text("position") + "/y", p.text("velocity") + "/x"}),
      speed_(p.number("speed_m_per_s")),
      release_(p.number("release_m")),
      kp_(p.number("proportional")),
      ki_(p.number("integral")),
      min_(p.number("output_min")),
      max_(p.number("output_max")) {
  if (!(min_ < max_))
    fields::refuse(p, "output_min", fmt::format("output_min is {}, it must be < output_max = {}", min_, max_),
                   "exchange the two limits");
}

void LaneSpeedController::start(double* r) const {
  std::fill_n(r, State::count, 0.0);
}

void LaneSpeedController::sample(double, const double* s, double* r) const {
  const double front = lane_->path.nearest({s[0], s[1]}) + lane_->geometry.outline.front_m;
  if (front >= release_) r[released] = 1;
  const double error = speed_ - s[2], grown = r[integral] + error * period_s();
  const double wanted = kp_ * error + ki_ * grown;
  if (wanted > min_ && wanted < max_) r[integral] = grown;
  r[output_] = r[released] != 0 ? 0.0 : std::clamp(kp_ * error + ki_ * r[integral], min_, max_);
}

namespace {

io::Field usual_sample_field() {
  return fields::number("sample_s", "time between two samples", "0.01", "0.01", io::Rule::positive);
}
io::Field position_field() {
  return fields::text("position", "position sensor of the vehicle in world axes (x, y)", "place");
}

}  // namespace

ElementType<Controller> driver_type() {
  using namespace fields;
  using io::Rule;
  return type<DriverController, Controller>(
      io::Group::controller, "driver",
      "driver who follows the path of the lane; output: travel of the steering rack, smooth enough for "
      "joints",
      {position_field(), text("heading", "sensor channel of the heading", "attitude/yaw"),
       text("velocity", "velocity sensor in axes of the vehicle (x, y)", "speed"),
       text("yaw_rate", "sensor channel of the yaw rate", "turning/z"), usual_sample_field(),
       number("preview_s", "time ahead in which an error is to be gone", "0.5", "0.55", Rule::positive),
       number("shortest_preview_m", "least distance ahead", "4", "4.5", Rule::positive),
       number("lead_s",
              "time after which steering takes effect: the driver looks from where the vehicle is then",
              "0.1", "0.2", Rule::non_negative),
       number("gain", "on the correction of errors; 1: the arc that meets the path", "1", "0.9",
              Rule::positive),
       number("wheelbase_m", "steer angle per curvature at low speed", "", "2.79", Rule::positive),
       number("understeer_s2_per_m", "growth of that with the square of the speed", "0", "0.003"),
       number("rack_m_per_rad", "travel of the rack per steer angle of the front wheels", "", "0.13",
              Rule::positive),
       number("most_travel_m", "limit of the travel", "0.07", "0.06", Rule::positive),
       number("most_rate_m_per_s", "limit of its rate", "0.3", "0.25", Rule::positive),
       number("servo_rad_per_s", "natural frequency of the steering servo", "40", "45", Rule::positive),
       number("delay_s", "reaction time of the driver, a multiple of sample_s", "0", "0.03",
              Rule::non_negative)});
}

ElementType<Controller> lane_speed_type() {
  using namespace fields;
  using io::Rule;
  return type<LaneSpeedController, Controller>(
      io::Group::controller, "lane_speed",
      "PI control of the speed until the front of the vehicle reaches a place of the lane, then nothing",
      {position_field(), text("velocity", "velocity sensor in axes of the vehicle (x)", "speed"),
       usual_sample_field(), number("speed_m_per_s", "wanted speed", "", "15", Rule::positive),
       number("release_m", "distance from the begin of the lane at which the throttle is released", "1e12",
              "2"),
       number("proportional", "gain on the error", "", "400", Rule::non_negative),
       number("integral", "gain on its time integral", "0", "200", Rule::non_negative),
       number("output_min", "lower limit of the output", "-1e12", "-900"),
       number("output_max", "upper limit of the output", "1e12", "1000")});
}

}  // namespace monocoque

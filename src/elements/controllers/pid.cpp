#include "elements/controllers/pid.h"

#include <algorithm>

#include <fmt/format.h>

#include "elements/field_makers.h"

namespace monocoque {

PidController::PidController(const io::ParameterSet& p)
    : Controller(p.number("sample_s"), State::count, {p.text("sensor")}),
      setpoint_(p.signal("setpoint").function),
      kp_(p.number("proportional")),
      ki_(p.number("integral")),
      kd_(p.number("derivative")),
      min_(p.number("output_min")),
      max_(p.number("output_max")),
      offset_(p.number("offset")) {
  if (!p.signal("setpoint").name.empty())
    fields::refuse(
        p, "setpoint",
        fmt::format("setpoint names '{}', it must be a function of time", p.signal("setpoint").name),
        "give a number, a formula of t, or the name of an entry of `signals`");
  if (!(min_ < max_))
    fields::refuse(p, "output_min", fmt::format("output_min is {}, it must be < output_max = {}", min_, max_),
                   "exchange the two limits");
}

void PidController::start(double* r) const {
  std::fill_n(r, State::count, 0.0);
  r[output] = std::clamp(offset_, min_, max_);
}

void PidController::sample(double t, const double* sensor_values, double* r) const {
  const double error = setpoint_.at(t).value - sensor_values[0];
  const double slope = r[started] != 0 ? (error - r[last_error]) / period_s() : 0.0;
  const double grown = r[integral] + error * period_s();
  const double rest = offset_ + kp_ * error + kd_ * slope;
  const double wanted = rest + ki_ * grown;
  // At a limit the integral may only move the output back.
  const double push = ki_ * error;
  const bool winds_up = (wanted > max_ && push > 0) || (wanted < min_ && push < 0);
  if (!winds_up) r[integral] = grown;
  r[output] = std::clamp(rest + ki_ * r[integral], min_, max_);
  r[last_error] = error;
  r[started] = 1;
}

RelayController::RelayController(const io::ParameterSet& p)
    : Controller(p.number("sample_s"), State::count, {p.text("sensor")}),
      on_above_(p.number("on_above")),
      off_below_(p.number("off_below")),
      output_on_(p.number("output_on")),
      output_off_(p.number("output_off")),
      starts_on_(p.boolean("start_on")) {
  if (off_below_ > on_above_)
    fields::refuse(p, "off_below",
                   fmt::format("off_below is {}, it must be <= on_above = {}", off_below_, on_above_),
                   "exchange the two levels, or output_on and output_off");
}

void RelayController::start(double* r) const {
  r[on] = starts_on_ ? 1 : 0;
  r[output] = starts_on_ ? output_on_ : output_off_;
}

void RelayController::sample(double, const double* sensor_values, double* r) const {
  if (sensor_values[0] > on_above_) r[on] = 1;
  if (sensor_values[0] < off_below_) r[on] = 0;
  r[output] = r[on] != 0 ? output_on_ : output_off_;
}

namespace {
io::Field sensor_field() {
  return fields::text("sensor", "sensor channel: name, or name/x for one of several values", "height/z");
}
io::Field sample_field() {
  return fields::number("sample_s", "time between two samples", "", "0.01", io::Rule::positive);
}
}  // namespace

ElementType<Controller> pid_type() {
  using namespace fields;
  return type<PidController, Controller>(
      io::Group::controller, "pid", "sampled PID controller with limits and anti-windup",
      {sensor_field(), signal("setpoint", "wanted value of the sensor", "0", "1.5"), sample_field(),
       number("proportional", "gain on the error", "", "12"),
       number("integral", "gain on the time integral of the error", "0", "30"),
       number("derivative", "gain on the rate of the error", "0", "0.2"),
       number("output_min", "lower limit of the output", "-1e12", "-80"),
       number("output_max", "upper limit of the output", "1e12", "90"),
       number("offset", "output at no error", "0", "4")});
}

ElementType<Controller> relay_type() {
  using namespace fields;
  return type<RelayController, Controller>(
      io::Group::controller, "relay", "sampled two-level controller with hysteresis",
      {sensor_field(), sample_field(), number("on_above", "switches on above this value", "", "1.2"),
       number("off_below", "switches off below this value", "", "0.8"),
       number("output_on", "output while on", "1", "5"), number("output_off", "output while off", "0", "-5"),
       make("start_on", FieldKind::boolean, "on before the first sample", "false", "false")});
}

}  // namespace monocoque

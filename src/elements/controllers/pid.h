#pragma once
// PID controller, sampled: e = setpoint(t) - sensor, output = offset + kp e + ki I + kd (e - e_old)/period,
// limited to [output_min, output_max]. I grows by e period at each sample, except where the output is at a
// limit and I would push it further (anti-windup). The first sample has no derivative part. The setpoint is a
// function of time of its own: a named signal must be put in its place before (name empty).

#include "core/time_function.h"
#include "elements/controller.h"
#include "io/model/parameter_set.h"

namespace monocoque {

class PidController final : public Controller {
 public:
  explicit PidController(const io::ParameterSet& p);
  void start(double* r) const override;
  void sample(double t, const double* sensor_values, double* r) const override;

 private:
  enum State { output, integral, last_error, started, count };
  TimeFunction setpoint_;
  double kp_, ki_, kd_, min_, max_, offset_;
};

/// Two-level controller with hysteresis: on above `on_above`, off below `off_below`, unchanged between.
class RelayController final : public Controller {
 public:
  explicit RelayController(const io::ParameterSet& p);
  void start(double* r) const override;
  void sample(double t, const double* sensor_values, double* r) const override;

 private:
  enum State { output, on, count };
  double on_above_, off_below_, output_on_, output_off_;
  bool starts_on_;
};

}  // namespace monocoque

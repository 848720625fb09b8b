#pragma once
// A value that comes from outside while the model runs: from `monocoque rt` (docs/realtime.md) or a program
// that steps the model. Between two values it is held. Where nobody gives one it stays `initial`, so any
// scenario can be run without the other side.
//
// servo_rad_per_s = 0: the output is the value itself and jumps: for forces and torques.
// servo_rad_per_s > 0: a servo of second order (servo.h) follows it: a joint needs value, rate and second
// derivative of what drives it, and a jump there would be an impact.

#include "elements/controller.h"
#include "elements/controllers/servo.h"
#include "io/model/parameter_set.h"

namespace monocoque {

class ExternalInput final : public Controller {
 public:
  explicit ExternalInput(const io::ParameterSet& p);
  void start(double* r) const override;
  void sample(double t, const double* sensor_values, double* r) const override;
  Taylor2 output(double t, const double* r) const override { return Servo::output(t, r); }
  bool output_jumps() const override { return servo_.w_rad_per_s == 0; }
  std::string unit() const override { return unit_; }

  double initial() const { return initial_; }
  double minimum() const { return min_; }
  double maximum() const { return max_; }
  /// Takes a new value at time t, within the limits; returns whether it lay within. A NaN changes nothing.
  bool set(double t, double value, double* r) const;

 private:
  enum State { wanted = Servo::count, count };
  Servo servo_;
  std::string unit_;
  double initial_, min_, max_;
};

}  // namespace monocoque

#pragma once
// Discrete controllers, sampled at T_j = start + j period (Arnold eq. 17, 18): r_{j+1} = k(r_j, sensors, T).
// Between samples the output is a function of t and of the states: the held value r[0], if a controller does
// not say otherwise. What drives a joint should be smooth: there a jump of the value is an impact.

#include <string>
#include <vector>

#include "core/time_function.h"

namespace monocoque {

struct Lane;

class Controller {
 public:
  virtual ~Controller() = default;
  double period_s() const { return period_; }
  int state_count() const { return states_; }
  const std::vector<std::string>& sensors() const { return sensors_; }  ///< names of sensor channels it reads
  virtual void start(double* r) const = 0;
  /// New discrete state from the old one and the sensor values at t.
  virtual void sample(double t, const double* sensor_values, double* r) const = 0;
  /// Output and its time derivatives at t, up to the next sample. Called in every step.
  virtual Taylor2 output(double t, const double* r) const {
    (void)t;
    return {r[0], 0, 0};
  }
  /// Whether value or rate of the output jump at a sample; if not, joints need no projection there.
  virtual bool output_jumps() const { return true; }
  virtual std::string unit() const { return "1"; }  ///< of the output
  /// The lane of the model, where there is one; it outlives the controller.
  virtual void use_lane(const Lane&) {}
  virtual bool needs_lane() const { return false; }

 protected:
  Controller(double period, int states, std::vector<std::string> sensors)
      : period_(period), states_(states), sensors_(std::move(sensors)) {}

 private:
  double period_;
  int states_;
  std::vector<std::string> sensors_;
};

}  // namespace monocoque

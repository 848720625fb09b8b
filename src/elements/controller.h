#pragma once
// Discrete controllers, sampled at T_j = start + j period (Arnold eq. 17, 18): r_{j+1} = k(r_j, sensors, T).
// The output is held constant between samples.

#include <string>
#include <vector>

namespace monocoque {

class Controller {
 public:
  virtual ~Controller() = default;
  double period_s() const { return period_; }
  int state_count() const { return states_; }
  const std::vector<std::string>& sensors() const { return sensors_; }  ///< names of sensor channels it reads
  virtual void start(double* r) const = 0;
  /// New discrete state from the old one and the sensor values at t. r[0] is the output.
  virtual void sample(double t, const double* sensor_values, double* r) const = 0;

 protected:
  Controller(double period, int states, std::vector<std::string> sensors)
      : period_(period), states_(states), sensors_(std::move(sensors)) {}

 private:
  double period_;
  int states_;
  std::vector<std::string> sensors_;
};

}  // namespace monocoque

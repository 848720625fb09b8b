#pragma once
// A driver who follows the path of the lane, and the foot that holds the speed until the throttle is
// released.
//
// driver: output = travel of the steering rack, m, + to the right. At each sample the driver looks from the
// place where the vehicle will be in lead_s, if it goes on along its circle: e is the distance from the path
// there
// (+ left), theta the course (heading plus slip angle) against the path, l = preview_s v:
//   kappa = kappa_path - 2 gain (e + l theta) / l^2
//   steer angle = kappa (wheelbase + understeer v^2), rack = -rack_m_per_rad * steer angle, limited
// A servo (servo.h) follows the wanted rack. docs/drivers.md derives the gains.
// delay_s: the wanted rack comes as many samples late.

#include "elements/controller.h"
#include "elements/controllers/servo.h"
#include "elements/lanes/lane.h"
#include "io/model/parameter_set.h"

namespace monocoque {

class DriverController final : public Controller {
 public:
  explicit DriverController(const io::ParameterSet& p);
  void start(double* r) const override;
  void sample(double t, const double* sensor_values, double* r) const override;
  Taylor2 output(double t, const double* r) const override { return Servo::output(t, r); }
  bool output_jumps() const override { return false; }
  std::string unit() const override { return "m"; }
  void use_lane(const Lane& lane) override { path_ = &lane.path; }
  bool needs_lane() const override { return true; }

 private:
  enum State { station = Servo::count, started, pending };  ///< then the delay line
  double wanted_travel(const double* sensors, double* r) const;

  const DriverPath* path_ = nullptr;
  double preview_s_, shortest_m_, lead_s_, gain_;
  double wheelbase_m_, understeer_, rack_m_per_rad_, most_travel_;
  Servo servo_;
  int delay_;
};

/// PI control of the speed up to a place of the lane, nothing after it; the output is a torque.
class LaneSpeedController final : public Controller {
 public:
  explicit LaneSpeedController(const io::ParameterSet& p);
  void start(double* r) const override;
  void sample(double t, const double* sensor_values, double* r) const override;
  void use_lane(const Lane& lane) override { lane_ = &lane; }
  bool needs_lane() const override { return true; }
  std::string unit() const override { return "N*m"; }

 private:
  enum State { output_, integral, released, count };
  const Lane* lane_ = nullptr;
  double speed_, release_, kp_, ki_, min_, max_;
};

}  // namespace monocoque

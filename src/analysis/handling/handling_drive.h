#pragma once
// A car under test: drives a model that has named parts and a steering signal, and keeps what handling tests
// read. Plain names, no knowledge of any car. Axes: x forward, y left, z up; left is positive for steer
// angles, yaw rate, lateral acceleration and sideslip.

#include <functional>
#include <string>
#include <vector>

#include "integrate/simulation.h"
#include "io/model/specification.h"

namespace monocoque::analysis {

struct CarNames {
  std::string steer = "rack";  ///< signal that steers, in whatever unit and sense
  std::string car = "car";     ///< part that is the car body
  /// Parts that point where the wheels point, left and right.
  std::vector<std::string> front{"FL/carrier", "FR/carrier"}, rear{"RL/carrier", "RR/carrier"};
};

struct HandlingCar {
  /// The model ready to run at a speed (nominal forces found), with the speed held or with free rolling
  /// wheels.
  std::function<io::ScenarioSpec(double speed_m_per_s, bool hold_speed)> at_speed;
  CarNames names;
};

/// Histories at the recorded instants, reduced to the plane. Angles rad.
struct CarTrace {
  std::vector<double> t, steer;  ///< steer: the signal
  std::vector<double> x, y;      ///< of the centre of gravity of the whole car
  std::vector<double> speed, yaw_rate, sideslip, roll;
  std::vector<double> centripetal;  ///< speed times yaw rate: lateral acceleration of a steady turn
  std::vector<double> lateral;      ///< acceleration of the centre of gravity across the car, horizontal
  std::vector<double> front, rear;  ///< mean road-wheel angle against the car, zero in the reference position
  std::vector<double> slip_front, slip_rear;  ///< slip angles at the middle of the axles
  bool failed = false;                        ///< the run broke off: the reason
  std::string reason;
  std::size_t size() const { return t.size(); }
};

struct CarSizes {
  double wheelbase_m = 0, front_m = 0, rear_m = 0;  ///< front_m, rear_m: centre of gravity to the axles
  double mass_kg = 0, height_m = 0;
};

struct DriveSettings {
  std::string solver = "linearly-implicit-2";
  double step_s = 0.002;
  double output_s = 0.01;
};

class TestDrive {
 public:
  /// Throws Error where a name does not exist.
  TestDrive(const HandlingCar& car, const DriveSettings& settings, std::function<bool()> interrupted = {});

  const CarSizes& sizes() const { return sizes_; }
  const HandlingCar& car() const { return car_; }
  bool interrupted() const { return interrupted_ && interrupted_(); }

  struct Run {
    double speed_m_per_s = 0, end_s = 0;
    bool hold_speed = true;
    TimeFunction steer;
    std::function<bool(const CarTrace&)> stop = {};  ///< asked after each recorded instant
  };
  CarTrace drive(const Run& run) const;
  /// Specification with this steering.
  io::ScenarioSpec specification(double speed_m_per_s, bool hold_speed, const TimeFunction& steer) const;

 private:
  HandlingCar car_;
  DriveSettings settings_;
  std::function<bool()> interrupted_;
  CarSizes sizes_;
  Vec3 centre_ = Vec3::Zero();  ///< of gravity of the whole car, in the car part's frame, reference position
  double front_x_ = 0, rear_x_ = 0;
};

/// Value of a history at t, linear between the instants.
double at_time(const CarTrace& trace, const std::vector<double>& values, double t);

}  // namespace monocoque::analysis

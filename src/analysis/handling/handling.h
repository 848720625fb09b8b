#pragma once
// Handling of a car: steady cornering (ISO 4138, constant speed), critical speed in three ways, step steer
// (ISO 7401), sine with dwell. docs/handling.md has the definitions. Gradients are in rad per m/s^2 in here.

#include <optional>
#include <string>
#include <vector>

#include "analysis/handling/handling_drive.h"

namespace monocoque::analysis {

struct HandlingOptions {
  DriveSettings drive;
  double speed_m_per_s = 80 / 3.6;        ///< of all tests, unless the critical speed is too near
  double step_acceleration_m_per_s2 = 4;  ///< level of the step steer
  double largest_speed_m_per_s = 70;      ///< the critical speed is sought up to here
  double small_steer = 1e-3;              ///< of the steering signal: gives about half a degree at the wheels
  bool critical_by_runs = true, limit = true, step_steer = true, sine_with_dwell = true;
};

struct HandlingHooks {
  /// What is being done, and the share of all work that is done.
  std::function<void(const std::string& what, double share)> progress;
  std::function<bool()> interrupted;
};

/// Steering signal to mean front road-wheel angle with the car all but standing.
struct SteeringCurve {
  std::vector<double> signal, angle;  ///< both rising in angle
  double ratio = 0;                   ///< angle per signal in the middle
  double angle_of(double signal_value) const;
  double signal_for(double angle_rad) const;
};

/// Gradients by the centripetal acceleration at zero, rad/(m/s^2): understeer positive.
/// at_steering = slips - front_steer + rear_steer, at_wheel = slips + rear_steer.
struct SteadyGradients {
  double at_steering =
      0;                ///< d(delta_S - L/R)/d(ay), delta_S: road-wheel angle that the steering alone gives
  double at_wheel = 0;  ///< d(delta - L/R)/d(ay), delta: measured mean road-wheel angle
  double slips = 0;     ///< d(alpha_f - alpha_r)/d(ay): tires, load transfer
  double front_steer = 0;  ///< d(delta - delta_S)/d(ay): roll steer and compliance of the front axle
  double rear_steer = 0;   ///< the same of the rear axle
  double roll = 0;         ///< d(roll angle)/d(ay), positive: leans outwards
};

struct SteadyCornering {
  double speed_m_per_s = 0;
  SteadyGradients left, right, mean;
  /// Quasi-steady curves up to the limit, left positive; angles rad.
  CarTrace left_run, right_run;
  std::vector<double> left_steering, right_steering;  ///< delta_S along them
  double left_limit = 0, right_limit = 0;             ///< largest centripetal acceleration, m/s^2
  bool left_unstable = false,
       right_unstable = false;  ///< ended by losing stability, not by running out of grip
};

struct CriticalSpeed {
  std::optional<double> by_eigenvalues, by_runs, by_gradient;  ///< none: stable up to the largest speed
  std::optional<double> characteristic;                        ///< of an understeering car
};

struct StepSteer {
  double speed_m_per_s = 0, steer_angle = 0;  ///< angle that the steering gives, rad
  double wanted_m_per_s2 = 0;
  bool settled = false;
  double lateral_m_per_s2 = 0, yaw_rate = 0, sideslip = 0, roll = 0;  ///< steady
  double yaw_response_s = 0, lateral_response_s = 0;  ///< 50 % of the steering to 90 % of the steady value
  double yaw_peak_s = 0, lateral_peak_s = 0;
  double yaw_overshoot = 0, lateral_overshoot = 0;  ///< of the steady value; 0: none
  double tb_rad_s = 0;                              ///< sideslip times response time of the yaw rate
  CarTrace run;
};

struct DwellRun {
  double factor = 0;                             ///< amplitude by that of 0.3 g
  double yaw_after_1s = 0, yaw_after_1_75s = 0;  ///< share of the second peak, after the end of steering
  double displacement_m = 0;                     ///< 1.07 s after the start of steering
  bool stable = false;                           ///< at most 35 % and 20 %
};
struct SineWithDwell {
  double speed_m_per_s = 0, unit_angle = 0;  ///< steering angle of 0.3 g, rad
  std::vector<DwellRun> runs;
  double largest_stable = 0;  ///< factor
};

struct HandlingReport {
  CarSizes sizes;
  SteeringCurve steering;
  CriticalSpeed critical;
  SteadyCornering steady;
  std::optional<StepSteer> step;
  std::optional<SineWithDwell> dwell;
  bool interrupted = false;
};

HandlingReport handling(const HandlingCar& car, const HandlingOptions& options,
                        const HandlingHooks& hooks = {});

/// The pieces, for tests and other programs.
SteeringCurve steering_curve(const TestDrive& drive, double small_signal, double largest_angle);
std::optional<double> critical_speed_by_eigenvalues(const TestDrive& drive, double largest_speed);
std::optional<double> critical_speed_by_runs(const TestDrive& drive, const SteeringCurve& steering,
                                             double largest_speed,
                                             const std::function<void(double)>& progress);
SteadyCornering steady_cornering(const TestDrive& drive, const SteeringCurve& steering, double speed,
                                 std::optional<double> critical, bool limit,
                                 const std::function<void(double)>& progress = {});
/// Steering angle for a lateral acceleration at a speed, from the steady curve; the level is lowered where
/// the car would not be stable there.
double steady_angle(const SteadyCornering& steady, const CarSizes& sizes, double speed, double& level);
StepSteer step_steer(const TestDrive& drive, const SteeringCurve& steering, const SteadyCornering& steady,
                     double speed, double level);
SineWithDwell sine_with_dwell(const TestDrive& drive, const SteeringCurve& steering,
                              const SteadyCornering& steady, double speed,
                              const std::function<void(double)>& progress);

/// One line of the table.
struct HandlingRow {
  std::string group, quantity, unit, key;  ///< key: name in JSON
  std::optional<double> value;
  std::string remark;
};
std::vector<HandlingRow> handling_table(const HandlingReport& report);

}  // namespace monocoque::analysis

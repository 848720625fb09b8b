// Sensors of lengths and angles between two markers.
//   distance       |pB - pA| - zero, and distance_rate its time derivative (zero where the origins coincide)
//   angle          of B's x axis from A's about zA, by atan2, within (-pi, pi]
//   tait_bryan     roll, pitch, yaw of R_A^T R_B = Rz(yaw) Ry(pitch) Rx(roll); singular at |pitch| = pi/2
//   orientation    unit quaternion of R_A^T R_B, w >= 0

#include <cmath>

#include "core/rotation.h"
#include "elements/sensors/axes.h"

namespace monocoque {
namespace {

class ListedSensor : public Sensor {
 public:
  explicit ListedSensor(std::vector<Output> outputs) : outputs_(std::move(outputs)) {}
  const std::vector<Output>& outputs() const override { return outputs_; }

 private:
  std::vector<Output> outputs_;
};

class DistanceSensor final : public ListedSensor {
 public:
  explicit DistanceSensor(const io::ParameterSet& p) : ListedSensor({{"", "m"}}), zero_(p.number("zero_m")) {}
  void measure(const SensorInput& in, double* values) const override {
    values[0] = (in.m[1]->p - in.m[0]->p).norm() - zero_;
  }

 private:
  double zero_;
};

class DistanceRateSensor final : public ListedSensor {
 public:
  explicit DistanceRateSensor(const io::ParameterSet&) : ListedSensor({{"", "m/s"}}) {}
  void measure(const SensorInput& in, double* values) const override {
    const Vec3 p = in.m[1]->p - in.m[0]->p;
    const double length = p.norm();
    values[0] = length > 0 ? p.dot(in.m[1]->v - in.m[0]->v) / length : 0.0;
  }
};

class AngleSensor final : public ListedSensor {
 public:
  explicit AngleSensor(const io::ParameterSet&) : ListedSensor({{"", "rad"}}) {}
  void measure(const SensorInput& in, double* values) const override {
    const Vec3 x = in.m[1]->R.col(0);
    values[0] = std::atan2(x.dot(in.m[0]->R.col(1)), x.dot(in.m[0]->R.col(0)));
  }
};

class TaitBryanSensor final : public ListedSensor {
 public:
  explicit TaitBryanSensor(const io::ParameterSet&)
      : ListedSensor({{"roll", "rad"}, {"pitch", "rad"}, {"yaw", "rad"}}) {}
  void measure(const SensorInput& in, double* values) const override {
    Eigen::Map<Vec3>(values, 3) = tait_bryan_from_rotation(in.m[0]->R.transpose() * in.m[1]->R);
  }
};

class OrientationSensor final : public ListedSensor {
 public:
  explicit OrientationSensor(const io::ParameterSet&)
      : ListedSensor({{"w", "1"}, {"x", "1"}, {"y", "1"}, {"z", "1"}}) {}
  void measure(const SensorInput& in, double* values) const override {
    Eigen::Map<Vec4>(values, 4) = quaternion_from_rotation(in.m[0]->R.transpose() * in.m[1]->R);
  }
};

}  // namespace

ElementType<Sensor> distance_sensor_type() {
  return sensor_type<DistanceSensor>("distance", "distance of the two origins, less zero_m",
                                     {fields::number("zero_m", "distance that reads as 0", "0", "0.15")});
}

ElementType<Sensor> distance_rate_sensor_type() {
  return sensor_type<DistanceRateSensor>("distance_rate", "rate of the distance of the two origins", {});
}

ElementType<Sensor> angle_sensor_type() {
  return sensor_type<AngleSensor>("angle", "angle of the x axis of `to` about the z axis of `from`", {});
}

ElementType<Sensor> tait_bryan_sensor_type() {
  return sensor_type<TaitBryanSensor>("tait_bryan", "roll, pitch and yaw of `to` in axes of `from`", {});
}

ElementType<Sensor> orientation_sensor_type() {
  return sensor_type<OrientationSensor>("orientation", "unit quaternion of `to` in axes of `from`", {});
}

}  // namespace monocoque

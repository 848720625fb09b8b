// Sensors of a vector between two markers, in the axes of choice.
//   position              pB - pA
//   velocity              seen from the turning axes of A: vB - vA - wA x (pB - pA), so in axes of A it is
//   the time
//                         derivative of `position`; or the plain difference vB - vA (relative_to: point)
//   angular_velocity      wB - wA
//   acceleration          aB - aA, plain difference of absolute accelerations, gravity not included
//   angular_acceleration  alphaB - alphaA

#include <Eigen/Geometry>

#include "elements/sensors/axes.h"

namespace monocoque {
namespace {

class VectorSensor : public Sensor {
 public:
  VectorSensor(const io::ParameterSet& p, const char* unit)
      : axes_(axes_of(p)), outputs_({{"x", unit}, {"y", unit}, {"z", unit}}) {}
  const std::vector<Output>& outputs() const override { return outputs_; }
  void measure(const SensorInput& in, double* values) const override {
    Eigen::Map<Vec3>(values, 3) = in_axes(axes_, in, world(in));
  }

 protected:
  virtual Vec3 world(const SensorInput& in) const = 0;

 private:
  Axes axes_;
  std::vector<Output> outputs_;
};

class PositionSensor final : public VectorSensor {
 public:
  explicit PositionSensor(const io::ParameterSet& p) : VectorSensor(p, "m") {}

 protected:
  Vec3 world(const SensorInput& in) const override { return in.m[1]->p - in.m[0]->p; }
};

class VelocitySensor final : public VectorSensor {
 public:
  explicit VelocitySensor(const io::ParameterSet& p)
      : VectorSensor(p, "m/s"), seen_from_frame_(p.text("relative_to") == "frame") {}

 protected:
  Vec3 world(const SensorInput& in) const override {
    Vec3 difference = in.m[1]->v - in.m[0]->v;
    if (!seen_from_frame_) return difference;
    return difference - in.m[0]->w.cross(in.m[1]->p - in.m[0]->p);
  }

 private:
  bool seen_from_frame_;
};

class AngularVelocitySensor final : public VectorSensor {
 public:
  explicit AngularVelocitySensor(const io::ParameterSet& p) : VectorSensor(p, "rad/s") {}

 protected:
  Vec3 world(const SensorInput& in) const override { return in.m[1]->w - in.m[0]->w; }
};

class AccelerationSensor final : public VectorSensor {
 public:
  explicit AccelerationSensor(const io::ParameterSet& p) : VectorSensor(p, "m/s^2") {}

 protected:
  Vec3 world(const SensorInput& in) const override { return in.m[1]->a - in.m[0]->a; }
  bool needs_accelerations() const override { return true; }
};

class AngularAccelerationSensor final : public VectorSensor {
 public:
  explicit AngularAccelerationSensor(const io::ParameterSet& p) : VectorSensor(p, "rad/s^2") {}

 protected:
  Vec3 world(const SensorInput& in) const override { return in.m[1]->alpha - in.m[0]->alpha; }
  bool needs_accelerations() const override { return true; }
};

}  // namespace

ElementType<Sensor> position_sensor_type() {
  return sensor_type<PositionSensor>("position", "offset of `to` from `from`", {axes_field()});
}

ElementType<Sensor> velocity_sensor_type() {
  return sensor_type<VelocitySensor>(
      "velocity", "velocity of `to` relative to `from`",
      {axes_field(),
       fields::choice("relative_to",
                      "frame: seen from the turning axes of `from`; point: difference of the two velocities",
                      "frame", "frame", {"frame", "point"})});
}

ElementType<Sensor> angular_velocity_sensor_type() {
  return sensor_type<AngularVelocitySensor>("angular_velocity", "angular velocity of `to` relative to `from`",
                                            {axes_field()});
}

ElementType<Sensor> acceleration_sensor_type() {
  return sensor_type<AccelerationSensor>(
      "acceleration", "absolute acceleration of `to` minus that of `from`, without gravity", {axes_field()});
}

ElementType<Sensor> angular_acceleration_sensor_type() {
  return sensor_type<AngularAccelerationSensor>(
      "angular_acceleration", "absolute angular acceleration of `to` minus that of `from`", {axes_field()});
}

}  // namespace monocoque

// Wrench of a joint or force on its second marker: force, and moment about that marker's origin.

#include "elements/sensors/axes.h"

namespace monocoque {
namespace {

class ReactionSensor final : public Sensor {
 public:
  explicit ReactionSensor(const io::ParameterSet& p)
      : axes_(axes_of(p)),
        outputs_({{"force_x", "N"},
                  {"force_y", "N"},
                  {"force_z", "N"},
                  {"torque_x", "Nm"},
                  {"torque_y", "Nm"},
                  {"torque_z", "Nm"}}) {}
  const std::vector<Output>& outputs() const override { return outputs_; }
  bool needs_accelerations() const override { return true; }
  void measure(const SensorInput& in, double* values) const override {
    Eigen::Map<Vec3>(values, 3) = in_axes(axes_, in, in.wrench->head<3>());
    Eigen::Map<Vec3>(values + 3, 3) = in_axes(axes_, in, in.wrench->tail<3>());
  }

 private:
  Axes axes_;
  std::vector<Output> outputs_;
};

}  // namespace

ElementType<Sensor> reaction_sensor_type() {
  return sensor_type<ReactionSensor>("reaction", "force and torque of a joint or force on its second frame",
                                     {axes_field()}, io::Attachment::interact);
}

}  // namespace monocoque

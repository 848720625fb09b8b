#include "elements/sensors/catalogue.h"

namespace monocoque {

const std::vector<ElementType<Sensor>>& sensor_types() {
  static const std::vector<ElementType<Sensor>> types = {
      position_sensor_type(),
      distance_sensor_type(),
      distance_rate_sensor_type(),
      velocity_sensor_type(),
      angular_velocity_sensor_type(),
      acceleration_sensor_type(),
      angular_acceleration_sensor_type(),
      angle_sensor_type(),
      tait_bryan_sensor_type(),
      orientation_sensor_type(),
      reaction_sensor_type(),
  };
  return types;
}

}  // namespace monocoque

// All sensor types, one line each. A new one is a file of its own that defines
// `ElementType<Sensor> NAME()`, and a line here.

#include "core/type_list.h"
#include "elements/registry.h"

namespace monocoque {

const std::vector<ElementType<Sensor>>& sensor_types() {
  static const std::vector<ElementType<Sensor>> types = [] {
    std::vector<ElementType<Sensor>> list;
#define ADD(type) MONOCOQUE_ADD_TYPE(list, type)
    ADD(position_sensor_type);
    ADD(distance_sensor_type);
    ADD(distance_rate_sensor_type);
    ADD(velocity_sensor_type);
    ADD(angular_velocity_sensor_type);
    ADD(acceleration_sensor_type);
    ADD(angular_acceleration_sensor_type);
    ADD(angle_sensor_type);
    ADD(tait_bryan_sensor_type);
    ADD(orientation_sensor_type);
    ADD(reaction_sensor_type);
#undef ADD
    return list;
  }();
  return types;
}

}  // namespace monocoque

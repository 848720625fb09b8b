#pragma once
// One function per sensor type; sensor_types() lists them all.

#include "elements/registry.h"

namespace monocoque {

ElementType<Sensor> position_sensor_type();
ElementType<Sensor> distance_sensor_type();
ElementType<Sensor> distance_rate_sensor_type();
ElementType<Sensor> velocity_sensor_type();
ElementType<Sensor> angular_velocity_sensor_type();
ElementType<Sensor> acceleration_sensor_type();
ElementType<Sensor> angular_acceleration_sensor_type();
ElementType<Sensor> angle_sensor_type();
ElementType<Sensor> tait_bryan_sensor_type();
ElementType<Sensor> orientation_sensor_type();
ElementType<Sensor> reaction_sensor_type();

}  // namespace monocoque

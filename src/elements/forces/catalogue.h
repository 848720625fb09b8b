#pragma once
// One function per force type: its name, fields and maker. force_types() lists them all.

#include "elements/registry.h"

namespace monocoque {

ElementType<Force> spring_damper_type();
ElementType<Force> spring_damper_table_type();
ElementType<Force> spring_damper_3d_type();
ElementType<Force> bushing_type();
ElementType<Force> torsion_spring_type();
ElementType<Force> maxwell_type();
ElementType<Force> end_stop_type();
ElementType<Force> actuator_force_type();
ElementType<Force> actuator_vector_type();
ElementType<Force> actuator_torque_type();
ElementType<Force> friction_translational_type();
ElementType<Force> friction_rotational_type();
ElementType<Force> joint_friction_type();
ElementType<Force> drag_type();
ElementType<Force> force_constant_type();
ElementType<Force> brake_type();
std::vector<ElementType<Force>> tire_force_types();  ///< one for each tire law

}  // namespace monocoque

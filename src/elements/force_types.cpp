#include "elements/forces/catalogue.h"
#include "elements/registry.h"

namespace monocoque {

const std::vector<ElementType<Force>>& force_types() {
  static const std::vector<ElementType<Force>> types = [] {
    std::vector<ElementType<Force>> list = {
        spring_damper_type(),
        spring_damper_table_type(),
        spring_damper_3d_type(),
        bushing_type(),
        torsion_spring_type(),
        maxwell_type(),
        end_stop_type(),
        actuator_force_type(),
        actuator_vector_type(),
        actuator_torque_type(),
        friction_translational_type(),
        friction_rotational_type(),
        joint_friction_type(),
        drag_type(),
        force_constant_type(),
        brake_type(),
    };
    for (ElementType<Force>& tire : tire_force_types()) list.push_back(std::move(tire));
    return list;
  }();
  return types;
}

}  // namespace monocoque

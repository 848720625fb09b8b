// All force types; tires follow from the tire laws, one line each. A new one is a file of its own that
// defines `ElementType<Force> NAME()`, and a line here.

#include "core/type_list.h"
#include "elements/registry.h"
#include "elements/tires/tire_force.h"

namespace monocoque {

const std::vector<ElementType<Force>>& force_types() {
  static const std::vector<ElementType<Force>> types = [] {
    std::vector<ElementType<Force>> list;
#define ADD(type) MONOCOQUE_ADD_TYPE(list, type)
    ADD(spring_damper_type);
    ADD(spring_damper_table_type);
    ADD(spring_damper_3d_type);
    ADD(bushing_type);
    ADD(torsion_spring_type);
    ADD(maxwell_type);
    ADD(end_stop_type);
    ADD(actuator_force_type);
    ADD(actuator_vector_type);
    ADD(actuator_torque_type);
    ADD(friction_translational_type);
    ADD(friction_rotational_type);
    ADD(joint_friction_type);
    ADD(drag_type);
    ADD(force_constant_type);
    ADD(brake_type);
#undef ADD
    for (ElementType<Force>& tire : tire_force_types()) list.push_back(std::move(tire));
    return list;
  }();
  return types;
}

}  // namespace monocoque

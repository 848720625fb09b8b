#include "elements/forces/catalogue.h"
#include "elements/registry.h"

namespace monocoque {

const std::vector<ElementType<Force>>& force_types() {
  static const std::vector<ElementType<Force>> types = {
      spring_damper_type(),  spring_damper_3d_type(), bushing_type(),         torsion_spring_type(),
      actuator_force_type(), actuator_vector_type(),  actuator_torque_type(),
  };
  return types;
}

}  // namespace monocoque

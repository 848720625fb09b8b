#include "elements/controllers/catalogue.h"

namespace monocoque {

const std::vector<ElementType<Controller>>& controller_types() {
  static const std::vector<ElementType<Controller>> types = {pid_type(), relay_type(), driver_type(),
                                                             lane_speed_type(), external_type()};
  return types;
}

}  // namespace monocoque

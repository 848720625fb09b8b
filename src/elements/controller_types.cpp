// All controller types, one line each. A new one is a file of its own that defines
// `ElementType<Controller> NAME()`, and a line here.

#include "core/type_list.h"
#include "elements/registry.h"

namespace monocoque {

const std::vector<ElementType<Controller>>& controller_types() {
  static const std::vector<ElementType<Controller>> types = [] {
    std::vector<ElementType<Controller>> list;
#define ADD(type) MONOCOQUE_ADD_TYPE(list, type)
    ADD(pid_type);
    ADD(relay_type);
    ADD(driver_type);
    ADD(lane_speed_type);
    ADD(external_type);
#undef ADD
    return list;
  }();
  return types;
}

}  // namespace monocoque

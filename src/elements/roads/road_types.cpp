// All road types, one line each. A new one is a file of its own that defines
// `ElementType<Road> NAME()`, and a line here.

#include "elements/roads/road_types.h"

#include "core/type_list.h"

namespace monocoque {

const std::vector<ElementType<Road>>& road_types() {
  static const std::vector<ElementType<Road>> types = [] {
    std::vector<ElementType<Road>> list;
#define ADD(type) MONOCOQUE_ADD_TYPE(list, type)
    ADD(flat_road_type);
    ADD(slope_road_type);
    ADD(bump_road_type);
    ADD(step_road_type);
    ADD(curb_road_type);
    ADD(washboard_road_type);
    ADD(sine_sweep_road_type);
    ADD(random_road_type);
    ADD(grid_road_type);
    ADD(opencrg_road_type);
    ADD(friction_patch_type);
#undef ADD
    return list;
  }();
  return types;
}

}  // namespace monocoque

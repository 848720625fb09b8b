// All lane types, one line each. A new one is a file of its own that defines
// `ElementType<Lane> NAME()`, and a line here.

#include "elements/lanes/lane_types.h"

#include "core/type_list.h"

namespace monocoque {

const std::vector<ElementType<Lane>>& lane_types() {
  static const std::vector<ElementType<Lane>> types = [] {
    std::vector<ElementType<Lane>> list;
#define ADD(type) MONOCOQUE_ADD_TYPE(list, type)
    ADD(iso3888_1_lane_type);
    ADD(iso3888_2_lane_type);
    ADD(path_lane_type);
#undef ADD
    return list;
  }();
  return types;
}

}  // namespace monocoque

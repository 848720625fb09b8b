// All tire laws, one line each. A new one is a file of its own that defines
// `ElementType<TireLaw> NAME()`, and a line here.

#include "elements/tires/tire_law_types.h"

#include "core/type_list.h"

namespace monocoque {

const std::vector<ElementType<TireLaw>>& tire_law_types() {
  static const std::vector<ElementType<TireLaw>> types = [] {
    std::vector<ElementType<TireLaw>> list;
#define ADD(type) MONOCOQUE_ADD_TYPE(list, type)
    ADD(reference_tire_type);
    ADD(brush_tire_type);
    ADD(magic_formula_type);
#undef ADD
    return list;
  }();
  return types;
}

}  // namespace monocoque

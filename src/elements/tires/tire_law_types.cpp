#include "elements/tires/catalogue.h"

namespace monocoque {

const std::vector<ElementType<TireLaw>>& tire_law_types() {
  static const std::vector<ElementType<TireLaw>> types = {reference_tire_type(), brush_tire_type(),
                                                          magic_formula_type()};
  return types;
}

}  // namespace monocoque

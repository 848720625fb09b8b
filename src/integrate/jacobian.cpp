#include "integrate/jacobian.h"

#include <fmt/format.h>

#include "core/error.h"
#include "io/model/simulation_settings.h"

namespace monocoque {

Jacobian jacobian_from(const std::string& name) {
  // Jacobian has the order of the choices.
  const std::vector<std::string>& names = io::setting_choices("jacobian");
  for (std::size_t i = 0; i < names.size(); ++i)
    if (name == names[i]) return static_cast<Jacobian>(i);
  throw Error("simulation", fmt::format("unknown jacobian '{}'", name),
              fmt::format("choose one of: {}", fmt::join(names, ", ")));
}

bool is_simplified(Jacobian jacobian) {
  return jacobian == Jacobian::simplified || jacobian == Jacobian::rigid_forces ||
         jacobian == Jacobian::constant;
}

JacobianTerms jacobian_terms(Jacobian jacobian, const FrozenTangents& frozen) {
  const bool simple = is_simplified(jacobian);
  return {.reactions = !simple && jacobian != Jacobian::applied_forces,
          .inertia = !simple,
          .frozen = jacobian == Jacobian::constant ? &frozen : nullptr};
}

}  // namespace monocoque

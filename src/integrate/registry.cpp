// All integration methods, one line each. A new one is a file of its own that defines
// `IntegratorType NAME()`, and a line here.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "core/type_list.h"
#include "dynamics/formulation.h"
#include "integrate/integrator.h"

namespace monocoque {

const std::vector<IntegratorType>& integrator_types() {
  static const std::vector<IntegratorType> types = [] {
    std::vector<IntegratorType> list;
#define ADD(type) MONOCOQUE_ADD_TYPE(list, type)
    ADD(explicit_euler_type);
    ADD(rk4_type);
    ADD(linearly_implicit_euler_type);
    ADD(linearly_implicit_2_type);
    ADD(bdf2_type);
    ADD(generalized_alpha_type);
    ADD(ida_type);
#undef ADD
    return list;
  }();
  return types;
}

const IntegratorType& find_integrator(const std::string& name, const Place& place) {
  std::vector<std::string> names;
  for (const IntegratorType& type : integrator_types()) {
    if (type.name == name) return type;
    names.push_back(type.name);
  }
  const std::string hint = suggestion(name, names);
  throw Error(place, "solver", fmt::format("unknown method '{}'", name),
              (hint.empty() ? "" : hint + " ") + fmt::format("methods: {}", fmt::join(names, ", ")));
}

void complete_settings(const IntegratorType& type, io::SimulationSpec& s) {
  if (s.formulation != formulation_names().front() && !type.any_formulation) {
    std::string others;
    for (const IntegratorType& other : integrator_types())
      if (other.any_formulation) others += (others.empty() ? "" : ", ") + other.name;
    throw Error(s.place, fmt::format("solver '{}'", type.name),
                fmt::format("it does not take formulation '{}', only 'mixed'", s.formulation),
                "solvers for every formulation: " + others);
  }
  if (s.jacobian != "full" && (type.explicit_method || !type.fixed_step))
    throw Error(s.place, fmt::format("solver '{}'", type.name),
                fmt::format("it does not take jacobian '{}'", s.jacobian),
                "leave the key out, or choose a fixed-step implicit method");
  if (s.matrix_steps > 1 && (type.explicit_method || !type.fixed_step))
    throw Error(s.place, fmt::format("solver '{}'", type.name),
                fmt::format("it does not take matrix_steps {}", s.matrix_steps),
                "leave the key out, or choose a fixed-step implicit method");
  std::string known;
  for (const auto& [level, stabilisation] : type.levels) {
    const bool level_fits = s.constraints.empty() || s.constraints == level;
    const bool stabilisation_fits = s.stabilisation.empty() || s.stabilisation == stabilisation;
    if (level_fits && stabilisation_fits) {
      s.constraints = level;
      s.stabilisation = stabilisation;
      return;
    }
    known += fmt::format("{}{} with {}", known.empty() ? "" : ", ", level, stabilisation);
  }
  throw Error(s.place, fmt::format("solver '{}'", type.name),
              fmt::format("it does not take constraints '{}' with stabilisation '{}'",
                          s.constraints.empty() ? "any" : s.constraints,
                          s.stabilisation.empty() ? "any" : s.stabilisation),
              "it takes: " + known);
}

}  // namespace monocoque

#include <fmt/format.h>

#include "integrate/explicit_methods.h"
#include "integrate/formulated_explicit.h"
#include "integrate/ida_method.h"
#include "integrate/implicit_methods.h"

namespace monocoque {

const std::vector<IntegratorType>& integrator_types() {
  using Settings = io::SimulationSpec;
  const auto explicit_method = [](Tableau tableau) {
    return [tableau](Workspace& ws, const Settings& s) -> std::unique_ptr<Integrator> {
      if (formulation_from(s.formulation) != Formulation::mixed)
        return std::make_unique<FormulatedExplicitMethod>(ws, s, tableau);
      return std::make_unique<ExplicitMethod>(ws, s, tableau);
    };
  };
  const auto euler = [](bool extrapolate) {
    return [extrapolate](Workspace& ws, const Settings& s) {
      return std::make_unique<LinearlyImplicitEuler>(ws, s, extrapolate);
    };
  };
  const std::vector<std::pair<std::string, std::string>> index1 = {
      {kIndex1, kProjection}, {kIndex1, kBaumgarte}, {kIndex1, kNone}};
  const std::vector<std::pair<std::string, std::string>> index2 = {
      {kIndex2, kProjection}, {kIndex2, kBaumgarte}, {kIndex2, kNone}};
  std::vector<std::pair<std::string, std::string>> index2_or_3 = index2;
  index2_or_3.insert(index2_or_3.end(), {{kIndex3, kNone}, {kIndex3, kProjection}, {kIndex1Psi, kBaumgarte}});
  static const std::vector<IntegratorType> types = {
      {"explicit-euler", "explicit Euler", 1, true, true, index1, true, explicit_method(Tableau::euler)},
      {"rk4", "classical Runge-Kutta", 4, true, true, index1, true, explicit_method(Tableau::rk4)},
      {"linearly-implicit-euler", "one linear solve a step, non-iterative projection", 1, true, false, index2,
       false, euler(false)},
      {"linearly-implicit-2", "extrapolated linearly implicit Euler, three linear solves a step", 2, true,
       false, index2, false, euler(true)},
      {"bdf2", "BDF of order 2 with a fixed number of iterations", 2, true, false, index2_or_3, false,
       [](Workspace& ws, const Settings& s) { return std::make_unique<Bdf2>(ws, s); }},
      {"generalized-alpha",
       "generalized-alpha on the group",
       2,
       true,
       false,
       {{kIndex3, kNone}, {kIndex3, kProjection}},
       false,
       [](Workspace& ws, const Settings& s) { return std::make_unique<GeneralizedAlpha>(ws, s); }},
      {"ida",
       "SUNDIALS IDA: variable order and step with error control",
       0,
       false,
       false,
       {{kStabilised, kNone}, {kIndex1, kNone}, {kIndex2, kNone}},
       true,
       [](Workspace& ws, const Settings& s) { return std::make_unique<IdaMethod>(ws, s); }},
  };
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

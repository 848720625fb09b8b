#include <fmt/format.h>

#include "apps/commands.h"
#include "apps/common.h"
#include "dynamics/workspace.h"
#include "integrate/consistent.h"
#include "integrate/integrator.h"
#include "results/outputs.h"

namespace monocoque {

int command_check(const CheckOptions& options) {
  const LoadedScenario loaded = load_scenario(options.scenario, options.overrides);
  const Model& model = *loaded.model;
  io::SimulationSpec settings = loaded.spec.simulation;
  complete_settings(find_integrator(settings.solver, settings.place), settings);

  Workspace ws(model);
  State s = initial_state(model);
  s.t = settings.start_s;
  const ConsistencyReport report = make_consistent(ws, s, linear_solver_kind(settings.linear_solver));

  // Made for its complaint about patterns that match nothing.
  const OutputSet outputs(model, settings.outputs, linear_solver_kind(settings.linear_solver),
                          settings.place);

  int nonholonomic = model.nlambda - model.holonomic_row_count();
  if (options.json) {
    nlohmann::ordered_json redundant = nlohmann::ordered_json::array(),
                           nominal = nlohmann::ordered_json::object();
    for (const NominalValue& v : loaded.nominal.values) nominal[v.target] = json_number(v.value);
    for (const RedundantRow& row : report.redundant)
      redundant.push_back({{"row", row.label}, {"depends_on", row.depends_on}});
    const nlohmann::ordered_json json = {{"model", model.name},
                                         {"parts", model.parts.size() - 1},
                                         {"joints", model.joints.size()},
                                         {"forces", model.forces.size()},
                                         {"sensors", model.sensors.size()},
                                         {"channels", outputs.channels().size()},
                                         {"controllers", model.controllers.size()},
                                         {"position_coordinates", model.nx},
                                         {"velocity_coordinates", model.nz},
                                         {"inner_states", model.nc},
                                         {"algebraic_variables", model.nw},
                                         {"constraints", model.nlambda},
                                         {"nonholonomic_constraints", nonholonomic},
                                         {"rank", report.rank},
                                         {"degrees_of_freedom", report.degrees_of_freedom},
                                         {"redundant", redundant},
                                         {"nominal", nominal},
                                         {"assembly",
                                          {{"iterations", report.position_iterations},
                                           {"largest_change", report.position_change},
                                           {"residual", report.position_residual}}}};
    fmt::print("{}\n", json.dump(2));
    return 0;
  }
  fmt::print("{}: no mistakes found\n", options.scenario);
  fmt::print("model                  {}\n", model.name);
  fmt::print("parts                  {}\n", model.parts.size() - 1);
  fmt::print("joints                 {}\n", model.joints.size());
  fmt::print("forces                 {}\n", model.forces.size());
  fmt::print("sensors, controllers   {}, {}\n", model.sensors.size(), model.controllers.size());
  fmt::print("coordinates            {} position, {} velocity, {} inner, {} algebraic\n", model.nx, model.nz,
             model.nc, model.nw);
  fmt::print("constraints            {}{}\n", model.nlambda,
             nonholonomic > 0 ? fmt::format(" ({} nonholonomic)", nonholonomic) : "");
  fmt::print("independent            {}\n", report.rank);
  fmt::print("degrees of freedom     {}\n", report.degrees_of_freedom);
  for (const NominalValue& v : loaded.nominal.values)
    fmt::print("nominal                {} = {:.9g}\n", v.target, v.value);
  if (!loaded.nominal.values.empty())
    fmt::print("nominal                {:.1e} N or Nm left, {} of {} values not determined\n",
               loaded.nominal.residual, loaded.nominal.undetermined, loaded.nominal.values.size());
  fmt::print("assembly               {} iterations, largest change {:.3g}, residual {:.2g}\n",
             report.position_iterations, report.position_change, report.position_residual);
  for (const RedundantRow& row : report.redundant) {
    fmt::print("redundant              {}\n", row.label);
    for (const std::string& partner : row.depends_on) fmt::print("                       with {}\n", partner);
  }
  fmt::print(stderr, "next: monocoque run {}\n", options.scenario);
  return 0;
}

}  // namespace monocoque

#include <map>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "apps/command.h"
#include "apps/common.h"
#include "apps/exit_status.h"
#include "apps/options.h"
#include "dynamics/workspace.h"
#include "elements/registry.h"
#include "integrate/consistent.h"
#include "integrate/integrator.h"
#include "io/files/text_source.h"
#include "io/tire/tir.h"
#include "results/outputs.h"

namespace monocoque {

namespace {

struct CheckOptions : ModelOptions, PrintOptions {};

/// Tyre property files of the model by name, each once. The tires have read them before: they are in order.
std::map<std::string, io::TirFile> tire_files(const io::ModelSpec& model) {
  std::map<std::string, io::TirFile> files;
  for (const io::InteractSpec& s : model.interacts) {
    if (!has_role(s.type, io::Role::tir_file)) continue;
    const std::string path = io::beside(s.parameters.place("file").file, s.parameters.text("file"));
    if (files.count(path) == 0) files.emplace(path, io::read_tir(path));
  }
  return files;
}

/// Names or sentences in lines of a readable width, the first behind `head`.
void print_list(const std::string& head, const std::vector<std::string>& words) {
  if (words.empty()) return;
  constexpr std::size_t kWidth = 110;
  std::string line = fmt::format("{:<23}", head);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string word = words[i] + (i + 1 < words.size() ? ", " : "");
    if (line.size() + word.size() > kWidth) {
      line.pop_back();  // blank behind the comma
      fmt::print("{}\n", line);
      line = fmt::format("{:<23}", "");
    }
    line += word;
  }
  fmt::print("{}\n", line);
}

std::vector<std::string> assumptions(const io::TirFile& file) {
  std::vector<std::string> out;
  for (const io::TirAssumption& a : file.assumed) out.push_back(fmt::format("{} = {:g}", a.key, a.value));
  return out;
}

std::vector<std::string> warnings(const io::TirFile& file) {
  std::vector<std::string> out;
  for (const Diagnostic& d : file.warnings.list()) out.push_back(d.text());
  return out;
}

int execute(const CheckOptions& options) {
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
  const std::map<std::string, io::TirFile> tires = tire_files(loaded.spec.model);
  if (options.json) {
    nlohmann::ordered_json tire_json = nlohmann::ordered_json::object();
    for (const auto& [path, file] : tires)
      tire_json[path] = {
          {"unused", file.unused}, {"assumed", assumptions(file)}, {"warnings", warnings(file)}};
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
                                         {"tire_files", tire_json},
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
  for (const auto& [path, file] : tires) {
    fmt::print("tire file              {}\n", path);
    print_list("  not used", file.unused);
    print_list("  assumed", assumptions(file));
    for (const std::string& warning : warnings(file)) fmt::print("  {}\n", warning);
  }
  if (!options.quiet) fmt::print(stderr, "next: monocoque run {}\n", options.scenario);
  return 0;
}

void declare(CLI::App& app, CheckOptions& o) {
  add_model(app, o);
  add_print(app, o);
}

}  // namespace

Command check_command() {
  return make_command("check", "read a model, report every mistake, count its degrees of freedom", declare,
                      execute);
}

}  // namespace monocoque

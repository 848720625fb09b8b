// `monocoque linearize`: a model as a linear system with named inputs and outputs.

#include <filesystem>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "analysis/linear/linear_system.h"
#include "apps/command.h"
#include "apps/exit_status.h"
#include "apps/linear_commands.h"
#include "apps/options.h"
#include "io/files/text_source.h"
#include "results/mat_file.h"

namespace monocoque {

namespace {

using Json = nlohmann::ordered_json;

struct LinearizeOptions : ModelOptions, ResultOptions {
  std::vector<std::string> inputs, outputs;
  StateOptions state;
};

struct NamedMatrix {
  const char* name;
  const MatX* matrix;
  const std::vector<std::string>*rows, *columns;
};

struct Labels {
  std::vector<std::string> states, positions, inner, inputs, outputs, input_units, output_units;
};

Labels labels_of(const analysis::StateSpace& s, const analysis::LinearSystem& system) {
  Labels out;
  out.states = s.states;
  const auto inner = static_cast<std::ptrdiff_t>(s.positions) + s.velocities;
  out.positions.assign(s.states.begin(), s.states.begin() + s.positions);
  out.inner.assign(s.states.begin() + inner, s.states.end());
  for (const analysis::LinearInput& u : system.inputs) {
    out.inputs.push_back(u.name);
    out.input_units.push_back(u.unit);
  }
  for (const Channel& c : system.outputs) {
    out.outputs.push_back(c.path);
    out.output_units.push_back(c.unit);
  }
  return out;
}

std::vector<NamedMatrix> matrices_of(const analysis::StateSpace& s, const Labels& names) {
  std::vector<NamedMatrix> list = {{"A", &s.A, &names.states, &names.states},
                                   {"B", &s.B, &names.states, &names.inputs},
                                   {"C", &s.C, &names.outputs, &names.states},
                                   {"D", &s.D, &names.outputs, &names.inputs}};
  if (s.D_rate.size() > 0 && !s.D_rate.isZero(0))
    list.push_back({"D_rate", &s.D_rate, &names.outputs, &names.inputs});
  if (s.D_acceleration.size() > 0 && !s.D_acceleration.isZero(0))
    list.push_back({"D_acceleration", &s.D_acceleration, &names.outputs, &names.inputs});
  if (s.M.size() > 0) {
    list.push_back({"Mass", &s.M, &names.positions, &names.positions});
    list.push_back({"Damping", &s.D_r, &names.positions, &names.positions});
    list.push_back({"Stiffness", &s.K, &names.positions, &names.positions});
    list.push_back({"InnerForce", &s.L, &names.positions, &names.inner});
    list.push_back({"InputForce", &s.F, &names.positions, &names.inputs});
  }
  return list;
}

Json json_of(const MatX& m) {
  Json rows = Json::array();
  for (Eigen::Index i = 0; i < m.rows(); ++i) {
    Json row = Json::array();
    for (Eigen::Index k = 0; k < m.cols(); ++k) row.push_back(json_number(m(i, k)));
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string csv_quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

/// One line per entry that is not zero.
std::string csv_of(const std::vector<NamedMatrix>& list) {
  std::string out = "matrix,row,column,row_name,column_name,value\n";
  for (const NamedMatrix& m : list)
    for (Eigen::Index i = 0; i < m.matrix->rows(); ++i)
      for (Eigen::Index k = 0; k < m.matrix->cols(); ++k)
        if (const double v = (*m.matrix)(i, k); v != 0)
          out += fmt::format("{},{},{},{},{},{:.17g}\n", m.name, i + 1, k + 1,
                             csv_quoted((*m.rows)[static_cast<std::size_t>(i)]),
                             csv_quoted((*m.columns)[static_cast<std::size_t>(k)]), v);
  return out;
}

int execute(const LinearizeOptions& o) {
  LinearModel m = linear_model(o.scenario, o.overrides, o.state);
  const std::vector<analysis::LinearInput> inputs =
      analysis::choose_inputs(m.loaded.spec.model, m.model(), o.inputs);
  std::vector<std::string> patterns = o.outputs;
  if (patterns.empty()) {  // the sensors: what the author of the model looks at
    for (const SensorInstance& s : m.model().sensors)
      for (const Sensor::Output& out : s.sensor->outputs())
        patterns.push_back(out.name.empty() ? s.name : s.name + "/" + out.name);
    if (patterns.empty()) patterns.push_back("*/position/*");
  }
  OutputSet outputs(m.model(), patterns, linear_solver_kind(m.run->settings().linear_solver),
                    Place{"--outputs"});
  const analysis::LinearSystem system =
      analysis::linear_system(m.run->workspace(), m.run->state(), m.l, inputs, outputs);
  const analysis::StateSpace space = analysis::state_space(m.l, system);
  const Labels names = labels_of(space, system);
  const std::vector<NamedMatrix> list = matrices_of(space, names);
  Json json = {{"model", m.model().name},
               {"time_s", json_number(m.run->state().t)},
               {"state", kind_of_state(m.l)},
               {"largest_acceleration", json_number(m.l.largest_acceleration)},
               {"analytic_against_differences", json_number(system.deviation)},
               {"states", names.states},
               {"inputs", names.inputs},
               {"input_units", names.input_units},
               {"outputs", names.outputs},
               {"output_units", names.output_units}};
  for (const NamedMatrix& matrix : list) json[matrix.name] = json_of(*matrix.matrix);
  if (!o.output.empty()) {
    const std::string ending = std::filesystem::path(o.output).extension().string();
    if (ending == ".mat") {
      MatFile file("monocoque, " + m.model().name);
      for (const NamedMatrix& matrix : list) file.add(matrix.name, *matrix.matrix);
      file.add("states", names.states);
      file.add("inputs", names.inputs);
      file.add("input_units", names.input_units);
      file.add("outputs", names.outputs);
      file.add("output_units", names.output_units);
      file.add("model", m.model().name);
      file.write(o.output);
    } else if (ending == ".json") {
      io::write_text_file(o.output, json.dump(2) + "\n");
    } else if (ending == ".csv") {
      io::write_text_file(o.output, csv_of(list));
    } else {
      throw Error("-o", fmt::format("'{}' has an unknown ending", o.output), "it is .mat, .json or .csv");
    }
  }
  if (!o.plot.empty()) plot_eigenvalues(m.model().name, analysis::modes_of(m.model(), m.l), o.plot);
  if (o.json) {
    fmt::print("{}\n", json.dump(2));
    return 0;
  }
  fmt::print("{}", remark_on_state(m.l, m.run->state().t));
  fmt::print("{} states ({} positions, {} velocities, {} inner), {} inputs, {} outputs\n",
             names.states.size(), space.positions, space.velocities, names.inner.size(), names.inputs.size(),
             names.outputs.size());
  fmt::print("analytic state matrix against differences: {:.1e} of its largest entry\n", system.deviation);
  const auto show = [](const char* what, const std::vector<std::string>& list_of,
                       const std::vector<std::string>* units) {
    fmt::print("{}\n", what);
    for (std::size_t i = 0; i < list_of.size(); ++i)
      fmt::print("  {:3}  {}{}\n", i + 1, list_of[i], units ? fmt::format(" [{}]", (*units)[i]) : "");
  };
  show("states", names.states, nullptr);
  show("inputs", names.inputs, &names.input_units);
  show("outputs", names.outputs, &names.output_units);
  if (!o.quiet)
    fmt::print(stderr, "{}\n",
               o.output.empty() ? "next: -o FILE.mat, .json or .csv writes the matrices"
                                : "next: transfer functions: monocoque bode MODEL --input A --output B");
  return 0;
}

void declare(CLI::App& app, LinearizeOptions& o) {
  add_model(app, o);
  app.add_option("--inputs", o.inputs,
                 "patterns with *: signals, controllers, road/TIRE, PART.frame/force/x; default: "
                 "named signals, controllers, roads")
      ->delimiter(',');
  app.add_option("--outputs", o.outputs, "channel patterns with *; default: all sensors")->delimiter(',');
  add_state(app, o.state);
  add_results(app, o, "matrices: .mat (MATLAB), .json or .csv", "folder for eigenvalues.svg");
}

}  // namespace

Command linearize_command() {
  return make_command("linearize",
                      "a model as a linear system: A, B, C, D and mass, damping, stiffness, with names",
                      declare, execute);
}

}  // namespace monocoque

#pragma once
// For tests of whole runs: a model from a file or from text, a run, its final values by channel path, and the
// order of a method measured from errors at halved steps.

#include <cmath>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "elements/registry.h"
#include "integrate/nominal.h"
#include "integrate/simulation.h"
#include "io/model/reader.h"

#include "support/paths.h"
#include "support/verify_row.h"

namespace monocoque::test {

struct Loaded {
  io::ScenarioSpec spec;
  std::unique_ptr<const Model> model;
};

inline Loaded finish(io::ScenarioSpec spec, Diagnostics& diagnostics) {
  diagnostics.throw_if_errors();
  Loaded out;
  out.spec = std::move(spec);
  solve_nominal(out.spec.model);
  out.model = build_model(out.spec.model);
  return out;
}

/// Pairs path, value as of --set.
using Overrides = std::vector<std::pair<std::string, std::string>>;

inline Loaded load_file(const std::string& path, const Overrides& overrides = {}) {
  Diagnostics diagnostics;
  io::ReadOptions options;
  options.overrides = overrides;
  auto spec = io::read_scenario(path, element_library(), options, diagnostics);
  return finish(std::move(spec), diagnostics);
}

/// A file below the folder models.
inline Loaded load_model(const std::string& file, const Overrides& overrides = {}) {
  return load_file(source_dir() + "/models/" + file, overrides);
}

inline Loaded load_text(const std::string& text) {
  Diagnostics diagnostics;
  auto spec = io::read_scenario_text(text, "test.yaml", element_library(), {}, diagnostics);
  return finish(std::move(spec), diagnostics);
}

inline io::SimulationSpec ida(double end_s, double tolerance, const std::string& level = kStabilised) {
  io::SimulationSpec s;
  s.solver = "ida";
  s.constraints = level;
  s.relative_tolerance = tolerance;
  s.absolute_tolerance = tolerance;
  s.end_s = end_s;
  s.output_step_s = end_s;
  return s;
}

inline io::SimulationSpec fixed_step(const std::string& method, double end_s, double step_s,
                                     const std::string& level = {}, const std::string& stabilisation = {}) {
  io::SimulationSpec s;
  s.solver = method;
  s.constraints = level;
  s.stabilisation = stabilisation;
  s.end_s = end_s;
  s.step_s = step_s;
  s.output_step_s = end_s;
  return s;
}

using Values = std::map<std::string, double>;

struct Outcome {
  Values final;
  RunSummary summary;
  State state;
};

inline Outcome run(const Loaded& loaded, const io::SimulationSpec& settings) {
  Simulation simulation(*loaded.model, settings);
  Outcome out;
  out.summary = simulation.run();
  for (const auto& [channel, value] : out.summary.final_values) out.final[channel.path] = value;
  out.state = simulation.state();
  return out;
}

/// Largest deviation from expected final values; a missing channel is infinitely wrong.
inline double largest_error(const Values& final, const Values& expected) {
  double worst = 0;
  for (const auto& [path, value] : expected) {
    const auto it = final.find(path);
    worst = std::max(worst, it == final.end() ? INFINITY : std::abs(it->second - value));
  }
  return worst;
}

/// One line of the table the suites print.
inline void report(const std::string& problem, const std::string& method, double error) {
  verify_row("Published problems and closed forms", problem, method, "", "see the test", error,
             "largest coordinate, absolute");
}

inline std::string method_name(const io::SimulationSpec& s) {
  return fmt::format("{} {} {}", s.solver, s.constraints, s.stabilisation);
}

/// Runs with every step, `error` of an outcome; returns the order between the last two steps.
template <class Error>
double measured_order(const std::string& problem, const Loaded& loaded, io::SimulationSpec settings,
                      const std::vector<double>& steps, double* finest, Error error) {
  double previous = 0, order = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    settings.step_s = steps[i];
    const double e = error(run(loaded, settings));
    if (i > 0) order = std::log(previous / e) / std::log(steps[i - 1] / steps[i]);
    std::cout << fmt::format("  {:<28} {:<44} step {:.3e} error {:.2e}{}\n", problem, method_name(settings),
                             steps[i], e, i > 0 ? fmt::format(" order {:.2f}", order) : "");
    previous = e;
  }
  if (finest != nullptr) *finest = previous;
  return order;
}

/// Order from three runs at h, h/2, h/4 by their differences in positions and velocities: where the reference
/// has too few digits, or errors of different sign meet at the end.
inline double self_order(const std::string& problem, const Loaded& loaded, io::SimulationSpec settings,
                         double h) {
  State s[3];
  for (int i = 0; i < 3; ++i) {
    settings.step_s = h / (1 << i);
    s[i] = run(loaded, settings).state;
  }
  const double speed = s[2].z.lpNorm<Eigen::Infinity>();
  double d[2];
  for (int i = 0; i < 2; ++i)
    d[i] = std::hypot((s[i].x - s[i + 1].x).norm(), (s[i].z - s[i + 1].z).norm() / speed);
  const double order = std::log2(d[0] / d[1]);
  std::cout << fmt::format("  {:<28} {:<44} step {:.3e} differences {:.2e} {:.2e} order {:.2f}\n", problem,
                           method_name(settings), h, d[0], d[1], order);
  return order;
}

}  // namespace monocoque::test

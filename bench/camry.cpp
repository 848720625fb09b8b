// Cost of a step of a vehicle, thread CPU time, the best of several runs of the same steps.
//   bench_camry                                         the rigid Camry, Jacobians and linear solvers
//   bench_camry FILE STEP_S JACOBIAN PATH [STEPS [OUT]]  one model; the last state is written to OUT
// Parameters of the model are set by the environment: MONOCOQUE_SET="speed_m_per_s=20
// simulation.step_s=0.01".

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>

#include "support.h"

namespace monocoque::bench {
namespace {

constexpr int kRuns = 9;
constexpr double kEnd = 1000;

io::ScenarioSpec scenario(const std::string& file) {
  io::ReadOptions options;
  if (const char* set = std::getenv("MONOCOQUE_SET")) {
    std::istringstream words(set);
    for (std::string word; words >> word;) {
      const std::size_t equals = word.find('=');
      if (equals == std::string::npos) throw Error("MONOCOQUE_SET", word + " has no '='", "");
      options.overrides.emplace_back(word.substr(0, equals), word.substr(equals + 1));
    }
  }
  Diagnostics diagnostics;
  io::ScenarioSpec spec = io::read_scenario(file, element_library(), options, diagnostics);
  diagnostics.throw_if_errors();
  return spec;
}

struct Cost {
  double cpu_us = std::numeric_limits<double>::infinity();
  int unknowns = 0, states = 0, constraints = 0;
  State last;
};

void steps(Simulation& simulation, double h, int count) {
  const double begin = simulation.state().t;
  for (int i = 1; i <= count; ++i)
    if (simulation.step_to(begin + i * h) != StepStatus::ok)
      throw Error("bench", fmt::format("step {} failed", i), "");
}

Cost measure(const Model& model, io::SimulationSpec settings, int count) {
  settings.end_s = kEnd;
  settings.outputs = {"energy/total"};
  Simulation simulation(model, settings);
  Cost cost;
  cost.states = model.nx + model.nz + model.nc;
  cost.constraints = model.nlambda;
  cost.unknowns = SystemLayout::count(model, SystemKind::iteration);
  steps(simulation, settings.step_s, 20);  // past the first factorisation, which orders the matrix
  const State begin = simulation.state();
  for (int run = 0; run < kRuns; ++run) {
    simulation.state() = begin;
    simulation.integrator().start(begin);
    const StopWatch watch;
    steps(simulation, settings.step_s, count);
    cost.cpu_us = std::min(cost.cpu_us, 1e6 * watch.elapsed().cpu_s / count);
  }
  cost.last = simulation.state();
  return cost;
}

void print(const std::string& name, const io::SimulationSpec& s, const Cost& c) {
  fmt::print("| {} | {} | {} | {:g} | {} | {} | {} | {:.2f} | {:.4f} |\n", name, s.jacobian, s.linear_solver,
             1e3 * s.step_s, c.states, c.constraints, c.unknowns, c.cpu_us, 1e-6 * c.cpu_us / s.step_s);
  std::fflush(stdout);
}

void header() {
  fmt::print(
      "| model | jacobian | linear solver | step [ms] | states | constraints | unknowns | CPU per step [us] "
      "| "
      "real-time factor |\n|---|---|---|--:|--:|--:|--:|--:|--:|\n");
}

void table() {
  const io::ScenarioSpec spec =
      scenario(std::string(MONOCOQUE_SOURCE_DIR) + "/models/camry/scenarios/straight.yaml");
  const auto model = build_model(spec.model);
  header();
  io::SimulationSpec settings = spec.simulation;
  settings.solver = "linearly-implicit-euler";
  settings.step_s = 1e-3;
  for (const char* path : {"dense", "sparse", "structured"})
    for (const char* jacobian : {"full", "applied-forces", "simplified", "constant", "constant-matrix"}) {
      settings.linear_solver = path;
      settings.jacobian = jacobian;
      print("camry", settings, measure(*model, settings, 1000));
    }
}

void single(int argc, char** argv) {
  const io::ScenarioSpec spec = scenario(argv[1]);
  const auto model = build_model(spec.model);
  io::SimulationSpec settings = spec.simulation;
  settings.solver = "linearly-implicit-euler";
  settings.step_s = std::atof(argv[2]);
  settings.jacobian = argv[3];
  settings.linear_solver = argv[4];
  const Cost cost = measure(*model, settings, argc > 5 ? std::atoi(argv[5]) : 1000);
  header();
  print(spec.model.name, settings, cost);
  if (argc <= 6) return;
  std::ofstream out(argv[6]);
  for (const VecX* v : {&cost.last.x, &cost.last.z, &cost.last.c, &cost.last.lambda, &cost.last.w})
    for (const double x : *v) out << fmt::format("{:.17g}\n", x);
}

}  // namespace
}  // namespace monocoque::bench

int main(int argc, char** argv) {
  using namespace monocoque;
  using namespace monocoque::bench;
  try {
    if (argc == 1) {
      table();
    } else if (argc >= 5 && argc <= 7) {
      single(argc, argv);
    } else {
      fmt::print(stderr, "usage: bench_camry [FILE STEP_S JACOBIAN PATH [STEPS [OUT]]]\n");
      return 2;
    }
    return 0;
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", e.what());
    return 1;
  }
}

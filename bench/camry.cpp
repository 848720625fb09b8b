// Cost of a step of a vehicle, thread CPU time, the best of several runs of the same steps.
//   bench_camry                                         the rigid Camry, Jacobians and linear solvers
//   bench_camry FILE STEP_S JACOBIAN PATH [STEPS [OUT]]  one model; the last state is written to OUT
//   bench_camry solve FILE STEP_S                       factorisation and solution alone: dense LU of Eigen,
//   and
//                                                       structured with elastic coordinates condensed
// Parameters of the model are set by the environment: MONOCOQUE_SET="speed_m_per_s=20
// simulation.step_s=0.01".

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>

#include <Eigen/LU>

#include "dynamics/condensation.h"
#include "dynamics/constraints.h"
#include "solve/structured_solver.h"
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

template <class Work>
double best_us(int count, Work&& work) {
  double best = std::numeric_limits<double>::infinity();
  for (int run = 0; run < kRuns; ++run) {
    const StopWatch watch;
    for (int i = 0; i < count; ++i) work();
    best = std::min(best, 1e6 * watch.elapsed().cpu_s / count);
  }
  return best;
}

/// The matrix of a step with the simplified Jacobian, after some steps.
void solve_alone(const std::string& file, double h) {
  const io::ScenarioSpec spec = scenario(file);
  const auto model = build_model(spec.model);
  io::SimulationSpec settings = spec.simulation;
  settings.solver = "linearly-implicit-euler";
  settings.jacobian = "simplified";
  settings.linear_solver = "structured";
  settings.step_s = h;
  settings.end_s = kEnd;
  settings.outputs = {"energy/total"};
  Simulation simulation(*model, settings);
  steps(simulation, h, 10);
  Workspace& ws = simulation.workspace();
  const State& s = simulation.state();
  evaluate(ws, s);
  const ConstraintLevel level = ConstraintLevel::velocity;
  const TangentWeights k = TangentWeights::of_step({1 / h, 1, h, 1 / h}, level);
  JacobianTerms terms;
  terms.reactions = terms.inertia = false;
  const VecX z_dot = VecX::Zero(model->nz);

  const SystemLayout whole(*model, SystemKind::iteration, true);
  BlockMatrix A(whole.pattern());
  assemble_iteration(ws, s, z_dot, k, level, whole, A, terms);
  const MatX M = A.to_dense();
  VecX rhs(whole.size()), x(whole.size()), y(whole.size());
  for (Eigen::Index i = 0; i < rhs.size(); ++i) rhs[i] = std::sin(1.0 + static_cast<double>(i));
  Eigen::PartialPivLU<MatX> lu(whole.size());
  const int count = std::max(1, 20000 / whole.size());
  const double dense_us = best_us(std::max(1, count / 20), [&] {
    lu.compute(M);
    x = lu.solve(rhs);
  });

  const SystemLayout layout(*model, SystemKind::iteration, false, Condensation::parts(ws));
  BlockMatrix B(layout.pattern()), C(layout.pattern());
  Condensation condensation(ws, layout);
  StructuredSolver solver(layout.pattern());
  VecX reduced = VecX::Zero(layout.size());
  assemble_iteration(ws, s, z_dot, k, level, layout, B, terms);
  const double structured_us = best_us(count, [&] {
    std::copy_n(B.values(), layout.pattern().nonzeros(), C.values());
    condensation.assemble(ws, k, level, C);
    if (!solver.factor(C)) throw Error("bench", "singular", "");
    y = rhs;
    condensation.reduce(y, reduced);
    solver.solve(reduced);
    condensation.expand(reduced, y);
  });
  fmt::print(
      "| unknowns | dense LU [us] | {} of {} [us] | ratio | largest difference |\n|--:|--:|--:|--:|--:|\n",
      solver.name(), layout.size());
  fmt::print("| {} | {:.1f} | {:.1f} | {:.1f} | {:.1e} |\n", whole.size(), dense_us, structured_us,
             dense_us / structured_us, (x - y).cwiseAbs().maxCoeff() / x.cwiseAbs().maxCoeff());
}

}  // namespace
}  // namespace monocoque::bench

int main(int argc, char** argv) {
  using namespace monocoque;
  using namespace monocoque::bench;
  try {
    if (argc == 1) {
      table();
    } else if (argc == 4 && std::string(argv[1]) == "solve") {
      solve_alone(argv[2], std::atof(argv[3]));
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

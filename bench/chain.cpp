// Cost of a step against the number of bodies: a chain of rods with hinges about y and z in turn.
//   bench_chain                          the whole table; fails when the sparse path grows faster than N^1.1
//   bench_chain METHOD LINKS PATH STEPS  one run, for a profiler

#include <cmath>
#include <cstdlib>

#include <algorithm>
#include <limits>
#include <vector>

#include "measure/benchmark.h"
#include "support.h"

namespace monocoque::bench {
namespace {

constexpr double kStep = 1e-3;
constexpr double kLargestExponent = 1.1;
constexpr int kRuns = 7;

struct Row {
  measure::Times per_step, setup;
  double factorisations = 0;
};

io::SimulationSpec settings_of(const std::string& method, const std::string& path) {
  io::SimulationSpec s;
  s.solver = method;
  s.linear_solver = path;
  s.step_s = kStep;
  s.end_s = 1000;
  s.outputs = {"energy/total"};
  return s;
}

void steps(Simulation& simulation, int count) {
  for (int i = 0; i < count; ++i)
    if (simulation.step_to(simulation.state().t + kStep) != StepStatus::ok)
      throw Error("bench", fmt::format("step {} failed", i), "");
}

/// The same steps from the same state several times; the best run counts.
Row measure(const Model& model, const std::string& method, const std::string& path) {
  Row row;
  const measure::StopWatch setup;
  Simulation simulation(model, settings_of(method, path));
  row.setup = setup.elapsed();
  steps(simulation, 3);  // past the first factorisation, which orders the matrix
  const State begin = simulation.state();
  const int links = static_cast<int>(model.parts.size()) - 1;
  const int count = std::max(10, 4000 / links);
  row.per_step = {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  for (int run = 0; run < kRuns; ++run) {
    simulation.state() = begin;
    simulation.integrator().start(begin);
    steps(simulation, 2);  // a multistep method begins with other steps
    const long before = simulation.integrator().counts().factorisations;
    const measure::StopWatch watch;
    steps(simulation, count);
    const measure::Times t = watch.elapsed();
    row.per_step.cpu_s = std::min(row.per_step.cpu_s, t.cpu_s / count);
    row.per_step.wall_s = std::min(row.per_step.wall_s, t.wall_s / count);
    row.factorisations =
        static_cast<double>(simulation.integrator().counts().factorisations - before) / count;
  }
  return row;
}

int table() {
  struct Growth {
    std::string method;
    std::vector<double> links, cpu, setup;
  };
  std::vector<Growth> growths;
  fmt::print(
      "| links | method | path | CPU per step [us] | wall [us] | CPU per step and link [us] | "
      "factorisations per step | setup CPU [s] |\n|--:|---|---|--:|--:|--:|--:|--:|\n");
  for (const std::string method : {"linearly-implicit-euler", "rk4", "bdf2"})
    growths.push_back({method, {}, {}, {}});
  for (const int links : {10, 30, 100, 300, 1000}) {
    const auto model = model_from_text(chain_text({links, 0.1, 0.1, true}), "chain");
    for (Growth& growth : growths)
      for (const std::string path : {"sparse", "dense"}) {
        if (path == "dense" && links > 100) continue;
        const Row row = measure(*model, growth.method, path);
        fmt::print("| {} | {} | {} | {:.1f} | {:.1f} | {:.2f} | {:.2f} | {:.3f} |\n", links, growth.method,
                   path, 1e6 * row.per_step.cpu_s, 1e6 * row.per_step.wall_s,
                   1e6 * row.per_step.cpu_s / links, row.factorisations, row.setup.cpu_s);
        std::fflush(stdout);
        if (path != "sparse" || links < 100) continue;
        growth.links.push_back(links);
        growth.cpu.push_back(row.per_step.cpu_s);
        growth.setup.push_back(row.setup.cpu_s);
      }
  }
  int status = EXIT_SUCCESS;
  fmt::print(
      "\nGrowth of the sparse path between 100 and 1000 links, CPU ~ N^p (at most {}):\n\n"
      "| method | p of a step | p of the setup |\n|---|--:|--:|\n",
      kLargestExponent);
  for (const Growth& g : growths) {
    const double p = measure::growth_exponent(g.links, g.cpu);
    fmt::print("| {} | {:.3f} | {:.3f} |\n", g.method, p, measure::growth_exponent(g.links, g.setup));
    if (!(p <= kLargestExponent)) status = EXIT_FAILURE;
  }
  return status;
}

}  // namespace
}  // namespace monocoque::bench

int main(int argc, char** argv) {
  using namespace monocoque;
  using namespace monocoque::bench;
  try {
    if (argc == 1) return table();
    if (argc != 5) {
      fmt::print(stderr, "usage: bench_chain [METHOD LINKS PATH STEPS]\n");
      return 2;
    }
    const auto model = model_from_text(chain_text({std::atoi(argv[2]), 0.1, 0.1, true}), "chain");
    const measure::StopWatch setup;
    Simulation simulation(*model, settings_of(argv[1], argv[3]));
    const measure::Times start = setup.elapsed();
    const int count = std::atoi(argv[4]);
    const measure::StopWatch watch;
    steps(simulation, count);
    const measure::Times t = watch.elapsed();
    fmt::print("setup {:.3f} s CPU, {:.3f} s wall; {:.2f} us CPU and {:.2f} us wall per step\n", start.cpu_s,
               start.wall_s, 1e6 * t.cpu_s / count, 1e6 * t.wall_s / count);
    return 0;
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", e.what());
    return 1;
  }
}

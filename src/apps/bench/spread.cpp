// How much the cost of single steps differs over a long drive, and the cost of a user's model.

#include <sys/resource.h>

#include <algorithm>
#include <fstream>

#include <fmt/format.h>

#include "apps/bench/cars.h"

namespace monocoque::bench {

namespace {

constexpr double kDrive_s = 600, kQuickDrive_s = 20;
constexpr double kTimes = 3;  ///< the rarest steps may take so many times the median

long preemptions() {
  rusage usage;
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nivcsw + usage.ru_nvcsw;
}

struct Steps {
  std::vector<double> us, preempted_us;
};

/// CPU times of the steps of a run, each with its share of controllers and bookkeeping.
Steps drive(const Model& model, io::SimulationSpec s, double end_s) {
  s.end_s = end_s;
  s.output_step_s = end_s;
  s.outputs = {"energy/total"};
  Simulation simulation(model, s);
  Steps out;
  const auto expected = static_cast<std::size_t>(end_s / s.step_s) + 1000;
  out.us.reserve(expected);
  out.preempted_us.reserve(expected);
  long switches = preemptions();
  measure::StopWatch watch;
  RunHooks hooks;
  // Called after every step.
  hooks.interrupted = [&] {
    const double us = 1e6 * watch.elapsed().cpu_s;
    const long now = preemptions();
    (now == switches ? out.us : out.preempted_us).push_back(us);
    switches = now;
    watch = measure::StopWatch();
    return interrupt_requested();
  };
  simulation.run(hooks);
  return out;
}

/// A computation that is always the same, of about so many microseconds: what the machine adds to a step.
std::vector<double> fixed_work(double us, std::size_t count) {
  // Each goes on from the last, otherwise the compiler would do it once for all.
  double x = 2;
  const auto work = [&x](int turns) {
    for (int i = 0; i < turns; ++i) x = x * 0.9999 + 1e-4;
  };
  const measure::StopWatch trial;
  work(100000);
  const int turns = static_cast<int>(100000 * us / (1e6 * trial.elapsed().cpu_s));
  std::vector<double> out;
  out.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const measure::StopWatch watch;
    work(turns);
    out.push_back(1e6 * watch.elapsed().cpu_s);
  }
  if (x == 0) out.clear();  // it is used: the work cannot be left out
  return out;
}

}  // namespace

void spread(Bench& bench) {
  const double end_s = bench.quick() ? kQuickDrive_s : kDrive_s;
  Table table{
      "Spread of the cost of a step",
      {"model", "step [ms]", "steps", "median [us]", "99 % [us]", "99.9 % [us]", "99.9 % over median",
       "largest [us]", "preempted steps", "largest of these [us]"},
      {},
      fmt::format("{:g} s over the random road, speed held, settings of real time. CPU time of the thread, a "
                  "step with its share of the "
                  "controller; steps during which the thread was taken off its core are counted apart.",
                  end_s)};
  for (const double step_s : {1e-2, 1e-3}) {
    bench.check_interrupt();
    bench.say(fmt::format("spread: {:g} ms", 1e3 * step_s));
    const LoadedScenario car = load_scenario(shipped_model("camry/scenarios/random-road-flexible.yaml"), {});
    const io::SimulationSpec s = real_time(car.spec.simulation, step_s);
    Steps steps = drive(*car.model, s, end_s);
    bench.check_interrupt();
    const double median = measure::quantile(steps.us, 0.5), rare = measure::quantile(steps.us, 0.999);
    table.add({car.model->name, Cell(1e3 * step_s, "{:g}"), static_cast<int>(steps.us.size()),
               Cell(median, "{:.2f}"), Cell(measure::quantile(steps.us, 0.99), "{:.2f}"),
               Cell(rare, "{:.2f}"), Cell(rare / median, "{:.2f}"),
               Cell(steps.us.empty() ? 0 : steps.us.back(), "{:.1f}"),
               static_cast<int>(steps.preempted_us.size()),
               Cell(measure::quantile(steps.preempted_us, 1), "{:.1f}")});
    std::vector<double> fixed = fixed_work(median, steps.us.size());
    const double fixed_median = measure::quantile(fixed, 0.5), fixed_rare = measure::quantile(fixed, 0.999);
    table.add({"a fixed computation", "-", static_cast<int>(fixed.size()), Cell(fixed_median, "{:.2f}"),
               Cell(measure::quantile(fixed, 0.99), "{:.2f}"), Cell(fixed_rare, "{:.2f}"),
               Cell(fixed_rare / fixed_median, "{:.2f}"), Cell(measure::quantile(fixed, 1), "{:.1f}"), "-",
               "-"});
    bench.figures().note("the same of a fixed computation as long as the median: what the machine adds", "-",
                         fmt::format("{:.3g}", fixed_rare / fixed_median));
    bench.time_at_most(
        fmt::format("{:g} s of driving at {:g} ms: 99.9 % of the steps over the median", end_s, 1e3 * step_s),
        "-", rare / median, kTimes, "");
  }
  bench.add(table);
}

void one_model(Bench& bench, const std::string& file) {
  const BenchOptions& c = bench.command();
  const LoadedScenario model = load_scenario(file, c.overrides);
  const auto or_own = [](auto list, auto own) {
    if (list.empty()) list.push_back(own);
    return list;
  };
  Table table{model.model->name,
              {"method", "jacobian", "linear solver", "step [ms]", "states", "constraints", "unknowns",
               "factorisations per step", "CPU per step [us]", "wall per step [us]", "real-time factor",
               "runs bit-identical"},
              {},
              {}};
  for (const std::string& solver : or_own(c.solvers, model.spec.simulation.solver)) {
    const IntegratorType& type = find_integrator(solver, Place{"--solver"});
    if (!type.fixed_step)
      throw Error("bench", fmt::format("'{}' chooses its steps itself: they have no one cost", solver),
                  "give a fixed-step method with --solver");
    for (const std::string& jacobian : or_own(c.jacobians, model.spec.simulation.jacobian))
      for (const double step : or_own(c.steps_s, model.spec.simulation.step_s)) {
        bench.check_interrupt();
        io::SimulationSpec s = model.spec.simulation;
        if (solver != s.solver) s.constraints = s.stabilisation = "";
        s.solver = solver;
        s.jacobian = type.explicit_method ? "full" : jacobian;
        s.linear_solver = c.linear_solver;
        s.step_s = step;
        s.step_given = true;
        const measure::StepCost cost = measure::step_cost(*model.model, s,
                                                          {c.steps > 0     ? c.steps
                                                           : bench.quick() ? 100
                                                                           : 1000,
                                                           bench.runs()});
        table.add({solver, type.explicit_method ? "-" : jacobian, s.linear_solver, Cell(1e3 * step, "{:g}"),
                   cost.states, cost.constraints, cost.unknowns, Cell(cost.factorisations, "{:g}"),
                   Cell(1e6 * cost.per_step.cpu_s, "{:.2f}"), Cell(1e6 * cost.per_step.wall_s, "{:.2f}"),
                   Cell(cost.per_step.cpu_s / step, "{:.5f}"), cost.repeats ? "yes" : "no"});
        if (c.state.empty()) continue;
        std::ofstream out(c.state);
        for (const VecX* v : {&cost.last.x, &cost.last.z, &cost.last.c, &cost.last.lambda, &cost.last.w})
          for (const double x : *v) out << fmt::format("{:.17g}\n", x);
      }
  }
  bench.add(table);
}

}  // namespace monocoque::bench

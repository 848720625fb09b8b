// Figure 5.15 of the dissertation: straight ahead at 60 km/h, five models; and the cost against the step.

#include <cmath>
#include <map>

#include <fmt/format.h>

#include "apps/bench/cars.h"

namespace monocoque::bench {

namespace {

struct Row {
  const char *key, *name, *car, *solver, *constraints, *stabilisation, *jacobian;
  double step_s;
  const char* published;
};

constexpr const char *kApart = "camry-flexible-wheels-apart.yaml", *kRotors = "camry-flexible.yaml";
constexpr const char* kRigid = "parts.car.elasticity=off";
constexpr const char* kNoCouplings = "parts.car.inertia_couplings=neglected";
constexpr const char* kRealTime = "real time";  ///< settings of real_time()

const std::vector<Row>& rows() {
  static const std::vector<Row> list = {
      {"index-1", "index-1", kApart, "rk4", "index-1", "baumgarte", "full", 1e-3, "> 3"},
      {"full", "index-2, full", kApart, "linearly-implicit-euler", "", "", "full", 1e-2, "0.73"},
      {"simplified", "index-2, simplified Jacobian", kApart, "linearly-implicit-euler", "", "", "simplified",
       1e-2, "0.66 (-9 %)"},
      {"subsystems", "index-2, generalized subsystems", kRotors, "linearly-implicit-euler", "", "",
       "simplified", 1e-2, "0.47 (-36 %)"},
      {"rigid", "index-2, rigid", kApart, "linearly-implicit-euler", "", "", "simplified", 1e-2,
       "0.22 (30 %)"},
      {"rigid subsystems", "index-2, rigid, generalized subsystems", kRotors, "linearly-implicit-euler", "",
       "", "simplified", 1e-2, "-"},
      {"1 ms", "index-2, generalized subsystems", kRotors, "linearly-implicit-euler", "", "", "simplified",
       1e-3, "-"},
      {"rigid 1 ms", "index-2, rigid, generalized subsystems", kRotors, "linearly-implicit-euler", "", "",
       "simplified", 1e-3, "-"},
      {"rt full", "real time, separate wheels", kApart, kRealTime, "", "", "rigid-forces", 1e-2, "-"},
      {"rt", "real time, generalized subsystems", kRotors, kRealTime, "", "", "rigid-forces", 1e-2, "-"},
      {"rigid rt", "real time, rigid, generalized subsystems", kRotors, kRealTime, "", "", "rigid-forces",
       1e-2, "-"},
      {"rt 1 ms", "real time, generalized subsystems", kRotors, kRealTime, "", "", "rigid-forces", 1e-3, "-"},
      {"rigid rt 1 ms", "real time, rigid, generalized subsystems", kRotors, kRealTime, "", "",
       "rigid-forces", 1e-3, "-"},
  };
  return list;
}

bool rigid(const Row& row) {
  return std::string(row.key).starts_with("rigid");
}

/// The largest step of these with which an explicit method survives two seconds.
double stable_step(const Model& model, io::SimulationSpec settings) {
  for (const double step : {1e-3, 5e-4, 2.5e-4, 2e-4, 1e-4, 5e-5}) {
    settings.step_s = step;
    settings.end_s = 2;
    settings.outputs = {"energy/total"};
    try {
      Simulation(model, settings).run();
      return step;
    } catch (const Error&) {
      if (interrupt_requested()) throw;
    }
  }
  return 0;
}

/// Where the car is after ten seconds of driving ahead.
double distance_after(const Model& model, const io::SimulationSpec& settings) {
  io::SimulationSpec s = settings;
  s.end_s = 10;
  s.output_step_s = s.end_s;
  s.outputs = {"place/*"};
  const RecordedRun run = record_run(model, s);
  return std::hypot(run["place/x"].back(), run["place/y"].back());
}

}  // namespace

void figure_5_15(Bench& bench) {
  Table table{
      "Real-time factors beside figure 5.15",
      {"model", "method", "jacobian", "step [ms]", "velocities", "constraints", "CPU per step [us]",
       "wall per step [us]", "real-time factor", "dissertation", "distance after 10 s [m]"},
      {},
      "Straight ahead at 60 km/h. The dissertation's column: Simulink models on a 3.6 GHz quad core, "
      "averages of 25 runs of 100 s. Real time: Baumgarte instead of projections, forces that take the "
      "body as rigid in the matrix, couplings neglected, a matrix shared by 2 steps at 10 ms (with separate "
      "wheels by "
      "none), by 8 at 1 ms."};
  std::map<std::string, double> cpu_us;
  bool repeats = true;
  for (const Row& row : rows()) {
    bench.check_interrupt();
    bench.say(fmt::format("table: {}, {:g} ms", row.name, 1e3 * row.step_s));
    const bool in_real_time = std::string(row.solver) == kRealTime;
    std::vector<std::string> set;
    if (rigid(row)) set.emplace_back(kRigid);
    if (in_real_time) set.emplace_back(kNoCouplings);
    const LoadedScenario car = straight_car(row.car, set);
    io::SimulationSpec s = car.spec.simulation;
    if (in_real_time) {
      s = real_time(s, row.step_s);
      // A wheel that turns half a radian in a step leaves a shared matrix behind.
      if (row.car == kApart) s.matrix_steps = 1;
    } else {
      s.solver = row.solver;
      s.constraints = row.constraints;
      s.stabilisation = row.stabilisation;
      s.jacobian = row.jacobian;
      s.linear_solver = bench.command().linear_solver;
      s.step_s = row.step_s;
    }
    if (find_integrator(s.solver).explicit_method) s.step_s = stable_step(*car.model, s);
    if (!(s.step_s > 0)) {
      table.add({row.name, row.solver, "-", "-", car.model->nz, car.model->nlambda, "unstable", "-", "-",
                 row.published, "-"});
      continue;
    }
    const measure::StepCost cost =
        measure::step_cost(*car.model, s, {bench.quick() ? 200 : 1000, bench.runs()});
    cpu_us[row.key] = 1e6 * cost.per_step.cpu_s;
    repeats = repeats && cost.repeats;
    const bool as_asked = s.step_s == row.step_s;
    table.add(
        {row.name, s.solver, find_integrator(s.solver).explicit_method ? "-" : row.jacobian,
         as_asked ? Cell(1e3 * s.step_s, "{:g}") : Cell(fmt::format("{:g} (1: unstable)", 1e3 * s.step_s)),
         car.model->nz, car.model->nlambda, Cell(1e6 * cost.per_step.cpu_s, "{:.2f}"),
         Cell(1e6 * cost.per_step.wall_s, "{:.2f}"), Cell(cost.per_step.cpu_s / s.step_s, "{:.5f}"),
         row.published, bench.quick() ? Cell("-") : Cell(distance_after(*car.model, s), "{:.3f}")});
  }
  bench.add(table);
  const auto factor = [&](const std::string& what, const char* published, double fresh_us, double shared_us,
                          double step_s, double bound) {
    bench.figures().note(what + ", a new matrix in every step", published,
                         fmt::format("{:.3g}", 1e-6 * fresh_us / step_s));
    bench.time_at_most(what + ", settings of real time", published, 1e-6 * shared_us / step_s, bound, "");
  };
  factor("flexible, 40 modes, generalized subsystems, linearly implicit Euler, 10 ms: real-time factor",
         "0.47", cpu_us["subsystems"], cpu_us["rt"], 1e-2, 0.005);
  factor("full model with separate wheels, 10 ms: real-time factor", "0.73", cpu_us["full"],
         cpu_us["rt full"], 1e-2, 0.010);
  bench.figures().note("flexible over rigid, generalized subsystems, 10 ms, a new matrix in every step",
                       "3.3", fmt::format("{:.2f}", cpu_us["subsystems"] / cpu_us["rigid subsystems"]));
  bench.time_at_most("flexible over rigid, generalized subsystems, 10 ms, settings of real time", "3.3",
                     cpu_us["rt"] / cpu_us["rigid rt"], 1.6, "");
  bench.figures().note("flexible over rigid, separate wheels, 10 ms", "3.3",
                       fmt::format("{:.2f}", cpu_us["simplified"] / cpu_us["rigid"]));
  factor("flexible, 40 modes, 1 ms: real-time factor", "-", cpu_us["1 ms"], cpu_us["rt 1 ms"], 1e-3, 0.05);
  bench.figures().note("rigid Camry at 1 ms: CPU time of a step, a new matrix in every step", "-",
                       fmt::format("{:.3g} us", cpu_us["rigid 1 ms"]));
  bench.time_at_most("rigid Camry at 1 ms: CPU time of a step, settings of real time", "-",
                     cpu_us["rigid rt 1 ms"], 20, "us");
  bench.figures().expect("several runs of the same steps: states bit-identical", "-", repeats ? "yes" : "no",
                         "yes", repeats);
}

void cost_by_step(Bench& bench) {
  Table table{
      "Cost against the step size",
      {"method", "jacobian", "step [ms]", "CPU per step [us]", "wall per step [us]", "real-time factor"},
      {},
      "Flexible Camry, 40 modes, wheels on carriers, straight ahead at 60 km/h."};
  const LoadedScenario car = straight_car(kRotors, bench.command().overrides);
  std::vector<std::string> solvers = bench.command().solvers, jacobians = bench.command().jacobians;
  std::vector<double> steps = bench.command().steps_s;
  if (solvers.empty())
    solvers = {"linearly-implicit-euler", "linearly-implicit-2", "bdf2", "generalized-alpha"};
  if (jacobians.empty()) jacobians = {"full", "simplified", "constant"};
  if (steps.empty()) steps = {1e-2, 5e-3, 2e-3, 1e-3, 5e-4};
  if (bench.quick() && bench.command().steps_s.empty()) steps = {1e-2, 1e-3};
  Plot plot{"Real-time factor against the step", "step / s", "real-time factor", {}, true, true};
  for (const std::string& solver : solvers)
    for (const std::string& jacobian : jacobians) {
      PlotSeries line{fmt::format("{}, {}", solver, jacobian), {}, {}};
      for (const double step : steps) {
        bench.check_interrupt();
        bench.say(fmt::format("step-size: {}, {}, {:g} ms", solver, jacobian, 1e3 * step));
        io::SimulationSpec s = car.spec.simulation;
        s.solver = solver;
        s.jacobian = jacobian;
        s.linear_solver = bench.command().linear_solver;
        s.step_s = step;
        const measure::StepCost cost =
            measure::step_cost(*car.model, s, {bench.quick() ? 50 : 500, bench.runs()});
        table.add({solver, jacobian, Cell(1e3 * step, "{:g}"), Cell(1e6 * cost.per_step.cpu_s, "{:.2f}"),
                   Cell(1e6 * cost.per_step.wall_s, "{:.2f}"), Cell(cost.per_step.cpu_s / step, "{:.5f}")});
        line.x.push_back(step);
        line.y.push_back(cost.per_step.cpu_s / step);
      }
      if (jacobian != "constant") plot.series.push_back(line);
    }
  bench.add(table);
  bench.figures().plot("step-size", plot);
}

}  // namespace monocoque::bench

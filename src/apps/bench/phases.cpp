// Where the time of a step goes: the phases of ImplicitStep, which linearly implicit Euler calls in a row,
// called one by one at a state of a real run, beside the whole step; operations counted; the share of what
// the machine can do.

#include <algorithm>

#include <fmt/format.h>

#include "apps/bench/cars.h"
#include "elements/tires/tire_force.h"
#include "integrate/implicit_step.h"
#include "measure/operation_count.h"

namespace monocoque::bench {

namespace {

using measure::count_operations;
using measure::OperationCount;

constexpr double kStep_s = 1e-3;

/// A step of linearly implicit Euler in its phases, from one state again and again.
class Phases {
 public:
  explicit Phases(Simulation& simulation)
      : ws_(simulation.workspace()),
        model_(ws_.model),
        s_(simulation.state()),
        step_(ws_, simulation.settings()),
        z_dot_(VecX::Zero(model_.nz)),
        c_dot_(VecX::Zero(model_.nc)) {
    for (std::size_t i = 0; i < model_.forces.size(); ++i)
      if (dynamic_cast<const TireForce*>(model_.forces[i].force.get()) != nullptr) tires_.push_back(i);
  }

  void kinematics() { step_.kinematics(s_, true); }
  void constraints() { step_.constraints(s_, true); }
  void forces() { step_.forces(s_); }
  void assembly() { step_.assemble(s_, z_dot_, kCoefficients); }
  void factorisation() {
    if (!step_.factor(kCoefficients)) throw Error("bench", "the matrix is singular", "");
  }
  void solution() {
    step_.residual(s_, z_dot_, c_dot_, kCoefficients);
    step_.solve();
  }
  void projection() {
    step_.project_positions(s_);
    step_.project_velocities(s_);
  }

  /// The share of the tires in `forces` and in `assembly`: their own functions alone.
  void tire_forces() {
    for (const std::size_t i : tires_) {
      const Force& tire = *model_.forces[i].force;
      tire.wrench(ws_.forces[i].in, ws_.forces[i].wrench);
      if (tire.state_count() == 0) continue;
      InnerVector rate(tire.state_count());
      tire.state_rate(ws_.forces[i].in, rate);
    }
  }
  void tire_tangents() {
    for (const std::size_t i : tires_) {
      const Force& tire = *model_.forces[i].force;
      tire.resize_tangent(ws_.force_tangent);
      tire.tangent(ws_.forces[i].in, ws_.force_tangent);
    }
  }

 private:
  static constexpr StepCoefficients kCoefficients{1 / kStep_s, 1, kStep_s, 1 / kStep_s};

  Workspace& ws_;
  const Model& model_;
  State s_;
  ImplicitStep step_;
  VecX z_dot_, c_dot_;
  std::vector<std::size_t> tires_;
};

struct Phase {
  std::string name;
  double us = 0;
  std::optional<OperationCount> operations;
};

void measure(Bench& bench, const std::string& title, const LoadedScenario& car, double peak,
             bool step_counted) {
  io::SimulationSpec s = car.spec.simulation;
  s.solver = "linearly-implicit-euler";
  s.constraints = s.stabilisation = "";
  s.jacobian = "simplified";
  s.linear_solver = "structured";
  s.step_s = kStep_s;
  s.end_s = 100;
  s.outputs = {"energy/total"};
  const int count = bench.quick() ? 200 : 1000;
  const measure::StepCost whole = measure::step_cost(*car.model, s, {count, bench.runs()});
  Simulation simulation(*car.model, s);
  measure::make_steps(simulation, 100);
  Phases phases(simulation);
  // A million instructions take some twenty seconds on a virtual machine.
  const auto counted = [&](const std::function<void()>& work) {
    return bench.quick() ? std::optional<OperationCount>() : count_operations(work);
  };
  const auto timed = [&](const std::string& name, void (Phases::*phase)()) {
    const auto work = [&] { (phases.*phase)(); };
    work();
    return Phase{name, 1e6 * measure::best_cpu_s(bench.runs(), count, work), counted(work)};
  };
  std::vector<Phase> list;
  list.push_back(timed("kinematics", &Phases::kinematics));
  list.push_back(timed("constraints", &Phases::constraints));
  Phase forces = timed("other forces", &Phases::forces);
  Phase tires = timed("tires", &Phases::tire_forces);
  Phase assembly = timed("assembly of the rest", &Phases::assembly);
  Phase tangents = timed("tires, derivatives", &Phases::tire_tangents);
  const auto take_out = [](Phase& from, const Phase& part) {
    from.us -= part.us;
    if (!from.operations || !part.operations) return;
    from.operations->instructions -= part.operations->instructions;
    from.operations->flops -= part.operations->flops;
    from.operations->vector_flops -= part.operations->vector_flops;
  };
  take_out(forces, tires);
  take_out(assembly, tangents);
  list.insert(list.end(), {tires, forces, tangents, assembly});
  phases.assembly();
  list.push_back(timed("factorisation", &Phases::factorisation));
  list.push_back(timed("right-hand side and solution", &Phases::solution));
  list.push_back(timed("projection", &Phases::projection));

  Table table{"Phases of a step: " + title,
              {"phase", "CPU [us]", "share of the step", "instructions", "flops", "of these in vectors",
               "Gflop/s", "share of peak"},
              {},
              {}};
  const double step_us = 1e6 * whole.per_step.cpu_s;
  const auto row = [&](const Phase& p, bool share) {
    const auto number = [&](long OperationCount::*member) {
      return p.operations ? Cell(static_cast<double>((*p.operations).*member), "{:.0f}") : Cell("-");
    };
    const double rate = p.operations ? 1e6 * static_cast<double>(p.operations->flops) / p.us : 0;
    table.add({p.name, Cell(p.us, "{:.2f}"), share ? Cell(p.us / step_us, "{:.3f}") : Cell("-"),
               number(&OperationCount::instructions), number(&OperationCount::flops),
               number(&OperationCount::vector_flops), p.operations ? Cell(1e-9 * rate, "{:.2f}") : Cell("-"),
               p.operations ? Cell(rate / peak, "{:.3f}") : Cell("-")});
  };
  double sum = 0;
  for (const Phase& p : list) {
    row(p, true);
    sum += p.us;
  }
  row({"sum", sum, {}}, true);
  Phase step{"whole step", step_us, {}};
  if (step_counted) step.operations = count_operations([&] { measure::make_steps(simulation, 1); });
  row(step, true);
  if (step.operations)
    bench.figures().expect(title + ": calls of malloc in a step", "-",
                           fmt::format("{}", step.operations->allocations), "0",
                           step.operations->allocations == 0);
  // One row of all channels, as a run records it.
  io::SimulationSpec all = s;
  all.outputs = {};
  Simulation recording(*car.model, all);
  measure::make_steps(recording, 10);
  OutputSet outputs(*car.model, {}, LinearSolverKind::structured);
  WorkAudit audit;
  std::vector<double> values(outputs.channels().size());
  row({fmt::format("recording of {} channels, outside the step", values.size()),
       1e6 * measure::best_cpu_s(
                 bench.runs(), count,
                 [&] { outputs.fill(recording.workspace(), recording.state(), audit, values.data()); }),
       {}},
      false);
  table.note = fmt::format(
      "Phases called one by one at a state of the run; the sum differs from the step by copies of the state "
      "and by what stays in "
      "the caches. Operations are those of the processor's instructions, counted one by one. Peak of one "
      "core as compiled: {:.2f} Gflop/s.",
      1e-9 * peak);
  bench.add(table);
}

}  // namespace

void phases(Bench& bench) {
  const double peak = measure::peak_flops_per_s();
  for (const int modes : {40, 0}) {
    bench.check_interrupt();
    bench.say(fmt::format("phases: {} elastic coordinates", modes));
    const LoadedScenario car = straight_car(bench, "camry-flexible.yaml", modes);
    measure(bench, modes > 0 ? fmt::format("flexible Camry, {} modes", modes) : "the same, rigid", car, peak,
            !bench.quick() || modes == 0);
  }
}

}  // namespace monocoque::bench

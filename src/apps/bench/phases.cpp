// Where the time of a step goes: the stages of linearly implicit Euler called one by one at a state of a real
// run, beside the whole step; operations counted; the share of what the machine can do.

#include <algorithm>

#include <fmt/format.h>

#include "apps/bench/cars.h"
#include "dynamics/condensation.h"
#include "dynamics/constraints.h"
#include "dynamics/forces.h"
#include "dynamics/kinematics.h"
#include "elements/tires/tire_force.h"
#include "measure/operation_count.h"
#include "solve/structured_solver.h"

namespace monocoque::bench {

namespace {

using analysis::count_operations;
using analysis::OperationCount;

constexpr double kStep_s = 1e-3;
constexpr ConstraintLevel kLevel = ConstraintLevel::velocity;

/// What a step of linearly implicit Euler with the simplified Jacobian has, stage by stage.
class Stages {
 public:
  Stages(Workspace& ws, const State& s)
      : ws_(ws),
        model_(ws.model),
        s_(s),
        layout_(ws.model, SystemKind::iteration, false, Condensation::parts(ws)),
        matrix_(layout_.pattern()),
        solver_(layout_.pattern()),
        z_dot_(VecX::Zero(model_.nz)),
        rhs_(VecX::Zero(SystemLayout::count(model_, SystemKind::iteration))),
        residual_(VecX::Zero(model_.nz)),
        condensed_(VecX::Zero(layout_.size())),
        weights_(TangentWeights::of_step({1 / kStep_s, 1, kStep_s, 1 / kStep_s}, kLevel)) {
    terms_.reactions = terms_.inertia = false;
    for (std::size_t i = 0; i < model_.parts.size(); ++i)
      if (layout_.condensed(i) && !condensation_) condensation_ = std::make_unique<Condensation>(ws, layout_);
    for (std::size_t i = 0; i < model_.forces.size(); ++i)
      if (dynamic_cast<const TireForce*>(model_.forces[i].force.get()) != nullptr) tires_.push_back(i);
  }

  void kinematics() {
    update_signals(ws_, s_.t, s_.r);
    update_positions(ws_, s_.x);
    update_velocities(ws_, s_.z);
  }
  void constraints() {
    update_constraints(ws_, s_.t, s_.r);
    update_constraint_velocity(ws_);
  }
  void forces() { update_forces(ws_, s_); }
  void tire_forces() {
    for (const std::size_t i : tires_) {
      const Force& tire = *model_.forces[i].force;
      tire.wrench(ws_.forces[i].in, ws_.forces[i].wrench);
      if (tire.state_count() == 0) continue;
      InnerVector rate(tire.state_count());
      tire.state_rate(ws_.forces[i].in, rate);
    }
  }
  void assembly() {
    assemble_iteration(ws_, s_, z_dot_, weights_, kLevel, layout_, matrix_, terms_);
    if (condensation_) condensation_->assemble(ws_, weights_, kLevel, matrix_);
  }
  void tire_tangents() {
    for (const std::size_t i : tires_) {
      const Force& tire = *model_.forces[i].force;
      tire.resize_tangent(ws_.force_tangent);
      tire.tangent(ws_.forces[i].in, ws_.force_tangent);
    }
  }
  void factorisation() {
    if (!solver_.factor(matrix_)) throw Error("bench", "the matrix is singular", "");
  }
  void solution() {
    residual_ = ws_.f;
    add_mass_times(ws_, z_dot_, -1, residual_);
    add_constraint_forces(ws_, s_.lambda, -1, residual_);
    rhs_.head(model_.nz) = kStep_s * residual_;
    rhs_.segment(model_.nz, model_.nc) = kStep_s * ws_.c_dot;
    rhs_.segment(model_.nz + model_.nc, model_.nlambda) = -ws_.g_dot;
    rhs_.tail(model_.nw) = -ws_.b;
    solve();
  }
  void projection() {
    update_signals(ws_, s_.t, s_.r);
    update_positions(ws_, s_.x, MarkerSet::joints);
    update_constraint_residual(ws_, s_.t, s_.r);
    project(ws_.g);
    update_signals(ws_, s_.t, s_.r);
    update_positions(ws_, s_.x, MarkerSet::joints);
    update_velocities(ws_, s_.z, MarkerSet::joints);
    update_constraint_rows(ws_, s_.t, s_.r);
    update_constraint_velocity(ws_);
    project(ws_.g_dot);
  }

 private:
  void solve() {
    if (!condensation_) {
      solver_.solve(rhs_);
      return;
    }
    condensation_->reduce(rhs_, condensed_);
    solver_.solve(condensed_);
    condensation_->expand(condensed_, rhs_);
  }
  void project(const VecX& residual) {
    rhs_.setZero();
    rhs_.segment(model_.nz + model_.nc, model_.nlambda) = -residual;
    solve();
  }

  Workspace& ws_;
  const Model& model_;
  const State s_;
  SystemLayout layout_;
  BlockMatrix matrix_;
  StructuredSolver solver_;
  std::unique_ptr<Condensation> condensation_;
  VecX z_dot_, rhs_, residual_, condensed_;
  TangentWeights weights_;
  JacobianTerms terms_;
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
  const analysis::StepCost whole = analysis::step_cost(*car.model, s, {count, bench.runs()});
  Simulation simulation(*car.model, s);
  analysis::make_steps(simulation, 100);
  Stages stages(simulation.workspace(), simulation.state());
  // A million instructions take some twenty seconds on a virtual machine.
  const auto counted = [&](const std::function<void()>& work) {
    return bench.quick() ? std::optional<OperationCount>() : count_operations(work);
  };
  const auto timed = [&](const std::string& name, void (Stages::*stage)()) {
    const auto work = [&] { (stages.*stage)(); };
    work();
    return Phase{name, 1e6 * analysis::best_cpu_s(bench.runs(), count, work), counted(work)};
  };
  std::vector<Phase> list;
  list.push_back(timed("kinematics", &Stages::kinematics));
  list.push_back(timed("constraints", &Stages::constraints));
  Phase forces = timed("other forces", &Stages::forces);
  Phase tires = timed("tires", &Stages::tire_forces);
  Phase assembly = timed("assembly of the rest", &Stages::assembly);
  Phase tangents = timed("tires, derivatives", &Stages::tire_tangents);
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
  stages.assembly();
  list.push_back(timed("factorisation", &Stages::factorisation));
  list.push_back(timed("right-hand side and solution", &Stages::solution));
  list.push_back(timed("projection", &Stages::projection));

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
  if (step_counted) step.operations = count_operations([&] { analysis::make_steps(simulation, 1); });
  row(step, true);
  if (step.operations)
    bench.figures().expect(title + ": calls of malloc in a step", "-",
                           fmt::format("{}", step.operations->allocations), "0",
                           step.operations->allocations == 0);
  // One row of all channels, as a run records it.
  io::SimulationSpec all = s;
  all.outputs = {};
  Simulation recording(*car.model, all);
  analysis::make_steps(recording, 10);
  OutputSet outputs(*car.model, {}, LinearSolverKind::structured);
  WorkAudit audit;
  std::vector<double> values(outputs.channels().size());
  row({fmt::format("recording of {} channels, outside the step", values.size()),
       1e6 * analysis::best_cpu_s(
                 bench.runs(), count,
                 [&] { outputs.fill(recording.workspace(), recording.state(), audit, values.data()); }),
       {}},
      false);
  table.note = fmt::format(
      "Stages called one by one at a state of the run; the sum differs from the step by copies of the state "
      "and by what stays in "
      "the caches. Operations are those of the processor's instructions, counted one by one. Peak of one "
      "core as compiled: {:.2f} Gflop/s.",
      1e-9 * peak);
  bench.add(table);
}

}  // namespace

void phases(Bench& bench) {
  const double peak = analysis::peak_flops_per_s();
  for (const int modes : {40, 0}) {
    bench.check_interrupt();
    bench.say(fmt::format("phases: {} elastic coordinates", modes));
    const LoadedScenario car = straight_car(bench, "camry-flexible.yaml", modes);
    measure(bench, modes > 0 ? fmt::format("flexible Camry, {} modes", modes) : "the same, rigid", car, peak,
            !bench.quick() || modes == 0);
  }
}

}  // namespace monocoque::bench

// Factorisation and solution of one matrix of a step: along the structure of the model, elastic coordinates
// condensed, against a dense LU that knows nothing.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "apps/bench/cars.h"
#include "core/decompositions.h"
#include "dynamics/condensation.h"
#include "dynamics/constraints.h"
#include "solve/structured_solver.h"

namespace monocoque::bench {

namespace {

constexpr double kStep_s = 1e-2;

struct Comparison {
  int unknowns = 0, condensed = 0;
  double dense_us = 0, structured_us = 0;
  double difference = 0;  ///< largest of the solutions, over the largest entry
};

/// rigid: the body is rigid to the derivatives of forces.
Comparison compare(const LoadedScenario& car, bool rigid, int runs) {
  const Model& model = *car.model;
  io::SimulationSpec settings = car.spec.simulation;
  settings.solver = "linearly-implicit-euler";
  settings.jacobian = "simplified";
  settings.linear_solver = "structured";
  settings.step_s = kStep_s;
  settings.end_s = 100;
  settings.outputs = {"energy/total"};
  Simulation simulation(model, settings);
  measure::make_steps(simulation, 10);
  Workspace& ws = simulation.workspace();
  const State& s = simulation.state();
  evaluate(ws, s);
  constexpr ConstraintLevel kLevel = ConstraintLevel::velocity;
  const TangentWeights k = TangentWeights::of_step({1 / kStep_s, 1, kStep_s, 1 / kStep_s}, kLevel);
  JacobianTerms terms;
  terms.reactions = terms.inertia = false;
  const VecX z_dot = VecX::Zero(model.nz);

  const std::vector<char> parts = Condensation::parts(ws), hidden = rigid ? parts : std::vector<char>{};
  const SystemLayout whole(model, SystemKind::iteration, true, {}, hidden);
  BlockMatrix A(whole.pattern());
  assemble_iteration(ws, s, z_dot, k, kLevel, whole, A, terms);
  const MatX M = A.to_dense();
  VecX rhs(whole.size()), x(whole.size()), y(whole.size());
  for (Eigen::Index i = 0; i < rhs.size(); ++i) rhs[i] = std::sin(1.0 + static_cast<double>(i));
  Eigen::PartialPivLU<MatX> lu(whole.size());
  const int count = std::max(1, 20000 / whole.size());
  Comparison out;
  out.unknowns = whole.size();
  out.dense_us = 1e6 * measure::best_cpu_s(runs, std::max(1, count / 20), [&] {
                   lu.compute(M);
                   x = lu.solve(rhs);
                 });

  const SystemLayout layout(model, SystemKind::iteration, false, parts, hidden);
  BlockMatrix B(layout.pattern()), C(layout.pattern());
  Condensation condensation(ws, layout);
  StructuredSolver solver(layout.pattern());
  VecX reduced = VecX::Zero(layout.size());
  assemble_iteration(ws, s, z_dot, k, kLevel, layout, B, terms);
  out.condensed = layout.size();
  out.structured_us = 1e6 * measure::best_cpu_s(runs, count, [&] {
                        std::copy_n(B.values(), layout.pattern().nonzeros(), C.values());
                        condensation.assemble(ws, k, kLevel, C);
                        if (!solver.factor(C)) throw Error("bench", "the matrix is singular", "");
                        y = rhs;
                        condensation.reduce(y, reduced);
                        solver.solve(reduced);
                        condensation.expand(reduced, y);
                      });
  out.difference = (x - y).cwiseAbs().maxCoeff() / x.cwiseAbs().maxCoeff();
  return out;
}

}  // namespace

void linear_solvers(Bench& bench) {
  Table table{"Factorisation and solution, structured against dense",
              {"coordinates", "jacobian", "unknowns", "unknowns condensed", "dense LU [us]",
               "structured [us]", "ratio", "largest difference"},
              {},
              "Full flexible model with separate wheels, matrix of a step of 10 ms. "
              "Dense: Eigen's "
              "PartialPivLU. Structured: condensation of the elastic coordinates, factorisation, solution."};
  for (const int modes : bench.quick() ? std::vector{40} : std::vector{40, 100, 500}) {
    bench.check_interrupt();
    bench.say(fmt::format("solve: {} elastic coordinates", modes));
    const LoadedScenario car = straight_car(bench, "camry-flexible-wheels-apart.yaml", modes);
    for (const bool rigid : {false, true}) {
      const Comparison c = compare(car, rigid, bench.runs());
      const double ratio = c.dense_us / c.structured_us;
      const std::string jacobian = rigid ? "rigid-forces" : "simplified";
      table.add({modes, jacobian, c.unknowns, c.condensed, Cell(c.dense_us, "{:.1f}"),
                 Cell(c.structured_us, "{:.1f}"), Cell(ratio, "{:.1f}"), Cell(c.difference, "{:.1e}")});
      const double least = modes == 40 ? 8 : modes == 500 ? 50 : 0;
      if (least == 0) continue;
      bench.time_at_least(
          fmt::format("factorisation and solution, {} modes, {}: dense over structured", modes, jacobian),
          "-", ratio, least);
      bench.at_most(fmt::format("the same: largest relative difference of the solutions, {} modes, {}", modes,
                                jacobian),
                    "-", c.difference, 1e-9, "");
    }
  }
  bench.add(table);
}

}  // namespace monocoque::bench

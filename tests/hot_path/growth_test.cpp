// Cost by counts, not by the clock: the factors of a chain grow in step with its length.

#include <gtest/gtest.h>

#include "../../bench/support.h"
#include "dynamics/assembly.h"
#include "solve/sparse_solver.h"

namespace monocoque {
namespace {

struct Fill {
  int acceleration = 0, iteration = 0;
};

/// After some steps, so that no entry is zero only because the chain was straight and at rest.
Fill fill_of_chain(int links) {
  const auto model = bench::model_from_text(bench::chain_text({links, 0.1, 0.1, true}), "chain");
  io::SimulationSpec settings;
  settings.solver = "linearly-implicit-euler";
  settings.linear_solver = "sparse";
  settings.outputs = {"energy/total"};
  Simulation simulation(*model, settings);
  const double h = 1e-3;
  for (int i = 1; i <= 5; ++i) EXPECT_EQ(simulation.step_to(i * h), StepStatus::ok);

  Workspace& ws = simulation.workspace();
  const State& s = simulation.state();
  evaluate(ws, s);
  Fill fill;
  for (const SystemKind kind : {SystemKind::acceleration, SystemKind::iteration}) {
    const SystemLayout layout(*model, kind, false);
    BlockMatrix A(layout.pattern());
    if (kind == SystemKind::acceleration)
      assemble_acceleration(ws, s, layout, A);
    else
      assemble_iteration(ws, s, VecX::Zero(model->nz),
                         TangentWeights::of_step({1 / h, 1, h, 1 / h}, ConstraintLevel::velocity),
                         ConstraintLevel::velocity, layout, A);
    SparseSolver solver(layout.pattern());
    EXPECT_TRUE(solver.factor(A));
    (kind == SystemKind::acceleration ? fill.acceleration : fill.iteration) = solver.fill();
  }
  return fill;
}

TEST(Growth, FactorsOfAChainGrowLinearly) {
  const Fill small = fill_of_chain(50), large = fill_of_chain(500);
  EXPECT_LT(large.acceleration, 10.5 * small.acceleration);
  EXPECT_LT(large.iteration, 10.5 * small.iteration);
}

}  // namespace
}  // namespace monocoque

#include "solve/linear_solver.h"

#include <fmt/format.h>

#include "core/error.h"
#include "io/model/simulation_settings.h"
#include "solve/dense_solver.h"
#include "solve/sparse_solver.h"
#include "solve/structured_solver.h"

namespace monocoque {

namespace {
// Measured on chains of bodies with joints of 3 and 5 rows (tests/solve/chain.h): factor plus solve, thread
// CPU time, best of 7, g++ 12 -O3, x86-64. Dense against sparse in us: n = 9: 2 / 2, n = 18: 7 / 7, n = 33:
// 10 / 8, n = 55: 29 / 14, n = 110: 134 / 42, n = 220: 820 / 46. They cross near n = 18; dense is kept a
// little longer because it never looks for new pivots, so its cost is always the same.
constexpr int dense_limit = 30;
}  // namespace

LinearSolverKind linear_solver_kind(const std::string& name) {
  // LinearSolverKind has the order of the choices.
  const std::vector<std::string>& names = io::setting_choices("linear_solver");
  for (std::size_t i = 0; i < names.size(); ++i)
    if (name == names[i]) return static_cast<LinearSolverKind>(i);
  const std::string hint = suggestion(name, names);
  throw Error("linear solver", fmt::format("'{}' is not one of {}", name, fmt::join(names, ", ")), hint);
}

bool prefer_dense(LinearSolverKind kind, int size) {
  if (kind == LinearSolverKind::automatic) return size <= dense_limit;
  return kind == LinearSolverKind::dense;
}

std::unique_ptr<LinearSolver> make_linear_solver(LinearSolverKind kind, const BlockPattern& pattern) {
  if (pattern.dense()) return std::make_unique<DenseSolver>(pattern.size());
  if (kind == LinearSolverKind::structured) return std::make_unique<StructuredSolver>(pattern);
  return std::make_unique<SparseSolver>(pattern);
}

}  // namespace monocoque

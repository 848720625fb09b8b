#include "solve/linear_solver.h"

#include <fmt/format.h>

#include "core/error.h"
#include "solve/dense_solver.h"
#include "solve/sparse_solver.h"

namespace monocoque {

namespace {
constexpr int dense_limit = 60;
}

LinearSolverKind linear_solver_kind(const std::string& name) {
  const std::vector<std::string> names = {"automatic", "dense", "sparse"};
  if (name == names[0]) return LinearSolverKind::automatic;
  if (name == names[1]) return LinearSolverKind::dense;
  if (name == names[2]) return LinearSolverKind::sparse;
  const std::string hint = suggestion(name, names);
  throw Error("linear solver", fmt::format("'{}' is not one of automatic, dense, sparse", name), hint);
}

bool prefer_dense(LinearSolverKind kind, int size) {
  if (kind == LinearSolverKind::automatic) return size <= dense_limit;
  return kind == LinearSolverKind::dense;
}

std::unique_ptr<LinearSolver> make_linear_solver(const BlockPattern& pattern) {
  if (pattern.dense()) return std::make_unique<DenseSolver>(pattern.size());
  return std::make_unique<SparseSolver>(pattern);
}

}  // namespace monocoque

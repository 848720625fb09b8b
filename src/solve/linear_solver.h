#pragma once
// Factorisation of the saddle-point matrices, dense, sparse or along the model's structure, behind one
// interface. The pattern is analysed once; factor() and solve() of the dense and the structured path then
// allocate nothing.

#include <memory>
#include <string>

#include "core/block_matrix.h"

namespace monocoque {

class LinearSolver {
 public:
  virtual ~LinearSolver() = default;
  /// Numeric factorisation. False when the matrix is singular or not finite; the factors are then unusable.
  virtual bool factor(const BlockMatrix& matrix) noexcept = 0;
  /// In place: right-hand side in, solution out. Requires a successful factor().
  virtual void solve(VecRef rhs) const noexcept = 0;
  /// Cheap estimate of the reciprocal condition from the last factors (0: singular).
  virtual double reciprocal_condition() const noexcept = 0;
  virtual std::string name() const = 0;
};

enum class LinearSolverKind { automatic, dense, sparse, structured };
/// auto, dense, sparse or structured by name; throws Error with the list of names otherwise.
LinearSolverKind linear_solver_kind(const std::string& name);
/// Whether a system of this size and fill is better stored dense.
bool prefer_dense(LinearSolverKind kind, int size);
/// A solver of this kind for the storage (dense or sparse) of the pattern.
std::unique_ptr<LinearSolver> make_linear_solver(LinearSolverKind kind, const BlockPattern& pattern);

}  // namespace monocoque

#pragma once
// Largest eigenvalues mu of OP = A^-1 M, A positive definite, by block Lanczos with full orthogonalisation in
// the M-product and thick restart (Wu and Simon 2000, in blocks). M may be semidefinite. A block of
// right-hand sides costs little more than one, since a solution moves the whole factor through memory;
// multiple eigenvalues (six rigid motions) are found together.

#include <functional>

#include "fe/fe_system.h"
#include "reduce/log.h"

namespace monocoque::reduce {

struct LanczosProblem {
  const SparseMatrix* M = nullptr;
  /// A^-1 B.
  std::function<MatX(const MatX&)> solve;
};

struct LanczosOptions {
  int count = 10;       ///< eigenvalues wanted
  double mu_limit = 0;  ///< > 0: instead all mu above it, at most `count`
  int block = 8;
  double tolerance = 1e-10;  ///< ||OP x - mu x||_M / mu
  int max_blocks = 400;      ///< applications of OP to a block
  unsigned seed = 1;
  Log log;
};

struct LanczosResult {
  VecX mu;         ///< falling
  MatX X;          ///< M-orthonormal
  int blocks = 0;  ///< used
  int restarts = 0;
  bool complete = true;  ///< false: mu_limit not reached within `count`
};

/// Throws Error when the eigenvalues do not converge. Gives fewer than `count` when M has no more.
LanczosResult block_lanczos(const LanczosProblem& problem, const LanczosOptions& options);

/// Makes the columns of W orthonormal in the M-product and drops those that depend on the others;
/// MW = M W on entry and exit. Returns B with W_before = W_after B.
MatX orthonormalise(MatX& W, MatX& MW, double relative_drop);

}  // namespace monocoque::reduce

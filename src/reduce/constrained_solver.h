#pragma once
// Statics of K - sigma M with some components held or moved: linear forms T u = d in the unknowns. The forms
// may be plain unknowns or means over many of them (RBE3). One factor of K - sigma M + T^T a T, a being
// penalties of the size of the stiffness there, serves for the free and the held problem; the constraint
// itself is kept exactly by the small system T A^-1 T^T, so the penalty has no influence on the result.

#include "core/decompositions.h"
#include "reduce/cholesky.h"
#include "reduce/node_map.h"

namespace monocoque::reduce {

/// K - sigma M + T^T a T.
SparseMatrix shifted(const FeSystem& fe, double sigma, const SparseMatrix& T);

class ConstrainedSolver {
 public:
  /// Throws Error (options.what, remedy) when what is left free can move without force.
  ConstrainedSolver(const FeSystem& fe, double sigma, const SparseMatrix& T, const CholeskyOptions& options);

  /// (K - sigma M) U = F + T^T lambda with T U = 0.
  MatX solve_held(const MatX& F) const;
  /// A^-1 F, penalties included: exact statics when T is statically determinate and F balanced.
  MatX solve_penalised(const MatX& F) const { return cholesky_.solve(F); }
  /// Column i: form i moves by one, the others are held, no other load.
  MatX constraint_modes() const;
  const SparseCholesky& cholesky() const { return cholesky_; }

 private:
  SparseMatrix T_;
  SparseCholesky cholesky_;
  MatX Z_;  ///< A^-1 T^T
  // Computed at once: moving one that never was copies an undefined status.
  Eigen::LLT<MatX> small_{MatX::Identity(1, 1)};
};

}  // namespace monocoque::reduce

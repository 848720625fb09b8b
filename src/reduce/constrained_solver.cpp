#include "reduce/constrained_solver.h"

#include <fmt/format.h>

#include "core/error.h"
#include "reduce/symmetric_product.h"

namespace monocoque::reduce {

namespace {

/// Per form the mean diagonal of K over its unknowns.
VecX penalties(const SparseMatrix& K, const SparseMatrix& T) {
  const VecX diagonal = K.diagonal();
  VecX sum = VecX::Zero(T.rows()), count = VecX::Zero(T.rows());
  for (int j = 0; j < T.outerSize(); ++j)
    for (SparseMatrix::InnerIterator it(T, j); it; ++it) {
      sum[it.row()] += diagonal[j];
      count[it.row()] += 1;
    }
  for (Eigen::Index i = 0; i < sum.size(); ++i)
    if (!(sum[i] > 0))
      throw Error("reduction", fmt::format("boundary component {} has no stiffness", i + 1),
                  "choose nodes that elements hold in these components");
  return sum.cwiseQuotient(count);
}

}  // namespace

SparseMatrix shifted(const FeSystem& fe, double sigma, const SparseMatrix& T) {
  SparseMatrix A = sigma == 0 ? fe.K : SparseMatrix(fe.K - sigma * fe.M);
  if (T.rows() > 0) A += SparseMatrix(T.transpose() * penalties(fe.K, T).asDiagonal() * T);
  A.makeCompressed();
  return A;
}

ConstrainedSolver::ConstrainedSolver(const FeSystem& fe, double sigma, const SparseMatrix& T,
                                     const CholeskyOptions& options)
    : T_(T), cholesky_(shifted(fe, sigma, T), options) {
  if (T.rows() == 0) return;
  Z_ = cholesky_.solve(MatX(T.transpose()));
  const MatX S = T_ * Z_;
  small_.compute((S + S.transpose()) / 2);
  if (small_.info() != Eigen::Success || small_.rcond() < 1e-14)
    throw Error("reduction", "two boundary components are the same or depend on one another",
                "name each node once; of nodes on one rigid element take only one");
}

MatX ConstrainedSolver::solve_held(const MatX& F) const {
  MatX U = cholesky_.solve(F);
  if (T_.rows() > 0) subtract_product(Z_, small_.solve(MatX(T_ * U)), U);
  return U;
}

MatX ConstrainedSolver::constraint_modes() const {
  return tall_product(Z_, small_.solve(MatX::Identity(T_.rows(), T_.rows())));
}

}  // namespace monocoque::reduce

#include "analysis/linear/schur.h"

#include <Eigen/Jacobi>

#include "analysis/linear/eigen.h"
#include "core/decompositions.h"
#include "core/error_kinds.h"

namespace monocoque::analysis {

namespace {

using Complex = std::complex<double>;
using MatrixC = Eigen::MatrixXcd;
using Eigen::Index;

/// Exchanges two neighbours on the diagonal of T = U^H A U.
void exchange(MatrixC& T, MatrixC& U, Index k) {
  const Complex a = T(k, k), b = T(k + 1, k + 1);
  Eigen::JacobiRotation<Complex> J;
  J.makeGivens(T(k, k + 1), b - a);  // the first column becomes the eigenvector of b
  T.applyOnTheLeft(k, k + 1, J.adjoint());
  T.applyOnTheRight(k, k + 1, J);
  U.applyOnTheRight(k, k + 1, J);
  T(k + 1, k) = 0;
  T(k, k) = b;
  T(k + 1, k + 1) = a;
}

}  // namespace

ParsedSystem part_by_decay(const MatX& A, double rate_per_s) {
  ParsedSystem out;
  const Index n = A.rows();
  if (n == 0) return out;
  // Places and rates of stiff motions differ by their frequency: unbalanced they cost as many digits.
  MatX balanced = A;
  const VecX scale = balance(balanced);
  const Eigen::ComplexSchur<MatX> schur(balanced);
  if (schur.info() != Eigen::Success)
    throw NumericError("linear system", "its eigenvalues cannot be found",
                       "check the model for extreme values");
  MatrixC T = schur.matrixT(), U = schur.matrixU();
  Index fast = 0;
  for (Index i = 0; i < n; ++i) {
    if (!(T(i, i).real() < -rate_per_s)) continue;
    for (Index k = i; k > fast; --k) exchange(T, U, k - 1);
    ++fast;
  }
  const Index slow = n - fast;
  out.fast = T.topLeftCorner(fast, fast);
  out.slow = T.bottomRightCorner(slow, slow);
  // With Y from T11 Y - Y T22 + T12 = 0 the two parts no longer meet.
  MatrixC Y = -T.topRightCorner(fast, slow);
  for (Index j = 0; j < slow; ++j) {
    Y.col(j) += Y.leftCols(j) * out.slow.col(j).head(j);
    const MatrixC shifted = out.fast - out.slow(j, j) * MatrixC::Identity(fast, fast);
    Y.col(j) = shifted.triangularView<Eigen::Upper>().solve(Y.col(j)).eval();
  }
  out.fast_vectors = U.leftCols(fast);
  out.slow_vectors = U.leftCols(fast) * Y + U.rightCols(slow);
  out.slow_rows = U.rightCols(slow).adjoint();
  out.fast_rows = U.leftCols(fast).adjoint() - Y * out.slow_rows;
  for (MatrixC* vectors : {&out.fast_vectors, &out.slow_vectors}) *vectors = scale.asDiagonal() * *vectors;
  for (MatrixC* rows : {&out.fast_rows, &out.slow_rows}) *rows *= scale.cwiseInverse().asDiagonal();
  return out;
}

MatrixC solve_lyapunov(const MatrixC& T, const MatrixC& Q) {
  const Index n = T.rows();
  MatrixC P = -Q;
  MatrixC shifted = T;
  for (Index j = n - 1; j >= 0; --j) {
    if (j + 1 < n) P.col(j) -= P.rightCols(n - 1 - j) * T.row(j).tail(n - 1 - j).adjoint();
    shifted.diagonal() = T.diagonal().array() + std::conj(T(j, j));
    shifted.triangularView<Eigen::Upper>().solveInPlace(P.col(j));
  }
  return 0.5 * (P + P.adjoint().eval());
}

}  // namespace monocoque::analysis

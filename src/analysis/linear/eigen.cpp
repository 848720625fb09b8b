#include "analysis/linear/eigen.h"

#include <algorithm>
#include <cmath>

#include "core/decompositions.h"
#include "core/error_kinds.h"

namespace monocoque::analysis {

namespace {

using Eigen::Index;

constexpr double kZero = 1e-9;   ///< of the largest |s|, after the zeros that belong together were taken out
constexpr double kNull = 1e-12;  ///< of the largest pivot: what a matrix maps to less maps to nothing

/// U^T A U = [T11 T12; 0 T22] with U orthonormal and T11 strictly upper triangular in blocks: what A maps to
/// nothing, then what it maps into that, and so on. Zeros that belong together (a free coordinate and its
/// speed) would be off by a root of rounding; here they are counted.
struct ZerosApart {
  MatX U, T;
  Index zeros = 0;
};

ZerosApart take_zeros_apart(const MatX& A) {
  const Index n = A.rows();
  ZerosApart z{MatX::Identity(n, n), A};
  while (z.zeros < n) {
    const Index m = n - z.zeros;
    Eigen::ColPivHouseholderQR<MatX> qr(z.T.bottomRightCorner(m, m).transpose());
    qr.setThreshold(kNull);
    const Index rank = qr.rank();
    if (rank == m) break;
    const MatX Q = qr.householderQ();
    MatX turned(m, m);
    turned << Q.rightCols(m - rank), Q.leftCols(rank);
    z.T.rightCols(m) = (z.T.rightCols(m) * turned).eval();
    z.T.bottomRows(m) = (turned.transpose() * z.T.bottomRows(m)).eval();
    z.T.block(z.zeros, z.zeros, m, m - rank).setZero();
    z.U.rightCols(m) = (z.U.rightCols(m) * turned).eval();
    z.zeros += m - rank;
  }
  return z;
}

void sort(std::vector<Eigenvalue>& list) {
  std::stable_sort(list.begin(), list.end(), [](const Eigenvalue& a, const Eigenvalue& b) {
    return std::abs(a.s) < std::abs(b.s) || (std::abs(a.s) == std::abs(b.s) && a.s.real() < b.s.real());
  });
}

bool symmetric(const MatX& A) {
  return (A - A.transpose()).cwiseAbs().maxCoeff() <= 1e-10 * A.cwiseAbs().maxCoeff();
}

/// In mass-normalised coordinates: s^2 = -lambda.
std::vector<Eigenvalue> undamped(const Eigen::LLT<MatX>& mass, const MatX& K) {
  const MatX half = mass.matrixL().solve(MatX(0.5 * (K + K.transpose())));
  const MatX normal = mass.matrixL().solve(half.transpose());
  const Eigen::SelfAdjointEigenSolver<MatX> solver(0.5 * (normal + normal.transpose()));
  const VecX& lambda = solver.eigenvalues();
  const MatX shapes = mass.matrixU().solve(solver.eigenvectors());
  // Symmetric: zeros are as exact as the matrix, so the limit holds for s^2.
  const double zero = 1e-13 * lambda.cwiseAbs().maxCoeff();
  std::vector<Eigenvalue> list;
  const auto add = [&](std::complex<double> s, Index i) {
    VecXc y(2 * K.rows());
    y << shapes.col(i).cast<std::complex<double>>(), s * shapes.col(i);
    list.push_back({s, y});
  };
  for (Index i = 0; i < lambda.size(); ++i) {
    const double root = std::abs(lambda[i]) <= zero ? 0 : std::sqrt(std::abs(lambda[i]));
    if (lambda[i] >= 0 || root == 0) {
      add({0, root}, i);
    } else {
      add({root, 0}, i);
      add({-root, 0}, i);
    }
  }
  sort(list);
  return list;
}

}  // namespace

VecX balance(MatX& A) {
  VecX d = VecX::Ones(A.rows());
  for (bool changed = true; changed;) {
    changed = false;
    for (Index i = 0; i < A.rows(); ++i) {
      double column = A.col(i).cwiseAbs().sum() - std::abs(A(i, i));
      double row = A.row(i).cwiseAbs().sum() - std::abs(A(i, i));
      if (!(column > 0) || !(row > 0)) continue;
      const double before = column + row;
      double f = 1;
      for (; column < row / 2; column *= 2, row /= 2) f *= 2;
      for (; column >= row * 2; column /= 2, row *= 2) f /= 2;
      if (f == 1 || column + row >= 0.95 * before) continue;
      A.col(i) *= f;
      A.row(i) /= f;
      d[i] *= f;
      changed = true;
    }
  }
  return d;
}

double Eigenvalue::undamped_Hz() const {
  return std::abs(s) / kTwoPi;
}

std::vector<Eigenvalue> eigenvalues(const MatX& A) {
  std::vector<Eigenvalue> list;
  if (A.rows() == 0) return list;
  MatX balanced = A;
  const VecX d = balance(balanced);
  const ZerosApart apart = take_zeros_apart(balanced);
  const Index n = A.rows(), k = apart.zeros, m = n - k;
  for (Index i = 0; i < k; ++i)
    list.push_back({0, (d.asDiagonal() * apart.U.col(i)).cast<std::complex<double>>()});
  if (m == 0) return list;
  const Eigen::EigenSolver<MatX> solver(apart.T.bottomRightCorner(m, m));
  if (solver.info() != Eigen::Success)
    throw NumericError(
        "eigenvalues", "the iteration did not converge",
        "masses, stiffnesses or dampings differ by too many orders of magnitude: check their units");
  const VecXc& s = solver.eigenvalues();
  const double zero = kZero * s.cwiseAbs().maxCoeff();
  const Eigen::MatrixXcd vectors = solver.eigenvectors();
  for (Index i = 0; i < m; ++i) {
    const bool nothing = std::abs(s[i]) <= zero;
    if (s[i].imag() < 0 && !nothing) continue;
    // Damping of the size of rounding is none.
    const bool undamped = std::abs(s[i].real()) < 1e-13 * std::abs(s[i]);
    const std::complex<double> value = nothing ? 0 : undamped ? std::complex<double>(0, s[i].imag()) : s[i];
    VecXc y(n);
    y.tail(m) = vectors.col(i);
    y.head(k).setZero();
    if (k > 0 && !nothing) {  // (s - T11) y1 = T12 y2
      Eigen::MatrixXcd left = -apart.T.topLeftCorner(k, k).cast<std::complex<double>>();
      left.diagonal().array() += s[i];
      y.head(k) = left.triangularView<Eigen::Upper>().solve(
          VecXc(apart.T.topRightCorner(k, m).cast<std::complex<double>>() * vectors.col(i)));
    }
    VecXc vector(n);
    vector.real() = d.asDiagonal() * (apart.U * y.real());
    vector.imag() = d.asDiagonal() * (apart.U * y.imag());
    vector /= vector.norm();
    list.push_back({value, std::move(vector)});
  }
  sort(list);
  return list;
}

std::vector<Eigenvalue> eigenvalues(const MatX& M, const MatX& D, const MatX& K) {
  const Index n = M.rows();
  if (n == 0) return {};
  const Eigen::LLT<MatX> mass(0.5 * (M + M.transpose()));
  if (mass.info() != Eigen::Success)
    throw Error("eigenvalues", "the mass matrix is not positive definite",
                "give every part mass and inertia");
  const double size = std::sqrt(M.cwiseAbs().maxCoeff() * K.cwiseAbs().maxCoeff());
  const bool damped = D.size() > 0 && D.cwiseAbs().maxCoeff() > 1e-13 * size;
  if (!damped && symmetric(K)) return undamped(mass, K);
  MatX A = MatX::Zero(2 * n, 2 * n);
  A.topRightCorner(n, n).setIdentity();
  A.bottomLeftCorner(n, n) = -mass.solve(K);
  if (D.size() > 0) A.bottomRightCorner(n, n) = -mass.solve(D);
  return eigenvalues(A);
}

MatX least_solution(const MatX& G, const MatX& B) {
  if (G.rows() == 0 || B.cols() == 0 || B.cwiseAbs().maxCoeff() == 0) return MatX::Zero(G.cols(), B.cols());
  return G.completeOrthogonalDecomposition().solve(B);
}

MatX null_space(const MatX& G, double tolerance) {
  const Index n = G.cols();
  if (G.rows() == 0) return MatX::Identity(n, n);
  MatX rows = G;
  for (Index i = 0; i < rows.rows(); ++i)
    if (const double length = rows.row(i).norm(); length > 0) rows.row(i) /= length;
  Eigen::ColPivHouseholderQR<MatX> qr(rows.transpose());
  qr.setThreshold(tolerance);
  const MatX Q = qr.householderQ();
  return Q.rightCols(n - qr.rank());
}

}  // namespace monocoque::analysis

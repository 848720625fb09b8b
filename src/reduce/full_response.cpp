// Frequency responses of the full model. Every matrix K (1 + i eta) - omega^2 M is a multiple of A + s M with
// some complex s, and span{A^-1 F, A^-1 M A^-1 F, ...} does not depend on s: one space for all frequencies.

#include <cmath>

#include <utility>

#include "core/decompositions.h"
#include "reduce/lanczos.h"
#include "reduce/report.h"
#include "reduce/symmetric_product.h"

namespace monocoque::reduce {

FullResponse::FullResponse(const FeSystem& fe, const NodeMap& map, const SparseCholesky& cholesky,
                           double sigma, const MatX& F, const MatX& start)
    : fe_(fe), cholesky_(cholesky), sigma_(sigma), S_(map.rigid_motions(fe.positions[0])) {
  MS_ = symmetric_product(fe.M, S_);
  orthonormalise(S_, MS_, 1e-14);
  // The elastic part of the load: what rigid acceleration does not take.
  F_ = F;
  subtract_product(MS_, gram(S_, F), F_);
  append(start);
  append(cholesky_.solve(F_));
}

void FullResponse::append(MatX block) {
  for (int pass = 0; pass < 2; ++pass) {
    subtract_product(S_, gram(MS_, block), block);
    if (V_.cols() > 0) subtract_product(V_, gram(V_, symmetric_product(fe_.M, block)), block);
  }
  MatX Mblock = symmetric_product(fe_.M, block);
  orthonormalise(block, Mblock, 1e-13);
  V_.conservativeResize(fe_.size(), V_.cols() + block.cols());
  V_.rightCols(block.cols()) = block;
  last_ = std::move(block);
  const MatX Kr = gram(V_, symmetric_product(fe_.K, V_));
  Eigen::SelfAdjointEigenSolver<MatX> eigen((Kr + Kr.transpose()) / 2);
  omega2_ = eigen.eigenvalues();
  rotation_ = eigen.eigenvectors();
  modal_load_ = rotation_.transpose() * gram(V_, F_);
}

void FullResponse::enlarge() {
  append(cholesky_.solve(symmetric_product(fe_.M, last_)));
}

Eigen::MatrixXcd FullResponse::coordinates(double omega, double eta) const {
  const Eigen::VectorXcd denominator = omega2_.cast<std::complex<double>>() * std::complex<double>(1, eta) -
                                       Eigen::VectorXcd::Constant(omega2_.size(), omega * omega);
  return rotation_ * (denominator.cwiseInverse().asDiagonal() * modal_load_.cast<std::complex<double>>());
}

Eigen::MatrixXcd FullResponse::at(double omega, double eta, const SparseMatrix& outputs) const {
  const MatX shape = outputs * V_;
  return shape.cast<std::complex<double>>() * coordinates(omega, eta);
}

double FullResponse::residual(double omega, double eta) const {
  const Eigen::MatrixXcd c = coordinates(omega, eta);
  const MatX re = tall_product(V_, c.real()), im = tall_product(V_, c.imag());
  const MatX Kre = symmetric_product(fe_.K, re), Kim = symmetric_product(fe_.K, im);
  const MatX Mre = symmetric_product(fe_.M, re), Mim = symmetric_product(fe_.M, im);
  const double w2 = omega * omega;
  MatX all(F_.rows(), 3 * F_.cols());
  all << F_ - Kre + eta * Kim + w2 * Mre, -Kim - eta * Kre + w2 * Mim, F_;
  MatX u = cholesky_.solve(all);
  subtract_product(S_, gram(MS_, u), u);
  const VecX square = symmetric_product(fe_.M, u).cwiseProduct(u).colwise().sum().cwiseMax(0).transpose();
  const Eigen::Index n = F_.cols();
  return std::sqrt(((square.head(n) + square.segment(n, n)).array() / square.tail(n).array()).maxCoeff());
}

}  // namespace monocoque::reduce

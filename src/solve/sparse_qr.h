#pragma once
// Sparse QR with rank detection (SPQR: Davis, ACM TOMS 38, 2011): A E = Q R with R = [R11 R12], R11 upper
// triangular of the rank's size.

#include <vector>

#include <Eigen/SparseCore>

#include "core/types.h"

namespace monocoque {

class SparseQr {
 public:
  /// Columns whose remaining norm falls below tolerance count as dependent. Throws Error when memory runs
  /// out.
  SparseQr(const Eigen::SparseMatrix<double>& A, double tolerance);
  ~SparseQr();
  SparseQr(const SparseQr&) = delete;
  SparseQr& operator=(const SparseQr&) = delete;

  int rank() const { return rank_; }
  const Eigen::SparseMatrix<double>& R() const { return R_; }  ///< rank x columns
  const std::vector<int>& permutation() const {
    return columns_;
  }                                              ///< column k of R is column permutation[k] of A
  VecX apply_Q(const VecX& z) const;             ///< Q (z; 0), z of length rank
  VecX apply_Q_transposed(const VecX& b) const;  ///< the first rank entries of Q^T b

 private:
  struct Impl;
  Impl* impl_;
  int rank_ = 0;
  Eigen::SparseMatrix<double> R_;
  std::vector<int> columns_;
};

}  // namespace monocoque

#pragma once
// Dense LU with partial pivoting: recursive on column halves (Toledo, SIAM J. Matrix Anal. Appl. 18, 1997),
// all heavy work in Eigen's matrix product on tiles small enough for its stack buffers, so nothing is
// allocated at any size. Eigen's own PartialPivLU calls malloc twice at n = 400; it is 10 to 20 % faster,
// part of which is the scaling it does not do.

#include <Eigen/Core>

#include "solve/linear_solver.h"

namespace monocoque {

class DenseSolver final : public LinearSolver {
 public:
  explicit DenseSolver(int size);
  bool factor(const BlockMatrix& matrix) noexcept override;
  void solve(VecRef rhs) const noexcept override;
  double reciprocal_condition() const noexcept override { return reciprocal_condition_; }
  std::string name() const override { return "dense LU"; }

 private:
  bool scale(const double* values) noexcept;
  bool is_singular() noexcept;
  bool factor_columns(int first, int last) noexcept;
  bool factor_narrow(int first, int last) noexcept;
  void swap_rows(int column_first, int column_last, int step_first, int step_last) noexcept;

  int n_;
  MatX lu_;
  Eigen::VectorXi swaps_;  // row exchanged with row k at step k
  VecX row_scale_, column_scale_, probe_, signs_;
  double norm_ = 0;  // of the scaled matrix, largest column sum
  double reciprocal_condition_ = 0;
};

}  // namespace monocoque

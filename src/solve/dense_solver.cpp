#include "solve/dense_solver.h"

#include <algorithm>
#include <cmath>

#include "solve/condition.h"
#include "solve/equilibration.h"

namespace monocoque {

namespace {

constexpr int narrow = 8;  // columns factored one by one; 4 to 16 measure alike
constexpr int tile = 192;  // a tile of 192 x 64 doubles is 96 KiB, below Eigen's stack limit of 128 KiB
constexpr int depth_tile = 64;

/// C -= A B in tiles, so that the buffers of Eigen's product stay on the stack.
void subtract_product(Eigen::Ref<MatX> C, const Eigen::Ref<const MatX>& A, const Eigen::Ref<const MatX>& B) {
  const Eigen::Index rows = C.rows(), columns = C.cols(), depth = A.cols();
  for (Eigen::Index j = 0; j < columns; j += tile) {
    const Eigen::Index nj = std::min<Eigen::Index>(tile, columns - j);
    for (Eigen::Index k = 0; k < depth; k += depth_tile) {
      const Eigen::Index nk = std::min<Eigen::Index>(depth_tile, depth - k);
      for (Eigen::Index i = 0; i < rows; i += tile) {
        const Eigen::Index ni = std::min<Eigen::Index>(tile, rows - i);
        C.block(i, j, ni, nj).noalias() -= A.block(i, k, ni, nk) * B.block(k, j, nk, nj);
      }
    }
  }
}

/// B = L^-1 B with unit lower triangular L, by halves; only narrow triangles are solved column by column.
void solve_unit_lower(const Eigen::Ref<const MatX>& L, Eigen::Ref<MatX> B) {
  const Eigen::Index n = L.rows();
  if (n <= 2 * narrow) {
    for (Eigen::Index c = 0; c < B.cols(); ++c)
      for (Eigen::Index k = 0; k + 1 < n; ++k)
        B.col(c).segment(k + 1, n - k - 1) -= B(k, c) * L.col(k).segment(k + 1, n - k - 1);
    return;
  }
  const Eigen::Index h = n / 2;
  solve_unit_lower(L.topLeftCorner(h, h), B.topRows(h));
  subtract_product(B.bottomRows(n - h), L.bottomLeftCorner(n - h, h), B.topRows(h));
  solve_unit_lower(L.bottomRightCorner(n - h, n - h), B.bottomRows(n - h));
}

}  // namespace

DenseSolver::DenseSolver(int size)
    : n_(size),
      lu_(MatX::Zero(size, size)),
      swaps_(Eigen::VectorXi::Zero(size)),
      row_scale_(VecX::Ones(size)),
      column_scale_(VecX::Ones(size)),
      probe_(VecX::Zero(size)),
      signs_(VecX::Zero(size)) {}

bool DenseSolver::scale(const double* values) noexcept {
  const Eigen::Map<const MatX> A(values, n_, n_);
  row_scale_.setZero();
  probe_.setZero();
  for (int c = 0; c < n_; ++c) {
    row_scale_ = row_scale_.cwiseMax(A.col(c).cwiseAbs());
    probe_ += 0.0 * A.col(c);  // turns into NaN at the first entry that is not finite
  }
  if (!(probe_.sum() == 0)) return false;
  for (int r = 0; r < n_; ++r)
    if ((row_scale_[r] = power_of_two_scale(row_scale_[r])) == 0) return false;
  norm_ = 0;
  for (int c = 0; c < n_; ++c) {
    lu_.col(c) = A.col(c).cwiseProduct(row_scale_);
    if ((column_scale_[c] = power_of_two_scale(lu_.col(c).lpNorm<Eigen::Infinity>())) == 0) return false;
    lu_.col(c) *= column_scale_[c];
    norm_ = std::max(norm_, lu_.col(c).lpNorm<1>());
  }
  return true;
}

void DenseSolver::swap_rows(int column_first, int column_last, int step_first, int step_last) noexcept {
  for (int c = column_first; c < column_last; ++c) {
    double* column = lu_.data() + static_cast<std::ptrdiff_t>(c) * n_;
    for (int k = step_first; k < step_last; ++k) std::swap(column[k], column[swaps_[k]]);
  }
}

bool DenseSolver::factor_narrow(int first, int last) noexcept {
  for (int k = first; k < last; ++k) {
    Eigen::Index at;
    const double pivot = lu_.col(k).tail(n_ - k).cwiseAbs().maxCoeff(&at);
    if (!(pivot > singular_pivot) || !std::isfinite(pivot)) return false;
    swaps_[k] = k + static_cast<int>(at);
    swap_rows(first, last, k, k + 1);
    lu_.col(k).tail(n_ - k - 1) /= lu_(k, k);
    for (int j = k + 1; j < last; ++j) lu_.col(j).tail(n_ - k - 1) -= lu_(k, j) * lu_.col(k).tail(n_ - k - 1);
  }
  return true;
}

bool DenseSolver::factor_columns(int first, int last) noexcept {
  const int width = last - first;
  if (width <= narrow) return factor_narrow(first, last);
  const int left = width > 2 * narrow ? width / (2 * narrow) * narrow : narrow;
  const int middle = first + left, right = last - middle;
  if (!factor_columns(first, middle)) return false;
  swap_rows(middle, last, first, middle);
  solve_unit_lower(lu_.block(first, first, left, left), lu_.block(first, middle, left, right));
  subtract_product(lu_.block(middle, middle, n_ - middle, right), lu_.block(middle, first, n_ - middle, left),
                   lu_.block(first, middle, left, right));
  if (!factor_columns(middle, last)) return false;
  swap_rows(first, middle, middle, last);
  return true;
}

bool DenseSolver::factor(const BlockMatrix& matrix) noexcept {
  reciprocal_condition_ = 0;
  if (!scale(matrix.values()) || !factor_columns(0, n_)) return false;
  if (n_ == 0) return true;
  probe_ = lu_.diagonal().cwiseAbs();
  const double smallest = probe_.minCoeff(), largest = probe_.maxCoeff();
  if (smallest < doubtful_pivot && is_singular()) return false;
  reciprocal_condition_ = smallest / largest;
  return true;
}

bool DenseSolver::is_singular() noexcept {
  // Row exchanges change no norm and the signs only by their order: L U alone is looked at.
  const double inverse_norm = estimate_inverse_norm(
      probe_, signs_,
      [&](VecX& x) {
        lu_.triangularView<Eigen::UnitLower>().solveInPlace(x);
        lu_.triangularView<Eigen::Upper>().solveInPlace(x);
      },
      [&](VecX& x) {
        lu_.transpose().triangularView<Eigen::Lower>().solveInPlace(x);
        lu_.transpose().triangularView<Eigen::UnitUpper>().solveInPlace(x);
      });
  return !(norm_ * inverse_norm < singular_condition);
}

void DenseSolver::solve(VecRef b) const noexcept {
  b.array() *= row_scale_.array();
  for (int k = 0; k < n_; ++k) std::swap(b[k], b[swaps_[k]]);
  lu_.triangularView<Eigen::UnitLower>().solveInPlace(b);
  lu_.triangularView<Eigen::Upper>().solveInPlace(b);
  b.array() *= column_scale_.array();
}

}  // namespace monocoque

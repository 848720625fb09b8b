#include "solve/sparse_solver.h"

#include <cmath>

#include "solve/equilibration.h"

namespace monocoque {

namespace {

struct Choice {
  int ordering, btf;
  const char* name;
};
constexpr Choice choices[] = {
    {0, 0, "AMD"}, {1, 0, "COLAMD"}, {0, 1, "BTF and AMD"}, {1, 1, "BTF and COLAMD"}};

int stored(const klu_numeric& n) {
  return n.lnz + n.unz + n.nzoff;
}

}  // namespace

SparseSolver::SparseSolver(const BlockPattern& pattern)
    : n_(pattern.size()),
      columns_(pattern.column_pointers()),
      rows_(pattern.row_indices()),
      values_(VecX::Zero(pattern.nonzeros())),
      row_scale_(VecX::Ones(n_)),
      column_scale_(VecX::Ones(n_)) {
  klu_defaults(&common_);
  common_.scale = -1;  // scaled by ourselves, rows and columns
  symbolic_.get_deleter().common = &common_;
  numeric_.get_deleter().common = &common_;
}

int SparseSolver::fill() const noexcept {
  return numeric_ ? stored(*numeric_) : 0;
}

bool SparseSolver::scale(const double* values) noexcept {
  row_scale_.setZero();
  double probe = 0;
  for (Eigen::Index k = 0; k < values_.size(); ++k) {
    double& largest = row_scale_[rows_[static_cast<std::size_t>(k)]];
    const double v = std::abs(values[k]);
    probe += 0.0 * v;  // turns into NaN at the first entry that is not finite
    if (v > largest) largest = v;
  }
  if (!(probe == 0)) return false;
  for (int r = 0; r < n_; ++r)
    if ((row_scale_[r] = power_of_two_scale(row_scale_[r])) == 0) return false;
  for (int c = 0; c < n_; ++c) {
    const int first = columns_[static_cast<std::size_t>(c)], last = columns_[static_cast<std::size_t>(c) + 1];
    double largest = 0;
    for (int k = first; k < last; ++k) {
      values_[k] = values[k] * row_scale_[rows_[static_cast<std::size_t>(k)]];
      largest = std::max(largest, std::abs(values_[k]));
    }
    if ((column_scale_[c] = power_of_two_scale(largest)) == 0) return false;
    for (int k = first; k < last; ++k) values_[k] *= column_scale_[c];
  }
  return true;
}

bool SparseSolver::choose_ordering() noexcept {
  for (const Choice& choice : choices) {
    common_.ordering = choice.ordering;
    common_.btf = choice.btf;
    Symbolic symbolic(klu_analyze(n_, columns_.data(), rows_.data(), &common_), {&common_});
    if (!symbolic) continue;
    Numeric numeric(klu_factor(columns_.data(), rows_.data(), values_.data(), symbolic.get(), &common_),
                    {&common_});
    if (!numeric || common_.status != KLU_OK) continue;
    if (numeric_ && stored(*numeric) >= stored(*numeric_)) continue;
    symbolic_ = std::move(symbolic);
    numeric_ = std::move(numeric);
    ordering_ = choice.name;
  }
  return numeric_ != nullptr;
}

bool SparseSolver::judge(double& smallest, double& growth) noexcept {
  const Eigen::Map<const VecX> pivots(static_cast<const double*>(numeric_->Udiag), n_);
  double largest = 0;
  smallest = HUGE_VAL;
  for (const double p : pivots) {
    const double a = std::abs(p);
    if (!(a > singular_pivot) || !std::isfinite(a)) return false;
    largest = std::max(largest, a);
    smallest = std::min(smallest, a);
  }
  reciprocal_condition_ = smallest / largest;
  // Smallest ratio of the largest entry of a column of A to that of U: small when pivots let entries grow.
  if (!klu_rgrowth(columns_.data(), rows_.data(), values_.data(), symbolic_.get(), numeric_.get(), &common_))
    return false;
  growth = common_.rgrowth;
  return std::isfinite(growth);
}

bool SparseSolver::factor_with_new_pivots() noexcept {
  ++full_;
  if (!symbolic_) {
    if (!choose_ordering()) return false;
  } else {
    numeric_.reset();
    numeric_.reset(klu_factor(columns_.data(), rows_.data(), values_.data(), symbolic_.get(), &common_));
    if (!numeric_ || common_.status != KLU_OK) {
      numeric_.reset();
      return false;
    }
  }
  if (judge(smallest_, growth_)) return true;
  numeric_.reset();
  return false;
}

bool SparseSolver::refactor() noexcept {
  if (!klu_refactor(columns_.data(), rows_.data(), values_.data(), symbolic_.get(), numeric_.get(),
                    &common_) ||
      common_.status != KLU_OK)
    return false;
  // Measured against the same figures when the pivots were chosen, so that a matrix that is always badly
  // conditioned is not factored from scratch every time.
  double smallest, growth;
  if (!judge(smallest, growth) || growth < 1e-2 * growth_ || smallest < 1e-3 * smallest_) return false;
  ++refactored_;
  return true;
}

bool SparseSolver::factor(const BlockMatrix& matrix) noexcept {
  reciprocal_condition_ = 0;
  if (n_ == 0) return true;
  const bool usable = scale(matrix.values()) && ((numeric_ && refactor()) || factor_with_new_pivots());
  if (!usable) reciprocal_condition_ = 0;
  return usable;
}

void SparseSolver::solve(VecRef b) const noexcept {
  if (n_ == 0 || !numeric_) return;
  b.array() *= row_scale_.array();
  klu_solve(symbolic_.get(), numeric_.get(), n_, 1, b.data(), &common_);
  b.array() *= column_scale_.array();
}

}  // namespace monocoque

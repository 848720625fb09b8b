#include "solve/sparse_solver.h"

#include <cmath>

#include "core/index.h"
#include "solve/condition.h"
#include "solve/elimination_order.h"
#include "solve/equilibration.h"

namespace monocoque {

namespace {

struct Choice {
  int ordering, btf;
  const char* name;
};
// COLAMD bounds the fill for whatever rows become pivots. AMD reckons with pivots on the diagonal, where the
// multipliers have none: on chains its fill grew with the square of the length (1000 links: 31 million
// against 0.2).
constexpr Choice choices[] = {{1, 0, "COLAMD"}, {1, 1, "BTF and COLAMD"}};
/// An order along the structure may fill this much more: neighbours stay together, and what a solution reads
/// is near.
constexpr double worth_of_nearness = 1.3;

constexpr int tile_size = 3;      // a vector of space
constexpr int most_take_ins = 5;  // then everything declared is kept

int stored(const klu_numeric& n) {
  return n.lnz + n.unz + n.nzoff;
}

/// First row or column of the tile that each row or column belongs to.
std::vector<int> tile_starts(const BlockPattern& pattern) {
  std::vector<int> starts;
  for (int b = 0; b < pattern.block_count(); ++b)
    for (int i = 0; i < pattern.block_size(b); ++i)
      starts.push_back(pattern.block_start(b) + i / tile_size * tile_size);
  return starts;
}

}  // namespace

SparseSolver::SparseSolver(const BlockPattern& pattern)
    : n_(pattern.size()),
      all_columns_(pattern.column_pointers()),
      all_rows_(pattern.row_indices()),
      tile_of_(all_rows_.size()),
      columns_(at(n_) + 1, 0),
      values_(VecX::Zero(pattern.nonzeros())),
      row_scale_(VecX::Ones(n_)),
      column_scale_(VecX::Ones(n_)),
      pivots_(VecX::Zero(n_)),
      probe_(VecX::Zero(n_)),
      signs_(VecX::Zero(n_)) {
  klu_defaults(&common_);
  common_.scale = -1;  // scaled by ourselves, rows and columns
  symbolic_.get_deleter().common = &common_;
  numeric_.get_deleter().common = &common_;
  // All columns of a tile have the same rows, so its number follows from its place in its first column.
  const std::vector<int> start = tile_starts(pattern);
  int tiles = 0;
  for (int c = 0; c < n_; ++c) {
    const int first = all_columns_[at(c)], like = all_columns_[at(start[at(c)])];
    for (int k = first; k < all_columns_[at(c) + 1]; ++k) {
      const int r = all_rows_[at(k)];
      if (start[at(c)] < c)
        tile_of_[at(k)] = tile_of_[at(like + k - first)];
      else
        tile_of_[at(k)] = start[at(r)] < r ? tile_of_[at(k - 1)] : tiles++;
    }
  }
  tile_kept_.assign(at(tiles), 0);
  // Reserved in full, so that taking in more tiles allocates nothing here.
  for (auto* list : {&rows_, &source_, &left_out_}) list->reserve(all_rows_.size());
  for (std::size_t k = 0; k < all_rows_.size(); ++k) left_out_.push_back(static_cast<int>(k));
}

bool SparseSolver::take_in(const double* values) noexcept {
  double outside = 0;
  for (const int k : left_out_) outside += std::abs(values[k]);
  if (outside == 0) return true;
  if (!std::isfinite(outside)) return false;
  const bool all = ++taken_in_ > most_take_ins;
  for (const int k : left_out_)
    if (all || values[k] != 0) tile_kept_[at(tile_of_[at(k)])] = 1;
  for (auto* list : {&rows_, &source_, &left_out_}) list->clear();
  for (int c = 0; c < n_; ++c) {
    for (int k = all_columns_[at(c)]; k < all_columns_[at(c) + 1]; ++k) {
      if (!tile_kept_[at(tile_of_[at(k)])]) {
        left_out_.push_back(k);
        continue;
      }
      rows_.push_back(all_rows_[at(k)]);
      source_.push_back(k);
    }
    columns_[at(c) + 1] = static_cast<int>(rows_.size());
  }
  numeric_.reset();
  symbolic_.reset();
  return true;
}

int SparseSolver::fill() const noexcept {
  return numeric_ ? stored(*numeric_) : 0;
}

bool SparseSolver::choose_scales(const double* values) noexcept {
  row_scale_.setZero();
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    double& largest = row_scale_[rows_[k]];
    largest = std::max(largest, std::abs(values[source_[k]]));
  }
  for (int r = 0; r < n_; ++r)
    if ((row_scale_[r] = power_of_two_scale(row_scale_[r])) == 0) return false;
  for (int c = 0; c < n_; ++c) {
    double largest = 0;
    for (int k = columns_[at(c)]; k < columns_[at(c) + 1]; ++k)
      largest = std::max(largest, std::abs(values[source_[at(k)]] * row_scale_[rows_[at(k)]]));
    if ((column_scale_[c] = power_of_two_scale(largest)) == 0) return false;
  }
  return true;
}

bool SparseSolver::take_scaled(const double* values) noexcept {
  double probe = 0;
  for (int c = 0; c < n_; ++c) {
    const double scale = column_scale_[c];
    for (int k = columns_[at(c)]; k < columns_[at(c) + 1]; ++k) {
      const double v = values[source_[at(k)]];
      probe += 0.0 * v;  // turns into NaN at the first entry that is not finite
      values_[k] = v * row_scale_[rows_[at(k)]] * scale;
    }
  }
  return probe == 0;
}

void SparseSolver::try_ordering(klu_symbolic* analysed, const char* name, double worth) noexcept {
  Symbolic symbolic(analysed, {&common_});
  if (!symbolic) return;
  Numeric numeric(klu_factor(columns_.data(), rows_.data(), values_.data(), symbolic.get(), &common_),
                  {&common_});
  if (!numeric || common_.status != KLU_OK) return;
  if (numeric_ && stored(*numeric) >= worth * stored(*numeric_)) return;
  symbolic_ = std::move(symbolic);
  numeric_ = std::move(numeric);
  ordering_ = name;
}

bool SparseSolver::choose_ordering(const BlockMatrix& matrix) noexcept {
  for (const Choice& choice : choices) {
    common_.ordering = choice.ordering;
    common_.btf = choice.btf;
    try_ordering(klu_analyze(n_, columns_.data(), rows_.data(), &common_), choice.name, 1);
  }
  common_.btf = 0;
  std::vector<int> order;
  for (const EliminationStep& step : elimination_order(matrix, row_scale_, column_scale_))
    for (const int b : step.pivots)
      for (int i = 0; i < matrix.pattern().block_size(b); ++i)
        order.push_back(matrix.pattern().block_start(b) + i);
  if (static_cast<int>(order.size()) == n_)
    try_ordering(klu_analyze_given(n_, columns_.data(), rows_.data(), order.data(), order.data(), &common_),
                 "along the structure", worth_of_nearness);
  return numeric_ != nullptr;
}

bool SparseSolver::judge_pivots(double& smallest, bool& shrunk) noexcept {
  const Eigen::Map<const VecX> pivots(static_cast<const double*>(numeric_->Udiag), n_);
  double largest = 0;
  smallest = HUGE_VAL;
  shrunk = false;
  for (int k = 0; k < n_; ++k) {
    const double a = std::abs(pivots[k]);
    if (!(a > singular_pivot) || !std::isfinite(a)) return false;
    largest = std::max(largest, a);
    smallest = std::min(smallest, a);
    shrunk = shrunk || a < 0.1 * pivots_[k];
  }
  reciprocal_condition_ = smallest / largest;
  return true;
}

bool SparseSolver::is_singular() noexcept {
  double norm = 0;
  for (int c = 0; c < n_; ++c) {
    const int first = columns_[at(c)];
    norm = std::max(norm, values_.segment(first, columns_[at(c) + 1] - first).lpNorm<1>());
  }
  const double inverse_norm = estimate_inverse_norm(
      probe_, signs_, [&](VecX& x) { klu_solve(symbolic_.get(), numeric_.get(), n_, 1, x.data(), &common_); },
      [&](VecX& x) { klu_tsolve(symbolic_.get(), numeric_.get(), n_, 1, x.data(), &common_); });
  return !(norm * inverse_norm < singular_condition);
}

bool SparseSolver::judge_growth(double& growth) noexcept {
  // Smallest ratio of the largest entry of a column of A to that of U: small when pivots let entries grow.
  if (!klu_rgrowth(columns_.data(), rows_.data(), values_.data(), symbolic_.get(), numeric_.get(), &common_))
    return false;
  growth = common_.rgrowth;
  return std::isfinite(growth);
}

bool SparseSolver::factor_with_new_pivots(const BlockMatrix& matrix) noexcept {
  ++full_;
  if (!symbolic_) {
    if (!choose_ordering(matrix)) return false;
  } else {
    numeric_.reset();
    numeric_.reset(klu_factor(columns_.data(), rows_.data(), values_.data(), symbolic_.get(), &common_));
    if (!numeric_ || common_.status != KLU_OK) {
      numeric_.reset();
      return false;
    }
  }
  bool shrunk;
  if (judge_pivots(smallest_, shrunk) && !(smallest_ < doubtful_pivot && is_singular()) &&
      judge_growth(growth_)) {
    pivots_ = Eigen::Map<const VecX>(static_cast<const double*>(numeric_->Udiag), n_).cwiseAbs();
    return true;
  }
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
  bool shrunk;
  if (!judge_pivots(smallest, shrunk) || smallest < 1e-3 * smallest_) return false;
  // Entries grow by division with pivots that have become small: without such the full look, which costs a
  // third of the factorisation, is spared. What it finds good is the new measure.
  if (shrunk) {
    if (!judge_growth(growth) || growth < 1e-2 * growth_) return false;
    pivots_ =
        pivots_.cwiseMin(Eigen::Map<const VecX>(static_cast<const double*>(numeric_->Udiag), n_).cwiseAbs());
  }
  ++refactored_;
  return true;
}

bool SparseSolver::factor(const BlockMatrix& matrix) noexcept {
  reciprocal_condition_ = 0;
  if (n_ == 0) return true;
  const double* values = matrix.values();
  // Pivots that are kept keep their scales: entries change little where they still fit.
  const bool usable =
      take_in(values) && ((numeric_ && take_scaled(values) && refactor()) ||
                          (choose_scales(values) && take_scaled(values) && factor_with_new_pivots(matrix)));
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

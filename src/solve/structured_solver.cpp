#include "solve/structured_solver.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/index.h"
#include "solve/elimination_order.h"
#include "solve/equilibration.h"

namespace monocoque {

namespace {

// Multipliers that grow, or pivots that shrink, by this against the matrix of the order ask for a new one.
constexpr double kGrowth = 1e4, kShrunk = 1e-3;

struct PivotRange {
  double smallest = HUGE_VAL, largest = 0, growth = 0;
};

/// Gaussian elimination of the first `pivots` columns of a matrix of size n by columns; rows are exchanged
/// among the pivots only. False at a pivot of zero or NaN.
bool eliminate_front(double* a, int n, int pivots, int* exchange, PivotRange& range) noexcept {
  for (int k = 0; k < pivots; ++k) {
    double* column = a + static_cast<std::ptrdiff_t>(k) * n;
    int row = k;
    double best = std::abs(column[k]);
    for (int i = k + 1; i < pivots; ++i)
      if (std::abs(column[i]) > best) best = std::abs(column[row = i]);
    if (!(best > 0) || !(best < HUGE_VAL)) return false;
    exchange[k] = row;
    if (row != k)
      for (int j = 0; j < n; ++j)
        std::swap(a[static_cast<std::ptrdiff_t>(j) * n + k], a[static_cast<std::ptrdiff_t>(j) * n + row]);
    range.smallest = std::min(range.smallest, best);
    range.largest = std::max(range.largest, best);
    const double inverse = 1 / column[k];
    for (int i = k + 1; i < n; ++i) column[i] *= inverse;
    double most = 0;
    for (int i = pivots; i < n; ++i) most = std::max(most, std::abs(column[i]));
    range.growth = std::max(range.growth, most);
    for (int j = k + 1; j < n; ++j) {
      double* other = a + static_cast<std::ptrdiff_t>(j) * n;
      const double factor = other[k];
      if (factor == 0) continue;
      for (int i = k + 1; i < n; ++i) other[i] -= factor * column[i];
    }
  }
  return true;
}

}  // namespace

StructuredSolver::StructuredSolver(const BlockPattern& pattern)
    : pattern_(pattern),
      n_(pattern.size()),
      row_scale_(VecX::Ones(n_)),
      column_scale_(VecX::Ones(n_)),
      work_(VecX::Zero(n_)) {}

std::string StructuredSolver::name() const {
  return fmt::format("structured LU ({} fronts, the largest of {})", front_count(), largest_front());
}

int StructuredSolver::largest_front() const noexcept {
  int most = 0;
  for (const Front& f : fronts_) most = std::max(most, f.size);
  return most;
}

bool StructuredSolver::analyse(const BlockMatrix& matrix) {
  ++analyses_;
  // Scales of the first matrix are kept: they even out units, which do not change.
  const std::vector<std::vector<int>> rows = rows_of_columns(pattern_);
  row_scale_.setZero();
  column_scale_.setZero();
  const auto for_all = [&](auto&& visit) {
    for (int j = 0; j < pattern_.block_count(); ++j)
      for (const int i : rows[at(j)]) {
        const BlockHandle h = pattern_.handle(i, j);
        for (int c = 0; c < pattern_.block_size(j); ++c)
          for (int r = 0; r < pattern_.block_size(i); ++r)
            visit(pattern_.block_start(i) + r, pattern_.block_start(j) + c,
                  matrix.values()[h.base + c * h.stride + r]);
      }
  };
  for_all([&](int r, int, double v) { row_scale_[r] = std::max(row_scale_[r], std::abs(v)); });
  for (double& s : row_scale_)
    if ((s = power_of_two_scale(s)) == 0) return false;
  for_all([&](int r, int c, double v) {
    column_scale_[c] = std::max(column_scale_[c], std::abs(v * row_scale_[r]));
  });
  for (double& s : column_scale_)
    if ((s = power_of_two_scale(s)) == 0) return false;

  const std::vector<EliminationStep> steps = elimination_order(matrix, row_scale_, column_scale_);
  if (steps.empty()) return false;
  std::vector<int> front_of(at(pattern_.block_count()), -1), position(at(pattern_.block_count()), -1);
  for (std::size_t s = 0; s < steps.size(); ++s)
    for (const int b : steps[s].pivots) front_of[at(b)] = static_cast<int>(s);
  fronts_.assign(steps.size(), {});
  indices_.clear();
  maps_.clear();
  std::vector<std::vector<Source>> sources(steps.size());
  std::vector<std::vector<Child>> children(steps.size());
  std::vector<std::vector<int>> blocks(steps.size());
  std::size_t values = 0;
  int most = 0;
  for (std::size_t s = 0; s < steps.size(); ++s) {
    Front& f = fronts_[s];
    std::vector<int> boundary = steps[s].boundary;
    std::sort(boundary.begin(), boundary.end(),
              [&](int a, int b) { return std::pair(front_of[at(a)], a) < std::pair(front_of[at(b)], b); });
    blocks[s] = steps[s].pivots;
    blocks[s].insert(blocks[s].end(), boundary.begin(), boundary.end());
    f.indices = static_cast<int>(indices_.size());
    for (std::size_t k = 0; k < blocks[s].size(); ++k) {
      const int b = blocks[s][k];
      for (int i = 0; i < pattern_.block_size(b); ++i) indices_.push_back(pattern_.block_start(b) + i);
      f.size += pattern_.block_size(b);
      if (k < steps[s].pivots.size()) f.pivots += pattern_.block_size(b);
    }
    f.values = values;
    values += static_cast<std::size_t>(f.size) * static_cast<std::size_t>(f.size);
    most = std::max(most, f.size);
  }
  // Places of blocks within a front, front by front.
  for (std::size_t s = 0; s < steps.size(); ++s) {
    int at_row = 0;
    for (const int b : blocks[s]) {
      position[at(b)] = at_row;
      at_row += pattern_.block_size(b);
    }
    // Blocks of the matrix come in with the first of their two ends.
    for (const int j : blocks[s])
      for (const int i : rows[at(j)]) {
        if (std::min(front_of[at(i)], front_of[at(j)]) != static_cast<int>(s)) continue;
        const BlockHandle h = pattern_.handle(i, j);
        sources[s].push_back({h.base, h.stride, pattern_.block_size(i), pattern_.block_size(j),
                              position[at(i)], position[at(j)], pattern_.block_start(i),
                              pattern_.block_start(j)});
      }
    // What earlier fronts leave: their boundary lies within this front.
    for (const Child& child : children[s]) {
      for (std::size_t k = 0; k < blocks[at(child.front)].size(); ++k) {
        const int b = blocks[at(child.front)][k];
        if (front_of[at(b)] == child.front) continue;
        for (int i = 0; i < pattern_.block_size(b); ++i) maps_.push_back(position[at(b)] + i);
      }
    }
    if (fronts_[s].size > fronts_[s].pivots) {
      int next = static_cast<int>(steps.size());
      for (const int b : blocks[s])
        if (front_of[at(b)] != static_cast<int>(s)) next = std::min(next, front_of[at(b)]);
      children[at(next)].push_back({static_cast<int>(s), 0});
    }
  }
  sources_.clear();
  children_.clear();
  int map = 0;
  for (std::size_t s = 0; s < steps.size(); ++s) {
    Front& f = fronts_[s];
    f.first_source = static_cast<int>(sources_.size());
    sources_.insert(sources_.end(), sources[s].begin(), sources[s].end());
    f.last_source = static_cast<int>(sources_.size());
    f.first_child = static_cast<int>(children_.size());
    for (Child child : children[s]) {
      child.map = map;
      map += fronts_[at(child.front)].size - fronts_[at(child.front)].pivots;
      children_.push_back(child);
    }
    f.last_child = static_cast<int>(children_.size());
  }
  values_.setZero(static_cast<Eigen::Index>(values));
  exchanges_.assign(at(n_), 0);
  rest_.setZero(most);
  growth_ = 0;
  return true;
}

bool StructuredSolver::eliminate_all(const double* values) noexcept {
  PivotRange range;
  int* exchange = exchanges_.data();
  for (const Front& f : fronts_) {
    double* a = values_.data() + f.values;
    const int n = f.size;
    std::fill_n(a, static_cast<std::size_t>(n) * static_cast<std::size_t>(n), 0.0);
    for (int k = f.first_source; k < f.last_source; ++k) {
      const Source& s = sources_[at(k)];
      const double* rows = row_scale_.data() + s.global_row;
      for (int c = 0; c < s.cols; ++c) {
        const double scale = column_scale_[s.global_col + c];
        const double* from = values + s.base + static_cast<std::ptrdiff_t>(c) * s.stride;
        double* to = a + static_cast<std::ptrdiff_t>(s.col + c) * n + s.row;
        for (int r = 0; r < s.rows; ++r) to[r] += from[r] * rows[r] * scale;
      }
    }
    for (int k = f.first_child; k < f.last_child; ++k) {
      const Front& child = fronts_[at(children_[at(k)].front)];
      const int* map = maps_.data() + children_[at(k)].map;
      const int boundary = child.size - child.pivots;
      for (int c = 0; c < boundary; ++c) {
        const double* from = values_.data() + child.values +
                             static_cast<std::ptrdiff_t>(child.pivots + c) * child.size + child.pivots;
        double* to = a + static_cast<std::ptrdiff_t>(map[c]) * n;
        for (int r = 0; r < boundary; ++r) to[map[r]] += from[r];
      }
    }
    if (!eliminate_front(a, n, f.pivots, exchange, range)) return false;
    exchange += f.pivots;
  }
  reciprocal_condition_ = range.smallest / range.largest;
  if (growth_ == 0) {
    growth_ = std::max(range.growth, 1.0);
    smallest_ = range.smallest;
  }
  return range.growth <= kGrowth * growth_ && range.smallest >= kShrunk * smallest_;
}

bool StructuredSolver::factor(const BlockMatrix& matrix) noexcept {
  reciprocal_condition_ = 0;
  if (n_ == 0) return true;
  if (analysed_ && eliminate_all(matrix.values())) return true;
  analysed_ = analyse(matrix) && eliminate_all(matrix.values());
  if (!analysed_) reciprocal_condition_ = 0;
  return analysed_;
}

void StructuredSolver::solve(VecRef b) const noexcept {
  if (n_ == 0 || !analysed_) return;
  work_ = b.cwiseProduct(row_scale_);
  const int* exchange = exchanges_.data();
  for (const Front& f : fronts_) {
    const double* a = values_.data() + f.values;
    const int* index = indices_.data() + f.indices;
    for (int i = 0; i < f.size; ++i) rest_[i] = work_[index[i]];
    for (int k = 0; k < f.pivots; ++k) std::swap(rest_[k], rest_[exchange[k]]);
    for (int k = 0; k < f.pivots; ++k) {
      const double* column = a + static_cast<std::ptrdiff_t>(k) * f.size;
      const double v = rest_[k];
      for (int i = k + 1; i < f.size; ++i) rest_[i] -= v * column[i];
    }
    for (int i = 0; i < f.size; ++i) work_[index[i]] = rest_[i];
    exchange += f.pivots;
  }
  for (auto f = fronts_.rbegin(); f != fronts_.rend(); ++f) {
    const double* a = values_.data() + f->values;
    const int* index = indices_.data() + f->indices;
    for (int i = 0; i < f->size; ++i) rest_[i] = work_[index[i]];
    for (int k = f->size - 1; k >= f->pivots; --k) {
      const double* column = a + static_cast<std::ptrdiff_t>(k) * f->size;
      const double v = rest_[k];
      for (int i = 0; i < f->pivots; ++i) rest_[i] -= v * column[i];
    }
    for (int k = f->pivots - 1; k >= 0; --k) {
      const double* column = a + static_cast<std::ptrdiff_t>(k) * f->size;
      const double v = rest_[k] /= column[k];
      for (int i = 0; i < k; ++i) rest_[i] -= v * column[i];
    }
    for (int i = 0; i < f->pivots; ++i) work_[index[i]] = rest_[i];
  }
  b = work_.cwiseProduct(column_scale_);
}

}  // namespace monocoque

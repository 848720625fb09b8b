#include "solve/structured_solver.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/clones.h"
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

/// Columns of a front lie a multiple of this apart, with zeros at their ends: loops over rows then have no
/// rest.
constexpr int kLanes = 4;
typedef double Lanes
    __attribute__((vector_size(kLanes * sizeof(double)), aligned(sizeof(double)), may_alias));

constexpr int padded(int rows) {
  return (rows + kLanes - 1) / kLanes * kLanes;
}

__attribute__((always_inline)) inline Lanes& lanes(double* p) noexcept {
  return *reinterpret_cast<Lanes*>(p);
}
__attribute__((always_inline)) inline const Lanes& lanes(const double* p) noexcept {
  return *reinterpret_cast<const Lanes*>(p);
}

/// Each of the columns -= sum of its four factors times the columns of l; rows first to last, both multiples
/// of kLanes; the columns of l lie `last` apart.
template <int kColumns>
__attribute__((always_inline)) inline void subtract_four(double* const (&columns)[kColumns], const double* l,
                                                         int first, int last,
                                                         const double* const (&factors)[kColumns]) noexcept {
  double f[kColumns][4];
  for (int c = 0; c < kColumns; ++c)
    for (int k = 0; k < 4; ++k) f[c][k] = factors[c][k];
  const double *l0 = l, *l1 = l + last, *l2 = l1 + last, *l3 = l2 + last;
  for (int i = first; i < last; i += kLanes) {
    const Lanes x0 = lanes(l0 + i), x1 = lanes(l1 + i), x2 = lanes(l2 + i), x3 = lanes(l3 + i);
    for (int c = 0; c < kColumns; ++c)
      lanes(columns[c] + i) -= f[c][0] * x0 + f[c][1] * x1 + (f[c][2] * x2 + f[c][3] * x3);
  }
}

inline void subtract_one(double* __restrict other, const double* __restrict column, int first, int last,
                         double factor) noexcept {
  for (int i = first; i < last; ++i) other[i] -= factor * column[i];
}

/// Pivot of column k, the row exchanged, the column scaled. False at zero or NaN.
inline bool take_pivot(double* a, int n, int pivots, int k, int* exchange, PivotRange& range) noexcept {
  const int apart = padded(n);
  double* column = a + static_cast<std::ptrdiff_t>(k) * apart;
  int row = k;
  double best = std::abs(column[k]);
  for (int i = k + 1; i < pivots; ++i)
    if (std::abs(column[i]) > best) best = std::abs(column[row = i]);
  if (!(best > 0) || !(best < HUGE_VAL)) return false;
  exchange[k] = row;
  if (row != k)
    for (int j = 0; j < n; ++j)
      std::swap(a[static_cast<std::ptrdiff_t>(j) * apart + k],
                a[static_cast<std::ptrdiff_t>(j) * apart + row]);
  range.smallest = std::min(range.smallest, best);
  range.largest = std::max(range.largest, best);
  const double inverse = 1 / column[k];
  for (int i = k + 1; i < n; ++i) column[i] *= inverse;
  double most[4] = {0, 0, 0, 0};
  int i = pivots;
  for (; i + 4 <= n; i += 4)
    for (int c = 0; c < 4; ++c)
      most[c] = std::abs(column[i + c]) > most[c] ? std::abs(column[i + c]) : most[c];
  for (; i < n; ++i) most[0] = std::max(most[0], std::abs(column[i]));
  for (const double m : most) range.growth = std::max(range.growth, m);
  return true;
}

/// Gaussian elimination of the first `pivots` columns of a matrix of size n by columns, four at a time; rows
/// are exchanged among the pivots only. False at a pivot of zero or NaN.
MONOCOQUE_CLONES
bool eliminate_front(double* a, int n, int pivots, int* exchange, PivotRange& range) noexcept {
  const int apart = padded(n);
  const auto at_column = [&](int j) { return a + static_cast<std::ptrdiff_t>(j) * apart; };
  int k = 0;
  for (; k + 4 <= pivots; k += 4) {
    for (int p = k; p < k + 4; ++p) {
      if (!take_pivot(a, n, pivots, p, exchange, range)) return false;
      for (int j = p + 1; j < k + 4; ++j)
        if (at_column(j)[p] != 0) subtract_one(at_column(j), at_column(p), p + 1, n, at_column(j)[p]);
    }
    const double* l = at_column(k);
    double* waiting = nullptr;  // columns go in pairs; zero ones are left out
    for (int j = k + 4; j < n; ++j) {
      double* other = at_column(j);
      if (other[k] == 0 && other[k + 1] == 0 && other[k + 2] == 0 && other[k + 3] == 0) continue;
      for (int p = k; p < k + 3; ++p)
        for (int i = p + 1; i < k + 4; ++i) other[i] -= other[p] * at_column(p)[i];
      if (waiting == nullptr) {
        waiting = other;
        continue;
      }
      subtract_four<2>({waiting, other}, l, k + 4, apart, {waiting + k, other + k});
      waiting = nullptr;
    }
    if (waiting != nullptr) subtract_four<1>({waiting}, l, k + 4, apart, {waiting + k});
  }
  for (; k < pivots; ++k) {
    if (!take_pivot(a, n, pivots, k, exchange, range)) return false;
    for (int j = k + 1; j < n; ++j)
      if (at_column(j)[k] != 0) subtract_one(at_column(j), at_column(k), k + 1, n, at_column(j)[k]);
  }
  return true;
}

/// x -= L y of the pivots, in place of one front.
MONOCOQUE_CLONES
void forward(const double* a, int n, int pivots, double* x) noexcept {
  for (int k = 0; k < pivots; ++k)
    if (x[k] != 0) subtract_one(x, a + static_cast<std::ptrdiff_t>(k) * padded(n), k + 1, n, x[k]);
}

MONOCOQUE_CLONES
void backward(const double* a, int n, int pivots, double* x) noexcept {
  for (int k = n - 1; k >= pivots; --k)
    if (x[k] != 0) subtract_one(x, a + static_cast<std::ptrdiff_t>(k) * padded(n), 0, pivots, x[k]);
  for (int k = pivots - 1; k >= 0; --k) {
    const double* column = a + static_cast<std::ptrdiff_t>(k) * padded(n);
    x[k] /= column[k];
    subtract_one(x, column, 0, k, x[k]);
  }
}

}  // namespace

/// Blocks that lie beside each other here and there become one.
std::vector<StructuredSolver::Source> StructuredSolver::joined_beside(std::vector<Source> list) {
  std::vector<Source> out;
  for (const Source& s : list) {
    const auto left = std::find_if(out.begin(), out.end(), [&](const Source& l) {
      return l.rows == s.rows && l.row == s.row && l.global_row == s.global_row && l.stride == s.stride &&
             l.col + l.cols == s.col && l.global_col + l.cols == s.global_col &&
             l.base + l.cols * l.stride == s.base;
    });
    if (left == out.end())
      out.push_back(s);
    else
      left->cols += s.cols;
  }
  return out;
}

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
  runs_.clear();
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
    values += static_cast<std::size_t>(padded(f.size)) * static_cast<std::size_t>(f.size);
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
        const Source source{
            h.base,          h.stride,        pattern_.block_size(i),  pattern_.block_size(j),
            position[at(i)], position[at(j)], pattern_.block_start(i), pattern_.block_start(j)};
        // Blocks that lie below each other here and there are one.
        Source* last = sources[s].empty() ? nullptr : &sources[s].back();
        if (last != nullptr && last->col == source.col && last->base + last->rows == source.base &&
            last->row + last->rows == source.row && last->global_row + last->rows == source.global_row)
          last->rows += source.rows;
        else
          sources[s].push_back(source);
      }
    sources[s] = joined_beside(std::move(sources[s]));
    // Contribution blocks of the children: their boundary lies within this front.
    for (Child& child : children[s]) {
      child.first_run = static_cast<int>(runs_.size());
      int from = fronts_[at(child.front)].pivots;
      for (const int b : blocks[at(child.front)]) {
        if (front_of[at(b)] == child.front) continue;
        const Run run{from, position[at(b)], pattern_.block_size(b)};
        from += run.length;
        const bool first = static_cast<int>(runs_.size()) == child.first_run;
        if (!first && runs_.back().to + runs_.back().length == run.to)
          runs_.back().length += run.length;
        else
          runs_.push_back(run);
      }
      child.last_run = static_cast<int>(runs_.size());
    }
    if (fronts_[s].size > fronts_[s].pivots) {
      int next = static_cast<int>(steps.size());
      for (const int b : blocks[s])
        if (front_of[at(b)] != static_cast<int>(s)) next = std::min(next, front_of[at(b)]);
      children[at(next)].push_back({static_cast<int>(s), 0, 0});
    }
  }
  sources_.clear();
  children_.clear();
  for (std::size_t s = 0; s < steps.size(); ++s) {
    Front& f = fronts_[s];
    f.first_source = static_cast<int>(sources_.size());
    sources_.insert(sources_.end(), sources[s].begin(), sources[s].end());
    f.last_source = static_cast<int>(sources_.size());
    f.first_child = static_cast<int>(children_.size());
    children_.insert(children_.end(), children[s].begin(), children[s].end());
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
    const int apart = padded(f.size);
    std::fill_n(a, static_cast<std::size_t>(apart) * static_cast<std::size_t>(f.size), 0.0);
    for (int k = f.first_source; k < f.last_source; ++k) {
      const Source& s = sources_[at(k)];
      const double* rows = row_scale_.data() + s.global_row;
      for (int c = 0; c < s.cols; ++c) {
        const double scale = column_scale_[s.global_col + c];
        const double* from = values + s.base + static_cast<std::ptrdiff_t>(c) * s.stride;
        double* to = a + static_cast<std::ptrdiff_t>(s.col + c) * apart + s.row;
        for (int r = 0; r < s.rows; ++r) to[r] += from[r] * rows[r] * scale;
      }
    }
    for (int k = f.first_child; k < f.last_child; ++k) {
      const Front& child = fronts_[at(children_[at(k)].front)];
      const Run* runs = runs_.data() + children_[at(k)].first_run;
      const int count = children_[at(k)].last_run - children_[at(k)].first_run, left = padded(child.size);
      for (int columns = 0; columns < count; ++columns)
        for (int c = 0; c < runs[columns].length; ++c) {
          const double* from =
              values_.data() + child.values + static_cast<std::ptrdiff_t>(runs[columns].from + c) * left;
          double* to = a + static_cast<std::ptrdiff_t>(runs[columns].to + c) * apart;
          for (int rows = 0; rows < count; ++rows)
            for (int r = 0; r < runs[rows].length; ++r) to[runs[rows].to + r] += from[runs[rows].from + r];
        }
    }
    if (!eliminate_front(a, f.size, f.pivots, exchange, range)) return false;
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
    forward(a, f.size, f.pivots, rest_.data());
    for (int i = 0; i < f.size; ++i) work_[index[i]] = rest_[i];
    exchange += f.pivots;
  }
  for (auto f = fronts_.rbegin(); f != fronts_.rend(); ++f) {
    const double* a = values_.data() + f->values;
    const int* index = indices_.data() + f->indices;
    for (int i = 0; i < f->size; ++i) rest_[i] = work_[index[i]];
    backward(a, f->size, f->pivots, rest_.data());
    for (int i = 0; i < f->pivots; ++i) work_[index[i]] = rest_[i];
  }
  b = work_.cwiseProduct(column_scale_);
}

}  // namespace monocoque

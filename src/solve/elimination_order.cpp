#include "solve/elimination_order.h"
#include "core/decompositions.h"
#include "core/index.h"

#include <algorithm>
#include <map>
#include <set>

namespace monocoque {

namespace {

// A pivot block worse conditioned than this is delayed until neighbours are gone.
constexpr double kInvertible = 1e-8;
// Supernodes are amalgamated up to this many pivots where that adds no fill.
constexpr int kWidestFront = 64;

/// Condition of a block in its own units: rows, then columns, scaled to 1.
double reciprocal_condition(MatX block) {
  for (Eigen::Index i = 0; i < block.rows(); ++i) {
    const double largest = block.row(i).cwiseAbs().maxCoeff();
    if (!(largest > 1e-30)) return 0;
    block.row(i) /= largest;
  }
  for (Eigen::Index j = 0; j < block.cols(); ++j) {
    const double largest = block.col(j).cwiseAbs().maxCoeff();
    if (!(largest > 1e-30)) return 0;
    block.col(j) /= largest;
  }
  const Eigen::FullPivLU<MatX> lu(block);
  return lu.matrixLU().diagonal().cwiseAbs().minCoeff();
}

class TrialElimination {
 public:
  TrialElimination(const BlockMatrix& matrix, const VecX& row_scale, const VecX& column_scale);
  std::vector<EliminationStep> run();

 private:
  struct Node {
    std::vector<int> blocks;      // in the order of its rows
    std::map<int, MatX> entries;  // (this row, column of the other node)
    std::set<int> neighbours;     // symmetric
    int size = 0;
    bool alive = true;
  };

  /// Unknowns it is coupled with, and those among them that its own rows hold.
  int width(int i) const {
    int sum = 0;
    for (const int j : nodes_[at(i)].neighbours) sum += nodes_[at(j)].size;
    return sum;
  }
  int row_width(int i) const {
    int sum = 0;
    for (const auto& [j, block] : nodes_[at(i)].entries)
      if (j != i) sum += nodes_[at(j)].size;
    return sum;
  }
  int degree(int i) const { return width(i) + row_width(i); }
  void offer(int i) { queue_.insert({degree(i), i}); }
  void take_back(int i) { queue_.erase({degree(i), i}); }
  MatX& entry(int i, int j);
  void eliminate(int i);
  void join(int i, int j);

  std::vector<Node> nodes_;
  std::set<std::pair<int, int>> queue_;  // (degree, node), those that may be invertible
  std::vector<EliminationStep> steps_;
};

TrialElimination::TrialElimination(const BlockMatrix& matrix, const VecX& row_scale,
                                   const VecX& column_scale) {
  const BlockPattern& pattern = matrix.pattern();
  nodes_.resize(at(pattern.block_count()));
  const std::vector<std::vector<int>> rows = rows_of_columns(pattern);
  for (int j = 0; j < pattern.block_count(); ++j) {
    nodes_[at(j)].blocks = {j};
    nodes_[at(j)].size = pattern.block_size(j);
    for (const int i : rows[at(j)]) {
      const BlockHandle h = pattern.handle(i, j);
      MatX block(pattern.block_size(i), pattern.block_size(j));
      for (int c = 0; c < block.cols(); ++c)
        for (int r = 0; r < block.rows(); ++r)
          block(r, c) = matrix.values()[h.base + c * h.stride + r] * row_scale[pattern.block_start(i) + r] *
                        column_scale[pattern.block_start(j) + c];
      nodes_[at(i)].entries[j] = std::move(block);
      if (i == j) continue;
      nodes_[at(i)].neighbours.insert(j);
      nodes_[at(j)].neighbours.insert(i);
    }
  }
}

MatX& TrialElimination::entry(int i, int j) {
  MatX& m = nodes_[at(i)].entries[j];
  if (m.size() == 0) m.setZero(nodes_[at(i)].size, nodes_[at(j)].size);
  return m;
}

void TrialElimination::eliminate(int i) {
  Node& node = nodes_[at(i)];
  EliminationStep step;
  step.pivots = node.blocks;
  step.sparse_rows = row_width(i) < width(i);
  const std::vector<int> around(node.neighbours.begin(), node.neighbours.end());
  for (const int j : around) take_back(j);
  const Eigen::PartialPivLU<MatX> lu(entry(i, i));
  for (const int j : around) {
    for (const int b : nodes_[at(j)].blocks) step.boundary.push_back(b);
    if (node.entries.count(j) == 0) continue;
    const MatX right = lu.solve(node.entries[j]);
    for (const int k : around)
      if (const auto it = nodes_[at(k)].entries.find(i); it != nodes_[at(k)].entries.end())
        entry(k, j).noalias() -= it->second * right;
  }
  for (const int j : around) {
    Node& other = nodes_[at(j)];
    other.entries.erase(i);
    other.neighbours.erase(i);
    for (const int k : around)
      if (k != j) other.neighbours.insert(k);
  }
  node.alive = false;
  node.entries.clear();
  for (const int j : around) offer(j);
  steps_.push_back(std::move(step));
}

/// j becomes a part of i.
void TrialElimination::join(int i, int j) {
  Node &a = nodes_[at(i)], &b = nodes_[at(j)];
  const int first = a.size, second = b.size;
  std::set<int> around = a.neighbours;
  around.insert(b.neighbours.begin(), b.neighbours.end());
  around.erase(i);
  around.erase(j);
  for (const int k : around) take_back(k);
  MatX diagonal(first + second, first + second);
  diagonal << entry(i, i), entry(i, j), entry(j, i), entry(j, j);
  for (const int k : around) {
    MatX row(first + second, nodes_[at(k)].size), column(nodes_[at(k)].size, first + second);
    row << entry(i, k), entry(j, k);
    column << entry(k, i), entry(k, j);
    a.entries[k] = std::move(row);
    Node& other = nodes_[at(k)];
    other.entries.erase(j);
    other.entries[i] = std::move(column);
    other.neighbours.erase(j);
    other.neighbours.insert(i);
  }
  a.entries.erase(j);
  a.entries[i] = std::move(diagonal);
  a.size += second;
  a.blocks.insert(a.blocks.end(), b.blocks.begin(), b.blocks.end());
  a.neighbours = around;
  b.alive = false;
  b.entries.clear();
  b.neighbours.clear();
  for (const int k : around) offer(k);
  offer(i);
}

std::vector<EliminationStep> TrialElimination::run() {
  for (int i = 0; i < static_cast<int>(nodes_.size()); ++i)
    if (nodes_[at(i)].size > 0) offer(i);
  while (true) {
    if (!queue_.empty()) {
      const int i = queue_.begin()->second;
      queue_.erase(queue_.begin());
      if (reciprocal_condition(entry(i, i)) > kInvertible) eliminate(i);
      continue;
    }
    // Nothing is invertible alone: the smallest joins the neighbour with which it couples least else.
    int smallest = -1;
    for (int i = 0; i < static_cast<int>(nodes_.size()); ++i)
      if (nodes_[at(i)].alive && nodes_[at(i)].size > 0 &&
          (smallest < 0 || nodes_[at(i)].size < nodes_[at(smallest)].size))
        smallest = i;
    if (smallest < 0) return std::move(steps_);
    int with = -1;
    for (const int j : nodes_[at(smallest)].neighbours)
      if (with < 0 || degree(j) < degree(with)) with = j;
    if (with < 0) return {};
    join(with, smallest);
  }
}

/// Amalgamates a supernode with its parent in the assembly tree, where that adds no fill.
std::vector<EliminationStep> with_wide_fronts(std::vector<EliminationStep> steps,
                                              const BlockPattern& pattern) {
  const auto width = [&](const std::vector<int>& blocks) {
    int sum = 0;
    for (const int b : blocks) sum += pattern.block_size(b);
    return sum;
  };
  std::vector<int> step_of(at(pattern.block_count()), -1);
  for (std::size_t s = 0; s < steps.size(); ++s)
    for (const int b : steps[s].pivots) step_of[at(b)] = static_cast<int>(s);
  for (std::size_t s = 0; s < steps.size(); ++s) {
    if (steps[s].boundary.empty()) continue;
    int next = static_cast<int>(steps.size());
    for (const int b : steps[s].boundary) next = std::min(next, step_of[at(b)]);
    EliminationStep& parent = steps[at(next)];
    const int pivots = width(steps[s].pivots) + width(parent.pivots);
    // Rows with few entries stay among themselves: elimination skips the zeros.
    if (steps[s].sparse_rows && !parent.sparse_rows) continue;
    if (pivots > kWidestFront || width(steps[s].boundary) != width(parent.pivots) + width(parent.boundary))
      continue;
    for (const int b : steps[s].pivots) step_of[at(b)] = next;
    parent.pivots.insert(parent.pivots.begin(), steps[s].pivots.begin(), steps[s].pivots.end());
    parent.sparse_rows |= steps[s].sparse_rows;
    steps[s].pivots.clear();
  }
  // Siblings with sparse rows and the same boundary: one front for all, with one contribution block.
  for (EliminationStep& step : steps) std::sort(step.boundary.begin(), step.boundary.end());
  for (std::size_t s = 0; s < steps.size(); ++s)
    for (std::size_t next = s + 1; steps[s].sparse_rows && !steps[s].pivots.empty() && next < steps.size();
         ++next) {
      EliminationStep& other = steps[next];
      if (!other.sparse_rows || other.pivots.empty() || other.boundary != steps[s].boundary) continue;
      other.pivots.insert(other.pivots.begin(), steps[s].pivots.begin(), steps[s].pivots.end());
      steps[s].pivots.clear();
    }
  std::erase_if(steps, [](const EliminationStep& s) { return s.pivots.empty(); });
  // In the order of the matrix: its blocks then come in as large pieces.
  for (EliminationStep& step : steps) std::sort(step.pivots.begin(), step.pivots.end());
  return steps;
}

}  // namespace

std::vector<std::vector<int>> rows_of_columns(const BlockPattern& pattern) {
  std::vector<int> block_of(at(pattern.size()));
  for (int b = 0; b < pattern.block_count(); ++b)
    std::fill_n(block_of.begin() + pattern.block_start(b), pattern.block_size(b), b);
  std::vector<std::vector<int>> rows(at(pattern.block_count()));
  for (int b = 0; b < pattern.block_count(); ++b) {
    if (pattern.block_size(b) == 0) continue;
    const std::size_t column = at(pattern.block_start(b));
    for (int k = pattern.column_pointers()[column]; k < pattern.column_pointers()[column + 1];) {
      rows[at(b)].push_back(block_of[at(pattern.row_indices()[at(k)])]);
      k += pattern.block_size(rows[at(b)].back());
    }
  }
  return rows;
}

std::vector<EliminationStep> elimination_order(const BlockMatrix& matrix, const VecX& row_scale,
                                               const VecX& column_scale) {
  return with_wide_fronts(TrialElimination(matrix, row_scale, column_scale).run(), matrix.pattern());
}

}  // namespace monocoque

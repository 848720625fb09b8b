#pragma once
// Multifrontal LU along the structure of the model (Duff and Reid, ACM TOMS 9, 1983; unsymmetric: SIAM J.
// Sci. Stat. Comput. 5, 1984). Pivots are whole blocks (parts, multipliers, inner states). A front is the
// dense matrix of a supernode, blocks eliminated together, and of the boundary that they couple; its Schur
// complement, the contribution block, is added to the front of its parent (extend-add). Rows are exchanged
// within a front's own pivots only (restricted partial pivoting), so the order, and with it cost and memory
// traffic, is known before the first step.
//
// Order, found by a trial elimination of the first matrix (elimination_order.h): minimum degree among the
// blocks whose diagonal is invertible by then. A multiplier has no diagonal of its own: its turn comes when a
// part at one of its ends is gone. Where nothing is invertible alone (closed loops may do that) blocks are
// joined.
//
// When later matrices let the factors grow the order is sought anew; that is counted, and allocates.

#include <vector>

#include "solve/linear_solver.h"

namespace monocoque {

class StructuredSolver final : public LinearSolver {
 public:
  explicit StructuredSolver(const BlockPattern& pattern);
  bool factor(const BlockMatrix& matrix) noexcept override;
  void solve(VecRef rhs) const noexcept override;
  double reciprocal_condition() const noexcept override { return reciprocal_condition_; }
  std::string name() const override;

  int front_count() const noexcept { return static_cast<int>(fronts_.size()); }
  int largest_front() const noexcept;
  int analyses() const noexcept { return analyses_; }

 private:
  struct Front {
    int pivots = 0, size = 0;  ///< of the supernode; size: pivots and boundary
    std::size_t values = 0;    ///< first entry of its matrix, by columns, each filled up with zeros
    int indices = 0;           ///< first of its rows in indices_, which are those of the whole matrix
    int first_source = 0, last_source = 0, first_child = 0, last_child = 0;
  };
  /// A block of the matrix that is added to a front.
  struct Source {
    int base, stride, rows, cols, row, col, global_row, global_col;
  };
  /// Rows of a front's boundary that lie beside each other in its parent, too.
  struct Run {
    int from, to, length;
  };
  /// Contribution block that a front adds to its parent, by runs of the boundary.
  struct Child {
    int front, first_run, last_run;
  };

  static std::vector<Source> joined_beside(std::vector<Source> list);
  bool analyse(const BlockMatrix& matrix);
  bool eliminate_all(const double* values) noexcept;

  const BlockPattern& pattern_;
  int n_;
  bool analysed_ = false;
  std::vector<Front> fronts_;
  std::vector<Source> sources_;
  std::vector<Child> children_;
  std::vector<Run> runs_;
  std::vector<int> indices_, exchanges_;  ///< exchanges: pivot row of each step, within its front
  VecX values_, row_scale_, column_scale_;
  mutable VecX work_, rest_;
  double reciprocal_condition_ = 0, growth_ = 0, smallest_ = 0;
  int analyses_ = 0;
};

}  // namespace monocoque

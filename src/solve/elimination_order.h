#pragma once
// The order in which a structured solver eliminates the blocks of a matrix: minimum degree (George and Liu,
// SIAM Review 31, 1989) on the graph of blocks, by a trial elimination with numbers, because blocks of a
// saddle-point matrix become invertible only as others go. Then supernodes are amalgamated where that adds no
// fill.

#include <vector>

#include "core/block_matrix.h"

namespace monocoque {

/// Block rows of each block column, sorted. The pattern is a sparse one.
std::vector<std::vector<int>> rows_of_columns(const BlockPattern& pattern);

/// A supernode: blocks eliminated together, and the boundary that their elimination couples.
struct EliminationStep {
  std::vector<int> pivots, boundary;
  bool sparse_rows = false;  ///< the rows of the pivots hold only a part of the boundary
};

/// Steps from the first to the last; empty when the matrix is singular. Rows and columns are scaled by the
/// factors given, so that "small" has a meaning.
std::vector<EliminationStep> elimination_order(const BlockMatrix& matrix, const VecX& row_scale,
                                               const VecX& column_scale);

}  // namespace monocoque

#pragma once
// Which constraint rows depend on others. G is scaled row by row to unit length before the analysis, so the
// tolerance is relative. Small systems: QR with column pivoting (Businger and Golub 1965) of G^T,
// dense; large ones: SPQR.

#include <vector>

#include <Eigen/SparseCore>

#include "core/types.h"

namespace monocoque {

struct DependentRow {
  int row = -1;
  /// The other rows it is a combination of: G_row = sum of coefficient * G_other. Order and cut-off (largest
  /// first, below 1e-8 left out) compare the coefficients of unit rows.
  std::vector<std::pair<int, double>> combination;
};

struct RankReport {
  int rank = 0;
  std::vector<int> independent;         ///< ascending
  std::vector<DependentRow> dependent;  ///< rows that may be left out; a zero row has an empty combination
  double smallest_ratio = 1;            ///< smallest over largest pivot among the independent rows
};

RankReport analyse_rank(const Eigen::SparseMatrix<double, Eigen::RowMajor>& G, double tolerance = 1e-9);

/// Least-squares solution of smallest length of G d = b (rank may be deficient); columns with free[j] ==
/// false keep d[j] = 0. Used by the assembly of mechanisms.
VecX min_norm_solve(const Eigen::SparseMatrix<double, Eigen::RowMajor>& G, const VecX& b,
                    const std::vector<bool>& free_columns, double tolerance = 1e-9);

}  // namespace monocoque

#include "solve/rank_analysis.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/decompositions.h"
#include "core/error.h"
#include "solve/sparse_qr.h"

namespace monocoque {

namespace {

using RowMatrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;
using ColumnMatrix = Eigen::SparseMatrix<double>;

// Above this the dense decomposition takes more than about a second.
constexpr Eigen::Index dense_rows = 800, dense_columns = 2400;

bool small(const RowMatrix& G) {
  return G.rows() <= dense_rows && G.cols() <= dense_columns;
}

// Above this a step is tried by the sparse decomposition first.
constexpr Eigen::Index dense_step_rows = 150;

void require_finite(const RowMatrix& G, const char* what) {
  for (Eigen::Index i = 0; i < G.rows(); ++i)
    for (RowMatrix::InnerIterator it(G, i); it; ++it)
      if (!std::isfinite(it.value()))
        throw Error(what, "the constraint matrix holds values that are not finite",
                    "check the positions of the model");
}

/// A QR of the scaled G^T in one form for both ways: columns in the order of the factorisation.
struct Factor {
  std::vector<int> order;  // column k of R is nonzero row order[k] of G
  int rank = 0;
  VecX pivots;        // magnitudes of the diagonal of R11
  MatX combinations;  // R11^-1 R12, one column for each dependent row
};

Factor factor_dense(const ColumnMatrix& Gt, double tolerance) {
  Eigen::ColPivHouseholderQR<MatX> qr(Gt.rows(), Gt.cols());
  qr.setThreshold(tolerance);
  qr.compute(MatX(Gt));
  Factor f;
  f.rank = static_cast<int>(qr.rank());
  const auto& indices = qr.colsPermutation().indices();
  f.order.assign(indices.data(), indices.data() + indices.size());
  const auto& R = qr.matrixQR();
  f.pivots = R.diagonal().head(f.rank).cwiseAbs();
  f.combinations = R.topRightCorner(f.rank, R.cols() - f.rank);
  if (f.combinations.size() > 0)
    R.topLeftCorner(f.rank, f.rank).triangularView<Eigen::Upper>().solveInPlace(f.combinations);
  return f;
}

Factor factor_sparse(const ColumnMatrix& Gt, double tolerance) {
  const SparseQr qr(Gt, tolerance);
  Factor f;
  f.rank = qr.rank();
  f.order = qr.permutation();
  const ColumnMatrix R11 = qr.R().leftCols(f.rank);
  f.pivots = VecX(R11.diagonal()).cwiseAbs();
  f.combinations = MatX(qr.R().rightCols(qr.R().cols() - f.rank));
  if (f.combinations.size() > 0) R11.triangularView<Eigen::Upper>().solveInPlace(f.combinations);
  return f;
}

}  // namespace

RankReport analyse_rank(const RowMatrix& G, double tolerance) {
  require_finite(G, "rank analysis");
  RankReport report;
  std::vector<int> rows;  // those that are not zero
  std::vector<double> length;
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < static_cast<int>(G.rows()); ++i) {
    double norm = 0;
    for (RowMatrix::InnerIterator it(G, i); it; ++it) norm = std::hypot(norm, it.value());
    if (norm == 0) {
      report.dependent.push_back({i, {}});
      continue;
    }
    for (RowMatrix::InnerIterator it(G, i); it; ++it)
      if (it.value() != 0)
        entries.emplace_back(static_cast<int>(it.col()), static_cast<int>(rows.size()), it.value() / norm);
    rows.push_back(i);
    length.push_back(norm);
  }
  if (rows.empty()) return report;
  ColumnMatrix Gt(G.cols(), static_cast<Eigen::Index>(rows.size()));
  Gt.setFromTriplets(entries.begin(), entries.end());

  const Factor f = small(G) ? factor_dense(Gt, tolerance) : factor_sparse(Gt, tolerance);
  report.rank = f.rank;
  report.smallest_ratio = f.rank > 0 ? f.pivots.minCoeff() / f.pivots.maxCoeff() : 1;
  const auto at = [&](int k) { return static_cast<std::size_t>(f.order[static_cast<std::size_t>(k)]); };
  for (int k = 0; k < f.rank; ++k) report.independent.push_back(rows[at(k)]);
  std::sort(report.independent.begin(), report.independent.end());
  for (int k = f.rank; k < static_cast<int>(rows.size()); ++k) {
    const auto c = f.combinations.col(k - f.rank);
    std::vector<int> members;
    for (int j = 0; j < f.rank; ++j)
      if (std::abs(c[j]) >= 1e-8) members.push_back(j);
    // Compared as multiples of unit rows, because the rows themselves have different units.
    std::stable_sort(members.begin(), members.end(),
                     [&](int a, int b) { return std::abs(c[a]) > std::abs(c[b]); });
    DependentRow d{rows[at(k)], {}};
    for (const int j : members) d.combination.emplace_back(rows[at(j)], c[j] * length[at(k)] / length[at(j)]);
    report.dependent.push_back(std::move(d));
  }
  std::sort(report.dependent.begin(), report.dependent.end(),
            [](const DependentRow& a, const DependentRow& b) { return a.row < b.row; });
  return report;
}

namespace {

/// G^T E = Q1 [R11 R12], so with d = Q1 z the residual is [R11 R12]^T z - E^T b: a least-squares problem of
/// full column rank, and d lies in the row space of G, which makes it the shortest. No normal equations.
VecX min_norm_sparse(const SparseQr& qr, const VecX& b) {
  VecX permuted(b.size());
  for (Eigen::Index k = 0; k < b.size(); ++k) permuted[k] = b[qr.permutation()[static_cast<std::size_t>(k)]];
  if (qr.rank() == 0) return qr.apply_Q(VecX());
  VecX z;
  if (qr.rank() == static_cast<int>(b.size())) {
    const ColumnMatrix lower = qr.R().transpose();
    z = lower.triangularView<Eigen::Lower>().solve(permuted);
  } else {
    const ColumnMatrix T = qr.R().transpose();
    const SparseQr inner(T, 0.0);
    if (inner.rank() != qr.rank())
      throw Error("assembly", "the constraint matrix is too badly scaled for a least-squares step");
    VecX y = inner.apply_Q_transposed(permuted);
    inner.R().triangularView<Eigen::Upper>().solveInPlace(y);
    z.resize(y.size());
    for (Eigen::Index k = 0; k < y.size(); ++k) z[inner.permutation()[static_cast<std::size_t>(k)]] = y[k];
  }
  return qr.apply_Q(z);
}

}  // namespace

VecX min_norm_solve(const RowMatrix& G, const VecX& b, const std::vector<bool>& free_columns,
                    double tolerance) {
  require_finite(G, "assembly");
  std::vector<int> column_of, position(static_cast<std::size_t>(G.cols()), -1);
  for (int j = 0; j < static_cast<int>(G.cols()); ++j)
    if (free_columns[static_cast<std::size_t>(j)]) {
      position[static_cast<std::size_t>(j)] = static_cast<int>(column_of.size());
      column_of.push_back(j);
    }
  VecX d = VecX::Zero(G.cols());
  if (G.rows() == 0 || column_of.empty()) return d;
  // Empty rows (switched off) have no say.
  std::vector<Eigen::Triplet<double>> entries;
  VecX residual(b.size());
  double largest = 0;
  int rows = 0;
  for (int i = 0; i < static_cast<int>(G.rows()); ++i) {
    const std::size_t before = entries.size();
    for (RowMatrix::InnerIterator it(G, i); it; ++it) {
      const int j = position[static_cast<std::size_t>(it.col())];
      if (j < 0 || it.value() == 0) continue;
      entries.emplace_back(j, rows, it.value());
      largest = std::max(largest, std::abs(it.value()));
    }
    if (entries.size() > before) residual[rows++] = b[i];
  }
  if (rows == 0) return d;
  residual.conservativeResize(rows);
  ColumnMatrix Gt(static_cast<Eigen::Index>(column_of.size()), rows);
  Gt.setFromTriplets(entries.begin(), entries.end());

  // Rows that depend on each other are judged best by the pivots of the dense decomposition.
  std::unique_ptr<SparseQr> sparse;
  if (rows > dense_step_rows || !small(G)) sparse = std::make_unique<SparseQr>(Gt, tolerance * largest);
  VecX x;
  if (small(G) && !(sparse && sparse->rank() == rows)) {
    Eigen::CompleteOrthogonalDecomposition<MatX> cod(rows, Gt.rows());
    cod.setThreshold(tolerance);
    cod.compute(MatX(Gt.transpose()));
    x = cod.solve(residual);
  } else {
    x = min_norm_sparse(*sparse, residual);
  }
  for (std::size_t k = 0; k < column_of.size(); ++k) d[column_of[k]] = x[static_cast<Eigen::Index>(k)];
  return d;
}

}  // namespace monocoque

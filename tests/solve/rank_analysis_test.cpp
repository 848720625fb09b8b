#include "solve/rank_analysis.h"
#include "core/decompositions.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "core/error.h"

namespace monocoque {
namespace {

using Sparse = Eigen::SparseMatrix<double, Eigen::RowMajor>;

Sparse sparse(const MatX& A) {
  return A.sparseView();
}

/// The combination of every dependent row must reproduce it.
void expect_combinations_hold(const Sparse& G, const RankReport& report, double tolerance = 1e-9) {
  for (const DependentRow& d : report.dependent) {
    VecX sum = VecX::Zero(G.cols());
    for (const auto& [row, coefficient] : d.combination) {
      EXPECT_TRUE(std::binary_search(report.independent.begin(), report.independent.end(), row));
      sum += coefficient * VecX(G.row(row).transpose());
    }
    const VecX row = G.row(d.row).transpose();
    EXPECT_LT((sum - row).norm(), tolerance * (1 + row.norm())) << "row " << d.row;
  }
  EXPECT_EQ(static_cast<Eigen::Index>(report.independent.size() + report.dependent.size()), G.rows());
  EXPECT_EQ(report.rank, static_cast<int>(report.independent.size()));
}

/// Rows of a chain of bodies: row block b touches bodies b - 1 and b; five rows each.
Sparse chain(int bodies, unsigned seed) {
  std::mt19937 gen(seed);
  std::uniform_real_distribution<double> u(-1, 1);
  std::vector<Eigen::Triplet<double>> t;
  for (int b = 0; b < bodies; ++b)
    for (int r = 0; r < 5; ++r)
      for (int c = b == 0 ? 0 : -6; c < 6; ++c) t.emplace_back(5 * b + r, 6 * b + c, u(gen));
  Sparse G(5 * bodies, 6 * bodies);
  G.setFromTriplets(t.begin(), t.end());
  return G;
}

/// Copies rows of a sparse matrix and adds combinations at the end.
Sparse with_extra_rows(const Sparse& G, const std::vector<std::vector<std::pair<int, double>>>& extra) {
  std::vector<Eigen::Triplet<double>> t;
  for (int i = 0; i < G.rows(); ++i)
    for (Sparse::InnerIterator it(G, i); it; ++it) t.emplace_back(i, static_cast<int>(it.col()), it.value());
  int row = static_cast<int>(G.rows());
  for (const auto& combination : extra) {
    for (const auto& [i, factor] : combination)
      for (Sparse::InnerIterator it(G, i); it; ++it)
        t.emplace_back(row, static_cast<int>(it.col()), factor * it.value());
    ++row;
  }
  Sparse out(row, G.cols());
  out.setFromTriplets(t.begin(), t.end());
  return out;
}

TEST(RankAnalysis, FullRank) {
  const MatX A = MatX::Random(20, 30);
  const RankReport r = analyse_rank(sparse(A));
  EXPECT_EQ(r.rank, 20);
  EXPECT_TRUE(r.dependent.empty());
  EXPECT_GT(r.smallest_ratio, 1e-3);
  EXPECT_LE(r.smallest_ratio, 1);
}

TEST(RankAnalysis, NamesACombination) {
  MatX A = MatX::Random(6, 12);
  A.row(5) = 2 * A.row(1) - 0.5 * A.row(3);
  const RankReport r = analyse_rank(sparse(A));
  EXPECT_EQ(r.rank, 5);
  ASSERT_EQ(r.dependent.size(), 1u);
  // Any of the three rows 1, 3, 5 may be the one left out; the two others explain it.
  std::vector<int> members = {r.dependent[0].row};
  for (const auto& m : r.dependent[0].combination) members.push_back(m.first);
  std::sort(members.begin(), members.end());
  EXPECT_EQ(members, (std::vector<int>{1, 3, 5}));
  expect_combinations_hold(sparse(A), r);
}

TEST(RankAnalysis, DuplicatesAndUnits) {
  MatX A = MatX::Random(5, 9);
  A.row(2) *= 1e6;             // another unit does not matter
  A.row(4) = 1e-7 * A.row(2);  // the same condition in a third unit
  const RankReport r = analyse_rank(sparse(A));
  EXPECT_EQ(r.rank, 4);
  ASSERT_EQ(r.dependent.size(), 1u);
  ASSERT_EQ(r.dependent[0].combination.size(), 1u);
  EXPECT_EQ(r.dependent[0].row + r.dependent[0].combination[0].first, 6);
  const double c = r.dependent[0].combination[0].second;
  EXPECT_NEAR(r.dependent[0].row == 4 ? c * 1e7 : c * 1e-7, 1, 1e-9);
}

TEST(RankAnalysis, ZeroRowsAndEmptyMatrices) {
  MatX A = MatX::Random(4, 6);
  A.row(0).setZero();
  A.row(2).setZero();
  const RankReport r = analyse_rank(sparse(A));
  EXPECT_EQ(r.rank, 2);
  ASSERT_EQ(r.dependent.size(), 2u);
  EXPECT_EQ(r.dependent[0].row, 0);
  EXPECT_EQ(r.dependent[1].row, 2);
  EXPECT_TRUE(r.dependent[0].combination.empty());
  EXPECT_EQ(analyse_rank(Sparse(0, 5)).rank, 0);
  EXPECT_EQ(analyse_rank(Sparse(3, 5)).dependent.size(), 3u);
  EXPECT_EQ(analyse_rank(Sparse(3, 0)).dependent.size(), 3u);
}

TEST(RankAnalysis, MoreRowsThanColumns) {
  const MatX A = MatX::Random(10, 4);
  const RankReport r = analyse_rank(sparse(A));
  EXPECT_EQ(r.rank, 4);
  expect_combinations_hold(sparse(A), r);
}

TEST(RankAnalysis, ToleranceDecides) {
  MatX A = MatX::Random(4, 8);
  A.row(3) = A.row(0) + 1e-6 * MatX::Random(1, 8);
  EXPECT_EQ(analyse_rank(sparse(A), 1e-9).rank, 4);
  EXPECT_EQ(analyse_rank(sparse(A), 1e-4).rank, 3);
}

TEST(RankAnalysis, NotFiniteIsAnError) {
  MatX A = MatX::Random(3, 5);
  A(1, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(analyse_rank(sparse(A)), Error);
  EXPECT_THROW(min_norm_solve(sparse(A), VecX::Zero(3), std::vector<bool>(5, true)), Error);
}

TEST(RankAnalysis, LargeChainWithDependentRows) {
  const Sparse G = chain(1000, 5);
  const auto start = std::chrono::steady_clock::now();
  const RankReport full = analyse_rank(G);
  EXPECT_EQ(full.rank, 5000);
  EXPECT_TRUE(full.dependent.empty());
  const Sparse more =
      with_extra_rows(G, {{{17, 1.0}}, {{100, 2.0}, {4321, -3.0}}, {}, {{7, 1e5}, {8, 1e5}, {2500, 1e5}}});
  const RankReport r = analyse_rank(more);
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 5.0);
  EXPECT_EQ(r.rank, 5000);
  ASSERT_EQ(r.dependent.size(), 4u);
  expect_combinations_hold(more, r, 1e-7);
  int zero_rows = 0;
  for (const DependentRow& d : r.dependent) {
    zero_rows += d.combination.empty();
    EXPECT_LE(d.combination.size(), 3u);
  }
  EXPECT_EQ(zero_rows, 1);
}

TEST(RankAnalysis, SparseAndDenseFindTheSameRank) {
  // A chain just above the border of the dense way, and its part below.
  for (const int bodies : {150, 170}) {
    const Sparse G = with_extra_rows(chain(bodies, 3), {{{1, 1.0}, {2, 1.0}}, {{30, 1.0}}});
    const RankReport r = analyse_rank(G);
    EXPECT_EQ(r.rank, 5 * bodies);
    EXPECT_EQ(r.dependent.size(), 2u);
    expect_combinations_hold(G, r, 1e-8);
  }
}

VecX pseudo_inverse_solution(const Sparse& G, const VecX& b) {
  Eigen::CompleteOrthogonalDecomposition<MatX> cod(G.rows(), G.cols());
  cod.setThreshold(1e-10);
  cod.compute(MatX(G));
  return cod.solve(b);
}

TEST(MinNormSolve, SmallAgainstPseudoInverse) {
  for (const auto& [m, n] : {std::pair{4, 9}, std::pair{9, 4}, std::pair{6, 6}}) {
    MatX A = MatX::Random(m, n);
    A.row(m - 1) = A.row(0) - 3 * A.row(1);  // rank deficient, and b is not consistent with it
    const VecX b = VecX::Random(m);
    const VecX d = min_norm_solve(sparse(A), b, std::vector<bool>(static_cast<std::size_t>(n), true));
    const VecX expected = MatX(A.completeOrthogonalDecomposition().pseudoInverse()) * b;
    EXPECT_LT((d - expected).norm(), 1e-11 * (1 + expected.norm()));
  }
}

TEST(MinNormSolve, FixedColumnsStay) {
  const MatX A = MatX::Random(3, 8);
  std::vector<bool> free(8, true);
  free[0] = free[5] = false;
  const VecX b = VecX::Random(3);
  const VecX d = min_norm_solve(sparse(A), b, free);
  EXPECT_EQ(d[0], 0);
  EXPECT_EQ(d[5], 0);
  EXPECT_LT((A * d - b).norm(), 1e-12);
  EXPECT_EQ(min_norm_solve(sparse(A), b, std::vector<bool>(8, false)), VecX::Zero(8));
}

TEST(MinNormSolve, LargeFullRank) {
  const Sparse G = chain(200, 11);
  const VecX b = VecX::Random(G.rows());
  const VecX d = min_norm_solve(G, b, std::vector<bool>(static_cast<std::size_t>(G.cols()), true));
  const VecX expected = pseudo_inverse_solution(G, b);
  EXPECT_LT((G * d - b).norm(), 1e-9);
  EXPECT_LT((d - expected).norm(), 1e-8 * expected.norm());
}

TEST(MinNormSolve, LargeDependentConsistentAndNot) {
  const Sparse G =
      with_extra_rows(chain(180, 12), {{{17, 1.0}}, {{100, 2.0}, {321, -3.0}}, {}, {{7, 1.0}, {8, 1.0}}});
  const std::vector<bool> free(static_cast<std::size_t>(G.cols()), true);
  const VecX inconsistent = VecX::Random(G.rows());
  const VecX consistent = G * VecX::Random(G.cols());
  for (const VecX& b : {inconsistent, consistent}) {
    const VecX d = min_norm_solve(G, b, free);
    const VecX expected = pseudo_inverse_solution(G, b);
    EXPECT_LT((d - expected).norm(), 1e-8 * expected.norm());
  }
}

TEST(MinNormSolve, LargeWithFixedColumns) {
  const Sparse G = chain(200, 13);
  std::vector<bool> free(static_cast<std::size_t>(G.cols()), true);
  for (std::size_t j = 0; j < free.size(); j += 7) free[j] = false;
  const VecX b = VecX::Random(G.rows());
  const VecX d = min_norm_solve(G, b, free);
  MatX reduced = MatX(G);
  for (std::size_t j = 0; j < free.size(); ++j)
    if (!free[j]) {
      reduced.col(static_cast<Eigen::Index>(j)).setZero();
      EXPECT_EQ(d[static_cast<Eigen::Index>(j)], 0);
    }
  const VecX expected = pseudo_inverse_solution(sparse(reduced), b);
  EXPECT_LT((d - expected).norm(), 1e-7 * expected.norm());
}

}  // namespace
}  // namespace monocoque

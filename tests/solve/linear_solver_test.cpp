#include "solve/linear_solver.h"
#include "core/decompositions.h"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "core/error.h"
#include "solve/chain.h"
#include "solve/dense_solver.h"
#include "solve/malloc_count.h"
#include "solve/sparse_solver.h"
#include "solve/structured_solver.h"

namespace monocoque {
namespace {

using test::Chain;

BlockPattern one_block(int n, bool dense) {
  BlockPattern p({n});
  p.finish(dense);
  return p;
}

BlockMatrix filled(const BlockPattern& p, const MatX& A) {
  BlockMatrix m(p);
  m.add(p.handle(0, 0), A);
  return m;
}

/// |A x - b| over |A| |x| + |b|.
double backward_error(const MatX& A, const VecX& x, const VecX& b) {
  return (A * x - b).lpNorm<Eigen::Infinity>() /
         (A.cwiseAbs().rowwise().sum().maxCoeff() * x.lpNorm<Eigen::Infinity>() +
          b.lpNorm<Eigen::Infinity>());
}

class EverySolver : public testing::TestWithParam<LinearSolverKind> {
 protected:
  static bool dense() { return GetParam() == LinearSolverKind::dense; }
  static std::unique_ptr<LinearSolver> solver_for(const BlockPattern& p) {
    return make_linear_solver(GetParam(), p);
  }
};
INSTANTIATE_TEST_SUITE_P(Kind, EverySolver,
                         testing::Values(LinearSolverKind::dense, LinearSolverKind::sparse,
                                         LinearSolverKind::structured),
                         [](const auto& p) {
                           return std::string(p.param == LinearSolverKind::dense    ? "dense"
                                              : p.param == LinearSolverKind::sparse ? "sparse"
                                                                                    : "structured");
                         });

TEST_P(EverySolver, SolvesRandomMatricesOfAllSizes) {
  for (int n = 0; n < 70; ++n) {
    const MatX A = MatX::Random(n, n);
    const BlockPattern p = one_block(n, dense());
    const auto solver = solver_for(p);
    ASSERT_TRUE(solver->factor(filled(p, A))) << n;
    if (n == 0) continue;
    const VecX b = VecX::Random(n);
    VecX x = b;
    solver->solve(x);
    EXPECT_LT(backward_error(A, x, b), 1e-13) << n;
    EXPECT_GT(solver->reciprocal_condition(), 0);
    EXPECT_LE(solver->reciprocal_condition(), 1);
  }
}

TEST_P(EverySolver, SolvesChainsAcrossTileBorders) {
  for (const int bodies : {1, 5, 20, 45}) {
    const Chain chain(bodies, 5, dense());
    BlockMatrix A(chain.pattern);
    const auto solver = solver_for(chain.pattern);
    for (unsigned seed = 1; seed < 4; ++seed) {
      chain.fill(A, seed);
      ASSERT_TRUE(solver->factor(A));
      const VecX b = VecX::Random(chain.pattern.size());
      VecX x = b;
      solver->solve(x);
      EXPECT_LT(backward_error(A.to_dense(), x, b), 1e-13);
    }
  }
}

TEST_P(EverySolver, UnitsDoNotMakeAMatrixSingular) {
  // M / h^2 with h = 1e-6 s and tonnes beside a unit G: pivots of the unscaled matrix spread over 1e15.
  const Chain chain(6, 5, dense());
  BlockMatrix A(chain.pattern);
  chain.fill(A, 3, 1e15);
  const auto solver = solver_for(chain.pattern);
  ASSERT_TRUE(solver->factor(A));
  const VecX expected = VecX::Random(chain.pattern.size());
  VecX x = A.to_dense() * expected;
  solver->solve(x);
  EXPECT_GT(solver->reciprocal_condition(), 1e-8);
  const int positions = 6 * chain.bodies;
  EXPECT_LT((x - expected).head(positions).norm(), 1e-8);
}

TEST_P(EverySolver, SingularMatricesAreRefused) {
  // Many of one size: how small the last pivot of a singular matrix comes out is luck.
  std::vector<int> sizes(200, 9);
  for (const int n : {1, 2, 3, 40, 100}) sizes.push_back(n);
  for (const int n : sizes) {
    const BlockPattern p = one_block(n, dense());
    const auto solver = solver_for(p);
    EXPECT_FALSE(solver->factor(filled(p, MatX::Zero(n, n)))) << n;
    EXPECT_EQ(solver->reciprocal_condition(), 0);
    MatX A = MatX::Random(n, n);
    if (n > 2) {
      A.row(n - 1) = 2 * A.row(0) - A.row(1);
      EXPECT_FALSE(solver->factor(filled(p, A))) << n;
      A = MatX::Random(n, n);
      A.col(1) = 1e-9 * A.col(0);
      EXPECT_FALSE(solver->factor(filled(p, A))) << n;
      A = MatX::Random(n, n);
      A.row(1).setZero();
      EXPECT_FALSE(solver->factor(filled(p, A))) << n;
      A = MatX::Random(n, n);
      A.col(1).setZero();
      EXPECT_FALSE(solver->factor(filled(p, A))) << n;
    }
    // A refusal does not spoil the solver.
    A = MatX::Random(n, n) + 3 * MatX::Identity(n, n);
    ASSERT_TRUE(solver->factor(filled(p, A))) << n;
    const VecX b = VecX::Random(n);
    VecX x = b;
    solver->solve(x);
    EXPECT_LT(backward_error(A, x, b), 1e-13) << n;
  }
}

TEST_P(EverySolver, DuplicatedConstraintIsRefused) {
  const Chain chain(10, 3, dense());
  BlockMatrix A(chain.pattern);
  chain.fill(A, 7);
  for (const int body : {3, 4})
    for (int c = 0; c < 6; ++c) {
      const double v = A.entry(chain.pattern.handle(chain.joint(4), body), 0, c);
      A.entry(chain.pattern.handle(chain.joint(4), body), 2, c) = v;
      A.entry(chain.pattern.handle(body, chain.joint(4)), c, 2) = v;
    }
  EXPECT_FALSE(solver_for(chain.pattern)->factor(A));
}

TEST_P(EverySolver, ValuesThatAreNotFiniteAreRefused) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                           -std::numeric_limits<double>::infinity()}) {
    for (const int n : {1, 5, 30}) {
      const BlockPattern p = one_block(n, dense());
      const auto solver = solver_for(p);
      MatX A = MatX::Random(n, n) + 3 * MatX::Identity(n, n);
      A(n / 2, n - 1) = bad;
      EXPECT_FALSE(solver->factor(filled(p, A)));
    }
  }
}

TEST(DenseSolver, AgreesWithEigen) {
  for (const int n : {10, 64, 200, 333}) {
    const MatX A = MatX::Random(n, n);
    const VecX b = VecX::Random(n);
    const BlockPattern p = one_block(n, true);
    DenseSolver solver(n);
    ASSERT_TRUE(solver.factor(filled(p, A)));
    VecX x = b;
    solver.solve(x);
    const VecX reference = A.partialPivLu().solve(b);
    EXPECT_LT((x - reference).norm(), 1e-9 * reference.norm()) << n;
  }
}

TEST(DenseSolver, AllocatesNothing) {
  if (!test::malloc_is_counted()) GTEST_SKIP() << "a sanitizer replaces malloc";
  for (const int n : {10, 50, 100, 200, 400, 1000}) {
    const BlockPattern p = one_block(n, true);
    const BlockMatrix A = filled(p, MatX::Random(n, n));
    DenseSolver solver(n);
    VecX x = VecX::Random(n);
    const long before = test::malloc_count();
    const bool good = solver.factor(A);
    solver.solve(x);
    EXPECT_EQ(test::malloc_count() - before, 0) << n;
    EXPECT_TRUE(good);
  }
}

TEST(SparseSolver, AllocatesNothingOnceFactored) {
  if (!test::malloc_is_counted()) GTEST_SKIP() << "a sanitizer replaces malloc";
  const Chain chain(50, 5, false);
  BlockMatrix A(chain.pattern);
  SparseSolver solver(chain.pattern);
  chain.fill(A, 1);
  ASSERT_TRUE(solver.factor(A));
  A.entry(chain.pattern.handle(3, 3), 1, 1) *= 1.1;
  VecX x = VecX::Random(chain.pattern.size());
  const long before = test::malloc_count();
  const bool good = solver.factor(A);
  solver.solve(x);
  EXPECT_EQ(test::malloc_count() - before, 0);
  EXPECT_TRUE(good);
  EXPECT_EQ(solver.refactorisations(), 1);
  EXPECT_EQ(solver.full_factorisations(), 1);
}

TEST(SparseSolver, ChoosesNewPivotsWhenTheOldBecomePoor) {
  const int n = 3;
  const BlockPattern p = one_block(n, false);
  SparseSolver solver(p);
  MatX A(n, n);
  A << 4, 1, 2, 1, 5, 1, 2, 1, 6;
  ASSERT_TRUE(solver.factor(filled(p, A)));
  MatX B(n, n);  // the diagonal pivots of A are now zero or tiny
  B << 1e-13, 1, 2, 1, 1e-13, 3, 2, 1, 1e-13;
  ASSERT_TRUE(solver.factor(filled(p, B)));
  EXPECT_EQ(solver.full_factorisations(), 2);
  const VecX b = VecX::Random(n);
  VecX x = b;
  solver.solve(x);
  EXPECT_LT(backward_error(B, x, b), 1e-14);
  B.diagonal().setZero();
  ASSERT_TRUE(solver.factor(filled(p, B)));
  x = b;
  solver.solve(x);
  EXPECT_LT(backward_error(B, x, b), 1e-14);
}

TEST(SparseSolver, FillOfAChainGrowsLinearly) {
  int fill[2];
  for (const int k : {0, 1}) {
    const Chain chain(k == 0 ? 50 : 100, 5, false);
    BlockMatrix A(chain.pattern);
    chain.fill(A, 1);
    SparseSolver solver(chain.pattern);
    ASSERT_TRUE(solver.factor(A));
    fill[k] = solver.fill();
  }
  EXPECT_LT(fill[1], 2.2 * fill[0]);
}

TEST(SparseSolver, TilesThatFillLaterAreTakenIn) {
  const test::Chain chain(6, 5, false);
  BlockMatrix whole(chain.pattern), sparse(chain.pattern);
  chain.fill(whole, 3);
  chain.fill(sparse, 3);
  for (int b = 0; b < chain.bodies; ++b)
    for (int r = 0; r < 3; ++r)
      for (int c = 3; c < 6; ++c)
        sparse.entry(chain.pattern.handle(b, b), r, c) = sparse.entry(chain.pattern.handle(b, b), c, r) = 0;
  SparseSolver solver(chain.pattern);
  const VecX x = VecX::LinSpaced(chain.pattern.size(), -1, 2);
  const auto error = [&](const BlockMatrix& A) {
    VecX b = A.to_dense() * x;
    solver.solve(b);
    return (b - x).lpNorm<Eigen::Infinity>();
  };
  ASSERT_TRUE(solver.factor(sparse));
  EXPECT_LT(error(sparse), 1e-9);
  const int fill = solver.fill();
  ASSERT_TRUE(solver.factor(whole));
  EXPECT_LT(error(whole), 1e-9);
  EXPECT_GT(solver.fill(), fill);
  EXPECT_EQ(solver.full_factorisations(), 2);
  // Back to zeros: the wider pattern serves both.
  ASSERT_TRUE(solver.factor(sparse));
  EXPECT_LT(error(sparse), 1e-9);

  SparseSolver other(chain.pattern);
  ASSERT_TRUE(other.factor(sparse));
  sparse.entry(chain.pattern.handle(0, 0), 0, 4) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(other.factor(sparse));
}

TEST(LinearSolverKind, NamesAndSuggestion) {
  EXPECT_EQ(linear_solver_kind("auto"), LinearSolverKind::automatic);
  EXPECT_EQ(linear_solver_kind("dense"), LinearSolverKind::dense);
  EXPECT_EQ(linear_solver_kind("sparse"), LinearSolverKind::sparse);
  EXPECT_EQ(linear_solver_kind("structured"), LinearSolverKind::structured);
  try {
    linear_solver_kind("spares");
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(
        e.what(),
        "linear solver: 'spares' is not one of auto, dense, sparse, structured; did you mean 'sparse'?");
  }
  EXPECT_TRUE(prefer_dense(LinearSolverKind::dense, 100000));
  EXPECT_FALSE(prefer_dense(LinearSolverKind::sparse, 1));
  EXPECT_TRUE(prefer_dense(LinearSolverKind::automatic, 12));
  EXPECT_FALSE(prefer_dense(LinearSolverKind::automatic, 5000));
}

TEST(StructuredSolver, FindsTheFrontsOfAChain) {
  // A body and the joint that holds it go together; what is left couples to one neighbour.
  const Chain chain(50, 3, false);
  BlockMatrix A(chain.pattern);
  chain.fill(A, 5);
  StructuredSolver solver(chain.pattern);
  ASSERT_TRUE(solver.factor(A));
  EXPECT_EQ(solver.front_count(), 50);
  EXPECT_LE(solver.largest_front(), 12);
}

TEST(StructuredSolver, AllocatesNothingOnceOrdered) {
  if (!test::malloc_is_counted()) GTEST_SKIP() << "a sanitizer replaces malloc";
  const Chain chain(50, 3, false);
  BlockMatrix A(chain.pattern);
  chain.fill(A, 5);
  StructuredSolver solver(chain.pattern);
  ASSERT_TRUE(solver.factor(A));
  VecX x = VecX::Ones(chain.pattern.size());
  for (unsigned seed = 6; seed < 9; ++seed) {
    chain.fill(A, seed);
    const long before = test::malloc_count();
    const bool good = solver.factor(A);
    solver.solve(x);
    EXPECT_EQ(test::malloc_count() - before, 0);
    EXPECT_TRUE(good);
  }
  EXPECT_EQ(solver.analyses(), 1);
}

TEST(StructuredSolver, JoinsBlocksWhereNothingIsInvertibleAlone) {
  // Two multipliers on a body with one free direction: only both rows and both bodies together have an
  // inverse.
  BlockPattern p({1, 1, 1, 1});
  for (const auto& [i, j] : {std::pair{0, 2}, {2, 0}, {1, 3}, {3, 1}, {0, 3}, {3, 0}, {1, 2}, {2, 1}})
    p.couple(i, j);
  p.finish(false);
  BlockMatrix A(p);
  // [0 0 1 2; 0 0 3 1; 1 3 0 0; 2 1 0 0]: every diagonal is zero.
  for (const auto& [i, j, v] : {std::tuple{0, 2, 1.0}, {0, 3, 2.0}, {1, 2, 3.0}, {1, 3, 1.0}}) {
    A.entry(p.handle(i, j), 0, 0) = v;
    A.entry(p.handle(j, i), 0, 0) = v;
  }
  StructuredSolver solver(p);
  ASSERT_TRUE(solver.factor(A));
  const VecX expected = VecX::LinSpaced(4, 1, 4);
  VecX x = A.to_dense() * expected;
  solver.solve(x);
  EXPECT_LT((x - expected).norm(), 1e-14);
}

}  // namespace
}  // namespace monocoque

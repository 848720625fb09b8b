#include "core/block_matrix.h"

#include <gtest/gtest.h>

namespace monocoque {
namespace {

const std::vector<int> sizes = {3, 1, 6, 0, 2};
const std::vector<std::pair<int, int>> couplings = {{0, 2}, {2, 0}, {4, 1}, {1, 4},
                                                    {2, 4}, {4, 2}, {0, 2}, {3, 0}};

BlockPattern pattern(bool dense) {
  BlockPattern p(sizes);
  for (const auto& [i, j] : couplings) p.couple(i, j);
  p.finish(dense);
  return p;
}

MatX block(int i, int j) {
  const int m = sizes[static_cast<std::size_t>(i)], n = sizes[static_cast<std::size_t>(j)];
  return MatX::NullaryExpr(m, n, [=](Eigen::Index r, Eigen::Index c) {
    return 1000.0 * i + 100.0 * j + 10.0 * static_cast<double>(r) + static_cast<double>(c) + 0.5;
  });
}

BlockMatrix filled(const BlockPattern& p) {
  BlockMatrix A(p);
  for (int i = 0; i < p.block_count(); ++i) A.add(p.handle(i, i), block(i, i));
  for (const auto& [i, j] : couplings) A.add(p.handle(i, j), block(i, j), 0.5);
  return A;
}

TEST(BlockMatrix, DenseAndSparseHoldTheSameMatrix) {
  const BlockPattern dense = pattern(true), sparse = pattern(false);
  EXPECT_EQ(dense.size(), 12);
  EXPECT_EQ(sparse.size(), 12);
  EXPECT_EQ(dense.nonzeros(), 144);
  EXPECT_LT(sparse.nonzeros(), 144);
  const MatX A = filled(dense).to_dense();
  EXPECT_EQ(A, filled(sparse).to_dense());
  // Against the definition: the block (0, 2) was added twice with factor 1/2.
  EXPECT_EQ(MatX(A.block(0, 4, 3, 6)), block(0, 2));
  EXPECT_EQ(MatX(A.block(4, 10, 6, 2)), MatX(0.5 * block(2, 4)));
  EXPECT_EQ(MatX(A.block(0, 3, 3, 1)), MatX::Zero(3, 1));
}

TEST(BlockMatrix, Handles) {
  for (const bool kind : {true, false}) {
    const BlockPattern p = pattern(kind);
    EXPECT_TRUE(p.handle(2, 0).valid());
    EXPECT_TRUE(p.handle(1, 1).valid());
    EXPECT_FALSE(p.handle(0, 1).valid());
    EXPECT_EQ(p.block_start(2), 4);
    EXPECT_EQ(p.block_size(3), 0);
    BlockMatrix A(p);
    A.entry(p.handle(4, 2), 1, 3) = 7;
    EXPECT_EQ(A.to_dense()(11, 7), 7);
    EXPECT_EQ(A.to_dense().sum(), 7);
    A.set_zero();
    EXPECT_EQ(A.to_dense().norm(), 0);
  }
}

TEST(BlockMatrix, CompressedColumnsAreSorted) {
  const BlockPattern p = pattern(false);
  const auto& start = p.column_pointers();
  ASSERT_EQ(start.size(), 13u);
  EXPECT_EQ(start.back(), p.nonzeros());
  for (std::size_t c = 0; c < 12; ++c)
    for (int k = start[c] + 1; k < start[c + 1]; ++k)
      EXPECT_LT(p.row_indices()[static_cast<std::size_t>(k - 1)],
                p.row_indices()[static_cast<std::size_t>(k)]);
}

TEST(BlockMatrix, Empty) {
  for (const bool kind : {true, false}) {
    BlockPattern p({});
    p.finish(kind);
    EXPECT_EQ(p.size(), 0);
    EXPECT_EQ(BlockMatrix(p).to_dense().size(), 0);
  }
}

}  // namespace
}  // namespace monocoque

// Operations counted instruction by instruction, beside what the source text says.

#include "measure/operation_count.h"

#include <cmath>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "core/types.h"

namespace monocoque::measure {
namespace {

#define COUNTED_OR_SKIP(count) \
  if (!(count)) GTEST_SKIP() << "not on this processor"

TEST(OperationCount, OfAChainOfAdditionsAndMultiplications) {
  volatile double x = 1, y = 0.5;
  const auto count = count_operations([&] {
    for (int i = 0; i < 100; ++i) x = x * y + y;  // volatile: one number at a time
  });
  COUNTED_OR_SKIP(count);
  EXPECT_EQ(count->flops, 200);
  EXPECT_EQ(count->vector_flops, 0);
  EXPECT_EQ(count->allocations, 0);
  EXPECT_GT(count->instructions, 400);
}

TEST(OperationCount, OfDivisionsAndRoots) {
  volatile double x = 2;
  const auto count = count_operations([&] {
    for (int i = 0; i < 50; ++i) x = 1 / x + std::sqrt(x);
  });
  COUNTED_OR_SKIP(count);
  EXPECT_EQ(count->flops, 150);
}

#ifdef NDEBUG  // checks of a debug build compute too
TEST(OperationCount, OfAMatrixTimesAVector) {
  constexpr int n = 64;
  const MatX A = MatX::Random(n, n);
  const VecX x = VecX::Random(n);
  VecX y = VecX::Zero(n);
  const auto count = count_operations([&] { y.noalias() += A * x; });
  COUNTED_OR_SKIP(count);
  EXPECT_GE(count->flops, 2 * n * n);
  EXPECT_LE(count->flops, 2 * n * n + 4 * n);
  EXPECT_GT(count->vector_flops, n * n);
  EXPECT_EQ(count->allocations, 0);
}
#endif

TEST(OperationCount, SeesAllocations) {
  std::vector<std::unique_ptr<double>> kept;
  kept.reserve(3);
  const auto count = count_operations([&] {
    for (int i = 0; i < 3; ++i) kept.push_back(std::make_unique<double>(i));
  });
  COUNTED_OR_SKIP(count);
#ifndef __SANITIZE_ADDRESS__  // which allocates in its own way
  EXPECT_EQ(count->allocations, 3);
#endif
}

TEST(OperationCount, ThePeakIsThatOfAProcessor) {
  const double peak = peak_flops_per_s();
  EXPECT_GT(peak, 1e8);
  EXPECT_LT(peak, 1e12);
}

}  // namespace
}  // namespace monocoque::measure

// Products of row matrices of every small size against Eigen's.

#include <gtest/gtest.h>

#include "core/row_products.h"
#include "core/types.h"

namespace monocoque {
namespace {

TEST(RowProducts, AgreeWithEigenForEverySize) {
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  for (int rows = 0; rows <= 8; ++rows)
    for (int n = 0; n <= 13; ++n) {
      const Rows A = Rows::Random(rows, n);
      VecX x = VecX::Random(n), f = VecX::Random(rows), out = VecX::Random(rows), sum = VecX::Random(n);
      if (rows > 2) f.head<3>().setZero();
      const VecX expected = sum + 0.7 * A.transpose() * f;
      rows_times(A.data(), rows, n, x.data(), out.data());
      add_rows(A.data(), rows, n, 0.7, f.data(), sum.data());
      EXPECT_LE((out - A * x).cwiseAbs().sum(), 1e-14) << rows << " x " << n;
      EXPECT_LE((sum - expected).cwiseAbs().sum(), 1e-14) << rows << " x " << n;
    }
}

}  // namespace
}  // namespace monocoque

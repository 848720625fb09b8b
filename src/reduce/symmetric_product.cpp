#include "reduce/symmetric_product.h"

#include <algorithm>
#include <functional>
#include <thread>
#include <vector>

namespace monocoque::reduce {

namespace {

using Eigen::Index;

constexpr Index kColumns = 8;
constexpr Index kWorthThreads = 20000;  ///< rows; below, starting a thread costs more than it gains

/// Runs work(begin, end, piece) over [0, n) in one contiguous piece per core.
void in_pieces(Index n, const std::function<void(Index, Index, int)>& work, int pieces) {
  if (pieces == 1) return work(0, n, 0);
  std::vector<std::thread> threads;
  for (int p = 0; p < pieces; ++p) {
    const Index begin = n * p / pieces, end = n * (p + 1) / pieces;
    threads.emplace_back([&work, begin, end, p] { work(begin, end, p); });
  }
  for (std::thread& t : threads) t.join();
}

int piece_count(Index n) {
  if (n < kWorthThreads) return 1;
  return static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1U, 16U));
}

template <int Width>
void multiply_block(const SparseMatrix& A, const ConstMatRef& X, Index first, MatX& Y) {
  using Block = Eigen::Matrix<double, Eigen::Dynamic, Width, Eigen::RowMajor>;
  const Index width = Width == Eigen::Dynamic ? X.cols() - first : Width;
  const Block x = X.middleCols(first, width);
  const auto* outer = A.outerIndexPtr();
  const auto* inner = A.innerIndexPtr();
  const double* value = A.valuePtr();
  in_pieces(
      A.cols(),
      [&](Index begin, Index end, int) {
        Eigen::Matrix<double, 1, Width> sum(width);
        for (Index j = begin; j < end; ++j) {
          sum.setZero();
          for (auto k = outer[j]; k < outer[j + 1]; ++k) sum += value[k] * x.row(inner[k]);
          Y.row(j).segment(first, width) = sum;
        }
      },
      piece_count(A.cols()));
}

}  // namespace

MatX symmetric_product(const SparseMatrix& A, const ConstMatRef& X) {
  MatX Y(A.rows(), X.cols());
  Index first = 0;
  for (; first + kColumns <= X.cols(); first += kColumns)
    multiply_block<static_cast<int>(kColumns)>(A, X, first, Y);
  if (first < X.cols()) multiply_block<Eigen::Dynamic>(A, X, first, Y);
  return Y;
}

MatX gram(const ConstMatRef& A, const ConstMatRef& B) {
  const int pieces = piece_count(A.rows());
  std::vector<MatX> part(static_cast<std::size_t>(pieces));
  in_pieces(
      A.rows(),
      [&](Index begin, Index end, int p) {
        // Slices of rows that fit the cache; Eigen alone would walk the tall columns again and again.
        constexpr Index kSlice = 4096;
        MatX& sum = part[static_cast<std::size_t>(p)];
        sum.setZero(A.cols(), B.cols());
        for (Index i = begin; i < end; i += kSlice) {
          const Index rows = std::min(kSlice, end - i);
          sum.noalias() += A.middleRows(i, rows).transpose() * B.middleRows(i, rows);
        }
      },
      pieces);
  for (int p = 1; p < pieces; ++p) part[0] += part[static_cast<std::size_t>(p)];
  return std::move(part[0]);
}

void subtract_product(const ConstMatRef& A, const MatX& C, MatX& Y) {
  in_pieces(
      A.rows(),
      [&](Index begin, Index end, int) {
        Y.middleRows(begin, end - begin).noalias() -= A.middleRows(begin, end - begin) * C;
      },
      piece_count(A.rows()));
}

MatX tall_product(const ConstMatRef& A, const MatX& C) {
  MatX Y(A.rows(), C.cols());
  in_pieces(
      A.rows(),
      [&](Index begin, Index end, int) {
        Y.middleRows(begin, end - begin).noalias() = A.middleRows(begin, end - begin) * C;
      },
      piece_count(A.rows()));
  return Y;
}

}  // namespace monocoque::reduce

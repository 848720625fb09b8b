#include "solve/sparse_qr.h"

#include <algorithm>

#include <SuiteSparseQR.hpp>

#include "core/error.h"

namespace monocoque {

namespace {
using Long = SuiteSparse_long;
}

struct SparseQr::Impl {
  cholmod_common common;
  cholmod_sparse *R = nullptr, *H = nullptr;
  cholmod_dense* tau = nullptr;
  Long *E = nullptr, *row_permutation = nullptr;
  std::size_t rows, columns;

  Impl(std::size_t m, std::size_t n) : rows(m), columns(n) {
    cholmod_l_start(&common);
    common.print = 0;  // errors are reported by status, not on the screen
  }
  ~Impl() {
    cholmod_l_free_sparse(&R, &common);
    cholmod_l_free_sparse(&H, &common);
    cholmod_l_free_dense(&tau, &common);
    cholmod_l_free(columns, sizeof(Long), E, &common);
    cholmod_l_free(rows, sizeof(Long), row_permutation, &common);
    cholmod_l_finish(&common);
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  VecX multiply(int method, VecX x) {
    cholmod_dense in{};
    in.nrow = in.nzmax = in.d = rows;
    in.ncol = 1;
    in.x = x.data();
    in.xtype = CHOLMOD_REAL;
    in.dtype = CHOLMOD_DOUBLE;
    cholmod_dense* out = SuiteSparseQR_qmult<double>(method, H, tau, row_permutation, &in, &common);
    if (out == nullptr) throw Error("sparse QR", "the product with Q failed", "free some memory");
    x = Eigen::Map<const VecX>(static_cast<const double*>(out->x), x.size());
    cholmod_l_free_dense(&out, &common);
    return x;
  }
};

SparseQr::SparseQr(const Eigen::SparseMatrix<double>& A_in, double tolerance)
    : impl_(new Impl(static_cast<std::size_t>(A_in.rows()), static_cast<std::size_t>(A_in.cols()))) {
  Eigen::SparseMatrix<double, Eigen::ColMajor, Long> A = A_in;
  A.makeCompressed();
  cholmod_sparse view{};
  view.nrow = static_cast<std::size_t>(A.rows());
  view.ncol = static_cast<std::size_t>(A.cols());
  view.nzmax = static_cast<std::size_t>(A.nonZeros());
  view.p = A.outerIndexPtr();
  view.i = A.innerIndexPtr();
  view.x = A.valuePtr();
  view.itype = CHOLMOD_LONG;
  view.xtype = CHOLMOD_REAL;
  view.dtype = CHOLMOD_DOUBLE;
  view.sorted = view.packed = 1;
  Impl& d = *impl_;
  // econ 0: R has exactly rank rows; with rank deficiency SPQR moves the dependent columns to the end.
  const Long rank = SuiteSparseQR<double>(SPQR_ORDERING_DEFAULT, tolerance, 0, &view, &d.R, &d.E, &d.H,
                                          &d.row_permutation, &d.tau, &d.common);
  if (rank < 0 || d.R == nullptr || d.H == nullptr) {
    delete impl_;
    throw Error("sparse QR", "the factorisation failed", "free some memory");
  }
  rank_ = static_cast<int>(rank);
  const int n = static_cast<int>(A.cols());
  for (int k = 0; k < n; ++k) columns_.push_back(d.E != nullptr ? static_cast<int>(d.E[k]) : k);
  const auto* p = static_cast<const Long*>(d.R->p);
  const auto* i = static_cast<const Long*>(d.R->i);
  const auto* x = static_cast<const double*>(d.R->x);
  std::vector<Eigen::Triplet<double>> entries;
  for (int c = 0; c < n; ++c)
    for (Long k = p[c]; k < p[c + 1]; ++k)
      if (i[k] < rank) entries.emplace_back(static_cast<int>(i[k]), c, x[k]);
  R_.resize(rank_, n);
  R_.setFromTriplets(entries.begin(), entries.end());
}

SparseQr::~SparseQr() {
  delete impl_;
}

VecX SparseQr::apply_Q(const VecX& z) const {
  VecX x = VecX::Zero(static_cast<Eigen::Index>(impl_->rows));
  x.head(z.size()) = z;
  return impl_->multiply(SPQR_QX, std::move(x));
}

VecX SparseQr::apply_Q_transposed(const VecX& b) const {
  return impl_->multiply(SPQR_QTX, b).head(rank_);
}

}  // namespace monocoque

#include "reduce/cholesky.h"

#include <cmath>
#include <cstring>

#include <algorithm>
#include <chrono>
#include <future>
#include <utility>
#include <vector>

#include <cholmod.h>
#include <fmt/format.h>

#include "core/error_kinds.h"
#include "reduce/clock.h"
#include "reduce/ordering.h"

namespace monocoque::reduce {

namespace {

using Long = SuiteSparse_long;

constexpr Eigen::Index kBlock =
    16;  ///< right-hand sides at a time: enough for BLAS 3, small beside the factor
constexpr double kGibi = 1024.0 * 1024 * 1024;

/// Upper triangle with long indices, owned by vectors.
struct UpperTriangle {
  std::vector<Long> begin, row;
  std::vector<double> value;
  cholmod_sparse view{};

  explicit UpperTriangle(const SparseMatrix& A) {
    const auto n = static_cast<std::size_t>(A.cols());
    begin.reserve(n + 1);
    row.reserve(static_cast<std::size_t>(A.nonZeros()) / 2 + n);
    value.reserve(row.capacity());
    begin.push_back(0);
    for (int j = 0; j < A.outerSize(); ++j) {
      for (SparseMatrix::InnerIterator it(A, j); it && it.row() <= j; ++it) {
        row.push_back(it.row());
        value.push_back(it.value());
      }
      begin.push_back(static_cast<Long>(row.size()));
    }
    describe(n, 1, CHOLMOD_REAL);
  }
  explicit UpperTriangle(const CompressedGraph& g) : begin(g.begin.begin(), g.begin.end()) {
    row.assign(g.neighbours.begin(), g.neighbours.end());
    describe(static_cast<std::size_t>(g.size()), 1, CHOLMOD_PATTERN);
  }

 private:
  void describe(std::size_t n, int stype, int xtype) {
    view.nrow = view.ncol = n;
    view.nzmax = row.size();
    view.p = begin.data();
    view.i = row.data();
    view.x = value.data();
    view.stype = stype;  // with 1 CHOLMOD ignores what lies below the diagonal
    view.itype = CHOLMOD_LONG;
    view.xtype = xtype;
    view.dtype = CHOLMOD_DOUBLE;
    view.sorted = view.packed = 1;
  }
};

std::vector<Long> expand(const CompressedGraph& g, const std::vector<Long>& order) {
  std::vector<Long> all;
  for (const Long v : order)
    for (const int j : g.members[static_cast<std::size_t>(v)]) all.push_back(j);
  return all;
}

}  // namespace

std::string CholeskyCost::text() const {
  return fmt::format("{} unknowns, {:.3g} entries in the factor ({}), {:.2f} GiB, {:.3g} Gflop", size,
                     factor_entries, ordering, memory_bytes / kGibi, flops / 1e9);
}

struct SparseCholesky::Impl {
  cholmod_common common;
  cholmod_factor* factor = nullptr;
  // Work space of solve, kept from call to call.
  cholmod_dense *x = nullptr, *y = nullptr, *e = nullptr;
  CholeskyCost cost;
  std::string considered;
  double seconds = 0;

  Impl() {
    cholmod_l_start(&common);
    common.print = 0;  // errors are told by us
    common.supernodal = CHOLMOD_SUPERNODAL;
    common.final_ll = 1;
    common.nmethods = 1;
    common.postorder = 1;
    common.method[0].ordering = CHOLMOD_GIVEN;
  }
  ~Impl() {
    cholmod_l_free_dense(&x, &common);
    cholmod_l_free_dense(&y, &common);
    cholmod_l_free_dense(&e, &common);
    cholmod_l_free_factor(&factor, &common);
    cholmod_l_finish(&common);
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  void analyse(const SparseMatrix& A, UpperTriangle& upper);
  void try_order(const std::string& name, UpperTriangle& upper, std::vector<Long> order);
  void factorise(UpperTriangle& upper, const CholeskyOptions& options);
};

void SparseCholesky::Impl::try_order(const std::string& name, UpperTriangle& upper, std::vector<Long> order) {
  cholmod_factor* candidate = cholmod_l_analyze_p(&upper.view, order.data(), nullptr, 0, &common);
  if (!candidate)
    throw NumericError("sparse Cholesky",
                       fmt::format("the symbolic analysis failed (CHOLMOD status {})", common.status),
                       "the model may be too large for this machine's memory");
  considered += fmt::format("{}{} {:.3g} Gflop", considered.empty() ? "" : ", ", name, common.fl / 1e9);
  if (factor && common.fl >= cost.flops) {
    cholmod_l_free_factor(&candidate, &common);
    return;
  }
  cholmod_l_free_factor(&factor, &common);
  factor = candidate;
  cost.ordering = name;
  cost.flops = common.fl;
  cost.factor_entries = common.lnz;
  const auto bytes = static_cast<double>(sizeof(double));
  cost.memory_bytes =
      bytes * static_cast<double>(factor->xsize + factor->ssize + factor->maxcsize + upper.row.size() * 2);
}

void SparseCholesky::Impl::analyse(const SparseMatrix& A, UpperTriangle& upper) {
  cost.size = static_cast<int>(A.cols());
  const CompressedGraph g = compress(A);
  UpperTriangle graph(g);
  std::vector<Long> order(static_cast<std::size_t>(g.size()));
  if (cholmod_l_amd(&graph.view, nullptr, 0, order.data(), &common))
    try_order("AMD", upper, expand(g, order));
  // AMD is best for small and for chain-like meshes; METIS pays with size.
  if (g.size() > 500) {
    if (cholmod_l_metis(&graph.view, nullptr, 0, 1, order.data(), &common))
      try_order("METIS", upper, expand(g, order));
    else
      considered += fmt::format(", METIS failed (status {})", common.status);
  }
  if (!factor)
    throw NumericError("sparse Cholesky",
                       fmt::format("no order of elimination found (CHOLMOD status {})", common.status));
}

void SparseCholesky::Impl::factorise(UpperTriangle& upper, const CholeskyOptions& options) {
  const Clock::time_point start = Clock::now();
  // CHOLMOD has no way to ask how far it is; the time against that expected of a common core is the best
  // there is.
  constexpr double kExpectedRate = 1.5e10;
  auto done =
      std::async(std::launch::async, [&] { return cholmod_l_factorize(&upper.view, factor, &common); });
  for (double next = 5; done.wait_for(std::chrono::milliseconds(200)) != std::future_status::ready;)
    if (seconds_since(start) > next) {
      say(options.log, fmt::format("factorising: {:.0f} s, about {:.0f} s expected at 15 Gflop/s",
                                   seconds_since(start), cost.flops / kExpectedRate));
      next *= 1.5;
    }
  done.get();
  seconds = seconds_since(start);
  if (common.status == CHOLMOD_OUT_OF_MEMORY)
    throw SystemError("sparse Cholesky",
                      fmt::format("out of memory; the factor needs {:.1f} GiB", cost.memory_bytes / kGibi),
                      "take a coarser mesh or a machine with more memory");
  if (common.status == CHOLMOD_NOT_POSDEF || factor->minor < factor->n) {
    const auto column = static_cast<const Long*>(factor->Perm)[std::min(factor->minor, factor->n - 1)];
    throw Error("sparse Cholesky",
                fmt::format("{} is not positive definite (first seen at unknown {} of {})", options.what,
                            column + 1, cost.size),
                options.remedy_if_indefinite);
  }
  if (common.status < CHOLMOD_OK)
    throw NumericError("sparse Cholesky",
                       fmt::format("the factorisation failed (CHOLMOD status {})", common.status));
}

SparseCholesky::SparseCholesky(const SparseMatrix& A, const CholeskyOptions& options) : impl_(new Impl) {
  if (A.rows() != A.cols() || A.rows() == 0)
    throw Error("sparse Cholesky", fmt::format("{} is {} x {}", options.what, A.rows(), A.cols()),
                "it must be square and not empty");
  UpperTriangle upper(A);
  impl_->analyse(A, upper);
  say(options.log, fmt::format("Cholesky: {} (of {})", impl_->cost.text(), impl_->considered));
  if (options.memory_limit_bytes > 0 && impl_->cost.memory_bytes > options.memory_limit_bytes)
    throw SystemError("sparse Cholesky",
                      fmt::format("the factor needs {:.1f} GiB, the limit is {:.1f} GiB",
                                  impl_->cost.memory_bytes / kGibi, options.memory_limit_bytes / kGibi),
                      "raise the limit or take a coarser mesh");
  impl_->factorise(upper, options);
  say(options.log, fmt::format("factorised in {:.1f} s ({:.1f} Gflop/s)", impl_->seconds,
                               impl_->cost.flops / 1e9 / std::max(impl_->seconds, 1e-9)));
}

SparseCholesky::~SparseCholesky() = default;
SparseCholesky::SparseCholesky(SparseCholesky&&) noexcept = default;
SparseCholesky& SparseCholesky::operator=(SparseCholesky&&) noexcept = default;

MatX SparseCholesky::solve(const MatX& B) const {
  Impl& s = *impl_;
  if (B.rows() != static_cast<Eigen::Index>(s.factor->n))
    throw Error("sparse Cholesky",
                fmt::format("right-hand side of {} rows for {} unknowns", B.rows(), s.factor->n));
  MatX X(B.rows(), B.cols());
  for (Eigen::Index first = 0; first < B.cols(); first += kBlock) {
    const Eigen::Index width = std::min(kBlock, B.cols() - first);
    cholmod_dense b{};
    b.nrow = b.d = static_cast<std::size_t>(B.rows());
    b.ncol = static_cast<std::size_t>(width);
    b.nzmax = b.nrow * b.ncol;
    b.x = const_cast<double*>(B.data() + first * B.rows());  // CHOLMOD only reads it
    b.xtype = CHOLMOD_REAL;
    b.dtype = CHOLMOD_DOUBLE;
    if (!cholmod_l_solve2(CHOLMOD_A, s.factor, &b, nullptr, &s.x, nullptr, &s.y, &s.e, &s.common))
      throw NumericError("sparse Cholesky",
                         fmt::format("the solution failed (CHOLMOD status {})", s.common.status));
    std::memcpy(X.data() + first * B.rows(), s.x->x, sizeof(double) * b.nzmax);
  }
  return X;
}

const CholeskyCost& SparseCholesky::cost() const {
  return impl_->cost;
}
double SparseCholesky::seconds() const {
  return impl_->seconds;
}

}  // namespace monocoque::reduce

#include "reduce/lanczos.h"

#include <cmath>

#include <algorithm>
#include <random>
#include <utility>

#include <fmt/format.h>

#include "core/decompositions.h"
#include "core/error_kinds.h"
#include "reduce/symmetric_product.h"

namespace monocoque::reduce {

namespace {

using Eigen::Index;

class Lanczos {
 public:
  Lanczos(const LanczosProblem& problem, const LanczosOptions& options) : p_(problem), o_(options) {
    n_ = p_.M->rows();
    o_.block = static_cast<int>(std::min<Index>(o_.block, n_));
    o_.count = static_cast<int>(std::min<Index>(o_.count, n_));
    capacity_ =
        std::min<Index>(n_, std::max<Index>(o_.count + 10 * o_.block, 3 * o_.count / 2 + 4 * o_.block));
    V_.resize(n_, capacity_ + o_.block);
    T_ = MatX::Zero(capacity_ + o_.block, capacity_ + o_.block);
    say(o_.log, fmt::format("Lanczos: {} vectors, {:.2f} GiB", V_.cols(),
                            8.0 * static_cast<double>(V_.size()) / 1073741824.0));
  }

  LanczosResult run() {
    start();
    while (true) {
      expand();
      ritz();
      const bool done = judge();
      report();
      if (done) return result();
      if (next_.cols() == 0 || used_ + next_.cols() > capacity_) {
        if (exhausted()) return result();
        restart();
      }
      if (blocks_ >= o_.max_blocks)
        throw NumericError(
            "eigenvalue solver",
            fmt::format("{} of {} modes converged after {} blocks", converged_, wanted_, blocks_),
            "ask for fewer modes; if the mesh is very flexible, give a smaller frequency limit");
    }
  }

 private:
  void start() {
    std::mt19937 random(o_.seed);
    std::normal_distribution<double> normal;
    MatX W(n_, o_.block);
    for (Index i = 0; i < W.size(); ++i) W(i) = normal(random);
    // Into the range of OP, where the M-product is a norm even if M is singular.
    next_ = p_.solve(symmetric_product(*p_.M, W));
    Mnext_ = symmetric_product(*p_.M, next_);
    orthonormalise(next_, Mnext_, 1e-12);
    if (next_.cols() == 0)
      throw Error("eigenvalue solver", "the mass matrix is zero",
                  "give the material a density or add masses");
  }

  /// One block more: V <- [V next], next <- OP next orthonormal to V, T completed.
  void expand() {
    const Index b = next_.cols();
    V_.middleCols(used_, b) = next_;
    MatX W = p_.solve(Mnext_);
    ++blocks_;
    used_ += b;
    const auto basis = V_.leftCols(used_);
    MatX MW = symmetric_product(*p_.M, W);
    MatX C = gram(basis, MW);
    subtract_product(basis, C, W);
    MW = symmetric_product(*p_.M, W);
    const MatX again = gram(basis, MW);
    subtract_product(basis, again, W);
    C += again;
    MW = symmetric_product(*p_.M, W);
    T_.block(0, used_ - b, used_, b) = C;
    T_.block(used_ - b, 0, b, used_) = C.transpose();
    scale_ = std::max(scale_, C.cwiseAbs().maxCoeff());
    B_ = MatX::Zero(0, b);
    if (const double rest = std::sqrt(MW.cwiseProduct(W).colwise().sum().maxCoeff()); rest > 1e-14 * scale_)
      B_ = orthonormalise(W, MW, 1e-12);
    else
      W.resize(n_, 0);
    // Orthogonality lost in scaling up a small remainder is restored once more.
    if (W.cols() > 0) {
      const MatX third = gram(basis, MW);
      subtract_product(basis, third, W);
      MW = symmetric_product(*p_.M, W);
      B_ = orthonormalise(W, MW, 1e-12) * B_;
    }
    next_ = std::move(W);
    Mnext_ = std::move(MW);
    last_width_ = b;
  }

  void ritz() {
    const MatX T = (T_.topLeftCorner(used_, used_) + T_.topLeftCorner(used_, used_).transpose()) / 2;
    Eigen::SelfAdjointEigenSolver<MatX> eigen(T);
    mu_ = eigen.eigenvalues().reverse();
    Y_ = eigen.eigenvectors().rowwise().reverse();
    residual_ = VecX::Zero(used_);
    if (B_.rows() > 0) residual_ = (B_ * Y_.bottomRows(last_width_)).colwise().norm().transpose();
  }

  bool judge() {
    wanted_ = std::min<Index>(o_.count, used_);
    bool bounded = true;
    if (o_.mu_limit > 0) {
      Index above = 0;
      while (above < used_ && mu_[above] >= o_.mu_limit) ++above;
      // One beyond the limit must have converged too: then none below it is missing.
      bounded = above < used_;
      complete_ = above < o_.count;
      wanted_ = std::min<Index>(above + 1, wanted_);
    }
    converged_ = 0;
    while (converged_ < wanted_ && residual_[converged_] <= o_.tolerance * mu_[converged_]) ++converged_;
    return bounded && converged_ == wanted_ && (wanted_ == o_.count || o_.mu_limit > 0);
  }

  bool exhausted() const { return next_.cols() == 0 || used_ >= n_; }

  void restart() {
    // A quarter more than wanted: the neighbours of the last wanted value speed it up.
    Index keep = std::min<Index>(used_ - next_.cols(), o_.count + std::max<Index>(o_.block, o_.count / 4));
    keep = std::min(keep, capacity_ - 2 * o_.block);
    keep = std::max<Index>(keep, std::min<Index>(o_.count, used_));
    const MatX basis = tall_product(V_.leftCols(used_), Y_.leftCols(keep));
    V_.leftCols(keep) = basis;
    T_.setZero();
    T_.topLeftCorner(keep, keep).diagonal() = mu_.head(keep);
    // The products of the next block with the kept vectors come out of expand(): full orthogonalisation.
    used_ = keep;
    ++restarts_;
  }

  void report() const {
    if (blocks_ % 5 == 0)
      say(o_.log,
          fmt::format("Lanczos: {} blocks of {}, {} of {} modes", blocks_, o_.block, converged_, wanted_));
  }

  LanczosResult result() {
    LanczosResult r;
    const Index count = std::min<Index>(wanted_, used_);
    r.mu = mu_.head(count);
    r.X = tall_product(V_.leftCols(used_), Y_.leftCols(count));
    r.blocks = blocks_;
    r.restarts = restarts_;
    r.complete = complete_;
    say(o_.log,
        fmt::format("Lanczos: {} modes, {} blocks of {}, {} restarts", count, blocks_, o_.block, restarts_));
    return r;
  }

  LanczosProblem p_;
  LanczosOptions o_;
  Index n_ = 0, capacity_ = 0, used_ = 0, last_width_ = 0, wanted_ = 0, converged_ = 0;
  int blocks_ = 0, restarts_ = 0;
  bool complete_ = true;
  double scale_ = 0;
  MatX V_, T_, Y_, next_, Mnext_, B_;
  VecX mu_, residual_;
};

}  // namespace

MatX orthonormalise(MatX& W, MatX& MW, double relative_drop) {
  MatX back;
  for (int pass = 0; pass < 2; ++pass) {
    const MatX raw = gram(W, MW);
    const MatX G = (raw + raw.transpose()) / 2;
    const double largest = G.diagonal().size() > 0 ? G.diagonal().maxCoeff() : 0;
    if (!(largest > 0)) {
      W.resize(W.rows(), 0);
      MW.resize(W.rows(), 0);
      return MatX::Zero(0, G.cols());
    }
    VecX d = G.diagonal().cwiseMax(1e-30 * largest).cwiseSqrt().cwiseInverse();
    Eigen::SelfAdjointEigenSolver<MatX> eigen(d.asDiagonal() * G * d.asDiagonal());
    const VecX& s = eigen.eigenvalues();
    Index dropped = 0;
    while (dropped < s.size() && s[dropped] <= relative_drop * s[s.size() - 1]) ++dropped;
    const Index kept = s.size() - dropped;
    const MatX U = eigen.eigenvectors().rightCols(kept);
    const VecX root = s.tail(kept).cwiseSqrt();
    const MatX to = d.asDiagonal() * U * root.cwiseInverse().asDiagonal();
    const MatX from = root.asDiagonal() * U.transpose() * d.cwiseInverse().asDiagonal();
    W = tall_product(W, to);
    MW = tall_product(MW, to);
    back = pass == 0 ? from : MatX(from * back);
  }
  return back;
}

LanczosResult block_lanczos(const LanczosProblem& problem, const LanczosOptions& options) {
  return Lanczos(problem, options).run();
}

}  // namespace monocoque::reduce

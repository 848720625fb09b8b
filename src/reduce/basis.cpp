#include "reduce/basis.h"

#include <cmath>

#include <algorithm>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "core/decompositions.h"
#include "core/error.h"
#include "reduce/lanczos.h"
#include "reduce/symmetric_product.h"

namespace monocoque::reduce {

namespace {

using Eigen::Index;

Vec3 first_position(const FeSystem& fe) {
  return fe.positions.empty() ? Vec3(Vec3::Zero()) : fe.positions[0];
}

/// Node farthest from a set given by a distance function.
template <typename Distance>
int farthest(const FeSystem& fe, const NodeMap& map, const Distance& distance) {
  int best = -1;
  double most = -1;
  for (int n = 0; n < fe.nodes(); ++n) {
    if (!map.exists({n, 0}) || !map.exists({n, 1}) || !map.exists({n, 2})) continue;
    if (const double d = distance(fe.positions[static_cast<std::size_t>(n)]); d > most) {
      most = d;
      best = n;
    }
  }
  if (best < 0)
    throw Error("reduction", "no node can move in all three directions", "the mesh must not be held");
  return best;
}

/// Diagonalises K in the M-orthonormal columns of Phi.
OrthonormalBasis diagonalised(const FeSystem& fe, const MatX& Phi) {
  OrthonormalBasis b;
  const MatX Kr = gram(Phi, symmetric_product(fe.K, Phi));
  Eigen::SelfAdjointEigenSolver<MatX> eigen((Kr + Kr.transpose()) / 2);
  b.omega2 = eigen.eigenvalues();
  b.Phi = tall_product(Phi, eigen.eigenvectors());
  return b;
}

}  // namespace

OrthonormalBasis orthonormal_basis(const FeSystem& fe, const NodeMap& map, MatX raw) {
  const Index given = raw.cols();
  MatX S = map.rigid_motions(first_position(fe));
  MatX MS = symmetric_product(fe.M, S);
  orthonormalise(S, MS, 1e-14);
  // Scaled before the rigid part leaves: what is nothing but rigid shows by its small remainder.
  const VecX norm = symmetric_product(fe.M, raw).cwiseProduct(raw).colwise().sum().cwiseSqrt().transpose();
  std::vector<Index> kept;
  for (Index i = 0; i < given; ++i)
    if (norm[i] > 0) {
      raw.col(static_cast<Index>(kept.size())) = raw.col(i) / norm[i];
      kept.push_back(i);
    }
  raw.conservativeResize(Eigen::NoChange, static_cast<Index>(kept.size()));
  for (int pass = 0; pass < 2; ++pass) subtract_product(S, gram(MS, raw), raw);
  MatX MW = symmetric_product(fe.M, raw);
  const VecX rest = MW.cwiseProduct(raw).colwise().sum().cwiseMax(0).cwiseSqrt().transpose();
  Index used = 0;
  for (Index i = 0; i < raw.cols(); ++i)
    if (rest[i] > 1e-7) {
      raw.col(used) = raw.col(i);
      MW.col(used++) = MW.col(i);
    }
  raw.conservativeResize(Eigen::NoChange, used);
  MW.conservativeResize(Eigen::NoChange, used);
  orthonormalise(raw, MW, 1e-11);
  OrthonormalBasis b = diagonalised(fe, raw);
  b.dropped = static_cast<int>(given - b.Phi.cols());
  return b;
}

SparseMatrix determinate_support(const FeSystem& fe, const NodeMap& map) {
  const Vec3 start = first_position(fe);
  const int a = farthest(fe, map, [&](const Vec3& p) { return (p - start).norm(); });
  const Vec3 pa = fe.positions[static_cast<std::size_t>(a)];
  const int b = farthest(fe, map, [&](const Vec3& p) { return (p - pa).norm(); });
  const Vec3 axis = (fe.positions[static_cast<std::size_t>(b)] - pa).normalized();
  const int c = farthest(fe, map, [&](const Vec3& p) { return (p - pa).cross(axis).norm(); });
  const Vec3 pc = fe.positions[static_cast<std::size_t>(c)];
  std::vector<NodeComponent> used;
  for (int i = 0; i < 3; ++i) used.push_back({a, i});
  for (int i = 0; i < 3; ++i) used.push_back({b, i});
  const double size = (fe.positions[static_cast<std::size_t>(b)] - pa).norm();
  // A straight row of nodes cannot be held against turning about itself by forces: a rotation must do it.
  const bool straight = (pc - pa).cross(axis).norm() < 1e-6 * size;
  for (int i = 0; i < 3; ++i) used.push_back({straight ? a : c, straight ? 3 + i : i});
  const Vec3 y = axis.unitOrthogonal(), z = axis.cross(y);
  const Vec3 normal = straight ? axis : Vec3(axis.cross(pc - pa).normalized());
  MatX pick = MatX::Zero(6, 9);
  pick.topLeftCorner<3, 3>().setIdentity();
  pick.block<1, 3>(3, 3) = y.transpose();
  pick.block<1, 3>(4, 3) = z.transpose();
  pick.block<1, 3>(5, 6) = normal.transpose();
  return SparseMatrix(SparseMatrix(pick.sparseView()) * map.forms(used));
}

MatX balanced_loads(const FeSystem& fe, const NodeMap& map, const MatX& F) {
  const MatX S = map.rigid_motions(first_position(fe));
  const MatX MS = symmetric_product(fe.M, S);
  const Mat6 mass = gram(S, MS);
  MatX balanced = F;
  subtract_product(MS, mass.ldlt().solve(gram(S, F)), balanced);
  return balanced;
}

MatX attachment_modes(const FeSystem& fe, const NodeMap& map, const std::vector<NodeComponent>& components,
                      const CholeskyOptions& options) {
  const ConstrainedSolver solver(fe, 0, determinate_support(fe, map), options);
  return solver.solve_penalised(balanced_loads(fe, map, MatX(map.forms(components).transpose())));
}

VecX damping_of(const VecX& omega2, const Damping& d) {
  VecX D(omega2.size());
  for (Index i = 0; i < omega2.size(); ++i) {
    const double omega = std::sqrt(std::max(omega2[i], 0.0));
    double ratio = d.ratio;
    if (!d.ratios.empty()) ratio = d.ratios[std::min(static_cast<std::size_t>(i), d.ratios.size() - 1)];
    if (d.ratio_of_Hz) ratio = d.ratio_of_Hz(omega / (2 * std::numbers::pi));
    if (!(ratio >= 0))
      throw Error("damping", fmt::format("the ratio of mode {} is {}, it must be >= 0", i + 1, ratio));
    D[i] = 2 * ratio * omega + d.alpha_per_s + d.beta_s * omega2[i];
  }
  return D;
}

std::vector<int> important_coordinates(const VecX& omega2, const MatX& B, double band_Hz, double bound) {
  // A resonance is judged at its height with 2 % hysteretic damping.
  constexpr double kLoss = 0.02;
  constexpr int kSteps = 200;
  const Index n = omega2.size();
  const VecX strength = B.rowwise().squaredNorm();
  MatX share(n, kSteps + 1);  // size of each mode's part of the compliance
  VecX total = VecX::Zero(kSteps + 1);
  for (int s = 0; s <= kSteps; ++s) {
    const double w2 = std::pow(2 * std::numbers::pi * band_Hz * s / kSteps, 2);
    for (Index i = 0; i < n; ++i) share(i, s) = strength[i] / std::hypot(omega2[i] - w2, kLoss * omega2[i]);
    total[s] = share.col(s).maxCoeff();
  }
  std::vector<int> order(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) order[static_cast<std::size_t>(i)] = static_cast<int>(i);
  const VecX weight = (share * total.cwiseInverse().asDiagonal()).rowwise().maxCoeff();
  std::sort(order.begin(), order.end(), [&](int a, int b) { return weight[a] < weight[b]; });
  // From the weakest on, as long as the sum of what is dropped stays below the bound at every frequency.
  VecX dropped = VecX::Zero(kSteps + 1);
  std::size_t first = 0;
  for (; first < order.size(); ++first) {
    dropped += share.row(order[first]).transpose();
    if ((dropped.cwiseQuotient(total)).maxCoeff() > bound) break;
  }
  std::vector<int> kept(order.begin() + static_cast<std::ptrdiff_t>(first), order.end());
  std::sort(kept.begin(), kept.end());
  return kept;
}

OrthonormalBasis selected(const OrthonormalBasis& basis, const std::vector<int>& coordinates) {
  OrthonormalBasis b;
  b.Phi = basis.Phi(Eigen::all, coordinates);
  b.omega2 = basis.omega2(coordinates);
  b.dropped = basis.dropped + static_cast<int>(basis.omega2.size()) - static_cast<int>(coordinates.size());
  return b;
}

MatX krylov_basis(const FeSystem& fe, const std::function<MatX(const MatX&)>& solve, const MatX& F,
                  int order) {
  MatX all(fe.size(), 0), block = solve(F);
  for (int step = 0; step < order; ++step) {
    for (int pass = 0; pass < 2 && all.cols() > 0; ++pass)
      subtract_product(all, gram(all, symmetric_product(fe.K, block)), block);
    MatX Kblock = symmetric_product(fe.K, block);
    orthonormalise(block, Kblock, 1e-12);
    if (block.cols() == 0) break;
    const Index before = all.cols();
    all.conservativeResize(Eigen::NoChange, before + block.cols());
    all.rightCols(block.cols()) = block;
    if (step + 1 < order) block = solve(symmetric_product(fe.M, block));
  }
  return all;
}

OrthonormalBasis krylov_reduced(const OrthonormalBasis& basis, const MatX& B, int order,
                                const std::vector<double>& shifts_Hz) {
  MatX W(basis.omega2.size(), 0);
  for (const double shift : shifts_Hz) {
    // omega^2 - sigma with sigma = -(2 pi f)^2: positive for every mode.
    const VecX inverse = (basis.omega2.array() + std::pow(2 * std::numbers::pi * shift, 2)).inverse();
    MatX block = inverse.asDiagonal() * B;
    for (int step = 0; step < order; ++step) {
      for (int pass = 0; pass < 2; ++pass) block -= W * (W.transpose() * block);
      const double largest = block.colwise().norm().maxCoeff();
      if (!(largest > 0)) break;
      Eigen::ColPivHouseholderQR<MatX> qr(block);
      qr.setThreshold(1e-10);
      const Index rank = qr.rank();
      if (rank == 0) break;
      const MatX Q = qr.householderQ() * MatX::Identity(block.rows(), rank);
      W.conservativeResize(Eigen::NoChange, W.cols() + rank);
      W.rightCols(rank) = Q;
      block = inverse.asDiagonal() * Q;
    }
  }
  Eigen::SelfAdjointEigenSolver<MatX> eigen(W.transpose() * basis.omega2.asDiagonal() * W);
  OrthonormalBasis b;
  b.omega2 = eigen.eigenvalues();
  b.Phi = tall_product(basis.Phi, W * eigen.eigenvectors());
  b.dropped = basis.dropped + static_cast<int>(basis.omega2.size() - b.omega2.size());
  return b;
}

}  // namespace monocoque::reduce

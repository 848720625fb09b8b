#include "reduce/report.h"

#include <cmath>

#include <algorithm>
#include <numbers>

#include <fmt/format.h>

#include "core/decompositions.h"
#include "core/error.h"
#include "reduce/clock.h"
#include "reduce/symmetric_product.h"

namespace monocoque::reduce {

namespace {

using Eigen::Index;

constexpr double kTwoPi = 2 * std::numbers::pi;
constexpr double kReferenceTolerance = 1e-6;
constexpr int kMaxEnlargements = 6;

Mat3 tensor(const MatX& v) {
  Mat3 J;
  J << v(0), v(3), v(4), v(3), v(1), v(5), v(4), v(5), v(2);
  return J;
}

void compare_inertia(const FeSystem& fe, const NodeMap& map, const ReducedBody& body, const Vec3& origin,
                     AccuracyReport& r) {
  const MatX S = map.rigid_motions(origin);
  const Mat6 rigid = gram(S, symmetric_product(fe.M, S));
  r.mass_full_kg = rigid(0, 0);
  r.centre_full_m = Vec3(rigid(5, 1), rigid(3, 2), rigid(4, 0)) / rigid(0, 0);
  r.inertia_full = rigid.bottomRightCorner<3, 3>();
  r.mass_reduced_kg = body.sid.mass_kg;
  r.centre_reduced_m = body.sid.mdCM.zero / body.sid.mass_kg;
  r.inertia_reduced = tensor(body.sid.J.zero);
}

/// Each full mode with the reduced one most like it.
void compare_modes(const FeSystem& fe, const ReducedBody& body, const Modes& full, AccuracyReport& r) {
  const Index elastic = full.omega2.size() - full.rigid;
  const MatX shapes = full.shapes.rightCols(elastic);
  const MatX likeness = gram(body.basis.Phi, symmetric_product(fe.M, shapes)).array().square();
  for (Index i = 0; i < elastic; ++i) {
    Index best = 0;
    ModePair pair;
    pair.assurance = likeness.col(i).maxCoeff(&best);
    pair.full_Hz = full.frequency_Hz(full.rigid + i);
    pair.reduced_Hz = std::sqrt(std::max(body.basis.omega2[best], 0.0)) / kTwoPi;
    r.modes.push_back(pair);
  }
}

/// Share of the mass that the reduced body's modes with held boundary move: phi^T M (rigid - static part).
void effective_masses(const FeSystem& fe, const NodeMap& map, const ReducedBody& body, AccuracyReport& r) {
  if (body.boundary_components.empty()) return;
  const MatX S = map.rigid_motions(fe.positions[0]).leftCols(3);
  // Boundary held in the reduced space: coordinates of q and three translations with T (Phi q + S t) = 0.
  const SparseMatrix T = map.forms(body.boundary_components);
  const Index nq = body.basis.omega2.size();
  MatX S6 = map.rigid_motions(fe.positions[0]);
  MatX all(fe.size(), nq + 6);
  all << body.basis.Phi, S6;
  const MatX constraint = T * all;
  Eigen::CompleteOrthogonalDecomposition<MatX> cod(constraint.transpose());
  cod.setThreshold(1e-10);
  const Index rank = cod.rank();
  const MatX Q = cod.householderQ() * MatX::Identity(nq + 6, nq + 6);
  const MatX null = Q.rightCols(nq + 6 - rank);
  if (null.cols() == 0) return;
  const MatX held = tall_product(all, null);
  const MatX M = gram(held, symmetric_product(fe.M, held)), K = gram(held, symmetric_product(fe.K, held));
  Eigen::GeneralizedSelfAdjointEigenSolver<MatX> eigen((K + K.transpose()) / 2, (M + M.transpose()) / 2);
  if (eigen.info() != Eigen::Success) return;
  const MatX participation = eigen.eigenvectors().transpose() * gram(held, symmetric_product(fe.M, S));
  EffectiveMass sum;
  for (Index i = 0; i < participation.rows(); ++i) {
    for (int c = 0; c < 3; ++c)
      sum.translation[c] += participation(i, c) * participation(i, c) / r.mass_full_kg;
    r.effective.push_back(sum);
  }
}

std::vector<NodeComponent> response_components(const ReducedBody& body, int limit) {
  std::vector<NodeComponent> all = body.boundary_components;
  for (const int node : body.interface_nodes)
    for (int c = 0; c < 3; ++c) all.push_back({node, c});
  if (static_cast<int>(all.size()) > limit) all.resize(static_cast<std::size_t>(limit));
  return all;
}

std::vector<BandError> by_band(const VecX& frequencies_Hz, const VecX& error, double band_Hz, int bands) {
  std::vector<BandError> out;
  for (int b = 0; b < bands; ++b) {
    BandError e{band_Hz * b / bands, band_Hz * (b + 1) / bands, 0, 0};
    int count = 0;
    for (Index i = 0; i < frequencies_Hz.size(); ++i)
      if (frequencies_Hz[i] > e.from_Hz && frequencies_Hz[i] <= e.to_Hz * (1 + 1e-12)) {
        e.largest = std::max(e.largest, error[i]);
        e.mean += error[i];
        ++count;
      }
    e.mean /= std::max(count, 1);
    out.push_back(e);
  }
  return out;
}

void compare_responses(const FeSystem& fe, const NodeMap& map, const ReducedBody& body, const Modes& full,
                       const SparseCholesky& cholesky, double sigma, double band_Hz, const ReportOptions& o,
                       AccuracyReport& r) {
  const std::vector<NodeComponent> points = response_components(body, o.max_inputs);
  if (points.empty()) return;
  const SparseMatrix outputs = map.forms(points);
  FullResponse reference(fe, map, cholesky, sigma, MatX(outputs.transpose()),
                         full.shapes.rightCols(full.shapes.cols() - full.rigid));
  const double last = kTwoPi * band_Hz;
  for (int i = 0; i < kMaxEnlargements; ++i) {
    r.reference_residual =
        std::max(reference.residual(last, o.loss_factor), reference.residual(0.5 * last, o.loss_factor));
    say(o.log,
        fmt::format("full response: {} vectors, residual {:.2g}", reference.size(), r.reference_residual));
    if (r.reference_residual < kReferenceTolerance) break;
    reference.enlarge();
  }
  const MatX B = outputs * body.basis.Phi;
  r.frequencies_Hz.resize(o.frequencies);
  r.response_error.resize(o.frequencies);
  const auto boundary =
      std::min(static_cast<Index>(body.boundary_components.size()), static_cast<Index>(outputs.rows()));
  VecX at_boundary(o.frequencies);
  for (int i = 0; i < o.frequencies; ++i) {
    r.frequencies_Hz[i] = band_Hz * (i + 1) / o.frequencies;
    const double w = kTwoPi * r.frequencies_Hz[i];
    const Eigen::MatrixXcd exact = reference.at(w, o.loss_factor, outputs);
    const Eigen::VectorXcd denominator =
        body.basis.omega2.cast<std::complex<double>>() * std::complex<double>(1, o.loss_factor) -
        Eigen::VectorXcd::Constant(body.basis.omega2.size(), w * w);
    const Eigen::MatrixXcd modal = B.cast<std::complex<double>>();
    const Eigen::MatrixXcd ours = modal * denominator.cwiseInverse().asDiagonal() * modal.transpose();
    r.response_error[i] = (ours - exact).norm() / exact.norm();
    if (boundary > 0)
      at_boundary[i] = (ours - exact).topLeftCorner(boundary, boundary).norm() /
                       exact.topLeftCorner(boundary, boundary).norm();
  }
  r.bands = by_band(r.frequencies_Hz, r.response_error, band_Hz, o.bands);
  if (boundary > 0 && boundary < outputs.rows())
    r.boundary_bands = by_band(r.frequencies_Hz, at_boundary, band_Hz, o.bands);
}

}  // namespace

AccuracyReport accuracy_report(const FeSystem& fe, const NodeMap& map, const ReducedBody& body,
                               const ReduceOptions& reduced_with, const ReportOptions& o) {
  const Clock::time_point start = Clock::now();
  AccuracyReport r;
  compare_inertia(fe, map, body, reduced_with.origin_m, r);
  effective_masses(fe, map, body, r);
  ModeOptions m;
  m.count = o.full_modes;
  m.memory_limit_bytes = o.memory_limit_bytes;
  m.log = o.log;
  FreeModes full = free_modes(fe, map, m);
  compare_modes(fe, body, full.modes, r);
  const double band = o.band_Hz > 0 ? o.band_Hz : r.modes.empty() ? 0 : r.modes.back().full_Hz;
  if (band > 0) compare_responses(fe, map, body, full.modes, full.solver.cholesky(), full.sigma, band, o, r);
  r.seconds = seconds_since(start);
  return r;
}

std::string AccuracyReport::text() const {
  std::string t = "Mass properties            full model        reduced body\n";
  t += fmt::format("  mass [kg]           {:16.9g}  {:16.9g}\n", mass_full_kg, mass_reduced_kg);
  for (int i = 0; i < 3; ++i)
    t += fmt::format("  centre {} [m]        {:16.9g}  {:16.9g}\n", "xyz"[i], centre_full_m[i],
                     centre_reduced_m[i]);
  constexpr int pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  for (const auto& [i, j] : pairs)
    t += fmt::format("  J_{}{} [kg m^2]       {:16.9g}  {:16.9g}\n", "xyz"[i], "xyz"[j], inertia_full(i, j),
                     inertia_reduced(i, j));
  t += "\nFree modes      full [Hz]   reduced [Hz]    error       MAC\n";
  for (std::size_t i = 0; i < modes.size(); ++i)
    t += fmt::format("  {:4}      {:13.6g}  {:13.6g}  {:8.2e}  {:8.6f}\n", i + 1, modes[i].full_Hz,
                     modes[i].reduced_Hz, std::abs(modes[i].reduced_Hz / modes[i].full_Hz - 1),
                     modes[i].assurance);
  const auto table = [&](const char* where, const std::vector<BandError>& list) {
    if (list.empty()) return;
    t += fmt::format(
        "\nResponses at {} (residual of the full model's: {:.1e})\n  band [Hz]"
        "                 mean error   largest error\n",
        where, reference_residual);
    for (const BandError& b : list)
      t += fmt::format("  {:9.4g} .. {:9.4g}      {:10.2e}      {:10.2e}\n", b.from_Hz, b.to_Hz, b.mean,
                       b.largest);
  };
  table("the boundary nodes", boundary_bands);
  table("all interfaces", bands);
  if (!effective.empty()) {
    const EffectiveMass& last = effective.back();
    t += fmt::format("\nEffective mass of {} modes with held boundary: x {:.1f} %, y {:.1f} %, z {:.1f} %\n",
                     effective.size(), 100 * last.translation[0], 100 * last.translation[1],
                     100 * last.translation[2]);
  }
  return t;
}

}  // namespace monocoque::reduce

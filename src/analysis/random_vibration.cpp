#include "analysis/random_vibration.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>
#include <Eigen/Eigenvalues>

#include "analysis/quadrature.h"
#include "analysis/schur.h"
#include "core/error.h"

namespace monocoque::analysis {

namespace {

using std::numbers::pi;
using Complex = std::complex<double>;
using MatrixC = Eigen::MatrixXcd;

constexpr double kSettles_per_s = 1e-4;  ///< slower decays do not count as settling
constexpr double kSeen = 1e-3;           ///< share of an output that a motion must have to be seen

/// e^{F dt} G, F triangular, by steps of the diagonal Pade approximation of degree 6 in factors (z - a) / (z
/// + a): a triangular system for each, where the exponential itself would take dozens of products. Steps are
/// short enough for all motions of which anything is left after dt.
MatrixC carried(const MatrixC& F, double dt, const MatrixC& G) {
  constexpr double kGone = 40, kReach = 1;  // error of a step 2e-13
  const Complex upper[] = {{-8.496718791726643, 1.7350193464632084},
                           {-7.47141671265171, 5.252544622894073},
                           {-5.031864495621644, 8.985345907307906}};
  double fastest = 0;
  for (const Complex s : F.diagonal())
    if (s.real() * dt > -kGone) fastest = std::max(fastest, std::abs(s));
  const int steps = std::max(1, static_cast<int>(std::ceil(fastest * dt / kReach)));
  std::vector<std::pair<Complex, MatrixC>> factors;
  for (const Complex a : upper)
    for (const Complex root : {a, std::conj(a)}) {
      factors.emplace_back(root, F * (dt / steps));
      factors.back().second.diagonal().array() += root;
    }
  MatrixC out = G;
  for (int k = 0; k < steps; ++k)
    for (const auto& [root, shifted] : factors)
      out -= 2.0 * root * MatrixC(shifted.triangularView<Eigen::Upper>().solve(out));
  return out;
}

double largest_share(const MatrixC& part, const MatrixC& whole) {
  double share = 0;
  for (Eigen::Index i = 0; i < whole.rows(); ++i) {
    const double all = whole.row(i).norm();
    if (all > 0) share = std::max(share, part.row(i).norm() / all);
  }
  return share;
}

}  // namespace

double road_density(const RoadProcess& r, double f_Hz) {
  const double n0 = kRoadReference_per_m, corner = r.speed_m_per_s * r.lowest_wave_number_per_m;
  const double plain = r.roughness_m3 * n0 * n0 * r.speed_m_per_s / (f_Hz * f_Hz + corner * corner);
  if (r.highest_wave_number_per_m <= 0) return plain;
  const double u = f_Hz / (r.speed_m_per_s * r.highest_wave_number_per_m);
  return plain / (1 + u * u);
}

double SensationFilter::gain(double f_Hz) {
  const Complex s(0, 2 * pi * f_Hz);
  return std::abs((c1 * s + c0) / (s * s + b1 * s + b0));
}

RandomVibration::RandomVibration(const RoadDrivenSystem& system, const RoadProcess& road,
                                 const std::vector<RoadWheel>& wheels)
    : road_(road), wheels_(wheels), D_height_(system.D_height), D_rate_(system.D_rate) {
  const auto positive = [](const char* what, double value) {
    if (!(value > 0) || !std::isfinite(value))
      throw Error("random vibration", fmt::format("{} is {:g}, it must be > 0", what, value), "");
  };
  positive("the speed", road.speed_m_per_s);
  positive("the roughness of the road", road.roughness_m3);
  positive("the lowest wave number", road.lowest_wave_number_per_m);
  if (!(road.coherence >= 0 && road.coherence <= 1))
    throw Error("random vibration",
                fmt::format("the coherence of the tracks is {:g}, it must be in 0..1", road.coherence), "");
  if (wheels.empty()) throw Error("random vibration", "there is no wheel on the road", "");
  if (!system.A.allFinite() || !system.B_height.allFinite() || !system.C.allFinite())
    throw Error("random vibration", "the linear system has entries that are not finite", "");
  double first = wheels[0].x_m;
  for (const RoadWheel& w : wheels) first = std::max(first, w.x_m);
  delay_.resize(static_cast<Eigen::Index>(wheels.size()));
  for (std::size_t k = 0; k < wheels.size(); ++k)
    delay_[static_cast<Eigen::Index>(k)] = (first - wheels[k].x_m) / road.speed_m_per_s;

  ParsedSystem p = part_by_decay(system.A, kSettles_per_s);
  removed_ = static_cast<int>(p.slow.rows());
  const MatrixC C = system.C.cast<Complex>();
  const auto into = [](const MatrixC& basis, const MatX& B) { return MatrixC(basis * B.cast<Complex>()); };
  T_ = p.fast;
  C_ = C * p.fast_vectors;
  B_height_ = into(p.fast_rows, system.B_height);
  B_rate_ = into(p.fast_rows, system.B_rate);
  part_into_modes();
  if (removed_ == 0) return;
  const MatrixC C_slow = C * p.slow_vectors, b_h = into(p.slow_rows, system.B_height),
                b_r = into(p.slow_rows, system.B_rate);
  for (const double f : {0.3, 1.0, 3.0, 10.0}) {
    const Complex s(0, 2 * pi * f);
    const auto answer = [&](const MatrixC& T, const MatrixC& Cx, const MatrixC& bh, const MatrixC& br) {
      MatrixC X = bh + s * br;
      const MatrixC shifted = s * MatrixC::Identity(T.rows(), T.cols()) - T;
      shifted.triangularView<Eigen::Upper>().solveInPlace(X);
      return MatrixC(Cx * X);
    };
    const MatrixC slow = answer(p.slow, C_slow, b_h, b_r);
    const MatrixC whole = slow + answer(T_, C_, B_height_, B_rate_) + D_height_.cast<Complex>() + s * D_rate_;
    const double share = largest_share(slow, whole);
    if (share < kSeen) continue;
    Eigen::Index most = 0;
    p.slow_vectors.rowwise().norm().maxCoeff(&most);
    throw Error(
        "random vibration",
        fmt::format("a motion that does not settle has {:.2g} of an output at {:g} Hz; most of it is {}",
                    share, f,
                    system.states.empty() ? fmt::format("state {}", most + 1)
                                          : system.states[static_cast<std::size_t>(most)]),
        "hold it (a spring, a controller of the speed), or choose other outputs");
  }
}

double RandomVibration::pole() const {
  return 2 * pi * road_.speed_m_per_s * road_.lowest_wave_number_per_m;
}

double RandomVibration::smooth() const {
  return 2 * pi * road_.speed_m_per_s * std::max(0.0, road_.highest_wave_number_per_m);
}

double RandomVibration::source() const {
  const double n0 = kRoadReference_per_m;
  return std::sqrt(2 * pi * pi * road_.roughness_m3 * n0 * n0 * road_.speed_m_per_s);
}

struct RandomVibration::Driven {
  MatXc F, H;            ///< triangular; outputs
  std::vector<MatXc> g;  ///< per wheel, columns: the two sources
  MatXc feedthrough;     ///< outputs x wheels, of white noise
};

RandomVibration::Driven RandomVibration::driven() const {
  const Eigen::Index m = delay_.size();
  const double a = pole(), b = smooth(), s = source();
  const Eigen::Index n = T_.rows();
  Driven d;
  const double both = std::sqrt((1 + road_.coherence) / 2), apart = std::sqrt((1 - road_.coherence) / 2);
  const auto sources = [&](const VecXcd& column, Eigen::Index k) {
    MatXc g(column.size(), 2);
    g << both * column, (wheels_[static_cast<std::size_t>(k)].y_m >= 0 ? apart : -apart) * column;
    return g;
  };
  if (b > 0) {
    // States: the system's, the smoothed heights, the heights.
    d.F = MatXc::Zero(n + 2 * m, n + 2 * m);
    d.F.topLeftCorner(n, n) = T_;
    d.F.block(0, n, n, m) = B_height_ - b * B_rate_;
    d.F.block(0, n + m, n, m) = b * B_rate_;
    d.F.block(n, n, m, m).diagonal().setConstant(-b);
    d.F.block(n, n + m, m, m).diagonal().setConstant(b);
    d.F.bottomRightCorner(m, m).diagonal().setConstant(-a);
    d.H.resize(C_.rows(), n + 2 * m);
    d.H << C_, (D_height_ - b * D_rate_).cast<Complex>(), (b * D_rate_).cast<Complex>();
    d.feedthrough = MatXc::Zero(C_.rows(), m);
    for (Eigen::Index k = 0; k < m; ++k) {
      VecXcd column = VecXcd::Zero(n + 2 * m);
      column[n + m + k] = s;
      d.g.push_back(sources(column, k));
    }
    return d;
  }
  d.F = MatXc::Zero(n + m, n + m);
  d.F.topLeftCorner(n, n) = T_;
  d.F.topRightCorner(n, m) = B_height_ - a * B_rate_;
  d.F.bottomRightCorner(m, m).diagonal().setConstant(-a);
  d.H.resize(C_.rows(), n + m);
  d.H << C_, (D_height_ - a * D_rate_).cast<Complex>();
  d.feedthrough = (s * D_rate_).cast<Complex>();
  for (Eigen::Index k = 0; k < m; ++k) {
    VecXcd column = VecXcd::Zero(n + m);
    column.head(n) = s * B_rate_.col(k);
    column[n + k] = s;
    d.g.push_back(sources(column, k));
  }
  return d;
}

/// Q of the Lyapunov equation: what the sources bring in, with the same noise coming later to wheels behind.
RandomVibration::MatXc RandomVibration::white_noise(const Driven& d) const {
  std::vector<std::size_t> order(d.g.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto at = [&](std::size_t k) { return delay_[static_cast<Eigen::Index>(k)]; };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return at(a) < at(b); });
  const Eigen::Index n = d.F.rows();
  MatXc Q = MatXc::Zero(n, n);
  MatXc before = MatXc::Zero(n, 2);  // what earlier wheels have made of the noise that comes now
  for (std::size_t i = 0; i < order.size();) {
    MatXc here = MatXc::Zero(n, 2);
    const double now = at(order[i]);
    std::size_t j = i;
    for (; j < order.size() && at(order[j]) - now < 1e-12; ++j) here += d.g[order[j]];
    if (i > 0) before = carried(d.F, now - at(order[i - 1]), before);
    Q += here * here.adjoint() + before * here.adjoint() + here * before.adjoint();
    before += here;
    i = j;
  }
  return Q;
}

VecX RandomVibration::deviations() const {
  const Driven d = driven();
  const MatXc P = solve_lyapunov(d.F, white_noise(d));
  VecX out(d.H.rows());
  for (Eigen::Index i = 0; i < out.size(); ++i) {
    const double variance = (d.H.row(i) * P * d.H.row(i).adjoint()).value().real();
    // Noise that comes straight through has no finite variance.
    const bool noisy =
        smooth() == 0 && D_rate_.row(i).norm() > 1e-12 * (D_height_.row(i).norm() + C_.row(i).norm());
    out[i] = noisy ? std::numeric_limits<double>::infinity() : std::sqrt(std::max(0.0, variance));
  }
  return out;
}

double RandomVibration::filtered_deviation(int output, double b1, double b0, double c1, double c0) const {
  Driven d = driven();
  const Eigen::Index n = d.F.rows();
  // The filter's states stand before all others, so that the matrix stays triangular.
  MatX companion(2, 2);
  companion << 0, 1, -b0, -b1;
  const Eigen::ComplexSchur<MatX> schur(companion);
  MatXc F = MatXc::Zero(n + 2, n + 2);
  F.topLeftCorner(2, 2) = schur.matrixT();
  Eigen::Vector2cd in(0, 1), out(c0, c1);
  in = schur.matrixU().adjoint() * in;
  out = schur.matrixU().transpose() * out;
  F.topRightCorner(2, n) = in * d.H.row(output);
  F.bottomRightCorner(n, n) = d.F;
  for (std::size_t k = 0; k < d.g.size(); ++k) {
    MatXc g(n + 2, 2);
    // White noise may come straight to the filter, which makes a finite variance of it.
    const MatXc sources =
        d.g[k].bottomRows(static_cast<Eigen::Index>(d.g.size())).row(static_cast<Eigen::Index>(k)) / source();
    g << in * (d.feedthrough(output, static_cast<Eigen::Index>(k)) * sources), d.g[k];
    d.g[k] = g;
  }
  d.F = F;
  const MatXc P = solve_lyapunov(d.F, white_noise(d));
  const double variance = (out.transpose() * P.topLeftCorner(2, 2) * out.conjugate()).value().real();
  return std::sqrt(std::max(0.0, variance));
}

/// Eigenvectors of a triangular matrix by substitution. Taken only if the transfers that follow are those of
/// T itself.
void RandomVibration::part_into_modes() {
  const Eigen::Index n = T_.rows();
  if (n == 0) return;
  MatXc V = MatXc::Identity(n, n);
  const double least = 1e-14 * T_.diagonal().cwiseAbs().maxCoeff();
  for (Eigen::Index k = 0; k < n; ++k) {
    VecXcd rest = T_.col(k).head(k);
    for (Eigen::Index i = k; i-- > 0;) {
      Complex apart = T_(k, k) - T_(i, i);
      if (std::abs(apart) < least) apart = least;
      V(i, k) = rest[i] / apart;
      rest.head(i) += V(i, k) * T_.col(i).head(i);
    }
    V.col(k).normalize();
  }
  const auto inverse = V.triangularView<Eigen::Upper>();
  mode_height_ = inverse.solve(B_height_);
  mode_rate_ = inverse.solve(B_rate_);
  mode_C_ = C_ * V;
  modes_ = mode_height_.allFinite() && mode_rate_.allFinite() && mode_C_.allFinite();
  constexpr double kSame = 1e-8;  // of the largest of these
  for (int output = 0; modes_ && output < C_.rows(); ++output) {
    double largest = 0, apart = 0;
    for (const double f : {0.03, 0.5, 1.3, 4.0, 11.0, 40.0}) {
      const VecXcd exact = substituted_transfers(output, f);
      largest = std::max(largest, exact.norm());
      apart = std::max(apart, (wheel_transfers(output, f) - exact).norm());
    }
    modes_ = apart <= kSame * largest;
  }
}

RandomVibration::VecXcd RandomVibration::wheel_transfers(int output, double f_Hz) const {
  if (!modes_) return substituted_transfers(output, f_Hz);
  const Complex s(0, 2 * pi * f_Hz);
  const VecXcd row = mode_C_.row(output).transpose().array() / (s - T_.diagonal().array());
  const VecXcd t = mode_height_.transpose() * row + s * (mode_rate_.transpose() * row);
  return t + (D_height_.row(output).cast<Complex>() + s * D_rate_.row(output)).transpose();
}

RandomVibration::VecXcd RandomVibration::substituted_transfers(int output, double f_Hz) const {
  const Complex s(0, 2 * pi * f_Hz);
  const Eigen::Index n = T_.rows();
  VecXcd row = C_.row(output).transpose();
  // row (s - T)^-1 by substitution; a matrix s - T of its own would cost more than the solution.
  for (Eigen::Index i = 0; i < n; ++i)
    row[i] = (row[i] + T_.col(i).head(i).cwiseProduct(row.head(i)).sum()) / (s - T_(i, i));
  VecXcd t = (row.transpose() * (B_height_ + s * B_rate_)).transpose();
  return t + (D_height_.row(output).cast<Complex>() + s * D_rate_.row(output)).transpose();
}

Complex RandomVibration::transfer(int output, int wheel, double f_Hz) const {
  return wheel_transfers(output, f_Hz)[wheel];
}

double RandomVibration::coherence_at(std::size_t k, std::size_t l, double f_Hz) const {
  if (!road_.isotropic) return (wheels_[k].y_m >= 0) == (wheels_[l].y_m >= 0) ? 1 : road_.coherence;
  const double u = 2 * pi * f_Hz / road_.speed_m_per_s * std::abs(wheels_[k].y_m - wheels_[l].y_m);
  if (u < 1e-8) return 1;
  return u > 600 ? 0 : u * std::cyl_bessel_k(1, u);
}

/// Sum over pairs of wheels; those that reach the same place at different times make it oscillate with the
/// frequency.
RandomVibration::Pairs RandomVibration::pairs(int output, double f_Hz) const {
  const VecXcd t = wheel_transfers(output, f_Hz);
  Pairs sum;
  for (std::size_t k = 0; k < wheels_.size(); ++k)
    for (std::size_t l = 0; l < wheels_.size(); ++l) {
      const auto i = static_cast<Eigen::Index>(k), j = static_cast<Eigen::Index>(l);
      const double delay = delay_[i] - delay_[j], share = coherence_at(k, l, f_Hz);
      const Complex both = share * t[i] * std::conj(t[j]);
      if (delay == 0) {
        sum.steady += both.real();
      } else {
        sum.oscillating += (both * std::polar(1.0, -2 * pi * f_Hz * delay)).real();
        sum.envelope += std::abs(both) / (2 * pi * std::abs(delay));
      }
    }
  const double road = road_density(road_, f_Hz);
  return {sum.steady * road, sum.oscillating * road, sum.envelope * road};
}

double RandomVibration::density(int output, double f_Hz) const {
  const Pairs p = pairs(output, f_Hz);
  return std::max(0.0, p.steady + p.oscillating);
}

VecX RandomVibration::density(int output, const VecX& f_Hz) const {
  VecX out(f_Hz.size());
  for (Eigen::Index i = 0; i < out.size(); ++i) out[i] = density(output, f_Hz[i]);
  return out;
}

double RandomVibration::deviation_by_spectrum(int output, double tolerance, double (*weight)(double)) const {
  // f = c u / (1 - u) takes the whole axis to 0..1; resonances are where the integrand is cut first.
  const double c = 5;
  std::vector<double> cuts{0, 1};
  for (Eigen::Index i = 0; i < T_.rows(); ++i) {
    const double f = std::abs(T_(i, i).imag()) / (2 * pi);
    if (f > 0) cuts.push_back(f / (c + f));
  }
  const double corner = road_.speed_m_per_s * road_.lowest_wave_number_per_m;
  cuts.push_back(corner / (c + corner));
  std::sort(cuts.begin(), cuts.end());
  const auto over_u = [&](double u, const auto& value) {
    const double f = c * u / (1 - u), g = weight != nullptr ? weight(f) : 1;
    return g * g * value(pairs(output, f)) * c / ((1 - u) * (1 - u));
  };
  const double steady = integrate_adaptively(
      [&](double u) { return over_u(u, [](const Pairs& p) { return p.steady; }); }, cuts, 0.1 * tolerance);
  // What oscillates is integrated up to where the rest, at most the envelope over its frequency, is nothing.
  double end = 20;
  while (end < 1e6 && pairs(output, end).envelope > 0.1 * tolerance * steady) end *= 1.5;
  cuts.back() = end / (c + end);
  std::erase_if(cuts, [&](double u) { return u > cuts.back(); });
  std::sort(cuts.begin(), cuts.end());
  const double whole = integrate_adaptively(
      [&](double u) { return over_u(u, [](const Pairs& p) { return p.steady + p.oscillating; }); }, cuts,
      0.1 * tolerance);
  const double tail =
      integrate_adaptively([&](double u) { return over_u(u, [](const Pairs& p) { return p.steady; }); },
                           {cuts.back(), 1}, 0.1 * tolerance);
  return std::sqrt(std::max(0.0, whole + tail));
}

}  // namespace monocoque::analysis

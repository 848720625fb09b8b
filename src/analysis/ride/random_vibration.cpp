#include "analysis/ride/random_vibration.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "analysis/linear/schur.h"
#include "analysis/ride/quadrature.h"
#include "core/decompositions.h"
#include "core/error_kinds.h"

namespace monocoque::analysis {

namespace {

using std::numbers::pi;
using Complex = std::complex<double>;
using MatrixC = Eigen::MatrixXcd;

constexpr double kSettles_per_s = 1e-4;  ///< slower decays do not count as settling
constexpr double kSeen = 1e-3;           ///< share of an output that a motion must have to be seen

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
    throw NumericError("random vibration", "the linear system has entries that are not finite", "");
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
    throw NumericError(
        "random vibration",
        fmt::format("a motion that does not settle has {:.2g} of an output at {:g} Hz; most of it is {}",
                    share, f,
                    system.states.empty() ? fmt::format("state {}", most + 1)
                                          : system.states[static_cast<std::size_t>(most)]),
        "hold it (a spring, a controller of the speed), or choose other outputs");
  }
}

/// Transfers are sums of residues / (s - pole), and direct + s direct_rate, since s / (s - pole) = 1 + pole /
/// (s - pole).
struct RandomVibration::OutputModes {
  int output = 0;
  MatX residues;               ///< rows: modes; columns: real parts of all wheels, then imaginary parts
  Eigen::ArrayXd re2, re, im;  ///< poles
  VecXcd direct;
  VecX direct_rate;
};

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
    const OutputModes by_modes = modes_of_output(output);
    double largest = 0, apart = 0;
    for (const double f : {0.03, 0.5, 1.3, 4.0, 11.0, 40.0}) {
      const VecXcd exact = substituted_transfers(output, f);
      largest = std::max(largest, exact.norm());
      apart = std::max(apart, (wheel_transfers(by_modes, f) - exact).norm());
    }
    modes_ = apart <= kSame * largest;
  }
}

RandomVibration::OutputModes RandomVibration::modes_of_output(int output) const {
  OutputModes o;
  o.output = output;
  if (!modes_) return o;
  const auto row = mode_C_.row(output).transpose().asDiagonal();
  const MatXc by_height = row * mode_height_, by_rate = row * mode_rate_;
  const MatXc residues = by_height + T_.diagonal().asDiagonal() * by_rate;
  o.residues.resize(residues.rows(), 2 * residues.cols());
  o.residues << residues.real(), residues.imag();
  o.re = T_.diagonal().real().array();
  o.im = T_.diagonal().imag().array();
  o.re2 = o.re.square();
  o.direct = by_rate.colwise().sum().transpose() + D_height_.row(output).transpose();
  o.direct_rate = D_rate_.row(output).transpose();
  return o;
}

RandomVibration::VecXcd RandomVibration::wheel_transfers(const OutputModes& o, double f_Hz) const {
  if (!modes_) return substituted_transfers(o.output, f_Hz);
  const double omega = 2 * pi * f_Hz;
  // 1 / (i omega - pole) in real arithmetic, which vectorises.
  const Eigen::ArrayXd apart = omega - o.im, over = (o.re2 + apart.square()).inverse();
  const VecX real = o.residues.transpose() * (-o.re * over).matrix(),
             imag = o.residues.transpose() * (-apart * over).matrix();
  const Eigen::Index m = delay_.size();
  VecXcd t = o.direct;
  t.real() += real.head(m) - imag.tail(m);
  t.imag() += imag.head(m) + real.tail(m) + omega * o.direct_rate;
  return t;
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
  return wheel_transfers(modes_of_output(output), f_Hz)[wheel];
}

double RandomVibration::coherence_at(std::size_t k, std::size_t l, double f_Hz) const {
  if (!road_.isotropic) return (wheels_[k].y_m >= 0) == (wheels_[l].y_m >= 0) ? 1 : road_.coherence;
  const double u = 2 * pi * f_Hz / road_.speed_m_per_s * std::abs(wheels_[k].y_m - wheels_[l].y_m);
  if (u < 1e-8) return 1;
  return u > 600 ? 0 : u * std::cyl_bessel_k(1, u);
}

/// Sum over pairs of wheels; those that reach the same place at different times make it oscillate with the
/// frequency.
RandomVibration::Pairs RandomVibration::pairs(const OutputModes& output, double f_Hz) const {
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
  return density(output, VecX::Constant(1, f_Hz))[0];
}

VecX RandomVibration::density(int output, const VecX& f_Hz) const {
  const OutputModes by_modes = modes_of_output(output);
  VecX out(f_Hz.size());
  for (Eigen::Index i = 0; i < out.size(); ++i) {
    const Pairs p = pairs(by_modes, f_Hz[i]);
    out[i] = std::max(0.0, p.steady + p.oscillating);
  }
  return out;
}

double RandomVibration::deviation_by_spectrum(int output, double tolerance, double (*weight)(double)) const {
  // f = c u / (1 - u) takes the whole axis to 0..1; resonances are where the integrand is cut first.
  const double c = 5, corner = road_.speed_m_per_s * road_.lowest_wave_number_per_m;
  const auto to_u = [&](double f) { return f / (c + f); };
  const OutputModes by_modes = modes_of_output(output);
  const auto integral = [&](const std::vector<double>& cuts, double accuracy, const auto& value) {
    return integrate_adaptively(
        [&](double u) {
          const double f = c * u / (1 - u), g = weight != nullptr ? weight(f) : 1;
          return g * g * value(pairs(by_modes, f)) * c / ((1 - u) * (1 - u));
        },
        cuts, accuracy);
  };
  const auto steady = [](const Pairs& p) { return p.steady; };
  const auto all = [](const Pairs& p) { return p.steady + p.oscillating; };
  // What oscillates is integrated up to where the rest, at most the envelope over its frequency, is nothing.
  const double size = integral({0, to_u(corner), 1}, 0.1, steady);
  double end = 20;
  while (end < 1e6 && pairs(by_modes, end).envelope > 0.1 * tolerance * size) end *= 1.5;
  std::vector<double> cuts{0, to_u(corner), to_u(end)}, beyond{to_u(end), 1};
  for (const Complex pole : T_.diagonal()) {
    const double f = std::abs(pole.imag()) / (2 * pi);
    if (f > 0) (f < end ? cuts : beyond).push_back(to_u(f));
  }
  std::sort(cuts.begin(), cuts.end());
  std::sort(beyond.begin(), beyond.end());
  return std::sqrt(
      std::max(0.0, integral(cuts, 0.1 * tolerance, all) + integral(beyond, 0.1 * tolerance, steady)));
}

}  // namespace monocoque::analysis

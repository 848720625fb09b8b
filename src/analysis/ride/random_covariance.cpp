// Covariance of random vibration by the Lyapunov equation: all that RandomVibration does in time.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "analysis/linear/schur.h"
#include "analysis/ride/random_vibration.h"
#include "core/decompositions.h"

namespace monocoque::analysis {

using std::numbers::pi;
using Complex = std::complex<double>;

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
  MatXc F, H;         ///< triangular; outputs
  MatXc g;            ///< columns: wheels, driven by white noise
  MatX mix;           ///< rows: wheels; columns: their shares of the two sources
  MatXc feedthrough;  ///< outputs x wheels, of white noise
};

RandomVibration::Driven RandomVibration::driven() const {
  const Eigen::Index m = delay_.size();
  const double a = pole(), b = smooth(), s = source();
  const Eigen::Index n = T_.rows();
  Driven d;
  const double both = std::sqrt((1 + road_.coherence) / 2), apart = std::sqrt((1 - road_.coherence) / 2);
  d.mix.resize(m, 2);
  for (Eigen::Index k = 0; k < m; ++k)
    d.mix.row(k) << both, wheels_[static_cast<std::size_t>(k)].y_m >= 0 ? apart : -apart;
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
    d.g = MatXc::Zero(n + 2 * m, m);
  } else {
    d.F = MatXc::Zero(n + m, n + m);
    d.F.topLeftCorner(n, n) = T_;
    d.F.topRightCorner(n, m) = B_height_ - a * B_rate_;
    d.F.bottomRightCorner(m, m).diagonal().setConstant(-a);
    d.H.resize(C_.rows(), n + m);
    d.H << C_, (D_height_ - a * D_rate_).cast<Complex>();
    d.feedthrough = (s * D_rate_).cast<Complex>();
    d.g = MatXc::Zero(n + m, m);
    d.g.topRows(n) = s * B_rate_;
  }
  d.g.bottomRows(m).diagonal().setConstant(s);
  return d;
}

/// States y of the filter behind an output: y' = T y + in (output), its own output is out^T y.
struct RandomVibration::Filters {
  Eigen::Matrix2cd T = -Eigen::Matrix2cd::Identity();  ///< triangular
  Eigen::Vector2cd in = Eigen::Vector2cd::Zero(), out = in;
  MatXc H, feedthrough;  ///< of the filtered outputs
};

struct RandomVibration::Carried {
  MatXc x;                 ///< columns: the two sources
  std::array<MatXc, 2> y;  ///< per state of the filter; rows: outputs
};

struct RandomVibration::Arrival {
  Carried here, before;
};

/// e^{F dt} c, F triangular and followed by the filters, by steps of the diagonal Pade approximation of
/// degree 6 in factors (z - a) / (z + a): a triangular system for each, where the exponential itself would
/// take dozens of products. Steps are short enough for all motions of which anything is left after dt.
void RandomVibration::carry(const Driven& d, const Filters& filters, double dt, Carried& c) {
  constexpr double kGone = 40, kReach = 1;  // error of a step 2e-13
  const Complex upper[] = {{-8.496718791726643, 1.7350193464632084},
                           {-7.47141671265171, 5.252544622894073},
                           {-5.031864495621644, 8.985345907307906}};
  double fastest = filters.T.diagonal().cwiseAbs().maxCoeff();
  for (const Complex s : d.F.diagonal())
    if (s.real() * dt > -kGone) fastest = std::max(fastest, std::abs(s));
  const int steps = std::max(1, static_cast<int>(std::ceil(fastest * dt / kReach)));
  const double h = dt / steps;
  std::vector<std::pair<Complex, MatXc>> factors;
  for (const Complex a : upper)
    for (const Complex root : {a, std::conj(a)}) {
      factors.emplace_back(root, d.F * h);
      factors.back().second.diagonal().array() += root;
    }
  const Eigen::Matrix2cd& T = filters.T;
  for (Eigen::Index source = 0; source < c.x.cols(); ++source) {  // columns alone: no packing of the matrix
    VecXcd x = c.x.col(source), y0 = c.y[0].col(source), y1 = c.y[1].col(source);
    if (x.isZero(0) && y0.isZero(0) && y1.isZero(0)) continue;
    VecXcd dx, dy0, dy1, u;
    for (int k = 0; k < steps; ++k)
      for (const auto& [root, shifted] : factors) {
        dx = x;
        shifted.triangularView<Eigen::Upper>().solveInPlace(dx);
        u = h * (filters.H * dx);
        dy1 = (y1 - filters.in[1] * u) / (h * T(1, 1) + root);
        dy0 = (y0 - filters.in[0] * u - h * T(0, 1) * dy1) / (h * T(0, 0) + root);
        x -= 2.0 * root * dx;
        y0 -= 2.0 * root * dy0;
        y1 -= 2.0 * root * dy1;
      }
    c.x.col(source) = x;
    c.y[0].col(source) = y0;
    c.y[1].col(source) = y1;
  }
}

std::vector<RandomVibration::Arrival> RandomVibration::arrivals(const Driven& d,
                                                                const Filters& filters) const {
  const Eigen::Index wheels = delay_.size();
  std::vector<Eigen::Index> order;
  for (Eigen::Index k = 0; k < wheels; ++k) order.push_back(k);
  std::stable_sort(order.begin(), order.end(),
                   [&](Eigen::Index a, Eigen::Index b) { return delay_[a] < delay_[b]; });
  const MatXc none = MatXc::Zero(filters.H.rows(), 2);
  const Carried nothing{MatXc::Zero(d.F.rows(), 2), {none, none}};
  const auto add = [](Carried& to, const Carried& what) {
    to.x += what.x;
    for (std::size_t i = 0; i < 2; ++i) to.y[i] += what.y[i];
  };
  std::vector<Arrival> list;
  for (std::size_t i = 0; i < order.size();) {
    const double now = delay_[order[i]];
    Arrival arrival{nothing, nothing};
    if (!list.empty()) {
      arrival.before = list.back().before;
      add(arrival.before, list.back().here);
      carry(d, filters, now - delay_[order[i - 1]], arrival.before);
    }
    for (; i < order.size() && delay_[order[i]] - now < 1e-12; ++i) {
      const Eigen::Index k = order[i];
      arrival.here.x += d.g.col(k) * d.mix.row(k);
      // White noise may come straight to the filter, which makes a finite variance of it.
      for (Eigen::Index s = 0; s < 2; ++s)
        arrival.here.y[static_cast<std::size_t>(s)] +=
            filters.in[s] * filters.feedthrough.col(k) * d.mix.row(k);
    }
    list.push_back(std::move(arrival));
  }
  return list;
}

/// Q of the Lyapunov equation: what the sources bring in, with the same noise coming later to wheels behind.
RandomVibration::MatXc RandomVibration::white_noise(const std::vector<Arrival>& arrivals) {
  const Eigen::Index n = arrivals.front().here.x.rows();
  MatXc Q = MatXc::Zero(n, n);
  for (const auto& [here, before] : arrivals)
    Q += here.x * here.x.adjoint() + before.x * here.x.adjoint() + here.x * before.x.adjoint();
  return Q;
}

VecX RandomVibration::deviations() const {
  const Driven d = driven();
  Filters none;
  none.H = none.feedthrough = MatXc::Zero(0, d.F.rows());
  const MatXc P = solve_lyapunov(d.F, white_noise(arrivals(d, none)));
  const VecX variances = (d.H * P).cwiseProduct(d.H.conjugate()).rowwise().sum().real();
  VecX out(d.H.rows());
  for (Eigen::Index i = 0; i < out.size(); ++i) {
    // Noise that comes straight through has no finite variance.
    const bool noisy =
        smooth() == 0 && D_rate_.row(i).norm() > 1e-12 * (D_height_.row(i).norm() + C_.row(i).norm());
    out[i] = noisy ? std::numeric_limits<double>::infinity() : std::sqrt(std::max(0.0, variances[i]));
  }
  return out;
}

/// The filter's states (y) stand before all others (x), so that the matrix stays triangular; the covariance
/// of x is that without filters, and all outputs share the systems for the covariances of y with x.
VecX RandomVibration::filtered_deviations(const std::vector<int>& outputs, double b1, double b0, double c1,
                                          double c0) const {
  const Driven d = driven();
  MatX companion(2, 2);
  companion << 0, 1, -b0, -b1;
  const Eigen::ComplexSchur<MatX> schur(companion);
  Filters filters;
  filters.T = schur.matrixT();
  filters.in = schur.matrixU().adjoint() * Eigen::Vector2cd(0, 1);
  filters.out = schur.matrixU().transpose() * Eigen::Vector2cd(c0, c1);
  filters.H = d.H(outputs, Eigen::all);
  filters.feedthrough = d.feedthrough(outputs, Eigen::all);
  const std::vector<Arrival> noise = arrivals(d, filters);
  const MatXc P = solve_lyapunov(d.F, white_noise(noise));
  // T P_yx + P_yx F^H + in H P + Q_yx = 0, from the last state of the filter on.
  const MatXc HP = filters.H * P;
  std::array<MatXc, 2> P_yx;
  for (const std::size_t s : {1u, 0u}) {
    const auto i = static_cast<Eigen::Index>(s);
    MatXc right = filters.in[i] * HP;
    for (const auto& [here, before] : noise)
      right += here.y[s] * (here.x + before.x).adjoint() + before.y[s] * here.x.adjoint();
    if (s == 0) right += filters.T(0, 1) * P_yx[1];
    MatXc shifted = d.F;
    shifted.diagonal().array() += std::conj(filters.T(i, i));
    P_yx[s] = -shifted.triangularView<Eigen::Upper>().solve(right.adjoint()).adjoint();
  }
  VecX deviations(filters.H.rows());
  for (Eigen::Index k = 0; k < deviations.size(); ++k) {
    const auto pair = [&](const Carried& c) {
      Eigen::Matrix2cd y;
      y << c.y[0].row(k), c.y[1].row(k);
      return y;
    };
    Eigen::RowVector2cd seen;  // covariance of the output with the states of its filter
    for (const std::size_t s : {0u, 1u})
      seen[static_cast<Eigen::Index>(s)] = P_yx[s].row(k).dot(filters.H.row(k));
    Eigen::Matrix2cd Q = filters.in * seen;
    Q += Q.adjoint().eval();
    for (const Arrival& a : noise) {
      const Eigen::Matrix2cd here = pair(a.here), before = pair(a.before);
      Q += here * here.adjoint() + before * here.adjoint() + here * before.adjoint();
    }
    const MatXc P_yy = solve_lyapunov(filters.T, Q);
    const double variance = (filters.out.transpose() * P_yy * filters.out.conjugate()).value().real();
    deviations[k] = std::sqrt(std::max(0.0, variance));
  }
  return deviations;
}

}  // namespace monocoque::analysis

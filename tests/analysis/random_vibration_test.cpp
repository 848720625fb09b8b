// Random vibration on rough roads: covariance against closed forms of the quarter car and against the
// integral of the spectrum, with wheels behind each other and tracks that are partly alike.

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "analysis/linear/schur.h"
#include "analysis/ride/quadrature.h"
#include "analysis/ride/random_vibration.h"
#include "core/decompositions.h"
#include "core/error.h"
#include "support/verify_row.h"

namespace monocoque::analysis {
namespace {

using std::numbers::pi;

struct QuarterCar {
  double ms = 400, mu = 40, k = 20e3, c = 1500, kt = 180e3, ct = 0;
};

/// States z_s, z_u and their rates; outputs: acceleration of the body, travel, change of the wheel load.
RoadDrivenSystem quarter_car(const QuarterCar& q) {
  RoadDrivenSystem s;
  s.A = MatX::Zero(4, 4);
  s.A.topRightCorner(2, 2).setIdentity();
  s.A.row(2) << -q.k / q.ms, q.k / q.ms, -q.c / q.ms, q.c / q.ms;
  s.A.row(3) << q.k / q.mu, -(q.k + q.kt) / q.mu, q.c / q.mu, -(q.c + q.ct) / q.mu;
  s.B_height = MatX::Zero(4, 1);
  s.B_rate = MatX::Zero(4, 1);
  s.B_height(3) = q.kt / q.mu;
  s.B_rate(3) = q.ct / q.mu;
  s.C = MatX::Zero(3, 4);
  s.C.row(0) = s.A.row(2);
  s.C.row(1) << 1, -1, 0, 0;
  s.C.row(2) << 0, -q.kt, 0, -q.ct;
  s.D_height = MatX::Zero(3, 1);
  s.D_rate = MatX::Zero(3, 1);
  s.D_height(2) = q.kt;
  s.D_rate(2) = q.ct;
  return s;
}

TEST(RandomVibration, QuarterCarHasTheDeviationsOfTheClosedForm) {
  const QuarterCar q;
  RoadProcess road;
  road.lowest_wave_number_per_m = 1e-9;  // heights as integrated white noise
  const RandomVibration r(quarter_car(q), road, {{"wheel", 0, 0}});
  const double s2 = 2 * pi * pi * road.roughness_m3 * 0.01 * road.speed_m_per_s;
  // Variances of a quarter car whose road has a white rate (e.g. Tuerkay and Akcay 2005).
  const double a =
      std::sqrt(s2 / 2 * (q.kt * q.c / (q.ms * q.ms) + (q.ms + q.mu) * q.k * q.k / (q.ms * q.ms * q.c)));
  const double travel = std::sqrt(s2 / 2 * (q.ms + q.mu) / q.c);
  const VecX found = r.deviations();
  EXPECT_NEAR(found[0], a, 1e-6 * a);
  EXPECT_NEAR(found[1], travel, 1e-6 * travel);
  test::verify_row("Random vibration", "quarter car", "RMS acceleration on a road with white rate",
                   fmt::format("{:.6f} m/s^2", found[0]), fmt::format("{:.6f} m/s^2 (closed form)", a),
                   std::abs(found[0] / a - 1));
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(r.deviation_by_spectrum(i), found[i], 1e-6 * found[i]) << i;
}

TEST(RandomVibration, NoiseThatComesThroughIsInfinite) {
  QuarterCar q;
  q.ct = 100;
  const RandomVibration r(quarter_car(q), {}, {{"wheel", 0, 0}});
  const VecX found = r.deviations();
  EXPECT_TRUE(std::isfinite(found[0]));
  EXPECT_TRUE(std::isinf(found[2]));
  EXPECT_NEAR(r.deviation_by_spectrum(0), found[0], 1e-6 * found[0]);
  // A filter makes a finite number of it.
  const double filtered = r.filtered_deviations({2}, 50, 1200, 0, 1200)[0];
  const auto gain = [](double f) {
    const std::complex<double> s(0, 2 * pi * f);
    return std::abs(1200.0 / (s * s + 50.0 * s + 1200.0));
  };
  EXPECT_NEAR(r.deviation_by_spectrum(2, 1e-7, +gain), filtered, 1e-6 * filtered);
}

/// A beam on four wheels: bounce, pitch, roll, each wheel a spring and damper on the road.
RoadDrivenSystem rigid_car(const std::vector<RoadWheel>& wheels) {
  const double m = 1200, Jx = 500, Jy = 1800, k = 25e3, c = 1800;
  RoadDrivenSystem s;
  const auto n = static_cast<Eigen::Index>(wheels.size());
  MatX G(n, 3);  // height of the body above each wheel by (z, roll, pitch)
  for (Eigen::Index i = 0; i < n; ++i)
    G.row(i) << 1, wheels[static_cast<std::size_t>(i)].y_m, -wheels[static_cast<std::size_t>(i)].x_m;
  const Vec3 inverse(1 / m, 1 / Jx, 1 / Jy);
  s.A = MatX::Zero(6, 6);
  s.A.topRightCorner(3, 3).setIdentity();
  s.A.bottomLeftCorner(3, 3) = -k * inverse.asDiagonal() * G.transpose() * G;
  s.A.bottomRightCorner(3, 3) = -c * inverse.asDiagonal() * G.transpose() * G;
  s.B_height = MatX::Zero(6, n);
  s.B_rate = MatX::Zero(6, n);
  s.B_height.bottomRows(3) = k * inverse.asDiagonal() * G.transpose();
  s.B_rate.bottomRows(3) = c * inverse.asDiagonal() * G.transpose();
  s.C = MatX::Identity(6, 6);
  s.D_height = MatX::Zero(6, n);
  s.D_rate = MatX::Zero(6, n);
  return s;
}

TEST(RandomVibration, DelaysAndTracksAgreeInTimeAndFrequency) {
  const std::vector<RoadWheel> wheels{
      {"FL", 1.2, 0.75}, {"FR", 1.2, -0.75}, {"RL", -1.5, 0.7}, {"RR", -1.5, -0.7}, {"trailer", -5, 0.7}};
  for (const double coherence : {0.0, 0.4, 1.0}) {
    RoadProcess road;
    road.coherence = coherence;
    const RandomVibration r(rigid_car(wheels), road, wheels);
    const VecX found = r.deviations();
    for (int i = 0; i < 6; ++i)
      EXPECT_NEAR(r.deviation_by_spectrum(i, 1e-7), found[i], 1e-6 * found[i]) << i << " " << coherence;
    const double filtered = r.filtered_deviations({3}, SensationFilter::b1, SensationFilter::b0,
                                                  SensationFilter::c1, SensationFilter::c0)[0];
    EXPECT_NEAR(r.deviation_by_spectrum(3, 1e-7, SensationFilter::gain), filtered, 1e-6 * filtered);
  }
}

TEST(RandomVibration, ShortWavesMayBeLeftOut) {
  QuarterCar q;
  q.ct = 100;
  RoadProcess road;
  road.highest_wave_number_per_m = 3;
  const RandomVibration r(quarter_car(q), road, {{"wheel", 0, 0}});
  const VecX found = r.deviations();
  EXPECT_EQ(r.order(), 6);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(r.deviation_by_spectrum(i), found[i], 1e-6 * found[i]) << i;
  const double filtered = r.filtered_deviations({2}, 50, 1200, 0, 1200)[0];
  const auto gain = [](double f) {
    const std::complex<double> s(0, 2 * pi * f);
    return std::abs(1200.0 / (s * s + 50.0 * s + 1200.0));
  };
  EXPECT_NEAR(r.deviation_by_spectrum(2, 1e-7, +gain), filtered, 1e-6 * filtered);
}

/// A body on one wheel that carries stiff oscillators, as elastic coordinates are: unless places and rates
/// are brought to like sizes, the covariance of accelerations loses the digits that their squared frequencies
/// have.
TEST(RandomVibration, StiffModesLoseNoDigits) {
  constexpr int kCount = 60;
  const double k = 20e3, m = 0.5;
  const int n = kCount + 1;
  MatX M = m * MatX::Identity(n, n), K = MatX::Zero(n, n), D = K;  // oscillators move relative to the body
  M.row(0).setConstant(m);
  M.col(0).setConstant(m);
  M(0, 0) = 400;
  K(0, 0) = k;
  D(0, 0) = 1500;
  for (int i = 1; i < n; ++i) {
    const double w = 100 * std::pow(2000.0, static_cast<double>(i - 1) / (kCount - 1));  // up to 2e5 rad/s
    K(i, i) = m * w * w;
    D(i, i) = 0.02 * m * w;
  }
  const Eigen::LLT<MatX> mass(M);
  RoadDrivenSystem s;
  s.A = MatX::Zero(2 * n, 2 * n);
  s.A.topRightCorner(n, n).setIdentity();
  s.A.bottomLeftCorner(n, n) = -mass.solve(K);
  s.A.bottomRightCorner(n, n) = -mass.solve(D);
  s.B_height = s.B_rate = MatX::Zero(2 * n, 1);
  s.B_height.bottomRows(n) = mass.solve(VecX(k * VecX::Unit(n, 0)));
  s.C = s.A.middleRows(n, 3);
  s.D_height = s.B_height.middleRows(n, 3);
  s.D_rate = MatX::Zero(3, 1);
  const RandomVibration r(s, {}, {{"wheel", 0, 0}});
  const VecX found = r.deviations();
  double worst = 0;
  for (int i = 0; i < 3; ++i) {
    const double off = std::abs(r.deviation_by_spectrum(i) / found[i] - 1);
    EXPECT_LT(off, 1e-6) << i;
    worst = std::max(worst, off);
  }
  test::verify_row("Random vibration", "body with 60 oscillators up to 32 kHz", "RMS of three accelerations",
                   "Lyapunov equation", "integral of the spectrum", worst);
}

TEST(RandomVibration, FiltersOfManyOutputsAreThoseOfEach) {
  const std::vector<RoadWheel> wheels{{"FL", 1.2, 0.75}, {"FR", 1.2, -0.75}, {"RL", -1.5, 0.7}};
  RoadProcess road;
  road.coherence = 0.4;
  const RandomVibration r(rigid_car(wheels), road, wheels);
  const VecX all = r.filtered_deviations({3, 0, 5}, 50, 1200, 50, 500);
  for (int i = 0; i < 3; ++i) {
    const int output = std::vector<int>{3, 0, 5}[static_cast<std::size_t>(i)];
    EXPECT_NEAR(r.filtered_deviations({output}, 50, 1200, 50, 500)[0], all[i], 1e-12 * all[i]);
    EXPECT_NEAR(r.deviation_by_spectrum(output, 1e-8, SensationFilter::gain), all[i], 1e-6 * all[i]);
  }
}

TEST(RandomVibration, AnIsotropicRoadLiesBetweenOneTrackAndTwo) {
  const std::vector<RoadWheel> wheels{
      {"FL", 1.2, 0.75}, {"FR", 1.2, -0.75}, {"RL", -1.5, 0.75}, {"RR", -1.5, -0.75}};
  RoadProcess road;
  const auto roll = [&](double coherence, bool isotropic) {
    road.coherence = coherence;
    road.isotropic = isotropic;
    return RandomVibration(rigid_car(wheels), road, wheels).deviation_by_spectrum(1);
  };
  EXPECT_LT(roll(1, false), 1e-6);
  EXPECT_GT(roll(0, true), 1e-4);
  EXPECT_LT(roll(0, true), roll(0, false));
}

TEST(RandomVibration, AMotionThatIsSeenMustSettle) {
  RoadDrivenSystem s = quarter_car({});
  // Two more states, x' = v, v' = 0.1 h: not seen, then seen.
  s.A.conservativeResizeLike(MatX::Zero(6, 6));
  s.A(4, 5) = 1;
  for (MatX* B : {&s.B_height, &s.B_rate}) B->conservativeResizeLike(MatX::Zero(6, 1));
  s.B_height(5) = 0.1;
  s.C.conservativeResizeLike(MatX::Zero(3, 6));
  const RandomVibration unseen(s, {}, {{"wheel", 0, 0}});
  EXPECT_EQ(unseen.removed(), 2);
  const RandomVibration plain(quarter_car({}), {}, {{"wheel", 0, 0}});
  EXPECT_NEAR(unseen.deviations()[0], plain.deviations()[0], 1e-9);
  s.C(1, 4) = 1;
  EXPECT_THROW(RandomVibration(s, {}, {{"wheel", 0, 0}}), Error);
}

TEST(Sensation, FollowsTheCurveOfTheStandard) {
  double worst = 0;
  for (double f = 1; f <= 80; f *= 1.02) {
    const double curve = f < 4 ? std::sqrt(f / 4) : f < 8 ? 1 : 8 / f;
    worst = std::max(worst, std::abs(20 * std::log10(SensationFilter::gain(f) / curve)));
  }
  EXPECT_LT(worst, 1.5);
  test::verify_row("Random vibration", "sensation filter (Schiehlen, eq. 40)",
                   "largest deviation, 1 to 80 Hz", fmt::format("{:.2f} dB", worst), "curve of VDI 2057",
                   worst, "dB");
}

TEST(Quadrature, PeaksAndTails) {
  const auto lorentz = [](double x) { return 1e-3 / (1e-6 + (x - 0.3) * (x - 0.3)); };
  const double exact = std::atan(0.7 / 1e-3) + std::atan(0.3 / 1e-3);
  EXPECT_NEAR(integrate_adaptively(lorentz, {0, 1}, 1e-12), exact, 1e-7);
}

}  // namespace
}  // namespace monocoque::analysis

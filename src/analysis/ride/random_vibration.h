#pragma once
// Stationary random vibration of a linear system on a rough road (Schiehlen, "Simulation based design of
// automotive systems", 5.2; the covariance analysis of Mueller, Popp and Schiehlen).
//
//   x' = A x + B_h h + B_r h',   y = C x + D_h h + D_r h'
// with the road heights h_k under the wheels k. Each height is a first-order process driven by white noise,
//   h_k' = -a h_k + s w_k,   a = 2 pi V n_c,   s^2 = 2 pi^2 G_0 n_0^2 V,
// which has the one-sided spectrum of ISO 8608 with a lowest wave number n_c,
//   G(f) = G_0 n_0^2 V / (f^2 + (V n_c)^2)   in m^2/Hz.
// Wheels of one track run over the same heights, later by (x_first - x_k) / V; the tracks have the real
// coherence gamma. Two independent sources make both: w = sqrt((1 + gamma)/2) w_1 +- sqrt((1 - gamma)/2) w_2.
//
// In time: with F, g_k of the system with its filters, the covariance P solves
//   F P + P F^T + Q = 0,  Q = sum over all pairs of wheels of  e^{F (tau_l - tau_k)} g_k g_l^T (tau_k <
//   tau_l).
// In frequency: the sum over pairs of wheels of transfer functions. Both must agree; the second may also take
// the coherence of an isotropic road, gamma = u K_1(u), u = 2 pi n w.
//
// Motions that neither settle nor are seen in an output (the way along the road) are taken out; those that
// are seen are an error.

#include <complex>
#include <string>
#include <vector>

#include "core/types.h"

namespace monocoque::analysis {

/// A linear system with road heights as inputs.
struct RoadDrivenSystem {
  MatX A, B_height, B_rate;  ///< columns: wheels
  MatX C, D_height, D_rate;  ///< rows: outputs
  std::vector<std::string> states, outputs, units;
};

struct RoadWheel {
  std::string name;
  double x_m = 0, y_m = 0;  ///< place in the vehicle: forward, to the left
};

struct RoadProcess {
  double speed_m_per_s = 20;
  double roughness_m3 = 256e-6;  ///< G_0 at n_0 = 0.1 1/m; ISO 8608 class C
  double lowest_wave_number_per_m = 0.01;
  /// Above it a second filter of first order lets the spectrum fall faster, as the tread does by its length;
  /// 0: none.
  double highest_wave_number_per_m = 0;
  double coherence = 1;    ///< of the two tracks, 0 to 1
  bool isotropic = false;  ///< in the frequency domain: of an isotropic road instead
};
constexpr double kRoadReference_per_m = 0.1;  ///< n_0

/// One-sided spectrum of the heights in m^2/Hz.
double road_density(const RoadProcess& road, double f_Hz);

class RandomVibration {
 public:
  /// Throws Error for a motion that does not settle and is seen in an output, with the state that has most
  /// of it.
  RandomVibration(const RoadDrivenSystem& system, const RoadProcess& road,
                  const std::vector<RoadWheel>& wheels);

  /// Standard deviation of each output by the Lyapunov equation; infinite where white noise comes through
  /// (an acceleration beside a damper that stands on the road).
  VecX deviations() const;
  /// The same by integration of the spectrum from 0 to infinity, to this relative accuracy; with weights
  /// |weight(f)|^2 on the spectrum where given.
  double deviation_by_spectrum(int output, double tolerance = 1e-8,
                               double (*weight)(double f_Hz) = nullptr) const;
  /// One-sided, unit^2/Hz.
  double density(int output, double f_Hz) const;
  VecX density(int output, const VecX& f_Hz) const;
  /// From the height under one wheel to an output.
  std::complex<double> transfer(int output, int wheel, double f_Hz) const;
  /// Deviations of outputs behind a filter y'' + b1 y' + b0 y = c1 u' + c0 u, by the Lyapunov equation.
  VecX filtered_deviations(const std::vector<int>& outputs, double b1, double b0, double c1, double c0) const;

  /// States of the settling part and of the filters of the road.
  int order() const {
    return static_cast<int>(T_.rows() + (road_.highest_wave_number_per_m > 0 ? 2 : 1) * delay_.size());
  }
  int removed() const { return removed_; }  ///< states of motions that do not settle

 private:
  using MatXc = Eigen::MatrixXcd;
  using VecXcd = Eigen::VectorXcd;
  struct Driven;   ///< the system with the filters of its road, driven by white noise
  struct Filters;  ///< the same filter behind some outputs
  struct Carried;  ///< what wheels have made of noise: states of the system and of the filters
  struct Arrival;  ///< of noise at wheels, with what those before them have made of it
  Driven driven() const;
  static void carry(const Driven& d, const Filters& filters, double dt, Carried& c);
  std::vector<Arrival> arrivals(const Driven& d, const Filters& filters) const;
  static MatXc white_noise(const std::vector<Arrival>& arrivals);
  struct Pairs {
    double steady = 0, oscillating = 0, envelope = 0;
  };
  struct OutputModes;  ///< residues of one output at all modes
  OutputModes modes_of_output(int output) const;
  Pairs pairs(const OutputModes& output, double f_Hz) const;
  VecXcd wheel_transfers(const OutputModes& output, double f_Hz) const;
  VecXcd substituted_transfers(int output, double f_Hz) const;
  void part_into_modes();
  double coherence_at(std::size_t k, std::size_t l, double f_Hz) const;
  double pole() const;    ///< a
  double smooth() const;  ///< b: rate of the second filter; 0: none
  double source() const;  ///< s

  RoadProcess road_;
  std::vector<RoadWheel> wheels_;
  VecX delay_;  ///< s, per wheel
  MatXc T_;     ///< settling part in triangular form
  MatXc B_height_, B_rate_, C_;
  /// The same in the eigenvectors of T, where these are well apart: a frequency then costs n, not n^2.
  MatXc mode_height_, mode_rate_, mode_C_;
  bool modes_ = false;
  MatX D_height_, D_rate_;
  int removed_ = 0;
};

/// Sensation of vertical vibration, second order (eq. 40): (50 s + 500) / (s^2 + 50 s + 1200); within 0.9 dB
/// of the curve of ISO 2631:1974 and VDI 2057 (sqrt(f/4) below 4 Hz, 1 up to 8 Hz, 8/f above) from 1 to 80
/// Hz.
struct SensationFilter {
  static constexpr double b1 = 50, b0 = 1200, c1 = 50, c0 = 500;
  static constexpr double alpha = 20;  ///< s^2/m
  static double gain(double f_Hz);
};

}  // namespace monocoque::analysis

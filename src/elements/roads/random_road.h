#pragma once
// Random road of a class of ISO 8608: a Gaussian, homogeneous, isotropic field whose profile along any
// straight line has the one-sided spectrum
//   G_d(n) = G_d(n_0) (n / n_0)^-2,  n_0 = 0.1 1/m,  for 1 / longest <= n <= 1 / shortest wavelength
// and whose profiles at the lateral distance w have the coherence of isotropy
//   gamma(n, w) = 2 pi n w K_1(2 pi n w)          (K_1: modified Bessel function of the second kind)
// It is a sum of waves (k_x, k_y) with random phases, made by Fourier transform on a grid of a quarter of the
// shortest wavelength; between the grid points a bicubic B-spline, so that two derivatives are continuous.
// The same seed gives the same road on every machine, up to rounding. The surface repeats itself after
// period_x() and period_y(), which are at least length_m and width_m. Derivation and checks: docs/roads.md.

#include <cstddef>
#include <vector>

#include "elements/road.h"
#include "io/model/parameter_set.h"

namespace monocoque {

class RandomRoad final : public Road {
 public:
  explicit RandomRoad(const io::ParameterSet& p);
  void sample(double x, double y, RoadHint& hint, RoadSample& out) const noexcept override;
  double shortest_wavelength_m() const override { return shortest_; }
  std::string description() const override;

  double roughness_m3() const { return roughness_; }  ///< G_d(n_0)
  double period_x() const { return spacing_ * static_cast<double>(columns_); }
  double period_y() const { return spacing_ * static_cast<double>(lines_); }

  /// Geometric mean of a class, A to H, in m^3.
  static double class_roughness(char name);

 private:
  void synthesize(std::uint64_t seed, double longest);

  double roughness_, shortest_, half_width_, friction_, spacing_;
  bool faded_ = false;
  double start_ = 0, fade_ = 1;
  std::string name_;
  /// Points along x and y, powers of two; a line of memory runs along y and repeats its first three points.
  std::size_t columns_ = 0, lines_ = 0;
  std::vector<float> spline_;
};

}  // namespace monocoque

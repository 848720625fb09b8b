#pragma once
// What a tire knows of the road: height over the plane z = 0 of the world as a function of x and y, with
// first and second derivatives, and a factor of friction with its gradient.
//   height z(x, y) in m, upwards; gradient (z_x, z_y); Hessian (z_xx, z_xy, z_yy) in 1/m
//   mu: factor on the friction of the tire, 1 is the surface the tire was measured on
// A Road holds parameters only: it is immutable and shared by threads. sample() neither allocates nor throws,
// takes bounded time, and gives the same bits for the same arguments. Beyond the end of the data the surface
// goes on (each type says how); on_road is false there. It is also false, with a stand-in height and no
// slope, where a road has no height at all; nothing undefined ever comes out for finite x and y.

#include <cmath>
#include <cstdint>

#include <limits>
#include <string>

#include "core/types.h"

namespace monocoque {

/// Where the last query of one contact point was found; one per contact point, kept by the caller. It only
/// shortens the search: the answer depends on it where a curved road lies over itself, and nowhere else.
struct RoadHint {
  std::int32_t index = -1;  ///< -1: nothing known
};

struct RoadSample {
  double z = 0;
  double z_x = 0, z_y = 0;
  double z_xx = 0, z_xy = 0, z_yy = 0;
  double mu = 1;
  double mu_x = 0, mu_y = 0;
  bool on_road = true;
};

/// Smallest box around the part of the plane for which a road has data; infinite in a direction without end.
struct RoadExtent {
  double x_min = -std::numeric_limits<double>::infinity(), x_max = std::numeric_limits<double>::infinity();
  double y_min = -std::numeric_limits<double>::infinity(), y_max = std::numeric_limits<double>::infinity();
  bool finite() const {
    return std::isfinite(x_min) && std::isfinite(x_max) && std::isfinite(y_min) && std::isfinite(y_max);
  }
};

class Road {
 public:
  virtual ~Road() = default;
  /// Height, derivatives and friction above (x, y), which must be finite.
  virtual void sample(double x, double y, RoadHint& hint, RoadSample& out) const noexcept = 0;
  virtual RoadExtent extent() const { return {}; }
  /// Shortest length over which the surface changes notably (a wavelength, a ramp, two cells); 0: none, it is
  /// plane. A step of time integration times speed should stay well below it.
  virtual double shortest_wavelength_m() const { return 0; }
  /// One line for reports: "random road, ISO 8608 class C, seed 7".
  virtual std::string description() const = 0;

 protected:
  Road() = default;
  Road(const Road&) = default;
  Road& operator=(const Road&) = default;
};

/// Unit normal, upwards: (-z_x, -z_y, 1) / sqrt(1 + z_x^2 + z_y^2).
inline Vec3 road_normal(const RoadSample& s) {
  return Vec3(-s.z_x, -s.z_y, 1) / std::sqrt(1 + s.z_x * s.z_x + s.z_y * s.z_y);
}

/// d(normal)/dx in column 0, d(normal)/dy in column 1.
inline Eigen::Matrix<double, 3, 2> road_normal_gradient(const RoadSample& s) {
  const double length = std::sqrt(1 + s.z_x * s.z_x + s.z_y * s.z_y);
  const Vec3 n = Vec3(-s.z_x, -s.z_y, 1) / length;
  Eigen::Matrix<double, 3, 2> m;
  m << -s.z_xx, -s.z_xy, -s.z_xy, -s.z_yy, 0, 0;
  m /= length;
  return m - n * (n.transpose() * m);
}

}  // namespace monocoque

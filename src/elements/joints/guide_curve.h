#pragma once
// A smooth space curve through given points, with a smooth pair of vectors across it.
//
// The points are joined by a cubic spline over the chord length: natural ends (open curve) or periodic
// (closed). Across vectors r1, r2 are rotation-minimising frames at the points (double reflection; Wang,
// Juettler, Zheng, Liu, ACM TOG 27, 2008), joined by the same kind of spline; on a closed curve the twist
// that is left after one round is spread evenly. Between points r1, r2 are thus unit, orthogonal and normal
// to the curve only to the accuracy of the spline; what the joint needs is that (C', r1, r2) is regular,
// which is checked. Everything is twice continuously differentiable. Beyond the ends an open curve goes on
// straight.

#include <vector>

#include "core/types.h"

namespace monocoque {

class GuideCurve {
 public:
  /// Values and derivatives with respect to s: [0] value .. [3] third derivative.
  struct Sample {
    Vec3 C[4], r1[4], r2[4];
  };

  /// Throws Error for too few or coinciding points, or a curve sampled too coarsely to carry normals.
  GuideCurve(const std::vector<Vec3>& points, bool closed);

  Sample at(double s) const noexcept;
  bool closed() const { return closed_; }
  double length() const { return knot_.back(); }  ///< range of the parameter (chord length), m

  /// Parameter of the nearest point, searched over the whole curve.
  double nearest(const Vec3& y) const noexcept;
  /// Parameter with C'(s).(y - C(s)) = 0 by Newton's method from a close start.
  double foot(const Vec3& y, double start) const noexcept;
  /// The parameter brought back into [0, length) on a closed curve.
  double wrapped(double s) const noexcept;

 private:
  using Values = Eigen::Matrix<double, 9, 1>;  ///< C, r1, r2
  struct Segment {
    Eigen::Matrix<double, 9, 4> coefficient;  ///< powers of s - knot
  };
  Eigen::Matrix<double, 9, Eigen::Dynamic> curvatures(
      const Eigen::Matrix<double, 9, Eigen::Dynamic>& y) const;
  void set_segments(const Eigen::Matrix<double, 9, Eigen::Dynamic>& y);
  void check_frames() const;

  bool closed_;
  std::vector<double> knot_;
  std::vector<Segment> segment_;
};

}  // namespace monocoque

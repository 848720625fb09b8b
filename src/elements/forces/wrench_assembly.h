#pragma once
// The ways in which a force acts on its two markers, with their exact derivatives. Columns of a derivative:
// (dp, dtheta) or (v, w) of A, then of B, as everywhere.

#include "elements/force.h"

namespace monocoque {

using Mat3x12 = Eigen::Matrix<double, 3, 12, Eigen::RowMajor>;

/// Derivatives of a world vector with respect to both poses and both twists.
struct VectorTangent {
  Mat3x12 pose = Mat3x12::Zero();
  Mat3x12 twist = Mat3x12::Zero();
};

/// B's origin as seen from the axes of A.
struct RelativePoint {
  Vec3 p;      ///< from A's origin to B's, world axes
  Vec3 u;      ///< its rate seen from A, in world axes: vB - vA - wA x p
  Vec3 d;      ///< p in axes of A
  Vec3 d_dot;  ///< u in axes of A: the time derivative of d
};
RelativePoint relative_point(const ForceInput& in);

/// Sets every member to zero; sizes are those of resize_tangent.
void clear(ForceTangent& out);

/// Adds f on B at B's origin and -f on A at the same point: power f . u.
void add_point_force(const Vec3& p, const Vec3& f, Vec12& out);
void add_point_force_tangent(const Vec3& p, const Vec3& f, const VectorTangent& df, ForceTangent& out);

/// Adds the couple t on B and -t on A: power t . (wB - wA).
void add_torque(const Vec3& t, Vec12& out);
void add_torque_tangent(const VectorTangent& dt, ForceTangent& out);

/// Derivative of f = R_A f_A(d, d_dot), with by_d and by_d_dot the 3 x 3 derivatives of f_A in axes of A.
VectorTangent frame_force_tangent(const ForceInput& in, const RelativePoint& r, const Vec3& f,
                                  const Mat3& by_d, const Mat3& by_d_dot);

/// Derivative of t = T(omega) zA with omega = zA . (wB - wA); by_omega = dT/domega.
VectorTangent axis_torque_tangent(const ForceInput& in, double torque, double by_omega);
/// omega = zA . (wB - wA)
double axis_rate(const ForceInput& in);

}  // namespace monocoque

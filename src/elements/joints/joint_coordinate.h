#pragma once
// The coordinate of a joint with one: angle about, or travel along, the z axis of marker A.

#include <cmath>

#include "elements/marker.h"

namespace monocoque {

/// Angle from x of A to x of B about z of A, rad, in [-pi, pi]; of B's x only the part across z of A counts.
inline double joint_angle(const MarkerKinematics& A, const MarkerKinematics& B) {
  return std::atan2(A.R.col(1).dot(B.R.col(0)), A.R.col(0).dot(B.R.col(0)));
}

/// Travel of the origin of B along z of A, m.
inline double joint_travel(const MarkerKinematics& A, const MarkerKinematics& B) {
  return A.R.col(2).dot(B.p - A.p);
}

/// The angle plus the whole number of turns that brings it closest to `last`.
inline double unwrap(double angle, double last) {
  constexpr double turn = 6.283185307179586476925;
  return angle + turn * std::round((last - angle) / turn);
}

}  // namespace monocoque

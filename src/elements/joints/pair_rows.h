#pragma once
// The four scalar functions of two markers from which joints are made, with their exact derivatives.
//
//   point      e . d                   e fixed in the world (constant row, needs no function here)
//   offset     a . d                   a fixed in A                                    [m]
//   alignment  a . b                   a fixed in A, b fixed in B: cosine of an angle  [1]
//   distance   |d|                                                                     [m]
//
// d = pB - pA; a, b and everything else in world axes. For each function f:
//   row                 W with df/dt = W V, V = (vA, wA, vB, wB); also df/dpose (left world perturbations)
//   velocity            W V
//   convective          d2f/dt2 - W A
//   velocity_pose       d(W V)/dpose at fixed V
//   acceleration_pose   d(W A + convective)/dpose at fixed V, A
//   acceleration_twist  d(convective)/dV
//   add_..._force_pose  adds lambda d(W^T)/dpose to a matrix
// offset is linear in a and alignment in a and b: a function with a time-dependent or combined a is a sum of
// these with other vectors. Derived by hand, checked against differences in tests/elements.

#include "elements/joint.h"

#include <Eigen/Geometry>

namespace monocoque::pair {

using Row12 = Eigen::Matrix<double, 1, 12>;

/// Relative motion of two markers.
struct PairState {
  PairState(const MarkerKinematics& A, const MarkerKinematics& B)
      : d(B.p - A.p), dv(B.v - A.v), da(B.a - A.a), wA(A.w), wB(B.w), alphaA(A.alpha), alphaB(B.alpha) {}
  Vec3 d, dv, da;
  Vec3 wA, wB, alphaA, alphaB;
};

inline Row12 make_row(const Vec3& vA, const Vec3& wA, const Vec3& vB, const Vec3& wB) {
  Row12 r;
  r << vA.transpose(), wA.transpose(), vB.transpose(), wB.transpose();
  return r;
}

/// Adds lambda * block to rows i.., columns j.. of the pair that starts at column `at`.
template <class Block>
inline void add_block(TwistByTwist& F, int at, int i, int j, const Block& block) {
  F.block<3, 3>(at + i, at + j) += block;
}

inline constexpr int kvA = 0, kwA = 3, kvB = 6, kwB = 9;  ///< places of the parts in the twists of a pair

// ---- offset: a . d

inline Row12 offset_row(const PairState& s, const Vec3& a) {
  return make_row(-a, a.cross(s.d), a, Vec3::Zero());
}

inline double offset_velocity(const PairState& s, const Vec3& a) {
  return a.dot(s.dv - s.wA.cross(s.d));
}

inline double offset_convective(const PairState& s, const Vec3& a) {
  return a.dot(s.wA.cross(s.wA.cross(s.d)) - 2 * s.wA.cross(s.dv));
}

inline Row12 offset_velocity_pose(const PairState& s, const Vec3& a) {
  const Vec3 a1 = s.wA.cross(a);
  return make_row(-a1, a.cross(s.dv - s.wA.cross(s.d)), a1, Vec3::Zero());
}

/// Second derivative of d as seen from A.
inline Vec3 relative_acceleration(const PairState& s) {
  return s.da - s.alphaA.cross(s.d) + s.wA.cross(s.wA.cross(s.d)) - 2 * s.wA.cross(s.dv);
}

inline Row12 offset_acceleration_pose(const PairState& s, const Vec3& a) {
  const Vec3 a2 = s.alphaA.cross(a) + s.wA.cross(s.wA.cross(a));
  return make_row(-a2, a.cross(relative_acceleration(s)), a2, Vec3::Zero());
}

inline Row12 offset_acceleration_twist(const PairState& s, const Vec3& a) {
  const Vec3 a1 = 2 * s.wA.cross(a);
  const Vec3 w = s.wA.cross(s.d).cross(a) + s.d.cross(a.cross(s.wA)) - 2 * s.dv.cross(a);
  return make_row(-a1, w, a1, Vec3::Zero());
}

inline void add_offset_force_pose(const PairState& s, const Vec3& a, double lambda, TwistByTwist& F, int at) {
  const Mat3 ax = skew(lambda * a);
  add_block(F, at, kvA, kwA, ax);
  add_block(F, at, kvB, kwA, -ax);
  add_block(F, at, kwA, kvA, -ax);
  add_block(F, at, kwA, kvB, ax);
  add_block(F, at, kwA, kwA, lambda * (a * s.d.transpose() - a.dot(s.d) * Mat3::Identity()));
}

// ---- alignment: a . b

inline Row12 alignment_row(const Vec3& a, const Vec3& b) {
  const Vec3 n = a.cross(b);
  return make_row(Vec3::Zero(), n, Vec3::Zero(), -n);
}

inline double alignment_velocity(const PairState& s, const Vec3& a, const Vec3& b) {
  return (s.wA - s.wB).dot(a.cross(b));
}

inline double alignment_convective(const PairState& s, const Vec3& a, const Vec3& b) {
  const Vec3 w = s.wA - s.wB;
  return w.dot(a) * b.dot(s.wA) - w.dot(b) * a.dot(s.wB) - a.dot(b) * w.squaredNorm();
}

/// Value, velocity and acceleration are all bilinear forms a^T M b; this is their derivative.
inline Row12 bilinear_pose(const Vec3& a, const Vec3& b, const Vec3& Mb, const Vec3& Mta) {
  return make_row(Vec3::Zero(), a.cross(Mb), Vec3::Zero(), b.cross(Mta));
}

inline Row12 alignment_velocity_pose(const PairState& s, const Vec3& a, const Vec3& b) {
  const Vec3 w = s.wA - s.wB;
  return bilinear_pose(a, b, b.cross(w), w.cross(a));
}

inline Row12 alignment_acceleration_pose(const PairState& s, const Vec3& a, const Vec3& b) {
  const Vec3 w = s.wA - s.wB, al = s.alphaA - s.alphaB;
  const double ww = w.squaredNorm();
  const Vec3 Mb = b.cross(al) + w * s.wA.dot(b) - s.wB * w.dot(b) - ww * b;
  const Vec3 Mta = al.cross(a) + s.wA * w.dot(a) - w * s.wB.dot(a) - ww * a;
  return bilinear_pose(a, b, Mb, Mta);
}

inline Row12 alignment_acceleration_twist(const PairState& s, const Vec3& a, const Vec3& b) {
  const Vec3 w = s.wA - s.wB;
  const Vec3 both = a * b.dot(s.wA) - b * a.dot(s.wB) - 2 * a.dot(b) * w;
  return make_row(Vec3::Zero(), both + w.dot(a) * b, Vec3::Zero(), -both - w.dot(b) * a);
}

inline void add_alignment_force_pose(const Vec3& a, const Vec3& b, double lambda, TwistByTwist& F, int at) {
  const Mat3 N = lambda * (a * b.transpose() - a.dot(b) * Mat3::Identity());
  add_block(F, at, kwA, kwA, N);
  add_block(F, at, kwA, kwB, -N.transpose());
  add_block(F, at, kwB, kwA, -N);
  add_block(F, at, kwB, kwB, N.transpose());
}

// ---- distance: |d|

/// Length and direction; a vanishing length gives a zero direction instead of a NaN.
struct Direction {
  explicit Direction(const Vec3& d)
      : length(d.norm()), inverse(length > 0 ? 1 / length : 0), n(d * inverse) {}
  double length, inverse;
  Vec3 n;
  Vec3 across(const Vec3& x) const { return (x - n * n.dot(x)) * inverse; }  ///< (E - n n^T) x / |d|
};

inline Row12 relative_row(const Vec3& onB) {
  return make_row(-onB, Vec3::Zero(), onB, Vec3::Zero());
}

inline double distance_convective(const PairState& s, const Direction& r) {
  return s.dv.dot(r.across(s.dv));
}

inline Row12 distance_acceleration_pose(const PairState& s, const Direction& r) {
  const Vec3 cross = r.across(s.dv);
  return relative_row(r.across(s.da) - (s.dv.dot(cross) * r.n + 2 * r.n.dot(s.dv) * cross) * r.inverse);
}

inline void add_distance_force_pose(const Direction& r, double lambda, TwistByTwist& F, int at) {
  const Mat3 P = (lambda * r.inverse) * (Mat3::Identity() - r.n * r.n.transpose());
  add_block(F, at, kvA, kvA, P);
  add_block(F, at, kvA, kvB, -P);
  add_block(F, at, kvB, kvA, -P);
  add_block(F, at, kvB, kvB, P);
}

}  // namespace monocoque::pair

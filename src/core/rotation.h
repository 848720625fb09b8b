#pragma once
// Rotations: unit quaternions (Euler parameters) p = (p0, e) with R_WB(p) = G L^T turning body axes into
// world axes, p0 = cos(phi/2), e = d sin(phi/2). The dissertation's A is the transpose (world to body):
// A = L G^T (2.42). Angular velocity w is in body axes throughout: p_dot = L^T w / 2 (2.31).
// Source: dissertation section 2.1.3; every identity is checked in tests/core.

#include "core/types.h"

namespace monocoque {

/// (2.20): 3x4 with L p = 0, L L^T = E, w_B = 2 L p_dot.
Mat34 quaternion_L(const Vec4& p);
/// (2.21): 3x4 with G p = 0, G G^T = E, w_W = 2 G p_dot.
Mat34 quaternion_G(const Vec4& p);
/// (2.34): plus matrix of a 3-vector; G^T e = plus(e) p with our sign: see tests.
Mat4 plus_matrix(const Vec3& e);
/// (2.35): minus matrix; L^T e = minus(e) p (2.36).
Mat4 minus_matrix(const Vec3& e);

/// Body to world rotation of a unit quaternion (the transpose of (2.19)).
Mat3 rotation_from_quaternion(const Vec4& p);
/// Back, without singularity: the largest of the four components is found first (2.43 - 2.49); p0 >= 0.
Vec4 quaternion_from_rotation(const Mat3& R);

/// d(R(p) e)/dp, 3x4, for e fixed in the body, p any quaternion of unit length (2.41).
Mat34 rotate_derivative(const Vec4& p, const Vec3& e);
/// d(R(p)^T e)/dp, 3x4 (2.40).
Mat34 rotate_back_derivative(const Vec4& p, const Vec3& e);

/// Hamilton product: R(multiply(a, b)) = R(a) R(b).
Vec4 multiply(const Vec4& a, const Vec4& b);

/// Rotation vector (axis times angle) to quaternion and matrix, exact also at zero.
Vec4 quaternion_from_rotation_vector(const Vec3& theta);
Mat3 rotation_from_rotation_vector(const Vec3& theta);
/// Back to a rotation vector with angle in [0, pi].
Vec3 rotation_vector_from_quaternion(const Vec4& p);
Vec4 quaternion_from_axis_angle(const Vec3& axis, double angle);

/// Tangent operator from the left: for B(t) = exp(theta(t)~), B_dot = w~ B with w = left_tangent(theta)
/// theta_dot.
Mat3 left_tangent(const Vec3& theta);
/// d(left_tangent(theta) v)/d(theta) at fixed v.
Mat3 left_tangent_derivative(const Vec3& theta, const Vec3& v);
/// Derivatives of left_tangent_derivative(theta, v) v, the angular acceleration at theta_ddot = 0.
struct TangentCurvature {
  Mat3 by_theta, by_rate;
};
TangentCurvature tangent_curvature(const Vec3& theta, const Vec3& v);
/// Inverse tangent operator: for p(t) = p0 * exp(theta(t)), theta_dot = inverse_tangent(theta) w_B.
Mat3 inverse_tangent(const Vec3& theta);

/// Tait-Bryan angles (phi roll, theta pitch, psi yaw), sequence z-y'-x'': R = Rz(psi) Ry(theta) Rx(phi).
Mat3 rotation_from_tait_bryan(const Vec3& roll_pitch_yaw);
/// Back; at the singularity |theta| = pi/2 roll is set to zero and yaw carries the sum.
Vec3 tait_bryan_from_rotation(const Mat3& R);
/// Kinematic matrix (2.61): d(roll, pitch, yaw)/dt = Z w_B. Singular at |theta| = pi/2.
Mat3 tait_bryan_kinematic_matrix(const Vec3& roll_pitch_yaw);

/// A rotation whose third column is the given unit vector; the other two are some orthonormal pair.
Mat3 rotation_with_z(const Vec3& z);

}  // namespace monocoque

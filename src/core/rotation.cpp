#include "core/rotation.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

namespace monocoque {

Mat34 quaternion_L(const Vec4& p) {
  Mat34 L;
  L << -p[1], p[0], p[3], -p[2],  //
      -p[2], -p[3], p[0], p[1],   //
      -p[3], p[2], -p[1], p[0];
  return L;
}

Mat34 quaternion_G(const Vec4& p) {
  Mat34 G;
  G << -p[1], p[0], -p[3], p[2],  //
      -p[2], p[3], p[0], -p[1],   //
      -p[3], -p[2], p[1], p[0];
  return G;
}

Mat4 plus_matrix(const Vec3& e) {
  Mat4 m;
  m << 0, -e.transpose(), e, skew(e);
  return m;
}

Mat4 minus_matrix(const Vec3& e) {
  Mat4 m;
  m << 0, -e.transpose(), e, -skew(e);
  return m;
}

Mat3 rotation_from_quaternion(const Vec4& p) {
  const double a = p[0], b = p[1], c = p[2], d = p[3];
  Mat3 R;
  R << a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c),  //
      2 * (b * c + a * d), a * a - b * b + c * c - d * d, 2 * (c * d - a * b),   //
      2 * (b * d - a * c), 2 * (c * d + a * b), a * a - b * b - c * c + d * d;
  return R;
}

Vec4 quaternion_from_rotation(const Mat3& R) {
  // Four times the squares of the components; the largest is at least 1, so no division is small.
  const double t = R.trace();
  const double s[4] = {1 + t, 1 + 2 * R(0, 0) - t, 1 + 2 * R(1, 1) - t, 1 + 2 * R(2, 2) - t};
  const auto k = std::max_element(s, s + 4) - s;
  const double root = std::sqrt(s[k]);
  const double f = 0.5 / root;
  Vec4 p;
  switch (k) {
    case 0:
      p << 0.5 * root, f * (R(2, 1) - R(1, 2)), f * (R(0, 2) - R(2, 0)), f * (R(1, 0) - R(0, 1));
      break;
    case 1:
      p << f * (R(2, 1) - R(1, 2)), 0.5 * root, f * (R(0, 1) + R(1, 0)), f * (R(0, 2) + R(2, 0));
      break;
    case 2:
      p << f * (R(0, 2) - R(2, 0)), f * (R(0, 1) + R(1, 0)), 0.5 * root, f * (R(1, 2) + R(2, 1));
      break;
    default:
      p << f * (R(1, 0) - R(0, 1)), f * (R(0, 2) + R(2, 0)), f * (R(1, 2) + R(2, 1)), 0.5 * root;
  }
  if (p[0] < 0) p = -p;
  return p.normalized();
}

Mat34 rotate_derivative(const Vec4& p, const Vec3& e) {
  // (2.41) with the body-to-world rotation R = (2 p0^2 - 1) E + 2 (e e^T + p0 e~).
  return 2 * quaternion_G(p) * minus_matrix(e) + 2 * e * p.transpose();
}

Mat34 rotate_back_derivative(const Vec4& p, const Vec3& e) {
  return 2 * quaternion_L(p) * plus_matrix(e) + 2 * e * p.transpose();
}

Vec4 multiply(const Vec4& a, const Vec4& b) {
  Vec4 p;
  const Vec3 ea = a.tail<3>(), eb = b.tail<3>();
  p[0] = a[0] * b[0] - ea.dot(eb);
  p.tail<3>() = a[0] * eb + b[0] * ea + ea.cross(eb);
  return p;
}

Vec4 quaternion_from_rotation_vector(const Vec3& theta) {
  const double angle2 = theta.squaredNorm();
  double half_sinc, c;
  if (angle2 < 1e-2) {  // series: the next term is below 2e-16
    constexpr double a1 = 1.0 / 48, a2 = 1.0 / 3840, a3 = 1.0 / 645120;
    constexpr double b1 = 1.0 / 8, b2 = 1.0 / 384, b3 = 1.0 / 46080, b4 = 1.0 / 10321920;
    half_sinc = 0.5 - angle2 * (a1 - angle2 * (a2 - angle2 * a3));
    c = 1 - angle2 * (b1 - angle2 * (b2 - angle2 * (b3 - angle2 * b4)));
  } else {
    const double angle = std::sqrt(angle2);
    half_sinc = std::sin(0.5 * angle) / angle;
    c = std::cos(0.5 * angle);
  }
  Vec4 p;
  p << c, half_sinc * theta;
  return p;
}

Mat3 rotation_from_rotation_vector(const Vec3& theta) {
  return rotation_from_quaternion(quaternion_from_rotation_vector(theta));
}

Vec3 rotation_vector_from_quaternion(const Vec4& p_in) {
  const Vec4 p = p_in[0] < 0 ? Vec4(-p_in) : p_in;
  const double s = p.tail<3>().norm();
  if (s < 1e-8) return 2 * p.tail<3>() / p[0];
  return 2 * std::atan2(s, p[0]) / s * p.tail<3>();
}

Vec4 quaternion_from_axis_angle(const Vec3& axis, double angle) {
  return quaternion_from_rotation_vector(axis.normalized() * angle);
}

namespace {

constexpr int kTerms = 10;

/// 1/(2n + 2)! and 1/(2n + 3)!
struct TangentSeries {
  double a[kTerms] = {}, b[kTerms] = {};
  constexpr TangentSeries() {
    double factorial = 2;
    for (int n = 0; n < kTerms; ++n) {
      a[n] = 1 / factorial;
      b[n] = a[n] / (2 * n + 3);
      factorial *= (2 * n + 3) * (2 * n + 4);
    }
  }
};
constexpr TangentSeries kSeries;

/// Coefficients of left_tangent = E + a theta~ + b theta~^2; a_1 = a' / theta, a_2 = a_1' / theta, and so for
/// b.
struct TangentCoefficients {
  explicit TangentCoefficients(double t2) {
    if (t2 < 1)
      by_series(t2);
    else
      by_closed_form(t2);
  }

  /// a = sum (-t2)^n / (2n + 2)!, b = sum (-t2)^n / (2n + 3)!; the closed forms cancel for small angles.
  /// Angles below 0.1, those of deformations, need fewer terms.
  void by_series(double t2) {
    const int terms = t2 < 1e-2 ? 7 : kTerms;
    double power = 1;  // (-1)^n t2^(n - k) for the k-th derivative is built from power
    a = b = a_1 = b_1 = a_2 = b_2 = 0;
    double previous = 0, before = 0;
    for (int n = 0; n < terms; ++n) {
      const double ca = kSeries.a[n], cb = kSeries.b[n], m = 2.0 * n;
      a += power * ca;
      b += power * cb;
      // d/d(theta) of t^(2n), over theta: 2n t^(2n - 2) = -2n times the previous power's term
      a_1 -= m * previous * ca;
      b_1 -= m * previous * cb;
      a_2 += m * (m - 2) * before * ca;
      b_2 += m * (m - 2) * before * cb;
      before = previous;
      previous = power;
      power *= -t2;
    }
  }
  void by_closed_form(double t2) {
    const double t = std::sqrt(t2), s = std::sin(t) / t, c = std::cos(t);
    a = (1 - c) / t2;
    b = (1 - s) / t2;
    a_1 = (s - 2 * a) / t2;
    b_1 = (a - 3 * b) / t2;
    a_2 = ((c - s) / t2 - 4 * a_1) / t2;
    b_2 = (a_1 - 5 * b_1) / t2;
  }

  double a, b, a_1, b_1, a_2, b_2;
};

}  // namespace

Mat3 left_tangent(const Vec3& theta) {
  const TangentCoefficients k(theta.squaredNorm());
  const Mat3 t = skew(theta);
  return Mat3::Identity() + k.a * t + k.b * t * t;
}

Mat3 left_tangent_derivative(const Vec3& theta, const Vec3& v) {
  const TangentCoefficients k(theta.squaredNorm());
  const Vec3 first = theta.cross(v), second = theta.cross(first);
  return -k.a * skew(v) - k.b * (skew(first) + skew(theta) * skew(v)) +
         (k.a_1 * first + k.b_1 * second) * theta.transpose();
}

TangentCurvature tangent_curvature(const Vec3& theta, const Vec3& v) {
  // a_1 (theta . v) theta x v - b (theta x v) x v + b_1 (theta . v) theta x (theta x v)
  const TangentCoefficients k(theta.squaredNorm());
  const Vec3 c = theta.cross(v), cc = theta.cross(c);
  const Mat3 T = skew(theta), V = skew(v);
  const double d = theta.dot(v);
  const Mat3 c_theta = -V;
  const Mat3 cc_theta = T * c_theta - skew(c), cc_v = T * T;
  TangentCurvature out;
  out.by_theta = k.a_1 * (c * v.transpose() + d * c_theta) + k.b * V * c_theta +
                 k.b_1 * (cc * v.transpose() + d * cc_theta) +
                 (k.a_2 * d * c + k.b_1 * v.cross(c) + k.b_2 * d * cc) * theta.transpose();
  out.by_rate = k.a_1 * (c * theta.transpose() + d * T) - k.b * (skew(c) - V * T) +
                k.b_1 * (cc * theta.transpose() + d * cc_v);
  return out;
}

Mat3 inverse_tangent(const Vec3& theta) {
  const double a2 = theta.squaredNorm();
  double k;  // (1 - (a/2) cot(a/2)) / a^2
  if (a2 < 1e-4) {
    k = 1.0 / 12 + a2 / 720 + a2 * a2 / 30240;
  } else {
    const double half = 0.5 * std::sqrt(a2);
    k = (1 - half / std::tan(half)) / a2;
  }
  const Mat3 t = skew(theta);
  return Mat3::Identity() + 0.5 * t + k * t * t;
}

Mat3 rotation_from_tait_bryan(const Vec3& a) {
  return (Eigen::AngleAxisd(a[2], Vec3::UnitZ()) * Eigen::AngleAxisd(a[1], Vec3::UnitY()) *
          Eigen::AngleAxisd(a[0], Vec3::UnitX()))
      .toRotationMatrix();
}

Vec3 tait_bryan_from_rotation(const Mat3& R) {
  const double cos_pitch = std::hypot(R(0, 0), R(1, 0));
  const double pitch = std::atan2(-R(2, 0), cos_pitch);
  if (cos_pitch < 1e-12) return {0.0, pitch, std::atan2(-R(0, 1), R(1, 1))};
  return {std::atan2(R(2, 1), R(2, 2)), pitch, std::atan2(R(1, 0), R(0, 0))};
}

Mat3 tait_bryan_kinematic_matrix(const Vec3& a) {
  const double sf = std::sin(a[0]), cf = std::cos(a[0]), st = std::sin(a[1]), ct = std::cos(a[1]);
  Mat3 Z;
  Z << 1, sf * st / ct, cf * st / ct,  //
      0, cf, -sf,                      //
      0, sf / ct, cf / ct;
  return Z;
}

Mat3 rotation_with_z(const Vec3& z_in) {
  const Vec3 z = z_in.normalized();
  // The world axis farthest from z gives a well-conditioned cross product.
  int k;
  z.cwiseAbs().minCoeff(&k);
  const Vec3 x = (Vec3::Unit(k) - z * z[k]).normalized();
  Mat3 R;
  R << x, z.cross(x), z;
  return R;
}

}  // namespace monocoque

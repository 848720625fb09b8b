#include "core/rotation.h"
#include "core/decompositions.h"

#include <cmath>
#include <numbers>
#include <random>

#include <gtest/gtest.h>
#include <Eigen/Geometry>

namespace monocoque {
namespace {

constexpr double pi = std::numbers::pi;

/// Generic values: no zeros that hide a sign.
class Rotation : public testing::Test {
 protected:
  std::mt19937 gen{2024};
  std::uniform_real_distribution<double> u{-1, 1};
  Vec3 vector() { return {u(gen), u(gen), u(gen)}; }
  Vec4 quaternion() { return Vec4(u(gen), u(gen), u(gen), u(gen)).normalized(); }
  /// A rate that keeps the length of p (2.33).
  Vec4 rate(const Vec4& p) {
    const Vec4 r(u(gen), u(gen), u(gen), u(gen));
    return r - p * p.dot(r);
  }
};

#define EXPECT_SAME(a, b, tolerance) EXPECT_LT(((a) - (b)).norm(), tolerance) << #a << " = " << #b

TEST_F(Rotation, IdentitiesOfLAndG) {
  for (int k = 0; k < 50; ++k) {
    const Vec4 p = quaternion(), dp = rate(p);
    const Mat34 L = quaternion_L(p), G = quaternion_G(p), dL = quaternion_L(dp), dG = quaternion_G(dp);
    const Mat3 E = Mat3::Identity();
    EXPECT_LT((L * p).norm(), 1e-15);                                         // (2.22)
    EXPECT_LT((G * p).norm(), 1e-15);                                         // (2.23)
    EXPECT_SAME(Vec3(L * dp), Vec3(-dL * p), 1e-14);                          // (2.24)
    EXPECT_LT((dL * dp).norm(), 1e-15);                                       // (2.25)
    EXPECT_SAME(skew(L * dp), Mat3(L * dL.transpose()), 1e-14);               // (2.26)
    EXPECT_SAME(Mat3(L * dL.transpose()), Mat3(-dL * L.transpose()), 1e-14);  // (2.27)
    EXPECT_SAME(Mat4(G.transpose() * G), Mat4(L.transpose() * L), 1e-14);     // (2.28)
    EXPECT_SAME(Mat4(L.transpose() * L), Mat4(Mat4::Identity() - p * p.transpose()), 1e-14);
    EXPECT_SAME(Mat3(G * G.transpose()), E, 1e-14);  // (2.29)
    EXPECT_SAME(Mat3(L * L.transpose()), E, 1e-14);
    EXPECT_SAME(Mat3(G * dL.transpose()), Mat3(dG * L.transpose()), 1e-14);  // (2.30)
    const Vec3 w = 2 * L * dp;                                               // (2.57)
    EXPECT_SAME(dp, Vec4(0.5 * L.transpose() * w), 1e-14);                   // (2.31)
    EXPECT_NEAR(dp.dot(p), 0, 1e-15);                                        // (2.33)
  }
}

TEST_F(Rotation, SecondDerivativeOfTheQuaternion) {
  // p(t) = p0 exp(a t + b t^2 / 2): w and its rate by differences, p'' by differences, against (2.32).
  const Vec4 p0 = quaternion();
  const Vec3 a = vector(), b = vector();
  const auto p = [&](double t) {
    return multiply(p0, quaternion_from_rotation_vector(a * t + 0.5 * b * t * t));
  };
  const double h = 1e-4, t = 0.3;
  const auto dp = [&](double s) { return Vec4((p(s + h) - p(s - h)) / (2 * h)); };
  const auto w = [&](double s) { return Vec3(2 * quaternion_L(p(s)) * dp(s)); };
  const Vec4 ddp = (p(t + h) - 2 * p(t) + p(t - h)) / (h * h);
  const Vec3 dw = (w(t + h) - w(t - h)) / (2 * h);
  const Vec4 expected = 0.5 * quaternion_L(p(t)).transpose() * dw - 0.25 * w(t).squaredNorm() * p(t);
  EXPECT_SAME(ddp, expected, 1e-6);
}

TEST_F(Rotation, PlusAndMinusMatrices) {
  for (int k = 0; k < 50; ++k) {
    const Vec4 p = quaternion(), dp = rate(p), ddp = rate(p);
    const Vec3 e = vector();
    const Mat34 L = quaternion_L(p), G = quaternion_G(p);
    Mat4 plus, minus;
    plus << 0, -e.transpose(), e, skew(e);    // (2.34)
    minus << 0, -e.transpose(), e, -skew(e);  // (2.35)
    EXPECT_EQ(plus_matrix(e), plus);
    EXPECT_EQ(minus_matrix(e), minus);
    EXPECT_SAME(Vec4(L.transpose() * e), Vec4(minus_matrix(e) * p), 1e-14);  // (2.36)
    EXPECT_SAME(Vec4(G.transpose() * e), Vec4(plus_matrix(e) * p), 1e-14);
    EXPECT_SAME(Mat34(L * minus_matrix(e)), Mat34(-skew(e) * L + e * p.transpose()), 1e-14);   // (2.37)
    EXPECT_SAME(Vec4(quaternion_L(dp).transpose() * e), Vec4(minus_matrix(e) * dp), 1e-14);    // (2.38)
    EXPECT_SAME(Vec4(quaternion_L(ddp).transpose() * e), Vec4(minus_matrix(e) * ddp), 1e-14);  // (2.39)
  }
}

TEST_F(Rotation, MatrixOfAQuaternion) {
  for (int k = 0; k < 50; ++k) {
    const Vec4 p = quaternion();
    const Mat3 R = rotation_from_quaternion(p);
    const Vec3 e = p.tail<3>();
    // (2.19) is the world-to-body matrix A; R is its transpose.
    const Mat3 A = (2 * p[0] * p[0] - 1) * Mat3::Identity() + 2 * (e * e.transpose() - p[0] * skew(e));
    EXPECT_SAME(R, Mat3(A.transpose()), 1e-14);
    EXPECT_SAME(R, Mat3(quaternion_G(p) * quaternion_L(p).transpose()), 1e-14);  // (2.42)
    EXPECT_SAME(Mat3(R * R.transpose()), Mat3(Mat3::Identity()), 1e-14);
    EXPECT_NEAR(R.determinant(), 1, 1e-14);
    EXPECT_SAME(R, Eigen::Quaterniond(p[0], p[1], p[2], p[3]).toRotationMatrix(), 1e-14);
  }
}

TEST_F(Rotation, AngularVelocityTurnsBodyVectors) {
  // d/dt (R r) = R (w x r) with w = 2 L p_dot in body axes, and = w_W x (R r) with w_W = 2 G p_dot.
  for (int k = 0; k < 20; ++k) {
    const Vec4 p = quaternion(), dp = rate(p);
    const Vec3 r = vector();
    const double h = 1e-5;
    const auto R = [&](double t) { return rotation_from_quaternion((p + t * dp).normalized()); };
    const Vec3 numeric = (R(h) * r - R(-h) * r) / (2 * h);
    const Vec3 w = 2 * quaternion_L(p) * dp, w_W = 2 * quaternion_G(p) * dp;
    EXPECT_SAME(numeric, Vec3(R(0) * w.cross(r)), 1e-8);
    EXPECT_SAME(numeric, Vec3(w_W.cross(R(0) * r)), 1e-8);
    EXPECT_SAME(w_W, Vec3(R(0) * w), 1e-14);  // (2.54)
  }
}

TEST_F(Rotation, DerivativesAgainstDifferences) {
  // (2.40), (2.41) continue R off the unit sphere in their own way: the derivative along the sphere is what
  // counts, so differences are taken along tangents.
  for (int k = 0; k < 20; ++k) {
    const Vec4 p = quaternion();
    const Vec3 e = vector();
    const double h = 1e-5;
    for (int j = 0; j < 4; ++j) {
      const Vec4 dp = rate(p);
      const Mat3 up = rotation_from_quaternion((p + h * dp).normalized());
      const Mat3 down = rotation_from_quaternion((p - h * dp).normalized());
      EXPECT_SAME(Vec3((up * e - down * e) / (2 * h)), Vec3(rotate_derivative(p, e) * dp), 1e-8);
      EXPECT_SAME(Vec3((up.transpose() * e - down.transpose() * e) / (2 * h)),
                  Vec3(rotate_back_derivative(p, e) * dp), 1e-8);
    }
    // In all four directions they are the derivative of the form (2.19) that is quadratic in p.
    const auto A = [&](const Vec4& q) {
      const Vec3 v = q.tail<3>();
      return Mat3((2 * q[0] * q[0] - 1) * Mat3::Identity() + 2 * (v * v.transpose() - q[0] * skew(v)));
    };
    for (int j = 0; j < 4; ++j) {
      const Vec4 d = h * Vec4::Unit(j);
      EXPECT_SAME(Vec3((A(p + d) * e - A(p - d) * e) / (2 * h)), Vec3(rotate_back_derivative(p, e).col(j)),
                  1e-9);
      EXPECT_SAME(Vec3((A(p + d).transpose() * e - A(p - d).transpose() * e) / (2 * h)),
                  Vec3(rotate_derivative(p, e).col(j)), 1e-9);
    }
  }
}

TEST_F(Rotation, QuaternionOfAMatrix) {
  for (int k = 0; k < 200; ++k) {
    Vec4 p = quaternion();
    if (p[0] < 0) p = -p;
    EXPECT_SAME(quaternion_from_rotation(rotation_from_quaternion(p)), p, 1e-14);
  }
  EXPECT_SAME(quaternion_from_rotation(Mat3::Identity()), Vec4(1, 0, 0, 0), 1e-16);
}

TEST_F(Rotation, QuaternionOfHalfTurns) {
  std::vector<Vec3> axes = {Vec3::UnitX(),  Vec3::UnitY(), Vec3::UnitZ(),  Vec3(1, 1, 0),
                            Vec3(0, 1, -1), Vec3(1, 0, 1), Vec3(1, -1, 1), Vec3(1e-9, 1, 0)};
  for (int k = 0; k < 50; ++k) axes.push_back(vector());
  for (const Vec3& axis : axes) {
    const Vec3 d = axis.normalized();
    for (const double angle : {pi, pi - 1e-9, pi + 1e-9, pi - 1e-4}) {
      const Mat3 R = Eigen::AngleAxisd(angle, d).toRotationMatrix();
      const Vec4 p = quaternion_from_rotation(R);
      EXPECT_GE(p[0], 0);
      EXPECT_NEAR(p.norm(), 1, 1e-15);
      EXPECT_SAME(rotation_from_quaternion(p), R, 1e-14);
    }
  }
}

TEST_F(Rotation, ProductOfQuaternions) {
  for (int k = 0; k < 20; ++k) {
    const Vec4 a = quaternion(), b = quaternion(), c = quaternion();
    EXPECT_SAME(rotation_from_quaternion(multiply(a, b)),
                Mat3(rotation_from_quaternion(a) * rotation_from_quaternion(b)), 1e-14);
    EXPECT_SAME(multiply(multiply(a, b), c), multiply(a, multiply(b, c)), 1e-14);
    EXPECT_NEAR(multiply(a, b).norm(), 1, 1e-15);
  }
}

TEST_F(Rotation, AxisAndAngle) {
  for (int k = 0; k < 50; ++k) {
    const Vec3 d = vector().normalized();
    const double phi = 3 * u(gen);
    const Mat3 R = rotation_from_rotation_vector(d * phi);
    // (2.10) is A, world to body.
    const Mat3 A =
        d * d.transpose() + (Mat3::Identity() - d * d.transpose()) * std::cos(phi) - skew(d) * std::sin(phi);
    EXPECT_SAME(R, Mat3(A.transpose()), 1e-14);
    const Vec4 p = quaternion_from_axis_angle(7 * d, phi);  // the length of the axis does not matter
    EXPECT_NEAR(p[0], std::cos(phi / 2), 1e-15);            // (2.17)
    EXPECT_SAME(Vec3(p.tail<3>()), Vec3(d * std::sin(phi / 2)), 1e-15);  // (2.18)
    EXPECT_SAME(rotation_vector_from_quaternion(p), Vec3(d * phi), 1e-14);
    EXPECT_SAME(rotation_vector_from_quaternion(Vec4(-p)), Vec3(d * phi), 1e-14);
  }
}

TEST_F(Rotation, RotationVectorsNearZeroAndPi) {
  const Vec3 d = vector().normalized();
  for (const double angle : {0.0, 1e-300, 1e-12, 1e-8, 0.99e-4, 1.01e-4, 1e-3, 1.0, pi - 1e-6}) {
    const Vec4 p = quaternion_from_rotation_vector(d * angle);
    EXPECT_NEAR(p.norm(), 1, 2e-16);
    EXPECT_SAME(rotation_vector_from_quaternion(p), Vec3(d * angle), 1e-15 * (1 + 10 * angle));
  }
  // Exactly at pi both ends of the axis are right.
  const Vec3 theta = rotation_vector_from_quaternion(quaternion_from_rotation_vector(d * pi));
  EXPECT_NEAR(theta.norm(), pi, 1e-14);
  EXPECT_NEAR(std::abs(theta.dot(d)), pi, 1e-14);
}

TEST_F(Rotation, InverseTangentAgainstIntegration) {
  // p(t) = p0 exp(theta(t)) turned with a body-fixed w(t): theta from its own equation and from p agree.
  const Vec4 p0 = quaternion();
  const Vec3 a = vector(), b = vector();
  const auto w = [&](double t) { return Vec3(a + b * std::sin(3 * t)); };
  const int steps = 200;
  const double h = 1.0 / steps;
  Vec3 theta = Vec3::Zero();
  Vec4 p = p0;
  const auto f = [&](double t, const Vec3& x) { return Vec3(inverse_tangent(x) * w(t)); };
  const auto g = [&](double t, const Vec4& x) { return Vec4(0.5 * quaternion_L(x).transpose() * w(t)); };
  for (int i = 0; i < steps; ++i) {
    const double t = i * h;
    const Vec3 k1 = f(t, theta), k2 = f(t + h / 2, theta + h / 2 * k1), k3 = f(t + h / 2, theta + h / 2 * k2),
               k4 = f(t + h, theta + h * k3);
    theta += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    const Vec4 q1 = g(t, p), q2 = g(t + h / 2, p + h / 2 * q1), q3 = g(t + h / 2, p + h / 2 * q2),
               q4 = g(t + h, p + h * q3);
    p += h / 6 * (q1 + 2 * q2 + 2 * q3 + q4);
  }
  EXPECT_GT(theta.norm(), 0.3);
  EXPECT_SAME(multiply(p0, quaternion_from_rotation_vector(theta)), p, 1e-9);
}

TEST_F(Rotation, LeftTangentAndItsDerivativesAgainstDifferences) {
  for (const double size : {0.0, 1e-6, 1e-2, 0.3, 0.999, 1.001, 2.5}) {
    const Vec3 theta = size * Vec3(0.6, -0.5, 0.62).normalized(), rate(0.4, 0.7, -0.3), d(0.3, -0.8, 0.5);
    const double h = 1e-5;
    // B_dot = w~ B
    const Mat3 B = rotation_from_rotation_vector(theta);
    const Mat3 B_dot =
        (rotation_from_rotation_vector(theta + h * rate) - rotation_from_rotation_vector(theta - h * rate)) /
        (2 * h);
    EXPECT_SAME(Mat3(B_dot * B.transpose()), skew(left_tangent(theta) * rate), 1e-9);
    const Vec3 by_theta = (left_tangent(theta + h * d) * rate - left_tangent(theta - h * d) * rate) / (2 * h);
    EXPECT_SAME(Vec3(left_tangent_derivative(theta, rate) * d), by_theta, 1e-9);
    const auto turning = [](const Vec3& t, const Vec3& v) { return Vec3(left_tangent_derivative(t, v) * v); };
    const TangentCurvature c = tangent_curvature(theta, rate);
    EXPECT_SAME(Vec3(c.by_theta * d),
                Vec3((turning(theta + h * d, rate) - turning(theta - h * d, rate)) / (2 * h)), 1e-9);
    EXPECT_SAME(Vec3(c.by_rate * d),
                Vec3((turning(theta, rate + h * d) - turning(theta, rate - h * d)) / (2 * h)), 1e-9);
  }
}

TEST_F(Rotation, InverseTangentIsSmoothAtItsSeries) {
  const Vec3 d = vector().normalized();
  EXPECT_SAME(inverse_tangent(Vec3::Zero()), Mat3(Mat3::Identity()), 1e-16);
  EXPECT_SAME(inverse_tangent(d * (1e-2 - 1e-9)), inverse_tangent(d * (1e-2 + 1e-9)), 1e-8);
  // The vector itself is kept: turning about its own axis changes the angle only.
  const Vec3 theta = 2 * d;
  EXPECT_SAME(Vec3(inverse_tangent(theta) * d), d, 1e-14);
}

TEST_F(Rotation, TaitBryanBothWays) {
  for (int k = 0; k < 100; ++k) {
    const Vec3 angles(3 * u(gen), 1.5 * u(gen), 3 * u(gen));
    const Mat3 R = rotation_from_tait_bryan(angles);
    EXPECT_SAME(tait_bryan_from_rotation(R), angles, 1e-12);
    const double f = angles[0], t = angles[1], s = angles[2];
    Mat3 A;  // (2.13)
    A << std::cos(s) * std::cos(t), std::cos(t) * std::sin(s), -std::sin(t),
        std::cos(s) * std::sin(f) * std::sin(t) - std::cos(f) * std::sin(s),
        std::cos(f) * std::cos(s) + std::sin(f) * std::sin(s) * std::sin(t), std::cos(t) * std::sin(f),
        std::sin(f) * std::sin(s) + std::cos(f) * std::cos(s) * std::sin(t),
        std::cos(f) * std::sin(s) * std::sin(t) - std::cos(s) * std::sin(f), std::cos(f) * std::cos(t);
    EXPECT_SAME(R, Mat3(A.transpose()), 1e-14);
  }
}

TEST_F(Rotation, TaitBryanAtTheGimbal) {
  for (const double sign : {1.0, -1.0})
    for (int k = 0; k < 20; ++k) {
      const Mat3 R = rotation_from_tait_bryan({3 * u(gen), sign * pi / 2, 3 * u(gen)});
      const Vec3 back = tait_bryan_from_rotation(R);
      EXPECT_TRUE(back.allFinite());
      EXPECT_NEAR(back[1], sign * pi / 2, 1e-7);
      EXPECT_SAME(rotation_from_tait_bryan(back), R, 1e-7);
    }
}

TEST_F(Rotation, TaitBryanKinematics) {
  for (int k = 0; k < 20; ++k) {
    const Vec3 angles(3 * u(gen), 1.3 * u(gen), 3 * u(gen)), rates = vector();
    const double h = 1e-6;
    const Mat3 R = rotation_from_tait_bryan(angles);
    const Mat3 dR =
        (rotation_from_tait_bryan(angles + h * rates) - rotation_from_tait_bryan(angles - h * rates)) /
        (2 * h);
    const Mat3 W = R.transpose() * dR;  // (2.55)
    const Vec3 w(W(2, 1), W(0, 2), W(1, 0));
    EXPECT_SAME(Vec3(tait_bryan_kinematic_matrix(angles) * w), rates, 1e-7);  // (2.61)
  }
}

TEST_F(Rotation, FrameWithGivenZ) {
  std::vector<Vec3> axes = {Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ(), -Vec3::UnitZ(), Vec3(1, 1, 1)};
  for (int k = 0; k < 20; ++k) axes.push_back(vector());
  for (const Vec3& z : axes) {
    const Mat3 R = rotation_with_z(z);
    EXPECT_SAME(Vec3(R.col(2)), z.normalized(), 1e-15);
    EXPECT_SAME(Mat3(R.transpose() * R), Mat3(Mat3::Identity()), 1e-14);
    EXPECT_NEAR(R.determinant(), 1, 1e-14);
  }
}

}  // namespace
}  // namespace monocoque

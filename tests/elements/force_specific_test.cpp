// Single force types against closed forms and hand values.

#include <cmath>

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include "elements/forces/smooth_curve.h"
#include "force_test_support.h"

namespace monocoque {
namespace {

using namespace force_test;

/// A force between two markers at rest; change members, then evaluate.
struct Bench {
  std::unique_ptr<Force> force;
  MarkerKinematics a = marker_at_rest(), b = marker_at_rest();
  double c[kMaxInner] = {}, w[kMaxInner] = {};
  Taylor2 u[kMaxInner] = {};
  Vec6 reaction = Vec6::Zero();

  using Changes = std::vector<std::pair<std::string, std::string>>;
  explicit Bench(const std::string& name, const Changes& changes = {}) {
    const ElementType<Force>& type = find(force_types(), name);
    io::ParameterSet p = defaults(type.info);
    for (const auto& [field, text] : changes) set(p, type.info, field, text);
    force = type.make(p);
  }
  ForceInput input() const {
    ForceInput in;
    in.m[0] = &a;
    in.m[1] = &b;
    in.c = c;
    in.w = w;
    in.u = u;
    in.reaction = &reaction;
    return in;
  }
  Vec12 wrench() const {
    Vec12 f;
    force->wrench(input(), f);
    return f;
  }
};

TEST(ForceSpecific, StretchedSpringPullsTogether) {
  Bench x("spring_damper", {{"stiffness_N_per_m", "1000"},
                            {"free_length_m", "0.5"},
                            {"damping_Ns_per_m", "20"},
                            {"preload_N", "7"}});
  x.b.p = Vec3(0.8, 0, 0);
  x.b.v = Vec3(2, 5, 0);
  const Vec12 f = x.wrench();
  EXPECT_NEAR(f[0], 300 + 40 + 7, 1e-9);
  EXPECT_NEAR(f[6], -347, 1e-9);
  EXPECT_NEAR(x.force->energy(x.input()), 0.5 * 1000 * 0.09 + 7 * 0.3, 1e-9);
  EXPECT_NEAR(x.force->dissipation(x.input()), 80, 1e-9);
}

TEST(ForceSpecific, ReboundAndCompressionAreDampedDifferently) {
  Bench x("spring_damper", {{"stiffness_N_per_m", "0"},
                            {"free_length_m", "0.5"},
                            {"damping_Ns_per_m", "100"},
                            {"rebound_factor", "3"},
                            {"compression_factor", "1"}});
  x.b.p = Vec3(0.8, 0, 0);
  x.b.v = Vec3(1, 0, 0);
  EXPECT_NEAR(x.wrench()[0], 300, 0.2);
  x.b.v = Vec3(-1, 0, 0);
  EXPECT_NEAR(x.wrench()[0], -100, 0.2);
}

TEST(ForceSpecific, CurveKeepsItsShapeAndItsIntegralIsExact) {
  const std::vector<double> x = {-0.3, -0.1, 0.02, 0.2, 0.4}, y = {-9, -9, 0.5, 2, 30};
  const SmoothCurve curve(x, y);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(curve.value(x[i]), y[i], 1e-14);
  EXPECT_NEAR(curve.value(-0.2), -9, 1e-14);  // flat between equal points
  EXPECT_NEAR(curve.integral(0), 0, 1e-15);
  const double h = 1e-4;
  for (double s = -0.5; s < 0.6; s += 0.0137) {
    EXPECT_GE(curve.slope(s), 0) << s;
    EXPECT_NEAR((curve.integral(s + h) - curve.integral(s - h)) / (2 * h), curve.value(s), 1e-4) << s;
    EXPECT_NEAR((curve.value(s + h) - curve.value(s - h)) / (2 * h), curve.slope(s), 0.1) << s;
  }
  // Simpson's rule is exact for a cubic, piece by piece.
  double sum = 0;
  for (std::size_t i = 0; i + 1 < x.size(); ++i)
    sum += (x[i + 1] - x[i]) / 6 * (y[i] + 4 * curve.value(0.5 * (x[i] + x[i + 1])) + y[i + 1]);
  EXPECT_NEAR(curve.integral(0.4) - curve.integral(-0.3), sum, 1e-13);
}

TEST(ForceSpecific, LinearTableIsALinearSpring) {
  Bench x("spring_damper_table", {{"free_length_m", "0.5"},
                                  {"force_deflection", "[[-0.1, -100], [0, 0], [0.1, 100]]"},
                                  {"damping_force", "[[-1, -20], [0, 0], [1, 20]]"}});
  for (const double length : {0.2, 0.45, 0.57, 1.1}) {
    x.b.p = Vec3(0, length, 0);
    x.b.v = Vec3(0, 0.3, 0);
    EXPECT_NEAR(x.wrench()[1], 1000 * (length - 0.5) + 6, 1e-9);
    EXPECT_NEAR(x.force->energy(x.input()), 500 * (length - 0.5) * (length - 0.5), 1e-9);
  }
}

TEST(ForceSpecific, DampingTableThatFeedsEnergyIsRefused) {
  const auto make = [](const char* table) { Bench("spring_damper_table", {{"damping_force", table}}); };
  EXPECT_THROW(make("[[-1, 20], [0, 0], [1, 20]]"), Error);            // wrong sign
  EXPECT_THROW(make("[[-1, -20], [1, 20]]"), Error);                   // not through zero
  EXPECT_THROW(make("[[-1, -20], [0, 0], [1, 30], [2, 10]]"), Error);  // falls, would turn negative
  EXPECT_NO_THROW(make("[[-1, -20], [0, 0], [1, 30], [2, 30]]"));
}

TEST(ForceSpecific, MaxwellRelaxesExponentially) {
  const double k = 4000, d = 800, jump = 0.1, tau = d / k;
  Bench x("maxwell", {{"stiffness_N_per_m", "4000"},
                      {"damping_Ns_per_m", "800"},
                      {"free_length_m", "0.5"},
                      {"parallel_stiffness_N_per_m", "300"}});
  x.b.p = Vec3(0, 0, 0.5);
  x.force->initial_state(x.input(), x.c);
  EXPECT_NEAR(x.wrench()[2], 0, 1e-12);
  x.b.p.z() += jump;
  // c by the classical Runge-Kutta method; the force must follow k jump exp(-t/tau).
  const double h = 0.01;
  const auto rate = [&](double c) {
    InnerVector r;
    Bench& y = x;
    const double kept = y.c[0];
    y.c[0] = c;
    y.force->state_rate(y.input(), r);
    y.c[0] = kept;
    return r[0];
  };
  for (int i = 0; i < 50; ++i) {
    const double c = x.c[0], k1 = rate(c), k2 = rate(c + h / 2 * k1), k3 = rate(c + h / 2 * k2),
                 k4 = rate(c + h * k3);
    x.c[0] += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  EXPECT_NEAR(x.wrench()[2], k * jump * std::exp(-0.5 / tau) + 300 * jump, 1e-4);
}

TEST(ForceSpecific, EndStopActsBeyondItsLimitsOnlyAndNeverPullsBack) {
  Bench x("end_stop", {{"stiffness_N_per_m_exp", "2e5"},
                       {"exponent", "1.5"},
                       {"damping_Ns_per_m", "5000"},
                       {"damping_depth_m", "0.01"},
                       {"min_length_m", "0.4"},
                       {"max_length_m", "0.6"}});
  for (double length = 0.3; length < 0.7; length += 0.0013)
    for (const double rate : {-3.0, -0.2, 0.0, 0.2, 3.0}) {
      x.b.p = Vec3(length, 0, 0);
      x.b.v = Vec3(rate, 0, 0);
      const double tension = x.wrench()[0];
      if (length < 0.4)
        EXPECT_LT(tension, 0);
      else if (length > 0.6)
        EXPECT_GT(tension, 0);
      else
        EXPECT_EQ(tension, 0);
      EXPECT_GE(x.force->dissipation(x.input()), 0);
    }
  x.b.p = Vec3(0.36, 0, 0);
  x.b.v = Vec3(-0.1, 0, 0);
  EXPECT_NEAR(x.wrench()[6], 2e5 * std::pow(0.04, 1.5) + 500, 1e-9);
}

TEST(ForceSpecific, EndStopLimitsAreChecked) {
  EXPECT_THROW(Bench("end_stop", {{"min_length_m", "0.5"}, {"max_length_m", "0.4"}}), Error);
  EXPECT_THROW(Bench("end_stop", {{"exponent", "0.8"}}), Error);
}

TEST(ForceSpecific, MountActsAtThePointOfTheSecondMarkerOnBothSides) {
  // Engine mount: 0.08 m between the points; a side force must leave no free couple.
  Bench x("spring_damper_3d",
          {{"stiffness_N_per_m", "[50000, 50000, 50000]"}, {"free_offset_m", "[0, 0, 0.08]"}});
  x.b.p = Vec3(0.01, 0, 0.08);
  const Vec12 f = x.wrench();
  EXPECT_NEAR(f[6], -500, 1e-9);
  EXPECT_NEAR(f[0], 500, 1e-9);
  EXPECT_NEAR(f[4], 0.08 * 500, 1e-9);  // p x (500, 0, 0), about A's origin
  EXPECT_NEAR(f.segment<3>(9).norm(), 0, 1e-12);
}

TEST(ForceSpecific, BushingTurnsBackAboutItsAxis) {
  Bench x("bushing", {{"rotational_stiffness_Nm_per_rad", "[100, 200, 300]"},
                      {"rotational_damping_Nms_per_rad", "[1, 2, 3]"}});
  x.b.R = rotation_from_rotation_vector(Vec3(0, 0.4, 0));
  x.b.w = Vec3(0, 0, 0.5);
  const Vec12 f = x.wrench();
  EXPECT_NEAR(f[10], -80, 1e-9);
  EXPECT_NEAR(f[11], -1.5, 1e-9);
  EXPECT_NEAR(x.force->energy(x.input()), 16, 1e-9);
}

TEST(ForceSpecific, BushingTangentIsSmoothThroughZeroAngle) {
  // The series and the closed form of the tangent operator meet at 0.1 rad.
  Bench x("bushing",
          {{"rotational_stiffness_Nm_per_rad", "[100, 250, 400]"}, {"preload_Nm", "[30, -20, 50]"}});
  const auto tangent_at = [&](double angle) {
    x.b.R = rotation_from_rotation_vector(angle * Vec3(0.6, 0, 0.8));
    ForceTangent t;
    x.force->resize_tangent(t);
    x.force->tangent(x.input(), t);
    return t.wrench.pose.block<3, 3>(9, 9).eval();
  };
  EXPECT_LE((tangent_at(0.1 - 1e-9) - tangent_at(0.1 + 1e-9)).norm(), 1e-5);
  EXPECT_LE((tangent_at(0) - tangent_at(1e-7)).norm(), 1e-4);
}

TEST(ForceSpecific, TorsionSpringIsAboutTheCommonAxis) {
  Bench x("torsion_spring",
          {{"stiffness_Nm_per_rad", "50"}, {"damping_Nms_per_rad", "2"}, {"free_angle_rad", "0.1"}});
  x.b.R = rotation_from_rotation_vector(Vec3(0, 0, 0.7));
  x.b.w = Vec3(0, 0, 1.5);
  const Vec12 f = x.wrench();
  EXPECT_NEAR(f[11], -(50 * 0.6 + 3), 1e-9);
  EXPECT_NEAR(f[5], 33, 1e-9);
  EXPECT_NEAR(f.segment<2>(9).norm(), 0, 1e-12);
}

TEST(ForceSpecific, TorsionSpringGrowsStifferBothWays) {
  Bench x("torsion_spring", {{"stiffness_Nm_per_rad", "50"},
                             {"progression_Nm_per_rad2", "10"},
                             {"damping_Nms_per_rad", "0"},
                             {"free_angle_rad", "0"},
                             {"preload_Nm", "0"}});
  for (const double angle : {0.7, -0.7}) {
    x.b.R = rotation_from_rotation_vector(Vec3(0, 0, angle));
    EXPECT_NEAR(x.wrench()[11], -(50 + 10 * 0.7) * angle, 1e-9);
    EXPECT_NEAR(x.force->energy(x.input()), 25 * 0.49 + 10 * 0.343 / 3, 1e-9);
  }
}

TEST(ForceSpecific, ActuatorPushesApart) {
  Bench x("actuator_force");
  x.u[0].value = 40;
  x.b.p = Vec3(0, 2, 0);
  x.b.v = Vec3(0, 3, 0);
  EXPECT_NEAR(x.wrench()[7], 40, 1e-12);
  EXPECT_NEAR(x.force->supply(x.input()), 120, 1e-12);
}

TEST(ForceSpecific, JointFrictionTorqueFollowsItsLoad) {
  Bench x("joint_friction", {{"friction_coefficient", "0.2"},
                             {"radius_m", "0.03"},
                             {"lever_m", "0.1"},
                             {"slip_velocity_rad_per_s", "0.05"}});
  // 300 and 400 N across the axis, 1000 N along it; 12 Nm bending over 0.1 m; 50 Nm about the axis do not
  // count.
  x.reaction << 300, 400, 1000, 0, 120, 50;
  x.force->initial_algebraic(x.input(), x.w);
  EXPECT_NEAR(x.w[0], 1300, 1e-6);  // sqrt(500^2 + 1200^2)
  x.b.w = Vec3(0, 0, 0.02);
  const double torque = 0.2 * 0.03 * 1300 * std::tanh(0.4);
  EXPECT_NEAR(x.wrench()[11], -torque, 1e-8);
  EXPECT_NEAR(x.wrench()[5], torque, 1e-8);
  EXPECT_NEAR(x.force->dissipation(x.input()), torque * 0.02, 1e-9);
}

TEST(ForceSpecific, JointFrictionAlongTravel) {
  Bench x("joint_friction", {{"coordinate", "travel"}, {"friction_coefficient", "0.2"}});
  x.reaction << 300, 400, 1000, 70, 120, 50;
  x.force->initial_algebraic(x.input(), x.w);
  x.b.v = Vec3(9, 0, -5);
  EXPECT_NEAR(x.wrench()[8], 100, 1e-6);
}

TEST(ForceSpecific, DragGrowsWithTheSquareOfTheSpeed) {
  Bench x("drag", {{"coefficient", "0.3"}, {"area_m2", "2"}, {"axis_coefficients", "[0, 0.5, 0]"}});
  x.b.v = Vec3(-30, 0, 0);
  EXPECT_NEAR(x.wrench()[6], 0.5 * 1.225 * 2 * 0.3 * 900, 1e-9);
  x.b.v = Vec3(0, 10, 0);
  EXPECT_NEAR(x.wrench()[7], -0.5 * 1.225 * 2 * 0.8 * 100, 1e-9);
}

}  // namespace
}  // namespace monocoque

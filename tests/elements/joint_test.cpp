// What each joint means: conventions, free motions, turns, limits.

#include <gtest/gtest.h>

#include <cmath>

#include <Eigen/Geometry>

#include "elements/joints/joint_coordinate.h"
#include "elements/joints/point_on_curve.h"
#include "elements/registry.h"
#include "joint_test_state.h"

namespace monocoque::test {
namespace {

constexpr double kPi = 3.14159265358979323846;

const ElementType<Joint>& type(const std::string& name) {
  for (const auto& t : joint_types())
    if (t.info.name == name) return t;
  throw Error("test", "no joint type " + name);
}

std::unique_ptr<Joint> make(const std::string& name) {
  return type(name).make(io::example_parameters(type(name).info));
}

std::unique_ptr<Joint> make(const std::string& name, const std::map<std::string, std::string>& values) {
  io::ParameterSet p = io::example_parameters(type(name).info);
  for (const io::Field& f : type(name).info.fields)
    if (values.count(f.name)) p.entries[f.name] = io::parse_field(f, values.at(f.name));
  return type(name).make(p);
}

double residual_norm(const Joint& j, const JointState& s) {
  RowVector g;
  j.residual(s.input(), g);
  return g.norm();
}

/// All markers at one place, generic; signals zero.
JointState aligned() {
  RandomStates random(5);
  JointState s = random.state();
  for (MarkerKinematics& m : s.m)
    m = {s.m[0].p, s.m[0].R, Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
  for (Taylor2& u : s.u) u = {};
  return s;
}

/// |W V| through plain vectors: products of the bounded types upset the compiler's search for unset memory.
double speed(const Joint& j, const JointState& s, const VecX& V) {
  RowsByTwist W;
  j.velocity_matrix(s.input(), W);
  const MatX M = W;
  const VecX x = M * V;
  return x.norm();
}

struct Freedom {
  const char* name;
  int rows;
  const char* free;  ///< of B in axes of A: X Y Z travels, x y z turns
};

TEST(Joint, FreeMotionsOfAlignedPairs) {
  const Freedom table[] = {{"spherical", 3, "xyz"},
                           {"revolute", 5, "z"},
                           {"cylindrical", 4, "Zz"},
                           {"prismatic", 5, "Z"},
                           {"universal", 4, "xy"},
                           {"rigid", 6, ""},
                           {"planar", 3, "XYz"},
                           {"point_on_line", 2, "Zxyz"},
                           {"parallel", 3, "XYZ"},
                           {"driven_revolute", 6, ""},
                           {"driven_prismatic", 6, ""},
                           {"motion", 6, ""},
                           {"driven_position", 1, "XYxyz"},
                           {"driven_angle", 1, "XYZxy"},
                           {"free", 0, "XYZxyz"}};
  const std::string motions = "XYZxyz";
  for (const Freedom& f : table) {
    const auto j = make(f.name);
    const JointState s = aligned();
    ASSERT_EQ(j->rows(), f.rows) << f.name;
    ASSERT_EQ(static_cast<int>(std::string(f.free).size()), 6 - f.rows) << f.name;
    if (f.rows == 0) continue;
    EXPECT_LT(residual_norm(*j, s), 1e-14) << f.name;
    for (int k = 0; k < 6; ++k) {
      VecX V = VecX::Zero(12);
      V.segment<3>(k < 3 ? 6 : 9) = s.m[0].R.col(k % 3);
      const bool is_free =
          std::string(f.free).find(motions[static_cast<std::size_t>(k)]) != std::string::npos;
      const double changed = speed(*j, s, V);
      EXPECT_TRUE(is_free ? changed < 1e-14 : changed > 0.9)
          << f.name << " " << motions[static_cast<std::size_t>(k)];
    }
  }
}

TEST(Joint, UniversalBendsAboutXofAandYofB) {
  const auto j = make("universal");
  JointState s = aligned();
  s.m[1].R = s.m[0].R * rotation_from_rotation_vector(0.6 * Vec3::UnitX()) *
             rotation_from_rotation_vector(-0.9 * Vec3::UnitY());
  EXPECT_LT(residual_norm(*j, s), 1e-14);
}

TEST(Joint, CoordinatesHaveTheirSigns) {
  JointState s = aligned();
  s.m[1].R = s.m[0].R * rotation_from_rotation_vector(0.3 * Vec3::UnitZ());
  s.m[1].p = s.m[0].p + 0.2 * s.m[0].R.col(2);
  EXPECT_NEAR(joint_angle(s.m[0], s.m[1]), 0.3, 1e-14);
  EXPECT_NEAR(joint_travel(s.m[0], s.m[1]), 0.2, 1e-14);
  EXPECT_TRUE(make("revolute")->has_coordinate() && make("revolute")->coordinate_is_angle());
  EXPECT_TRUE(make("prismatic")->has_coordinate() && !make("prismatic")->coordinate_is_angle());
  EXPECT_FALSE(make("spherical")->has_coordinate());
}

TEST(Joint, DrivesFollowTheirSignals) {
  JointState s = aligned();
  s.m[1].R = s.m[0].R * rotation_from_rotation_vector(0.3 * Vec3::UnitZ());
  for (const double turns : {-3.0, 0.0, 1.0, 5.0}) {
    s.u[0].value = 0.3 + 2 * kPi * turns;
    EXPECT_LT(residual_norm(*make("driven_revolute"), s), 1e-13);
    EXPECT_LT(residual_norm(*make("driven_angle"), s), 1e-13);
  }
  s = aligned();
  s.u[0].value = 0.2;
  s.m[1].p = s.m[0].p + 0.2 * s.m[0].R.col(2);
  EXPECT_LT(residual_norm(*make("driven_prismatic"), s), 1e-14);
  EXPECT_LT(residual_norm(*make("driven_position"), s), 1e-14);
  EXPECT_LT(residual_norm(*make("driven_distance"), s), 1e-14);
}

TEST(Joint, MotionUsesTaitBryanAngles) {
  JointState s = aligned();
  const Vec3 r(0.4, -0.2, 0.7), angles(0.3, 1.4, -2.1);
  for (std::size_t k = 0; k < 3; ++k) {
    s.u[k].value = r[static_cast<int>(k)];
    s.u[k + 3].value = angles[static_cast<int>(k)];
  }
  s.m[1].p = s.m[0].p + s.m[0].R * r;
  s.m[1].R = s.m[0].R * rotation_from_tait_bryan(angles);
  EXPECT_LT(residual_norm(*make("motion"), s), 1e-14);
}

TEST(Joint, RodInTensionPullsItsEndsTogether) {
  const auto j = make("rod", {{"length_m", "2"}});
  JointState s = aligned();
  s.m[1].p = s.m[0].p + Vec3(2, 0, 0);
  EXPECT_LT(residual_norm(*j, s), 1e-15);
  RowsByTwist W;
  j->velocity_matrix(s.input(), W);
  const double lambda = 10;
  EXPECT_NEAR(-W(0, 6) * lambda, -10, 1e-14);  // force on B along x
}

TEST(Joint, CouplerCountsTurns) {
  const auto j = make("gear", {{"ratio", "-2"}, {"offset_rad", "0"}});
  JointState s = aligned();
  j->start_memory(s.input(), s.memory.data());
  for (int step = 0; step <= 400; ++step) {
    const double angle = 0.1 * step;  // 6.4 turns
    s.m[1].R = s.m[0].R * rotation_from_rotation_vector(-2 * angle * Vec3::UnitZ());
    s.m[3].R = s.m[2].R * rotation_from_rotation_vector(angle * Vec3::UnitZ());
    ASSERT_LT(residual_norm(*j, s), 1e-11) << angle;
    j->update_memory(s.input(), s.memory.data());
  }
  EXPECT_NEAR(s.memory[0], -80, 1e-11);
  EXPECT_NEAR(s.memory[1], 40, 1e-11);
}

TEST(Joint, RackAndPinion) {
  const auto j =
      make("coupler",
           {{"coordinate_a", "angle"}, {"coordinate_b", "travel"}, {"ratio_a", "0.05"}, {"ratio_b", "-1"}});
  JointState s = aligned();
  s.m[1].R = s.m[0].R * rotation_from_rotation_vector(0.8 * Vec3::UnitZ());
  s.m[3].p = s.m[2].p + 0.04 * s.m[2].R.col(2);
  EXPECT_LT(residual_norm(*j, s), 1e-15);
}

TEST(Joint, WheelRollsForwardAndLeans) {
  const double r = 0.31, v = 2;
  const auto j = make("rolling", {{"radius_m", "0.31"}});
  JointState s = aligned();
  s.m[0].p.setZero();
  s.m[0].R.setIdentity();
  for (const double lean : {0.0, 0.4}) {
    s.m[1].R = rotation_from_rotation_vector(lean * Vec3::UnitX());
    s.m[1].p = Vec3(0.3, 0.2, r * std::cos(lean));
    s.m[1].v = Vec3(v, 0, 0);
    s.m[1].w = s.m[1].R.col(1) * (v / r);
    EXPECT_LT(residual_norm(*j, s), 1e-15);
    EXPECT_LT(speed(*j, s, s.twists(2)), 1e-14) << lean;
  }
}

std::string circle(int points, double radius) {
  std::string text = "[";
  for (int k = 0; k < points; ++k) {
    const double a = 2 * kPi * k / points;
    text += (k ? ", " : "") + std::to_string(radius * std::cos(a)) + ", " +
            std::to_string(radius * std::sin(a)) + ", 0.1";
  }
  return text + "]";
}

TEST(Joint, PointFollowsClosedCurveThroughItsSeam) {
  const double radius = 0.5;
  const auto j = make("point_on_curve", {{"points_m", circle(24, radius)}, {"closed", "true"}});
  JointState s = aligned();
  const auto go_to = [&](double a) {
    s.m[1].p = s.m[0].p + s.m[0].R * Vec3(radius * std::cos(a), radius * std::sin(a), 0.1);
  };
  go_to(0);
  j->start_memory(s.input(), s.memory.data());
  for (int k = 0; k <= 150; ++k) {
    go_to(0.1 * k);
    ASSERT_LT(residual_norm(*j, s), 2e-5) << k;  // cubic through 24 points
    JointState off = s;
    off.m[1].p += 0.03 * off.m[0].R.col(2);
    ASSERT_NEAR(residual_norm(*j, off), 0.03, 1e-4) << k;
    j->update_memory(s.input(), s.memory.data());
  }
}

TEST(GuideCurve, FrameOfATwistedClosedCurveIsContinuous) {
  std::vector<Vec3> points;  // a trefoil knot
  for (int k = 0; k < 60; ++k) {
    const double a = 2 * kPi * k / 60;
    points.emplace_back(std::sin(a) + 2 * std::sin(2 * a), std::cos(a) - 2 * std::cos(2 * a),
                        -std::sin(3 * a));
  }
  const GuideCurve curve(points, true);
  const double h = 1e-9 * curve.length();
  for (int k = 0; k < 500; ++k) {
    const double s = curve.length() * k / 500;
    const GuideCurve::Sample x = curve.at(s), before = curve.at(s - h), after = curve.at(s + h);
    EXPECT_LT((before.r1[0] - after.r1[0]).norm(), 1e-6);
    EXPECT_LT((before.C[2] - after.C[2]).norm(), 1e-5);
    EXPECT_NEAR(x.r1[0].norm(), 1, 0.01);
    EXPECT_NEAR(x.r1[0].dot(x.r2[0]), 0, 0.01);
    EXPECT_NEAR(x.C[1].dot(x.r1[0]), 0, 0.02);
  }
}

TEST(GuideCurve, FootIsNearestPoint) {
  const GuideCurve line({Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(2, 0, 0)}, false);
  EXPECT_NEAR(line.nearest({0.7, 0.3, -0.2}), 0.7, 1e-14);
  EXPECT_NEAR(line.nearest({2.6, 0.3, -0.2}), 2.6, 1e-14);  // straight on beyond the end
  EXPECT_NEAR(line.foot({1.9, 0.1, 0}, 0.2), 1.9, 1e-14);
}

TEST(Joint, ContradictoryParametersAreRefused) {
  EXPECT_THROW(make("point_on_curve", {{"points_m", "[0, 0, 0, 1, 0]"}}), Error);
  EXPECT_THROW(make("point_on_curve", {{"points_m", "[0, 0, 0]"}}), Error);
  EXPECT_THROW(make("point_on_curve", {{"points_m", "[0, 0, 0, 0, 0, 0, 1, 0, 0]"}}), Error);
  EXPECT_THROW(make("point_on_curve", {{"points_m", "[0, 0, 0, 1, 0, 0]"}, {"closed", "true"}}), Error);
  EXPECT_THROW(
      make("point_on_curve", {{"points_m", "[0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0]"}, {"closed", "true"}}),
      Error);
  EXPECT_THROW(make("point_on_curve", {{"points_m", "[0, 0, 0, 1, 0, 0, 0.01, 0.001, 0]"}}), Error);
  EXPECT_THROW(make("coupler", {{"ratio_a", "0"}, {"ratio_b", "0"}}), Error);
}

}  // namespace
}  // namespace monocoque::test

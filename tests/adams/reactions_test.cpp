// Reactions of every joint type, from the channels of a run alone: momentum balance of a body on the joint
// (forces, and moments about the centre of mass), no work where no drive feeds the joint, only the components
// the joint can carry, and the known wrench of a body at rest.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>

#include "support/recorded_run.h"
#include "support/verify_row.h"

namespace monocoque::test {
namespace {

constexpr const char* kBalanceSection = "Reactions of every joint type against Newton and Euler";
constexpr double kMass = 2.3, kStep = 0.001, kEnd = 0.25;
const Vec3 kGravity(0.6, -0.9, -9.4);  // skew, so that no component hides
const Vec3 kZero(0, 0, 0), kCenter(0.11, -0.07, 0.05), kFrame(0.21, 0.13, -0.17);

Mat3 inertia() {
  Mat3 I;
  I << 0.31, 0.02, -0.03, 0.02, 0.44, 0.04, -0.03, 0.04, 0.52;
  return I;
}

/// What a joint may not transmit to B: zero for the right convention. R of A and B, d from A to B.
struct Contact {
  Vec3 F, T, d;
  Mat3 A, B;
};
using Forbidden = std::function<double(const Contact&)>;

struct JointCase {
  std::string type, fields;    ///< fields: ", length_m: 1"
  Vec3 offset = Vec3::Zero();  ///< of B's origin from A's at the start, axes of A
  bool works = false;          ///< driven: its reaction does work
  std::string guide = "";      ///< a joint of this type beside it
  Forbidden forbidden = nullptr;
};

double along(const Vec3& v, const Vec3& axis) {
  return std::abs(v.dot(axis));
}
double across(const Vec3& v, const Vec3& axis) {
  return v.cross(axis.normalized()).norm();
}

const std::vector<JointCase>& cases() {
  static const std::vector<JointCase> list = {
      {"spherical", "", kZero, false, "", [](const Contact& c) { return c.T.norm(); }},
      {"revolute", "", kZero, false, "", [](const Contact& c) { return along(c.T, c.A.col(2)); }},
      {"cylindrical", "", kZero, false, "",
       [](const Contact& c) { return along(c.T, c.A.col(2)) + along(c.F, c.A.col(2)); }},
      {"prismatic", "", kZero, false, "", [](const Contact& c) { return along(c.F, c.A.col(2)); }},
      {"universal", "", kZero, false, "",
       [](const Contact& c) { return across(c.T, c.A.col(0).cross(c.B.col(1))); }},
      {"rigid", ""},
      {"planar", "", kZero, false, "",
       [](const Contact& c) { return along(c.T, c.A.col(2)) + across(c.F, c.A.col(2)); }},
      {"point_on_line", "", kZero, false, "",
       [](const Contact& c) { return c.T.norm() + along(c.F, c.A.col(2)); }},
      {"point_on_plane", "", kZero, false, "",
       [](const Contact& c) { return c.T.norm() + across(c.F, c.A.col(2)); }},
      {"parallel", "", kZero, false, "", [](const Contact& c) { return c.F.norm(); }},
      {"rod", ", length_m: 0.7", Vec3(0.3, 0.2, -0.6), false, "",
       [](const Contact& c) { return c.T.norm() + across(c.F, c.d); }},
      {"steered_rod", ", length_m: 0.7, travel_m: 0.1*sin(2*t)", Vec3(0.3, 0.2, -0.6), true, "",
       [](const Contact& c) { return c.T.norm(); }},
      {"driven_revolute", ", angle_rad: 0.4*sin(3*t)", kZero, true},
      {"driven_angle", ", angle_rad: 0.4*sin(3*t)", kZero, true, "revolute"},
      {"driven_prismatic", ", travel_m: 0.3*sin(2*t)", kZero, true},
      {"driven_position", ", travel_m: 0.3*sin(2*t)", kZero, true, "prismatic"},
      {"driven_distance", ", length_m: 0.7+0.1*sin(2*t)", Vec3(0.3, 0.2, -0.6), true, "",
       [](const Contact& c) { return c.T.norm() + across(c.F, c.d); }},
      {"motion", ", x_m: 0.2*sin(t), z_m: 0.1*t, yaw_rad: 0.5*t, roll_rad: 0.3*sin(2*t)", kZero, true},
      {"point_on_curve", ", points_m: [-1, 0.3, -0.1, -0.4, 0.1, 0, 0, 0, 0, 0.5, 0.1, 0.1, 1.2, 0.2, 0.4]",
       kZero, false, "", [](const Contact& c) { return c.T.norm(); }},
      {"rolling", ", radius_m: 0.4", Vec3(0, 0, 0.4), false},
  };
  return list;
}

std::string list(const Vec3& v) {
  return fmt::format("[{}, {}, {}]", v.x(), v.y(), v.z());
}
std::string quaternion(const Mat3& R) {
  const Vec4 q = quaternion_from_rotation(R);
  return fmt::format("{{quaternion: [{}, {}, {}, {}]}}", q[0], q[1], q[2], q[3]);
}

std::string body(const std::string& name, const Vec3& center, const Vec3& frame, const Mat3& R, bool moving) {
  return fmt::format(
      "  - {{name: {}, mass_kg: {}, inertia_kg_m2: [0.31, 0.44, 0.52, 0.02, -0.03, 0.04], center_of_mass_m: "
      "{},\n"
      "     velocity_m_per_s: {}, angular_velocity_rad_per_s: {}, frames: [{{name: f, position_m: {}, "
      "orientation: "
      "{}}}]}}\n",
      name, kMass, list(center), list(moving ? Vec3(0.4, -0.3, 0.2) : Vec3::Zero()),
      list(moving ? Vec3(0.9, 0.5, -0.7) : Vec3::Zero()), list(frame), quaternion(R));
}

std::string head(const Vec3& gravity) {
  return "monocoque: 1\nname: held\ngravity_m_per_s2: " + list(gravity) + "\n";
}

std::string settings(double end) {
  return fmt::format(
      "simulation: {{solver: ida, relative_tolerance: 1e-10, absolute_tolerance: 1e-12, end_s: {}, "
      "output_step_s: {}}}\n",
      end, kStep);
}

/// A body whose frame f is held from the ground by the joint of the case.
RecordedRun held(const JointCase& c, const Vec3& gravity, const Vec3& center, const Vec3& frame,
                 const Mat3& R, bool moving, double end) {
  const std::string ends =
      fmt::format(", from: {{part: ground, position_m: {}, orientation: {}}}, to: body.f",
                  list(frame - R * c.offset), quaternion(R));
  std::string text = head(gravity) + "parts:\n" + body("body", center, frame, R, moving) + "interacts:\n";
  if (!c.guide.empty()) text += "  - {name: guide, type: " + c.guide + ends + "}\n";
  text += "  - {name: joint, type: " + c.type + ends + c.fields + "}\n";
  return RecordedRun(read_text(text + settings(end)));
}

/// Momentum and angular momentum about the centre of mass, from positions and velocities.
struct Momentum {
  Vec3 linear, angular;
};

Momentum momentum(const RecordedRun& run, std::size_t i, const std::string& part) {
  const Mat3 R = rotation_from_quaternion(run.quaternion(i, part));
  const Vec3 w = run.vector(i, part + "/angular_velocity");
  return {kMass * (run.vector(i, part + "/velocity") + w.cross(R * kCenter)),
          R * (inertia() * (R.transpose() * w))};
}

/// Errors of both balances, of the weight (and the weight times 1 m).
struct Balance {
  double instant = 0;     ///< with the accelerations recorded
  double difference = 0;  ///< with the momenta differentiated by differences: needs velocities only
  void take(const Balance& b) {
    instant = std::max(instant, b.instant);
    difference = std::max(difference, b.difference);
  }
};

/// At output i; F and T on f.
Balance balance_at(const RecordedRun& run, std::size_t i, const std::string& part, const Vec3& F,
                   const Vec3& T) {
  const Momentum far_before = momentum(run, i - 2, part), before = momentum(run, i - 1, part),
                 after = momentum(run, i + 1, part), far_after = momentum(run, i + 2, part);
  const auto rate = [](const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) -> Vec3 {
    return (a - 8 * b + 8 * c - d) / (12 * kStep);
  };
  const Mat3 R = rotation_from_quaternion(run.quaternion(i, part)), I = R * inertia() * R.transpose();
  const Vec3 w = run.vector(i, part + "/angular_velocity"),
             alpha = run.vector(i, part + "/angular_acceleration");
  const Vec3 r = R * kCenter, force = F + kMass * kGravity, moment = T + (R * (kFrame - kCenter)).cross(F);
  const Vec3 a = run.vector(i, part + "/acceleration") + alpha.cross(r) + w.cross(w.cross(r));
  const Vec3 push = rate(far_before.linear, before.linear, after.linear, far_after.linear);
  const Vec3 turn = rate(far_before.angular, before.angular, after.angular, far_after.angular);
  const double weight = kMass * kGravity.norm();
  return {std::max((kMass * a - force).norm(), (I * alpha + w.cross(I * w) - moment).norm()) / weight,
          std::max((push - force).norm(), (turn - moment).norm()) / weight};
}

void report(const std::string& type, const Balance& b, const char* remark) {
  verify_row(kBalanceSection, type, "momentum balance, recorded accelerations",
             fmt::format("{:.1e}", b.instant), "0", b.instant, remark);
  verify_row(kBalanceSection, type, "momentum balance, differences of velocities",
             fmt::format("{:.1e}", b.difference), "0", b.difference, remark);
}

TEST(Reactions, EveryTypeBalancesTheMomentum) {
  verify_note(
      kBalanceSection,
      "A body with its centre of mass off the joint moves on each joint type under skew gravity. Reaction "
      "and "
      "gravity against the change of momentum and of angular momentum about the centre of mass, from the "
      "channels of the run alone. The same tests assert that undriven joints do no work, that each type "
      "carries only its own force and torque components, and the wrench of a body at rest.");
  const Mat3 A = rotation_from_rotation_vector(Vec3(0.3, -0.5, 0.4));
  for (const JointCase& c : cases()) {
    SCOPED_TRACE(c.type);
    // The wheel must not lie down: axle nearly along the plane.
    const Mat3 R = c.type == "rolling" ? rotation_from_rotation_vector(Vec3(0.1, 0.05, 0.4)) : A;
    const RecordedRun run = held(c, kGravity, kCenter, kFrame, R, true, kEnd);
    const Vec3 point_A = kFrame - R * c.offset;
    Balance balance;
    double work = 0, forbidden = 0, motion = 0;
    for (std::size_t i = 2; i + 2 < run.size(); ++i) {
      Contact k;
      k.F = run.vector(i, "joint/reaction/force");
      k.T = run.vector(i, "joint/reaction/torque");
      const Mat3 body_R = rotation_from_quaternion(run.quaternion(i, "body"));
      const Vec3 w = run.vector(i, "body/angular_velocity"), arm = body_R * kFrame;
      const Vec3 v = run.vector(i, "body/velocity") + w.cross(arm);
      k.A = R;
      k.B = body_R * R;
      k.d = run.vector(i, "body/position") + arm - point_A;
      if (c.forbidden) forbidden = std::max(forbidden, c.forbidden(k));
      work = std::max(work, std::abs(k.F.dot(v) + k.T.dot(w)));
      motion = std::max(motion, v.norm() + w.norm());
      if (!c.guide.empty()) {
        k.F += run.vector(i, "guide/reaction/force");
        k.T += run.vector(i, "guide/reaction/torque");
      }
      balance.take(balance_at(run, i, "body", k.F, k.T));
    }
    EXPECT_LE(balance.instant, 1e-13);
    // Forces on a curve have a kink where the point passes one of the given points.
    EXPECT_LE(balance.difference, c.type == "point_on_curve" ? 5e-6 : 1e-7);
    EXPECT_LE(forbidden, 1e-7);
    if (c.works)
      EXPECT_GT(work, 0.01);
    else
      EXPECT_LE(work, 1e-7);
    EXPECT_TRUE(motion > 0.2 || c.type == "rigid") << motion;
    report(c.type, balance, "of the weight, over 0.25 s");
  }
}

// Two bodies on hinges; the coupler's channel is its torque on the first one, the second feels it by the
// ratio.
TEST(Reactions, CouplersBalanceTheMomentumOfBothSides) {
  const Mat3 A = rotation_from_rotation_vector(Vec3(0.3, -0.5, 0.4));
  const Vec3 axis = A.col(2);
  struct Kind {
    std::string type, fields, second;
    double ratio;  ///< of the second coordinate by the first
  };
  for (const Kind& c :
       {Kind{"gear", ", ratio: -2.5", "revolute", 2.5},
        Kind{"coupler", ", ratio_a: 0.7, ratio_b: -1.3, coordinate_b: travel", "prismatic", -1.3 / 0.7}}) {
    SCOPED_TRACE(c.type);
    const std::string ground =
        fmt::format(", from: {{part: ground, position_m: {}, orientation: {}}}", list(kFrame), quaternion(A));
    std::string text = head(kGravity) + "parts:\n" + body("one", kCenter, kFrame, A, true) +
                       body("two", kCenter, kFrame, A, true) + "interacts:\n";
    text += "  - {name: first, type: revolute" + ground + ", to: one.f}\n";
    text += "  - {name: second, type: " + c.second + ground + ", to: two.f}\n";
    text += "  - {name: joint, type: " + c.type + ", joints: [first, second]" + c.fields + "}\n";
    const RecordedRun run(read_text(text + settings(kEnd)));
    Balance balance;
    for (std::size_t i = 2; i + 2 < run.size(); ++i) {
      const Vec3 T = run.vector(i, "joint/reaction/torque");
      EXPECT_LE(run.vector(i, "joint/reaction/force").norm() + across(T, axis), 1e-8);
      Vec3 F2 = run.vector(i, "second/reaction/force"), T2 = run.vector(i, "second/reaction/torque");
      (c.second == "revolute" ? T2 : F2) += c.ratio * T.dot(axis) * axis;
      balance.take(balance_at(run, i, "one", run.vector(i, "first/reaction/force"),
                              T + run.vector(i, "first/reaction/torque")));
      balance.take(balance_at(run, i, "two", F2, T2));
    }
    EXPECT_LE(balance.instant, 1e-13);
    EXPECT_LE(balance.difference, 1e-7);
    report(c.type, balance, "of the weight, both bodies, over 0.25 s");
  }
}

// A body at rest: the reaction is its weight, with the moment of the weight about the joint.
TEST(Reactions, ABodyAtRestHangsWithItsWeight) {
  const Mat3 level = Mat3::Identity();
  const Mat3 lying = rotation_from_rotation_vector(Vec3(-std::acos(0.0), 0, 0));  // z along world y
  const Vec3 down(0, 0, -9.81), below(0, 0, -0.4), beside(0.2, 0.3, -0.4);
  struct Rest {
    JointCase joint;
    Mat3 R;
    Vec3 center;
  };
  const Vec3 on_axis(0, 0.3, -0.4);
  const std::vector<Rest> rests = {
      {{"spherical", ""}, lying, below},
      {{"revolute", ""}, lying, on_axis},
      {{"cylindrical", ""}, lying, on_axis},
      {{"prismatic", ""}, lying, beside},
      {{"universal", ""}, level, below},
      {{"rigid", ""}, lying, beside},
      {{"planar", ""}, level, beside},
      {{"point_on_line", ""}, lying, below},
      {{"point_on_plane", ""}, level, below},
      {{"rod", ", length_m: 0.7", Vec3(0, 0, -0.7)}, level, below},
      {{"steered_rod", ", length_m: 0.7, travel_m: 0", Vec3(0, 0, -0.7)}, level, below},
      {{"driven_revolute", ", angle_rad: 0"}, lying, beside},
      {{"driven_angle", ", angle_rad: 0", kZero, false, "revolute"}, lying, beside},
      {{"driven_prismatic", ", travel_m: 0"}, level, beside},
      {{"driven_position", ", travel_m: 0", kZero, false, "prismatic"}, level, beside},
      {{"driven_distance", ", length_m: 0.7", Vec3(0, 0, -0.7)}, level, below},
      {{"motion", ""}, lying, beside},
      {{"point_on_curve", ", points_m: [-1, 0, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0]"}, level, below},
      {{"rolling", ", radius_m: 0.4", Vec3(0, 0, 0.4)}, level, Vec3(0, 0, 0)},
  };
  for (const Rest& c : rests) {
    SCOPED_TRACE(c.joint.type);
    const RecordedRun run = held(c.joint, down, c.center, Vec3::Zero(), c.R, false, 0.2);
    const std::size_t last = run.size() - 1;
    Vec3 F = run.vector(last, "joint/reaction/force"), T = run.vector(last, "joint/reaction/torque");
    if (!c.joint.guide.empty()) {
      F += run.vector(last, "guide/reaction/force");
      T += run.vector(last, "guide/reaction/torque");
    }
    const Vec3 weight = kMass * down;
    EXPECT_LE(run.vector(last, "body/position").norm(), 1e-9);
    EXPECT_LE((F + weight).norm(), 1e-7);
    EXPECT_LE((T + c.center.cross(weight)).norm(), 1e-7);
  }
}

TEST(Reactions, NoTypeIsForgotten) {
  // free carries nothing; the differential has its own closed form (tests/vehicle/differential_test.cpp)
  std::set<std::string> covered = {"free", "coupler", "gear", "differential"};
  for (const JointCase& c : cases()) covered.insert(c.type);
  for (const auto& type : joint_types()) EXPECT_TRUE(covered.count(type.info.name)) << type.info.name;
}

}  // namespace
}  // namespace monocoque::test

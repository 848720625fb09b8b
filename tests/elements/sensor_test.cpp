// Sensors against hand values and against differences of a motion; controllers in closed loop.

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include "force_test_support.h"

namespace monocoque {
namespace {

using namespace force_test;
using Changes = std::vector<std::pair<std::string, std::string>>;

std::vector<double> measure(const std::string& name, const MarkerKinematics& a, const MarkerKinematics& b,
                            const Changes& changes = {}, const Vec6& wrench = Vec6::Zero()) {
  const ElementType<Sensor>& type = find(sensor_types(), name);
  io::ParameterSet p = defaults(type.info);
  for (const auto& [field, text] : changes) set(p, type.info, field, text);
  const auto sensor = type.make(p);
  std::vector<double> values(sensor->outputs().size(), std::nan(""));
  SensorInput in;
  in.m[0] = &a;
  in.m[1] = &b;
  in.wrench = &wrench;
  sensor->measure(in, values.data());
  return values;
}

Vec3 measure3(const std::string& name, const MarkerKinematics& a, const MarkerKinematics& b,
              const Changes& changes = {}) {
  return Vec3(measure(name, a, b, changes).data());
}

/// A motion with constant acceleration of the origin and constant angular acceleration about a fixed axis.
MarkerKinematics moving(const MarkerKinematics& start, double t) {
  MarkerKinematics m = start;
  m.p += t * start.v + 0.5 * t * t * start.a;
  m.v += t * start.a;
  m.w += t * start.alpha;
  m.R = rotation_from_rotation_vector(t * start.w + 0.5 * t * t * start.alpha) * start.R;
  return m;
}

/// Two such motions; alpha is along w so that the rotation is about a fixed axis.
std::array<MarkerKinematics, 2> two_motions() {
  Random random(11);
  std::array<MarkerKinematics, 2> m = {random_marker(random), random_marker(random)};
  for (MarkerKinematics& x : m) x.alpha = 0.7 * x.w;
  m[1].R = m[0].R * random.rotation(0.6);
  return m;
}

/// A sensor that says it needs no accelerations must not read them: controllers get it without.
TEST(Sensor, ThoseThatNeedNoAccelerationsReadNone) {
  const double nan = std::nan("");
  auto m = two_motions();
  for (MarkerKinematics& x : m) x.a = x.alpha = Vec3::Constant(nan);
  const Vec6 wrench = Vec6::Constant(nan);
  for (const ElementType<Sensor>& type : sensor_types()) {
    const bool needs = type.make(defaults(type.info))->needs_accelerations();
    bool finite = true;
    for (const double v : measure(type.info.name, m[0], m[1], {}, wrench))
      finite = finite && std::isfinite(v);
    EXPECT_EQ(finite, !needs) << type.info.name;
  }
}

TEST(Sensor, RatesAreDerivativesOfPositions) {
  const auto m = two_motions();
  const double h = 1e-5;
  const auto rate = [&](const std::string& name, int k, const Changes& changes = {}) {
    const auto at = [&](double t) {
      return measure(name, moving(m[0], t), moving(m[1], t), changes)[static_cast<std::size_t>(k)];
    };
    return (at(h) - at(-h)) / (2 * h);
  };
  const Vec3 v = measure3("velocity", m[0], m[1]);
  const Vec3 v_point = measure3("velocity", m[0], m[1], {{"axes", "world"}, {"relative_to", "point"}});
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(rate("position", k), v[k], 1e-8);
    EXPECT_NEAR(rate("position", k, {{"axes", "world"}}), v_point[k], 1e-8);
    EXPECT_NEAR(rate("velocity", k, {{"axes", "world"}, {"relative_to", "point"}}),
                measure3("acceleration", m[0], m[1], {{"axes", "world"}})[k], 1e-7);
    EXPECT_NEAR(rate("angular_velocity", k, {{"axes", "world"}}),
                measure3("angular_acceleration", m[0], m[1], {{"axes", "world"}})[k], 1e-7);
  }
  EXPECT_NEAR(rate("distance", 0), measure("distance_rate", m[0], m[1])[0], 1e-8);
  // Roll, pitch and yaw rates by the kinematic matrix on the angular velocity in axes of B.
  const Vec3 angles = measure3("tait_bryan", m[0], m[1]);
  const Vec3 expected =
      tait_bryan_kinematic_matrix(angles) * measure3("angular_velocity", m[0], m[1], {{"axes", "to"}});
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(rate("tait_bryan", k), expected[k], 1e-7);
}

TEST(Sensor, AxesAreThoseOfTheFrames) {
  const auto m = two_motions();
  for (const char* name :
       {"position", "velocity", "angular_velocity", "acceleration", "angular_acceleration"}) {
    const Vec3 world = measure3(name, m[0], m[1], {{"axes", "world"}});
    EXPECT_LE((m[0].R * measure3(name, m[0], m[1]) - world).norm(), 1e-12) << name;
    EXPECT_LE((m[1].R * measure3(name, m[0], m[1], {{"axes", "to"}}) - world).norm(), 1e-12) << name;
  }
}

TEST(Sensor, HandValues) {
  MarkerKinematics a = marker_at_rest(Vec3(1, 0, 0), rotation_from_rotation_vector(Vec3(0, 0, M_PI / 2)));
  MarkerKinematics b =
      marker_at_rest(Vec3(1, 3, 4), rotation_from_rotation_vector(Vec3(0, 0, M_PI / 2 + 0.3)));
  EXPECT_LE((measure3("position", a, b) - Vec3(3, 0, 4)).norm(), 1e-12);
  EXPECT_NEAR(measure("distance", a, b)[0], 5, 1e-12);
  EXPECT_NEAR(measure("angle", a, b)[0], 0.3, 1e-12);
  EXPECT_NEAR(measure("tait_bryan", a, b)[2], 0.3, 1e-12);
  const std::vector<double> q = measure("orientation", a, b);
  EXPECT_NEAR(q[0], std::cos(0.15), 1e-12);
  EXPECT_NEAR(q[3], std::sin(0.15), 1e-12);
  a.a = Vec3(0, 1, 0);
  b.a = Vec3(0, 3, 0);
  EXPECT_LE((measure3("acceleration", a, b) - Vec3(2, 0, 0)).norm(), 1e-12);
}

TEST(Sensor, ReactionInTheChosenAxes) {
  const MarkerKinematics a =
      marker_at_rest(Vec3::Zero(), rotation_from_rotation_vector(Vec3(0, 0, M_PI / 2)));
  const MarkerKinematics b = marker_at_rest();
  Vec6 wrench;
  wrench << 1, 2, 3, 4, 5, 6;
  EXPECT_EQ(measure("reaction", a, b, {{"axes", "to"}}, wrench), (std::vector<double>{1, 2, 3, 4, 5, 6}));
  const std::vector<double> from = measure("reaction", a, b, {}, wrench);
  const double expected[] = {2, -1, 3, 5, -4, 6};
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(from[k], expected[k], 1e-12);
}

TEST(Sensor, EveryTypeSetsEveryValue) {
  const auto m = two_motions();
  Vec6 wrench;
  wrench << 1, 2, 3, 4, 5, 6;
  for (const auto& type : sensor_types()) {
    EXPECT_FALSE(type.info.doc.empty()) << type.info.name;
    EXPECT_EQ(type.info.group, io::Group::sensor) << type.info.name;
    for (const double value : measure(type.info.name, m[0], m[1], {}, wrench))
      EXPECT_TRUE(std::isfinite(value)) << type.info.name;
    const auto sensor = type.make(defaults(type.info));
    for (const Sensor::Output& output : sensor->outputs())
      EXPECT_FALSE(output.unit.empty()) << type.info.name;
  }
}

TEST(Sensor, TypeNamesAreUnique) {
  std::vector<std::string> names;
  for (const auto& t : force_types()) names.push_back(t.info.name);
  for (const auto& t : sensor_types()) names.push_back(t.info.name);
  for (const auto& t : controller_types()) names.push_back(t.info.name);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

std::unique_ptr<Controller> controller(const std::string& name, const Changes& changes) {
  const ElementType<Controller>& type = find(controller_types(), name);
  io::ParameterSet p = defaults(type.info);
  for (const auto& [field, text] : changes) set(p, type.info, field, text);
  return type.make(p);
}

/// First-order plant T y' = u - y under the held output, exact between samples; returns y at every sample.
std::vector<double> closed_loop(const Controller& c, double time_constant, int samples) {
  std::vector<double> r(static_cast<std::size_t>(c.state_count())), history;
  c.start(r.data());
  double y = 0;
  for (int i = 0; i < samples; ++i) {
    c.sample(i * c.period_s(), &y, r.data());
    y = r[0] + (y - r[0]) * std::exp(-c.period_s() / time_constant);
    history.push_back(y);
  }
  return history;
}

TEST(Controller, ProportionalStepHasTheKnownSteadyError) {
  const auto p = controller("pid", {{"setpoint", "2"}, {"proportional", "4"}, {"sample_s", "0.01"}});
  // The sampled loop has the factor a - kp (1 - a), a = exp(-h/T): its response is known at every sample.
  const double a = std::exp(-0.01 / 0.5), factor = a - 4 * (1 - a), rest = 2 * 4.0 / 5.0;
  const std::vector<double> y = closed_loop(*p, 0.5, 400);
  for (std::size_t i = 0; i < y.size(); ++i)
    EXPECT_NEAR(y[i], rest * (1 - std::pow(factor, static_cast<double>(i + 1))), 1e-12);
}

TEST(Controller, IntegralRemovesTheError) {
  const auto pid = controller("pid", {{"setpoint", "2"},
                                      {"proportional", "4"},
                                      {"integral", "8"},
                                      {"derivative", "0.02"},
                                      {"sample_s", "0.01"}});
  EXPECT_NEAR(closed_loop(*pid, 0.5, 2000).back(), 2, 1e-9);
  EXPECT_EQ(pid->sensors(), std::vector<std::string>{"height/z"});
}

TEST(Controller, AntiWindupLimitsTheOvershoot) {
  const Changes limited = {{"setpoint", "2"},    {"proportional", "4"}, {"integral", "8"},
                           {"sample_s", "0.01"}, {"output_max", "2.2"}, {"output_min", "-2.2"}};
  const auto pid = controller("pid", limited);
  const std::vector<double> y = closed_loop(*pid, 0.5, 3000);
  EXPECT_NEAR(y.back(), 2, 1e-6);
  EXPECT_LT(*std::max_element(y.begin(), y.end()), 2.02);
  // Held at the limit for long, the integral stays where it was.
  std::vector<double> r(static_cast<std::size_t>(pid->state_count()));
  pid->start(r.data());
  const double far = -100;
  for (int i = 0; i < 1000; ++i) pid->sample(0.01 * i, &far, r.data());
  EXPECT_EQ(r[0], 2.2);
  EXPECT_EQ(r[1], 0);
}

TEST(Controller, DerivativePartOfARamp) {
  const auto pid =
      controller("pid", {{"proportional", "0"}, {"derivative", "3"}, {"sample_s", "0.1"}, {"offset", "1"}});
  std::vector<double> r(static_cast<std::size_t>(pid->state_count()));
  pid->start(r.data());
  double y = 5;
  pid->sample(0, &y, r.data());
  EXPECT_EQ(r[0], 1);  // no derivative at the first sample
  y = 5.2;
  pid->sample(0.1, &y, r.data());
  EXPECT_NEAR(r[0], 1 - 3 * 2, 1e-12);
}

TEST(Controller, ContradictingLimitsAreRefused) {
  EXPECT_THROW(controller("pid", {{"output_min", "1"}, {"output_max", "-1"}}), Error);
  EXPECT_THROW(controller("relay", {{"on_above", "1"}, {"off_below", "2"}}), Error);
}

TEST(Controller, RelayHasHysteresis) {
  const auto relay = controller(
      "relay", {{"on_above", "1"}, {"off_below", "0.5"}, {"output_on", "7"}, {"output_off", "-7"}});
  std::vector<double> r(static_cast<std::size_t>(relay->state_count()));
  relay->start(r.data());
  const double y[] = {0.7, 1.1, 0.7, 0.4, 0.7}, expected[] = {-7, 7, 7, -7, -7};
  for (int i = 0; i < 5; ++i) {
    relay->sample(0.1 * i, &y[i], r.data());
    EXPECT_EQ(r[0], expected[i]) << i;
  }
}

}  // namespace
}  // namespace monocoque

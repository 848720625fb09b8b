// The handling tests on a rigid car with rigid suspension and its centre of gravity next to the road: a
// linear single-track car, whose understeer gradient, critical speed and step response have closed forms.
//   C_i = B_i C_M Fz_i per axle (reference tire at zero slip),  K = m_f/C_f - m_r/C_r = (1/(B_f C_M) - 1/(B_r
//   C_M))/g, v_crit^2 = -L/K.

#include "analysis/handling/handling.h"

#include <cmath>

#include "support/run.h"

namespace monocoque::test {
namespace {

using analysis::CarTrace;
using analysis::HandlingCar;
using analysis::SteeringCurve;
using analysis::TestDrive;

// Wheels of 5 kg with their carriers; masses and inertias of the whole car follow in Plane.
const char* const kCar = R"(
monocoque: 1
name: flat car
parameters: {speed_m_per_s: 10, hold_speed: 0, B_front: 10, B_rear: 10, z: 0.3, low: 0.02, a: 1.2, b: 1.5, w: 0.75,
             k: 200000, load_f: 9.81*(1480*b/(a + b) + 10)/2, load_r: 9.81*(1480*a/(a + b) + 10)/2}
signals: [{name: steering, formula: "0"}]
controllers:
  - {name: speed_control, type: pid, sensor: speed/x, setpoint: speed_m_per_s, sample_s: 0.01,
     proportional: 400*hold_speed, integral: 200*hold_speed}
parts:
  - {name: body, mass_kg: 1480, inertia_kg_m2: [500, 2000, 2300], position_m: [0, 0, low], velocity_m_per_s: [speed_m_per_s, 0, 0]}
interacts:
  - {name: speed, type: velocity, from: ground, to: body, axes: to}
subsystem_types:
  front:
    ports: [body]
    parameters: {s: 1}
    parts:
      - name: hub
        mass_kg: 1
        inertia_kg_m2: [0.01, 0.01, 0.01]
        position_m: [a, s*w, z]
        velocity_m_per_s: [speed_m_per_s, 0, 0]
        rotors: [{name: wheel, mass_kg: 4, axial_inertia_kg_m2: 0.05, transverse_inertia_kg_m2: 0.03, axis: [0, 1, 0],
                  speed_rad_per_s: speed_m_per_s/z}]
        frames: [{name: wheel, rotor: wheel}]
    interacts:
      - {name: kingpin, type: driven_revolute, from: {part: body, position_m: [a, s*w, z - low]}, to: hub, angle_rad: steering}
      - {name: tire, type: reference_tire, from: ground, to: hub.wheel, radius_m: z + load_f/k, stiffness_factor_B: B_front,
         vertical_stiffness_N_per_m: k, vertical_damping_Ns_per_m: 2000}
      - {name: drive, type: actuator_torque, from: {part: hub, orientation: {z_axis: [0, 1, 0]}}, to: hub.wheel,
         torque_Nm: speed_control}
  rear:
    ports: [body]
    parameters: {s: 1}
    parts:
      - name: hub
        mass_kg: 1
        inertia_kg_m2: [0.01, 0.01, 0.01]
        position_m: [-b, s*w, z]
        velocity_m_per_s: [speed_m_per_s, 0, 0]
        rotors: [{name: wheel, mass_kg: 4, axial_inertia_kg_m2: 0.05, transverse_inertia_kg_m2: 0.03, axis: [0, 1, 0],
                  speed_rad_per_s: speed_m_per_s/z}]
        frames: [{name: wheel, rotor: wheel}]
    interacts:
      - {name: weld, type: rigid, from: {part: body, position_m: [-b, s*w, z - low]}, to: hub}
      - {name: tire, type: reference_tire, from: ground, to: hub.wheel, radius_m: z + load_r/k, stiffness_factor_B: B_rear,
         vertical_stiffness_N_per_m: k, vertical_damping_Ns_per_m: 2000}
subsystems:
  - {name: FL, type: front, connect: {body: body}}
  - {name: FR, type: front, connect: {body: body}, parameters: {s: -1}}
  - {name: RL, type: rear, connect: {body: body}}
  - {name: RR, type: rear, connect: {body: body}, parameters: {s: -1}}
)";

HandlingCar flat_car(double B_front, double B_rear) {
  HandlingCar car;
  car.names = {"steering", "body", {"FL/hub", "FR/hub"}, {"RL/hub", "RR/hub"}};
  car.at_speed = [=](double speed, bool hold) {
    io::ReadOptions options;
    for (const auto& [name, value] : {std::pair{"speed_m_per_s", speed},
                                      {"hold_speed", hold ? 1.0 : 0.0},
                                      {"B_front", B_front},
                                      {"B_rear", B_rear}})
      options.overrides.emplace_back(name, fmt::format("{:.17g}", value));
    Diagnostics diagnostics;
    auto spec = io::read_scenario_text(kCar, "flat-car.yaml", element_library(), options, diagnostics);
    diagnostics.throw_if_errors();
    return spec;
  };
  return car;
}

using Vec2 = Eigen::Vector2d;

constexpr double kG = 9.81, kShape = 1.9;

/// The linear single-track car.
struct Plane {
  double m = 1500, L = 2.7, a = 0, b = 0, J = 0, Cf = 0, Cr = 0;
  Plane(double B_front, double B_rear) {
    const double x = 10 * (1.2 - 1.5) / m;
    a = 1.2 - x;
    b = 1.5 + x;
    J = 2300 + 1480 * x * x + 4 * (0.01 + 0.03);
    for (const double arm : {a, b}) J += 10 * (arm * arm + 0.75 * 0.75);
    Cf = B_front * kShape * m * kG * b / L;
    Cr = B_rear * kShape * m * kG * a / L;
  }
  double gradient() const { return m * b / L / Cf - m * a / L / Cr; }
  /// Rates of sideslip velocity and yaw rate.
  Vec2 rate(double v, const Vec2& y, double steer) const {
    const double ff = Cf * (steer - (y[0] + a * y[1]) / v), fr = -Cr * (y[0] - b * y[1]) / v;
    return {(ff + fr) / m - v * y[1], (a * ff - b * fr) / J};
  }
};

analysis::DriveSettings quick_drive(double step_s = 0.005) {
  analysis::DriveSettings s;
  s.step_s = step_s;
  return s;
}

void expect_close(const std::string& what, double measured, double closed, double bound) {
  verify_row("Handling, rigid car", what, "against the closed form of the single-track car",
             fmt::format("{:.5g}", measured), fmt::format("{:.5g}", closed), std::abs(measured / closed - 1),
             "relative");
  EXPECT_NEAR(measured / closed, 1, bound) << what;
}

// Bound of all figures: 1 %, for the curvature of the tires and the little the car rolls on them.
TEST(Handling, UndersteerOfTheRigidCar) {
  const double B_front = 8, B_rear = 11;
  const TestDrive drive(flat_car(B_front, B_rear), quick_drive(0.01));
  const Plane plane(B_front, B_rear);
  EXPECT_NEAR(drive.sizes().mass_kg, plane.m, 1e-9);
  EXPECT_NEAR(drive.sizes().front_m, plane.a, 1e-9);
  EXPECT_NEAR(drive.sizes().wheelbase_m, plane.L, 1e-9);
  const SteeringCurve steering = steering_curve(drive, 0.01, 0.2);
  EXPECT_NEAR(steering.ratio, 1, 1e-3);
  const analysis::SteadyCornering s = steady_cornering(drive, steering, 20, {}, false);
  expect_close("understeer gradient", s.mean.at_steering, plane.gradient(), 0.01);
  expect_close("understeer gradient from the slip angles", s.mean.slips, plane.gradient(), 0.01);
  EXPECT_NEAR(s.left.at_steering, s.right.at_steering, 1e-3 * plane.gradient());  // a symmetric car
  EXPECT_NEAR(s.mean.rear_steer, 0, 1e-6);
  EXPECT_NEAR(s.mean.front_steer, 0, 1e-5);
  EXPECT_FALSE(critical_speed_by_eigenvalues(drive, 70).has_value());
}

TEST(Handling, CriticalSpeedOfTheRigidCar) {
  const double B_front = 11, B_rear = 8;
  const TestDrive drive(flat_car(B_front, B_rear), quick_drive(0.01));
  const Plane plane(B_front, B_rear);
  const double closed = std::sqrt(-plane.L / plane.gradient());
  const auto eigen = critical_speed_by_eigenvalues(drive, 70);
  ASSERT_TRUE(eigen.has_value());
  expect_close("critical speed, eigenvalues", *eigen, closed, 0.01);
#ifdef NDEBUG  // with sanitizers the runs take too long
  SteeringCurve steering;
  steering.signal = steering.angle = {-0.2, 0.2};
  steering.ratio = 1;
  const auto runs = critical_speed_by_runs(drive, steering, 45, {});
  ASSERT_TRUE(runs.has_value());
  expect_close("critical speed, disturbed runs", *runs, closed, 0.01);
  EXPECT_NEAR(*runs / *eigen, 1, 2e-3);
#endif
}

TEST(Handling, StepSteerOfTheRigidCar) {
  const double B_front = 5, B_rear = 7, v = 30;
  const TestDrive drive(flat_car(B_front, B_rear), quick_drive());
  const Plane plane(B_front, B_rear);
  SteeringCurve steering;  // the steering signal is the angle
  steering.signal = steering.angle = {-0.2, 0.2};
  steering.ratio = 1;
  analysis::SteadyCornering steady;
  steady.mean.at_steering = plane.gradient();
  const analysis::StepSteer s = step_steer(drive, steering, steady, v, 0.3);
  ASSERT_TRUE(s.settled);
  expect_close("step steer, lateral acceleration", s.lateral_m_per_s2, 0.3, 0.01);
  // The linear car under the same step, by Runge-Kutta.
  const double h = 1e-4;
  Vec2 y = Vec2::Zero();
  double t90 = 0, peak = 0, t_peak = 0;
  const auto steer = [&](double t) {
    const double u = std::clamp(t / 0.1, 0.0, 1.0);
    return s.steer_angle * u * u * (3 - 2 * u);
  };
  const double steady_yaw = s.steer_angle * v / (plane.L + plane.gradient() * v * v);
  for (int i = 0; i < 30000; ++i) {
    const double t = i * h;
    const Vec2 k1 = plane.rate(v, y, steer(t)), k2 = plane.rate(v, y + h / 2 * k1, steer(t + h / 2)),
               k3 = plane.rate(v, y + h / 2 * k2, steer(t + h / 2)),
               k4 = plane.rate(v, y + h * k3, steer(t + h));
    y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    if (t90 == 0 && y[1] >= 0.9 * steady_yaw) t90 = t + h - 0.05;
    if (y[1] > peak) peak = y[1], t_peak = t + h - 0.05;
  }
  expect_close("step steer, steady yaw rate", s.yaw_rate, steady_yaw, 0.01);
  expect_close("step steer, response time of the yaw rate", s.yaw_response_s, t90, 0.01);
  expect_close("step steer, peak response time of the yaw rate", s.yaw_peak_s, t_peak, 0.01);
  expect_close("step steer, overshoot of the yaw rate", s.yaw_overshoot, peak / steady_yaw - 1, 0.01);
  expect_close("step steer, steady sideslip", s.sideslip, y[0] / v, 0.01);
}

TEST(Handling, NamesThatDoNotExistAreToldWithASuggestion) {
  HandlingCar car = flat_car(10, 10);
  car.names.steer = "stering";
  try {
    TestDrive drive(car, quick_drive());
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("did you mean 'steering'"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace monocoque::test

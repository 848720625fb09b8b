// The simple vehicle models against the formulas of docs/simple-models.md: quarter car, single-track model,
// two-track model with 14 degrees of freedom, dome joints.

#include <gtest/gtest.h>

#include <array>
#include <complex>

#include "core/decompositions.h"
#include "support/linear.h"
#include "support/recorded_run.h"

namespace monocoque::test {
namespace {

using Complex = std::complex<double>;
constexpr double kG = 9.81;
constexpr const char* kSection = "Simple vehicle models";

/// Two masses on a wall that moves: sprung M with the ground pulling by k_g per displacement (weight of a
/// body that tilts), unsprung m.
struct QuarterCar {
  double M, m, spring, damper, tire, tire_damper = 0, k_g = 0;

  Complex sprung(Complex s) const { return M * s * s + damper * s + spring - k_g; }
  Complex unsprung(Complex s) const { return m * s * s + (damper + tire_damper) * s + spring + tire; }
  Complex link(Complex s) const { return damper * s + spring; }
  /// Zero at the eigenvalues.
  Complex determinant(Complex s) const { return sprung(s) * unsprung(s) - link(s) * link(s); }
  /// Body over road.
  Complex transfer(Complex s) const { return (tire_damper * s + tire) * link(s) / determinant(s); }
  /// By the quadratic formula, undamped, rad/s.
  std::array<double, 2> omega() const {
    const double a = M * m, b = M * (spring + tire) + m * (spring - k_g),
                 c = (spring - k_g) * (spring + tire) - spring * spring, root = std::sqrt(b * b - 4 * a * c);
    return {std::sqrt((b - root) / (2 * a)), std::sqrt((b + root) / (2 * a))};
  }
  /// All four by the companion matrix of the determinant.
  std::vector<Complex> eigenvalues() const {
    const double c = damper, e = damper + tire_damper, k = spring - k_g, K = spring + tire;
    const double p4 = M * m, p3 = M * e + c * m, p2 = M * K + c * e + k * m - c * c,
                 p1 = c * K + k * e - 2 * c * spring, p0 = k * K - spring * spring;
    Eigen::Matrix4d companion = Eigen::Matrix4d::Zero();
    companion.block<3, 3>(1, 0).setIdentity();
    companion.col(3) << -p0 / p4, -p1 / p4, -p2 / p4, -p3 / p4;
    std::vector<Complex> out;
    for (const Complex& s : companion.eigenvalues())
      if (s.imag() >= 0) out.push_back(s);
    return out;
  }
};

void expect_mode(const Linear& linear, Complex wanted, const std::string& model, const std::string& what) {
  const double error = linear.distance(wanted) / std::abs(wanted);
  verify_row(kSection, model, what, "", fmt::format("{:.5f} {:+.5f} i 1/s", wanted.real(), wanted.imag()),
             error, "distance of the nearest eigenvalue, relative");
  EXPECT_LT(error, 1e-7) << model << ", " << what;
}

// --- quarter car ---

const char* const kQuarter = "examples/quarter-car.yaml";
const Overrides kLinearDamper = {{"interacts.suspension.rebound_factor", "1"},
                                 {"interacts.suspension.compression_factor", "1"}};

Overrides operator+(Overrides a, const Overrides& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST(QuarterCar, EigenvaluesAreThoseOfTwoMasses) {
  const Linear undamped(
      load_model(kQuarter, kLinearDamper + Overrides{{"interacts.suspension.damping_Ns_per_m", "0"},
                                                     {"interacts.tyre.damping_Ns_per_m", "0"}}));
  ASSERT_EQ(undamped.l.positions(), 2);
  const auto omega = QuarterCar{350, 40, 22000, 0, 200000}.omega();
  expect_mode(undamped, {0, omega[0]}, "quarter car", "body, undamped");
  expect_mode(undamped, {0, omega[1]}, "quarter car", "wheel, undamped");
  const Linear damped(load_model(kQuarter, kLinearDamper));
  for (const Complex& s : QuarterCar{350, 40, 22000, 1500, 200000, 100}.eigenvalues())
    expect_mode(damped, s, "quarter car", std::abs(s) < 20 ? "body, damped" : "wheel, damped");
}

TEST(QuarterCar, FollowsASineOfTheRoadAsTheTransferFunctionSays) {
  const QuarterCar car{350, 40, 22000, 1500, 200000, 100};
  for (const double hertz : {1.2, 11.0}) {
    const double w = 2 * M_PI * hertz, amplitude = 0.005;
    Loaded loaded = load_model(
        kQuarter,
        kLinearDamper + Overrides{{"signals.road.formula", fmt::format("{}*sin({:.17g}*t)", amplitude, w)}});
    const int periods = static_cast<int>(std::ceil(4 * hertz));
    loaded.spec.simulation.step_s = 1 / (hertz * 200);
    loaded.spec.simulation.output_step_s = 2 * loaded.spec.simulation.step_s;
    loaded.spec.simulation.end_s = (periods + 1) / hertz;
    const RecordedRun r(loaded.spec);
    // Fourier coefficient over the last period: 100 points.
    Complex sum = 0;
    const std::size_t last = r.size() - 1;
    for (std::size_t i = last - 100; i < last; ++i)
      sum += r.value(i, "body/position/z") * std::polar(1.0, -w * r.time(i));
    const Complex ours = sum * (2.0 / 100) / (amplitude * Complex(0, -1)), theirs = car.transfer({0, w});
    const double error = std::abs(ours - theirs) / std::abs(theirs);
    verify_row(kSection, "quarter car", fmt::format("body over road at {} Hz", hertz),
               fmt::format("{:.5f} at {:.3f} deg", std::abs(ours), std::arg(ours) * 180 / M_PI),
               fmt::format("{:.5f} at {:.3f} deg", std::abs(theirs), std::arg(theirs) * 180 / M_PI), error,
               "complex amplitude, relative");
    EXPECT_LT(error, 2e-3) << hertz;  // steps of a 200th of a period, start faded to exp(-8)
  }
}

// --- single track ---

const char* const kSingle = "vehicles/single-track.yaml";

struct SingleTrack {
  double front_B = 8, rear_B = 10, m = 1500, I = 2300, a = 1.2, b = 1.5;
  double L() const { return a + b; }
  double Cf() const { return 1.9 * front_B * m * kG * b / L(); }
  double Cr() const { return 1.9 * rear_B * m * kG * a / L(); }
  /// Square of the characteristic speed; negative: minus that of the critical speed.
  double v_ch2() const { return Cf() * Cr() * L() * L() / (m * (b * Cr() - a * Cf())); }
  Eigen::Matrix2d A(double v) const {  // of (side slip angle, yaw rate)
    Eigen::Matrix2d out;
    out << -(Cf() + Cr()) / (m * v), -1 - (a * Cf() - b * Cr()) / (m * v * v), -(a * Cf() - b * Cr()) / I,
        -(a * a * Cf() + b * b * Cr()) / (I * v);
    return out;
  }
  Overrides overrides(double v) const {
    return {{"front_B", fmt::format("{}", front_B)},
            {"rear_B", fmt::format("{}", rear_B)},
            {"speed_m_per_s", fmt::format("{:.17g}", v)}};
  }
};

TEST(SingleTrack, HasThreeFreedomsInThePlaneAndTwoSpins) {
  const Loaded loaded = load_model(kSingle);
  EXPECT_EQ(loaded.model->nz - loaded.model->nlambda, 5);
}

TEST(SingleTrack, EigenvaluesAreThoseOfTheLinearModel) {
  for (const SingleTrack& car : {SingleTrack{8, 10}, SingleTrack{10, 8}})
    for (const double v : {10.0, 30.0}) {
      const Linear linear(load_model(kSingle, car.overrides(v)));
      const Eigen::Vector2cd s = car.A(v).eigenvalues();
      for (const Complex& value : s)
        if (value.imag() >= 0)
          expect_mode(linear, value, "single track",
                      fmt::format("{} at {} m/s", car.v_ch2() > 0 ? "understeering" : "oversteering", v));
    }
}

TEST(SingleTrack, TurnsUnstableAtTheCriticalSpeed) {
  const SingleTrack car{10, 8};
  ASSERT_LT(car.v_ch2(), 0);
  const double critical = std::sqrt(-car.v_ch2());
  // The largest real eigenvalue that is not a rigid translation, found by bisection.
  const auto unstable = [&](double v) {
    const Linear linear(load_model(kSingle, car.overrides(v)));
    for (const auto& mode : linear.modes)
      if (mode.value.s.real() > 1e-9) return true;
    return false;
  };
  double low = 0.5 * critical, high = 2 * critical;
  EXPECT_FALSE(unstable(low));
  EXPECT_TRUE(unstable(high));
  while (high - low > 5e-6 * critical) (unstable(0.5 * (low + high)) ? high : low) = 0.5 * (low + high);
  verify_row(kSection, "single track", "critical speed", fmt::format("{:.4f} m/s", 0.5 * (low + high)),
             fmt::format("{:.4f} m/s", critical), std::abs(0.5 * (low + high) / critical - 1));
  // The interval, and an eigenvalue that meets the multiple zero of the positions there.
  EXPECT_NEAR(0.5 * (low + high), critical, 2e-5 * critical);
}

TEST(SingleTrack, YawGainIsThatOfTheFormula) {
  const SingleTrack car;
  const double characteristic = std::sqrt(car.v_ch2()), steer = 1e-4;
  for (const double v : {10.0, characteristic, 40.0}) {
    const Loaded loaded =
        load_model(kSingle, car.overrides(v) + Overrides{{"steer_rad", fmt::format("{}", steer)}});
    io::SimulationSpec settings = loaded.spec.simulation;
    settings.step_s = settings.output_step_s = 0.01;
    const Values end = run(loaded, settings).final;
    const double gain = v / (car.L() * (1 + v * v / car.v_ch2())), ours = end.at("yaw_rate/z") / steer;
    verify_row(kSection, "single track", fmt::format("yaw gain at {:.4g} m/s", v),
               fmt::format("{:.5f} 1/s", ours), fmt::format("{:.5f} 1/s", gain), std::abs(ours / gain - 1));
    EXPECT_NEAR(ours, gain, 1e-5 * gain) << v;  // the tire's curvature: (B slip)^2 = 1e-6
    // Largest at the characteristic speed, where it is half of the neutral car's.
    EXPECT_LE(gain, 0.5 * characteristic / car.L() * (1 + 1e-12));
  }
}

// --- two tracks ---

const char* const kTwo = "vehicles/two-track.yaml";

struct TwoTrack {
  double body = 1300, body_z = 0.6, a = 1.2, b = 1.5, half = 0.75, wheel_z = 0.3, carrier = 20, wheel = 25;
  double front = 26000, rear = 24000, tire = 200000, axial = 1.2;
  double unsprung() const { return carrier + wheel; }
  double m() const { return body + 4 * unsprung(); }
  double h() const { return (body * body_z + 4 * unsprung() * wheel_z) / m(); }
  static double series(double k, double l) { return k * l / (k + l); }
  /// Of the two axles in series, per side.
  double pitch_spring() const { return series(series(front, tire), series(rear, tire)); }
  /// Roll stiffness less what the weight takes.
  double roll_stiffness() const {
    return 2 * half * half * (series(front, tire) + series(rear, tire)) - m() * kG * (h() - wheel_z);
  }
};

TEST(TwoTrack, HasFourteenDegreesOfFreedom) {
  const Loaded loaded = load_model(kTwo);
  EXPECT_EQ(loaded.model->nz - loaded.model->nlambda, 14);
  const Linear linear(load_model(kTwo, {{"speed_m_per_s", "0"}}));
  EXPECT_EQ(linear.l.positions(), 14);
  EXPECT_TRUE(linear.l.in_equilibrium());
}

TEST(TwoTrack, RollsAndShiftsItsLoadAsTheFormulasSay) {
  const TwoTrack car;
  const double v = 20;
  const Loaded loaded = load_model(kTwo, {{"steer_rad", "2e-4"}});
  const Values start = run(loaded, fixed_step("linearly-implicit-2", 1e-3, 1e-3)).final;
  io::SimulationSpec settings = loaded.spec.simulation;
  settings.step_s = settings.output_step_s = 0.01;
  settings.end_s = 8;
  const Values end = run(loaded, settings).final;
  const double ay = end.at("acceleration/y");
  EXPECT_GT(ay, 0.01);
  // Roll moment about the ground: inertia of all masses, and of the spinning wheels that are turned.
  const double moment = ay * (car.m() * car.h() + 4 * car.axial / car.wheel_z);
  const double roll = moment / car.roll_stiffness();
  EXPECT_NEAR(end.at("speed/x"), v, 0.01);
  const auto row = [&](const char* what, double ours, double formula, const char* unit) {
    verify_row(kSection, "two tracks", what, fmt::format("{:.6g} {}", ours, unit),
               fmt::format("{:.6g} {}", formula, unit), std::abs(ours / formula - 1));
    EXPECT_NEAR(ours, formula, 1e-3 * std::abs(formula)) << what;
  };
  row("steady roll angle per lateral acceleration", end.at("attitude/roll") / ay, roll / ay, "rad/(m/s^2)");
  for (const auto& [name, spring] : {std::pair{"F", car.front}, {"R", car.rear}}) {
    const auto shift = [&](const char* side) {
      const std::string path = fmt::format("{}{}/tire/load", name, side);
      return end.at(path) - start.at(path);
    };
    const double formula = TwoTrack::series(spring, car.tire) * car.half * roll;
    row(fmt::format("load to the outer wheel, axle {}", name).c_str(), shift("R"), formula, "N");
    row(fmt::format("load from the inner wheel, axle {}", name).c_str(), -shift("L"), formula, "N");
  }
}

TEST(TwoTrack, ShiftsItsLoadBackwardsWhenItAccelerates) {
  const TwoTrack car;
  for (const auto& [key, torque] : {std::pair{"drive_Nm", 4.0}, {"brake_Nm", 10.0}}) {
    const Loaded loaded = load_model(kTwo, {{"steer_rad", "0"}, {key, fmt::format("{}", torque)}});
    io::SimulationSpec settings = loaded.spec.simulation;
    settings.step_s = settings.output_step_s = 0.01;
    const Values start = run(loaded, fixed_step("linearly-implicit-2", 1e-3, 1e-3)).final,
                 end = run(loaded, settings).final;
    const double ax = end.at("acceleration/x");
    EXPECT_EQ(ax > 0, std::string(key) == "drive_Nm");
    // Inertia of all masses and of the wheels that spin up, against the springs and the weight. Torques are
    // small: a pitched guide turns ground forces into spring forces, which is of second order.
    const double L = car.a + car.b, k = car.pitch_spring(),
                 pitch = -ax * (car.m() * car.h() + 4 * car.axial / car.wheel_z) /
                         (2 * L * L * k - car.m() * kG * (car.h() - car.wheel_z)),
                 formula = 2 * L * k * pitch,
                 ours = end.at("FL/tire/load") + end.at("FR/tire/load") - start.at("FL/tire/load") -
                        start.at("FR/tire/load");
    verify_row(kSection, "two tracks", fmt::format("load on the front axle, {} {}", key, torque),
               fmt::format("{:.5f} N", ours), fmt::format("{:.5f} N", formula), std::abs(ours / formula - 1));
    EXPECT_NEAR(ours, formula, 1e-3 * std::abs(formula)) << key;
    verify_row(kSection, "two tracks", fmt::format("steady pitch angle, {} {}", key, torque),
               fmt::format("{:.5g} rad", end.at("attitude/pitch")), fmt::format("{:.5g} rad", pitch),
               std::abs(end.at("attitude/pitch") / pitch - 1));
    EXPECT_NEAR(end.at("attitude/pitch"), pitch, 1e-3 * std::abs(pitch)) << key;
  }
}

TEST(TwoTrack, HeavesPitchesAndRollsLikeQuarterCars) {
  // Equal axles in front and behind keep heave and pitch apart; without friction the ground holds nothing
  // sideways.
  const Linear linear(load_model(kTwo, {{"speed_m_per_s", "0"},
                                        {"friction", "1e-12"},
                                        {"a_m", "1.35"},
                                        {"b_m", "1.35"},
                                        {"rear_N_per_m", "26000"},
                                        {"rear_Ns_per_m", "1900"}}));
  TwoTrack car;
  car.a = car.b = 1.35;
  const double arm = car.h() - car.wheel_z, above = car.body_z - car.h();
  // Inertia about the common centre of gravity; the wheels' travel along z is counted apart. Wheels do not
  // pitch with the body: they spin freely.
  const double sideways = car.body * above * above + 4 * car.unsprung() * arm * arm;
  const double roll = 450 + 4 * (0.3 + 0.7) + sideways, pitch = 1900 + 4 * 0.3 + sideways;
  const double weight = car.m() * kG * arm / 4;
  const QuarterCar heave_car{car.body / 4, car.unsprung(), 26000, 1900, car.tire},
      pitch_car{pitch / 4 / (1.35 * 1.35), car.unsprung(), 26000, 1900, car.tire, 0, weight / (1.35 * 1.35)},
      roll_car{roll / 4 / (0.75 * 0.75), car.unsprung(), 26000, 1900, car.tire, 0, weight / (0.75 * 0.75)};
  for (const auto& [name, quarter] :
       {std::pair{"heave", heave_car}, {"pitch", pitch_car}, {"roll", roll_car}})
    for (const Complex& s : quarter.eigenvalues()) expect_mode(linear, s, "two tracks", name);
}

// --- dome joints ---

TEST(DomeJoint, CarriesTheCarOnItsStruts) {
  const Loaded loaded = load_model("vehicles/dome-joint.yaml", {{"speed_m_per_s", "0"}});
  // Car body 6, engine 5, travel and spin of four wheels.
  EXPECT_EQ(loaded.model->nz - loaded.model->nlambda, 6 + 5 + 8);
  const Values v = run(loaded, fixed_step("linearly-implicit-2", 1e-3, 1e-3)).final;
  // Balance of a carrier along its strut: the spring carries the wheel's load less the unsprung weight.
  struct Corner {
    const char* name;
    double load, unsprung, x, y, z;
  };
  // Published loads; offset from the strut's point on the carrier to the dome.
  for (const Corner& c : {Corner{"FL", 4303.352, 17.32 + 39.04, 1.369 - 1.413 + 0.023, 0.599 - 0.765 + 0.147,
                                 0.330 + 0.602 - 0.297 - 0.314},
                          Corner{"RL", 2938.537, 22.94 + 28.35, -1.432 + 1.377 + 0.032, 0.592 - 0.750 + 0.139,
                                 0.318 + 0.602 - 0.299 - 0.312}}) {
    const double length = std::sqrt(c.x * c.x + c.y * c.y + c.z * c.z), cosine = c.z / length;
    const double formula = (c.load - c.unsprung * kG) * cosine;
    const double ours = std::hypot(v.at(fmt::format("{}/spring/force/x", c.name)),
                                   v.at(fmt::format("{}/spring/force/y", c.name)),
                                   v.at(fmt::format("{}/spring/force/z", c.name)));
    EXPECT_NEAR(v.at(fmt::format("{}/tire/load", c.name)), c.load, 1e-3) << c.name;
    verify_row(kSection, "dome joints", fmt::format("force of the spring {}", c.name),
               fmt::format("{:.3f} N", ours), fmt::format("{:.3f} N", formula), std::abs(ours / formula - 1));
    EXPECT_NEAR(ours, formula, 2e-3) << c.name;  // the load has three decimals
  }
}

TEST(DomeJoint, RidesOverABumpAlmostLikeTheFullSuspension) {
  const auto ride = [](const std::string& file) {
    Loaded loaded = load_model(file);
    loaded.spec.simulation.step_s = 0.002;
    loaded.spec.simulation.end_s = 1.8;
    loaded.spec.simulation.output_step_s = 0.004;
    return RecordedRun(loaded.spec);
  };
  const RecordedRun dome = ride("vehicles/dome-joint.yaml"), full = ride("camry/scenarios/bump.yaml");
  const auto range = [](const RecordedRun& r, const char* path) {
    double low = INFINITY, high = -INFINITY;
    for (std::size_t i = 0; i < r.size(); ++i) {
      low = std::min(low, r.value(i, path));
      high = std::max(high, r.value(i, path));
    }
    return high - low;
  };
  for (const char* path : {"car/acceleration/z", "FL/tire/load", "RL/tire/load"}) {
    const double ours = range(dome, path), theirs = range(full, path);
    verify_row(kSection, "dome joints", fmt::format("range of {} over a bump of 50 mm", path),
               fmt::format("{:.5g}", ours), fmt::format("{:.5g} with the full suspension", theirs),
               std::abs(ours / theirs - 1), "a simpler model: no equality expected");
    EXPECT_NEAR(ours, theirs, 0.05 * theirs) << path;
  }
}

}  // namespace
}  // namespace monocoque::test

// Motions of single bodies and chains with closed-form solutions: what no reference program has to be asked
// for.

#include <array>
#include <numbers>

#include <Eigen/Geometry>

#include "core/rotation.h"
#include "support/run.h"

namespace monocoque::test {
namespace {

constexpr double kPi = std::numbers::pi, kGravity = 9.81;

/// sn, cn, dn of Jacobi by the descending sequence of arithmetic-geometric means.
std::array<double, 3> jacobi(double u, double k) {
  std::array<double, 12> a{}, c{};
  a[0] = 1;
  c[0] = k;
  double b = std::sqrt(1 - k * k), scale = 1;
  std::size_t n = 0;
  while (std::abs(c[n]) > 1e-16 && n < 11) {
    a[n + 1] = (a[n] + b) / 2;
    c[n + 1] = (a[n] - b) / 2;
    b = std::sqrt(a[n] * b);
    scale *= 2;
    ++n;
  }
  double phi = scale * a[n] * u;
  for (; n > 0; --n) phi = (phi + std::asin(c[n] * std::sin(phi) / a[n])) / 2;
  const double sn = std::sin(phi);
  return {sn, std::cos(phi), std::sqrt(1 - k * k * sn * sn)};
}

// ---- free body
// ---------------------------------------------------------------------------------------------

const Vec3 kInertia(1, 2, 3), kRate(0.8, 0, 1.1);

Loaded free_body() {
  return load_text(R"(
monocoque: 1
gravity_m_per_s2: [0, 0, 0]
parts:
  - {name: body, mass_kg: 2, inertia_kg_m2: [1, 2, 3], velocity_m_per_s: [1, 2, 3],
     angular_velocity_rad_per_s: [0.8, 0, 1.1]}
)");
}

/// Landau and Lifshitz, Mechanics, eq. 37.10 (I1 < I2 < I3, M^2 > 2 E I2), started at omega2 = 0.
Vec3 free_rate(double t) {
  const Vec3 I = kInertia, L = I.cwiseProduct(kRate);
  const double M2 = L.squaredNorm(), E2 = L.dot(kRate);
  const double k = std::sqrt((I[1] - I[0]) * (E2 * I[2] - M2) / ((I[2] - I[1]) * (M2 - E2 * I[0])));
  const double rate = std::sqrt((I[2] - I[1]) * (M2 - E2 * I[0]) / (I[0] * I[1] * I[2]));
  const auto [sn, cn, dn] = jacobi(rate * t, k);
  return {std::sqrt((E2 * I[2] - M2) / (I[0] * (I[2] - I[0]))) * cn,
          std::sqrt((E2 * I[2] - M2) / (I[1] * (I[2] - I[1]))) * sn,
          std::sqrt((M2 - E2 * I[0]) / (I[2] * (I[2] - I[0]))) * dn};
}

Vec3 body_rate(const Outcome& out) {
  return out.state.z.tail<3>();
}

Vec3 momentum_in_space(const Outcome& out) {
  return rotation_from_quaternion(Vec4(out.state.x.tail<4>())) * kInertia.cwiseProduct(body_rate(out));
}

TEST(FreeBody, ConservesAndFollowsTheEllipticFunctions) {
  const Loaded loaded = free_body();
  const Vec3 L0 = kInertia.cwiseProduct(kRate);
  const double E0 = L0.dot(kRate) / 2;
  for (const auto& settings : {fixed_step("rk4", 20, 5e-4), ida(20, 1e-13)}) {
    const Outcome out = run(loaded, settings);
    const Vec3 w = body_rate(out);
    const double energy = std::abs(w.dot(kInertia.cwiseProduct(w)) / 2 / E0 - 1);
    const double momentum = (momentum_in_space(out) - L0).norm() / L0.norm();
    const double rate = (w - free_rate(20)).norm();
    report("free body", settings.solver + ", energy", energy);
    report("free body", settings.solver + ", momentum in space", momentum);
    report("free body", settings.solver + ", elliptic functions", rate);
    // Error control bounds the error of a step, so IDA collects a few tens of them.
    const double bound = settings.solver == "rk4" ? 1e-12 : 1e-10;
    EXPECT_LT(energy, bound);
    EXPECT_LT(momentum, bound);
    EXPECT_LT(rate, 10 * bound);
  }
}

TEST(FreeBody, Orders) {
  const Loaded loaded = free_body();
  for (const IntegratorType& type : integrator_types()) {
    if (!type.fixed_step) continue;
    const double h = type.order == 4 ? 0.1 : type.order == 2 ? 0.01 : 0.002;
    const double order =
        measured_order("free body", loaded, fixed_step(type.name, 5, h), {h, h / 2, h / 4}, nullptr,
                       [](const Outcome& out) { return (body_rate(out) - free_rate(5)).norm(); });
    EXPECT_NEAR(order, type.order, 0.3) << type.name;
  }
}

// ---- heavy symmetric top
// -----------------------------------------------------------------------------------

struct Top {
  double mass = 2, lever = 0.3, I1 = 0.05 + 2 * 0.3 * 0.3, I3 = 0.04, spin = 60, tilt = 0.5;
  // Slow root of I1 cos(tilt) W^2 - I3 spin W + m g l = 0; spin is the whole rate about the axis.
  double precession() const {
    const double a = I1 * std::cos(tilt), b = I3 * spin, c = mass * kGravity * lever;
    return (b - std::sqrt(b * b - 4 * a * c)) / (2 * a);
  }
  /// Small oscillations of the effective potential about steady precession.
  double nutation() const {
    const double W = precession();
    return std::hypot(I3 * spin / I1 - 2 * W * std::cos(tilt), W * std::sin(tilt));
  }
  /// `nod`: rate of the tilt at the start.
  Loaded load(double nod) const {
    const Vec3 axis(std::sin(tilt), 0, std::cos(tilt));
    const double W = precession();
    const Vec3 w = W * Vec3::UnitZ() + (spin - W * std::cos(tilt)) * axis + nod * Vec3::UnitY();
    const Vec3 p = lever * axis, v = w.cross(p);
    return load_text(fmt::format(R"(
monocoque: 1
gravity_m_per_s2: [0, 0, -9.81]
parts:
  - name: top
    mass_kg: {}
    inertia_kg_m2: [0.05, 0.05, {}]
    position_m: [{:.17g}, 0, {:.17g}]
    orientation: {{axis: [0, 1, 0], angle_rad: {}}}
    velocity_m_per_s: [{:.17g}, {:.17g}, {:.17g}]
    angular_velocity_rad_per_s: [{:.17g}, {:.17g}, {:.17g}]
interacts:
  - {{name: tip, type: spherical, from: ground, to: {{part: top, position_m: [0, 0, {}]}}}}
)",
                                 mass, I3, p.x(), p.z(), tilt, v.x(), v.y(), v.z(), w.x(), w.y(), w.z(),
                                 -lever));
  }
};

TEST(HeavyTop, SteadyPrecession) {
  const Top top;
  const Loaded loaded = top.load(0);
  const double end = 3, angle = top.precession() * end;
  const Values expected = {{"top/position/x", top.lever * std::sin(top.tilt) * std::cos(angle)},
                           {"top/position/y", top.lever * std::sin(top.tilt) * std::sin(angle)},
                           {"top/position/z", top.lever * std::cos(top.tilt)}};
  for (const auto& settings : {ida(end, 1e-11), ida(end, 1e-11, kIndex1), fixed_step("rk4", end, 2e-4)}) {
    const double error = largest_error(run(loaded, settings).final, expected);
    report("heavy top, precession", method_name(settings), error);
    EXPECT_LT(error, 1e-8);
  }
}

TEST(HeavyTop, NutationFrequency) {
  const Top top;
  const double nod = 1e-4;  // rad/s: small enough for the linear theory to about nod / nutation
  const Loaded loaded = top.load(nod);
  const double period = 2 * kPi / top.nutation(), amplitude = top.lever * std::sin(top.tilt) * nod;
  // The height nods like -sin: after five and a quarter periods it turns round, after five and a half it is
  // back.
  for (const auto& [periods, expected] :
       {std::pair{5.25, 0.0}, std::pair{5.5, amplitude}, std::pair{6.0, -amplitude}}) {
    const Outcome out = run(loaded, fixed_step("rk4", periods * period, periods * period / 20000));
    const double error = std::abs(out.final.at("top/velocity/z") - expected) / amplitude;
    report("heavy top, nutation", fmt::format("rk4, {} periods, relative", periods), error);
    EXPECT_LT(error, 2e-4);
  }
}

// ---- chain of masses
// ---------------------------------------------------------------------------------------

// Three equal masses between walls on four equal springs: omega_j = 2 sqrt(k/m) sin(j pi/8), shape sin(i j
// pi/4).
TEST(SpringChain, Eigenfrequencies) {
  const double m = 0.5, k = 800, amplitude = 0.05;
  for (int j = 1; j <= 3; ++j) {
    std::string parts, springs, last = "ground";
    std::array<double, 3> shape{};
    for (int i = 1; i <= 3; ++i) {
      shape[static_cast<std::size_t>(i - 1)] = amplitude * std::sin(i * j * kPi / 4);
      parts += fmt::format("  - {{name: m{}, kind: particle, mass_kg: {}, position_m: [{:.17g}, 0, 0]}}\n", i,
                           m, i + shape[static_cast<std::size_t>(i - 1)]);
      springs += fmt::format("  - {{name: line{}, type: point_on_line, from: ground.line, to: m{}}}\n", i, i);
      springs += fmt::format(
          "  - {{name: s{}, type: spring_damper, from: {}, to: m{}, stiffness_N_per_m: {}, free_length_m: "
          "1}}\n",
          i, last, i, k);
      last = fmt::format("m{}", i);
    }
    springs += fmt::format(
        "  - {{name: s4, type: spring_damper, from: m3, to: ground.wall, stiffness_N_per_m: {}, "
        "free_length_m: 1}}\n",
        k);
    const Loaded loaded = load_text(
        "monocoque: 1\nground: {frames: [{name: wall, position_m: [4, 0, 0]}, {name: line, orientation: "
        "{z_axis: "
        "[1, 0, 0]}}]}\ngravity_m_per_s2: [0, 0, 0]\nparts:\n" +
        parts + "interacts:\n" + springs);
    const double omega = 2 * std::sqrt(k / m) * std::sin(j * kPi / 8);
    // Ten periods and an eighth: the phase shows in the first order.
    const double end = (10 + 0.125) * 2 * kPi / omega;
    const double h = 2 * kPi / omega / 400;
    for (const auto& settings : {fixed_step("rk4", end, h), ida(end, 1e-11)}) {
      const Outcome out = run(loaded, settings);
      double error = 0;
      for (int i = 1; i <= 3; ++i)
        error = std::max(error, std::abs(out.final.at(fmt::format("m{}/position/x", i)) - i -
                                         shape[static_cast<std::size_t>(i - 1)] * std::cos(omega * end)));
      report(fmt::format("spring chain, mode {}", j), settings.solver, error);
      EXPECT_LT(error, 1e-8);
    }
  }
}

// ---- rolling disc
// ------------------------------------------------------------------------------------------

// Steady circle: the disc (mass m, radius r, C about its axle, A across) leans by a towards the axis of the
// circle that its centre describes with radius R at rate W. Moments about the centre give
//   W^2 cos a ((m r + C/r) R + A sin a) = m g r sin a,  spin about the axle against the turning frame W (R/r
//   + sin a).
TEST(RollingDisc, SteadyCircle) {
  const double m = 1.5, r = 0.3, C = m * r * r / 2, A = m * r * r / 4, R = 1.7, lean = 0.35;
  const double s = std::sin(lean), c = std::cos(lean);
  const double W = std::sqrt(m * kGravity * r * s / (c * ((m * r + C / r) * R + A * s)));
  const Vec3 axle(-c, 0, -s), w = W * Vec3::UnitZ() + W * (R / r + s) * axle;
  const Loaded loaded = load_text(fmt::format(R"(
monocoque: 1
gravity_m_per_s2: [0, 0, -9.81]
parts:
  - name: disc
    mass_kg: {}
    inertia_kg_m2: [{:.17g}, {:.17g}, {:.17g}]
    position_m: [{}, 0, {:.17g}]
    orientation: {{x_axis: [0, 1, 0], z_axis: [{:.17g}, 0, {:.17g}]}}
    velocity_m_per_s: [0, {:.17g}, 0]
    angular_velocity_rad_per_s: [{:.17g}, {:.17g}, {:.17g}]
interacts:
  - {{name: contact, type: rolling, from: ground, to: disc, radius_m: {}}}
)",
                                              m, A, C, A, R, r * c, -s, c, W * R, w.x(), w.y(), w.z(), r));
  const double end = 4, angle = W * end;
  const Values expected = {{"disc/position/x", R * std::cos(angle)},
                           {"disc/position/y", R * std::sin(angle)},
                           {"disc/position/z", r * c}};
  for (const auto& settings : {ida(end, 1e-11), ida(end, 1e-11, kIndex1), fixed_step("rk4", end, 1e-3)}) {
    const double error = largest_error(run(loaded, settings).final, expected);
    report("rolling disc, circle", method_name(settings), error);
    EXPECT_LT(error, 1e-7);
  }
  const auto deviation = [&](const Outcome& out) { return largest_error(out.final, expected); };
  for (const char* method : {"linearly-implicit-2", "bdf2", "generalized-alpha"}) {
    const double order = measured_order("rolling disc, circle", loaded, fixed_step(method, end, 1e-3),
                                        {1e-3, 5e-4, 2.5e-4}, nullptr, deviation);
    EXPECT_NEAR(order, 2, 0.3) << method;
  }
}

// Down a plane (gravity tilted by 0.2 rad): acceleration g sin(0.2) / (1 + C / (m r^2)), straight on.
TEST(RollingDisc, StraightDownhill) {
  const Loaded loaded = load_text(R"(
monocoque: 1
gravity_m_per_s2: [9.81*sin(0.2), 0, -9.81*cos(0.2)]
parts:
  - {name: disc, mass_kg: 2, inertia_kg_m2: [0.02, 0.04, 0.02], position_m: [0, 0, 0.2],
     velocity_m_per_s: [0.6, 0, 0], angular_velocity_rad_per_s: [0, 3, 0]}
interacts:
  - {name: contact, type: rolling, from: ground, to: disc, radius_m: 0.2}
)");
  const double a = kGravity * std::sin(0.2) / (1 + 0.04 / (2 * 0.2 * 0.2)), end = 2;
  const Values expected = {{"disc/position/x", 0.6 * end + a * end * end / 2},
                           {"disc/position/y", 0},
                           {"disc/velocity/x", 0.6 + a * end}};
  for (const auto& settings : {ida(end, 1e-11), fixed_step("rk4", end, 1e-3)}) {
    const double error = largest_error(run(loaded, settings).final, expected);
    report("rolling disc, downhill", method_name(settings), error);
    EXPECT_LT(error, 1e-8);
  }
}

// ---- physical pendulum
// -------------------------------------------------------------------------------------

// Period 4 sqrt(J / (m g l)) K(sin(amplitude / 2)); a quarter of it later the pendulum hangs straight down.
TEST(PhysicalPendulum, Period) {
  const double m = 3, l = 0.4, I = 0.2, amplitude = 2, J = I + m * l * l;
  const Loaded loaded = load_text(R"(
monocoque: 1
gravity_m_per_s2: [0, -9.81, 0]
parts:
  - {name: body, mass_kg: 3, inertia_kg_m2: [0.15, 0.1, 0.2], center_of_mass_m: [0, -0.4, 0],
     orientation: {axis: [0, 0, 1], angle_rad: 2}}
interacts:
  - {name: hinge, type: revolute, from: ground, to: body}
)");
  const double period = 4 * std::sqrt(J / (m * kGravity * l)) * std::comp_ellint_1(std::sin(amplitude / 2));
  const auto angle = [](const Outcome& out) {
    return 2 * std::atan2(out.final.at("body/orientation/q3"), out.final.at("body/orientation/q0"));
  };
  for (const auto& settings :
       {ida(10.25 * period, 1e-12), fixed_step("rk4", 10.25 * period, period / 2000)}) {
    const double error = std::abs(angle(run(loaded, settings)));
    report("physical pendulum", method_name(settings), error);
    EXPECT_LT(error, 1e-7);
  }
}

}  // namespace
}  // namespace monocoque::test

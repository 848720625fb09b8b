// Linear systems with inputs and outputs against closed transfer functions.

#include "analysis/linear/linear_system.h"
#include "core/decompositions.h"

#include <array>
#include <cmath>
#include <numbers>

#include "support/linear.h"

namespace monocoque::test {
namespace {

using Complex = std::complex<double>;

struct Transfer {
  Transfer(Linear& m, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs)
      : channels(*m.loaded.model, outputs, LinearSolverKind::automatic),
        system(analysis::linear_system(
            m.ws, m.s, m.l, analysis::choose_inputs(m.loaded.spec.model, *m.loaded.model, inputs), channels)),
        response(system) {}
  /// Outputs come in the order of the model, so they are asked for by name.
  Complex at(Complex s, const std::string& output, std::size_t input = 0) const {
    for (std::size_t i = 0; i < system.outputs.size(); ++i)
      if (system.outputs[i].path == output)
        return response.at(s)(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(input));
    ADD_FAILURE() << "no output " << output;
    return NAN;
  }
  OutputSet channels;
  analysis::LinearSystem system;
  analysis::FrequencyResponse response;
};

Complex at_Hz(double f) {
  return {0, 2 * std::numbers::pi * f};
}

Complex from_state_space(const analysis::StateSpace& m, Complex s, Eigen::Index y, Eigen::Index u) {
  Eigen::MatrixXcd left = -m.A.cast<Complex>();
  left.diagonal().array() += s;
  const Eigen::VectorXcd x = left.fullPivLu().solve(m.B.col(u).cast<Complex>());
  return m.C.row(y).cast<Complex>().transpose().cwiseProduct(x).sum() + m.D(y, u) + s * m.D_rate(y, u) +
         s * s * m.D_acceleration(y, u);
}

TEST(LinearSystem, QuarterCarFollowsTheRoad) {
  Linear car(load_model("examples/quarter-car.yaml", {{"interacts.suspension.rebound_factor", "1"},
                                                      {"interacts.suspension.compression_factor", "1"}}));
  const Transfer h(car, {"road"}, {"body/position/z", "wheel/velocity/z", "comfort/z", "tyre_load/force_z"});
  EXPECT_LT(h.system.deviation, 1e-7);
  const double M = 350, m = 40, k = 22000, K = 200000, c = 1500, d = 100;
  const auto body = [&](Complex s) {
    const Complex D = (M * s * s + c * s + k) * (m * s * s + (c + d) * s + k + K) - (c * s + k) * (c * s + k);
    return (d * s + K) * (c * s + k) / D;
  };
  double worst = 0;
  const analysis::StateSpace space = analysis::state_space(car.l, h.system);
  for (const double f : {0.05, 0.5, 1.3, 4.0, 11.0, 40.0}) {
    const Complex s = at_Hz(f), H = body(s), wheel = H * (M * s * s + c * s + k) / (c * s + k);
    const auto check = [&](const std::string& output, Complex wanted) {
      const double error = std::abs(h.at(s, output) - wanted) / std::abs(wanted);
      EXPECT_LT(error, 1e-7) << output << " at " << f << " Hz";
      worst = std::max(worst, error);
    };
    check("body/position/z", H);
    check("wheel/velocity/z", s * wheel);
    check("comfort/z", s * s * H);
    check("tyre_load/force_z", (d * s + K) * (1.0 - wheel));
    for (Eigen::Index i = 0; i < 4; ++i)
      EXPECT_LT(std::abs(from_state_space(space, s, i, 0) - h.response.at(s)(i, 0)),
                1e-7 * std::abs(h.response.at(s)(i, 0)));
  }
  verify_row("Analyses", "quarter car, transfer functions of the road",
             "to body, wheel, acceleration, tire load", "linear_system", "closed form", worst,
             "relative, 0.05 to 40 Hz");
  // The eigenvalues are the zeros of D(s).
  for (const analysis::ModelMode& mode : car.modes) EXPECT_LT(1 / std::abs(body(mode.value.s)), 1e-9);
}

TEST(LinearSystem, ForceOnAPendulum) {
  Linear m(load_text(R"(
monocoque: 1
name: pendulum
parts:
  - name: bob
    mass_kg: 2
    inertia_kg_m2: [0.03, 0.05, 0.02]
    position_m: [0, 0, -0.7]
    frames: [{name: hinge, position_m: [0, 0, 0.7], orientation: {z_axis: [0, 1, 0]}}, {name: low, position_m: [0, 0, -0.1]}]
ground: {frames: [{name: hinge, orientation: {z_axis: [0, 1, 0]}}]}
interacts:
  - {name: hinge, type: revolute, from: ground.hinge, to: bob.hinge}
)"));
  const Transfer h(m, {"bob/force/x", "bob.low/force/x", "bob/torque/y"}, {"bob/velocity/x"});
  const double J = 0.05 + 2 * 0.49, k = 2 * 9.81 * 0.7;
  for (const double f : {0.1, 0.55, 3.0}) {
    const Complex s = at_Hz(f), angle = s * -0.7 / (J * s * s + k);
    EXPECT_LT(std::abs(h.at(s, "bob/velocity/x", 0) - angle * -0.7), 1e-8 * std::abs(angle));
    EXPECT_LT(std::abs(h.at(s, "bob/velocity/x", 1) - angle * -0.8), 1e-8 * std::abs(angle));
    EXPECT_LT(std::abs(h.at(s, "bob/velocity/x", 2) - angle), 1e-8 * std::abs(angle));
  }
  EXPECT_THROW(analysis::choose_inputs(m.loaded.spec.model, *m.loaded.model, {"bob/force/w"}), Error);
}

/// The tip of a cantilever gives way by L^3/(3 E I), and turns by L^2/(2 E I).
TEST(LinearSystem, TipOfABeam) {
  Linear beam(load_model("published/spin-up.yaml"));
  const Transfer h(beam, {"beam.tip/force/y"}, {"beam/tip/deformation/y"});
  const double L = 10, EI = 7e10 * 2e-7;
  const Complex s = at_Hz(1e-5);
  EXPECT_NEAR(std::abs(h.at(s, "beam/tip/deformation/y")), L * L * L / (3 * EI), 1e-6 * L * L * L / (3 * EI));
}

TEST(LinearSystem, SingleTrackYawGain) {
  double worst = 0;
  for (const double v : {10.0, 20.0, 40.0}) {
    Linear car(load_model("vehicles/single-track.yaml", {{"speed_m_per_s", fmt::format("{}", v)}}));
    const Transfer h(car, {"steer"}, {"yaw_rate/z"});
    const double a = 1.2, b = 1.5, L = a + b, m = 1500, g = 9.81;
    const double Cf = 8 * 1.9 * m * g * b / L, Cr = 10 * 1.9 * m * g * a / L;
    const double v_ch2 = Cf * Cr * L * L / (m * (b * Cr - a * Cf));
    const double gain = v / (L * (1 + v * v / v_ch2));
    const double error = std::abs(h.at(at_Hz(1e-4), "yaw_rate/z").real() / gain - 1);
    EXPECT_LT(error, 1e-4);
    worst = std::max(worst, error);
  }
  verify_row("Analyses", "single track", "steady yaw gain at 10, 20, 40 m/s", "linear_system", "closed form",
             worst, "relative");
}

/// The full car with springs ten thousand times as stiff is a single track: no roll, no toe change. Reference
/// tires are as stiff as their load, so it is neutral: yaw rate over steering angle v / L at every speed, and
/// the second-order answer with the car's mass and inertia at higher frequencies.
TEST(LinearSystem, StiffCamryIsASingleTrack) {
  const double L = 1.413 + 1.377, g = 9.81, B = 10, C = 1.9;
  const double m = 1476.43, load_f = 2 * 4303.352, load_r = 2 * 2938.537;
  const double a = L * load_r / (m * g), b = L - a, x = 1.413 - a, Cf = B * C * load_f, Cr = B * C * load_r;
  double J = 0;
  for (const auto& [mass, at_x, at_y, inertia] : {std::array{1006.5, 0.0, 0.0, 1650.0},
                                                  {254.63, 1.558, 0.0, 12.0},
                                                  {2 * 17.32, 1.413, 0.765, 2 * 0.2},
                                                  {2 * 39.04, 1.413, 0.805, 2 * 0.9},
                                                  {2 * 22.94, -1.377, 0.75, 2 * 0.25},
                                                  {2 * 28.35, -1.377, 0.79, 2 * 0.7}})
    J += inertia + mass * ((at_x - x) * (at_x - x) + at_y * at_y);
  // Steering angle over rack travel: -6.79 and +6.89 degrees at +-15 mm (reference/camry-2012.md).
  const double ratio = (6.79 + 6.89) * std::numbers::pi / 180 / 0.030;
  double worst = 0;
  for (const double v : {10.0, 20.0, 30.0}) {
    Linear car(load_model("camry/camry.yaml", {{"speed_m_per_s", fmt::format("{}", v)},
                                               {"strut_stiffness", "5e8"},
                                               {"tire_stiffness", "2e7"},
                                               {"interacts.mount_L.stiffness_N_per_m", "[1e9, 1e9, 1e9]"},
                                               {"interacts.mount_C.stiffness_N_per_m", "[1e9, 1e9, 1e9]"},
                                               {"interacts.mount_R.stiffness_N_per_m", "[1e9, 1e9, 1e9]"}}));
    const Transfer h(car, {"rack"}, {"turning/z"});
    for (const double f : {0.02, 0.2, 1.0, 2.0}) {
      const Complex s = at_Hz(f);
      // m (vy' + v r) = Fyf + Fyr, J r' = a Fyf - b Fyr, Fyf = Cf (delta - (vy + a r) / v), Fyr = -Cr (vy - b
      // r) / v.
      Eigen::Matrix2cd left;
      left << m * s + (Cf + Cr) / v, m * v + (a * Cf - b * Cr) / v, (a * Cf - b * Cr) / v,
          J * s + (a * a * Cf + b * b * Cr) / v;
      const Eigen::Vector2cd right(Cf, a * Cf);
      const Complex wanted = -ratio * left.partialPivLu().solve(right)[1], seen = h.at(s, "turning/z");
      const double error = std::abs(seen - wanted) / std::abs(wanted);
      fmt::print("  {} m/s, {} Hz: {:.4f} ({:.2f} deg), single track {:.4f} ({:.2f} deg)\n", v, f,
                 std::abs(seen), 180 / std::numbers::pi * std::arg(seen), std::abs(wanted),
                 180 / std::numbers::pi * std::arg(wanted));
      EXPECT_LT(error, 0.01) << v << " m/s, " << f << " Hz";
      worst = std::max(worst, error);
    }
  }
  verify_row("Analyses", "stiff Camry at 10, 20, 30 m/s", "rack to yaw rate, 0.02 to 2 Hz", "linear_system",
             "single track, closed form", worst, "complex");
}

/// Raising the road below all wheels raises the car by as much.
TEST(LinearSystem, RoadLiftsACar) {
  Linear car(load_model("vehicles/two-track.yaml"));
  const Transfer h(car, {"road/*"}, {"car/position/z"});
  ASSERT_EQ(h.system.inputs.size(), 4u);
  Complex sum = 0;
  for (std::size_t u = 0; u < 4; ++u) sum += h.at(at_Hz(1e-3), "car/position/z", u);
  EXPECT_LT(std::abs(sum - 1.0), 1e-3);
  EXPECT_LT(h.system.deviation, 1e-6);
}

}  // namespace
}  // namespace monocoque::test

// Floating frame and quaternion derivatives: their equations against plain sums over the nodes written in
// their own coordinates, and the same motion as in the mixed frame.

#include <random>

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "core/rotation.h"
#include "generic_model.h"
#include "integrate/ida_formulated.h"
#include "integrate/ida_system.h"
#include "integrate/simulation.h"
#include "lumped_body.h"
#include "support/run.h"

namespace monocoque {
namespace {

using test::free_model;
using test::LumpedBody;
using test::LumpedNode;

/// Everything in body axes (2.138 to 2.140): x = (p body, quaternion, q), z = (v body, w, q_dot).
VecX floating_sums(const LumpedBody& body, const Vec3& gravity, const VecX& x, const VecX& z,
                   const VecX& rate) {
  const int nq = body.nq;
  const Mat3 R = rotation_from_quaternion(x.segment<4>(3));
  const VecX q = x.tail(nq), q_dot = z.tail(nq), q_ddot = rate.tail(nq);
  const Vec3 v = z.head<3>(), w = z.segment<3>(3), alpha = rate.segment<3>(3);
  VecX out = VecX::Zero(6 + nq);
  for (const LumpedNode& n : body.nodes) {
    const Vec3 r = n.R + n.Phi * q;
    const Vec3 a = rate.head<3>() + alpha.cross(r) + n.Phi * q_ddot +
                   w.cross(v + 2 * n.Phi * q_dot + w.cross(r)) - R.transpose() * gravity;
    MatX T(3, 6 + nq);
    T << Mat3::Identity(), -skew(r), n.Phi;
    out += T.transpose() * (n.mass * a);
    MatX turn(3, 6 + nq);
    turn << Mat3::Zero(), Mat3::Identity(), n.Psi;
    out += turn.transpose() * n.inertia * (alpha + n.Psi * q_ddot);
    out.segment<3>(3) += w.cross(n.inertia * (w + n.Psi * q_dot));
  }
  out.tail(nq) += body.Ke * q + body.De * q_dot;
  return out;
}

/// R(a, b) with R(p, p) the rotation matrix of p, quadratic in p without normalisation.
Mat3 bilinear(const Vec4& a, const Vec4& b) {
  const auto square = [](const Vec4& p) { return Mat3(quaternion_G(p) * quaternion_L(p).transpose()); };
  return 0.25 * (square(a + b) - square(a - b));
}

/// World axes, R_dot and R_ddot from the quaternion itself: x = (p, quaternion, q), z = x_dot. The rows of
/// the quaternion are multiplied by L: what lies along p only changes its length.
VecX quaternion_sums(const LumpedBody& body, const Vec3& gravity, const VecX& x, const VecX& z,
                     const VecX& rate) {
  const int nq = body.nq;
  const Vec4 p = x.segment<4>(3), p_dot = z.segment<4>(3), p_ddot = rate.segment<4>(3);
  const Mat3 R = bilinear(p, p), R_dot = 2 * bilinear(p, p_dot);
  const Mat3 R_ddot = 2 * bilinear(p, p_ddot) + 2 * bilinear(p_dot, p_dot);
  const VecX q = x.tail(nq), q_dot = z.tail(nq), q_ddot = rate.tail(nq);
  const Mat34 L = quaternion_L(p);
  const Vec3 w = 2 * L * p_dot, alpha = 2 * L * p_ddot;
  VecX all = VecX::Zero(7 + nq);
  for (const LumpedNode& n : body.nodes) {
    const Vec3 r = n.R + n.Phi * q;
    const Vec3 a = rate.head<3>() + R_ddot * r + 2 * R_dot * n.Phi * q_dot + R * n.Phi * q_ddot - gravity;
    MatX T(3, 7 + nq);
    T.leftCols(3).setIdentity();
    for (int j = 0; j < 4; ++j) T.col(3 + j) = 2 * bilinear(p, Vec4::Unit(j)) * r;
    T.rightCols(nq) = R * n.Phi;
    all += T.transpose() * (n.mass * a);
    MatX turn = MatX::Zero(3, 7 + nq);
    turn.middleCols(3, 4) = 2 * L;
    turn.rightCols(nq) = n.Psi;
    all += turn.transpose() * n.inertia * (alpha + n.Psi * q_ddot);
    all.segment<4>(3) += 2 * L.transpose() * w.cross(n.inertia * (w + n.Psi * q_dot));
  }
  all.tail(nq) += body.Ke * q + body.De * q_dot;
  VecX out(6 + nq);
  out << all.head<3>(), L * all.segment<4>(3), all.tail(nq);
  return out;
}

void expect_equal_to_sums(Formulation formulation) {
  const LumpedBody body(12, 5, 4);
  const Vec3 gravity(1.3, -2.1, -9.81);
  const auto model = free_model(body, gravity);
  Workspace ws(*model);
  io::SimulationSpec spec;
  spec.solver = "ida";
  spec.constraints = kIndex1;
  spec.formulation = formulation_names()[static_cast<std::size_t>(formulation)];
  FormulatedIdaSystem system(*model, formulation, std::make_unique<IdaSystem>(ws, spec), spec);
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  double worst = 0;
  for (int trial = 0; trial < 20; ++trial) {
    State s = initial_state(*model);
    VecX d(model->nz), z_dot(model->nz), y(system.size()), rate(system.size()), r(system.size());
    for (double& v : d) v = 0.5 * normal(random);
    for (double& v : z_dot) v = 3 * normal(random);
    for (double& v : s.z) v = 2 * normal(random);
    retract(*model, s.x, d, s.x);
    system.pack(s, z_dot, VecX(), y, rate);
    ASSERT_TRUE(system.residual(0, y.data(), rate.data(), r.data()));
    const int nx = model->nx, nz = system.size() - nx;
    EXPECT_LT(r.head(nx).norm(), 1e-12 * rate.norm());
    const VecX own = r.tail(nz);
    VecX got = own, expected;
    if (formulation == Formulation::floating) {
      expected = floating_sums(body, gravity, y.head(nx), y.tail(nz), rate.tail(nz));
    } else {
      expected = quaternion_sums(body, gravity, y.head(nx), y.tail(nz), rate.tail(nz));
      got.resize(expected.size());
      got << own.head<3>(), quaternion_L(y.segment<4>(3)) * own.segment<4>(3), own.tail(body.nq);
    }
    worst = std::max(worst, (got - expected).norm() / expected.norm());
  }
  std::printf("%s: equations against sums over the nodes %.1e (relative)\n", spec.formulation.c_str(), worst);
  EXPECT_LT(worst, 1e-12);
}

TEST(Formulation, FloatingFrameEqualsSumsOverTheNodes) {
  expect_equal_to_sums(Formulation::floating);
}
TEST(Formulation, QuaternionDerivativesEqualSumsOverTheNodes) {
  expect_equal_to_sums(Formulation::quaternion);
}

/// Final state of a run in the mixed frame's terms.
State end_of_run(const Model& model, io::SimulationSpec settings, const std::string& formulation) {
  settings.formulation = formulation;
  Simulation simulation(model, settings);
  simulation.run();
  return simulation.state();
}

double difference(const Model& model, const State& a, const State& b) {
  VecX d(model.nz);
  local_difference(model, a.x, b.x, d);
  return d.cwiseAbs().maxCoeff();
}

TEST(Formulation, TheSameMotionOverOneSecond) {
  auto loaded = test::load_model("examples/flexible-double-pendulum.yaml");
  io::SimulationSpec explicit_settings = loaded.spec.simulation;
  explicit_settings.solver = "rk4";
  explicit_settings.constraints = kIndex1;
  explicit_settings.stabilisation = kProjection;
  explicit_settings.step_s = 1e-4;
  explicit_settings.end_s = 1;
  explicit_settings.output_step_s = 1;
  const State reference = end_of_run(*loaded.model, explicit_settings, "mixed");
  // The first beam falls through more than a radian: the amplitude is of order one.
  for (const char* name : {"floating", "quaternion"}) {
    const double by_rk4 =
        difference(*loaded.model, reference, end_of_run(*loaded.model, explicit_settings, name));
    std::printf("%s: rk4 %.1e from the mixed frame\n", name, by_rk4);
    EXPECT_LT(by_rk4, 1e-7);
  }
}

TEST(Formulation, IdaTakesThemOnEveryLevel) {
  const auto loaded = test::load_model("examples/double-pendulum.yaml");
  const State reference = end_of_run(*loaded.model, test::ida(0.5, 1e-10), "mixed");
  for (const char* level : {kIndex1, kIndex2, kStabilised})
    for (const char* name : {"floating", "quaternion"}) {
      const double d =
          difference(*loaded.model, reference, end_of_run(*loaded.model, test::ida(0.5, 1e-10, level), name));
      std::printf("ida, %s, %s: %.1e from the mixed frame\n", level, name, d);
      EXPECT_LT(d, 1e-7) << level << ' ' << name;
    }
}

TEST(Formulation, MethodsThatDoNotTakeItSayWhichDo) {
  io::SimulationSpec settings;
  settings.solver = "bdf2";
  settings.formulation = "floating";
  try {
    complete_settings(find_integrator("bdf2"), settings);
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("rk4"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace monocoque

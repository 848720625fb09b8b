// A flexible part's equations of motion from its SID against plain sums over its nodes, and its conservation
// laws.

#include <gtest/gtest.h>

#include "core/decompositions.h"
#include "core/rotation.h"
#include "dynamics/forces.h"
#include "dynamics/kinematics.h"
#include "generic_model.h"
#include "integrate/simulation.h"
#include "lumped_body.h"
#include "solve/acceleration_system.h"

namespace monocoque {
namespace {

using test::free_model;
using test::LumpedBody;
using test::LumpedNode;

/// R = M z_dot - f by sums over the nodes; x = (p, quaternion, q).
VecX nodal_residual(const LumpedBody& body, const Vec3& gravity, const State& s, const VecX& z_dot) {
  const int nq = body.nq;
  const Mat3 R = rotation_from_quaternion(s.x.segment<4>(3));
  const VecX q = s.x.tail(nq), q_dot = s.z.tail(nq), q_ddot = z_dot.tail(nq);
  const Vec3 w = s.z.segment<3>(3), alpha = z_dot.segment<3>(3);
  const Vec3 a0 = R.transpose() * (z_dot.head<3>() - gravity);
  VecX out = VecX::Zero(6 + nq);
  for (const LumpedNode& n : body.nodes) {
    const Vec3 r = n.R + n.Phi * q, flow = n.Phi * q_dot;
    const Vec3 a = a0 + alpha.cross(r) + n.Phi * q_ddot + w.cross(w.cross(r)) + 2 * w.cross(flow);
    const Vec3 force = n.mass * a;
    // The node's own spin: inertia fixed in body axes, angular velocity w + Psi q_dot.
    const Vec3 spin = n.inertia * (alpha + n.Psi * q_ddot),
               carried = w.cross(n.inertia * (w + n.Psi * q_dot));
    out.head<3>() += R * force;
    out.segment<3>(3) += r.cross(force) + spin + carried;
    out.tail(nq) += n.Phi.transpose() * force + n.Psi.transpose() * spin;
  }
  out.tail(nq) += body.Ke * q + body.De * q_dot;
  return out;
}

/// Calls compare(state, accelerations, M z_dot - f from the SID) at random states.
template <class Compare>
void at_random_states(const Model& model, Compare&& compare) {
  Workspace ws(model);
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 20; ++trial) {
    State s = initial_state(model);
    VecX d(model.nz), z_dot(model.nz);
    for (double& v : d) v = 0.5 * normal(random);
    for (double& v : z_dot) v = 3 * normal(random);
    for (double& v : s.z) v = 2 * normal(random);
    retract(model, s.x, d, s.x);
    evaluate(ws, s);
    VecX r = -ws.f;
    add_mass_times(ws, z_dot, 1, r);
    compare(s, z_dot, r);
  }
}

TEST(Flexible, EquationsFromTheSidEqualSumsOverTheNodes) {
  const LumpedBody body(12, 5, 4);
  const Vec3 gravity(1.3, -2.1, -9.81);
  at_random_states(*free_model(body, gravity), [&](const State& s, const VecX& z_dot, const VecX& r) {
    const VecX expected = nodal_residual(body, gravity, s, z_dot);
    EXPECT_LT((r - expected).norm(), 1e-12 * expected.norm());
  });
}

/// A file of another program has J to first order: then the equations are the sums without the second order.
TEST(Flexible, FirstOrderSidEqualsTheTruncatedSum) {
  const LumpedBody body(12, 5, 4);
  const Vec3 gravity(1.3, -2.1, -9.81);
  auto first = std::make_shared<io::Sid>(body.sid());
  first->J.second.clear();
  const auto model = free_model(body, gravity, first);
  at_random_states(*model, [&](const State& s, const VecX& z_dot, const VecX& r) {
    VecX expected = nodal_residual(body, gravity, s, z_dot);
    const VecX q = s.x.tail(body.nq);
    const Vec3 w = s.z.segment<3>(3), alpha = z_dot.segment<3>(3);
    Mat3 second = Mat3::Zero();  // of the inertia tensor: sum m (u~)^T u~ with u = Phi q
    for (const LumpedNode& n : body.nodes) second -= n.mass * skew(Vec3(n.Phi * q)) * skew(Vec3(n.Phi * q));
    EXPECT_GT((second * alpha).norm(), 1e-3 * expected.norm());  // else nothing is shown
    expected.segment<3>(3) -= second * alpha + w.cross(second * w);
    EXPECT_LT((r - expected).norm(), 1e-12 * expected.norm());
  });
}

/// Linear momentum and moment of momentum about the world origin, world axes, and energy, by sums over the
/// nodes.
struct Conserved {
  Vec3 momentum, moment;
  double energy;
};
Conserved conserved(const LumpedBody& body, const State& s) {
  const Mat3 R = rotation_from_quaternion(s.x.segment<4>(3));
  const VecX q = s.x.tail(body.nq), q_dot = s.z.tail(body.nq);
  const Vec3 w = s.z.segment<3>(3), v0 = R.transpose() * s.z.head<3>(), p0 = R.transpose() * s.x.head<3>();
  Conserved c{Vec3::Zero(), Vec3::Zero(), 0.5 * q.dot(body.Ke * q)};
  for (const LumpedNode& n : body.nodes) {
    const Vec3 r = n.R + n.Phi * q, v = v0 + w.cross(r) + n.Phi * q_dot, spin = w + n.Psi * q_dot;
    c.momentum += R * (n.mass * v);
    c.moment += R * ((p0 + r).cross(n.mass * v) + n.inertia * spin);
    c.energy += 0.5 * n.mass * v.squaredNorm() + 0.5 * spin.dot(n.inertia * spin);
  }
  return c;
}

TEST(Flexible, AFreeBodyKeepsMomentumAndEnergyOver1000Periods) {
  LumpedBody body(12, 3, 5);
  body.De.setZero();
  // Three frequencies near each other, so that one step suits all: Ke = L diag L^T with Me = L L^T.
  const MatX L = body.sid().Me.zero.llt().matrixL();
  body.Ke = L * Vec3(100, 130, 160).asDiagonal() * L.transpose();
  const double period = 2 * M_PI / 10;
  const auto model = free_model(body, Vec3::Zero());
  io::SimulationSpec settings;
  settings.solver = "rk4";
  settings.step_s = period / 1000;
#ifdef NDEBUG
  constexpr long periods = 1000;
#else
  constexpr long periods = 20;
#endif
  settings.end_s = static_cast<double>(periods) * period;
  Simulation simulation(*model, settings);
  simulation.state().x.tail(3) = Vec3(0.05, -0.04, 0.03);
  simulation.state().z << 0.3, -0.2, 0.4, 0.5, -0.7, 0.6, 0.2, -0.1, 0.15;
  const Conserved first = conserved(body, simulation.state());
  for (long i = 1; i <= 1000 * periods; ++i)
    ASSERT_EQ(simulation.step_to(static_cast<double>(i) * settings.step_s), StepStatus::ok);
  const Conserved last = conserved(body, simulation.state());
  std::printf("%ld periods: energy %.2e, momentum %.2e, moment %.2e (relative)\n", periods,
              last.energy / first.energy - 1, (last.momentum - first.momentum).norm() / first.momentum.norm(),
              (last.moment - first.moment).norm() / first.moment.norm());
  EXPECT_LT(std::abs(last.energy / first.energy - 1), 1e-8);
  EXPECT_LT((last.momentum - first.momentum).norm(), 1e-8 * first.momentum.norm());
  EXPECT_LT((last.moment - first.moment).norm(), 1e-8 * first.moment.norm());
}

}  // namespace
}  // namespace monocoque

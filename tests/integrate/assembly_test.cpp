// The assembled tangents of every registered joint and force, on rigid and on flexible parts, against central
// differences of the whole residual: position, velocity and acceleration level.

#include <gtest/gtest.h>

#include <random>

#include "dynamics/assembly.h"
#include "dynamics/constraints.h"
#include "dynamics/forces.h"
#include "dynamics/kinematics.h"
#include "generic_model.h"
#include "solve/acceleration_system.h"

namespace monocoque {
namespace {

struct Point {
  State s;
  VecX z_dot, c_dot;
};

/// (R_z, R_c, constraint rows on the level, R_w) in the order of the iteration system.
VecX residual(Workspace& ws, const Point& p, ConstraintLevel level, const SystemLayout& layout) {
  const Model& model = ws.model;
  evaluate(ws, p.s);
  VecX r = VecX::Zero(layout.size());
  VecX rz = -ws.f;
  add_mass_times(ws, p.z_dot, 1, rz);
  add_constraint_forces(ws, p.s.lambda, 1, rz);
  r.head(model.nz) = rz;
  r.segment(layout.c_start(), model.nc) = p.c_dot - ws.c_dot;
  auto rows = r.segment(layout.lambda_start(), model.nlambda);
  if (level == ConstraintLevel::position) rows = ws.g;
  if (level == ConstraintLevel::velocity) rows = ws.g_dot;
  if (level == ConstraintLevel::acceleration) rows = VecX(constraint_matrix(ws) * p.z_dot) + ws.gamma;
  r.segment(layout.w_start(), model.nw) = ws.b;
  return r;
}

Point random_point(const Model& model, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  const auto fill = [&](VecX& v, double scale) {
    for (double& x : v) x = scale * normal(random);
  };
  Point p;
  p.s = initial_state(model);
  p.s.t = 0.3;
  VecX d = VecX::Zero(model.nz);
  fill(d, 0.02);
  retract(model, p.s.x, d, p.s.x);
  VecX dz = d;
  fill(dz, 0.3);
  p.s.z += dz;
  fill(p.s.c, 0.1);
  fill(p.s.lambda, 3);
  fill(p.s.w, 1);
  p.s.w = p.s.w.cwiseAbs();
  p.z_dot = VecX::Zero(model.nz);
  fill(p.z_dot, 1);
  p.c_dot = VecX::Zero(model.nc);
  fill(p.c_dot, 1);
  return p;
}

class Assembly : public testing::TestWithParam<io::TypeInfo> {
 protected:
  void check(const Model& model) const;
};

/// Central difference of the residual when `move` shifts one coordinate of a kind by e.
template <class Move>
VecX difference(Workspace& ws, const Point& p, ConstraintLevel level, const SystemLayout& layout,
                Move&& move) {
  const double e = 1e-6;
  Point plus = p, minus = p;
  move(plus, e);
  move(minus, -e);
  return (residual(ws, plus, level, layout) - residual(ws, minus, level, layout)) / (2 * e);
}

void Assembly::check(const Model& model) const {
  Workspace ws(model);
  const SystemLayout layout(model, SystemKind::iteration, true);
  BlockMatrix A(layout.pattern());
  for (unsigned seed = 1; seed <= 3; ++seed) {
    Point p = random_point(model, seed);
    update_signals(ws, p.s.t, p.s.r);
    update_positions(ws, p.s.x);
    update_velocities(ws, p.s.z);
    start_joint_memory(ws, p.s.t, p.s.r);
    for (const ConstraintLevel level :
         {ConstraintLevel::position, ConstraintLevel::velocity, ConstraintLevel::acceleration}) {
      const auto assemble = [&](const TangentWeights& k) {
        evaluate(ws, p.s);
        update_accelerations(ws, p.z_dot);
        assemble_iteration(ws, p.s, p.z_dot, k, level, layout, A);
        return A.to_dense();
      };
      TangentWeights by_position, by_velocity, by_acceleration, by_algebraic;
      by_position.pos = by_velocity.vel = by_acceleration.mass = by_algebraic.algebraic = 1;
      const MatX K = assemble(by_position), D = assemble(by_velocity), M = assemble(by_acceleration),
                 B = assemble(by_algebraic);
      const double scale = 1 + K.cwiseAbs().maxCoeff() + D.cwiseAbs().maxCoeff() + B.cwiseAbs().maxCoeff();
      const auto expect = [&](const VecX& difference, const VecX& column, const char* what, int i) {
        for (Eigen::Index row = 0; row < column.size(); ++row) {
          // Nonholonomic rows have no position level.
          if (level == ConstraintLevel::position && row >= layout.lambda_start() && row < layout.w_start()) {
            const JointIndex j = model.joint_of_row(static_cast<int>(row) - layout.lambda_start());
            const JointInstance& joint = model.joints[j.at()];
            if (row - layout.lambda_start() - joint.lambda_start >= joint.joint->holonomic_rows()) continue;
          }
          EXPECT_NEAR(difference[row], column[row], 2e-7 * scale)
              << what << " " << i << ", row " << row << ", level " << static_cast<int>(level);
        }
      };
      for (int i = 0; i < model.nz; ++i) {
        expect(difference(ws, p, level, layout,
                          [&](Point& q, double e) {
                            VecX d = VecX::Zero(model.nz);
                            d[i] = e;
                            retract(model, q.s.x, d, q.s.x);
                          }),
               K.col(i), "position", i);
        expect(difference(ws, p, level, layout, [&](Point& q, double e) { q.s.z[i] += e; }), D.col(i),
               "velocity", i);
        expect(difference(ws, p, level, layout, [&](Point& q, double e) { q.z_dot[i] += e; }), M.col(i),
               "acceleration", i);
      }
      for (int i = 0; i < model.nlambda; ++i)
        expect(difference(ws, p, level, layout, [&](Point& q, double e) { q.s.lambda[i] += e; }),
               B.col(layout.lambda_start() + i), "lambda", i);
      for (int i = 0; i < model.nc; ++i)
        expect(difference(ws, p, level, layout, [&](Point& q, double e) { q.s.c[i] += e; }),
               B.col(layout.c_start() + i), "c", i);
      for (int i = 0; i < model.nw; ++i)
        expect(difference(ws, p, level, layout, [&](Point& q, double e) { q.s.w[i] += e; }),
               B.col(layout.w_start() + i), "w", i);
      if (HasFailure()) return;
    }
  }
}

TEST_P(Assembly, TangentsEqualDifferencesOnRigidParts) {
  check(*test::model_with(GetParam()));
}

TEST_P(Assembly, TangentsEqualDifferencesOnAFlexibleAndARigidPart) {
  check(*test::model_with(GetParam(), true, false));
}

TEST_P(Assembly, TangentsEqualDifferencesOnFlexibleParts) {
  check(*test::model_with(GetParam(), true, true));
}

INSTANTIATE_TEST_SUITE_P(EveryType, Assembly, testing::ValuesIn(test::acting_types()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace monocoque

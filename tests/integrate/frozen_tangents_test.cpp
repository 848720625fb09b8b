// Held derivatives turn with their part: the whole machine turned in space must give those of the turned
// state.

#include <gtest/gtest.h>

#include "dynamics/constraints.h"
#include "dynamics/forces.h"
#include "dynamics/frozen_tangents.h"
#include "dynamics/kinematics.h"
#include "generic_model.h"
#include "solve/acceleration_system.h"

namespace monocoque::test {
namespace {

State turned(const Model& model, const State& s, const Mat3& Q) {
  State out = s;
  for (const Part& part : model.parts) {
    if (!part.moves()) continue;
    out.x.segment<3>(part.x_start) = Q * s.x.segment<3>(part.x_start);
    out.x.segment<4>(part.x_start + 3) =
        quaternion_from_rotation(Q * rotation_from_quaternion(s.x.segment<4>(part.x_start + 3)));
    out.z.segment<3>(part.z_start) =
        Q * s.z.segment<3>(part.z_start);  // the angular velocity is in part axes
  }
  return out;
}

double difference(const ForceTangent& a, const ForceTangent& b) {
  double worst = 0;
  const auto compare = [&](const auto& x, const auto& y) {
    if (x.size() > 0)
      worst = std::max(worst, (x - y).cwiseAbs().maxCoeff() / std::max(1.0, y.cwiseAbs().maxCoeff()));
  };
  const auto rows = [&](const auto& x, const auto& y) {
    compare(x.pose, y.pose);
    compare(x.twist, y.twist);
    compare(x.c, y.c);
    compare(x.w, y.w);
    compare(x.reaction, y.reaction);
  };
  rows(a.wrench, b.wrench);
  rows(a.rate, b.rate);
  rows(a.algebraic, b.algebraic);
  return worst;
}

TEST(FrozenTangents, TurnWithTheMachine) {
  const Mat3 Q = rotation_from_rotation_vector(Vec3(0.7, -1.1, 1.6));
  int compared = 0;
  for (const auto& type : force_types()) {
    const auto model = model_with(type.info);
    Workspace ws(*model);
    State s = initial_state(*model);
    // The parts must not move alike: at rest friction has a kink.
    for (Eigen::Index i = 0; i < s.z.size(); ++i)
      s.z[i] += 0.3 * std::sin(1.0 + 2.0 * static_cast<double>(i));
    for (Eigen::Index i = 0; i < s.c.size(); ++i) s.c[i] = 0.003 * (1 + static_cast<double>(i));
    for (Eigen::Index i = 0; i < s.lambda.size(); ++i) s.lambda[i] = 3 + static_cast<double>(i);
    evaluate(ws, s);
    FrozenTangents frozen(*model);
    frozen.capture(ws);
    ForceTangent given, fresh;
    const Force& force = *model->forces[0].force;
    force.resize_tangent(fresh);
    frozen.apply(ws, 0, given);
    force.tangent(ws.forces[0].in, fresh);
    EXPECT_LT(difference(given, fresh), 1e-14) << type.info.name << ", where it was taken";

    Vec12 wrench = ws.forces[0].wrench;
    for (int k = 0; k < 12; k += 3) wrench.segment<3>(k) = (Q * wrench.segment<3>(k)).eval();
    const State after = turned(*model, s, Q);  // the elements' inputs point into it
    evaluate(ws, after);
    // Multipliers of points belong to the world's axes: kept as they are, the reaction does not turn.
    if (force.needs_reaction()) continue;
    // Forces that know the world's axes do not turn with the machine, nor do their derivatives.
    if ((ws.forces[0].wrench - wrench).norm() > 1e-9 * std::max(1.0, wrench.norm())) continue;
    ++compared;
    frozen.apply(ws, 0, given);
    force.resize_tangent(fresh);
    force.tangent(ws.forces[0].in, fresh);
    EXPECT_LT(difference(given, fresh), 1e-9) << type.info.name;
  }
  EXPECT_GE(compared, 15);
}

}  // namespace
}  // namespace monocoque::test

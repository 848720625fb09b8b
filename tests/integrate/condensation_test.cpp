// Elastic coordinates condensed out of a step against the whole matrix, for every element on parts that bend.

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "core/decompositions.h"
#include "dynamics/condensation.h"
#include "dynamics/constraints.h"
#include "dynamics/kinematics.h"
#include "elements/registry.h"
#include "generic_model.h"
#include "solve/acceleration_system.h"

namespace monocoque {
namespace {

/// A body in its own modes: mass, stiffness and damping are diagonal.
test::LumpedBody modal_body(int nodes, int modes, unsigned seed) {
  test::LumpedBody body(nodes, modes, seed);
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatX> eigen(body.Ke, body.sid().Me.zero);
  for (test::LumpedNode& n : body.nodes) {
    n.Phi = (n.Phi * eigen.eigenvectors()).eval();
    n.Psi = (n.Psi * eigen.eigenvectors()).eval();
  }
  body.Ke = eigen.eigenvalues().asDiagonal();
  body.De = (0.05 * eigen.eigenvalues().cwiseSqrt()).asDiagonal();
  return body;
}

class Condensed : public testing::TestWithParam<io::TypeInfo> {};

/// rigid: forces take the flexible parts as rigid.
void expect_same_solution(const Model& model, bool rigid) {
  Workspace ws(model);
  const std::vector<char> parts = Condensation::parts(ws);
  const std::vector<char> hidden = rigid ? parts : std::vector<char>{};
  const SystemLayout whole(model, SystemKind::iteration, true, {}, hidden);
  const SystemLayout layout(model, SystemKind::iteration, false, parts, hidden);
  ASSERT_TRUE(std::any_of(parts.begin(), parts.end(), [](char p) { return p != 0; }));
  Condensation condensation(ws, layout);
  BlockMatrix A(whole.pattern()), B(layout.pattern());
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  const double h = 1e-3;
  JacobianTerms terms;
  terms.reactions = terms.inertia = false;
  for (const ConstraintLevel level : {ConstraintLevel::velocity, ConstraintLevel::position}) {
    State s = initial_state(model);
    VecX d(model.nz), z_dot = VecX::Zero(model.nz), rhs(whole.size());
    for (double& v : d) v = 0.1 * normal(random);
    for (VecX* v : {&s.z, &s.c, &s.lambda, &s.w})
      for (double& x : *v) x = normal(random);
    for (double& v : rhs) v = normal(random);
    retract(model, s.x, d, s.x);
    update_signals(ws, s.t, s.r);
    update_positions(ws, s.x);
    update_velocities(ws, s.z);
    start_joint_memory(ws, s.t, s.r);
    evaluate(ws, s);
    const TangentWeights k = TangentWeights::of_step({1 / h, 1, h, 1 / h}, level);
    assemble_iteration(ws, s, z_dot, k, level, whole, A, terms);
    assemble_iteration(ws, s, z_dot, k, level, layout, B, terms);
    condensation.assemble(ws, k, level, B);
    VecX reduced = VecX::Zero(layout.size()), x = rhs;
    condensation.reduce(rhs, reduced);
    const VecX solution = Eigen::FullPivLU<MatX>(B.to_dense()).solve(reduced);
    condensation.expand(solution, x);
    const MatX M = A.to_dense();
    const VecX error = M * x - rhs, size = M.cwiseAbs() * x.cwiseAbs() + rhs.cwiseAbs();
    for (Eigen::Index i = 0; i < x.size(); ++i)
      EXPECT_LE(std::abs(error[i]), 1e-9 * size[i] + 1e-12 * size.maxCoeff()) << "row " << i;
  }
}

TEST_P(Condensed, SolvesTheWholeSystem) {
  const test::LumpedBody first = modal_body(6, 13, 1), second = modal_body(7, 12, 2);
  for (const auto& [a, b] : {std::pair(true, false), std::pair(false, true), std::pair(true, true)}) {
    SCOPED_TRACE(std::string(a ? "first " : "") + (b ? "second " : "") + "bends");
    const auto model = test::model_with(GetParam(), a, b, first, second);
    for (const bool rigid : {false, true}) expect_same_solution(*model, rigid);
  }
}

INSTANTIATE_TEST_SUITE_P(EveryElement, Condensed, testing::ValuesIn(test::acting_types()),
                         [](const auto& type) { return type.param.name; });

}  // namespace
}  // namespace monocoque

// Couplings of low rank against all of them: the error follows the tolerance, and at none they are the same.

#include <random>

#include <gtest/gtest.h>

#include "dynamics/flexible.h"
#include "lumped_body.h"

namespace monocoque {
namespace {

/// Everything the couplings enter, at one state.
VecX terms(const FlexibleBody& body, const VecX& q, const VecX& q_dot) {
  FlexiblePart part;
  size_flexible(body, 0, 0, part);
  update_flexible_positions(body, q, part);
  update_flexible_velocities(body, q_dot, part);
  std::vector<double> all;
  const auto take = [&](const auto& m) {
    for (const double x : m.reshaped()) all.push_back(x);
  };
  take(part.Cr);
  take(part.J);
  take(part.J_q);
  take(part.Gr);
  take(part.Oe);
  take(part.Gr_rate);
  take(part.Ge_rate);
  return Eigen::Map<const VecX>(all.data(), static_cast<Eigen::Index>(all.size()));
}

TEST(CompressedCouplings, ErrorFollowsTheTolerance) {
  // Few nodes, many coordinates: matrices of low rank.
  const io::Sid sid = test::LumpedBody(4, 30, 3).sid();
  const FlexibleBody whole = flexible_body(sid, false);
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  VecX q(30), q_dot(30);
  for (double& x : q) x = 0.1 * normal(random);
  for (double& x : q_dot) x = normal(random);
  const VecX exact = terms(whole, q, q_dot),
             none = terms(flexible_body(sid, false, io::InertiaCouplings::neglected), q, q_dot);
  const double size = (exact - none).norm();
  ASSERT_GT(size, 0);
  Eigen::Index last_rank = 31;
  for (const double tolerance : {1e-10, 1e-2, 0.5}) {
    const FlexibleBody body = flexible_body(sid, false, io::InertiaCouplings::compressed, 1, tolerance);
    const double error = (terms(body, q, q_dot) - exact).norm() / size;
    EXPECT_LE(error, 20 * tolerance + 1e-9) << tolerance;
    EXPECT_LT(body.pair_basis.cols(), last_rank) << tolerance;
    last_rank = body.pair_basis.cols();
  }
}

}  // namespace
}  // namespace monocoque

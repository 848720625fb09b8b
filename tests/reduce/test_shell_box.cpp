// A welded box of shells through the whole chain: assembly, reduction, SID.

#include <cmath>

#include <gtest/gtest.h>

#include "fe/assemble.h"
#include "io/body/sid.h"
#include "reduce/body_shapes.h"
#include "reduce/reduce_body.h"
#include "reduce/stress_recovery.h"
#include "support/shell_box.h"

namespace monocoque {
namespace {

using reduce::NodeMap;

/// 0.8 x 0.5 x 0.3 m, 3 mm steel, closed but for the top.
io::FeMesh box(int n) {
  test::ShellBox b({0.8, 0.5, 0.3}, {4 * n, 3 * n, 2 * n}, 3e-3);
  b.wall(2, 0);
  for (const int j : {0, b.ny()}) b.wall(1, j);
  for (const int i : {0, b.nx()}) b.wall(0, i);
  return b.mesh;
}

long corner(const io::FeMesh& mesh, const Vec3& at) {
  long best = -1;
  double distance = 1e9;
  for (const io::FeNode& n : mesh.nodes)
    if ((n.p - at).norm() < distance) {
      distance = (n.p - at).norm();
      best = n.id;
    }
  return best;
}

/// The measure of the task: four boundary nodes, 40 held modes, the first ten frequencies within 0.1 %.
TEST(ShellBox, CraigBamptonMeetsTheFullModel) {
  const io::FeMesh mesh = box(4);
  const FeSystem fe = assemble(mesh);
  const NodeMap map(fe);
  reduce::ReduceOptions o;
  for (const Vec3& at : {Vec3(0, 0, 0), Vec3(0.8, 0, 0), Vec3(0, 0.5, 0), Vec3(0.8, 0.5, 0)})
    o.boundary.push_back({corner(mesh, at), 7});
  o.interface_nodes = {corner(mesh, Vec3(0.4, 0, 0.3))};
  o.modes = 40;
  const reduce::ReducedBody body = reduce::reduce_body(fe, map, o);
  EXPECT_EQ(body.sid.nq, 46);
  reduce::ModeOptions m;
  m.count = 10;
  const reduce::Modes full = reduce::eigenmodes(fe, map, m);
  EXPECT_EQ(full.rigid, 6);
  for (int i = 0; i < 10; ++i) {
    const double error = std::sqrt(body.basis.omega2[i] / full.omega2[6 + i]) - 1;
    EXPECT_GT(error, -1e-8);
    EXPECT_LT(error, 1e-3) << i;
  }
  const double area = 0.8 * 0.5 + 2 * 0.3 * (0.8 + 0.5);
  EXPECT_NEAR(body.sid.mass_kg, 7850 * 3e-3 * area, 1e-10);
  EXPECT_LT(body.sid.Ct.zero.cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LT(body.sid.Cr.zero.cwiseAbs().maxCoeff(), 1e-10);
}

/// The stresses of all nodes for pictures are those that single nodes get in the SID, in the other order.
TEST(ShellBox, StressesOfTheShapesAreThoseOfTheSid) {
  const io::FeMesh mesh = box(1);
  const FeSystem fe = assemble(mesh);
  const NodeMap map(fe);
  reduce::ReduceOptions o;
  o.boundary = {{corner(mesh, Vec3(0, 0, 0)), 7},
                {corner(mesh, Vec3(0.8, 0.5, 0)), 7},
                {corner(mesh, Vec3(0.8, 0, 0)), 7}};
  o.modes = 6;
  reduce::ReducedBody body = reduce::reduce_body(fe, map, o);
  std::vector<int> all(mesh.nodes.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
  constexpr int sid_row[] = {0, 1, 2, 3, 5, 4};
  for (const Surface surface : {Surface::top, Surface::bottom}) {
    const io::BodyShapes shapes = reduce::body_shapes(mesh, fe, body, o.origin_m, surface);
    reduce::add_modal_stress(mesh, fe, map, body.Phi, o.origin_m, all, surface, body.sid);
    ASSERT_EQ(shapes.stress.rows(), 6 * shapes.node_count());
    double largest = 0;
    for (const io::SidNode& node : body.sid.nodes) {
      largest = std::max(largest, node.sigma.zero.cwiseAbs().maxCoeff());
      const auto i = map.node_of(node.id);
      for (int k = 0; k < 6; ++k)
        EXPECT_LT((shapes.stress.row(6 * i + k).cast<double>() - node.sigma.zero.row(sid_row[k])).norm(),
                  1e-7 * node.sigma.zero.norm())
            << node.id << " component " << k;
    }
    EXPECT_GT(largest, 0);
  }
}

}  // namespace
}  // namespace monocoque

// A welded box of shells through the whole chain: assembly, reduction, SID.

#include <array>
#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "fe/assemble.h"
#include "io/sid.h"
#include "reduce/reduce_body.h"

namespace monocoque {
namespace {

using reduce::NodeMap;

/// 0.8 x 0.5 x 0.3 m, 3 mm steel, closed but for the top.
io::FeMesh box(int n) {
  io::FeMesh mesh;
  mesh.materials.push_back({1, "steel", 2.1e11, 2.1e11 / 2.6, 0.3, 7850});
  io::FeProperty p;
  p.id = 1;
  p.kind = io::PropertyKind::shell;
  p.material = 0;
  p.shell.thickness_m = 3e-3;
  mesh.properties.push_back(p);
  std::map<std::array<int, 3>, int> index;
  const int nx = 4 * n, ny = 3 * n, nz = 2 * n;
  const auto node = [&](std::array<int, 3> c) {
    const auto [it, fresh] = index.try_emplace(c, static_cast<int>(mesh.nodes.size()));
    if (fresh) {
      io::FeNode f;
      f.id = it->second + 1;
      f.p = Vec3(0.8 * c[0] / nx, 0.5 * c[1] / ny, 0.3 * c[2] / nz);
      mesh.nodes.push_back(f);
    }
    return it->second;
  };
  const auto wall = [&](int a, int b, const auto& place) {
    for (int j = 0; j < b; ++j)
      for (int i = 0; i < a; ++i) {
        io::FeElement e;
        e.id = static_cast<long>(mesh.elements.size()) + 1;
        e.kind = io::ElementKind::shell4;
        e.property = 0;
        e.first_node = static_cast<int>(mesh.connectivity.size());
        for (const auto& c : {place(i, j), place(i + 1, j), place(i + 1, j + 1), place(i, j + 1)})
          mesh.connectivity.push_back(node(c));
        mesh.elements.push_back(e);
      }
  };
  using Cell = std::array<int, 3>;
  wall(nx, ny, [](int i, int j) { return Cell{i, j, 0}; });
  for (const int j : {0, ny}) wall(nx, nz, [j](int i, int k) { return Cell{i, j, k}; });
  for (const int i : {0, nx}) wall(ny, nz, [i](int j, int k) { return Cell{i, j, k}; });
  return mesh;
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

}  // namespace
}  // namespace monocoque

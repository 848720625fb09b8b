#include "reduce/body_shapes.h"

#include <algorithm>
#include <numeric>

#include "core/index.h"
#include "io/mesh/mesh_surface.h"
#include "reduce/stress_recovery.h"

namespace monocoque::reduce {

namespace {

/// Some nodes at a time: the sparse recovery of a large mesh takes much more memory than its result.
constexpr int kNodesAtOnce = 20'000;

void fill_stress(const io::FeMesh& mesh, const MatX& motions, Surface surface, io::BodyShapes& out) {
  const std::vector<char> has = nodes_with_stress(mesh);
  if (std::find(has.begin(), has.end(), 1) == has.end()) return;
  const auto count = static_cast<int>(has.size());
  out.stress.resize(6 * count, motions.cols());
  for (int first = 0; first < count; first += kNodesAtOnce) {
    std::vector<int> nodes(at(std::min(kNodesAtOnce, count - first)));
    std::iota(nodes.begin(), nodes.end(), first);
    const MatX stress = nodal_stress_matrix(mesh, nodes, surface) * motions;
    out.stress.middleRows(6 * first, stress.rows()) = stress.cast<float>();
  }
}

}  // namespace

io::BodyShapes body_shapes(const io::FeMesh& mesh, const FeSystem& fe, const ReducedBody& body,
                           const Vec3& origin_m, Surface surface) {
  io::BodyShapes out;
  out.node_ids = fe.node_ids;
  const auto nodes = static_cast<Eigen::Index>(fe.nodes());
  out.points.resize(3, nodes);
  for (Eigen::Index i = 0; i < nodes; ++i)
    out.points.col(i) = fe.positions[static_cast<std::size_t>(i)] - origin_m;
  io::MeshSurface seen = io::surface_of(mesh);
  out.faces = std::move(seen.faces);
  out.lines = std::move(seen.bars);
  out.modes.resize(3 * nodes, body.Phi.cols());
  const MatX all = fe.to_nodes * body.Phi;
  for (Eigen::Index i = 0; i < nodes; ++i)
    out.modes.middleRows(3 * i, 3) = all.middleRows(6 * i, 3).cast<float>();
  fill_stress(mesh, all, surface, out);
  return out;
}

}  // namespace monocoque::reduce

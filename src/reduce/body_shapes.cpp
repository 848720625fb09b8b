#include "reduce/body_shapes.h"

#include "io/mesh_surface.h"

namespace monocoque::reduce {

io::BodyShapes body_shapes(const io::FeMesh& mesh, const FeSystem& fe, const ReducedBody& body,
                           const Vec3& origin_m) {
  io::BodyShapes out;
  out.node_ids = fe.node_ids;
  const auto nodes = static_cast<Eigen::Index>(fe.nodes());
  out.points.resize(3, nodes);
  for (Eigen::Index i = 0; i < nodes; ++i)
    out.points.col(i) = fe.positions[static_cast<std::size_t>(i)] - origin_m;
  io::MeshSurface surface = io::surface_of(mesh);
  out.faces = std::move(surface.faces);
  out.lines = std::move(surface.bars);
  out.modes.resize(3 * nodes, body.Phi.cols());
  const MatX all = fe.to_nodes * body.Phi;
  for (Eigen::Index i = 0; i < nodes; ++i)
    out.modes.middleRows(3 * i, 3) = all.middleRows(6 * i, 3).cast<float>();
  return out;
}

}  // namespace monocoque::reduce

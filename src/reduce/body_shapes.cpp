#include "reduce/body_shapes.h"

#include <algorithm>
#include <map>

namespace monocoque::reduce {

namespace {

using Face = std::array<int, 4>;
using io::ElementKind;

/// Corner faces of solids, by the places of their corners in the element; a triangle repeats its last.
const std::vector<Face>& local_faces(ElementKind kind) {
  static const std::vector<Face> none, tet{{0, 2, 1, 1}, {0, 1, 3, 3}, {1, 2, 3, 3}, {0, 3, 2, 2}},
      wedge{{0, 2, 1, 1}, {3, 4, 5, 5}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}},
      brick{{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}},
      triangle{{0, 1, 2, 2}}, quad{{0, 1, 2, 3}};
  switch (kind) {
    case ElementKind::shell3:
      return triangle;
    case ElementKind::shell4:
      return quad;
    case ElementKind::tet4:
    case ElementKind::tet10:
      return tet;
    case ElementKind::wedge6:
      return wedge;
    case ElementKind::brick8:
    case ElementKind::brick20:
      return brick;
    default:
      return none;
  }
}

}  // namespace

io::BodyShapes body_shapes(const io::FeMesh& mesh, const FeSystem& fe, const ReducedBody& body,
                           const Vec3& origin_m) {
  io::BodyShapes out;
  out.node_ids = fe.node_ids;
  const auto nodes = static_cast<Eigen::Index>(fe.nodes());
  out.points.resize(3, nodes);
  for (Eigen::Index i = 0; i < nodes; ++i)
    out.points.col(i) = fe.positions[static_cast<std::size_t>(i)] - origin_m;
  std::map<Face, std::pair<Face, int>> inner;  // by sorted corners: faces of solids that may be shared
  for (const io::FeElement& e : mesh.elements) {
    const int* n = mesh.nodes_of(e);
    if (e.kind == ElementKind::rod2 || e.kind == ElementKind::beam2 || e.kind == ElementKind::beam3)
      out.lines.push_back({n[0], n[1]});
    const bool shell = e.kind == ElementKind::shell3 || e.kind == ElementKind::shell4;
    for (const Face& local : local_faces(e.kind)) {
      const Face face{n[local[0]], n[local[1]], n[local[2]], n[local[3]]};
      if (shell) {
        out.faces.push_back(face);
        continue;
      }
      Face key = face;
      std::sort(key.begin(), key.end());
      auto& entry = inner[key];
      entry.first = face;
      ++entry.second;
    }
  }
  for (const auto& [key, entry] : inner)
    if (entry.second == 1) out.faces.push_back(entry.first);
  out.modes.resize(3 * nodes, body.Phi.cols());
  const MatX all = fe.to_nodes * body.Phi;
  for (Eigen::Index i = 0; i < nodes; ++i)
    out.modes.middleRows(3 * i, 3) = all.middleRows(6 * i, 3).cast<float>();
  return out;
}

}  // namespace monocoque::reduce

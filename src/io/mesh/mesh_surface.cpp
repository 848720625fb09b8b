#include "io/mesh/mesh_surface.h"

#include <algorithm>
#include <map>

namespace monocoque::io {

namespace {

using Face = std::array<int, 4>;

/// Corner numbers of the faces of solids; middle nodes are not drawn.
const std::vector<Face>& faces_of(ElementKind kind) {
  static const std::vector<Face> tet = {{0, 2, 1, -1}, {0, 1, 3, -1}, {1, 2, 3, -1}, {0, 3, 2, -1}};
  static const std::vector<Face> wedge = {
      {0, 2, 1, -1}, {3, 4, 5, -1}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}};
  static const std::vector<Face> brick = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                          {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
  static const std::vector<Face> none;
  switch (kind) {
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

MeshSurface surface_of(const FeMesh& mesh) {
  MeshSurface out;
  for (const FeNode& n : mesh.nodes) out.points.push_back(n.p);
  std::map<Face, std::pair<Face, int>> solid;  // sorted corners to corners and how often they occur
  for (const FeElement& e : mesh.elements) {
    const int* n = mesh.nodes_of(e);
    switch (e.kind) {
      case ElementKind::shell3:
        out.faces.push_back({n[0], n[1], n[2], -1});
        break;
      case ElementKind::shell4:
        out.faces.push_back({n[0], n[1], n[2], n[3]});
        break;
      case ElementKind::rod2:
      case ElementKind::beam2:
        out.bars.push_back({n[0], n[1]});
        break;
      case ElementKind::beam3:
        out.bars.push_back({n[0], n[2]});
        out.bars.push_back({n[2], n[1]});
        break;
      default:
        for (Face f : faces_of(e.kind)) {
          for (int& k : f) k = k < 0 ? k : n[k];
          Face key = f;
          std::sort(key.begin(), key.end());
          const auto it = solid.emplace(key, std::pair(f, 0)).first;
          ++it->second.second;
        }
    }
  }
  for (const auto& [key, face] : solid)
    if (face.second == 1) out.faces.push_back(face.first);
  return out;
}

}  // namespace monocoque::io

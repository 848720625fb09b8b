#pragma once
// What can be seen of a mesh.

#include <array>
#include <vector>

#include "io/mesh/fe_mesh.h"

namespace monocoque::io {

struct MeshSurface {
  std::vector<Vec3> points;
  std::vector<std::array<int, 4>> faces;  ///< last -1: triangle
  std::vector<std::array<int, 2>> bars;
};

/// Shells, outer faces of solids, rods and beams. Points are the nodes of the mesh.
MeshSurface surface_of(const FeMesh& mesh);

}  // namespace monocoque::io

#pragma once
// Triangles for pictures: STL (binary or text) and Wavefront OBJ (v and f lines; polygons become fans).
// Vertices of an STL file that coincide are joined.

#include <array>
#include <string>
#include <vector>

#include "core/types.h"

namespace monocoque::io {

struct TriangleMesh {
  Eigen::Matrix<float, 3, Eigen::Dynamic> points;
  std::vector<std::array<int, 3>> triangles;
};

/// By its suffix, .stl or .obj. Throws Error with file, line or byte, and rule.
TriangleMesh read_triangle_mesh(const std::string& path);

}  // namespace monocoque::io

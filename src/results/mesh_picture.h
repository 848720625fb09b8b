#pragma once
// A picture of a mesh, deformed and coloured: perspective, hidden surfaces, edges of elements, colour bar
// with unit, title, axes. The surface is drawn point by point, so that a mesh of a million shells gives a
// file no larger than a small one; text and colour bar are lines. Works without a screen.
//   const MeshSurface s = surface_of(mesh);
//   write_picture(s, {.title = "mode 2", .quantity = "displacement", .displacement_m = u, .value = v},
//   "m2.svg");

#include <array>
#include <limits>
#include <string>
#include <vector>

#include "core/types.h"
#include "io/mesh/mesh_surface.h"

namespace monocoque {

using io::MeshSurface;

struct MeshPicture {
  std::string title, subtitle;
  std::string quantity, unit;                              ///< of the colours
  std::vector<Vec3> displacement_m;                        ///< per point; empty: at rest
  double magnification = 1;                                ///< of the displacement
  std::vector<double> value;                               ///< per point; empty: no colours; NaN: grey
  double low = std::numeric_limits<double>::quiet_NaN();   ///< of the colour bar; NaN: least value
  double high = std::numeric_limits<double>::quiet_NaN();  ///< NaN: largest value
  bool rest_outline = true;              ///< of the shape at rest, where displacements are given
  Vec3 view_from = Vec3(1, 0.85, 0.55);  ///< direction from the mesh to the eye
  double eye_distance = 2.2;             ///< over the size of the mesh
  int width = 1200, height = 720;
};

/// Throws Error when sizes do not fit together.
std::string picture_svg(const MeshSurface& surface, const MeshPicture& picture);
/// Throws Error when the file cannot be written.
void write_picture(const MeshSurface& surface, const MeshPicture& picture, const std::string& path);

/// 6 per node (u, theta) to displacements, with the factor that makes the largest of them `largest_m`.
std::vector<Vec3> displacements(const VecX& motion);
double magnification_for(const std::vector<Vec3>& displacement_m, double largest_m);

}  // namespace monocoque

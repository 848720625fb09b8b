#pragma once
// Section constants of named beam shapes from their dimensions. y is up and z to the right, as in the
// drawings of Nastran's PBARL. Torsion: exact for round shapes, series for rectangles, Bredt for closed thin
// walls, sum of b t^3 / 3 (with the correction of a finite strip) for open ones. Shear areas are the usual
// ones: 0.9 round, 0.5 thin tube, 5/6 rectangle, the parts along the force in built-up shapes.

#include <string>
#include <string_view>
#include <vector>

#include "io/mesh/fe_mesh.h"

namespace monocoque::io {

/// How many dimensions a shape of PBARL has; 0: not known.
int dimension_count(std::string_view shape);
/// False with a reason where the dimensions do not make a section.
bool section_of_shape(std::string_view shape, const std::vector<double>& dimensions, BeamSection& section,
                      std::string& reason);
BeamSection rectangle_section(double along_z, double along_y);
/// inner = 0: full.
BeamSection round_section(double outer_radius, double inner_radius);

}  // namespace monocoque::io

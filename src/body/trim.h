#pragma once
// Trim, closures, seats and what else hangs on the structure, as distributed mass: per zone, along the edges
// of frame sheets and over the area of panels. The masses of the zones move from a first guess, as little as
// possible, until total mass and centre are met exactly and the moments of inertia nearly; none falls below
// 5 % of its guess.

#include <map>
#include <vector>

#include "body/grid.h"

namespace monocoque::body {

struct TrimTarget {
  double mass_kg = 0;
  Vec3 centre_m = Vec3::Zero();
  Vec3 inertia_kg_m2 = Vec3::Zero();  ///< Ixx, Iyy, Izz about the centre
  double inertia_weight = 10;         ///< of an inertia's relative error against a zone's relative change
  double thickness_scale = 1;
};

struct Trim {
  // Of the whole: sheets by four points of Gauss, beams by Simpson's rule, trim.
  double mass_kg = 0;
  Vec3 centre_m = Vec3::Zero();
  Mat3 inertia_kg_m2 = Mat3::Zero();      ///< about the wanted centre
  double structure_kg = 0, beams_kg = 0;  ///< beams: part of the structure
  std::vector<double> zone_kg;            ///< per zone of zones()
  std::vector<double> panel_kg_per_m2;    ///< on panels of the zone
  std::map<int, double> at_node;          ///< kg
};

/// Throws Error when mass or centre cannot be met.
Trim match_trim(const Grid& grid, const TrimTarget& target);

/// A hollow box with thin walls.
struct BoxValues {
  double area, I_height, I_width, torsion, shear_height, shear_width;
};
BoxValues box_values(double width, double height, double wall);

}  // namespace monocoque::body

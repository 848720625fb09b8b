#pragma once
// What the body is made of: materials, sheets, beam sections, trim zones, interface points. Plain tables of
// the sedan; docs/body.md gives the reason of the tuned numbers.

#include <span>
#include <string_view>

#include "core/types.h"

namespace monocoque::body {

enum class Stock { sheet_steel, glass, beam_steel };
constexpr int kStocks = 3;

struct Material {
  std::string_view name;
  double young_Pa, poisson, density_kg_per_m3;
};
/// Without the knockdown of the sheets.
const Material& material(Stock stock);

struct Sheet {
  std::string_view name;
  double thickness_m;
  double bending_ratio;  ///< 12 I / t^3: beads, ribs and damping pads, which the mesh does not show
  Stock stock;
  bool panel;  ///< carries trim over its area; the others carry it along their edges
};
std::span<const Sheet> sheets();
int sheet_index(std::string_view name);

/// Hollow box: width across, height along the section's vector, wall.
struct Section {
  std::string_view name;
  double width_m, height_m, wall_m;
};
std::span<const Section> sections();
int section_index(std::string_view name);

/// Part of the car that carries trim; the mass is a first guess that the match of mass and centre moves.
struct Zone {
  std::string_view name;
  double guess_kg;
};
std::span<const Zone> zones();
constexpr int kNoZone = -1;
/// kNoZone for "none".
int zone_index(std::string_view name);

/// Node id, name, place relative to the centre of mass of the car, what its spider holds (see Skeleton).
struct Interface {
  int id;
  std::string_view name;
  double x, y, z;
  std::string_view targets;
};
std::span<const Interface> interfaces();
/// The centre of mass that the places of the interfaces are relative to, in the axes of the body.
inline Vec3 reference_centre() {
  return {0, 0, 0.602};
}

constexpr double kEdgeWeight = 0.10;   ///< share of a zone's trim per metre of edge
constexpr double kPanelWeight = 0.25;  ///< and per square metre of panel
/// Shear stiffness of the glass' adhesive per metre of bead: G width / thickness of the bead, N/m per m.
constexpr double kBond = 1.2e6 * 0.014 / 0.005;

}  // namespace monocoque::body

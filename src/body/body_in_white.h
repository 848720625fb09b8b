#pragma once
// A parametric body-in-white of a sedan as a finite-element mesh: shells, beams, rigid spiders to the 20
// interface points of the car (node ids 1 to 20; 1 to 4 are the domes FL FR RL RR), spot welds as rigid
// elements, glass bonded by springs, trim as distributed mass. Deterministic: equal parameters give equal
// meshes. Axes as in Skeleton.

#include <map>
#include <string>

#include "fe/rigid_body.h"
#include "io/mesh/fe_mesh.h"

namespace monocoque::body {

enum class WeldKind {
  rigid,  ///< every part has nodes of its own, tied by rigid elements at the pitch of the spots
  shared  ///< parts share the nodes where they meet, as if welded all along
};

struct BodyParameters {
  double size_m = 0.2;  ///< of the elements; 0.2: 3 k shells, 0.06: 15 k, 0.03: 50 k, 0.0066: 1.1 M
  WeldKind weld = WeldKind::rigid;
  double weld_pitch_m = 0.05;
  double thickness_scale = 1;  ///< of all sheets and the glass
  /// Young's modulus of the sheets over that of steel: real boxes have holes, flanges and joints that peel.
  double knockdown = 0.35;
  bool glass = true;
  bool closed_bulkhead = false;
  double bond_scale = 1;  ///< stiffness of the glass' adhesive
  double mass_kg = 1006.5;
  double centre_x_m = 0, centre_z_m = 0.602;
  double Ixx_kg_m2 = 420, Iyy_kg_m2 = 1500, Izz_kg_m2 = 1650;  ///< wished; met to a few percent
};

constexpr double kLeastSize_m = 0.002, kLargestSize_m = 0.5;

struct BodyInWhite {
  io::FeMesh mesh;
  MassProperties mass;                    ///< from the geometry, without the matrices of the mesh
  double structure_kg = 0;                ///< sheets, glass and beams; the rest is trim
  std::map<std::string, double> trim_kg;  ///< per zone
  int welds = 0, spiders = 0;
  std::map<std::string, int> key_nodes;  ///< point of the skeleton to a node of the mesh there
};

/// Throws Error with every parameter out of its range, or when mass and centre cannot be met.
BodyInWhite make_body(const BodyParameters& parameters);

}  // namespace monocoque::body

#pragma once
// Rigid-body motion and what follows from it: mass, centre, inertia; and which parts of the mesh hang
// together.

#include <string>
#include <vector>

#include "fe/fe_system.h"
#include "io/mesh/fe_mesh.h"

namespace monocoque {

/// Unknowns x 6: unit translations along x, y, z and unit rotations about the basic axes through the origin.
MatX rigid_body_modes(const FeSystem& system);

struct MassProperties {
  double mass_kg = 0;
  Vec3 centre = Vec3::Zero();   ///< m, basic axes
  Mat3 inertia = Mat3::Zero();  ///< kg m^2, about the centre, basic axes
};

/// From R^T M R with the rigid-body modes R. Mass on supports does not move and is not counted.
MassProperties mass_properties(const FeSystem& system);

struct MeshPart {
  int nodes = 0, elements = 0;
  long example_node = 0;
};

/// Parts of the mesh that no element, spring or rigid element connects, largest first. A mesh of n parts has
/// 6 n rigid modes. Nodes that nothing uses are no part.
std::vector<MeshPart> connected_parts(const io::FeMesh& mesh);

/// One sentence for more than one part, empty otherwise.
std::string explain_parts(const std::vector<MeshPart>& parts);

}  // namespace monocoque

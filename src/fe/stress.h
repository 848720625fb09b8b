#pragma once
// Stresses from nodal motion. Tensors are (xx yy zz xy yz zx) in basic axes, Pa.
//   shells: top (side of the normal) and bottom surface, membrane and bending; solids: top = bottom;
//   beams and rods: forces (N, V_y, V_z, M_x, M_y, M_z) in element axes, and the largest normal stress of a
//   section whose outermost fibres the user gives.
// Corner values come from the Gauss points by extrapolation; they differ between neighbours by the size of
// the discretisation error. Nodal values are means over the elements at the node.

#include <functional>
#include <vector>

#include "core/von_mises.h"
#include "fe/fe_system.h"
#include "io/mesh/fe_mesh.h"

namespace monocoque {

struct CornerStress {
  int element = -1, node = -1;
  Vec6 top = Vec6::Zero(), bottom = Vec6::Zero();
};

/// Corners of all shells and solids, or of the elements chosen. motion: 6 per node (FeSystem::to_nodes times
/// unknowns).
std::vector<CornerStress> corner_stresses(const io::FeMesh& mesh, const VecX& motion,
                                          const std::vector<int>& elements = {});

struct SectionForces {
  int element = -1, node = -1;
  Vec6 force = Vec6::Zero();
};
std::vector<SectionForces> section_forces(const io::FeMesh& mesh, const VecX& motion,
                                          const std::vector<int>& elements = {});
/// Largest |normal stress| at the four corners (+-y, +-z) of a section, from N, M_y, M_z.
double extreme_fibre_stress(const io::BeamSection& section, const Vec6& force, double y_m, double z_m);

/// Linear recovery for chosen nodes: rows 6 i .. 6 i + 5 are the stress at nodes[i], averaged over its
/// elements; columns as the motion's. top: surface of shells. Multiply by to_nodes times the mode shapes for
/// modal stresses.
enum class Surface { top, bottom };
SparseMatrix nodal_stress_matrix(const io::FeMesh& mesh, const std::vector<int>& nodes, Surface surface);
/// (6 nodes) x modes.
MatX modal_stress(const io::FeMesh& mesh, const FeSystem& system, const MatX& modes,
                  const std::vector<int>& nodes, Surface surface);

}  // namespace monocoque

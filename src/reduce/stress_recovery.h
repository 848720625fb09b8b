#pragma once
// Modal stresses in a reduced body: sigma = sigma_l q_l at chosen nodes, the mean over their shells and
// solids, body axes (parallel to the mesh axes), in the order of the SID: xx yy zz xy xz yz. Rods and beams
// have no stress tensor.

#include "fe/stress.h"
#include "io/body/sid.h"
#include "reduce/node_map.h"

namespace monocoque::reduce {

/// Per node of the mesh: 1 where a shell or a solid is attached.
std::vector<char> nodes_with_stress(const io::FeMesh& mesh);

/// Fills `sigma` of these nodes (indices into the mesh); those the SID does not keep yet are added to it.
/// Returns the indices of nodes without shell or solid: they get no stress.
std::vector<int> add_modal_stress(const io::FeMesh& mesh, const FeSystem& fe, const NodeMap& map,
                                  const MatX& Phi, const Vec3& origin_m, const std::vector<int>& nodes,
                                  Surface surface, io::Sid& sid);

}  // namespace monocoque::reduce

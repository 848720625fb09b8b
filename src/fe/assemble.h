#pragma once
// From the mesh to M u_ddot + K u = f. Rigid elements and supports are eliminated exactly: with all nodal
// components d = T q, K = T^T K_nodes T, M = T^T M_nodes T.
// Components without stiffness and mass are left out; what is left out or assumed is told in FeSystem::notes.
// Throws Error with every mistake of the mesh at once: degenerate elements, missing or impossible properties,
// conflicts of rigid elements.

#include "fe/fe_system.h"
#include "io/mesh/fe_mesh.h"

namespace monocoque {

struct AssembleOptions {
  double drilling = 1e-3;    ///< drilling stiffness of four-node shells over G t
  bool use_supports = true;  ///< false: the mesh floats
  /// A component that two rigid elements claim follows the first one, with a note; otherwise it is an error.
  bool first_rigid_wins = false;
};

FeSystem assemble(const io::FeMesh& mesh, MassKind mass = MassKind::consistent,
                  const AssembleOptions& options = {});

}  // namespace monocoque

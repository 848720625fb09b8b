#pragma once
// Rigid elements as equations between nodal components.
//   RBE2: u_d = u_i + theta_i x r, theta_d = theta_i, for the components named; r from the independent node
//   to d RBE3: the reference follows the rigid motion q that fits its legs best: min sum w |d_leg - S q|^2,
//   so a force at
//         the reference goes to the legs by weights, a moment by weights and arms. Rotations of legs count
//         with the square of the mean arm. [MSC Nastran Linear Static Analysis User's Guide; derivation in
//         docs/theory/finite-elements.md]
// Chains are resolved; a component that depends twice, on itself, or is supported too, is an error.

#include <string>
#include <vector>

#include "core/error.h"
#include "core/types.h"
#include "fe/assemble.h"
#include "io/mesh/fe_mesh.h"

namespace monocoque::fe {

struct Term {
  int dof = -1;  ///< 6 node + component
  double factor = 0;
};

struct Dependencies {
  std::vector<int> row_of;              ///< per dof: index into rows, or -1
  std::vector<std::vector<Term>> rows;  ///< in free components only, once resolved
  std::vector<char> supported;          ///< per dof
  bool depends(int dof) const { return row_of[static_cast<std::size_t>(dof)] >= 0; }
  const std::vector<Term>& row(int dof) const {
    return rows[static_cast<std::size_t>(row_of[static_cast<std::size_t>(dof)])];
  }
};

/// exists: per dof, whether anything uses it; components that rigid elements bring in are added.
Dependencies resolve_rigid(const io::FeMesh& mesh, const AssembleOptions& options, std::vector<char>& exists,
                           std::vector<std::string>& notes, Diagnostics& diagnostics);

}  // namespace monocoque::fe

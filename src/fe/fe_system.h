#pragma once
// Assembled finite-element equations M u_ddot + K u = f in the degrees of freedom that are left after rigid
// elements and supports have been eliminated, with the way back to all nodes.

#include <array>
#include <vector>

#include <Eigen/SparseCore>

#include "core/types.h"

namespace monocoque {

using SparseMatrix = Eigen::SparseMatrix<double>;

struct FeSystem {
  std::vector<long> node_ids;
  std::vector<Vec3> positions;  ///< m
  /// Motion of all nodes from the unknowns: row 6 n + k is component k of (u, theta) of node n; rows of components
  /// that do not exist (rotations of solid nodes) are empty.
  SparseMatrix to_nodes;
  SparseMatrix K, M;  ///< unknowns x unknowns, both triangles stored
  /// Per node component whether it has any stiffness, own or through a rigid element: a joint can hold it.
  std::vector<std::array<bool, 6>> stiff;
  int size() const { return static_cast<int>(K.rows()); }
  int nodes() const { return static_cast<int>(positions.size()); }
};

enum class MassKind { consistent, lumped };

}  // namespace monocoque

#pragma once
// Assembled finite-element equations M u_ddot + K u = f in the degrees of freedom that are left after rigid
// elements and supports have been eliminated, with the way back to all nodes.

#include <array>
#include <string>
#include <vector>

#include <Eigen/SparseCore>

#include "core/types.h"

namespace monocoque {

using SparseMatrix = Eigen::SparseMatrix<double>;

struct FeSystem {
  std::vector<long> node_ids;
  std::vector<Vec3> positions;  ///< m
  /// Motion of all nodes from the unknowns: row 6 n + k is component k of (u, theta) of node n; rows of
  /// components that do not exist (rotations of solid nodes) are empty.
  SparseMatrix to_nodes;
  SparseMatrix K, M;  ///< unknowns x unknowns, both triangles stored
  /// Per node component whether it has any stiffness, own or through a rigid element: a joint can hold it.
  std::vector<std::array<bool, 6>> stiff;
  /// Unknown i is the amplitude of this motion (u, theta) of its node.
  struct Unknown {
    int node = -1;
    Vec6 direction = Vec6::Zero();
  };
  std::vector<Unknown> unknowns;
  double mesh_mass_kg = 0;         ///< of all elements and point masses, also where supports hold them
  std::vector<std::string> notes;  ///< what was left out or assumed, for the user
  int size() const { return static_cast<int>(K.rows()); }
  int nodes() const { return static_cast<int>(positions.size()); }
};

enum class MassKind { consistent, lumped };

}  // namespace monocoque

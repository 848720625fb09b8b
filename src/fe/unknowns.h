#pragma once
// Which motions remain unknown, and the map T from them to all nodal components.
// A node's 6 x 6 diagonal block of T^T K T tells which of its motions have stiffness. As K is positive
// semidefinite, a motion without energy of its own couples with nothing, so it can be left out without
// holding anything else:
//   no stiffness at all at the node: the node is left out, with a note that tells the mass lost;
//   rotations without stiffness: left out;
//   other motions without stiffness: left out when massless, kept as a mechanism (with a note) when they
//   carry mass.

#include <string>
#include <vector>

#include <Eigen/SparseCore>

#include "fe/items.h"
#include "fe/rigid.h"

namespace monocoque::fe {

using RowMatrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;

struct Unknowns {
  RowMatrix to_nodes;
  std::vector<FeSystem::Unknown> list;  ///< those of one node follow each other
  std::vector<int> first;               ///< per node, and the end
  std::vector<std::array<bool, 6>> stiff;
  int size() const { return static_cast<int>(list.size()); }
};

Unknowns find_unknowns(const io::FeMesh& mesh, const Items& items, const Dependencies& rigid,
                       const std::vector<char>& exists, std::vector<std::string>& notes);

/// "tet10 4711: ..." for a fault of item i.
void report(const io::FeMesh& mesh, int i, const Fault& fault, Diagnostics& diagnostics);

}  // namespace monocoque::fe

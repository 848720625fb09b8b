#pragma once
// Which node and component each unknown of an FeSystem is, and fields over the nodes written in the unknowns.
// An unknown must be a component of some node as it stands (a row of to_nodes with the single entry 1); rigid
// elements and supports only make the other components depend on them.

#include <vector>

#include "fe/fe_system.h"

namespace monocoque::reduce {

struct NodeComponent {
  int node = -1;
  int component = 0;  ///< 0..2 translation, 3..5 rotation
  bool operator==(const NodeComponent&) const = default;
};

class NodeMap {
 public:
  /// Throws Error when an unknown is no component of a node.
  explicit NodeMap(const FeSystem& fe);

  /// Per unknown.
  const std::vector<NodeComponent>& homes() const { return homes_; }
  /// Index of the node with this id; throws Error that names the closest ids.
  int node_of(long id) const;
  /// Whether the component exists at the node (moves at all with the unknowns).
  bool exists(NodeComponent c) const { return exists_[static_cast<std::size_t>(6 * c.node + c.component)]; }
  /// Row of to_nodes: the component as a linear form in the unknowns.
  Eigen::SparseVector<double> form(NodeComponent c) const;
  /// The forms of several components as rows.
  SparseMatrix forms(const std::vector<NodeComponent>& components) const;

  /// Six columns, motions of a rigid body about the origin: velocity v + w x (R - origin), rotation w.
  MatX rigid_motions(const Vec3& origin) const;
  /// Largest difference, over all nodes, between the rigid motions and what the unknowns make of them at the
  /// nodes (relative to the body's size): zero unless supports hold the body.
  double rigid_defect() const;

 private:
  const FeSystem& fe_;
  Eigen::SparseMatrix<double, Eigen::RowMajor> rows_;
  std::vector<NodeComponent> homes_;
  std::vector<bool> exists_;
  std::vector<std::pair<long, int>> by_id_;
};

}  // namespace monocoque::reduce

#pragma once
// Which motion of which node each unknown of an FeSystem is, and fields over the nodes written in the
// unknowns: the amplitude of an unknown in a field is the field's part along the unknown's direction. Where
// the system does not list them, an unknown is the component of to_nodes whose row has the single entry 1.

#include <vector>

#include "fe/fe_system.h"

namespace monocoque::reduce {

constexpr double kRigidDefect = 1e-9;  ///< of a free body it stays below

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
  const std::vector<FeSystem::Unknown>& unknowns() const { return unknowns_; }
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
  /// Energy of the rigid motions over what the unknowns would need one by one: rounding unless supports,
  /// springs to the ground or faulty elements hold the body.
  double rigid_defect() const;

 private:
  const FeSystem& fe_;
  Eigen::SparseMatrix<double, Eigen::RowMajor> rows_;
  std::vector<FeSystem::Unknown> unknowns_;
  void find_unknowns();
  std::vector<bool> exists_;
  std::vector<std::pair<long, int>> by_id_;
};

}  // namespace monocoque::reduce

#pragma once
// What joints and forces do to the nodes of flexible parts: the loads a fatigue program asks for.

#include <vector>

#include "dynamics/workspace.h"

namespace monocoque {

class NodeLoads {
 public:
  struct Node {
    PartIndex part;
    long id = -1;
  };
  explicit NodeLoads(const Model& model);

  /// Those on which joints or forces act, by part and in the order of their first marker.
  const std::vector<Node>& nodes() const { return nodes_; }
  /// Multipliers, reactions and forces must be up to date in the workspace.
  void update(const Workspace& ws);
  /// Force, and moment about the node, in axes of the part's frame.
  const Vec6& load(std::size_t node) const { return loads_[node]; }

 private:
  void add(const Workspace& ws, MarkerIndex marker, const Vec6& wrench);

  const Model& model_;
  std::vector<Node> nodes_;
  std::vector<int> node_of_marker_;  ///< -1: on none
  std::vector<Vec6> sums_, loads_;   ///< in world axes and in axes of the part's frame
};

}  // namespace monocoque

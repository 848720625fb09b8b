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

  /// Six numbers a node, force and moment about it, in axes of its part's frame; returns the place behind the
  /// last. Multipliers, reactions and forces must be up to date in the workspace.
  double* fill(const Workspace& ws, double* out);

 private:
  void add(const Workspace& ws, MarkerIndex marker, const Vec6& wrench);

  const Model& model_;
  std::vector<Node> nodes_;
  std::vector<int> node_of_marker_;  ///< -1: on none
  std::vector<Vec6> sums_;           ///< world axes
};

/// Nodes on which joints or forces act, by part and in the order of their first marker.
std::vector<NodeLoads::Node> loaded_nodes(const Model& model);

}  // namespace monocoque

#pragma once
// Frozen tangents: derivatives of the applied forces, captured once and kept for a Jacobian that stays
// constant (simplified Newton iteration: Hairer and Wanner, Solving Ordinary Differential Equations II,
// IV.8). Each element's are kept in the axes of its first moving part, so that a car may turn; what changes
// with the state (load, contact, slip, large travel) is lost.

#include <vector>

#include "dynamics/workspace.h"

namespace monocoque {

class FrozenTangents {
 public:
  explicit FrozenTangents(const Model& model);
  bool captured() const { return captured_; }
  /// All elements at the workspace's state; needs positions, velocities, forces.
  void capture(const Workspace& ws);
  /// Element i, turned with its part.
  void apply(const Workspace& ws, std::size_t i, ForceTangent& out) const;

 private:
  struct Entry {
    std::size_t part = 0;  ///< whose axes hold it; the ground where nothing moves
    Mat3 R_WP = Mat3::Identity();
    ForceTangent tangent;
  };
  std::vector<Entry> entries_;
  bool captured_ = false;
};

}  // namespace monocoque

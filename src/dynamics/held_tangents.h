#pragma once
// Derivatives of the applied forces, computed once and held: for methods whose Jacobian is constant.
// Each element's are held in the axes of its first moving part, so that a car may turn; what changes with the
// state (load, contact, slip, large travel) is lost.

#include <vector>

#include "dynamics/workspace.h"

namespace monocoque {

class HeldTangents {
 public:
  explicit HeldTangents(const Model& model);
  bool taken() const { return taken_; }
  /// All elements at the workspace's state; needs positions, velocities, forces.
  void take(const Workspace& ws);
  /// Element i, turned with its part.
  void give(const Workspace& ws, std::size_t i, ForceTangent& out) const;

 private:
  struct Held {
    std::size_t part = 0;  ///< whose axes hold it; the ground where nothing moves
    Mat3 R_WP = Mat3::Identity();
    ForceTangent tangent;
  };
  std::vector<Held> held_;
  bool taken_ = false;
};

}  // namespace monocoque

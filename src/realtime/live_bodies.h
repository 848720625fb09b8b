#pragma once
// The same scenario with flexible and with rigid parts: states of one as states of the other, and rows of
// motion in the layout of the flexible one, whichever moves. Parts, elements and their order are the same;
// only the coordinates of the flexible parts differ.
//
// A part that is flexible in one model and rigid in the other is laid such that its hard points (the markers
// that joints and forces hold) keep places and velocities as well as a rigid motion can, in the sense of
// least squares. What is left, fractions of a millimetre, is for the projection onto the constraints.

#include <array>
#include <vector>

#include "dynamics/workspace.h"
#include "model/state.h"

namespace monocoque::realtime {

class BodySwap {
 public:
  /// Throws Error when the two models are not of the same scenario.
  BodySwap(const Model& from, const Model& to);
  /// `out` has the sizes of `to` and the elastic coordinates of its equilibrium. Both workspaces are used.
  void map(Workspace& from, const State& s, Workspace& to, State& out) const;

 private:
  struct PartPair {
    int from, to;
    bool same;
    std::vector<std::array<int, 2>> markers;  ///< of a part that changes: hard points in both models
  };
  void fit(const PartPair& pair, Workspace& from, Workspace& to, State& out) const;

  const Model& from_;
  const Model& to_;
  std::vector<PartPair> parts_;
};

/// x of a model in the layout of another that has the same parts, flexible: undeformed where rigid.
class RowInLayout {
 public:
  RowInLayout(const Model& from, const Model& layout);
  void fill(const VecX& x, double* row) const;

 private:
  struct Piece {
    int from, to, size;
    int zeros = 0;                       ///< behind: elastic coordinates of a rigid part
    Vec3 center_of_mass = Vec3::Zero();  ///< the state of a rigid part is there, that of a flexible one not
  };
  std::vector<Piece> pieces_;
};

}  // namespace monocoque::realtime

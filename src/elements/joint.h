#pragma once
// Joints: constraints on markers. Rows 0 .. holonomic_rows()-1 are holonomic, the rest nonholonomic (velocity
// level only).
//
//   position      g(pose, t) = 0                         holonomic rows only
//   velocity      W(pose, t) V + rate(pose, t) = 0       V: twists of all markers stacked
//   acceleration  W A + convective(pose, V, t) = 0       A: accelerations (a, alpha) stacked
//
// On holonomic rows W is the exact derivative of g with respect to the pose, `rate` of g with respect to t,
// and `convective` the exact rest of the second time derivative, also away from g = 0. On nonholonomic rows
// the acceleration form is the exact time derivative of the velocity form. The reaction on the markers is
// -W^T lambda. Elements hold parameters only: no scratch, no mutable.

#include <memory>
#include <string>

#include "elements/marker.h"

namespace monocoque {

struct JointInput {
  double t = 0;
  const MarkerKinematics* m[kMaxMarkers] = {};
  const Taylor2* u = nullptr;      ///< values of the joint's signals, in the order of its signal fields
  const double* memory = nullptr;  ///< discrete memory of the joint (turns of an angle, curve parameter)
};

/// Derivatives for implicit methods. Columns: pose or twist perturbations of all markers stacked.
struct JointTangent {
  TwistByTwist force_pose;         ///< d(W^T lambda)/d pose, for the lambda given
  RowsByTwist velocity_pose;       ///< d(W V + rate)/d pose at fixed V
  RowsByTwist acceleration_pose;   ///< d(W A + convective)/d pose at fixed V, A
  RowsByTwist acceleration_twist;  ///< d(convective)/d V
};

class Joint {
 public:
  virtual ~Joint() = default;

  int marker_count() const { return markers_; }
  int twist_size() const { return 6 * markers_; }
  int rows() const { return rows_; }
  int holonomic_rows() const { return holonomic_; }
  int signal_count() const { return signals_; }
  int memory_size() const { return memory_; }
  unsigned uses() const { return uses_; }  ///< kPlaceA ...

  /// g of the holonomic rows (size holonomic_rows()).
  virtual void residual(const JointInput& in, RowVector& g) const = 0;
  /// W, rows() x twist_size().
  virtual void velocity_matrix(const JointInput& in, RowsByTwist& W) const = 0;
  /// Velocity-level time derivative from drives; zero for scleronomic joints.
  virtual void rate(const JointInput& in, RowVector& r) const;
  /// Second-derivative terms without accelerations. Reads v and w.
  virtual void convective(const JointInput& in, RowVector& gamma) const = 0;
  /// All derivatives; reads v, w, a, alpha. lambda has rows() entries.
  virtual void tangent(const JointInput& in, const RowVector& lambda, JointTangent& out) const = 0;

  /// First value of the memory at the start (from the pose), and its update after each accepted step.
  virtual void start_memory(const JointInput& in, double* memory) const;
  virtual void update_memory(const JointInput& in, double* memory) const;

  /// Joint coordinate for couplers, drives and channels: angle (rad, within (-pi, pi]) or travel (m) along
  /// the joint axis; joints without a single coordinate return has_coordinate() = false.
  virtual bool has_coordinate() const { return false; }
  virtual bool coordinate_is_angle() const { return false; }
  /// Name of a row for messages: "position x", "axis tilt y", ...
  virtual std::string row_name(int row) const;

 protected:
  Joint(int markers, int rows, int holonomic, int signals = 0, int memory = 0)
      : markers_(markers), rows_(rows), holonomic_(holonomic), signals_(signals), memory_(memory) {}
  void restrict_to(unsigned uses) { uses_ = uses; }

 private:
  int markers_, rows_, holonomic_, signals_, memory_;
  unsigned uses_ = kUsesAll;
};

}  // namespace monocoque

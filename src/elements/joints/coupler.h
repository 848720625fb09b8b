#pragma once
// Couplers: one linear relation between the coordinates of two joints a (markers 0, 1) and b (markers 2, 3).
//
//   coupler   ratio_a q_a + ratio_b q_b - offset(t) = 0
//   gear      q_a - ratio q_b - offset = 0, both angles
//
// q is the angle about, or the travel along, z of the first frame of its joint, signs as in
// joint_coordinate.h: angle and travel make a rack and pinion (ratio_a = pinion radius, ratio_b = -1), two
// angles a gear, two travels a linkage. A joint here only names two frames; it need not be of a kind that has
// this coordinate as its single freedom.
//
// Units: rad or m times the unit of the ratio; the multiplier is the generalised force of that row.
//
// Limits: angles count turns: the memory holds both unwrapped angles at the last accepted step, so a joint
// may turn by less than pi between two steps. An angle is atan2(yA.xB, xA.xB); it is undefined only where x
// of B is parallel to z of A, far from any state of a revolute or cylindrical joint.
//
// Source: Haug, Computer Aided Kinematics and Dynamics, ch. 3 (gears, racks) in spatial form.

#include <array>
#include "elements/joints/pair_joint.h"

namespace monocoque {

class Coupler final : public Joint {
 public:
  struct Side {
    Coordinate coordinate = Coordinate::angle;  ///< angle or travel
    double ratio = 1;
  };
  /// With `driven` the offset is the joint's one signal, otherwise the constant.
  Coupler(const Side& a, const Side& b, bool driven, double offset);

  void residual(const JointInput& in, RowVector& g) const override;
  void velocity_matrix(const JointInput& in, RowsByTwist& W) const override;
  void rate(const JointInput& in, RowVector& r) const override;
  void convective(const JointInput& in, RowVector& gamma) const override;
  void tangent(const JointInput& in, const RowVector& lambda, JointTangent& out) const override;
  void start_memory(const JointInput& in, double* memory) const override;
  void update_memory(const JointInput& in, double* memory) const override;
  std::string row_name(int) const override { return "coupling"; }

 private:
  std::array<Side, 2> side_;
  bool driven_;
  double offset_;
};

}  // namespace monocoque

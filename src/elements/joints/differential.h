#pragma once
// differential: three shafts in one housing; markers 0 housing, 1 input, 2 left, 3 right. A shaft turns about
// z of its own frame, its speed is counted against the housing, W_k = z_k . (w_k - w_housing):
//
//   W_input = ratio (W_left + W_right) / 2                                nonholonomic
//
// So both wheels get the same torque, ratio / 2 of the one that the input gives up, and the housing the rest.
// Inertia of the gears belongs to the parts (a rotor of the engine, say).
//
// Units: rad/s; the multiplier is the torque in Nm that the input gives up.
//
// Limits: no friction, no lock: add a torsional damper or friction between the wheels for a limited slip. A
// wheel may steer and camber against the housing; the shaft is then one of constant velocity.
//
// Source: derived here.

#include "elements/joint.h"

namespace monocoque {

class Differential final : public Joint {
 public:
  explicit Differential(double ratio) : Joint(4, 1, 0), factor_{1, -ratio / 2, -ratio / 2} {}

  void residual(const JointInput& in, RowVector& g) const override;
  void velocity_matrix(const JointInput& in, RowsByTwist& W) const override;
  void convective(const JointInput& in, RowVector& gamma) const override;
  void tangent(const JointInput& in, const RowVector& lambda, JointTangent& out) const override;
  std::string row_name(int) const override { return "speeds of the shafts"; }

 private:
  double factor_[3];  ///< of the speeds of input, left, right
};

}  // namespace monocoque

#pragma once
// rolling: a thin wheel that rolls without slip on a plane. A (`from`) carries the plane, its x-y plane; B
// (`to`) sits in the wheel centre with its y axis along the axle. With n = zA, a = yB, c = n.a, d = pB - pA,
// radius r:
//
//   height    g = n.d - r sqrt(1 - c^2) = 0                 holonomic
//   slip      xA . u = 0, yA . u = 0                        nonholonomic
//   u = dv - wA x d + (wB - wA) x rho,   rho = -r (n - c a) / sqrt(1 - c^2)
//
// rho points from the centre to the lowest point of the rim, u is the velocity of the wheel's material there
// relative to the plane's material. Slip rows are along axes of A, not along the heading: they never become
// singular while the wheel stands. The rate of the height is n . u, so the contact point is at rest
// altogether.
//
// Units: m and m/s; multipliers in N: minus the forces on the wheel along n, x and y of A.
//
// Limits: a wheel lying flat (|c| = 1) has no lowest point; the constraint is two-sided, it can pull.
//
// Source: derived here.

#include "elements/joint.h"

namespace monocoque {

class RollingJoint final : public Joint {
 public:
  explicit RollingJoint(double radius_m) : Joint(2, 3, 1), radius_(radius_m) {}

  void residual(const JointInput& in, RowVector& g) const override;
  void velocity_matrix(const JointInput& in, RowsByTwist& W) const override;
  void convective(const JointInput& in, RowVector& gamma) const override;
  void tangent(const JointInput& in, const RowVector& lambda, JointTangent& out) const override;
  std::string row_name(int row) const override;

 private:
  double radius_;
};

}  // namespace monocoque

#pragma once
// Torsion spring about z of A: torque k s + q s |s| + c phi_dot + preload turns B back, s = phi - phi0; phi =
// angle of B's x axis from A's about zA, by atan2, valid within (-pi, pi).
//
// The torque acts along the gradient of phi, e = (zA - h xB) / (1 - h^2), h = xB . zA, so that energy
// k s^2/2 + q |s|^3/3 + preload s is exact; e = zA when a joint keeps the axes aligned. xB along zA has no
// angle: no torque.

#include "elements/force.h"
#include "io/model/parameter_set.h"

namespace monocoque {

class TorsionSpring final : public Force {
 public:
  explicit TorsionSpring(const io::ParameterSet& p);
  void wrench(const ForceInput& in, Vec12& out) const override;
  void tangent(const ForceInput& in, ForceTangent& out) const override;
  double energy(const ForceInput& in) const override;
  double dissipation(const ForceInput& in) const override;

 private:
  /// Elastic torque and preload at s.
  double elastic(double s) const;
  double stiffness_, progression_, damping_, free_angle_, preload_;
};

}  // namespace monocoque

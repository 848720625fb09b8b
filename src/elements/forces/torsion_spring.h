#pragma once
// Torsion spring about z of A: torque k (phi - phi0) + c phi_dot + preload turns B back; phi = angle of B's x
// axis from A's about zA, by atan2, valid within (-pi, pi).
//
// The torque acts along the gradient of phi, e = (zA - h xB) / (1 - h^2), h = xB . zA, so that energy
// k (phi - phi0)^2/2 is exact; e = zA when a joint keeps the axes aligned. xB along zA has no angle: no
// torque.

#include "elements/force.h"
#include "io/parameter_set.h"

namespace monocoque {

class TorsionSpring final : public Force {
 public:
  explicit TorsionSpring(const io::ParameterSet& p);
  void wrench(const ForceInput& in, Vec12& out) const override;
  void tangent(const ForceInput& in, ForceTangent& out) const override;
  double energy(const ForceInput& in) const override;
  double dissipation(const ForceInput& in) const override;

 private:
  double stiffness_, damping_, free_angle_, preload_;
};

}  // namespace monocoque

#pragma once
// Friction of a joint that grows with its reaction (Arnold eq. 23, 29). With axis z of A, reaction F and
// moment M on B, the normal load w solves w - sqrt(|F_perp|^2 + |M_perp|^2 / lever^2 + eps^2) = 0: w stands
// alone in its equation, so d/dw = 1 whatever the load, and the root is positive. eps = 1e-3 N keeps the root
// smooth at no load.
//   angle:  torque about z on B  -mu radius w tanh(omega / omega_s)
//   travel: force along z on B   -mu w tanh(v / v_s), at B's origin; A feels the opposite at the same point
// lever = 0 leaves the bending moment out. Thrust along the axis is not counted. Dissipated power >= 0 for w
// >= 0.

#include "elements/force.h"
#include "io/model/parameter_set.h"

namespace monocoque {

class JointFriction final : public Force {
 public:
  explicit JointFriction(const io::ParameterSet& p);
  void wrench(const ForceInput& in, Vec12& out) const override;
  void tangent(const ForceInput& in, ForceTangent& out) const override;
  void algebraic(const ForceInput& in, InnerVector& residual) const override;
  void initial_algebraic(const ForceInput& in, double* w) const override;
  double energy(const ForceInput&) const override { return 0; }
  double dissipation(const ForceInput& in) const override;

 private:
  double load(const ForceInput& in) const;
  double rate(const ForceInput& in) const;
  bool angle_;
  double factor_;  ///< mu radius, or mu
  double slip_, inverse_lever2_;
};

}  // namespace monocoque

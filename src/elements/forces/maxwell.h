#pragma once
// Maxwell element along the line A-B, with an optional spring beside it: spring k in series with damper d.
// The inner state c is the elongation of the damper:
//   f = k (s - c) + k_parallel s,  c_dot = k (s - c) / d,  s = |p_AB| - free length, tension > 0.
// Energy k (s - c)^2/2 + k_parallel s^2/2, dissipated power d c_dot^2. It starts relaxed, c = s.

#include "elements/forces/line_force.h"
#include "io/model/parameter_set.h"

namespace monocoque {

class Maxwell final : public LineForce {
 public:
  explicit Maxwell(const io::ParameterSet& p);
  void tangent(const ForceInput& in, ForceTangent& out) const override;
  void state_rate(const ForceInput& in, InnerVector& rate) const override;
  void initial_state(const ForceInput& in, double* c) const override;
  double energy(const ForceInput& in) const override;
  double dissipation(const ForceInput& in) const override;

 protected:
  Tension tension(const ForceInput& in, double length, double rate) const override;

 private:
  double stiffness_, damping_, parallel_, free_length_;
};

}  // namespace monocoque

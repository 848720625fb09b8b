#pragma once
// Brake or clutch about z of A with a capacity T(t) >= 0 that holds at rest (Dahl): one inner state, the
// wind-up c.
//   torque on B: -s k c about z of A,   c' = w - |w| k c / T',   w = zA . (wB - wA)
// Sliding it reaches the capacity, |k c| -> T; at rest it is a spring of stiffness k, so nothing creeps. T'
// is T kept above a small torque T0, and s = T / T' lets an open brake go. Energy s k c^2 / 2, dissipated
// power s |w| (k c)^2 / T' >= 0; what a changing capacity gives or takes is supplied.

#include "elements/force.h"
#include "io/parameter_set.h"

namespace monocoque {

class Brake final : public Force {
 public:
  explicit Brake(const io::ParameterSet& p);
  void wrench(const ForceInput& in, Vec12& out) const override;
  void tangent(const ForceInput& in, ForceTangent& out) const override;
  void state_rate(const ForceInput& in, InnerVector& rate) const override;
  double energy(const ForceInput& in) const override;
  double dissipation(const ForceInput& in) const override;
  double supply(const ForceInput& in) const override;

 private:
  struct Capacity {
    double bounded, share, share_rate;
  };
  Capacity capacity(const ForceInput& in) const;

  double stiffness_, least_;
};

}  // namespace monocoque

#pragma once
// Brake or clutch about z of A with a capacity T(t) >= 0 that holds at rest (after Dahl): one inner state,
// the wind-up c.
//   torque on B: -s (k c + d c') about z of A,   c' = (w - |w| k c / T') / (1 + |w| k tau / T'),
//   w = zA . (wB - wA)
// Sliding it reaches the capacity, |k c| -> T; at rest it is a spring k with a damper d, so nothing creeps:
// without the damper what rings on the spring would ratchet through its hysteresis. tau
// bounds the rate at which c settles while it slides fast, so that explicit methods need no tiny steps. T' is
// T kept above a small torque, and s = T / T' lets an open brake go. Energy s k c^2 / 2; the rest of the
// power is dissipated, or supplied while the capacity changes or the sense of turning has just reversed.

#include "elements/force.h"
#include "io/model/parameter_set.h"

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
  double rate_of(const ForceInput& in) const;    ///< c'
  double torque_of(const ForceInput& in) const;  ///< on A, about z of A
  double loss(const ForceInput& in) const;

  double stiffness_, damping_, least_, settling_;
};

}  // namespace monocoque

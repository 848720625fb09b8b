#pragma once
// One-sided stops along the line A-B: below min_length it pushes apart, above max_length it pulls together.
// With penetration x >= 0 and its rate:
//   elastic N = k x^e, viscous V = c h(x / depth) x_dot with h the smooth step 3 h^2 - 2 h^3,
//   force N + V while it closes, N^2 / (N - V) while it opens: continuous with its slope, never pulling back.
// Energy k x^(e+1)/(e+1), dissipated power >= 0. Exponent 1 has a kink in stiffness at the touch.

#include "elements/forces/line_force.h"
#include "io/model/parameter_set.h"

namespace monocoque {

class EndStop final : public LineForce {
 public:
  explicit EndStop(const io::ParameterSet& p);
  double energy(const ForceInput& in) const override;
  double dissipation(const ForceInput& in) const override;

 protected:
  Tension tension(const ForceInput& in, double length, double rate) const override;

 private:
  struct Contact {
    double force, elastic, by_depth, by_rate;
  };
  Contact contact(double depth, double rate) const;
  double stiffness_, exponent_, damping_, full_depth_, min_, max_;
};

}  // namespace monocoque

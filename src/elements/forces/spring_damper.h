#pragma once
// Axial spring-damper from A to B: f = k s + c(sdot) sdot + preload, s = |p_AB| - free length; tension > 0.
// Rebound (sdot > 0) and compression may be damped differently; the two slopes meet smoothly within about
// 1 mm/s. Energy k s^2/2 + preload s, dissipated power >= 0.

#include "elements/forces/line_force.h"
#include "io/model/parameter_set.h"

namespace monocoque {

class SpringDamper final : public LineForce {
 public:
  explicit SpringDamper(const io::ParameterSet& p);
  double energy(const ForceInput& in) const override;
  double dissipation(const ForceInput& in) const override;

 protected:
  Tension tension(const ForceInput& in, double length, double rate) const override;

 private:
  double stiffness_, free_length_, preload_;
  double mean_damping_, damping_difference_;  ///< half sum and half difference of rebound and compression
  double damping_force(double rate) const;
};

}  // namespace monocoque

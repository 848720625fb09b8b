#pragma once
// Axial spring and damper by tables: f = F_s(s) + F_d(sdot), s = |p_AB| - free length, tension > 0. Between
// the points a shape-preserving cubic, outside straight lines. Energy: exact integral of F_s from s = 0. F_d
// passes through (0, 0), has the sign of sdot and does not fall towards its ends: so it never feeds energy.

#include "elements/forces/line_force.h"
#include "elements/forces/smooth_curve.h"
#include "io/model/parameter_set.h"

namespace monocoque {

class SpringDamperTable final : public LineForce {
 public:
  explicit SpringDamperTable(const io::ParameterSet& p);
  double energy(const ForceInput& in) const override;
  double dissipation(const ForceInput& in) const override;

 protected:
  Tension tension(const ForceInput& in, double length, double rate) const override;

 private:
  double free_length_;
  SmoothCurve spring_, damper_;
};

}  // namespace monocoque

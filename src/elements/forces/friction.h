#pragma once
// Dry friction, regularised: F(v) = F_c tanh(v / v_s) (1 + (ratio - 1) exp(-(v / v_st)^2)) + c v opposes the
// motion of B along (translational, at B's origin) or about (rotational) z of A. It does not hold at rest:
// below v_s it creeps. Dissipated power F(v) v >= 0.

#include "elements/force.h"

namespace monocoque {

struct FrictionLaw {
  double coulomb, slip, static_ratio, stribeck, viscous;
  double value(double v) const;
  double slope(double v) const;
};

class Friction final : public Force {
 public:
  enum class Motion { sliding, turning };  ///< along or about z of A
  Friction(const FrictionLaw& law, Motion motion) : law_(law), turning_(motion == Motion::turning) {}
  void wrench(const ForceInput& in, Vec12& out) const override;
  void tangent(const ForceInput& in, ForceTangent& out) const override;
  double energy(const ForceInput&) const override { return 0; }
  double dissipation(const ForceInput& in) const override;

 private:
  double rate(const ForceInput& in) const;
  FrictionLaw law_;
  bool turning_;
};

}  // namespace monocoque

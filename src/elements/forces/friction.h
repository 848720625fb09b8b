#pragma once
// Dry friction, regularised: F(v) = F_c tanh(v / v_s) (1 + (ratio - 1) exp(-(v / v_st)^2)) + c v opposes the
// motion of B along (translational, at B's origin) or about (rotational) z of A. It does not hold at rest:
// below v_s it creeps. Dissipated power F(v) v >= 0.

#include "elements/force.h"
#include "io/model/parameter_set.h"

namespace monocoque {

struct FrictionLaw {
  double coulomb, slip, static_ratio, stribeck, viscous;
  double value(double v) const;
  double slope(double v) const;
};

class FrictionTranslational final : public Force {
 public:
  explicit FrictionTranslational(const io::ParameterSet& p);
  void wrench(const ForceInput& in, Vec12& out) const override;
  void tangent(const ForceInput& in, ForceTangent& out) const override;
  double energy(const ForceInput&) const override { return 0; }
  double dissipation(const ForceInput& in) const override;

 private:
  FrictionLaw law_;
};

class FrictionRotational final : public Force {
 public:
  explicit FrictionRotational(const io::ParameterSet& p);
  void wrench(const ForceInput& in, Vec12& out) const override;
  void tangent(const ForceInput& in, ForceTangent& out) const override;
  double energy(const ForceInput&) const override { return 0; }
  double dissipation(const ForceInput& in) const override;

 private:
  FrictionLaw law_;
};

}  // namespace monocoque

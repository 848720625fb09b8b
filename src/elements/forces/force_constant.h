#pragma once
// A constant force on B at its origin, components in world axes or in those of A or B; A feels the opposite
// at the same point. Its power is supply: a force that turns with a body has no energy of its own.

#include "elements/force.h"
#include "io/model/parameter_set.h"

namespace monocoque {

class ForceConstant final : public Force {
 public:
  explicit ForceConstant(const io::ParameterSet& p);
  void wrench(const ForceInput& in, Vec12& out) const override;
  void tangent(const ForceInput& in, ForceTangent& out) const override;
  double energy(const ForceInput&) const override { return 0; }
  double dissipation(const ForceInput&) const override { return 0; }
  double supply(const ForceInput& in) const override;

 private:
  Vec3 force_in_world(const ForceInput& in) const;
  Vec3 force_;
  int marker_;  ///< whose axes; -1: world
};

}  // namespace monocoque

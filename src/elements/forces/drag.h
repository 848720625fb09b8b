#pragma once
// Air drag on B at its origin: in axes of B, f_i = -rho A c_i |v| v_i / 2, c_i = coefficient +
// axis_coefficients_i, v the velocity of B's origin relative to the air. The air moves with the wind (axes of
// A) past A, which is meant to be the ground and feels the opposite force at the same point. Power of the
// wind is supply.

#include "elements/force.h"
#include "io/model/parameter_set.h"

namespace monocoque {

class Drag final : public Force {
 public:
  explicit Drag(const io::ParameterSet& p);
  void wrench(const ForceInput& in, Vec12& out) const override;
  void tangent(const ForceInput& in, ForceTangent& out) const override;
  double energy(const ForceInput&) const override { return 0; }
  double dissipation(const ForceInput& in) const override;
  double supply(const ForceInput& in) const override;

 private:
  struct Flow {
    Vec3 p, wind, v, v_B;  ///< wind and v in world axes, v_B in axes of B
    double speed;
    Vec3 force;  ///< on B, world axes
  };
  Flow flow(const ForceInput& in) const;
  Vec3 factor_;  ///< rho A c / 2 by axis of B
  Vec3 wind_;
};

}  // namespace monocoque

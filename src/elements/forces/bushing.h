#pragma once
// Elastic mounts in the axes of A.
//
// spring_damper_3d: with d = R_A^T (pB - pA) the force C (d - d0) + D d_dot + preload in axes of A pulls the
// two sides together; both sides feel it at B's origin, as the potential (d - d0)^T C (d - d0)/2 + preload .
// (d - d0) says.
//
// bushing: the same, and with the rotation vector theta = log(R_A^T R_B) the torque of the potential
// theta^T K theta/2 + preload . theta, plus the damping torque D_r omega, omega = R_A^T (wB - wA).
// Valid for |theta| < pi: at a half turn the shortest way back changes side.

#include "elements/force.h"
#include "io/model/parameter_set.h"

namespace monocoque {

class SpringDamper3d : public Force {
 public:
  explicit SpringDamper3d(const io::ParameterSet& p);
  void wrench(const ForceInput& in, Vec12& out) const override;
  void tangent(const ForceInput& in, ForceTangent& out) const override;
  double energy(const ForceInput& in) const override;
  double dissipation(const ForceInput& in) const override;

 private:
  Vec3 stiffness_, damping_, free_offset_, preload_;
};

class Bushing final : public SpringDamper3d {
 public:
  explicit Bushing(const io::ParameterSet& p);
  void wrench(const ForceInput& in, Vec12& out) const override;
  void tangent(const ForceInput& in, ForceTangent& out) const override;
  double energy(const ForceInput& in) const override;
  double dissipation(const ForceInput& in) const override;

 private:
  /// Gradient K theta + preload, and the torque on B in axes of A.
  Vec3 torque(const Vec3& theta, const Vec3& omega) const;
  Vec3 stiffness_, damping_, preload_;
};

}  // namespace monocoque

#pragma once
// Forces that follow signals. Their power is supply: they store and dissipate nothing.
//   actuator_force   along the line A-B, positive pushes the two apart
//   actuator_vector  on B at its origin, components in axes of A; -f on A at the same point
//   actuator_torque  on B about z of A, the opposite on A

#include "elements/forces/line_force.h"
#include "io/model/parameter_set.h"

namespace monocoque {

class ActuatorForce final : public LineForce {
 public:
  explicit ActuatorForce(const io::ParameterSet&) : LineForce(0, 0, 1) {}
  double energy(const ForceInput&) const override { return 0; }
  double dissipation(const ForceInput&) const override { return 0; }
  double supply(const ForceInput& in) const override;

 protected:
  Tension tension(const ForceInput& in, double length, double rate) const override;
};

class ActuatorVector final : public Force {
 public:
  explicit ActuatorVector(const io::ParameterSet&) : Force(0, 0, 3) {
    restrict_to(kPlaceA | kAxesA | kPlaceB);
  }
  void wrench(const ForceInput& in, Vec12& out) const override;
  void tangent(const ForceInput& in, ForceTangent& out) const override;
  double energy(const ForceInput&) const override { return 0; }
  double dissipation(const ForceInput&) const override { return 0; }
  double supply(const ForceInput& in) const override;
};

class ActuatorTorque final : public Force {
 public:
  explicit ActuatorTorque(const io::ParameterSet&) : Force(0, 0, 1) { restrict_to(kAxesA | kAxesB); }
  void wrench(const ForceInput& in, Vec12& out) const override;
  void tangent(const ForceInput& in, ForceTangent& out) const override;
  double energy(const ForceInput&) const override { return 0; }
  double dissipation(const ForceInput&) const override { return 0; }
  double supply(const ForceInput& in) const override;
};

}  // namespace monocoque

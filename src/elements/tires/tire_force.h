#pragma once
// A tire between a road (frame A: x-y plane, z up; the model's road lies on it) and a wheel (frame B: origin
// in the wheel centre, y along the axle, positive spin rolls forward). The force types of this element carry
// the names of the tire laws; docs/tires.md has laws, axes and signs.
//
// Slip: without transients from the velocities at once; with them from two states, the deflections of the
// tread
//   u_x' = -Vsx - (|Vx| / s_x + stop) u_x,   kappa = u_x / s_x
//   u_y' = Vsy - (|Vx| / s_y + stop) u_y,    tan alpha = u_y / s_y
// with relaxation lengths s. At standstill they are springs, so a parked car stays where it is; a little
// damping that fades with speed keeps it from ringing, and `stop` holds |slip| <= 1 while a blocked wheel
// slides near standstill. Load: the law's, with the deflection of the contact; forces in the ground plane do
// not change it.
//
// contact_share: under a belt that is a part of its own (rigid ring), the springs that hold the belt take
// a part of the tire's compliance. The rest is the contact's: the law is asked with the deflection over the
// share, relaxation lengths are multiplied by it. Slip angle and camber are measured at the rim, but known
// at the belt: with the belt's stiffness about yaw and camber the law gets the rim's, found from the moments
// by a fixed number of passes.
//
// Global derivatives: at lift-off and landing the slope of the load jumps, and one linearly implicit step
// with the slope of one side may pull or bounce (dissertation 4.4). With `derivatives: global` the tangent
// has the secant over the way of a step instead; the force is the same (docs/theory/integration.md has
// measurements).
//
// Energy: none stored; everything taken from or given to the wheel counts as dissipated or supplied.

#include <memory>

#include "elements/force.h"
#include "elements/registry.h"
#include "elements/road.h"
#include "elements/tires/tire_contact.h"
#include "elements/tires/tire_law.h"

namespace monocoque {

class TireForce final : public Force {
 public:
  TireForce(std::unique_ptr<const TireLaw> law, bool transient, double pressure_Pa, const Vec3& contact_share,
            double belt_softness, double derivative_reach_s);

  void wrench(const ForceInput& in, Vec12& out) const override;
  void tangent(const ForceInput& in, ForceTangent& out) const override;
  void state_rate(const ForceInput& in, InnerVector& rate) const override;
  double energy(const ForceInput&) const override { return 0; }
  double dissipation(const ForceInput& in) const override;
  double supply(const ForceInput& in) const override;
  std::span<const ForceChannel> channels() const override;
  void channel_values(const ForceInput& in, double* out) const override;
  void use_road(const Road* road) override { road_ = road; }
  const TireLaw& law() const { return *law_; }

 private:
  template <class T>
  struct Motion;
  template <class T>
  struct Forces;
  struct Answer;
  template <class T>
  Forces<T> forces(const Motion<T>& at, const T* c) const;
  Answer evaluate(const ForceInput& in) const;
  template <int N>
  void add_tangent(const ForceInput& in, ForceTangent& out) const;
  double power(const ForceInput& in) const;

  std::unique_ptr<const TireLaw> law_;
  ContactKind contact_;
  bool transient_;
  double pressure_;
  Vec3 share_;            ///< of the compliance left to the contact; 1 without a belt part
  double belt_softness_;  ///< rad/Nm, of the belt about yaw and camber; 0 without
  double reach_;          ///< s, of secants in place of slopes of the load; 0: slopes
  const Road* road_;
};

/// One element type for each tire law.
std::vector<ElementType<Force>> tire_force_types();

}  // namespace monocoque

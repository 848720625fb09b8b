#pragma once
// Brush model: bristles of stiffness c (N/m^2 of contact length, both directions) on a contact of length 2 a
// under parabolic pressure, Coulomb friction, combined slip (Pacejka, Tire and Vehicle Dynamics, ch. 3.2).
//   s = (kappa, -tan_alpha), theoretical slip sigma = |s| / |Vr / Vx|, Vr = Re omega
//   theta = 2 c a^2 / (3 mu Fz), u = theta sigma
//   F = mu Fz u (3 - 3 u + u^2) for u < 1 (partial sliding), F = mu Fz for u >= 1 (full sliding), along s
//   Mz = -t Fy, t = a/3 (1 - u)^3 / (1 - u + u^2/3), zero in full sliding
//   a = a0 sqrt(Fz / Fz0), mu = mu0 / (1 + d |Vs|)
// Small slip: stiffness dFx/dkappa = -dFy/dtan_alpha = 2 c a^2, trail a/3. Mx = My = 0. Camber, turn slip and
// pressure have no influence. Relaxation length where none is given: a (contact building up over half its
// length). Load: linear spring and damper. Effective rolling radius: R - rho / 3, the radius of a belt whose
// length stays.

#include "elements/tires/linear_vertical.h"
#include "elements/tires/tire_law.h"

namespace monocoque {

class BrushTire final : public TireLawOf<BrushTire> {
 public:
  explicit BrushTire(const io::ParameterSet& p);

  template <class T>
  void forces_of(const TireInputOf<T>& in, TireForcesOf<T>& out) const {
    using std::abs, std::sqrt;
    const T a = half_length(in.Fz);
    const T s = sqrt(in.kappa * in.kappa + in.tan_alpha * in.tan_alpha);
    const double low = low_speed();
    const T speed = abs(in.Vx) > low ? T(abs(in.Vx)) : T(low);
    const T rolling = in.Vx / speed + in.kappa;  // Vr over the speed the slips are formed with
    // Below the low speed the rest of the bound counts as rolling: no infinite slip at standstill.
    const T d = abs(rolling) + (1.0 - abs(in.Vx) / speed);
    const T mu = friction_ * in.mu / (1.0 + decay_ * s * speed);
    const T grip = mu * in.Fz;
    const T stiffness = (2 * c_ * half_length_ * half_length_ / load_) * in.Fz;  // 2 c a^2 = 3 theta mu Fz
    if (stiffness * s >= 3.0 * grip * d) {
      if (!(s > 0)) return;
      out.Fx = grip * in.kappa / s;
      out.Fy = -grip * in.tan_alpha / s;
      return;
    }
    const T u = stiffness * s / (3.0 * grip * d);
    const T slope = stiffness / d * (1.0 + u * (u / 3.0 - 1.0));  // F / s
    out.Fx = slope * in.kappa;
    out.Fy = -slope * in.tan_alpha;
    // t Fy with the common factor of both cancelled; rolling / d is the direction of rolling.
    const T left = 1.0 - u;
    out.Mz = rolling / d * (a / 3.0) * (stiffness / d) * left * left * left * in.tan_alpha;
  }

  template <class T>
  T vertical_of(const TireVerticalOf<T>& in) const {
    return vertical_.load(in);
  }
  template <class T>
  T effective_radius_of(const TireRollingOf<T>& in) const {
    return unloaded_radius() - (unloaded_radius() - in.loaded_radius) / 3.0;
  }
  template <class T>
  std::array<T, 2> relaxation_of(const T& Fz, const T&, double) const {
    const T a = half_length(Fz);
    return {relaxation_[0] > 0 ? T(relaxation_[0]) : a, relaxation_[1] > 0 ? T(relaxation_[1]) : a};
  }

 private:
  template <class T>
  T half_length(const T& Fz) const {
    using std::sqrt;
    return half_length_ * sqrt(Fz / load_);
  }

  LinearVertical vertical_;
  double c_, half_length_, load_, friction_, decay_;
  std::array<double, 2> relaxation_;
};

}  // namespace monocoque

#pragma once
// Load, radii, spin and relaxation lengths of MagicFormula, as templates on the scalar; included by
// magic_formula.cpp alone. "paper" and "book" are named in magic_formula.h.

#include <cmath>

#include <algorithm>

#include "elements/tires/magic_formula_equations.h"

namespace monocoque {

template <class T>
T MagicFormula::free_radius(const T& spin) const {
  const T w = spin * (v_.UNLOADED_RADIUS / v_.LONGVL);
  return v_.UNLOADED_RADIUS * (v_.Q_RE0 + v_.Q_V1 * w * w);  // paper (1)
}

template <class T>
T MagicFormula::rolling_radius(const T& Fz, const T& dpi, const T& spin) const {
  using namespace magic;
  const T stiffness = v_.VERTICAL_STIFFNESS * (1.0 + v_.PFZ1 * dpi), load = Fz / v_.FNOMIN;
  return free_radius(spin) -
         over(T(v_.FNOMIN * (v_.DREFF * atan(v_.BREFF * load) + v_.FREFF * load)), stiffness);  // paper (7)
}

/// Spin of a wheel whose circumference moves with the given speed: omega Re(omega) = speed.
template <class T>
T MagicFormula::rolling_spin(const T& Fz, const T& dpi, const T& speed) const {
  const double still = std::max(value(rolling_radius(Fz, dpi, T(0))), 0.1 * v_.UNLOADED_RADIUS);
  double w = value(speed) / still;
  const double growth = v_.UNLOADED_RADIUS * v_.Q_V1 * std::pow(v_.UNLOADED_RADIUS / v_.LONGVL, 2);
  const auto slope = [&](double spin) { return std::max(still + 3 * growth * spin * spin, 0.1 * still); };
  for (int i = 0; i < 20; ++i) {
    const double step = (w * (still + growth * w * w) - value(speed)) / slope(w);
    w -= step;
    if (std::abs(step) <= 1e-14 * std::abs(w)) break;
  }
  // One more Newton step carries the derivatives of load, pressure and speed.
  const T rest = w * rolling_radius(Fz, dpi, T(w)) - speed;
  return w - rest / slope(w);
}

template <class T>
T MagicFormula::spring_load(const T& Rl, const T& spin, const T& Fx, const T& Fy, const T& gamma,
                            const T& dpi, T& rho) const {
  using namespace magic;
  const double R0 = v_.UNLOADED_RADIUS, Fz0 = v_.FNOMIN;
  const T Romega = free_radius(spin);
  rho = Romega - Rl;
  T side_load = v_.Q_FCY * Fy / Fz0;
  if (version_ == io::TirVersion::mf62) {
    const T ratio = Rl / Romega;
    const T denominator = Romega * (v_.Q_CAM1 + v_.Q_CAM2 * Romega);
    if (std::abs(value(denominator)) > kSmallest) {
      const T q = Rl * (v_.Q_CAM1 + v_.Q_CAM2 * Rl) / denominator;
      const double tread = (1.075 - 0.5 * v_.ASPECT_RATIO) * v_.WIDTH;
      rho += q * q * (tread / 8) * abs(tan(gamma)) - v_.Q_CAM3 * (rho > 0.0 ? rho : T(0)) * abs(gamma);
    }
    const T offset = (v_.Q_FYS1 + v_.Q_FYS2 * ratio + v_.Q_FYS3 * ratio * ratio) * gamma;
    side_load = v_.Q_FCY * (Fy - offset) / Fz0 * pow(T(rho / R0), v_.Q_FCY2);
  }
  if (!(rho > 0.0)) {
    rho = T(0);
    return T(0);
  }
  const T fx = v_.Q_FCX * Fx / Fz0, x = rho / R0;
  T effect = 1.0 + v_.Q_V2 * (R0 / v_.LONGVL) * abs(spin) - fx * fx - side_load * side_load;
  // Far beyond any grip the quadratic terms would turn the spring around.
  effect = (effect > 0.1 ? effect : T(0.1)) * (1.0 + v_.PFZ1 * dpi);
  return effect * (Q_FZ1_ + v_.Q_FZ2 * x) * x * Fz0;  // book (A3.3)
}

template <class T>
T MagicFormula::vertical_of(const TireVerticalOf<T>& in) const {
  using namespace magic;
  const T Rl = v_.UNLOADED_RADIUS - in.deflection;
  T rho;
  T Fz = spring_load(Rl, in.spin, in.Fx, in.Fy, in.gamma, pressure_change(in.pressure, nullptr), rho);
  if (!(rho > 0.0)) return T(0);
  if (!curve_[0].empty()) {
    // The measured curve replaces the polynomial; piecewise linear, the last slope continues.
    const auto& [x, y] = curve_;
    const auto end = std::upper_bound(x.begin() + 1, x.end() - 1, value(rho));
    const auto i = static_cast<std::size_t>(end - x.begin());
    const bool before = value(rho) < x[0];
    const double x0 = before ? 0 : x[i - 1], y0 = before ? 0 : y[i - 1];
    const double x1 = before ? x[0] : x[i], y1 = before ? y[0] : y[i];
    Fz = y0 + (y1 - y0) / (x1 - x0) * (rho - x0);
  }
  Fz = Fz * v_.LCZ + v_.VERTICAL_DAMPING * in.rate;
  if (bottoming_) {
    const T rim = v_.RIM_RADIUS + v_.BOTTOM_OFFST - Rl;
    if (rim > 0.0) Fz += v_.BOTTOM_STIFF * rim;
  }
  return Fz > 0.0 ? Fz : T(0);
}

template <class T>
T MagicFormula::effective_radius_of(const TireRollingOf<T>& in) const {
  return rolling_radius(in.Fz, pressure_change(in.pressure, nullptr), in.spin) + options_.radius_offset;
}

template <class T>
std::array<T, 2> MagicFormula::carcass_stiffness(const T& dfz, const T& dpi) const {
  // paper (17), (18)
  return {v_.LONGITUDINAL_STIFFNESS * (1.0 + v_.PCFX1 * dfz + v_.PCFX2 * dfz * dfz) * (1.0 + v_.PCFX3 * dpi),
          v_.LATERAL_STIFFNESS * (1.0 + v_.PCFY1 * dfz + v_.PCFY2 * dfz * dfz) * (1.0 + v_.PCFY3 * dpi)};
}

template <class T>
std::array<T, 2> MagicFormula::relaxation_of(const T& load, const T& camber, double pressure) const {
  using namespace magic;
  const T Fz = options_.limits ? clamp_to(load, 0, v_.FZMAX) : clamp_to(load, 0, 100 * Fz0_);
  const T gamma = options_.limits ? clamp_to(camber, v_.CAMMIN, v_.CAMMAX) : camber;
  const T dfz = (Fz - Fz0_) / Fz0_, dpi = pressure_change(T(pressure), nullptr);
  if (relaxation_given_) {
    const double R0 = v_.UNLOADED_RADIUS;
    const T x = (v_.PTX1 + v_.PTX2 * dfz) * exp(clamp_to(T(-v_.PTX3 * dfz), -50, 50)) * (v_.LSGKP * R0) * Fz /
                v_.FNOMIN;
    const T y = v_.PTY1 * sin(2.0 * atan(over(Fz, T(v_.PTY2 * Fz0_)))) * (1.0 - v_.PKY3 * abs(gamma)) *
                (R0 * v_.LFZO * v_.LSGAL);
    return {abs(x), abs(y)};
  }
  const bool tangent = options_.slip_angle == MagicFormulaOptions::SlipAngle::tangent;
  const auto [Cx, Cy] = carcass_stiffness(dfz, dpi);
  const T Kx = slip_stiffness(Fz, dfz, dpi),
          Ky = cornering_stiffness(Fz, dpi, tangent ? T(sin(gamma)) : gamma);
  return {T(abs(over(Kx, Cx))), T(abs(over(Ky, Cy)))};  // paper (19)
}

}  // namespace monocoque

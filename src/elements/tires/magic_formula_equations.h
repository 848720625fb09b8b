#pragma once
// The equations of MagicFormula, as templates on the scalar; included by magic_formula.cpp alone. Numbers in
// parentheses are those of the book (4.E..) or the paper (A..).

#include <cmath>
#include <numbers>

#include <algorithm>

#include "elements/tires/magic_formula.h"

namespace monocoque {
namespace magic {

constexpr double kEpsilon = 1e-6;     // (4.E6a) keeps quotients finite; sources call it epsilon
constexpr double kSmallest = 1e-9;    // denominators that coefficients may bring to zero
constexpr double kFadeOfLoad = 1e-3;  // of FNOMIN: below, moments vanish linearly with the load

// std's functions for double, ours for Dual.
using std::abs, std::acos, std::atan, std::cbrt, std::cos, std::exp, std::pow, std::sin, std::sqrt, std::tan;

/// +1 or -1, also at zero.
template <class T>
double side(const T& x) {
  return value(x) < 0 ? -1.0 : 1.0;
}

/// x kept away from zero by epsilon on its own side.
template <class T>
T apart(const T& x) {
  return x + kEpsilon * side(x);
}

/// Quotient whose denominator is replaced where it vanishes.
template <class T>
T over(const T& a, const T& b) {
  return std::abs(value(b)) < kSmallest ? T(a / (kSmallest * side(b))) : T(a / b);
}

/// Argument of sin and cos in the Magic Formula.
template <class T>
T curve(const T& B, double C, const T& E, const T& x) {
  const T y = B * x;
  return C * atan(y - E * (y - atan(y)));
}
template <class T>
T cos_atan(const T& x) {
  return 1.0 / sqrt(1.0 + x * x);
}

}  // namespace magic

template <class T>
struct MagicFormula::State {
  T Fz, Fz_input, Fz_low;   // held below FZMAX; as given; held above FZMIN too
  T kappa, kappa_input;     // MFeval's sign: < 0 braking also backwards
  T tan_alpha, alpha_star;  // of the physical slip; as the formulas want it
  T gamma, gamma_star;
  T dfz, dpi, pressure;
  T mux_scale, muy_scale;  // LMUX*, LMUY*: with the road and the sliding speed
  T cos_alpha;             // cos(alpha') = Vx / V
  T Vx;
  double direction;  // +1 forward, -1 backward
  T fade;            // 1 above VXLOW, 0 at standstill
  T rolling;  // the same where asymmetries of the direction of rolling must fade: else forces jump there
  T phi{0}, phi_t{0}, epsilon_gamma{0};
};

template <class T>
struct MagicFormula::Lateral {
  T Fy0, mu, K, By, SH, SV, zeta2;
  double Cy;
};

template <class T>
struct MagicFormula::Aligning {
  T trail, Mzr, s;
};

template <class T>
T MagicFormula::pressure_change(const T& pressure, unsigned* flags) const {
  T p = value(pressure) > 0 ? pressure : T(v_.INFLPRES);
  if (options_.limits) {
    if (flags != nullptr && (p < v_.PRESMIN || p > v_.PRESMAX)) *flags |= kTirePressureLimited;
    p = clamp_to(p, v_.PRESMIN, v_.PRESMAX);
  }
  p = clamp_to(p, 0.01 * v_.NOMPRES, 100 * v_.NOMPRES);
  return (p - v_.NOMPRES) / v_.NOMPRES;  // (4.E2b)
}

template <class T>
MagicFormula::State<T> MagicFormula::prepare(const TireInputOf<T>& in, unsigned& flags) const {
  using namespace magic;
  const auto held = [&](const T& x, double low, double high, unsigned flag) {
    if (!options_.limits || (x >= low && x <= high)) return x;
    flags |= flag;
    return clamp_to(x, low, high);
  };
  State<T> s;
  s.Fz_input = in.Fz;
  s.Fz = held(in.Fz, -1.0, v_.FZMAX, kTireLoadLimited);
  s.Fz_low = held(s.Fz, v_.FZMIN, v_.FZMAX, kTireLoadLimited);
  // Without limits an exponential of the load must still not overflow.
  s.Fz = clamp_to(s.Fz, 0, 100 * Fz0_);
  s.dpi = pressure_change(in.pressure, &flags);
  s.pressure = (1.0 + s.dpi) * v_.NOMPRES;
  s.dfz = (s.Fz - Fz0_) / Fz0_;  // (4.E2a)
  s.Vx = in.Vx;
  s.direction = side(in.Vx);
  s.kappa_input = s.direction * in.kappa;
  s.kappa = s.kappa_input;
  T alpha = atan(in.tan_alpha);
  s.tan_alpha = in.tan_alpha;
  s.phi_t = in.turn_slip;
  if (options_.limits) s.phi_t = s.phi_t * cos(alpha);
  const T speed = abs(in.Vx);
  s.fade = s.rolling = T(1);
  if (speed <= v_.VXLOW) {
    flags |= kTireLowSpeed;
    if (options_.low_speed != MagicFormulaOptions::LowSpeed::off)
      s.fade = 0.5 * (1.0 - cos(std::numbers::pi / v_.VXLOW * in.Vx));
    if (options_.low_speed == MagicFormulaOptions::LowSpeed::shifts) s.rolling = s.fade;
    if (options_.low_speed == MagicFormulaOptions::LowSpeed::slips) {
      s.kappa = s.kappa * speed / v_.VXLOW;
      s.phi_t = s.phi_t * speed / v_.VXLOW;
    }
  }
  if (options_.low_speed == MagicFormulaOptions::LowSpeed::slips) {
    const T sum = speed * (1.0 + abs(in.tan_alpha));
    if (sum < v_.VXLOW) {
      alpha = alpha * sum / v_.VXLOW;
      s.tan_alpha = tan(alpha);
    }
  }
  if (options_.limits) s.phi_t = s.direction * s.phi_t;
  const T alpha_held = held(alpha, v_.ALPMIN, v_.ALPMAX, kTireAlphaLimited);
  if (value(alpha_held) != value(alpha)) {
    alpha = alpha_held;
    s.tan_alpha = tan(alpha);
  }
  s.kappa = held(s.kappa, v_.KPUMIN, v_.KPUMAX, kTireKappaLimited);
  s.gamma = held(in.gamma, v_.CAMMIN, v_.CAMMAX, kTireCamberLimited);
  const bool tangent = options_.slip_angle == MagicFormulaOptions::SlipAngle::tangent;
  s.alpha_star = tangent ? s.direction * s.tan_alpha : alpha;                        // (4.E3)
  s.gamma_star = tangent ? sin(s.gamma) : s.gamma;                                   // (4.E4)
  s.cos_alpha = in.Vx / (speed * sqrt(1.0 + s.tan_alpha * s.tan_alpha) + kEpsilon);  // (4.E6)
  // (4.E7); the digressive form (4.E8) is not used: MF-Tyre follows A_mu = 1.
  T road = clamp_to(in.mu, 1e-6, 1e6);
  if (v_.LMUV > 0) {
    const T sliding = speed * sqrt(s.kappa * s.kappa + s.tan_alpha * s.tan_alpha);
    road = road / (1.0 + v_.LMUV / v_.LONGVL * sliding);
  }
  s.mux_scale = v_.LMUX * road;
  s.muy_scale = std::max(v_.LMUY, 1e-6) * road;  // a divisor later on
  if (options_.turn_slip) prepare_turn_slip(s);
  return s;
}

template <class T>
void MagicFormula::prepare_turn_slip(State<T>& s) const {
  using namespace magic;
  s.epsilon_gamma = v_.PECP1 * (1.0 + v_.PECP2 * s.dfz);  // (4.90)
  const T speed = abs(s.Vx);
  const T V = speed < v_.VXLOW ? T(v_.VXLOW * s.direction) : T(speed * sqrt(1.0 + s.tan_alpha * s.tan_alpha));
  const T omega = rolling_spin(s.Fz_input, s.dpi, T(s.Vx * (1.0 + s.kappa_input)));
  // (4.76). With z up the spin of a cambered wheel about the normal is omega sin(gamma), added to the yaw
  // rate.
  s.phi = -s.phi_t + (1.0 - s.epsilon_gamma) * omega * sin(s.gamma) / V;
}

template <class T>
T MagicFormula::slip_stiffness(const T& Fz, const T& dfz, const T& dpi) const {
  using namespace magic;
  // (4.E15); the exponent is bounded for loads far outside any range.
  return Fz * (v_.PKX1 + v_.PKX2 * dfz) * exp(clamp_to(T(v_.PKX3 * dfz), -50, 50)) *
         (1.0 + v_.PPX1 * dpi + v_.PPX2 * dpi * dpi) * v_.LKX;
}

template <class T>
T MagicFormula::cornering_stiffness(const T& Fz, const T& dpi, const T& gamma) const {
  using namespace magic;
  const T load = over(T(Fz / Fz0_), T((v_.PKY2 + v_.PKY5 * gamma * gamma) * (1.0 + v_.PPY2 * dpi)));
  return v_.PKY1 * Fz0_ * (1.0 + v_.PPY1 * dpi) * (1.0 - v_.PKY3 * abs(gamma)) * sin(v_.PKY4 * atan(load)) *
         v_.LKY;  // (4.E25)
}

template <class T>
T MagicFormula::longitudinal(const State<T>& s, T& Kxk, T& mux) const {
  using namespace magic;
  const double Cx = v_.PCX1 * v_.LCX;  // (4.E11)
  const T gamma = five() ? T(s.gamma * v_.LGAX) : s.gamma;
  T zeta1(1);
  if (options_.turn_slip) {
    const T B = v_.PDXP1 * (1.0 + v_.PDXP2 * s.dfz) * cos_atan(T(v_.PDXP3 * s.kappa));  // (4.106)
    zeta1 = cos_atan(T(B * v_.UNLOADED_RADIUS * s.phi));                                // (4.105)
  }
  mux = (v_.PDX1 + v_.PDX2 * s.dfz) * (1.0 + v_.PPX3 * s.dpi + v_.PPX4 * s.dpi * s.dpi) *
        (1.0 - v_.PDX3 * gamma * gamma) * s.mux_scale;  // (4.E13)
  const T Dx = mux * s.Fz * zeta1;                      // (4.E12)
  Kxk = slip_stiffness(s.Fz, s.dfz, s.dpi);
  const T Bx = Kxk / apart(T(Cx * Dx));  // (4.E16)
  const T SHx = (v_.PHX1 + v_.PHX2 * s.dfz) * v_.LHX * s.fade;
  const T SVx = s.Fz * (v_.PVX1 + v_.PVX2 * s.dfz) * v_.LVX * s.mux_scale * zeta1 * s.fade;
  const T kappa = s.kappa + SHx;
  T Ex = (v_.PEX1 + v_.PEX2 * s.dfz + v_.PEX3 * s.dfz * s.dfz) *
         (1.0 - v_.PEX4 * s.rolling * sign_of(kappa)) * v_.LEX;  // (4.E14)
  if (options_.limits && Ex > 1.0) Ex = T(1);
  return s.direction * (Dx * sin(curve(Bx, Cx, Ex, kappa)) + SVx);  // (4.E9), mirrored when rolling backwards
}

template <class T>
MagicFormula::Lateral<T> MagicFormula::lateral(const State<T>& s, const T& gamma_star) const {
  using namespace magic;
  Lateral<T> y;
  const double R0 = v_.UNLOADED_RADIUS;
  const T gamma = five() ? T(gamma_star * v_.LGAY) : gamma_star;
  y.zeta2 = T(1);
  T zeta3(1);
  if (options_.turn_slip) {
    const T turn = R0 * abs(s.phi);
    zeta3 = cos_atan(T(v_.PKYP1 * turn * turn));                                            // (4.79)
    const T B = v_.PDYP1 * (1.0 + v_.PDYP2 * s.dfz) * cos_atan(T(v_.PDYP3 * s.tan_alpha));  // (4.78)
    y.zeta2 = cos_atan(T(B * (turn + v_.PDYP4 * sqrt(turn))));                              // (4.77)
  }
  y.K = cornering_stiffness(s.Fz, s.dpi, gamma) * zeta3;
  const T camber_thrust = s.Fz * (v_.PVY3 + v_.PVY4 * s.dfz);
  const T SVg = camber_thrust * gamma * v_.LKYC * s.muy_scale * y.zeta2;  // (4.E28)
  T Kg;                                                                   // camber stiffness
  if (five()) {
    const T K0 = v_.PKY1 * Fz0_ * sin(v_.PKY4 * atan(s.Fz / (v_.PKY2 * Fz0_))) * v_.LKYC;
    Kg = (v_.PHY3 * K0 + camber_thrust) * v_.LKYC;
  } else {
    Kg = s.Fz * (v_.PKY6 + v_.PKY7 * s.dfz) * (1.0 + v_.PPY5 * s.dpi) * v_.LKYC;  // (4.E30)
  }
  double zeta0 = 1;
  T zeta4(1);
  if (options_.turn_slip) {
    zeta0 = 0;  // (4.83)
    const T K0 = apart(T(cornering_stiffness(s.Fz, s.dpi, T(0)) * zeta3));
    const T D = (v_.PHYP2 + v_.PHYP3 * s.dfz) * s.direction;  // (4.86)
    const T E(options_.limits ? std::min(v_.PHYP4, 1.0) : v_.PHYP4);
    const T B = over(over(Kg, T(1.0 - s.epsilon_gamma)), T(v_.PHYP1 * D * K0));  // (4.88), (4.89)
    const T SHp = D * sin(curve(B, v_.PHYP1, E, T(R0 * s.phi))) * s.direction;   // (4.80)
    zeta4 = 1.0 + SHp - SVg / apart(y.K);                                        // (4.84)
  }
  y.SH = (v_.PHY1 + v_.PHY2 * s.dfz) * v_.LHY;
  if (five())
    y.SH += v_.PHY3 * gamma * v_.LKYC;
  else
    y.SH += (Kg * gamma - SVg) / apart(y.K) * zeta0 + zeta4 - 1.0;                   // (4.E27)
  y.SV = s.Fz * (v_.PVY1 + v_.PVY2 * s.dfz) * v_.LVY * s.muy_scale * y.zeta2 + SVg;  // (4.E29)
  y.SH = y.SH * s.fade;
  y.SV = y.SV * s.fade;
  const T alpha = s.alpha_star + y.SH;  // (4.E20)
  y.Cy = v_.PCY1 * v_.LCY;
  y.mu = (v_.PDY1 + v_.PDY2 * s.dfz) * (1.0 + v_.PPY3 * s.dpi + v_.PPY4 * s.dpi * s.dpi) *
         (1.0 - v_.PDY3 * gamma * gamma) * s.muy_scale;  // (4.E23)
  const T Dy = y.mu * s.Fz * y.zeta2;
  T Ey = (v_.PEY1 + v_.PEY2 * s.dfz) *
         (1.0 + v_.PEY5 * gamma * gamma - (v_.PEY3 + v_.PEY4 * gamma) * s.rolling * side(alpha)) *
         v_.LEY;  // (4.E24)
  if (options_.limits && Ey > 1.0) Ey = T(1);
  y.By = y.K / apart(T(y.Cy * Dy));  // (4.E26)
  y.Fy0 = Dy * sin(curve(y.By, y.Cy, Ey, alpha)) + y.SV;
  if (options_.slip_angle == MagicFormulaOptions::SlipAngle::tangent) y.Fy0 = s.direction * y.Fy0;
  return y;
}

template <class T>
T MagicFormula::reduction_x(const State<T>& s) const {
  using namespace magic;
  T E = v_.REX1 + v_.REX2 * s.dfz;  // (4.E56)
  if (options_.limits && E > 1.0) E = T(1);
  const T gamma = five() ? T(s.gamma_star * v_.LGAX) : s.gamma_star;
  const T B = (v_.RBX1 + v_.RBX3 * gamma * gamma) * cos_atan(T(v_.RBX2 * s.kappa)) * v_.LXAL;  // (4.E54)
  const T shift = v_.RHX1 * s.rolling;
  return over(T(cos(curve(B, v_.RCX1, E, T(s.alpha_star + shift)))),
              T(cos(curve(B, v_.RCX1, E, shift))));  // (4.E51)
}

template <class T>
T MagicFormula::reduction_y(const State<T>& s) const {
  using namespace magic;
  T E = v_.REY1 + v_.REY2 * s.dfz;  // (4.E64)
  if (options_.limits && E > 1.0) E = T(1);
  const T gamma = five() ? T(s.gamma_star * v_.LGAY) : s.gamma_star;
  const T B = (v_.RBY1 + v_.RBY4 * gamma * gamma) *
              cos_atan(T(v_.RBY2 * (s.alpha_star - v_.RBY3 * s.rolling))) * v_.LYKA;
  const T shift = (v_.RHY1 + v_.RHY2 * s.dfz) * s.rolling;  // (4.E65)
  return over(T(cos(curve(B, v_.RCY1, E, T(s.kappa + shift)))),
              T(cos(curve(B, v_.RCY1, E, shift))));  // (4.E59)
}

template <class T>
T MagicFormula::kappa_side_force(const State<T>& s, const Lateral<T>& y) const {
  using namespace magic;
  const T gamma = five() ? T(s.gamma_star * v_.LGAY) : s.gamma_star;
  const T D = y.mu * s.Fz * (v_.RVY1 + v_.RVY2 * s.dfz + v_.RVY3 * gamma) *
              cos_atan(T(v_.RVY4 * s.alpha_star)) * y.zeta2;                 // (4.E67)
  return D * sin(v_.RVY5 * atan(T(v_.RVY6 * s.kappa))) * v_.LVYKA * s.fade;  // (4.E66)
}

/// Torque of turn slip about the standing contact; also the exponent zeta7 of the residual torque.
template <class T>
T MagicFormula::residual_spin(const State<T>& s, const Lateral<T>& y, const T& Gyk, T& zeta7) const {
  using namespace magic;
  const double R0 = v_.UNLOADED_RADIUS, C = v_.QDRP1;
  const T infinite = v_.QCRP1 * abs(y.mu) * R0 * s.Fz_low * sqrt(s.Fz_low / Fz0_) * v_.LMP;  // (4.95)
  const T D = infinite / (std::abs(std::sin(0.5 * std::numbers::pi * C)) > kSmallest
                              ? std::sin(0.5 * std::numbers::pi * C)
                              : kSmallest);
  // (4.99): the torque of camber is that of its spin.
  const T K =
      s.Fz_low * R0 *
      ((v_.QDZ8 + v_.QDZ9 * s.dfz) * (1.0 + v_.PPZ2 * s.dpi) + (v_.QDZ10 + v_.QDZ11 * s.dfz) * abs(s.gamma)) *
      v_.LKZC;
  const T slope = over(K, T(1.0 - s.epsilon_gamma));
  const T spin = D * sin(C * atan(over(slope, T(C * D)) * R0 * s.phi));
  // The quotient of the two torques; both vanish with the turn slip, and so their slopes are divided there.
  T quotient;
  if (std::abs(value(spin)) > kSmallest)
    quotient =
        infinite * (2 / std::numbers::pi) * atan(v_.QCRP2 * R0 * abs(s.phi_t)) * Gyk / abs(spin);  // (4.103)
  else
    quotient = over(T(infinite * (2 / std::numbers::pi) * v_.QCRP2 * Gyk), T(abs(slope)));
  zeta7 = (2 / std::numbers::pi) * acos(clamp_to(quotient, -1, 1));
  return spin;
}

template <class T>
MagicFormula::Aligning<T> MagicFormula::aligning(const State<T>& s, const Lateral<T>& y, const T& Kxk,
                                                 const T& Gyk) const {
  using namespace magic;
  const double R0 = v_.UNLOADED_RADIUS;
  const T gamma = five() ? T(s.gamma * v_.LGAZ) : s.gamma;
  const T gamma_star = five() ? T(s.gamma_star * v_.LGAZ) : s.gamma_star;
  const T dfz = s.dfz;
  T zeta5(1), zeta6(1), zeta7(1), spin(0);
  double zeta0 = 1;
  if (options_.turn_slip) {
    zeta0 = 0;
    zeta5 = cos_atan(T(v_.QDTP1 * R0 * s.phi));  // (4.91)
    zeta6 = cos_atan(T(v_.QBRP1 * R0 * s.phi));  // (4.102)
    spin = residual_spin(s, y, Gyk, zeta7);
  }
  // Slips of trail and residual torque; with longitudinal slip their equivalents (A54), (A55).
  const T SHt = v_.QHZ1 + v_.QHZ2 * dfz + (v_.QHZ3 + v_.QHZ4 * dfz) * gamma_star;  // (4.E35)
  const T alpha_t = s.alpha_star + SHt;
  const T alpha_r = s.alpha_star + y.SH + y.SV / apart(y.K);  // (4.E37), (4.E38)
  const T kappa_part = Kxk / apart(y.K) * s.kappa;
  const auto equivalent = [&](const T& alpha) {
    // Beyond a right angle the tangent would start anew.
    if (std::abs(value(alpha)) >= 0.5 * std::numbers::pi) return T(abs(alpha));
    const T t = tan(alpha);
    return T(atan(sqrt(t * t + kappa_part * kappa_part)));
  };
  const T t_eq = equivalent(alpha_t), r_eq = equivalent(alpha_r);  // both enter even functions only

  const T B = (v_.QBZ1 + v_.QBZ2 * dfz + v_.QBZ3 * dfz * dfz) *
              (1.0 + v_.QBZ4 * gamma + v_.QBZ5 * abs(gamma)) * v_.LKY / s.muy_scale;  // (A58)
  const double C = v_.QCZ1;
  const T D = (v_.QDZ1 + v_.QDZ2 * dfz) * (1.0 - v_.PPZ1 * s.dpi) *
              (1.0 + v_.QDZ3 * gamma + v_.QDZ4 * gamma * gamma) * s.Fz_low * (R0 / Fz0_) * v_.LTR *
              zeta5;  // (A60)
  T E = (v_.QEZ1 + v_.QEZ2 * dfz + v_.QEZ3 * dfz * dfz) *
        (1.0 + (v_.QEZ4 + v_.QEZ5 * gamma_star) * (2 / std::numbers::pi) * atan(B * C * alpha_t));  // (4.E44)
  if (options_.limits && E > 1.0) E = T(1);
  Aligning<T> out;
  out.trail = D * cos(curve(B, C, E, t_eq)) * s.cos_alpha * v_.LFZO * s.fade;  // (4.E73)

  const T cosine = std::abs(value(s.alpha_star)) < 0.5 * std::numbers::pi ? T(cos(s.alpha_star)) : T(0);
  const T Dr = s.Fz_low * R0 *
                   ((v_.QDZ6 + v_.QDZ7 * dfz) * v_.LRES * y.zeta2 +
                    ((v_.QDZ8 + v_.QDZ9 * dfz) * (1.0 + v_.PPZ2 * s.dpi) +
                     (v_.QDZ10 + v_.QDZ11 * dfz) * abs(gamma_star)) *
                        gamma_star * v_.LKZC * zeta0) *
                   s.muy_scale * s.direction * cosine +
               spin;                                                               // (4.E47)
  const T Br = (v_.QBZ9 * v_.LKY / s.muy_scale + v_.QBZ10 * y.By * y.Cy) * zeta6;  // (4.E45)
  out.Mzr = Dr * cos(zeta7 * atan(Br * r_eq)) * s.fade;                            // (4.E75)
  return out;
}

template <class T>
T MagicFormula::overturning(const State<T>& s, const T& Fy) const {
  using namespace magic;
  const double R0 = v_.UNLOADED_RADIUS, Fz0 = v_.FNOMIN;
  const T gamma = s.gamma;
  T Fz = s.Fz;
  if (Fz < v_.FZMIN) Fz = Fz * (Fz / v_.FZMIN) * (Fz / v_.FZMIN);
  const T load = v_.QSX6 * Fz / Fz0, side_load = Fy / Fz0;
  // (4.E69) with the terms QSX12 to QSX14 of MF-Tyre
  return R0 * v_.LMX *
         (Fz * (v_.QSX1 * v_.LVMX - v_.QSX2 * gamma * (1.0 + v_.PPMX1 * s.dpi) -
                v_.QSX12 * gamma * abs(gamma) + v_.QSX3 * side_load +
                v_.QSX4 * cos(v_.QSX5 * atan(load * load)) *
                    sin(v_.QSX7 * gamma + v_.QSX8 * atan(v_.QSX9 * side_load)) +
                v_.QSX10 * atan(v_.QSX11 * Fz / Fz0) * gamma) +
          Fy * (v_.QSX13 + v_.QSX14 * abs(gamma)));
}

template <class T>
T MagicFormula::rolling_resistance(const State<T>& s, const T& Fx) const {
  using namespace magic;
  const double R0 = v_.UNLOADED_RADIUS, Fz0 = v_.FNOMIN;
  T Fz = s.Fz_input;
  if (Fz < v_.FZMIN) Fz = Fz * (Fz / v_.FZMIN);
  const T speed = abs(s.Vx) / v_.LONGVL;
  T part = v_.QSY1 + v_.QSY2 * Fx / Fz0 + v_.QSY3 * speed + v_.QSY4 * speed * speed * speed * speed;
  T My;
  if (five())
    My = -R0 * v_.LMY * Fz * part;
  else
    My = -R0 * Fz0 * v_.LMY * (part + (v_.QSY5 + v_.QSY6 * Fz / Fz0) * s.gamma * s.gamma) *
         pow(T(Fz / Fz0), v_.QSY7) * pow(T(1.0 + s.dpi), v_.QSY8);  // (A48)
  // Against the rotation; smooth where the circumference moves slower than VXLOW.
  const T circumference = (s.direction + s.direction * s.kappa_input) * abs(s.Vx) / v_.VXLOW;
  return My * sin(0.5 * std::numbers::pi * clamp_to(circumference, -1, 1));
}

template <class T>
void MagicFormula::evaluate_all(const TireInputOf<T>& in, TireForcesOf<T>& out,
                                MagicFormulaDetails* details) const {
  using namespace magic;
  const State<T> s = prepare(in, out.flags);
  T Kxk, mux;
  const T Fx0 = longitudinal(s, Kxk, mux);
  const Lateral<T> y = lateral(s, s.gamma_star);
  const T Gyk = reduction_y(s), SVyk = kappa_side_force(s, y);
  out.Fx = reduction_x(s) * Fx0;
  out.Fy = Gyk * y.Fy0 + SVyk;
  out.Mx = overturning(s, out.Fy);
  out.My = rolling_resistance(s, out.Fx);
  const Aligning<T> z = aligning(s, y, Kxk, Gyk);
  const T gamma = five() ? T(s.gamma * v_.LGAZ) : s.gamma;
  const T arm = v_.UNLOADED_RADIUS * v_.LS *
                (v_.SSZ1 + v_.SSZ2 * out.Fy / v_.FNOMIN + (v_.SSZ3 + v_.SSZ4 * s.dfz) * gamma);  // (A56)
  // The trail acts on the side force without kappa's own part; from 6.1 on without camber too (4.E74).
  const auto upright = [&] {
    State<T> u = s;
    u.phi = -s.phi_t;  // camber is spin as well
    return lateral(u, T(0)).Fy0;
  };
  const T Fy_trail = five() ? T(out.Fy - SVyk) : T(Gyk * upright());
  out.Mz = -z.trail * Fy_trail + z.Mzr + arm * out.Fx;  // (4.E71)
  const double fade_load = kFadeOfLoad * v_.FNOMIN;
  if (s.Fz_input < fade_load) {
    const T fade = s.Fz_input / fade_load;
    out.My = out.My * fade;
    out.Mz = out.Mz * fade;
  }
  if (details != nullptr) {
    details->mux = value(mux);
    details->muy = options_.limits ? std::abs(value(y.mu)) : value(y.mu);
    details->Kxk = value(Kxk);
    details->Kya = value(y.K);
    details->trail = value(z.trail);
    details->Mzr = value(z.Mzr);
  }
}

template <class T>
void MagicFormula::forces_of(const TireInputOf<T>& in, TireForcesOf<T>& out) const {
  evaluate_all(in, out, nullptr);
}

}  // namespace monocoque

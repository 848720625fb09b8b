#include "elements/tires/tire_law.h"

#include <algorithm>

namespace monocoque {
namespace {

// Beyond these no tire works; within them squares and products stay far from overflow. Outside, the value is
// held.
constexpr double kLeastLoad = 1e-9;  // N; below, quotients of loads would underflow
constexpr double kMostLoad = 1e9, kMostSlip = 1e4, kMostCamber = 1.5, kMostTurnSlip = 1e3, kMostSpeed = 1e4,
                 kMostPressure = 1e9, kMostFriction = 1e2, kMostDeflection = 1e3, kMostForce = 1e9;

template <class T>
TireInputOf<T> bounded(const TireInputOf<T>& in) {
  return {clamp_to(in.Fz, -1, kMostLoad),
          clamp_to(in.kappa, -kMostSlip, kMostSlip),
          clamp_to(in.tan_alpha, -kMostSlip, kMostSlip),
          clamp_to(in.gamma, -kMostCamber, kMostCamber),
          clamp_to(in.turn_slip, -kMostTurnSlip, kMostTurnSlip),
          clamp_to(in.Vx, -kMostSpeed, kMostSpeed),
          clamp_to(in.pressure, 0, kMostPressure),
          clamp_to(in.mu, 0, kMostFriction)};
}

template <class T>
TireVerticalOf<T> bounded(const TireVerticalOf<T>& in) {
  return {clamp_to(in.deflection, -kMostDeflection, kMostDeflection),
          clamp_to(in.rate, -kMostSpeed, kMostSpeed),
          clamp_to(in.spin, -kMostSpeed, kMostSpeed),
          clamp_to(in.Fx, -kMostForce, kMostForce),
          clamp_to(in.Fy, -kMostForce, kMostForce),
          clamp_to(in.gamma, -kMostCamber, kMostCamber),
          clamp_to(in.pressure, 0, kMostPressure)};
}

template <class T>
TireRollingOf<T> bounded(const TireRollingOf<T>& in) {
  return {clamp_to(in.Fz, 0, kMostLoad), clamp_to(in.loaded_radius, 0, kMostDeflection),
          clamp_to(in.spin, -kMostSpeed, kMostSpeed), clamp_to(in.pressure, 0, kMostPressure)};
}

template <class T>
bool all_finite(const TireForcesOf<T>& f) {
  return is_finite(f.Fx) && is_finite(f.Fy) && is_finite(f.Mx) && is_finite(f.My) && is_finite(f.Mz);
}

template <class T>
void mirror(TireInputOf<T>& in) {
  in.tan_alpha = -in.tan_alpha;
  in.gamma = -in.gamma;
  in.turn_slip = -in.turn_slip;
}

template <class T>
void mirror(TireForcesOf<T>& f) {
  f.Fy = -f.Fy;
  f.Mx = -f.Mx;
  f.Mz = -f.Mz;
}

}  // namespace

void TireLaw::forces(const TireInput& in, TireForces& out) const {
  out = {};
  if (!(in.Fz > kLeastLoad)) return;
  TireInput x = bounded(in);
  if (mirrored_) mirror(x);
  evaluate(x, out);
  if (mirrored_) mirror(out);
  if (!all_finite(out)) {
    out = {};
    out.flags = kTireNotFinite;
  }
}

void TireLaw::forces(const TireInput& in, TireForces& out, TireJacobian& by) const {
  out = {};
  by.setZero();
  if (!(in.Fz > kLeastLoad)) return;
  using D = ForceDual;
  TireInputOf<D> x =
      bounded(TireInputOf<D>{D::variable(in.Fz, 0), D::variable(in.kappa, 1), D::variable(in.tan_alpha, 2),
                             D::variable(in.gamma, 3), D::variable(in.turn_slip, 4), D::variable(in.Vx, 5),
                             D::variable(in.pressure, 6), D::variable(in.mu, 7)});
  if (mirrored_) mirror(x);
  TireForcesOf<D> f;
  evaluate(x, f);
  if (mirrored_) mirror(f);
  out.flags = f.flags;
  if (!all_finite(f)) {
    out.flags = kTireNotFinite;
    return;
  }
  const D* rows[] = {&f.Fx, &f.Fy, &f.Mx, &f.My, &f.Mz};
  for (int r = 0; r < kTireOutputs; ++r)
    for (int c = 0; c < kTireInputs; ++c) by(r, c) = rows[r]->d[static_cast<std::size_t>(c)];
  out.Fx = f.Fx.v;
  out.Fy = f.Fy.v;
  out.Mx = f.Mx.v;
  out.My = f.My.v;
  out.Mz = f.Mz.v;
}

double TireLaw::vertical(const TireVertical& in) const {
  TireVertical x = bounded(in);
  if (mirrored_) {
    x.Fy = -x.Fy;
    x.gamma = -x.gamma;
  }
  const double Fz = evaluate(x);
  return std::isfinite(Fz) ? Fz : 0;
}

double TireLaw::vertical(const TireVertical& in, TireVerticalDerivatives& by) const {
  using D = VerticalDual;
  TireVerticalOf<D> x = bounded(TireVerticalOf<D>{
      D::variable(in.deflection, 0), D::variable(in.rate, 1), D::variable(in.spin, 2), D::variable(in.Fx, 3),
      D::variable(in.Fy, 4), D::variable(in.gamma, 5), D::variable(in.pressure, 6)});
  if (mirrored_) {
    x.Fy = -x.Fy;
    x.gamma = -x.gamma;
  }
  const D Fz = evaluate(x);
  by = {};
  if (!is_finite(Fz)) return 0;
  by = Fz.d;
  return Fz.v;
}

double TireLaw::effective_radius(const TireRolling& in) const {
  const double Re = evaluate(bounded(in));
  return std::isfinite(Re) ? Re : unloaded_radius_;
}

double TireLaw::effective_radius(const TireRolling& in, TireRollingDerivatives& by) const {
  using D = RollingDual;
  const D Re = evaluate(bounded(TireRollingOf<D>{D::variable(in.Fz, 0), D::variable(in.loaded_radius, 1),
                                                 D::variable(in.spin, 2), D::variable(in.pressure, 3)}));
  by = {};
  if (!is_finite(Re)) return unloaded_radius_;
  by = Re.d;
  return Re.v;
}

TireRelaxation TireLaw::relaxation(double Fz, double gamma, double pressure) const {
  using D = RelaxationDual;
  const D load = clamp_to(D::variable(Fz, 0), 0, kMostLoad);
  const D camber = clamp_to(D::variable(gamma, 1), -kMostCamber, kMostCamber);
  const auto [x, y] = evaluate(load, mirrored_ ? -camber : camber, std::clamp(pressure, 0.0, kMostPressure));
  TireRelaxation out;
  if (is_finite(x)) {
    out.longitudinal = x.v;
    out.longitudinal_by = x.d;
  }
  if (is_finite(y)) {
    out.lateral = y.v;
    out.lateral_by = y.d;
  }
  return out;
}

TireSlip TireLaw::slip(double Vx, double Vsx, double Vsy) const {
  using D = Dual<3>;
  const D speed = max(abs(D::variable(std::clamp(Vx, -1e100, 1e100), 0)), low_speed_);
  const D kappa = -D::variable(std::clamp(Vsx, -1e100, 1e100), 1) / speed;
  const D tangent = D::variable(std::clamp(Vsy, -1e100, 1e100), 2) / speed;
  return {kappa.v, tangent.v, kappa.d, tangent.d};
}

}  // namespace monocoque

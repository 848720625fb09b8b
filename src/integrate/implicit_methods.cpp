#include "integrate/implicit_methods.h"

#include <cmath>

#include "core/rotation.h"
#include "dynamics/forces.h"

namespace monocoque {

namespace {

bool bounded(const State& s) {
  return s.z.squaredNorm() + s.c.squaredNorm() < 1e24;  // false for NaN as well
}

io::SimulationSpec starter_settings(io::SimulationSpec settings) {
  settings.constraints = kIndex2;
  settings.stabilisation = kProjection;
  return settings;
}

}  // namespace

// ---- linearly implicit Euler
// -------------------------------------------------------------------------------

LinearlyImplicitEuler::LinearlyImplicitEuler(Workspace& ws, const io::SimulationSpec& settings,
                                             bool extrapolate)
    : step_(ws, settings),
      model_(ws.model),
      extrapolate_(extrapolate),
      project_(settings.stabilisation == kProjection),
      coarse_(initial_state(ws.model)) {
  z_dot_.setZero(model_.nz);
  c_dot_.setZero(model_.nc);
  d_.setZero(model_.nz);
  x0_.setZero(model_.nx);
  z0_.setZero(model_.nz);
  c0_.setZero(model_.nc);
}

void LinearlyImplicitEuler::start(const State&) {
  step_.restart();
}

StepStatus LinearlyImplicitEuler::single(State& s, double t) {
  const double h = t - s.t;
  h_ = h;
  x0_ = s.x;
  // Predictor: constant velocity, so z_dot and c_dot are zero.
  d_ = h * s.z;
  retract(model_, x0_, d_, s.x);
  s.t = t;
  z_dot_.setZero();
  c_dot_.setZero();
  const StepCoefficients k{1 / h, 1, h, 1 / h};
  if (!step_.newton(s, z_dot_, c_dot_, k, true)) return StepStatus::singular;
  s.z += step_.step_z();
  step_.update_algebraic(s, k.accel);
  d_ = h * s.z;
  retract(model_, x0_, d_, s.x);
  if (project_) {
    step_.project_positions(s);
    step_.project_velocities(s);
  }
  ++counts_.evaluations;
  return bounded(s) ? StepStatus::ok : StepStatus::not_finite;
}

StepStatus LinearlyImplicitEuler::advance(State& s, double t, double) {
  ++counts_.steps;
  StepStatus status = StepStatus::ok;
  if (!extrapolate_) {
    status = single(s, t);
  } else {
    coarse_.t = s.t;
    coarse_.x = s.x;
    coarse_.z = s.z;
    coarse_.c = s.c;
    coarse_.lambda = s.lambda;
    coarse_.w = s.w;
    coarse_.r = s.r;
    const double middle = 0.5 * (s.t + t);
    status = single(coarse_, t);
    if (status == StepStatus::ok) status = single(s, middle);
    if (status == StepStatus::ok) status = single(s, t);
    if (status == StepStatus::ok) {
      // u <- u + (u - u_coarse); on the group the difference is a local increment from u.
      local_difference(model_, s.x, coarse_.x, d_);
      d_ = -d_;
      retract(model_, s.x, d_, s.x);
      s.z = 2 * s.z - coarse_.z;
      s.c = 2 * s.c - coarse_.c;
      s.lambda = 2 * s.lambda - coarse_.lambda;
      s.w = 2 * s.w - coarse_.w;
      if (project_) {
        step_.project_positions(s);
        step_.project_velocities(s);
      }
    }
  }
  counts_.factorisations = step_.factorisations();
  return status;
}

bool LinearlyImplicitEuler::add_late_force(State& s, const VecX& force) {
  if (extrapolate_) return false;  // the factors are those of half a step
  step_.add_force(s, force, {1 / h_, 1, h_, 1 / h_});
  return true;
}

// ---- BDF2
// --------------------------------------------------------------------------------------------------

Bdf2::Bdf2(Workspace& ws, const io::SimulationSpec& settings)
    : starter_(ws, starter_settings(settings), true),
      step_(ws, settings),
      model_(ws.model),
      project_(settings.stabilisation == kProjection),
      iterations_(settings.iterations > 0 ? settings.iterations : 3) {
  for (VecX* v : {&z1_, &z0_, &z_dot_, &d_, &d_back_}) v->setZero(model_.nz);
  for (VecX* v : {&x1_, &x0_}) v->setZero(model_.nx);
  for (VecX* v : {&c1_, &c0_, &c_dot_}) v->setZero(model_.nc);
}

void Bdf2::start(const State& s) {
  starter_.start(s);
  step_.restart();
  previous_h_ = 0;
}

void Bdf2::new_forces(const State& s) {
  if (!step_.holds_matrix()) start(s);
}

StepStatus Bdf2::advance(State& s, double t, double stop) {
  const double h = t - s.t;
  x0_ = s.x;
  z0_ = s.z;
  c0_ = s.c;
  ++counts_.steps;
  StepStatus status = StepStatus::ok;
  own_step_ = std::abs(h - previous_h_) <= 1e-9 * h;
  if (!own_step_) {
    status = starter_.advance(s, t, stop);
  } else {
    local_difference(model_, x0_, x1_, d_back_);
    s.t = t;
    s.z = 2 * z0_ - z1_;  // predictor
    d_ = h / 2 * (s.z + z0_);
    s.c = 2 * c0_ - c1_;
    const StepCoefficients k{1.5 / h, 1, 2 * h / 3, 1.5 / h};
    for (int i = 0; i < iterations_ && status == StepStatus::ok; ++i) {
      retract(model_, x0_, d_, s.x);
      z_dot_ = (1.5 * s.z - 2 * z0_ + 0.5 * z1_) / h;
      c_dot_ = (1.5 * s.c - 2 * c0_ + 0.5 * c1_) / h;
      if (!step_.newton(s, z_dot_, c_dot_, k, i == 0)) status = StepStatus::singular;
      s.z += step_.step_z();
      step_.update_algebraic(s, k.accel);
      // 3/2 d + 1/2 d_back = h T^-1(d) z, the tangent taken at the last d.
      for (const Part& part : model_.parts) {
        if (!part.moves()) continue;
        const int n = part.z_start;
        d_.segment<3>(n) = 2.0 / 3 * (h * s.z.segment<3>(n) - 0.5 * d_back_.segment<3>(n));
        if (part.turns()) {
          const Vec3 rate = inverse_tangent(d_.segment<3>(n + 3)) * s.z.segment<3>(n + 3);
          d_.segment<3>(n + 3) = 2.0 / 3 * (h * rate - 0.5 * d_back_.segment<3>(n + 3));
          d_.segment(n + 6, part.nq()) =
              2.0 / 3 * (h * s.z.segment(n + 6, part.nq()) - 0.5 * d_back_.segment(n + 6, part.nq()));
        }
      }
      ++counts_.newton_iterations;
    }
    retract(model_, x0_, d_, s.x);
    if (project_ && status == StepStatus::ok) {
      step_.project_positions(s);
      step_.project_velocities(s);
    }
  }
  x1_ = x0_;
  z1_ = z0_;
  c1_ = c0_;
  previous_h_ = h;
  counts_.factorisations = step_.factorisations() + starter_.counts().factorisations;
  if (status != StepStatus::ok) return status;
  return bounded(s) ? StepStatus::ok : StepStatus::not_finite;
}

bool Bdf2::add_late_force(State& s, const VecX& force) {
  if (!own_step_) return false;
  const double h = previous_h_;
  step_.add_force(s, force, {1.5 / h, 1, 2 * h / 3, 1.5 / h});
  return true;
}

// ---- generalized alpha
// -------------------------------------------------------------------------------------

GeneralizedAlpha::GeneralizedAlpha(Workspace& ws, const io::SimulationSpec& settings)
    : ws_(ws),
      step_(ws, settings),
      start_system_(ws.model, linear_solver_kind(settings.linear_solver)),
      model_(ws.model),
      project_(settings.stabilisation == kProjection),
      iterations_(settings.iterations > 0 ? settings.iterations : 3),
      scratch_(initial_state(ws.model)) {
  const double rho = settings.spectral_radius;
  alpha_m_ = (2 * rho - 1) / (rho + 1);
  alpha_f_ = rho / (rho + 1);
  gamma_ = 0.5 + alpha_f_ - alpha_m_;
  beta_ = 0.25 * (gamma_ + 0.5) * (gamma_ + 0.5);
  for (VecX* v : {&a_, &a0_, &z_dot_, &z_dot_old_, &z0_, &d_}) v->setZero(model_.nz);
  for (VecX* v : {&c_dot_, &c_dot_old_, &c0_}) v->setZero(model_.nc);
  x0_.setZero(model_.nx);
}

void GeneralizedAlpha::new_forces(const State& s) {
  if (!step_.holds_matrix()) start(s);
}

void GeneralizedAlpha::start(const State& s) {
  step_.restart();
  scratch_ = s;
  started_ = start_system_.solve(ws_, scratch_, {}, 20, z_dot_);
  a_ = z_dot_;
  c_dot_ = ws_.c_dot;
}

StepStatus GeneralizedAlpha::advance(State& s, double t, double) {
  if (!started_) return StepStatus::singular;
  const double h = t - s.t;
  x0_ = s.x;
  z0_ = s.z;
  c0_ = s.c;
  a0_ = a_;
  z_dot_old_ = z_dot_;
  c_dot_old_ = c_dot_;
  s.t = t;
  ++counts_.steps;
  // (1 - am) a + am a0 = (1 - af) z_dot + af z_dot_old; the predictor keeps z_dot.
  a_ = ((1 - alpha_f_) * z_dot_ + alpha_f_ * z_dot_old_ - alpha_m_ * a0_) / (1 - alpha_m_);
  const StepCoefficients k{(1 - alpha_m_) / (1 - alpha_f_), h * gamma_, h * h * beta_, 2 / h};
  for (int i = 0; i < iterations_; ++i) {
    s.z = z0_ + h * ((1 - gamma_) * a0_ + gamma_ * a_);
    d_ = h * z0_ + h * h * ((0.5 - beta_) * a0_ + beta_ * a_);
    retract(model_, x0_, d_, s.x);
    c_dot_ = 2 / h * (s.c - c0_) - c_dot_old_;
    if (!step_.newton(s, z_dot_, c_dot_, k, i == 0)) return StepStatus::singular;
    a_ += step_.step_z();
    z_dot_ += k.accel * step_.step_z();
    step_.update_algebraic(s, k.accel);
    ++counts_.newton_iterations;
  }
  s.z = z0_ + h * ((1 - gamma_) * a0_ + gamma_ * a_);
  d_ = h * z0_ + h * h * ((0.5 - beta_) * a0_ + beta_ * a_);
  retract(model_, x0_, d_, s.x);
  c_dot_ = 2 / h * (s.c - c0_) - c_dot_old_;
  if (project_) {
    step_.project_positions(s);
    step_.project_velocities(s);
  }
  counts_.factorisations = step_.factorisations();
  return bounded(s) ? StepStatus::ok : StepStatus::not_finite;
}

namespace {

using Levels = std::vector<std::pair<std::string, std::string>>;

Levels velocity_levels() {
  return {{kIndex2, kProjection}, {kIndex2, kBaumgarte}, {kIndex2, kNone}};
}

template <class Make>
IntegratorType implicit_type(std::string name, std::string doc, int order, Levels levels, Make make) {
  IntegratorType type;
  type.name = std::move(name);
  type.doc = std::move(doc);
  type.order = order;
  type.levels = std::move(levels);
  type.make = make;
  return type;
}

}  // namespace

IntegratorType linearly_implicit_euler_type() {
  return implicit_type("linearly-implicit-euler", "one linear solve a step, non-iterative projection", 1,
                       velocity_levels(), [](Workspace& ws, const io::SimulationSpec& s) {
                         return std::make_unique<LinearlyImplicitEuler>(ws, s, false);
                       });
}

IntegratorType linearly_implicit_2_type() {
  return implicit_type("linearly-implicit-2",
                       "extrapolated linearly implicit Euler, three linear solves a step", 2,
                       velocity_levels(), [](Workspace& ws, const io::SimulationSpec& s) {
                         return std::make_unique<LinearlyImplicitEuler>(ws, s, true);
                       });
}

IntegratorType bdf2_type() {
  Levels levels = velocity_levels();
  levels.insert(levels.end(), {{kIndex3, kNone}, {kIndex3, kProjection}, {kIndex1Psi, kBaumgarte}});
  return implicit_type(
      "bdf2", "BDF of order 2 with a fixed number of iterations", 2, std::move(levels),
      [](Workspace& ws, const io::SimulationSpec& s) { return std::make_unique<Bdf2>(ws, s); });
}

IntegratorType generalized_alpha_type() {
  return implicit_type(
      "generalized-alpha", "generalized-alpha on the group", 2, {{kIndex3, kNone}, {kIndex3, kProjection}},
      [](Workspace& ws, const io::SimulationSpec& s) { return std::make_unique<GeneralizedAlpha>(ws, s); });
}

}  // namespace monocoque

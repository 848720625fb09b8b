#include "integrate/implicit_step.h"

#include <cmath>

#include "dynamics/constraints.h"
#include "dynamics/forces.h"
#include "dynamics/kinematics.h"

namespace monocoque {

namespace {
// Pieces of a matrix: all but the forces; the forces; the condensation.
constexpr int kForcePieces = 6, kPieces = 2 + kForcePieces;

/// Steps of one length differ by the rounding of the time.
bool same_step_length(const StepCoefficients& a, const StepCoefficients& b) {
  const auto near = [](double x, double y) { return std::abs(x - y) <= 1e-6 * std::abs(x); };
  return near(a.accel, b.accel) && near(a.vel, b.vel) && near(a.pos, b.pos) && near(a.c_rate, b.c_rate);
}

/// Elastic coordinates can be condensed where nothing couples them with each other.
std::vector<char> condensed_parts(const Workspace& ws, const io::SimulationSpec& settings) {
  if (!is_simplified(jacobian_from(settings.jacobian)) ||
      linear_solver_kind(settings.linear_solver) != LinearSolverKind::structured)
    return {};
  return Condensation::parts(ws);
}

}  // namespace

ImplicitStep::ImplicitStep(Workspace& ws, const io::SimulationSpec& settings)
    : ws_(ws),
      model_(ws.model),
      jacobian_(jacobian_from(settings.jacobian)),
      layout_(ws.model, SystemKind::iteration,
              prefer_dense(linear_solver_kind(settings.linear_solver),
                           SystemLayout::count(ws.model, SystemKind::iteration)),
              condensed_parts(ws, settings),
              jacobian_ == Jacobian::rigid_forces ? condensed_parts(ws, settings) : std::vector<char>{}),
      matrix_(layout_.pattern()),
      solver_(make_linear_solver(linear_solver_kind(settings.linear_solver), layout_.pattern())),
      level_(settings.constraints == kIndex3 ? ConstraintLevel::position : ConstraintLevel::velocity),
      frozen_(ws.model),
      matrix_steps_(settings.matrix_steps),
      residual_z_(VecX::Zero(ws.model.nz)),
      increment_(VecX::Zero(SystemLayout::count(ws.model, SystemKind::iteration))),
      condensed_(VecX::Zero(layout_.size())),
      step_(VecX::Zero(ws.model.nz)) {
  for (std::size_t i = 0; i < ws.model.parts.size(); ++i)
    if (layout_.condensed(i) && !condensation_) condensation_ = std::make_unique<Condensation>(ws, layout_);
  for (const JointInstance& joint : ws.model.joints)
    nonholonomic_ |= joint.joint->rows() > joint.joint->holonomic_rows();
  if (settings.stabilisation == kBaumgarte) baumgarte_ = settings.baumgarte_alpha;
}

/// The work on a new matrix, in pieces of like cost. They are spread over the steps that share a matrix, so
/// that no step is much longer than the others.
bool ImplicitStep::renew(const State& s, const VecX& z_dot, const StepCoefficients& k) {
  const bool same_step = same_step_length(k, factored_with_), whole = counter_ == 0 || !same_step;
  if (same_step && jacobian_ == Jacobian::constant_matrix) return true;
  const int phase = whole ? 0 : counter_ % matrix_steps_;
  const int spread = std::min(matrix_steps_, kPieces);
  const int first = whole ? 0 : phase * kPieces / spread,
            last = whole ? kPieces : std::min((phase + 1) * kPieces / spread, kPieces);
  counter_ = whole ? 1 : counter_ + 1;
  if (whole || phase == 0) next_piece_ = 0;
  // After a whole renewal the next one begins when its period does.
  if (first >= last || next_piece_ != first) return true;
  next_piece_ = last;
  for (int piece = first; piece < last; ++piece) assemble_piece(piece, s, z_dot, k);
  return last < kPieces || factor(k);
}

void ImplicitStep::assemble_piece(int piece, const State& s, const VecX& z_dot, const StepCoefficients& k) {
  if (jacobian_ == Jacobian::constant && !frozen_.captured()) frozen_.capture(ws_);
  const TangentWeights weights = TangentWeights::of_step(k, level_);
  const JacobianTerms terms = jacobian_terms(jacobian_, frozen_);
  if (piece == 0) begin_iteration(ws_, s, z_dot, weights, level_, layout_, matrix_, terms);
  // Forces of one kind, like the tires of a car, follow each other in the list: each goes to another piece.
  if (piece >= 1 && piece <= kForcePieces)
    for (auto i = static_cast<std::size_t>(piece - 1); i < model_.forces.size(); i += kForcePieces)
      add_force_tangents(ws_, i, i + 1, weights, layout_, matrix_, terms);
  if (piece == kPieces - 1 && condensation_) condensation_->assemble(ws_, weights, level_, matrix_);
}

void ImplicitStep::assemble(const State& s, const VecX& z_dot, const StepCoefficients& k) {
  for (int piece = 0; piece < kPieces; ++piece) assemble_piece(piece, s, z_dot, k);
}

bool ImplicitStep::factor(const StepCoefficients& k) {
  ++factorisations_;
  factored_with_ = k;
  return solver_->factor(matrix_);
}

void ImplicitStep::kinematics(const State& s, bool refresh) {
  update_signals(ws_, s.t, s.r);
  update_positions(ws_, s.x);
  ws_.shape_derivatives = refresh;
  update_velocities(ws_, s.z);
  ws_.shape_derivatives = true;
}

void ImplicitStep::constraints(const State& s, bool refresh) {
  // Within a step the rows turn by nothing that a shared matrix would notice.
  if (refresh || !holds_matrix())
    update_constraints(ws_, s.t, s.r);
  else
    update_constraint_residual(ws_, s.t, s.r);
  if (level_ == ConstraintLevel::velocity || nonholonomic_) update_constraint_velocity(ws_);
}

void ImplicitStep::forces(const State& s) {
  update_forces(ws_, s, PortForces::collected);
}

void ImplicitStep::residual(const State& s, const VecX& z_dot, const VecX& c_dot, const StepCoefficients& k) {
  residual_z_ = ws_.f;
  add_mass_times(ws_, z_dot, -1, residual_z_);
  add_constraint_forces(ws_, s.lambda, -1, residual_z_, PortForces::collected);
  add_port_forces(ws_, 1, residual_z_);
  increment_.head(model_.nz) = residual_z_ / k.accel;
  increment_.segment(model_.nz, model_.nc) = (ws_.c_dot - c_dot) / k.c_rate;
  auto rows = increment_.segment(model_.nz + model_.nc, model_.nlambda);
  for (const JointInstance& joint : model_.joints) {
    for (int i = 0; i < joint.joint->rows(); ++i) {
      const int row = joint.lambda_start + i;
      if (level_ == ConstraintLevel::position && i < joint.joint->holonomic_rows())
        rows[row] = -ws_.g[row] / k.pos;
      else
        rows[row] = -(ws_.g_dot[row] + baumgarte_ * ws_.g[row]) / k.vel;
    }
  }
  increment_.tail(model_.nw) = -ws_.b;
}

bool ImplicitStep::newton(const State& s, const VecX& z_dot, const VecX& c_dot, const StepCoefficients& k,
                          bool refresh) {
  kinematics(s, refresh);
  constraints(s, refresh);
  forces(s);
  if (refresh && !renew(s, z_dot, k)) return false;
  residual(s, z_dot, c_dot, k);
  solve();
  return true;
}

void ImplicitStep::solve() {
  if (!condensation_) {
    solver_->solve(increment_);
    return;
  }
  condensation_->reduce(increment_, condensed_);
  solver_->solve(condensed_);
  condensation_->expand(condensed_, increment_);
}

void ImplicitStep::update_algebraic(State& s, double accel) const {
  s.c += step_c();
  s.lambda += accel * step_lambda();
  s.w += step_w();
}

void ImplicitStep::add_force(State& s, const VecX& force, const StepCoefficients& k) {
  increment_.setZero();
  increment_.head(model_.nz) = force / k.accel;
  solve();
  step_ = k.vel * increment_.head(model_.nz);
  s.z += step_;
  step_ *= k.pos / k.vel;
  retract(model_, s.x, step_, s.x);
  update_algebraic(s, k.accel);
}

void ImplicitStep::solve_projection(const VecX& residual) {
  increment_.setZero();
  increment_.segment(model_.nz + model_.nc, model_.nlambda) = -residual;
  solve();
  step_ = increment_.head(model_.nz);
}

void ImplicitStep::project_positions(State& s) {
  if (model_.nlambda == 0) return;
  update_signals(ws_, s.t, s.r);
  update_positions(ws_, s.x, MarkerSet::joints);
  update_constraint_residual(ws_, s.t, s.r);
  solve_projection(ws_.g);
  retract(model_, s.x, step_, s.x);
}

void ImplicitStep::project_velocities(State& s) {
  if (model_.nlambda == 0) return;
  update_signals(ws_, s.t, s.r);
  update_positions(ws_, s.x, MarkerSet::joints);
  update_velocities(ws_, s.z, MarkerSet::joints);
  update_constraint_rows(ws_, s.t, s.r);
  update_constraint_velocity(ws_);
  solve_projection(ws_.g_dot);
  s.z += step_;
}

}  // namespace monocoque

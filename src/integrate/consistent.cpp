#include "integrate/consistent.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <fmt/format.h>

#include "core/index.h"
#include "dynamics/constraints.h"
#include "dynamics/forces.h"
#include "dynamics/kinematics.h"
#include "solve/acceleration_system.h"

namespace monocoque {

namespace {

constexpr double kPositionTolerance = 1e-12;
constexpr int kMaxPositionIterations = 50;

void position_stage(Workspace& ws, const State& s) {
  update_signals(ws, s.t, s.r);
  update_positions(ws, s.x);
  update_constraints(ws, s.t, s.r);
}

std::vector<bool> free_columns(const Model& model, bool velocity) {
  std::vector<bool> free(static_cast<std::size_t>(model.nz), true);
  for (const Part& part : model.parts)
    for (int i = 0; i < part.rigid_size(); ++i) {
      const auto& fixed = velocity ? part.fixed_velocity : part.fixed_position;
      if (fixed[static_cast<std::size_t>(i)]) free[at(part.z_start + i)] = false;
    }
  return free;
}

/// Rows of nonholonomic constraints do not belong to the position problem.
Eigen::SparseMatrix<double, Eigen::RowMajor> holonomic_matrix(const Workspace& ws) {
  Eigen::SparseMatrix<double, Eigen::RowMajor> G = constraint_matrix(ws);
  std::vector<char> keep(static_cast<std::size_t>(ws.model.nlambda), 0);
  for (const JointInstance& j : ws.model.joints)
    for (int i = 0; i < j.joint->holonomic_rows(); ++i) keep[at(j.lambda_start + i)] = 1;
  G.prune([&](Eigen::Index row, Eigen::Index, double) { return keep[static_cast<std::size_t>(row)] != 0; });
  return G;
}

[[noreturn]] void throw_open_loop(const Workspace& ws, const VecX& residual) {
  int row = 0;
  const double worst = residual.cwiseAbs().maxCoeff(&row);
  const JointInstance& joint = ws.model.joints[ws.model.joint_of_row(row).at()];
  std::string remedy =
      "check lengths and positions of the loop, contradicting drives, or release coordinates given as "
      "`fixed`";
  const Eigen::SparseMatrix<double, Eigen::RowMajor> G = constraint_matrix(ws);
  if (G.row(row).norm() < 1e-12)
    remedy =
        "no motion of its parts changes this row here (ends that coincide have no direction): move one of "
        "its "
        "parts in the file";
  // All rows of that joint tell the size of the gap.
  const double gap = residual.segment(joint.lambda_start, joint.joint->rows()).norm();
  throw Error(
      joint.place, joint.label,
      fmt::format("the mechanism does not close: this joint stays open by {:.4g} (row '{}' by {:.4g}, m or "
                  "rad) at the best position found",
                  gap, joint.joint->row_name(row - joint.lambda_start), worst),
      remedy);
}

/// Gauss-Newton towards g = 0 from s.x; returns the iterations, the residual left is in `residual`.
int close_loops(Workspace& ws, State& s, const std::vector<bool>& free, VecX& residual) {
  const Model& model = ws.model;
  VecX trial_residual, d(model.nz);
  position_stage(ws, s);
  full_residual(ws, false, residual);
  double size = residual.norm();
  int iterations = 0;
  while (iterations < kMaxPositionIterations && residual.lpNorm<Eigen::Infinity>() > kPositionTolerance) {
    d = -min_norm_solve(holonomic_matrix(ws), residual, free);
    // Halve the step until the residual falls: far from closure the linear model lies. Turns stay below 1
    // rad.
    double factor = std::min(1.0, 1.0 / std::max(1e-300, d.lpNorm<Eigen::Infinity>()));
    const VecX x_old = s.x;
    bool better = false;
    for (int cut = 0; cut < 12 && !better; ++cut, factor *= 0.5) {
      retract(model, x_old, factor * d, s.x);
      position_stage(ws, s);
      full_residual(ws, false, trial_residual);
      better = trial_residual.norm() < size;
    }
    if (!better) {
      s.x = x_old;
      position_stage(ws, s);
      break;
    }
    residual = trial_residual;
    size = residual.norm();
    ++iterations;
  }
  return iterations;
}

void assemble_positions(Workspace& ws, State& s, ConsistencyReport& report) {
  const Model& model = ws.model;
  if (model.nlambda == 0) return;
  VecX residual, moved(model.nz);
  const VecX x_given = s.x;
  position_stage(ws, s);
  full_residual(ws, false, residual);
  for (Eigen::Index row = 0; row < residual.size(); ++row) {
    if (std::isfinite(residual[row])) continue;
    const JointInstance& joint = model.joints[model.joint_of_row(static_cast<int>(row)).at()];
    throw Error(joint.place, joint.label, "its residual is not a finite number at the initial position",
                "check the positions of its parts and the signal that drives it");
  }
  report.position_iterations = close_loops(ws, s, free_columns(model, false), residual);
  report.position_residual = residual.lpNorm<Eigen::Infinity>();
  local_difference(model, x_given, s.x, moved);
  report.position_change = moved.size() > 0 ? moved.lpNorm<Eigen::Infinity>() : 0;
  if (report.position_residual > 1e-8) throw_open_loop(ws, residual);
}

/// Whether the rank is lower here than at a position nearby, reached by a small motion the constraints allow:
/// then the rows that seem redundant are not, and taking them out would free the mechanism.
bool singular_here(Workspace& ws, const State& s, const RankReport& rank) {
  const Model& model = ws.model;
  const std::vector<bool> all_free(static_cast<std::size_t>(model.nz), true);
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  for (int attempt = 0; attempt < 2; ++attempt) {
    position_stage(ws, s);
    const auto G = constraint_matrix(ws);
    VecX v(model.nz);
    for (double& x : v) x = normal(random);
    v -= min_norm_solve(G, G * v, all_free);
    const double size = v.lpNorm<Eigen::Infinity>();
    if (size < 1e-9) return false;  // nothing can move
    State moved = s;
    retract(model, s.x, 1e-3 / size * v, moved.x);
    VecX residual;
    close_loops(ws, moved, all_free, residual);
    if (residual.lpNorm<Eigen::Infinity>() < 1e-9 && rank_at(ws, moved).rank > rank.rank) return true;
  }
  return false;
}

[[noreturn]] void throw_singular(const Model& model, const RankReport& rank) {
  std::string rows;
  for (const DependentRow& row : rank.dependent)
    rows += fmt::format("{}{}", rows.empty() ? "" : "; ", model.row_label(row.row));
  throw Error(
      model.joints[model.joint_of_row(rank.dependent.front().row).at()].place, model.name,
      fmt::format(
          "the initial position is a singular configuration: constraints depend on each other here but "
          "not nearby, so the motion is not determined: {}",
          rows),
      "start from a slightly different position");
}

/// Parts that can make the equations of motion singular.
std::string parts_without_inertia(const Model& model) {
  std::string names;
  for (const Part& part : model.parts) {
    if (!part.moves() || part.flexible >= 0) continue;
    const bool light = part.mass <= 0 || (part.turns() && part.inertia.diagonal().minCoeff() <= 0);
    if (light) names += fmt::format("{}'{}'", names.empty() ? "" : ", ", part.name);
  }
  return names;
}

void assemble_velocities(Workspace& ws, State& s, ConsistencyReport& report) {
  if (ws.model.nlambda == 0) return;
  VecX residual;
  for (int k = 0; k < 3; ++k) {
    update_velocities(ws, s.z);
    update_constraint_velocity(ws);
    full_residual(ws, true, residual);
    report.velocity_residual = residual.lpNorm<Eigen::Infinity>();
    if (report.velocity_residual < 1e-13) return;
    s.z -= min_norm_solve(constraint_matrix(ws), residual, free_columns(ws.model, true));
  }
  update_velocities(ws, s.z);
  update_constraint_velocity(ws);
  full_residual(ws, true, residual);
  report.velocity_residual = residual.lpNorm<Eigen::Infinity>();
  if (report.velocity_residual > 1e-8 * (1 + s.z.lpNorm<Eigen::Infinity>())) {
    int row = 0;
    residual.cwiseAbs().maxCoeff(&row);
    const JointInstance& joint = ws.model.joints[ws.model.joint_of_row(row).at()];
    throw Error(joint.place, joint.label,
                fmt::format("no velocities fulfil all constraints: row '{}' is left with {:.4g} (per second)",
                            joint.joint->row_name(row - joint.lambda_start), residual[row]),
                "two drives contradict each other, or velocities given as `fixed_velocity` do");
  }
}

/// Labels of the other joints in the combination that makes a row redundant.
std::vector<std::string> partners(const Model& model, const DependentRow& row) {
  std::vector<std::string> out;
  const JointIndex own = model.joint_of_row(row.row);
  for (const auto& [other, coefficient] : row.combination) {
    const JointIndex j = model.joint_of_row(other);
    if (j == own) continue;
    const std::string& label = model.joints[j.at()].label;
    if (std::find(out.begin(), out.end(), label) == out.end()) out.push_back(label);
  }
  return out;
}

[[noreturn]] void throw_singular_start(const Model& model) {
  const std::string light = parts_without_inertia(model);
  const std::string problem =
      "the accelerations cannot be found at the initial position: the equations of motion are singular "
      "although the "
      "constraints are independent";
  if (light.empty())
    throw Error(Place{model.file}, model.name, problem,
                "masses, inertias or stiffnesses differ by too many orders of magnitude: check their units");
  throw Error(
      Place{model.file}, model.name, problem,
      fmt::format(
          "parts without mass or inertia can move freely: {}; give them mass_kg and inertia_kg_m2, or "
          "joints that hold them",
          light));
}

}  // namespace

RankReport rank_at(Workspace& ws, const State& s, bool active_only) {
  position_stage(ws, s);
  Eigen::SparseMatrix<double, Eigen::RowMajor> G = constraint_matrix(ws);
  if (active_only)
    G.prune([&](Eigen::Index row, Eigen::Index, double) {
      return ws.active[static_cast<std::size_t>(row)] != 0;
    });
  return analyse_rank(G);
}

int select_rows(Workspace& ws, const State& s) {
  position_stage(ws, s);
  // Rows of a mechanism that has drifted a little depend on each other only nearly.
  const RankReport rank = analyse_rank(constraint_matrix(ws), 1e-5);
  std::fill(ws.active.begin(), ws.active.end(), char{1});
  for (const DependentRow& row : rank.dependent) ws.active[static_cast<std::size_t>(row.row)] = 0;
  return static_cast<int>(rank.dependent.size());
}

BadSignal non_finite_signal(const Model& model, double t) {
  const auto bad = [&](int start, int count) {
    for (int i = start; i < start + count; ++i) {
      const SignalSlot& slot = model.signals[static_cast<std::size_t>(i)];
      if (slot.controller.valid()) continue;
      const Taylor2 u = slot.function.at(t);
      if (!std::isfinite(u.value) || !std::isfinite(u.rate) || !std::isfinite(u.acceleration)) return true;
    }
    return false;
  };
  for (const JointInstance& j : model.joints)
    if (bad(j.signal_start, j.joint->signal_count())) return {j.label, j.place};
  for (const ForceInstance& f : model.forces)
    if (bad(f.signal_start, f.force->signal_count())) return {f.label, f.place};
  return {};
}

void start_inner_states(Workspace& ws, State& s) {
  update_signals(ws, s.t, s.r);
  update_positions(ws, s.x);
  update_velocities(ws, s.z);
  start_joint_memory(ws, s.t, s.r);
  update_constraints(ws, s.t, s.r);
  start_force_states(ws, s);
}

ConsistencyReport make_consistent(Workspace& ws, State& s, LinearSolverKind kind) {
  const Model& model = ws.model;
  ConsistencyReport report;
  if (const BadSignal bad = non_finite_signal(model, s.t); !bad.label.empty())
    throw Error(bad.place, bad.label,
                fmt::format("its signal or a derivative of it has no finite value at t = {:.9g} s", s.t),
                "check divisions, roots and logarithms in the formula");
  std::fill(ws.active.begin(), ws.active.end(), char{1});
  update_signals(ws, s.t, s.r);
  update_positions(ws, s.x);
  update_velocities(ws, s.z);
  start_joint_memory(ws, s.t, s.r);
  assemble_positions(ws, s, report);
  update_velocities(ws, s.z);
  start_joint_memory(ws, s.t, s.r);
  if (model.nlambda > 0) {
    const RankReport rank = rank_at(ws, s);
    report.rank = rank.rank;
    if (!rank.dependent.empty()) {
      if (singular_here(ws, s, rank)) throw_singular(model, rank);
      position_stage(ws, s);
      update_velocities(ws, s.z);
    }
    for (const DependentRow& row : rank.dependent) {
      ws.active[static_cast<std::size_t>(row.row)] = 0;
      report.redundant.push_back({row.row, model.row_label(row.row), partners(model, row)});
    }
  }
  report.degrees_of_freedom = model.nz - report.rank;
  assemble_velocities(ws, s, report);
  update_constraints(ws, s.t, s.r);
  start_force_states(ws, s);

  AccelerationSystem system(model, kind);
  VecX z_dot = VecX::Zero(model.nz);
  if (!system.solve(ws, s, {}, 20, z_dot) || !z_dot.allFinite()) throw_singular_start(model);
  return report;
}

}  // namespace monocoque

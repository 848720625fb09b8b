#include "integrate/equilibrium.h"

#include <cmath>

#include <fmt/format.h>
#include <Eigen/QR>

#include "core/rotation.h"
#include "dynamics/assembly.h"
#include "dynamics/constraints.h"
#include "dynamics/forces.h"
#include "dynamics/kinematics.h"
#include "integrate/consistent.h"
#include "solve/acceleration_system.h"

namespace monocoque {

namespace {

constexpr int kMostRestIterations = 60;
constexpr double kRestBalance = 1e-7;  ///< N or Nm
constexpr double kClosed = 1e-10;      ///< m or rad
constexpr double kLargestMove = 0.05;  ///< m or rad in one iteration

/// (-f + G^T lambda, -c_dot, g, b) in the order of the layout.
VecX residual_of(Workspace& ws, const State& s, const SystemLayout& layout) {
  evaluate(ws, s);
  const Model& model = ws.model;
  VecX R = VecX::Zero(layout.size());
  VecX reaction = VecX::Zero(model.nz);
  add_constraint_forces(ws, s.lambda, 1, reaction);
  R.head(model.nz) = reaction - ws.f;
  R.segment(layout.c_start(), model.nc) = -ws.c_dot;
  R.segment(layout.lambda_start(), model.nlambda) = ws.g;
  R.segment(layout.w_start(), model.nw) = ws.b;
  return R;
}

[[noreturn]] void throw_restless(const Model& model, const VecX& R) {
  int row = 0;
  const double left = R.head(model.nz).cwiseAbs().maxCoeff(&row);
  constexpr const char* names[] = {"force along x",  "force along y",  "force along z",
                                   "moment about x", "moment about y", "moment about z"};
  for (const Part& part : model.parts)
    if (row >= part.z_start && row < part.z_start + part.z_size) {
      const int k = row - part.z_start;
      throw Error(part.place, fmt::format("part '{}'", part.name),
                  fmt::format("no equilibrium was found: it keeps {:.4g} ({})", left,
                              k < 6 ? names[k] : fmt::format("elastic coordinate {}", k - 5)),
                  "hold it by springs or joints, or start nearer to rest");
    }
  throw Error(model.name, "no equilibrium was found", "");
}

}  // namespace

EquilibriumReport find_equilibrium(Workspace& ws, State& s) {
  const Model& model = ws.model;
  const SystemLayout layout(model, SystemKind::iteration, true);
  BlockMatrix A(layout.pattern());
  const VecX rest = VecX::Zero(model.nz);
  s.z.setZero();
  TangentWeights mass, tangent;
  mass.mass = 1;
  tangent.pos = tangent.algebraic = 1;
  VecX R = residual_of(ws, s, layout);
  VecX scale = VecX::Ones(layout.size());
  assemble_iteration(ws, s, rest, mass, ConstraintLevel::position, layout, A);
  const VecX masses = A.to_dense().diagonal();
  for (Eigen::Index i = 0; i < model.nz; ++i) scale[i] = 1 / std::sqrt(std::max(masses[i], 1e-9));
  EquilibriumReport report;
  for (; report.iterations < kMostRestIterations; ++report.iterations) {
    report.residual = model.nz > 0 ? R.head(model.nz).cwiseAbs().maxCoeff() : 0;
    const double open =
        model.nlambda > 0 ? R.segment(layout.lambda_start(), model.nlambda).cwiseAbs().maxCoeff() : 0;
    if (report.residual < kRestBalance && open < kClosed) return report;
    assemble_iteration(ws, s, rest, tangent, ConstraintLevel::position, layout, A);
    const MatX J = A.to_dense() * scale.asDiagonal();
    // Rows differ by the units of what they balance; a row of zeros stays one.
    VecX rows = J.rowwise().norm();
    for (double& r : rows) r = r > 0 ? 1 / r : 1;
    Eigen::CompleteOrthogonalDecomposition<MatX> solver;
    solver.setThreshold(1e-12);
    solver.compute(rows.asDiagonal() * J);
    VecX d = -(scale.asDiagonal() * VecX(solver.solve(rows.asDiagonal() * R)));
    double move = 0;
    for (const Part& part : model.parts)
      if (part.moves())
        move = std::max(move, d.segment(part.z_start, part.rigid_size()).cwiseAbs().maxCoeff());
    if (!(move < 1e6)) break;
    if (move > kLargestMove) d *= kLargestMove / move;
    retract(model, s.x, d.head(model.nz), s.x);
    s.c += d.segment(layout.c_start(), model.nc);
    s.lambda += d.segment(layout.lambda_start(), model.nlambda);
    s.w += d.segment(layout.w_start(), model.nw);
    R = residual_of(ws, s, layout);
  }
  throw_restless(model, R);
}

EquilibriumReport start_in_equilibrium(io::ModelSpec& spec) {
  const auto model = build_model(spec);
  Workspace ws(*model);
  State s = initial_state(*model);
  s.z.setZero();
  start_joint_memory(ws, s.t, s.r);
  make_consistent(ws, s, LinearSolverKind::automatic);
  s.z.setZero();
  start_force_states(ws, s);
  const EquilibriumReport report = find_equilibrium(ws, s);
  for (std::size_t i = 1; i < spec.parts.size(); ++i) {
    io::PartSpec& p = spec.parts[i];
    const Part& part = model->parts[i];
    if (!part.moves()) continue;
    p.position_m = s.x.segment<3>(part.x_start);
    if (!part.turns()) continue;
    p.quaternion = s.x.segment<4>(part.x_start + 3);
    if (part.flexible < 0) p.position_m -= rotation_from_quaternion(p.quaternion) * part.center_of_mass;
    if (part.kind != io::PartKind::flexible) continue;
    const auto q = s.x.segment(part.x_start + 7, part.nq());
    p.elastic_position.assign(q.begin(), q.end());
  }
  return report;
}

}  // namespace monocoque

#include "analysis/linear/linearise.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <Eigen/SparseCore>

#include "core/error_kinds.h"
#include "dynamics/assembly.h"
#include "dynamics/kinematics.h"
#include "solve/acceleration_system.h"

namespace monocoque::analysis {

namespace {

using Eigen::Index;

using SparseMatrix = Eigen::SparseMatrix<double>;

/// Derivatives of (R_z, R_c, constraints, R_w) by one kind of argument.
class Tangents {
 public:
  Tangents(Workspace& ws, const State& s, const VecX& z_dot)
      : ws_(ws),
        s_(s),
        z_dot_(z_dot),
        layout_(ws.model, SystemKind::iteration, false),
        A_(layout_.pattern()) {}

  const BlockMatrix& blocks(double TangentWeights::*argument, ConstraintLevel level) {
    TangentWeights k;
    k.*argument = 1;
    assemble_iteration(ws_, s_, z_dot_, k, level, layout_, A_);
    return A_;
  }
  SparseMatrix by(double TangentWeights::*argument, ConstraintLevel level) {
    blocks(argument, level);
    const BlockPattern& p = layout_.pattern();
    return Eigen::Map<const SparseMatrix>(p.size(), p.size(), p.nonzeros(), p.column_pointers().data(),
                                          p.row_indices().data(), A_.values());
  }
  MatX by_motions(double TangentWeights::*argument, ConstraintLevel level) {
    return MatX(by(argument, level).leftCols(ws_.model.nz));
  }
  const SystemLayout& layout() const { return layout_; }

 private:
  Workspace& ws_;
  const State& s_;
  const VecX& z_dot_;
  SystemLayout layout_;
  BlockMatrix A_;
};

/// Columns of one matrix from `first` on, taken from another of the same pattern.
void take_columns(BlockMatrix& to, const BlockMatrix& from, int first, int count) {
  const std::vector<int>& start = to.pattern().column_pointers();
  const auto at = static_cast<std::size_t>(first), end = static_cast<std::size_t>(first + count);
  std::copy(from.values() + start[at], from.values() + start[end], to.values() + start[at]);
}

MatX holonomic_rows(const Model& model, const MatX& G) {
  MatX rows(model.holonomic_row_count(), G.cols());
  Index at = 0;
  for (const JointInstance& j : model.joints)
    for (int k = 0; k < j.joint->holonomic_rows(); ++k) rows.row(at++) = G.row(j.lambda_start + k);
  return rows;
}

void name_coordinates(const Model& model, Linearisation& l) {
  constexpr const char* names[] = {"x", "y", "z", "turn x", "turn y", "turn z"};
  for (std::size_t i = 0; i < model.parts.size(); ++i)
    for (int k = 0; k < model.parts[i].z_size; ++k) {
      l.coordinates.push_back(model.parts[i].name + "/" + (k < 6 ? names[k] : fmt::format("q{}", k - 5)));
      l.part_of.push_back(static_cast<int>(i));
    }
  for (const ForceInstance& f : model.forces)
    for (int k = 0; k < f.force->state_count(); ++k)
      l.inner.push_back(fmt::format("{}, inner state {}", f.label, k + 1));
}

/// dz' and dc' for the directions given as columns of (dx, dz, dc): the index-1 system differentiated.
MatX rates(Tangents& tangents, const Model& model, const MatX& dx, const MatX& dz, int c_columns) {
  const SystemLayout& layout = tangents.layout();
  const ConstraintLevel level = ConstraintLevel::acceleration;
  const int nz = model.nz, nc = model.nc, c0 = layout.c_start(), n = layout.size();
  BlockMatrix left = tangents.blocks(&TangentWeights::algebraic, level);
  const SparseMatrix algebraic = tangents.by(&TangentWeights::algebraic, level);
  take_columns(left, tangents.blocks(&TangentWeights::mass, level), 0, nz);
  take_columns(left, tangents.blocks(&TangentWeights::c_unit, level), c0, nc);
  MatX right = MatX::Zero(n, dx.cols() + c_columns);
  right.leftCols(dx.cols()) = tangents.by(&TangentWeights::pos, level).leftCols(nz) * dx;
  right.leftCols(dx.cols()) += tangents.by(&TangentWeights::vel, level).leftCols(nz) * dz;
  right.rightCols(c_columns) = MatX(algebraic.middleCols(c0, nc));
  const auto solver = make_linear_solver(LinearSolverKind::sparse, left.pattern());
  MatX solution = MatX::Constant(n, right.cols(), std::numeric_limits<double>::quiet_NaN());
  if (solver->factor(left)) {
    const BlockPattern& p = left.pattern();
    const Eigen::Map<const SparseMatrix> matrix(n, n, p.nonzeros(), p.column_pointers().data(),
                                                p.row_indices().data(), left.values());
    VecX part(n);
    for (Index k = 0; k < right.cols(); ++k) {
      solution.col(k) = -right.col(k);
      solver->solve(solution.col(k));
      part = -right.col(k) - matrix * solution.col(k);  // one refinement: units differ widely
      solver->solve(part);
      solution.col(k) += part;
    }
  }
  if (!solution.allFinite())
    throw NumericError(Place{model.file}, model.name, "the equations of motion are singular at this state",
                       "give all parts mass and inertia, or joints that hold them");
  MatX kept(nz + nc, solution.cols());
  kept << solution.topRows(nz), solution.middleRows(c0, nc);
  return kept;
}

/// Applies a function of a part's axes to three rows of m for every part that turns.
template <class Function>
void for_turning_parts(const Workspace& ws, Function&& function) {
  for (std::size_t i = 0; i < ws.model.parts.size(); ++i)
    if (ws.model.parts[i].turns()) function(ws.model.parts[i].z_start + 3, ws.parts[i]);
}

}  // namespace

void to_world_axes(const Workspace& ws, MatX& rows) {
  for_turning_parts(ws, [&](Index at, const PartKinematics& k) {
    rows.middleRows<3>(at) = (k.R * rows.middleRows<3>(at)).eval();
  });
}

void to_body_axes(const Workspace& ws, MatX& rows) {
  for_turning_parts(ws, [&](Index at, const PartKinematics& k) {
    rows.middleRows<3>(at) = (k.R.transpose() * rows.middleRows<3>(at)).eval();
  });
}

MatX turning(const Workspace& ws, const MatX& rows) {
  MatX out = MatX::Zero(rows.rows(), rows.cols());
  for_turning_parts(ws, [&](Index at, const PartKinematics& k) {
    out.middleRows<3>(at) = skew(k.w) * rows.middleRows<3>(at);
  });
  return out;
}

namespace {

MatX body_axes_of(const Workspace& ws, MatX rows) {
  to_body_axes(ws, rows);
  return rows;
}
MatX world_axes_of(const Workspace& ws, MatX rows) {
  to_world_axes(ws, rows);
  return rows;
}
/// skew(frame rate) times translations and rotations.
MatX carried(const Model& model, const Vec3& frame_rate, const MatX& rows) {
  MatX out = MatX::Zero(rows.rows(), rows.cols());
  for (const Part& part : model.parts)
    for (int k = 0; k + 3 <= part.rigid_size(); k += 3)
      out.middleRows<3>(part.z_start + k) = skew(frame_rate) * rows.middleRows<3>(part.z_start + k);
  return out;
}
/// Columns by increments in body axes to columns by increments in world axes.
MatX world_columns_of(const Workspace& ws, MatX m) {
  for_turning_parts(ws, [&](Index at, const PartKinematics& k) {
    m.middleCols<3>(at) = (m.middleCols<3>(at) * k.R.transpose()).eval();
  });
  return m;
}

}  // namespace

VecX Linearisation::velocity_rate(const Model& model, const VecX& rate, const VecX& acceleration) const {
  if (turns()) return Q_v.transpose() * (acceleration - carried(model, frame_rate, rate));
  VecX v = Q_v.transpose() * acceleration;
  if (holonomic()) v += Z.transpose() * rate;  // Q' = Z
  return v;
}

VecX Linearisation::position_rate(const Model& model, const VecX& xi, const VecX& rate) const {
  if (turns()) return Q.transpose() * (rate - carried(model, frame_rate, xi));
  return Q.transpose() * rate + Z.transpose() * (xi - Q * (Q.transpose() * xi));
}

Linearisation linearise(Workspace& ws, State& s, LinearSolverKind kind, const Vec3& frame_rate) {
  const Model& model = ws.model;
  const int nz = model.nz, nc = model.nc;
  Linearisation l;
  l.frame_rate = frame_rate;
  AccelerationSystem system(model, kind);
  l.z_dot = VecX::Zero(nz);
  if (!system.solve(ws, s, {}, 20, l.z_dot) || !l.z_dot.allFinite())
    throw NumericError(Place{model.file}, model.name, "the accelerations cannot be found at this state",
                       "see `monocoque check`");
  evaluate(ws, s);
  update_accelerations(ws, l.z_dot);
  if (nz > 0) {
    l.largest_speed = s.z.lpNorm<Eigen::Infinity>();
    l.largest_acceleration = l.z_dot.lpNorm<Eigen::Infinity>();
  }
  name_coordinates(model, l);

  Tangents tangents(ws, s, l.z_dot);
  const int l0 = tangents.layout().lambda_start(), nl = model.nlambda;
  const ConstraintLevel velocity = ConstraintLevel::velocity;
  const MatX by_pos = world_columns_of(ws, tangents.by_motions(&TangentWeights::pos, velocity)),
             by_vel = world_columns_of(ws, tangents.by_motions(&TangentWeights::vel, velocity));
  l.M = world_axes_of(ws,
                      world_columns_of(ws, tangents.by_motions(&TangentWeights::mass, velocity).topRows(nz)));
  l.D = world_axes_of(ws, by_vel.topRows(nz));
  l.K = world_axes_of(ws, by_pos.topRows(nz));
  // z' in world axes: P z' + P' z, so the rate's own turning goes to the damping.
  l.D += turning(ws, l.M.transpose()).transpose();
  l.G = by_vel.middleRows(l0, nl);
  l.H = by_pos.middleRows(l0, nl);

  l.Q = null_space(holonomic_rows(model, l.G));
  l.Q_v = model.holonomic_row_count() == nl ? l.Q : null_space(l.G);
  l.Z = -least_solution(l.G, l.H * l.Q);

  const Index np = l.Q.cols(), nv = l.Q_v.cols();
  MatX dx(nz, np + nv), dz(nz, np + nv);
  dx << l.Q, MatX::Zero(nz, nv);
  dz << l.Z, l.Q_v;
  const MatX f = rates(tangents, model, body_axes_of(ws, dx), body_axes_of(ws, dz), nc);
  MatX xi_rates = world_axes_of(ws, f.topRows(nz));
  xi_rates.leftCols(np + nv) += turning(ws, dz);
  if (l.turns()) xi_rates.leftCols(np + nv) -= carried(model, frame_rate, dz);
  MatX v = l.Q_v.transpose() * xi_rates;
  if (l.holonomic() && !l.turns()) v.leftCols(np).noalias() += l.Z.transpose() * l.Z;
  l.M_r = l.Q_v.transpose() * l.M * l.Q_v;
  l.K_r = -l.M_r * v.leftCols(np);
  l.D_r = -l.M_r * v.middleCols(np, nv);
  l.L_r = -l.M_r * v.rightCols(nc);
  l.A = MatX::Zero(np + nv + nc, np + nv + nc);
  l.A.topLeftCorner(np, np) = l.Q.transpose() * l.Z;
  if (l.turns()) l.A.topLeftCorner(np, np) -= l.Q.transpose() * carried(model, frame_rate, l.Q);
  if (l.holonomic())  // Q_v is Q: exactly the unit matrix
    l.A.block(0, np, np, nv).setIdentity();
  else
    l.A.block(0, np, np, nv) = l.Q.transpose() * l.Q_v;
  l.A.middleRows(np, nv) = v;
  l.A.bottomRows(nc) = f.bottomRows(nc);
  return l;
}

VecXc ModelMode::rate(const Linearisation& l) const {
  const Index np = l.Q.cols(), nv = l.Q_v.cols();
  if (value.s == 0.0 && xi.norm() > 1e-9) return xi;
  return l.Q_v * value.vector.segment(np, nv) + l.Z * value.vector.head(np);
}

std::vector<ModelMode> modes_of(const Model& model, const Linearisation& l) {
  const Index np = l.Q.cols();
  std::vector<ModelMode> modes;
  for (Eigenvalue& value : l.second_order() ? eigenvalues(l.M_r, l.D_r, l.K_r) : eigenvalues(l.A)) {
    ModelMode mode;
    mode.xi = l.Q * value.vector.head(np);
    mode.value = std::move(value);
    const VecXc rate = mode.rate(l);
    double total = 0, most = 0;
    for (std::size_t i = 0; i < model.parts.size(); ++i) {
      const Part& part = model.parts[i];
      if (!part.moves()) continue;
      const VecXc u = rate.segment(part.z_start, part.z_size);
      const MatX M = l.M.block(part.z_start, part.z_start, part.z_size, part.z_size);
      const double energy = std::real(u.dot(M * u));
      total += energy;
      if (energy <= most) continue;
      most = energy;
      mode.part = part.name;
    }
    if (total > 0) mode.share = most / total;
    modes.push_back(std::move(mode));
  }
  return modes;
}

}  // namespace monocoque::analysis

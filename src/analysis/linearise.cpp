#include "analysis/linearise.h"

#include <fmt/format.h>
#include <Eigen/LU>
#include <Eigen/QR>

#include "core/error.h"
#include "dynamics/assembly.h"
#include "dynamics/kinematics.h"
#include "solve/acceleration_system.h"

namespace monocoque::analysis {

namespace {

using Eigen::Index;

/// Derivatives of (R_z, R_c, constraints, R_w) by one kind of argument.
class Tangents {
 public:
  Tangents(Workspace& ws, const State& s, const VecX& z_dot)
      : ws_(ws),
        s_(s),
        z_dot_(z_dot),
        layout_(ws.model, SystemKind::iteration, true),
        A_(layout_.pattern()) {}

  MatX by(double TangentWeights::*argument, ConstraintLevel level) {
    TangentWeights k;
    k.*argument = 1;
    assemble_iteration(ws_, s_, z_dot_, k, level, layout_, A_);
    return A_.to_dense();
  }
  const SystemLayout& layout() const { return layout_; }

 private:
  Workspace& ws_;
  const State& s_;
  const VecX& z_dot_;
  SystemLayout layout_;
  BlockMatrix A_;
};

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
  const MatX algebraic = tangents.by(&TangentWeights::algebraic, level);
  MatX left = algebraic;
  left.leftCols(nz) = tangents.by(&TangentWeights::mass, level).leftCols(nz);
  left.middleCols(c0, nc) = tangents.by(&TangentWeights::c_unit, level).middleCols(c0, nc);
  MatX right = MatX::Zero(n, dx.cols() + c_columns);
  right.leftCols(dx.cols()).noalias() = tangents.by(&TangentWeights::pos, level).leftCols(nz) * dx;
  right.leftCols(dx.cols()).noalias() += tangents.by(&TangentWeights::vel, level).leftCols(nz) * dz;
  right.rightCols(c_columns) = algebraic.middleCols(c0, nc);
  const Eigen::PartialPivLU<MatX> lu(left);
  MatX solution = -lu.solve(right);
  right.noalias() += left * solution;
  solution -= lu.solve(right);  // one refinement: units differ widely
  if (!solution.allFinite())
    throw Error(Place{model.file}, model.name, "the equations of motion are singular at this state",
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
/// Columns by increments in body axes to columns by increments in world axes.
MatX world_columns_of(const Workspace& ws, MatX m) {
  for_turning_parts(ws, [&](Index at, const PartKinematics& k) {
    m.middleCols<3>(at) = (m.middleCols<3>(at) * k.R.transpose()).eval();
  });
  return m;
}

}  // namespace

Linearisation linearise(Workspace& ws, State& s, LinearSolverKind kind) {
  const Model& model = ws.model;
  const int nz = model.nz, nc = model.nc;
  Linearisation l;
  AccelerationSystem system(model, kind);
  l.z_dot = VecX::Zero(nz);
  if (!system.solve(ws, s, {}, 20, l.z_dot) || !l.z_dot.allFinite())
    throw Error(Place{model.file}, model.name, "the accelerations cannot be found at this state",
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
  const MatX by_pos = world_columns_of(ws, tangents.by(&TangentWeights::pos, velocity).leftCols(nz)),
             by_vel = world_columns_of(ws, tangents.by(&TangentWeights::vel, velocity).leftCols(nz));
  l.M = world_axes_of(
      ws, world_columns_of(ws, tangents.by(&TangentWeights::mass, velocity).topLeftCorner(nz, nz)));
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
  const MatX v = l.Q_v.transpose() * xi_rates;
  MatX v_by_p = v.leftCols(np);
  if (l.holonomic()) v_by_p.noalias() += l.Z.transpose() * l.Z;
  l.M_r = l.Q_v.transpose() * l.M * l.Q_v;
  l.K_r = -l.M_r * v_by_p;
  l.D_r = -l.M_r * v.middleCols(np, nv);
  l.L_r = -l.M_r * v.rightCols(nc);
  l.A = MatX::Zero(np + nv + nc, np + nv + nc);
  l.A.topLeftCorner(np, np) = l.Q.transpose() * l.Z;
  if (l.holonomic())  // Q_v is Q: exactly the unit matrix
    l.A.block(0, np, np, nv).setIdentity();
  else
    l.A.block(0, np, np, nv) = l.Q.transpose() * l.Q_v;
  l.A.middleRows(np, nv) = v;
  l.A.block(np, 0, nv, np) = v_by_p;
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

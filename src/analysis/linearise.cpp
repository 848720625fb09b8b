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

/// Body axes to world axes for all rotations; and what turning of the body adds to the derivative of rates.
void axes(const Workspace& ws, MatX& P, MatX& turning) {
  const Index n = ws.model.nz;
  P = MatX::Identity(n, n);
  turning = MatX::Zero(n, n);
  for (std::size_t i = 0; i < ws.model.parts.size(); ++i) {
    const Part& part = ws.model.parts[i];
    if (!part.turns()) continue;
    P.block<3, 3>(part.z_start + 3, part.z_start + 3) = ws.parts[i].R;
    turning.block<3, 3>(part.z_start + 3, part.z_start + 3) = skew(ws.parts[i].w);
  }
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

/// Rates of (z, c) by (x, z, c): the index-1 system differentiated.
struct Rates {
  MatX by_x, by_z, by_c;  ///< rows z, then c
};

Rates rates(Tangents& tangents, const Model& model) {
  const SystemLayout& layout = tangents.layout();
  const ConstraintLevel level = ConstraintLevel::acceleration;
  const int nz = model.nz, nc = model.nc, c0 = layout.c_start(), n = layout.size();
  const MatX algebraic = tangents.by(&TangentWeights::algebraic, level);
  MatX left = algebraic;
  left.leftCols(nz) = tangents.by(&TangentWeights::mass, level).leftCols(nz);
  left.middleCols(c0, nc) = tangents.by(&TangentWeights::c_unit, level).middleCols(c0, nc);
  MatX right(n, 2 * nz + nc);
  right << tangents.by(&TangentWeights::pos, level).leftCols(nz),
      tangents.by(&TangentWeights::vel, level).leftCols(nz), algebraic.middleCols(c0, nc);
  const Eigen::PartialPivLU<MatX> lu(left);
  MatX solution = -lu.solve(right);
  solution -= lu.solve(left * solution + right);  // one refinement: units differ widely
  if (!solution.allFinite())
    throw Error(Place{model.file}, model.name, "the equations of motion are singular at this state",
                "give all parts mass and inertia, or joints that hold them");
  MatX kept(nz + nc, solution.cols());
  kept << solution.topRows(nz), solution.middleRows(c0, nc);
  return {kept.leftCols(nz), kept.middleCols(nz, nz), kept.rightCols(nc)};
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

  MatX P, turning;
  axes(ws, P, turning);
  const MatX back = P.transpose();
  Tangents tangents(ws, s, l.z_dot);
  const int l0 = tangents.layout().lambda_start(), nl = model.nlambda;
  const ConstraintLevel velocity = ConstraintLevel::velocity;
  const MatX by_pos = tangents.by(&TangentWeights::pos, velocity),
             by_vel = tangents.by(&TangentWeights::vel, velocity);
  l.M = P * tangents.by(&TangentWeights::mass, velocity).topLeftCorner(nz, nz) * back;
  l.D = P * by_vel.topLeftCorner(nz, nz) * back;
  l.K = P * by_pos.topLeftCorner(nz, nz) * back;
  // z' in world axes: P z' + P' z, so the rate's own turning goes to the damping.
  l.D -= l.M * turning;
  l.G = by_vel.block(l0, 0, nl, nz) * back;
  const MatX H = by_pos.block(l0, 0, nl, nz) * back;

  l.Q = null_space(holonomic_rows(model, l.G));
  l.Q_v = model.holonomic_row_count() == nl ? l.Q : null_space(l.G);
  l.Z = MatX::Zero(nz, l.Q.cols());
  if (nl > 0) l.Z = -l.G.completeOrthogonalDecomposition().solve(H * l.Q);

  const Rates f = rates(tangents, model);
  const MatX F_x = P * f.by_x.topRows(nz) * back, F_z = P * f.by_z.topRows(nz) * back + turning,
             F_c = P * f.by_c.topRows(nz);
  const Index np = l.Q.cols(), nv = l.Q_v.cols();
  const MatX v_by_p = l.Q_v.transpose() * (F_x * l.Q + F_z * l.Z) +
                      (l.holonomic() ? MatX(l.Z.transpose() * l.Z) : MatX(MatX::Zero(nv, np)));
  const MatX v_by_v = l.Q_v.transpose() * F_z * l.Q_v, v_by_c = l.Q_v.transpose() * F_c;
  l.M_r = l.Q_v.transpose() * l.M * l.Q_v;
  l.K_r = -l.M_r * v_by_p;
  l.D_r = -l.M_r * v_by_v;
  l.L_r = -l.M_r * v_by_c;
  l.A = MatX::Zero(np + nv + nc, np + nv + nc);
  l.A.topLeftCorner(np, np) = l.Q.transpose() * l.Z;
  l.A.block(0, np, np, nv) = l.Q.transpose() * l.Q_v;
  l.A.block(np, 0, nv, np) = v_by_p;
  l.A.block(np, np, nv, nv) = v_by_v;
  l.A.block(np, np + nv, nv, nc) = v_by_c;
  const MatX C_x = f.by_x.bottomRows(nc) * back, C_z = f.by_z.bottomRows(nc) * back;
  l.A.block(np + nv, 0, nc, np) = C_x * l.Q + C_z * l.Z;
  l.A.block(np + nv, np, nc, nv) = C_z * l.Q_v;
  l.A.bottomRightCorner(nc, nc) = f.by_c.bottomRows(nc);
  return l;
}

std::vector<ModelMode> modes_of(const Model& model, const Linearisation& l) {
  const Index np = l.Q.cols(), nv = l.Q_v.cols();
  std::vector<ModelMode> modes;
  for (Eigenvalue& value : l.second_order() ? eigenvalues(l.M_r, l.D_r, l.K_r) : eigenvalues(l.A)) {
    ModelMode mode;
    mode.xi = l.Q * value.vector.head(np);
    // What does not move any more is judged by its place.
    VecXc rate = l.Q_v * value.vector.segment(np, nv) + l.Z * value.vector.head(np);
    if (value.s == 0.0) rate = mode.xi;
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
    mode.value = std::move(value);
    modes.push_back(std::move(mode));
  }
  return modes;
}

}  // namespace monocoque::analysis

#include "integrate/ida_system.h"

#include "core/index.h"
#include "core/rotation.h"
#include "dynamics/constraints.h"
#include "dynamics/forces.h"
#include "dynamics/formulation.h"
#include "dynamics/kinematics.h"
#include "solve/acceleration_system.h"

namespace monocoque {

IdaSystem::IdaSystem(Workspace& workspace, const io::SimulationSpec& spec)
    : ws(workspace),
      model(workspace.model),
      level(spec.constraints == kIndex1 ? ConstraintLevel::acceleration : ConstraintLevel::velocity),
      stabilised(spec.constraints == kStabilised),
      state(initial_state(model)),
      layout(model, SystemKind::iteration, false),
      tangents(layout.pattern()) {
  z0 = model.nx;
  c0 = z0 + model.nz;
  l0 = c0 + model.nc;
  w0 = l0 + model.nlambda;
  m0 = w0 + model.nw;
  n = m0 + (stabilised ? model.nlambda : 0);
  z_dot.setZero(model.nz);
  mu_force.setZero(model.nz);
  scratch.setZero(model.nz);
  build_pattern(spec);
}

void IdaSystem::build_pattern(const io::SimulationSpec& settings) {
  // Row blocks: x of each part, z of each part, then c, lambda, w in the order of the small layout, then mu.
  const BlockPattern& small = layout.pattern();
  std::vector<int> sizes;
  int parts = 0;
  for (const Part& part : model.parts) {
    if (part.block < 0) continue;
    sizes.push_back(part.x_size);
    x_block.push_back(parts++);
  }
  row_block.resize(at(small.block_count()));
  for (int i = 0; i < small.block_count(); ++i) {
    row_block[at(i)] = static_cast<int>(sizes.size());
    sizes.push_back(small.block_size(i));
  }
  mu_block.assign(model.joints.size(), -1);
  for (std::size_t i = 0; stabilised && i < model.joints.size(); ++i) {
    if (model.joints[i].joint->rows() == 0) continue;
    mu_block[i] = static_cast<int>(sizes.size());
    sizes.push_back(model.joints[i].joint->rows());
  }
  pattern = std::make_unique<BlockPattern>(sizes);
  for (int i = 0; i < small.block_count(); ++i)
    for (int j = 0; j < small.block_count(); ++j) {
      if (!small.handle(i, j).valid()) continue;
      coupled.emplace_back(i, j);
      pattern->couple(row_block[at(i)], row_block[at(j)]);
      if (j < parts) pattern->couple(row_block[at(i)], x_block[at(j)]);
    }
  for (int i = 0; i < parts; ++i) pattern->couple(x_block[at(i)], row_block[at(i)]);
  for (std::size_t i = 0; i < model.joints.size(); ++i) {
    if (mu_block[i] < 0) continue;
    for (int k = 0; k < model.joints[i].joint->marker_count(); ++k) {
      const int block = model.parts[model.markers[model.joints[i].markers[at(k)].at()].part.at()].block;
      if (block < 0) continue;
      pattern->couple(mu_block[i], x_block[at(block)]);
      pattern->couple(x_block[at(block)], mu_block[i]);
    }
  }
  pattern->finish(prefer_dense(linear_solver_kind(settings.linear_solver), pattern->size()));
  matrix = BlockMatrix(*pattern);
  solver = make_linear_solver(linear_solver_kind(settings.linear_solver), *pattern);
}

void IdaSystem::pack(const State& s, const VecX& z_rate, const VecX& c_rate, VecRef y, VecRef rate) const {
  y.setZero();
  rate.setZero();
  y.head(model.nx) = s.x;
  y.segment(z0, model.nz) = s.z;
  y.segment(c0, model.nc) = s.c;
  y.segment(l0, model.nlambda) = s.lambda;
  y.segment(w0, model.nw) = s.w;
  for (const Part& part : model.parts) {
    if (!part.moves()) continue;
    rate.segment<3>(part.x_start) = s.z.segment<3>(part.z_start);
    if (!part.turns()) continue;
    rate.segment<4>(part.x_start + 3) =
        0.5 * quaternion_L(s.x.segment<4>(part.x_start + 3)).transpose() * s.z.segment<3>(part.z_start + 3);
    rate.segment(part.x_start + 7, part.nq()) = s.z.segment(part.z_start + 6, part.nq());
  }
  rate.segment(z0, model.nz) = z_rate;
  rate.segment(c0, model.nc) = c_rate;
}

void IdaSystem::load(double t, const double* p, State& s) const {
  s.t = t;
  s.x = Eigen::Map<const VecX>(p, model.nx);
  s.z = Eigen::Map<const VecX>(p + z0, model.nz);
  s.c = Eigen::Map<const VecX>(p + c0, model.nc);
  s.lambda = Eigen::Map<const VecX>(p + l0, model.nlambda);
  s.w = Eigen::Map<const VecX>(p + w0, model.nw);
}

bool IdaSystem::residual(double t, const double* yd, const double* rate, double* out) {
  load(t, yd, state);
  Eigen::Map<VecX> r(out, n);
  z_dot = Eigen::Map<const VecX>(rate + z0, model.nz);
  evaluate(ws, state);

  mu_force.setZero();
  if (stabilised) {
    scratch = Eigen::Map<const VecX>(yd + m0, model.nlambda);
    add_constraint_forces(ws, scratch, 1, mu_force);
    scratch.resize(model.nz);
  }
  for (const Part& part : model.parts) {
    if (!part.moves()) continue;
    const Eigen::Map<const Vec3> p_dot(rate + part.x_start);
    r.segment<3>(part.x_start) = p_dot - state.z.segment<3>(part.z_start) + mu_force.segment<3>(part.z_start);
    if (!part.turns()) continue;
    const Eigen::Map<const VecX> elastic_rate(rate + part.x_start + 7, part.nq());
    r.segment(part.x_start + 7, part.nq()) = elastic_rate - state.z.segment(part.z_start + 6, part.nq()) +
                                             mu_force.segment(part.z_start + 6, part.nq());
    const Vec4 q = state.x.segment<4>(part.x_start + 3);
    const Vec3 w = state.z.segment<3>(part.z_start + 3) - mu_force.segment<3>(part.z_start + 3);
    const Eigen::Map<const Vec4> q_dot(rate + part.x_start + 3);
    r.segment<4>(part.x_start + 3) =
        q_dot - 0.5 * quaternion_L(q).transpose() * w - kNormPull * (1 - q.squaredNorm()) * q;
  }
  scratch = -ws.f;
  add_mass_times(ws, z_dot, 1, scratch);
  add_constraint_forces(ws, state.lambda, 1, scratch);
  r.segment(z0, model.nz) = scratch;
  r.segment(c0, model.nc) = Eigen::Map<const VecX>(rate + c0, model.nc) - ws.c_dot;
  r.segment(w0, model.nw) = ws.b;
  auto rows = r.segment(l0, model.nlambda);
  if (level == ConstraintLevel::velocity) {
    rows = ws.g_dot;
  } else {
    rows = ws.gamma;
    add_constraint_rates(ws, z_dot, 1, rows);
  }
  if (stabilised) r.segment(m0, model.nlambda) = ws.g;
  for (const JointInstance& joint : model.joints)
    for (int i = 0; i < joint.joint->rows(); ++i) {
      const int row = joint.lambda_start + i;
      if (!ws.active[at(row)]) rows[row] = state.lambda[row];
      if (stabilised && (!ws.active[at(row)] || i >= joint.joint->holonomic_rows()))
        r[m0 + row] = yd[m0 + row];
    }
  return r.allFinite();
}

/// Copies the derivatives by z_dot, z, c, lambda, w as they are, and those by tangent position through
/// dtheta = 2 L(q) dq / |q|.
void IdaSystem::copy_blocks(double cj) {
  const BlockPattern& small = layout.pattern();
  const int parts = static_cast<int>(x_block.size());
  TangentWeights by_velocity;
  by_velocity.mass = cj;
  by_velocity.vel = 1;
  by_velocity.algebraic = 1;
  by_velocity.c_unit = cj;
  assemble_iteration(ws, state, z_dot, by_velocity, level, layout, tangents);
  const auto block_of = [&](int i, int j) {
    const BlockHandle h = small.handle(i, j);
    return Eigen::Map<const MatX, 0, Eigen::OuterStride<>>(
        tangents.values() + h.base, small.block_size(i), small.block_size(j), Eigen::OuterStride<>(h.stride));
  };
  for (const auto& [i, j] : coupled)
    matrix.add(pattern->handle(row_block[at(i)], row_block[at(j)]), block_of(i, j));

  TangentWeights by_position;
  by_position.pos = 1;
  assemble_iteration(ws, state, z_dot, by_position, level, layout, tangents);
  std::vector<Mat34> E(at(parts));
  for (const Part& part : model.parts) {
    if (part.block < 0 || !part.turns()) continue;
    const Vec4 q = state.x.segment<4>(part.x_start + 3);
    const double length = q.norm();
    E[at(part.block)] = 2 / length * quaternion_L(q / length);
  }
  MatX columns;
  for (const auto& [i, j] : coupled) {
    if (j >= parts) continue;
    const auto block = block_of(i, j);
    if (small.block_size(j) >= 6) {
      const Eigen::Index nq = block.cols() - 6;
      columns.resize(block.rows(), 7 + nq);
      columns.leftCols(3) = block.leftCols(3);
      columns.middleCols(3, 4) = block.middleCols(3, 3) * E[at(j)];
      columns.rightCols(nq) = block.rightCols(nq);
    } else {
      columns = block;
    }
    matrix.add(pattern->handle(row_block[at(i)], x_block[at(j)]), columns);
  }
  add_stabilisation(E);
}

/// Rows g = 0 and columns of mu.
void IdaSystem::add_stabilisation(const std::vector<Mat34>& E) {
  for (std::size_t i = 0; i < model.joints.size(); ++i) {
    if (mu_block[i] < 0) continue;
    const JointInstance& joint = model.joints[i];
    for (int k = 0; k < joint.joint->marker_count(); ++k) {
      const Part& part = model.parts[model.markers[joint.markers[at(k)].at()].part.at()];
      if (part.block < 0) continue;
      MatX G(joint.joint->rows(), part.z_size);
      G.leftCols(part.rigid_size()) = ws.joints[i].G(k).leftCols(part.rigid_size());
      if (part.nq() > 0) G.rightCols(part.nq()).setZero();
      if (const int shape = shape_of(ws, joint.markers[at(k)]); shape >= 0) {
        const MarkerShape& s = model.shapes[at(shape)];
        G.rightCols(part.nq()) = ws.joints[i].port(k).leftCols<3>() * s.Phi;
        G.rightCols(part.nq()) += ws.joints[i].port(k).rightCols<3>() * s.Psi;
      }
      for (int row = joint.joint->holonomic_rows(); row < joint.joint->rows(); ++row) G.row(row).setZero();
      MatX by_x(G.rows(), part.x_size), x_by(part.x_size, G.rows());
      by_x.leftCols(3) = G.leftCols(3);
      x_by.topRows(3) = G.leftCols(3).transpose();
      if (part.turns()) {
        const Vec4 q = state.x.segment<4>(part.x_start + 3);
        by_x.middleCols(3, 4) = G.middleCols(3, 3) * E[at(part.block)];
        x_by.middleRows(3, 4) = 0.5 * quaternion_L(q).transpose() * G.middleCols(3, 3).transpose();
        by_x.rightCols(part.nq()) = G.rightCols(part.nq());
        x_by.bottomRows(part.nq()) = G.rightCols(part.nq()).transpose();
      }
      matrix.add(pattern->handle(mu_block[i], x_block[at(part.block)]), by_x);
      matrix.add(pattern->handle(x_block[at(part.block)], mu_block[i]), x_by);
    }
    const BlockHandle diagonal = pattern->handle(mu_block[i], mu_block[i]);
    for (int row = 0; row < joint.joint->rows(); ++row)
      if (!ws.active[at(joint.lambda_start + row)] || row >= joint.joint->holonomic_rows())
        matrix.entry(diagonal, row, row) += 1;
  }
}

void IdaSystem::kinematic_blocks(double cj) {
  for (const Part& part : model.parts) {
    if (part.block < 0) continue;
    const BlockHandle xx = pattern->handle(x_block[at(part.block)], x_block[at(part.block)]);
    const BlockHandle xz = pattern->handle(x_block[at(part.block)], row_block[at(part.block)]);
    for (int i = 0; i < part.x_size; ++i) matrix.entry(xx, i, i) += cj;
    for (int i = 0; i < 3; ++i) matrix.entry(xz, i, i) -= 1;
    if (!part.turns()) continue;
    for (int i = 0; i < part.nq(); ++i) matrix.entry(xz, 7 + i, 6 + i) -= 1;
    const Vec4 q = state.x.segment<4>(part.x_start + 3);
    const Vec3 w = state.z.segment<3>(part.z_start + 3) - mu_force.segment<3>(part.z_start + 3);
    const Mat4 by_q = -0.5 * minus_matrix(w) -
                      kNormPull * ((1 - q.squaredNorm()) * Mat4::Identity() - 2 * q * q.transpose());
    const Eigen::Matrix<double, 4, 3> by_w = -0.5 * quaternion_L(q).transpose();
    for (int r = 0; r < 4; ++r) {
      for (int c = 0; c < 4; ++c) matrix.entry(xx, 3 + r, 3 + c) += by_q(r, c);
      for (int c = 0; c < 3; ++c) matrix.entry(xz, 3 + r, 3 + c) += by_w(r, c);
    }
  }
}

void IdaSystem::jacobian(double cj, double t, const double* yd, const double* rate) {
  load(t, yd, state);
  z_dot = Eigen::Map<const VecX>(rate + z0, model.nz);
  evaluate(ws, state);
  update_accelerations(ws, z_dot);
  matrix.set_zero();
  copy_blocks(cj);
  kinematic_blocks(cj);
}

bool IdaSystem::factor(double cj, double t, const double* yd, const double* rate) {
  jacobian(cj, t, yd, rate);
  return solver->factor(matrix);
}

}  // namespace monocoque

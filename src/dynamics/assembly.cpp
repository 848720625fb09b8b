#include "dynamics/assembly.h"

#include <Eigen/Geometry>

#include "core/index.h"
#include "core/rotation.h"
#include "dynamics/marker_products.h"

namespace monocoque {

namespace {

void add_mass(Workspace& ws, double factor, const SystemLayout& layout, BlockMatrix& A) {
  for (std::size_t i = 0; i < ws.model.parts.size(); ++i) {
    const Part& part = ws.model.parts[i];
    if (!part.moves()) continue;
    if (part.flexible >= 0) {
      add_flexible_mass(ws.model.flexible[at(part.flexible)], ws.flexible[at(part.flexible)], ws.parts[i].R,
                        factor, !layout.condensed(i), layout.mass[i], A);
      continue;
    }
    for (int k = 0; k < 3; ++k) A.entry(layout.mass[i], k, k) += factor * part.mass;
    if (!part.turns()) continue;
    for (int c = 0; c < 3; ++c)
      for (int r = 0; r < 3; ++r) A.entry(layout.mass[i], 3 + r, 3 + c) += factor * part.inertia(r, c);
  }
}

/// G and G^T blocks; inactive rows get a unit diagonal, so their multiplier solves to zero.
void add_constraint_blocks(Workspace& ws, double row_factor, double column_factor, double diagonal,
                           const SystemLayout& layout, BlockMatrix& A) {
  for (std::size_t i = 0; i < ws.model.joints.size(); ++i) {
    const JointInstance& instance = ws.model.joints[i];
    const JointHandles& h = layout.joints[i];
    const JointCache& cache = ws.joints[i];
    for (int k = 0; k < cache.markers; ++k) {
      if (!h.G[k].valid()) continue;
      const MarkerOnPart m = locate(ws, instance.markers[at(k)]);
      const int n = m.part->rigid_size();
      const auto G = cache.G(k);
      A.add(h.G[k], G.leftCols(n), row_factor);
      A.add(h.GT[k], G.leftCols(n).transpose(), column_factor);
      if (m.elastic == nullptr || layout.condensed(ws.model.markers[instance.markers[at(k)].at()].part.at()))
        continue;  // Condensation adds the rest
      const auto port = cache.port(k);
      for (int row = 0; row < cache.rows; ++row) {
        const Vec3 place = port.block<1, 3>(row, 0).transpose(), axes = port.block<1, 3>(row, 3).transpose();
        for (int c = 0; c < m.part->nq(); ++c) {
          const double g = m.shape->Phi.col(c).dot(place) + m.shape->Psi.col(c).dot(axes);
          A.entry(h.G[k], row, 6 + c) += row_factor * g;
          A.entry(h.GT[k], 6 + c, row) += column_factor * g;
        }
      }
    }
    for (int row = 0; row < cache.rows; ++row)
      if (!ws.active[at(instance.lambda_start + row)]) A.entry(h.diagonal, row, row) += diagonal;
  }
}

/// W of the watched joint on its second marker with inactive rows zero: d(reaction)/d(lambda) = -W_B^T.
Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::ColMajor, 6, kMaxRows> reaction_by_lambda(const Workspace& ws,
                                                                                          JointIndex index) {
  const JointInstance& joint = ws.model.joints[index.at()];
  Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::ColMajor, 6, kMaxRows> out =
      -ws.joints[index.at()].W().middleCols<6>(6).transpose();
  for (int row = 0; row < joint.joint->rows(); ++row)
    if (!ws.active[at(joint.lambda_start + row)]) out.col(row).setZero();
  return out;
}

/// Columns of algebraic variables and multipliers in the rows of z, and the rows of w.
void add_reaction_blocks(Workspace& ws, const ForceInstance& instance, const ForceHandles& h,
                         const ForceTangent& t, const bool (&hidden)[2], double z_scale, double w_scale,
                         double lambda_scale, BlockMatrix& A) {
  const int nw = instance.force->algebraic_count();
  if (nw == 0 && !instance.watched.valid()) return;
  for (std::size_t k = 0; k < 2; ++k) {
    MarkerOnPart m = locate(ws, instance.markers[k]);
    if (!m.part->moves()) continue;
    if (hidden[k]) m.elastic = nullptr;
    const int row = 6 * static_cast<int>(k);
    const PortHandles* port = h.port[k].valid() ? &h.port[k] : nullptr;
    for (int n = 0; n < nw; ++n)
      add_load(m, t.wrench.w.col(n).segment<6>(row), -z_scale, n, h.part_w[k], port, h.port[k].mu_w, A);
    if (h.part_lambda[k].valid()) {
      const Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::ColMajor, 6, kMaxRows> by_lambda =
          Mat6(t.wrench.reaction.middleRows<6>(row)) * reaction_by_lambda(ws, instance.watched);
      for (int n = 0; n < by_lambda.cols(); ++n)
        add_load(m, by_lambda.col(n), -z_scale * lambda_scale, n, h.part_lambda[k], port, h.port[k].mu_lambda,
                 A);
    }
  }
  if (nw > 0) A.add(h.ww, t.algebraic.w, w_scale);
  if (h.w_lambda.valid())
    A.add(h.w_lambda, (t.algebraic.reaction * reaction_by_lambda(ws, instance.watched)).eval(),
          w_scale * lambda_scale);
}

/// Derivatives of the parts' own forces: gyroscopic ones, and everything that bends.
void add_part_tangents(Workspace& ws, const State& s, const VecX& z_dot, double pos, double vel,
                       const SystemLayout& layout, bool inertia, BlockMatrix& A) {
  for (std::size_t i = 0; i < ws.model.parts.size(); ++i) {
    const Part& part = ws.model.parts[i];
    if (!part.turns()) continue;
    if (!inertia) {
      if (part.flexible >= 0 && !layout.condensed(i))
        add_elastic_tangent(ws.model.flexible[at(part.flexible)], ws.flexible[at(part.flexible)], pos, vel,
                            layout.mass[i], A);
      continue;
    }
    if (part.flexible >= 0) {
      add_flexible_tangent(ws.model.flexible[at(part.flexible)], ws.flexible[at(part.flexible)],
                           ws.parts[i].R, ws.model.gravity, s.z.segment(part.z_start, part.z_size),
                           z_dot.segment(part.z_start, part.z_size), pos, vel, layout.mass[i], A);
      continue;
    }
    const Vec3 w = s.z.segment<3>(part.z_start + 3);
    // d(w x I w)/dw
    const Mat3 D = vel * (skew(w) * part.inertia - skew(part.inertia * w));
    for (int c = 0; c < 3; ++c)
      for (int r = 0; r < 3; ++r) A.entry(layout.mass[i], 3 + r, 3 + c) += D(r, c);
  }
}

/// Rows of inner states or algebraic variables: x (d/dpose T + d/dtwist S) + v d/dtwist T.
template <class Rows>
void add_inner(const Rows& t, const MarkerOnPart& m, int col, double x, double v, double factor,
               BlockHandle h, const PortHandles* port, BlockHandle y, BlockMatrix& A) {
  for (int n = 0; n < t.pose.rows(); ++n) {
    const auto three = [&](const auto& rows, int first) {
      return Vec3(rows.template block<1, 3>(n, 6 * col + first).transpose());
    };
    const MarkerRow p{x * three(t.pose, 0) + v * three(t.twist, 0),
                      x * three(t.pose, 3) + v * three(t.twist, 3)};
    const MarkerRow s{x * three(t.twist, 0), x * three(t.twist, 3)};
    add_row(part_row(m, p, s), m, factor, n, h, port, y, A);
  }
}

/// The reaction turns with the joint: d(-W_B^T lambda)/d(pose).
void add_turning_reaction(Workspace& ws, const ForceInstance& instance, ForceTangent& t) {
  const JointInstance& joint = ws.model.joints[instance.watched.at()];
  JointTangent& jt = ws.joint_tangent;
  joint.joint->tangent(ws.joints[instance.watched.at()].in, ws.joints[instance.watched.at()].lambda, jt);
  const Eigen::Matrix<double, 6, 12> turn = -jt.force_pose.middleRows<6>(6);
  t.wrench.pose += t.wrench.reaction * turn;
  if (instance.force->state_count() > 0) t.rate.pose += t.rate.reaction * turn;
  if (instance.force->algebraic_count() > 0) t.algebraic.pose += t.algebraic.reaction * turn;
}

void add_force_tangent(Workspace& ws, std::size_t i, const TangentWeights& k, const SystemLayout& layout,
                       const FrozenTangents* frozen, BlockMatrix& A) {
  const ForceInstance& instance = ws.model.forces[i];
  const Force& force = *instance.force;
  const ForceHandles& h = layout.forces[i];
  ForceTangent& t = ws.force_tangent;
  if (frozen != nullptr) {
    frozen->apply(ws, i, t);
  } else {
    force.resize_tangent(t);
    force.tangent(ws.forces[i].in, t);
  }
  if (instance.watched.valid()) add_turning_reaction(ws, instance, t);
  const double zv = k.vel * k.z_row, zx = k.pos * k.z_row;
  MarkerOnPart m[2] = {locate(ws, instance.markers[0]), locate(ws, instance.markers[1])};
  bool hidden[2];
  for (std::size_t side = 0; side < 2; ++side) {
    hidden[side] = layout.rigid_to_forces(ws.model.markers[instance.markers[side].at()].part.at());
    if (hidden[side]) m[side].elastic = nullptr;
  }
  const double cv = k.vel * k.c_row, cx = k.pos * k.c_row;
  // A watched reaction may turn with anything.
  const unsigned uses = instance.watched.valid() ? kUsesAll : force.uses();
  const PortHandles* port[2] = {h.port[0].valid() ? &h.port[0] : nullptr,
                                h.port[1].valid() ? &h.port[1] : nullptr};
  PairBlocks blocks;
  for (int col = 0; col < 2; ++col) {
    if (!m[col].part->moves()) continue;
    const unsigned cols = uses >> (2 * col) & 3;
    for (int row = 0; row < 2; ++row) {
      if (!m[row].part->moves()) continue;
      const unsigned rows = uses >> (2 * row) & 3;
      if (rows == 0 || cols == 0) continue;
      pair_blocks<true>(m[row], m[col], t.wrench.pose, t.wrench.twist, 6 * row, 6 * col, rows, cols, zx, zv,
                        blocks);
      if (row == col) add_load_stiffness(m[row], ws.forces[i].wrench.segment<6>(6 * row), zx, blocks);
      add_blocks(blocks, m[row], m[col], -1, rows, cols, {h.K[row][col], port[row], port[col], row, col}, A);
    }
    if (force.state_count() > 0)
      add_inner(t.rate, m[col], col, cx, cv, -1, h.c_part[col], port[col], h.port[col].c_y, A);
    if (force.algebraic_count() > 0)
      add_inner(t.algebraic, m[col], col, k.pos, k.vel, 1, h.w_part[col], port[col], h.port[col].w_y, A);
    if (port[col] != nullptr)
      for (int n = 0; n < port[col]->size(); ++n) A.entry(port[col]->diagonal, n, n) += 1;
  }
  if (force.state_count() > 0) {
    for (int row = 0; row < 2; ++row)
      if (m[row].part->moves())
        for (int n = 0; n < force.state_count(); ++n)
          add_load(m[row], t.wrench.c.col(n).segment<6>(6 * row), -k.algebraic * k.z_row, n, h.part_c[row],
                   port[row], h.port[row].mu_c, A);
    for (int n = 0; n < force.state_count(); ++n) A.entry(h.cc, n, n) += k.c_unit * k.c_row;
    A.add(h.cc, t.rate.c, -k.algebraic * k.c_row);
    if (force.algebraic_count() > 0) {
      A.add(h.cw, t.rate.w, -k.algebraic * k.c_row);
      A.add(h.wc, t.algebraic.c, k.algebraic);
    }
    if (h.c_lambda.valid())
      A.add(h.c_lambda, (t.rate.reaction * reaction_by_lambda(ws, instance.watched)).eval(),
            -k.algebraic * k.lambda_column * k.c_row);
  }
  add_reaction_blocks(ws, instance, h, t, hidden, k.algebraic * k.z_row, k.algebraic, k.lambda_column, A);
}

/// Adds W d(acceleration of the marker)/d(x, z) of one row.
void add_acceleration_row(const MarkerOnPart& m, const MarkerRow& W, double pos, double vel, PartRow& out) {
  if (!m.part->turns()) return;
  const Vec3 &w = m.kinematics->w, &r = m.marker->r;
  const Mat3& R = m.kinematics->R;
  // At fixed z everything relative turns with the part.
  Vec3 turn = pos * (m.marker->relative_acceleration.cross(W.place) + m.marker->k.alpha.cross(W.axes));
  // w x (w x r) + 2 w x flow with w x r + flow = relative velocity
  const Vec3 flow = m.marker->relative_velocity - w.cross(r);
  const Mat3 by_w = skew(w.cross(r)) + skew(w) * skew(r) + 2 * skew(flow);
  turn -= vel * (by_w.transpose() * W.place);
  turn += vel * (m.marker->k.w - w).cross(W.axes);
  out.turn += R.transpose() * turn;
  if (m.elastic == nullptr) return;
  const ElasticMarker& e = *m.elastic;
  const Mat3 w_W = skew(w), w_B = R.transpose() * w_W * R;
  const Mat3 by_q = skew(e.frame_alpha) + w_W * w_W;
  out.port_place += R.transpose() * (pos * (by_q.transpose() * W.place) + 2 * vel * W.place.cross(w));
  const TangentCurvature curvature = tangent_curvature(e.theta, e.rate);
  const Mat3 by_theta = left_tangent_derivative(e.theta, e.acceleration) +
                        w_B * left_tangent_derivative(e.theta, e.rate) + curvature.by_theta;
  const Mat3 by_rate = w_B * e.L + curvature.by_rate;
  out.port_axes += (pos * by_theta + vel * by_rate).transpose() * (R.transpose() * W.axes);
}

/// Geometric stiffness of the reactions, and the change of the constraint rows with position and velocity.
void add_joint_tangent(Workspace& ws, std::size_t i, const TangentWeights& k, ConstraintLevel level,
                       const SystemLayout& layout, BlockMatrix& A) {
  const JointInstance& instance = ws.model.joints[i];
  const JointHandles& h = layout.joints[i];
  const JointCache& cache = ws.joints[i];
  JointTangent& t = ws.joint_tangent;
  instance.joint->tangent(cache.in, cache.lambda, t);
  const double zx = k.pos * k.z_row;
  const auto W = cache.W();
  const TwistVector wrench = W.transpose().lazyProduct(cache.lambda);
  const unsigned uses = instance.joint->uses();
  PairBlocks blocks;
  for (int col = 0; col < cache.markers; ++col) {
    const MarkerOnPart mc = locate(ws, instance.markers[at(col)]);
    if (!mc.part->moves()) continue;
    for (int row = 0; zx != 0 && row < cache.markers; ++row) {
      const MarkerOnPart mr = locate(ws, instance.markers[at(row)]);
      if (!mr.part->moves()) continue;
      const unsigned rows = uses >> (2 * row) & 3, cols = uses >> (2 * col) & 3;
      if (rows == 0 || cols == 0) continue;
      pair_blocks<false>(mr, mc, t.force_pose, t.force_pose, 6 * row, 6 * col, rows, cols, zx, 0, blocks);
      if (row == col) add_load_stiffness(mr, wrench.segment<6>(6 * row), zx, blocks);
      add_blocks(blocks, mr, mc, 1, rows, cols, {h.K[row][col], nullptr, nullptr, row, col}, A);
    }
    if (level == ConstraintLevel::position) continue;
    const bool velocity = level == ConstraintLevel::velocity;
    for (int row = 0; row < cache.rows; ++row) {
      if (!ws.active[at(instance.lambda_start + row)]) continue;
      const auto of = [&](const auto& rows) {
        return MarkerRow{rows.template block<1, 3>(row, 6 * col).transpose(),
                         rows.template block<1, 3>(row, 6 * col + 3).transpose()};
      };
      const MarkerRow own = of(W);
      PartRow out;
      if (velocity) {
        const MarkerRow pose = of(t.velocity_pose);
        out = part_row(mc, {k.pos * pose.place, k.pos * pose.axes}, {k.pos * own.place, k.pos * own.axes});
      } else {
        const MarkerRow pose = of(t.acceleration_pose), twist = of(t.acceleration_twist);
        out = part_row(mc, {k.pos * pose.place + k.vel * twist.place, k.pos * pose.axes + k.vel * twist.axes},
                       {k.pos * twist.place, k.pos * twist.axes});
        add_acceleration_row(mc, own, k.pos, k.vel, out);
      }
      add_row(out, mc, k.lambda_row, row, h.G[col], nullptr, {}, A);
    }
  }
}

}  // namespace

TangentWeights TangentWeights::of_step(const StepCoefficients& k, ConstraintLevel level) {
  TangentWeights w{k.accel, k.vel, k.pos, 1, k.c_rate};
  w.z_row = 1 / k.accel;
  w.c_row = 1 / k.c_rate;
  w.lambda_row = 1 / (level == ConstraintLevel::position ? k.pos : k.vel);
  w.lambda_column = k.accel;
  return w;
}

void assemble_acceleration(Workspace& ws, const State& s, const SystemLayout& layout, BlockMatrix& A) {
  (void)s;
  A.set_zero();
  add_mass(ws, 1, layout, A);
  add_constraint_blocks(ws, 1, 1, 1, layout, A);
  for (std::size_t i = 0; i < ws.model.forces.size(); ++i) {
    const ForceInstance& instance = ws.model.forces[i];
    if (instance.force->algebraic_count() == 0 && !instance.watched.valid()) continue;
    instance.force->resize_tangent(ws.force_tangent);
    instance.force->tangent(ws.forces[i].in, ws.force_tangent);
    add_reaction_blocks(ws, instance, layout.forces[i], ws.force_tangent, {false, false}, 1, 1, 1, A);
  }
}

void begin_iteration(Workspace& ws, const State& s, const VecX& z_dot, const TangentWeights& k,
                     ConstraintLevel level, const SystemLayout& layout, BlockMatrix& A,
                     const JacobianTerms& terms) {
  A.set_zero();
  add_mass(ws, k.mass * k.z_row, layout, A);
  add_part_tangents(ws, s, z_dot, k.pos * k.z_row, k.vel * k.z_row, layout, terms.inertia, A);
  const double of_level = level == ConstraintLevel::position   ? k.pos
                          : level == ConstraintLevel::velocity ? k.vel
                                                               : k.mass;
  add_constraint_blocks(ws, of_level * k.lambda_row, k.algebraic * k.z_row * k.lambda_column, k.algebraic,
                        layout, A);
  for (std::size_t i = 0; i < ws.model.joints.size(); ++i) {
    const JointInstance& instance = ws.model.joints[i];
    if (instance.joint->rows() == 0) continue;
    ws.joints[i].lambda = s.lambda.segment(instance.lambda_start, instance.joint->rows());
    if (terms.reactions) add_joint_tangent(ws, i, k, level, layout, A);
  }
}

void add_force_tangents(Workspace& ws, std::size_t first, std::size_t last, const TangentWeights& k,
                        const SystemLayout& layout, BlockMatrix& A, const JacobianTerms& terms) {
  for (std::size_t i = first; i < last; ++i) add_force_tangent(ws, i, k, layout, terms.frozen, A);
}

void assemble_iteration(Workspace& ws, const State& s, const VecX& z_dot, const TangentWeights& k,
                        ConstraintLevel level, const SystemLayout& layout, BlockMatrix& A,
                        const JacobianTerms& terms) {
  begin_iteration(ws, s, z_dot, k, level, layout, A, terms);
  add_force_tangents(ws, 0, ws.model.forces.size(), k, layout, A, terms);
}

}  // namespace monocoque

#include "dynamics/assembly.h"

#include <Eigen/Geometry>

#include "core/index.h"
#include "core/rotation.h"

namespace monocoque {

namespace {

struct MarkerOnPart {
  const MarkerCache* marker;
  const PartKinematics* kinematics;
  const Part* part;
  const ElasticMarker* elastic;  ///< null on rigid parts
  const MarkerShape* shape;
};

MarkerOnPart locate(const Workspace& ws, MarkerIndex index) {
  const Marker& marker = ws.model.markers[index.at()];
  MarkerOnPart m{&ws.markers[index.at()], &ws.parts[marker.part.at()], &ws.model.parts[marker.part.at()],
                 nullptr, nullptr};
  if (marker.shape >= 0) {
    m.elastic = &ws.elastic[at(marker.shape)];
    m.shape = &ws.model.shapes[at(marker.shape)];
  }
  return m;
}

Mat6 load_stiffness(const MarkerOnPart& m, const Vec6& wrench) {
  return m.part->turns() ? monocoque::load_stiffness(m.kinematics->R, m.marker->r, wrench) : Mat6::Zero();
}

Mat6 twist_by_position(const MarkerOnPart& m) {
  return m.part->turns()
             ? monocoque::twist_by_position(m.kinematics->R, m.marker->k.w, m.marker->relative_velocity)
             : Mat6::Zero();
}

/// A += factor T_row^T (rigid, elastic): 6 x 6 and, when the column's part is flexible, 6 x nq.
void add_pair(const MarkerOnPart& row, const MarkerOnPart& col, const Mat6& rigid, const Mat6X& elastic,
              double factor, BlockHandle h, BlockMatrix& A) {
  if (!h.valid()) return;
  const Mat6& T = row.marker->T;
  const Mat6 block = T.transpose() * rigid;
  const int rows = row.part->rigid_size(), cols = col.part->rigid_size(), nq = col.part->nq();
  A.add(h, block.topLeftCorner(rows, cols), factor);
  if (col.elastic != nullptr)
    A.add(inside(h, 0, 6), T.leftCols(rows).transpose().lazyProduct(elastic.leftCols(nq)), factor);
  if (row.elastic == nullptr) return;
  A.add(inside(h, 6, 0), row.elastic->T.transpose().lazyProduct(rigid.leftCols(cols)), factor);
  if (col.elastic != nullptr)
    A.add(inside(h, 6, 6), row.elastic->T.transpose().lazyProduct(elastic.leftCols(nq)), factor);
}

/// A += factor d(T^T wrench)/dx with the wrench fixed in world axes. With f, m in body axes and r the place:
/// rotation rows (r~ f~ + m~, -f~ Phi), elastic rows (Phi^T f~ + (L Psi)^T m~, Psi^T d(L^T m)/dtheta Psi).
void add_load_stiffness(const MarkerOnPart& m, const Vec6& wrench, double factor, BlockHandle h,
                        BlockMatrix& A) {
  if (!h.valid() || !m.part->turns()) return;
  A.add(h, load_stiffness(m, wrench), factor);
  if (m.elastic == nullptr) return;
  const Mat3& R = m.kinematics->R;
  const Vec3 force = R.transpose() * wrench.head<3>(), moment = R.transpose() * wrench.tail<3>();
  const Mat3 by_force = skew(force), by_moment = m.elastic->L.transpose() * skew(moment);
  A.add(inside(h, 3, 6), by_force.lazyProduct(m.shape->Phi), -factor);
  A.add(inside(h, 6, 3), m.shape->Phi.transpose().lazyProduct(by_force), factor);
  A.add(inside(h, 6, 3), m.shape->Psi.transpose().lazyProduct(by_moment), factor);
  // L^T(theta) = L(-theta)
  const Mat3 D = left_tangent_derivative(-m.elastic->theta, moment);
  for (int c = 0; c < m.part->nq(); ++c) {
    const Vec3 turned = D * m.shape->Psi.col(c);
    A.add(inside(h, 6, 6 + c), m.shape->Psi.transpose().lazyProduct(turned), -factor);
  }
}

/// A += factor T^T block for columns that are no motion (inner states, algebraic variables, multipliers).
template <class Columns>
void add_loads(const MarkerOnPart& m, const Columns& columns, double factor, BlockHandle h, BlockMatrix& A) {
  A.add(h, m.marker->T.leftCols(m.part->rigid_size()).transpose().lazyProduct(columns), factor);
  if (m.elastic != nullptr) A.add(inside(h, 6, 0), m.elastic->T.transpose().lazyProduct(columns), factor);
}

void add_mass(Workspace& ws, double factor, const SystemLayout& layout, BlockMatrix& A) {
  for (std::size_t i = 0; i < ws.model.parts.size(); ++i) {
    const Part& part = ws.model.parts[i];
    if (!part.moves()) continue;
    if (part.flexible >= 0) {
      add_flexible_mass(ws.model.flexible[at(part.flexible)], ws.flexible[at(part.flexible)], ws.parts[i].R,
                        factor, layout.mass[i], A);
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
    for (int k = 0; k < instance.joint->marker_count(); ++k) {
      if (!h.G[k].valid()) continue;
      const int n = locate(ws, instance.markers[at(k)]).part->rigid_size();
      const RowsByPart& G = ws.joints[i].G[k];
      A.add(h.G[k], G.leftCols(n), row_factor);
      A.add(h.GT[k], G.leftCols(n).transpose(), column_factor);
      const MatX& E = ws.joints[i].G_elastic[k];
      if (E.size() == 0) continue;
      A.add(inside(h.G[k], 0, 6), E, row_factor);
      A.add(inside(h.GT[k], 6, 0), E.transpose(), column_factor);
    }
    for (int row = 0; row < instance.joint->rows(); ++row)
      if (!ws.active[at(instance.lambda_start + row)]) A.entry(h.diagonal, row, row) += diagonal;
  }
}

/// W of the watched joint on its second marker with inactive rows zero: d(reaction)/d(lambda) = -W_B^T.
Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::ColMajor, 6, kMaxRows> reaction_by_lambda(const Workspace& ws,
                                                                                          JointIndex index) {
  const JointInstance& joint = ws.model.joints[index.at()];
  Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::ColMajor, 6, kMaxRows> out =
      -ws.joints[index.at()].W.middleCols<6>(6).transpose();
  for (int row = 0; row < joint.joint->rows(); ++row)
    if (!ws.active[at(joint.lambda_start + row)]) out.col(row).setZero();
  return out;
}

/// Columns of algebraic variables and multipliers in the rows of z, and the rows of w.
void add_reaction_blocks(Workspace& ws, const ForceInstance& instance, const ForceHandles& h,
                         const ForceTangent& t, double z_scale, double w_scale, double lambda_scale,
                         BlockMatrix& A) {
  const int nw = instance.force->algebraic_count();
  for (std::size_t k = 0; k < 2; ++k) {
    const MarkerOnPart m = locate(ws, instance.markers[k]);
    if (!m.part->moves()) continue;
    const int row = 6 * static_cast<int>(k);
    if (nw > 0) add_loads(m, t.wrench.w.middleRows<6>(row), -z_scale, h.part_w[k], A);
    if (h.part_lambda[k].valid()) {
      const Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::ColMajor, 6, kMaxRows> by_lambda =
          Mat6(t.wrench.reaction.middleRows<6>(row)) * reaction_by_lambda(ws, instance.watched);
      add_loads(m, by_lambda, -z_scale * lambda_scale, h.part_lambda[k], A);
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
      if (part.flexible >= 0)
        add_elastic_tangent(ws.model.flexible[at(part.flexible)], pos, vel, layout.mass[i], A);
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

void add_force_tangent(Workspace& ws, std::size_t i, const TangentWeights& k, const SystemLayout& layout,
                       const HeldTangents* held, BlockMatrix& A) {
  const ForceInstance& instance = ws.model.forces[i];
  const Force& force = *instance.force;
  const ForceHandles& h = layout.forces[i];
  ForceTangent& t = ws.force_tangent;
  if (held != nullptr) {
    held->give(ws, i, t);
  } else {
    force.resize_tangent(t);
    force.tangent(ws.forces[i].in, t);
  }
  if (instance.watched.valid()) {
    // The reaction turns with the joint: d(-W_B^T lambda)/d(pose).
    const JointInstance& joint = ws.model.joints[instance.watched.at()];
    JointTangent& jt = ws.joint_tangent;
    joint.joint->tangent(ws.joints[instance.watched.at()].in, ws.joints[instance.watched.at()].lambda, jt);
    const Eigen::Matrix<double, 6, 12> turn = -jt.force_pose.middleRows<6>(6);
    t.wrench.pose += t.wrench.reaction * turn;
    if (force.state_count() > 0) t.rate.pose += t.rate.reaction * turn;
    if (force.algebraic_count() > 0) t.algebraic.pose += t.algebraic.reaction * turn;
  }
  const double zv = k.vel * k.z_row, zx = k.pos * k.z_row;
  MarkerOnPart m[2] = {locate(ws, instance.markers[0]), locate(ws, instance.markers[1])};
  const double cv = k.vel * k.c_row, cx = k.pos * k.c_row;
  for (int col = 0; col < 2; ++col) {
    if (!m[col].part->moves()) continue;
    const Mat6& T = m[col].marker->T;
    const Mat6 S = twist_by_position(m[col]);
    const int nc = m[col].part->rigid_size(), nq = m[col].part->nq();
    const ElasticMarker* e = m[col].elastic;
    for (int row = 0; row < 2; ++row) {
      if (!m[row].part->moves()) continue;
      const Mat6 by_pose = t.wrench.pose.block<6, 6>(6 * row, 6 * col);
      const Mat6 by_twist = t.wrench.twist.block<6, 6>(6 * row, 6 * col);
      const Mat6 sum = zx * (by_pose * T + by_twist * S) + zv * (by_twist * T);
      if (e != nullptr) {
        const Mat6 by_T = zx * by_pose + zv * by_twist, by_S = zx * by_twist;
        ws.columns.leftCols(nq).noalias() = by_T.lazyProduct(e->T);
        ws.columns.leftCols(nq).noalias() += by_S.lazyProduct(e->S);
      }
      add_pair(m[row], m[col], sum, ws.columns, -1, h.K[row][col], A);
      if (row == col)
        add_load_stiffness(m[row], ws.forces[i].wrench.segment<6>(6 * row), -zx, h.K[row][col], A);
    }
    // Rows of inner states and algebraic variables: x (d/dpose T + d/dtwist S) + v d/dtwist T.
    const auto add_inner = [&](const auto& by_pose, const auto& by_twist, double x, double v, double factor,
                               BlockHandle handle) {
      using Inner = Eigen::Matrix<double, Eigen::Dynamic, 6, Eigen::RowMajor, kMaxInner, 6>;
      const Inner pose = by_pose.template middleCols<6>(6 * col),
                  twist = by_twist.template middleCols<6>(6 * col);
      const Inner block = x * (pose * T + twist * S) + v * (twist * T);
      A.add(handle, block.leftCols(nc), factor);
      if (e == nullptr) return;
      const Inner by_T = x * pose + v * twist, by_S = x * twist;
      A.add(inside(handle, 0, 6), by_T.lazyProduct(e->T), factor);
      A.add(inside(handle, 0, 6), by_S.lazyProduct(e->S), factor);
    };
    if (force.state_count() > 0) add_inner(t.rate.pose, t.rate.twist, cx, cv, -1.0, h.c_part[col]);
    if (force.algebraic_count() > 0)
      add_inner(t.algebraic.pose, t.algebraic.twist, k.pos, k.vel, 1.0, h.w_part[col]);
  }
  if (force.state_count() > 0) {
    for (int row = 0; row < 2; ++row)
      if (m[row].part->moves())
        add_loads(m[row], t.wrench.c.middleRows<6>(6 * row), -k.algebraic * k.z_row, h.part_c[row], A);
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
  add_reaction_blocks(ws, instance, h, t, k.algebraic * k.z_row, k.algebraic, k.lambda_column, A);
}

/// d(acceleration of the marker)/dx at fixed z, z_dot, for turns of the part: everything relative turns with
/// it.
Mat6 acceleration_by_position(const MarkerOnPart& m) {
  Mat6 out = Mat6::Zero();
  out.topRightCorner<3, 3>() = -skew(m.marker->relative_acceleration) * m.kinematics->R;
  out.bottomRightCorner<3, 3>() = -skew(m.marker->k.alpha) * m.kinematics->R;
  return out;
}

/// d(acceleration of the marker)/dw of the part at fixed x, z_dot.
Mat6 acceleration_by_velocity(const MarkerOnPart& m) {
  const Vec3 &w = m.kinematics->w, &r = m.marker->r;
  const Mat3& R = m.kinematics->R;
  Mat6 out = Mat6::Zero();
  // w x (w x r) + 2 w x flow with w x r + flow = relative velocity
  const Vec3 flow = m.marker->relative_velocity - w.cross(r);
  out.topRightCorner<3, 3>() = -(skew(w.cross(r)) + skew(w) * skew(r) + 2 * skew(flow)) * R;
  out.bottomRightCorner<3, 3>() = -skew(m.marker->k.w - w) * R;
  return out;
}

/// The same for the elastic coordinates and rates.
template <class Columns>
void elastic_acceleration(const MarkerOnPart& m, Columns& by_x, Columns& by_z) {
  const ElasticMarker& e = *m.elastic;
  const Mat3 &R = m.kinematics->R, W = skew(m.kinematics->w), W_B = R.transpose() * W * R;
  const Mat3 turn = skew(e.frame_alpha) + W * W, twice = 2 * W;
  by_x.template topRows<3>().noalias() = turn.lazyProduct(e.Phi);
  by_z.template topRows<3>().noalias() = twice.lazyProduct(e.Phi);
  const TangentCurvature curvature = tangent_curvature(e.theta, e.rate);
  const Mat3 by_theta = R * (left_tangent_derivative(e.theta, e.acceleration) +
                             W_B * left_tangent_derivative(e.theta, e.rate) + curvature.by_theta);
  const Mat3 by_rate = R * (W_B * e.L + curvature.by_rate);
  by_x.template bottomRows<3>().noalias() = by_theta.lazyProduct(m.shape->Psi);
  by_z.template bottomRows<3>().noalias() = by_rate.lazyProduct(m.shape->Psi);
}

/// Elastic columns of the constraint rows' change with position and velocity, into ws.rows.
void elastic_rows(Workspace& ws, const JointTangent& t, const MarkerOnPart& m, int col,
                  const RowsByTwist& W_all, const TangentWeights& k, ConstraintLevel level) {
  const ElasticMarker& e = *m.elastic;
  const auto W = W_all.middleCols<6>(6 * col);
  auto rows = ws.rows.topLeftCorner(W.rows(), m.part->nq());
  if (level == ConstraintLevel::velocity) {
    rows.noalias() = t.velocity_pose.middleCols<6>(6 * col).lazyProduct(e.T);
    rows.noalias() += W.lazyProduct(e.S);
    rows *= k.pos;
    return;
  }
  const auto by_twist = t.acceleration_twist.middleCols<6>(6 * col);
  auto by_x = ws.columns.leftCols(m.part->nq()), by_z = ws.more_columns.leftCols(m.part->nq());
  elastic_acceleration(m, by_x, by_z);
  rows.noalias() = t.acceleration_pose.middleCols<6>(6 * col).lazyProduct(e.T);
  rows.noalias() += by_twist.lazyProduct(e.S);
  rows.noalias() += W.lazyProduct(by_x);
  rows *= k.pos;
  rows.noalias() += (k.vel * by_twist).lazyProduct(e.T);
  rows.noalias() += (k.vel * W).lazyProduct(by_z);
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
  const TwistVector wrench = cache.W.transpose() * cache.lambda;
  for (int col = 0; col < instance.joint->marker_count(); ++col) {
    const MarkerOnPart mc = locate(ws, instance.markers[at(col)]);
    if (!mc.part->moves()) continue;
    for (int row = 0; zx != 0 && row < instance.joint->marker_count(); ++row) {
      const MarkerOnPart mr = locate(ws, instance.markers[at(row)]);
      if (!mr.part->moves()) continue;
      const Mat6 pose = t.force_pose.block<6, 6>(6 * row, 6 * col);
      if (mc.elastic != nullptr)
        ws.columns.leftCols(mc.part->nq()).noalias() = pose.lazyProduct(mc.elastic->T);
      add_pair(mr, mc, pose * mc.marker->T, ws.columns, zx, h.K[row][col], A);
      if (row == col) add_load_stiffness(mr, wrench.segment<6>(6 * row), zx, h.K[row][col], A);
    }
    if (level == ConstraintLevel::position) continue;
    const auto W = cache.W.middleCols<6>(6 * col);
    RowsByPart rows;
    if (level == ConstraintLevel::velocity) {
      rows = k.pos * (t.velocity_pose.middleCols<6>(6 * col) * mc.marker->T + W * twist_by_position(mc));
    } else {
      const auto by_twist = t.acceleration_twist.middleCols<6>(6 * col);
      rows = k.pos *
             (t.acceleration_pose.middleCols<6>(6 * col) * mc.marker->T + by_twist * twist_by_position(mc));
      rows += k.vel * (by_twist * mc.marker->T);
      if (mc.part->turns()) {
        rows += k.pos * (W * acceleration_by_position(mc));
        rows += k.vel * (W * acceleration_by_velocity(mc));
      }
    }
    if (mc.elastic != nullptr) elastic_rows(ws, t, mc, col, cache.W, k, level);
    for (int row = 0; row < instance.joint->rows(); ++row)
      if (!ws.active[at(instance.lambda_start + row)]) {
        rows.row(row).setZero();
        if (mc.elastic != nullptr) ws.rows.row(row).setZero();
      }
    A.add(h.G[col], rows.leftCols(mc.part->rigid_size()), k.lambda_row);
    if (mc.elastic != nullptr)
      A.add(inside(h.G[col], 0, 6), ws.rows.topLeftCorner(rows.rows(), mc.part->nq()), k.lambda_row);
  }
}

}  // namespace

Mat6 load_stiffness(const Mat3& R, const Vec3& r, const Vec6& wrench) {
  // T^T F = (f; R^T (r x f + m)); turning the part by R dtheta gives R^T (r~ f~ + m~) R dtheta.
  Mat6 out = Mat6::Zero();
  out.bottomRightCorner<3, 3>() =
      R.transpose() * (skew(r) * skew(wrench.head<3>()) + skew(wrench.tail<3>())) * R;
  return out;
}

Mat6 twist_by_position(const Mat3& R, const Vec3& w, const Vec3& relative_velocity) {
  Mat6 out = Mat6::Zero();
  out.topRightCorner<3, 3>() = -skew(relative_velocity) * R;
  out.bottomRightCorner<3, 3>() = -skew(w) * R;
  return out;
}

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
    add_reaction_blocks(ws, instance, layout.forces[i], ws.force_tangent, 1, 1, 1, A);
  }
}

void assemble_iteration(Workspace& ws, const State& s, const VecX& z_dot, const TangentWeights& k,
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
  for (std::size_t i = 0; i < ws.model.forces.size(); ++i) add_force_tangent(ws, i, k, layout, terms.held, A);
}

}  // namespace monocoque

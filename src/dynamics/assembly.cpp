#include "dynamics/assembly.h"

#include <Eigen/Geometry>

namespace monocoque {

namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

struct MarkerOnPart {
  const MarkerCache* marker;
  const PartKinematics* kinematics;
  const Part* part;
};

MarkerOnPart locate(const Workspace& ws, MarkerIndex index) {
  const PartIndex part = ws.model.markers[index.at()].part;
  return {&ws.markers[index.at()], &ws.parts[part.at()], &ws.model.parts[part.at()]};
}

Mat6 load_stiffness(const MarkerOnPart& m, const Vec6& wrench) {
  return m.part->z_size == 6 ? monocoque::load_stiffness(m.kinematics->R, m.marker->r, wrench) : Mat6::Zero();
}

Mat6 twist_by_position(const MarkerOnPart& m) {
  return m.part->z_size == 6 ? monocoque::twist_by_position(m.kinematics->R, m.kinematics->w, m.marker->r)
                             : Mat6::Zero();
}

/// Adds the leading rows x cols of a 6 x 6 (particles use 3 of them).
void add_leading(BlockMatrix& A, BlockHandle h, const Mat6& block, int rows, int cols) {
  if (h.valid()) A.add(h, block.topLeftCorner(rows, cols));
}

void add_mass(Workspace& ws, double factor, const SystemLayout& layout, BlockMatrix& A) {
  for (std::size_t i = 0; i < ws.model.parts.size(); ++i) {
    const Part& part = ws.model.parts[i];
    if (part.z_size == 0) continue;
    for (int k = 0; k < 3; ++k) A.entry(layout.mass[i], k, k) += factor * part.mass;
    if (part.z_size != 6) continue;
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
      const int n = locate(ws, instance.markers[at(k)]).part->z_size;
      const RowsByPart& G = ws.joints[i].G[k];
      A.add(h.G[k], G.leftCols(n), row_factor);
      A.add(h.GT[k], G.leftCols(n).transpose(), column_factor);
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
    if (m.part->z_size == 0) continue;
    const auto Tt = m.marker->T.leftCols(m.part->z_size).transpose();
    const int row = 6 * static_cast<int>(k);
    if (nw > 0) {
      const Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::ColMajor, 6, kMaxInner> block =
          t.wrench.w.middleRows<6>(row);
      A.add(h.part_w[k], (Tt * block).eval(), -z_scale);
    }
    if (h.part_lambda[k].valid()) {
      const auto by_lambda = reaction_by_lambda(ws, instance.watched);
      const Mat6 by_reaction = Mat6(t.wrench.reaction.middleRows<6>(row));
      A.add(h.part_lambda[k], (Tt * (by_reaction * by_lambda).eval()).eval(), -z_scale * lambda_scale);
    }
  }
  if (nw > 0) A.add(h.ww, t.algebraic.w, w_scale);
  if (h.w_lambda.valid())
    A.add(h.w_lambda, (t.algebraic.reaction * reaction_by_lambda(ws, instance.watched)).eval(),
          w_scale * lambda_scale);
}

void add_gyroscopic(Workspace& ws, const State& s, double factor, const SystemLayout& layout,
                    BlockMatrix& A) {
  for (std::size_t i = 0; i < ws.model.parts.size(); ++i) {
    const Part& part = ws.model.parts[i];
    if (part.z_size != 6) continue;
    const Vec3 w = s.z.segment<3>(part.z_start + 3);
    // d(w x I w)/dw
    const Mat3 D = factor * (skew(w) * part.inertia - skew(part.inertia * w));
    for (int c = 0; c < 3; ++c)
      for (int r = 0; r < 3; ++r) A.entry(layout.mass[i], 3 + r, 3 + c) += D(r, c);
  }
}

void add_force_tangent(Workspace& ws, std::size_t i, const TangentWeights& k, const SystemLayout& layout,
                       BlockMatrix& A) {
  const ForceInstance& instance = ws.model.forces[i];
  const Force& force = *instance.force;
  const ForceHandles& h = layout.forces[i];
  ForceTangent& t = ws.force_tangent;
  force.resize_tangent(t);
  force.tangent(ws.forces[i].in, t);
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
  for (int col = 0; col < 2; ++col) {
    if (m[col].part->z_size == 0) continue;
    const Mat6& T = m[col].marker->T;
    const Mat6 S = twist_by_position(m[col]);
    const int nc = m[col].part->z_size;
    for (int row = 0; row < 2; ++row) {
      if (m[row].part->z_size == 0) continue;
      const Mat6 by_pose = t.wrench.pose.block<6, 6>(6 * row, 6 * col);
      const Mat6 by_twist = t.wrench.twist.block<6, 6>(6 * row, 6 * col);
      Mat6 sum = zx * (by_pose * T + by_twist * S) + zv * (by_twist * T);
      Mat6 block = -m[row].marker->T.transpose() * sum;
      if (row == col) block -= zx * load_stiffness(m[row], ws.forces[i].wrench.segment<6>(6 * row));
      add_leading(A, h.K[row][col], block, m[row].part->z_size, nc);
    }
    const double cv = k.vel * k.c_row, cx = k.pos * k.c_row;
    if (force.state_count() > 0) {
      const Eigen::Matrix<double, Eigen::Dynamic, 6, Eigen::RowMajor, kMaxInner, 6>
          pose = t.rate.pose.middleCols<6>(6 * col),
          twist = t.rate.twist.middleCols<6>(6 * col);
      const Eigen::Matrix<double, Eigen::Dynamic, 6, Eigen::RowMajor, kMaxInner, 6> block =
          cx * (pose * T + twist * S) + cv * (twist * T);
      A.add(h.c_part[col], block.leftCols(nc), -1.0);
    }
    if (force.algebraic_count() > 0) {
      const Eigen::Matrix<double, Eigen::Dynamic, 6, Eigen::RowMajor, kMaxInner, 6>
          pose = t.algebraic.pose.middleCols<6>(6 * col),
          twist = t.algebraic.twist.middleCols<6>(6 * col);
      const Eigen::Matrix<double, Eigen::Dynamic, 6, Eigen::RowMajor, kMaxInner, 6> block =
          k.pos * (pose * T + twist * S) + k.vel * (twist * T);
      A.add(h.w_part[col], block.leftCols(nc));
    }
  }
  if (force.state_count() > 0) {
    for (int row = 0; row < 2; ++row) {
      if (m[row].part->z_size == 0) continue;
      const Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::ColMajor, 6, kMaxInner> by_c =
          t.wrench.c.middleRows<6>(6 * row);
      A.add(h.part_c[row], (m[row].marker->T.leftCols(m[row].part->z_size).transpose() * by_c).eval(),
            -k.algebraic * k.z_row);
    }
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
    if (mc.part->z_size == 0) continue;
    for (int row = 0; zx != 0 && row < instance.joint->marker_count(); ++row) {
      const MarkerOnPart mr = locate(ws, instance.markers[at(row)]);
      if (mr.part->z_size == 0) continue;
      const Mat6 pose = t.force_pose.block<6, 6>(6 * row, 6 * col);
      Mat6 block = zx * (mr.marker->T.transpose() * (pose * mc.marker->T).eval());
      if (row == col) block += zx * load_stiffness(mr, wrench.segment<6>(6 * row));
      add_leading(A, h.K[row][col], block, mr.part->z_size, mc.part->z_size);
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
      if (mc.part->z_size == 6) {
        const Mat3& R = mc.kinematics->R;
        const MarkerCache& m = *mc.marker;
        const Vec3 relative = m.k.alpha.cross(m.r) + m.convective;
        rows += k.pos * (W * acceleration_by_position(R, relative, m.k.alpha));
        rows += k.vel * (W * acceleration_by_velocity(R, mc.kinematics->w, m.r));
      }
    }
    for (int row = 0; row < instance.joint->rows(); ++row)
      if (!ws.active[at(instance.lambda_start + row)]) rows.row(row).setZero();
    A.add(h.G[col], rows.leftCols(mc.part->z_size), k.lambda_row);
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

Mat6 twist_by_position(const Mat3& R, const Vec3& w, const Vec3& r) {
  Mat6 out = Mat6::Zero();
  out.topRightCorner<3, 3>() = -skew(w.cross(r)) * R;
  out.bottomRightCorner<3, 3>() = -skew(w) * R;
  return out;
}

Mat6 acceleration_by_position(const Mat3& R, const Vec3& relative, const Vec3& alpha) {
  Mat6 out = Mat6::Zero();
  out.topRightCorner<3, 3>() = -skew(relative) * R;
  out.bottomRightCorner<3, 3>() = -skew(alpha) * R;
  return out;
}

Mat6 acceleration_by_velocity(const Mat3& R, const Vec3& w, const Vec3& r) {
  Mat6 out = Mat6::Zero();
  out.topRightCorner<3, 3>() = -(skew(w.cross(r)) + skew(w) * skew(r)) * R;
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

void assemble_iteration(Workspace& ws, const State& s, const TangentWeights& k, ConstraintLevel level,
                        const SystemLayout& layout, BlockMatrix& A) {
  A.set_zero();
  add_mass(ws, k.mass * k.z_row, layout, A);
  add_gyroscopic(ws, s, k.vel * k.z_row, layout, A);
  const double of_level = level == ConstraintLevel::position   ? k.pos
                          : level == ConstraintLevel::velocity ? k.vel
                                                               : k.mass;
  add_constraint_blocks(ws, of_level * k.lambda_row, k.algebraic * k.z_row * k.lambda_column, k.algebraic,
                        layout, A);
  for (std::size_t i = 0; i < ws.model.joints.size(); ++i) {
    const JointInstance& instance = ws.model.joints[i];
    if (instance.joint->rows() == 0) continue;
    ws.joints[i].lambda = s.lambda.segment(instance.lambda_start, instance.joint->rows());
    add_joint_tangent(ws, i, k, level, layout, A);
  }
  for (std::size_t i = 0; i < ws.model.forces.size(); ++i) add_force_tangent(ws, i, k, layout, A);
}

}  // namespace monocoque

#include "dynamics/constraints.h"
#include "core/index.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

namespace monocoque {

namespace {

TwistVector twists(const JointInput& in, int markers) {
  TwistVector V(6 * markers);
  for (int k = 0; k < markers; ++k) V.segment<6>(6 * k) << in.m[k]->v, in.m[k]->w;
  return V;
}

}  // namespace

namespace {

void bind(JointCache& cache, const JointInstance& instance, double t, const VecX& r) {
  cache.in.t = t;
  cache.in.memory = r.data() + instance.memory_start;
}

void update_residual(Workspace& ws, const JointInstance& instance, JointCache& cache) {
  const Joint& joint = *instance.joint;
  joint.residual(cache.in, cache.g);
  for (int row = 0; row < joint.rows(); ++row) {
    const int at_row = instance.lambda_start + row;
    ws.g[at_row] = row < joint.holonomic_rows() && ws.active[at(at_row)] ? cache.g[row] : 0;
  }
}

void update_rows(Workspace& ws, const Joint& joint, JointCache& cache) {
  joint.velocity_matrix(cache.in, ws.joint_rows);
  // Both are row-major and full.
  std::copy_n(ws.joint_rows.data(), cache.rows * 6 * cache.markers, cache.matrices);
}

/// G of all markers: W_k T_k.
void update_products(const Workspace& ws, const JointInstance& instance, JointCache& cache) {
  for (int k = 0; k < cache.markers; ++k) {
    const std::size_t index = instance.markers[at(k)].at();
    const Marker& marker = ws.model.markers[index];
    if (!ws.model.parts[marker.part.at()].moves()) continue;
    const Mat3& R = ws.parts[marker.part.at()].R;
    const Vec3& r = ws.markers[index].r;
    const auto W = cache.W();
    auto G = cache.G(k);
    const ElasticMarker* e = marker.shape >= 0 ? &ws.elastic[at(marker.shape)] : nullptr;
    for (int row = 0; row < cache.rows; ++row) {
      if (!ws.active[at(instance.lambda_start + row)]) {
        G.row(row).setZero();
        if (e != nullptr) cache.port(k).row(row).setZero();
        continue;
      }
      const Vec3 force = W.block<1, 3>(row, 6 * k).transpose(),
                 moment = W.block<1, 3>(row, 6 * k + 3).transpose();
      G.block<1, 3>(row, 0) = force.transpose();
      G.block<1, 3>(row, 3).noalias() = (moment + r.cross(force)).transpose() * R;
      if (e == nullptr) continue;
      auto port = cache.port(k);
      port.block<1, 3>(row, 0).noalias() = force.transpose() * R;
      const Eigen::RowVector3d turned = moment.transpose() * R;
      port.block<1, 3>(row, 3).noalias() = turned * e->L;
    }
  }
}

}  // namespace

void update_constraints(Workspace& ws, double t, const VecX& r) {
  for (std::size_t i = 0; i < ws.joints.size(); ++i) {
    const JointInstance& instance = ws.model.joints[i];
    JointCache& cache = ws.joints[i];
    bind(cache, instance, t, r);
    update_residual(ws, instance, cache);
    update_rows(ws, *instance.joint, cache);
    update_products(ws, instance, cache);
  }
}

void update_constraint_residual(Workspace& ws, double t, const VecX& r) {
  for (std::size_t i = 0; i < ws.joints.size(); ++i) {
    bind(ws.joints[i], ws.model.joints[i], t, r);
    update_residual(ws, ws.model.joints[i], ws.joints[i]);
  }
}

void update_constraint_rows(Workspace& ws, double t, const VecX& r) {
  for (std::size_t i = 0; i < ws.joints.size(); ++i) {
    bind(ws.joints[i], ws.model.joints[i], t, r);
    update_rows(ws, *ws.model.joints[i].joint, ws.joints[i]);
  }
}

void update_constraint_velocity(Workspace& ws) {
  const Model& model = ws.model;
  for (std::size_t i = 0; i < model.joints.size(); ++i) {
    const JointInstance& instance = model.joints[i];
    const Joint& joint = *instance.joint;
    if (joint.rows() == 0) continue;
    JointCache& cache = ws.joints[i];
    joint.rate(cache.in, cache.rate);
    auto out = ws.g_dot.segment(instance.lambda_start, joint.rows());
    out = cache.rate;
    out.noalias() += cache.W().lazyProduct(twists(cache.in, joint.marker_count()));
    for (int row = 0; row < joint.rows(); ++row)
      if (!ws.active[at(instance.lambda_start + row)]) out[row] = 0;
  }
}

namespace {

template <class Rows>
void add_convective(const MarkerCache& marker, const JointCache::Rows& W, int k, Rows& out) {
  out.noalias() += W.middleCols<3>(6 * k) * marker.convective;
  out.noalias() += W.middleCols<3>(6 * k + 3) * marker.convective_alpha;
}

}  // namespace

void update_constraint_convective(Workspace& ws) {
  const Model& model = ws.model;
  for (std::size_t i = 0; i < model.joints.size(); ++i) {
    const JointInstance& instance = model.joints[i];
    const Joint& joint = *instance.joint;
    if (joint.rows() == 0) continue;
    JointCache& cache = ws.joints[i];
    joint.convective(cache.in, cache.gamma);
    auto out = ws.gamma.segment(instance.lambda_start, joint.rows());
    out = cache.gamma;
    for (int k = 0; k < joint.marker_count(); ++k)
      add_convective(ws.markers[instance.markers[at(k)].at()], cache.W(), k, out);
    for (int row = 0; row < joint.rows(); ++row)
      if (!ws.active[at(instance.lambda_start + row)]) out[row] = 0;
  }
}

namespace {

/// Six numbers on the port of a marker to the rows of P.
void add_to_port(Workspace& ws, const Marker& marker, const Vec6& force) {
  const ElasticMarker& e = ws.elastic[at(marker.shape)];
  FlexiblePart& part = ws.flexible[at(ws.model.parts[marker.part.at()].flexible)];
  if (e.place < part.step_rows) part.port_force.segment<3>(e.place) += force.head<3>();
  if (e.axes < part.step_rows) part.port_force.segment<3>(e.axes) += force.tail<3>();
}

}  // namespace

void clear_port_forces(Workspace& ws) {
  for (FlexiblePart& part : ws.flexible) part.port_force.setZero();
}

void add_port_forces(const Workspace& ws, double factor, VecX& out) {
  for (const Part& part : ws.model.parts)
    if (part.flexible >= 0)
      add_port_forces(ws.flexible[at(part.flexible)], factor, out.segment(part.z_start + 6, part.nq()));
}

void add_wrench(Workspace& ws, MarkerIndex index, const Vec6& wrench, VecX& out) {
  const Marker& marker = ws.model.markers[index.at()];
  const Part& part = ws.model.parts[marker.part.at()];
  if (!part.moves()) return;
  const Vec3 force = wrench.head<3>(), moment = wrench.tail<3>();
  out.segment<3>(part.z_start) += force;
  if (!part.turns()) return;
  const Mat3& R = ws.parts[marker.part.at()].R;
  out.segment<3>(part.z_start + 3).noalias() +=
      R.transpose() * (moment + ws.markers[index.at()].r.cross(force));
  if (marker.shape < 0) return;
  const Vec3 turned = R.transpose() * moment;
  Vec6 port;
  port << R.transpose() * force, ws.elastic[at(marker.shape)].L.transpose() * turned;
  add_to_port(ws, marker, port);
}

void add_constraint_forces(Workspace& ws, const VecX& lambda, double factor, VecX& out, PortForces ports) {
  const Model& model = ws.model;
  if (ports == PortForces::added) clear_port_forces(ws);
  for (std::size_t i = 0; i < model.joints.size(); ++i) {
    const JointInstance& instance = model.joints[i];
    const JointCache& cache = ws.joints[i];
    if (cache.rows == 0) continue;
    const RowVector own = factor * lambda.segment(instance.lambda_start, cache.rows);
    for (int k = 0; k < cache.markers; ++k) {
      const Marker& marker = model.markers[instance.markers[at(k)].at()];
      const Part& part = model.parts[marker.part.at()];
      if (!part.moves()) continue;
      add_to_frame(part, cache.G(k).transpose().lazyProduct(own), out);
      if (marker.shape >= 0) add_to_port(ws, marker, cache.port(k).transpose().lazyProduct(own));
    }
  }
  if (ports == PortForces::added) add_port_forces(ws, 1, out);
}

void add_constraint_rates(Workspace& ws, const VecX& z_dot, double factor, VecRef out) {
  const Model& model = ws.model;
  for (const Part& part : model.parts)
    if (part.flexible >= 0) {
      FlexiblePart& flexible = ws.flexible[at(part.flexible)];
      update_ports(flexible, z_dot.segment(part.z_start + 6, part.nq()), false, flexible.port_force);
    }
  for (std::size_t i = 0; i < model.joints.size(); ++i) {
    const JointInstance& joint = model.joints[i];
    const JointCache& cache = ws.joints[i];
    auto rows = out.segment(joint.lambda_start, cache.rows);
    for (int k = 0; k < cache.markers; ++k) {
      const Marker& marker = model.markers[joint.markers[at(k)].at()];
      const Part& part = model.parts[marker.part.at()];
      if (!part.moves()) continue;
      rows.noalias() += factor * (cache.G(k)
                                      .leftCols(part.rigid_size())
                                      .lazyProduct(z_dot.segment(part.z_start, part.rigid_size())));
      if (marker.shape < 0) continue;
      const ElasticMarker& e = ws.elastic[at(marker.shape)];
      const FlexiblePart& flexible = ws.flexible[at(part.flexible)];
      const auto add = [&](int first, int column) {
        if (first < flexible.step_rows)
          rows.noalias() +=
              factor *
              (cache.port(k).middleCols<3>(column).lazyProduct(flexible.port_force.segment<3>(first)));
      };
      add(e.place, 0);
      add(e.axes, 3);
    }
  }
}

namespace {

/// Largest residual by joint, in the joint's own rows, whether active or not.
template <class Residual>
LargestResidual largest(const Workspace& ws, Residual&& residual) {
  LargestResidual worst;
  for (std::size_t i = 0; i < ws.model.joints.size(); ++i) {
    const JointInstance& instance = ws.model.joints[i];
    const RowVector value = residual(i);
    for (int row = 0; row < value.size(); ++row) {
      if (std::abs(value[row]) > worst.value || std::isnan(value[row])) {
        worst.value = std::abs(value[row]);
        worst.row = instance.lambda_start + row;
      }
    }
  }
  return worst;
}

RowVector velocity_residual(const Workspace& ws, std::size_t i) {
  const JointCache& cache = ws.joints[i];
  RowVector out;  // a product within a sum would be given memory of its own
  out.noalias() = cache.W() * twists(cache.in, cache.markers);
  return out += cache.rate;
}

}  // namespace

LargestResidual largest_position_residual(const Workspace& ws) {
  return largest(ws, [&](std::size_t i) { return ws.joints[i].g; });
}

LargestResidual largest_velocity_residual(const Workspace& ws) {
  return largest(ws, [&](std::size_t i) { return velocity_residual(ws, i); });
}

void full_residual(const Workspace& ws, bool velocity_level, VecX& out) {
  out.setZero(ws.model.nlambda);
  for (std::size_t i = 0; i < ws.model.joints.size(); ++i) {
    const JointInstance& instance = ws.model.joints[i];
    if (velocity_level)
      out.segment(instance.lambda_start, instance.joint->rows()) = velocity_residual(ws, i);
    else
      out.segment(instance.lambda_start, instance.joint->holonomic_rows()) = ws.joints[i].g;
  }
}

Eigen::SparseMatrix<double, Eigen::RowMajor> constraint_matrix(const Workspace& ws) {
  const Model& model = ws.model;
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t i = 0; i < model.joints.size(); ++i) {
    const JointInstance& instance = model.joints[i];
    for (int k = 0; k < instance.joint->marker_count(); ++k) {
      const std::size_t marker = instance.markers[at(k)].at();
      const Part& part = model.parts[model.markers[marker].part.at()];
      // Not G itself: rows taken out are zero there.
      const auto W = ws.joints[i].W();
      const int shape = model.markers[marker].shape;
      const Mat3& R = ws.parts[model.markers[marker].part.at()].R;
      for (int row = 0; row < instance.joint->rows(); ++row) {
        const Vec3 force = W.block<1, 3>(row, 6 * k).transpose(),
                   moment = W.block<1, 3>(row, 6 * k + 3).transpose();
        Vec6 frame;
        frame << force, R.transpose() * (moment + ws.markers[marker].r.cross(force));
        for (int c = 0; c < part.rigid_size(); ++c)
          if (frame[c] != 0) entries.emplace_back(instance.lambda_start + row, part.z_start + c, frame[c]);
        if (shape < 0) continue;
        const Vec3 turned = ws.elastic[at(shape)].L.transpose() * (R.transpose() * moment);
        const VecX elastic = model.shapes[at(shape)].Phi.transpose() * (R.transpose() * force) +
                             model.shapes[at(shape)].Psi.transpose() * turned;
        for (int c = 0; c < part.nq(); ++c)
          if (elastic[c] != 0)
            entries.emplace_back(instance.lambda_start + row, part.z_start + 6 + c, elastic[c]);
      }
    }
  }
  Eigen::SparseMatrix<double, Eigen::RowMajor> G(model.nlambda, model.nz);
  G.setFromTriplets(entries.begin(), entries.end());
  return G;
}

void update_reactions(Workspace& ws, const VecX& lambda) {
  for (std::size_t i = 0; i < ws.model.joints.size(); ++i) {
    const JointInstance& instance = ws.model.joints[i];
    JointCache& cache = ws.joints[i];
    cache.lambda = lambda.segment(instance.lambda_start, instance.joint->rows());
    if (instance.joint->rows() > 0)
      cache.reaction = -cache.W().middleCols<6>(6).transpose() * cache.lambda;
    else
      cache.reaction.setZero();
  }
}

void start_joint_memory(Workspace& ws, double t, VecX& r) {
  for (std::size_t i = 0; i < ws.model.joints.size(); ++i) {
    const JointInstance& instance = ws.model.joints[i];
    ws.joints[i].in.t = t;
    ws.joints[i].in.memory = r.data() + instance.memory_start;
    instance.joint->start_memory(ws.joints[i].in, r.data() + instance.memory_start);
  }
}

void update_joint_memory(Workspace& ws, double t, VecX& r) {
  for (std::size_t i = 0; i < ws.model.joints.size(); ++i) {
    const JointInstance& instance = ws.model.joints[i];
    if (instance.joint->memory_size() == 0) continue;
    ws.joints[i].in.t = t;
    ws.joints[i].in.memory = r.data() + instance.memory_start;
    instance.joint->update_memory(ws.joints[i].in, r.data() + instance.memory_start);
  }
}

}  // namespace monocoque

#include "dynamics/constraints.h"
#include "core/index.h"

#include <cmath>

namespace monocoque {

namespace {

TwistVector twists(const JointInput& in, int markers) {
  TwistVector V(6 * markers);
  for (int k = 0; k < markers; ++k) V.segment<6>(6 * k) << in.m[k]->v, in.m[k]->w;
  return V;
}

}  // namespace

namespace {

/// G of the k-th marker: W_k T_k.
void update_rows(const Workspace& ws, MarkerIndex marker, int k, JointCache& cache) {
  const auto W = cache.W.middleCols<6>(6 * k);
  cache.G[k].noalias() = W * ws.markers[marker.at()].T;
  if (const int shape = ws.model.markers[marker.at()].shape; shape >= 0)
    cache.G_elastic[k].noalias() = W.lazyProduct(ws.elastic[at(shape)].T);
}

}  // namespace

void update_constraints(Workspace& ws, double t, const VecX& r) {
  const Model& model = ws.model;
  for (std::size_t i = 0; i < model.joints.size(); ++i) {
    const JointInstance& instance = model.joints[i];
    const Joint& joint = *instance.joint;
    JointCache& cache = ws.joints[i];
    cache.in.t = t;
    cache.in.memory = r.data() + instance.memory_start;
    joint.residual(cache.in, cache.g);
    joint.velocity_matrix(cache.in, cache.W);
    for (int k = 0; k < joint.marker_count(); ++k) update_rows(ws, instance.markers[at(k)], k, cache);
    const int start = instance.lambda_start;
    for (int row = 0; row < joint.rows(); ++row) {
      ws.g[start + row] = row < joint.holonomic_rows() ? cache.g[row] : 0;
      if (ws.active[at(start + row)]) continue;
      ws.g[start + row] = 0;
      for (int k = 0; k < joint.marker_count(); ++k) {
        cache.G[k].row(row).setZero();
        if (cache.G_elastic[k].size() > 0) cache.G_elastic[k].row(row).setZero();
      }
    }
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
    out.noalias() += cache.W * twists(cache.in, joint.marker_count());
    for (int row = 0; row < joint.rows(); ++row)
      if (!ws.active[at(instance.lambda_start + row)]) out[row] = 0;
  }
}

namespace {

template <class Rows>
void add_convective(const MarkerCache& marker, const RowsByTwist& W, int k, Rows& out) {
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
      add_convective(ws.markers[instance.markers[at(k)].at()], cache.W, k, out);
    for (int row = 0; row < joint.rows(); ++row)
      if (!ws.active[at(instance.lambda_start + row)]) out[row] = 0;
  }
}

void add_constraint_forces(const Workspace& ws, const VecX& lambda, double factor, VecX& out) {
  const Model& model = ws.model;
  for (std::size_t i = 0; i < model.joints.size(); ++i) {
    const JointInstance& instance = model.joints[i];
    const int rows = instance.joint->rows();
    if (rows == 0) continue;
    const RowVector own = factor * lambda.segment(instance.lambda_start, rows);
    for (int k = 0; k < instance.joint->marker_count(); ++k) {
      const Part& part = model.parts[model.markers[instance.markers[at(k)].at()].part.at()];
      if (!part.moves()) continue;
      add_to_frame(part, ws.joints[i].G[k].transpose() * own, out);
      if (ws.joints[i].G_elastic[k].size() > 0)
        out.segment(part.z_start + 6, part.nq()).noalias() += ws.joints[i].G_elastic[k].transpose() * own;
    }
  }
}

void add_constraint_rates(const Workspace& ws, const VecX& z_dot, double factor, VecRef out) {
  const Model& model = ws.model;
  for (std::size_t i = 0; i < model.joints.size(); ++i) {
    const JointInstance& joint = model.joints[i];
    auto rows = out.segment(joint.lambda_start, joint.joint->rows());
    for (int k = 0; k < joint.joint->marker_count(); ++k) {
      const Part& part = model.parts[model.markers[joint.markers[at(k)].at()].part.at()];
      if (!part.moves()) continue;
      const JointCache& cache = ws.joints[i];
      rows.noalias() += factor * (cache.G[k]
                                      .leftCols(part.rigid_size())
                                      .lazyProduct(z_dot.segment(part.z_start, part.rigid_size())));
      if (cache.G_elastic[k].size() > 0)
        rows.noalias() +=
            factor * (cache.G_elastic[k].lazyProduct(z_dot.segment(part.z_start + 6, part.nq())));
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
  return cache.W * twists(cache.in, ws.model.joints[i].joint->marker_count()) + cache.rate;
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
      const RowsByPart G = ws.joints[i].W.middleCols<6>(6 * k) * ws.markers[marker].T;
      for (int row = 0; row < instance.joint->rows(); ++row)
        for (int c = 0; c < part.rigid_size(); ++c)
          if (G(row, c) != 0) entries.emplace_back(instance.lambda_start + row, part.z_start + c, G(row, c));
      const int shape = model.markers[marker].shape;
      if (shape < 0) continue;
      const MatX E = ws.joints[i].W.middleCols<6>(6 * k) * ws.elastic[at(shape)].T;
      for (int row = 0; row < instance.joint->rows(); ++row)
        for (int c = 0; c < part.nq(); ++c)
          if (E(row, c) != 0)
            entries.emplace_back(instance.lambda_start + row, part.z_start + 6 + c, E(row, c));
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
      cache.reaction = -cache.W.middleCols<6>(6).transpose() * cache.lambda;
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

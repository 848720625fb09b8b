#include "dynamics/workspace.h"

#include <algorithm>

namespace monocoque {

Workspace::Workspace(const Model& m) : model(m) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  signals.resize(m.signals.size(), Taylor2{nan, nan, nan});
  parts.resize(m.parts.size(), PartKinematics{Mat3::Constant(nan), Vec3::Constant(nan)});
  markers.resize(m.markers.size());
  for (MarkerCache& c : markers) {
    const Vec3 none = Vec3::Constant(nan);
    c = {{none, Mat3::Constant(nan), none, none, none, none}, none, none, none, none, none};
  }
  std::vector<unsigned> used(m.markers.size(), 0);  // 1 place, 2 axes, 4 by a joint
  const auto use = [&](MarkerIndex i, unsigned bits) {
    if (i.valid()) used[i.at()] |= bits;
  };
  joints.resize(m.joints.size());
  Eigen::Index size = 0;
  const auto has_shape = [&](const JointInstance& joint) {
    for (int k = 0; k < joint.joint->marker_count(); ++k)
      if (m.markers[joint.markers[static_cast<std::size_t>(k)].at()].shape >= 0) return true;
    return false;
  };
  for (const JointInstance& joint : m.joints)
    size += JointCache::size(joint.joint->rows(), joint.joint->marker_count(), has_shape(joint));
  joint_matrices.setConstant(size, nan);
  size = 0;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const JointInstance& joint = m.joints[i];
    JointCache& cache = joints[i];
    memory |= joint.joint->memory_size() > 0;
    for (int k = 0; k < joint.joint->marker_count(); ++k) {
      const MarkerIndex index = joint.markers[static_cast<std::size_t>(k)];
      use(index, (joint.joint->uses() >> (2 * k) & 3) | 4);
      cache.in.m[k] = &markers[index.at()].k;
    }
    cache.in.u = signals.data() + joint.signal_start;
    cache.rows = joint.joint->rows();
    cache.markers = joint.joint->marker_count();
    cache.elastic = has_shape(joint);
    cache.matrices = joint_matrices.data() + size;
    size += JointCache::size(cache.rows, cache.markers, cache.elastic);
    cache.g.setConstant(joint.joint->holonomic_rows(), nan);
    cache.rate.setConstant(joint.joint->rows(), nan);
    cache.gamma.setConstant(joint.joint->rows(), nan);
    cache.lambda.setConstant(joint.joint->rows(), nan);
    cache.reaction.setConstant(nan);
  }
  forces.resize(m.forces.size());
  for (std::size_t i = 0; i < forces.size(); ++i) {
    const ForceInstance& force = m.forces[i];
    ForceCache& cache = forces[i];
    for (std::size_t k = 0; k < 2; ++k) {
      use(force.markers[k], (force.force->uses() >> (2 * k) & 3) | 8);
      cache.in.m[k] = &markers[force.markers[k].at()].k;
    }
    cache.in.u = signals.data() + force.signal_start;
    cache.in.reaction = &cache.reaction;
    cache.wrench.setConstant(nan);
    cache.reaction.setConstant(nan);
  }
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (used[i]) element_markers.push_back(static_cast<int>(i));
    if (used[i] & 4) joint_markers.push_back(static_cast<int>(i));
  }
  size_flexible_parts(used);
  active.assign(static_cast<std::size_t>(m.nlambda), 1);
  g.setConstant(m.nlambda, nan);
  g_dot.setConstant(m.nlambda, nan);
  gamma.setConstant(m.nlambda, nan);
  f.setConstant(m.nz, nan);
  c_dot.setConstant(m.nc, nan);
  b.setConstant(m.nw, nan);
}

/// Port rows that matter in a step come first, then those that only outputs read. Markers on one node share
/// them.
void Workspace::size_flexible_parts(const std::vector<unsigned>& used) {
  elastic.resize(model.shapes.size());
  flexible.resize(model.flexible.size());
  std::vector<int> rows(flexible.size(), 0);
  struct Given {
    int flexible, row;
    const Mat3X* shape;
  };
  std::vector<Given> given;
  const auto row_of = [&](int part, const Mat3X& shape) {
    for (const Given& g : given)
      if (g.flexible == part && *g.shape == shape) return g.row;
    int& next = rows[static_cast<std::size_t>(part)];
    given.push_back({part, next, &shape});
    next += 3;
    return given.back().row;
  };
  const auto give_rows = [&](bool matters) {
    for (std::size_t i = 0; i < used.size(); ++i) {
      const Marker& marker = model.markers[i];
      if (marker.shape < 0) continue;
      ElasticMarker& e = elastic[static_cast<std::size_t>(marker.shape)];
      const MarkerShape& shape = model.shapes[static_cast<std::size_t>(marker.shape)];
      const int part = model.parts[marker.part.at()].flexible;
      for (const unsigned bit : {1u, 2u}) {
        if ((used[i] & bit ? 1 : 0) != (matters ? 1 : 0)) continue;
        (bit == 1 ? e.place : e.axes) = row_of(part, bit == 1 ? shape.Phi : shape.Psi);
        if (bit == 2) e.turns = matters;
      }
    }
  };
  give_rows(true);
  const std::vector<int> step_rows = rows;
  give_rows(false);
  for (std::size_t i = 0; i < flexible.size(); ++i)
    size_flexible(model.flexible[i], step_rows[i], rows[i], flexible[i]);
  for (std::size_t i = 0; i < used.size(); ++i) {
    const Marker& marker = model.markers[i];
    if (marker.shape < 0) continue;
    ElasticMarker& e = elastic[static_cast<std::size_t>(marker.shape)];
    const MarkerShape& shape = model.shapes[static_cast<std::size_t>(marker.shape)];
    FlexiblePart& part = flexible[static_cast<std::size_t>(model.parts[marker.part.at()].flexible)];
    part.P.middleRows<3>(e.place) = shape.Phi;
    part.P.middleRows<3>(e.axes) = shape.Psi;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (Vec3* v : {&e.theta, &e.rate, &e.acceleration, &e.frame_alpha}) v->setConstant(nan);
    for (Mat3* M : {&e.L, &e.D}) M->setConstant(nan);
  }
}

}  // namespace monocoque

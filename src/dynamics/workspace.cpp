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
    c = {{none, Mat3::Constant(nan), none, none, none, none},
         none,
         Mat6::Constant(nan),
         none,
         none,
         none,
         none};
  }
  Eigen::Index largest = 0;
  flexible.resize(m.flexible.size());
  for (std::size_t i = 0; i < flexible.size(); ++i) {
    size_flexible(m.flexible[i], flexible[i]);
    largest = std::max<Eigen::Index>(largest, m.flexible[i].nq);
  }
  elastic.resize(m.shapes.size());
  for (std::size_t i = 0; i < elastic.size(); ++i) {
    const Eigen::Index nq = m.shapes[i].Phi.cols();
    elastic[i].T.setConstant(6, nq, nan);
    elastic[i].S.setConstant(6, nq, nan);
    elastic[i].Phi.setConstant(3, nq, nan);
  }
  columns.setConstant(6, largest, nan);
  more_columns.setConstant(6, largest, nan);
  rows.setConstant(std::max(kMaxRows, kMaxInner), largest, nan);
  std::vector<char> used(m.markers.size(), 0);
  const auto use = [&](MarkerIndex i) {
    if (i.valid()) used[i.at()] = 1;
  };
  joints.resize(m.joints.size());
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const JointInstance& joint = m.joints[i];
    JointCache& cache = joints[i];
    for (int k = 0; k < joint.joint->marker_count(); ++k) {
      const MarkerIndex index = joint.markers[static_cast<std::size_t>(k)];
      use(index);
      cache.in.m[k] = &markers[index.at()].k;
      if (const int shape = m.markers[index.at()].shape; shape >= 0)
        cache.G_elastic[k].setConstant(joint.joint->rows(),
                                       m.shapes[static_cast<std::size_t>(shape)].Phi.cols(), nan);
    }
    cache.in.u = signals.data() + joint.signal_start;
    cache.W.setConstant(joint.joint->rows(), joint.joint->twist_size(), nan);
    for (RowsByPart& G : cache.G) G.setConstant(joint.joint->rows(), 6, nan);
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
      use(force.markers[k]);
      cache.in.m[k] = &markers[force.markers[k].at()].k;
    }
    cache.in.u = signals.data() + force.signal_start;
    cache.in.reaction = &cache.reaction;
    cache.wrench.setConstant(nan);
    cache.reaction.setConstant(nan);
  }
  for (std::size_t i = 0; i < used.size(); ++i)
    if (used[i]) element_markers.push_back(static_cast<int>(i));
  active.assign(static_cast<std::size_t>(m.nlambda), 1);
  g.setConstant(m.nlambda, nan);
  g_dot.setConstant(m.nlambda, nan);
  gamma.setConstant(m.nlambda, nan);
  f.setConstant(m.nz, nan);
  c_dot.setConstant(m.nc, nan);
  b.setConstant(m.nw, nan);
}

}  // namespace monocoque

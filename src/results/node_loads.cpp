#include "results/node_loads.h"

#include <algorithm>

#include <Eigen/Geometry>

namespace monocoque {

namespace {

std::size_t find(const std::vector<NodeLoads::Node>& nodes, const Marker& marker) {
  return static_cast<std::size_t>(
      std::find_if(nodes.begin(), nodes.end(),
                   [&](const auto& n) { return n.part == marker.part && n.id == marker.node; }) -
      nodes.begin());
}

std::vector<NodeLoads::Node> loaded_nodes(const Model& model) {
  std::vector<char> loaded(model.markers.size(), 0);
  for (const JointInstance& joint : model.joints)
    for (int m = 0; m < joint.joint->marker_count() && joint.joint->rows() > 0; ++m)
      loaded[joint.markers[static_cast<std::size_t>(m)].at()] = 1;
  for (const ForceInstance& force : model.forces)
    for (const MarkerIndex m : force.markers) loaded[m.at()] = 1;
  std::vector<NodeLoads::Node> nodes;
  for (std::size_t i = 0; i < model.markers.size(); ++i) {
    const Marker& marker = model.markers[i];
    if (loaded[i] && marker.node >= 0 && find(nodes, marker) == nodes.size())
      nodes.push_back({marker.part, marker.node});
  }
  std::stable_sort(nodes.begin(), nodes.end(),
                   [](const auto& a, const auto& b) { return a.part.at() < b.part.at(); });
  return nodes;
}

}  // namespace

NodeLoads::NodeLoads(const Model& model)
    : model_(model), nodes_(loaded_nodes(model)), node_of_marker_(model.markers.size(), -1) {
  for (std::size_t i = 0; i < model.markers.size(); ++i)
    if (const std::size_t k = find(nodes_, model.markers[i]); k < nodes_.size())
      node_of_marker_[i] = static_cast<int>(k);
  sums_.resize(nodes_.size());
  loads_.resize(nodes_.size());
}

void NodeLoads::add(const Workspace& ws, MarkerIndex marker, const Vec6& wrench) {
  const int k = node_of_marker_[marker.at()];
  if (k < 0) return;
  const Marker& m = model_.markers[marker.at()];
  const Mat3 R = ws.markers[marker.at()].k.R * m.R.transpose();  // of the node, from its undeformed axes
  Vec6& sum = sums_[static_cast<std::size_t>(k)];
  sum += wrench;
  sum.tail<3>() += (R * m.arm).cross(Vec3(wrench.head<3>()));
}

void NodeLoads::update(const Workspace& ws) {
  if (nodes_.empty()) return;
  for (Vec6& sum : sums_) sum.setZero();
  for (std::size_t i = 0; i < model_.joints.size(); ++i) {
    const JointInstance& joint = model_.joints[i];
    if (joint.joint->rows() == 0) continue;
    for (int m = 0; m < joint.joint->marker_count(); ++m)
      add(ws, joint.markers[static_cast<std::size_t>(m)],
          -ws.joints[i].W().middleCols<6>(6 * m).transpose() * ws.joints[i].lambda);
  }
  for (std::size_t i = 0; i < model_.forces.size(); ++i)
    for (std::size_t m = 0; m < 2; ++m)
      add(ws, model_.forces[i].markers[m], ws.forces[i].wrench.segment<6>(6 * static_cast<Eigen::Index>(m)));
  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    const Mat3& R = ws.markers[model_.parts[nodes_[k].part.at()].origin.at()].k.R;
    for (int half = 0; half < 2; ++half)
      for (int c = 0; c < 3; ++c) loads_[k][3 * half + c] = R.col(c).dot(sums_[k].segment<3>(3 * half));
  }
}

}  // namespace monocoque

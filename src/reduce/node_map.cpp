#include "reduce/node_map.h"

#include <cmath>

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include "core/error.h"

namespace monocoque::reduce {

namespace {

/// Velocity of component c at arm r when the body moves with unit rigid motion k.
double rigid_value(int c, int k, const Vec3& r) {
  if (k < 3) return c == k ? 1.0 : 0.0;
  if (c >= 3) return c == k ? 1.0 : 0.0;
  return Vec3::Unit(k - 3).cross(r)[c];
}

}  // namespace

NodeMap::NodeMap(const FeSystem& fe) : fe_(fe), rows_(fe.to_nodes) {
  const auto count = static_cast<std::size_t>(6 * fe.nodes());
  exists_.assign(count, false);
  // A dependent node may repeat an unknown of its independent node; the node with most single rows is its
  // home.
  std::vector<int> single_of_row(count, -1), singles(static_cast<std::size_t>(fe.nodes()), 0);
  for (int row = 0; row < rows_.rows(); ++row) {
    const auto r = static_cast<std::size_t>(row);
    int entries = 0;
    for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator it(rows_, row); it; ++it) {
      if (it.value() == 0) continue;
      ++entries;
      single_of_row[r] = it.value() == 1 ? static_cast<int>(it.col()) : -1;
    }
    exists_[r] = entries > 0;
    if (entries != 1) single_of_row[r] = -1;
    if (single_of_row[r] >= 0) ++singles[r / 6];
  }
  homes_.resize(static_cast<std::size_t>(fe.size()));
  for (std::size_t r = 0; r < count; ++r) {
    if (single_of_row[r] < 0) continue;
    NodeComponent& home = homes_[static_cast<std::size_t>(single_of_row[r])];
    if (home.node < 0 || singles[r / 6] > singles[static_cast<std::size_t>(home.node)])
      home = {static_cast<int>(r / 6), static_cast<int>(r % 6)};
  }
  for (std::size_t j = 0; j < homes_.size(); ++j)
    if (homes_[j].node < 0)
      throw Error("finite-element system", fmt::format("unknown {} is no component of any node", j + 1),
                  "the map from unknowns to nodes needs a row with the single entry 1 for each unknown");
  for (int n = 0; n < fe.nodes(); ++n) by_id_.emplace_back(fe.node_ids[static_cast<std::size_t>(n)], n);
  std::sort(by_id_.begin(), by_id_.end());
}

int NodeMap::node_of(long id) const {
  const auto it = std::lower_bound(by_id_.begin(), by_id_.end(), std::make_pair(id, -1));
  if (it != by_id_.end() && it->first == id) return it->second;
  std::string near;
  if (it != by_id_.begin()) near = fmt::format("{}", std::prev(it)->first);
  if (it != by_id_.end()) near += fmt::format("{}{}", near.empty() ? "" : " and ", it->first);
  throw Error(fmt::format("node {}", id), "the mesh has no node with this id",
              near.empty() ? "the mesh has no nodes" : "the closest ids are " + near);
}

Eigen::SparseVector<double> NodeMap::form(NodeComponent c) const {
  return rows_.row(6 * c.node + c.component).transpose();
}

SparseMatrix NodeMap::forms(const std::vector<NodeComponent>& components) const {
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t i = 0; i < components.size(); ++i) {
    const int row = 6 * components[i].node + components[i].component;
    for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator it(rows_, row); it; ++it)
      entries.emplace_back(static_cast<int>(i), static_cast<int>(it.col()), it.value());
  }
  SparseMatrix T(static_cast<int>(components.size()), fe_.size());
  T.setFromTriplets(entries.begin(), entries.end());
  return T;
}

MatX NodeMap::rigid_motions(const Vec3& origin) const {
  MatX S(fe_.size(), 6);
  for (int j = 0; j < fe_.size(); ++j) {
    const NodeComponent& home = homes_[static_cast<std::size_t>(j)];
    const Vec3 r = fe_.positions[static_cast<std::size_t>(home.node)] - origin;
    for (int k = 0; k < 6; ++k) S(j, k) = rigid_value(home.component, k, r);
  }
  return S;
}

double NodeMap::rigid_defect() const {
  Vec3 centre = Vec3::Zero();
  for (const Vec3& p : fe_.positions) centre += p / fe_.nodes();
  double size = 0;
  for (const Vec3& p : fe_.positions) size = std::max(size, (p - centre).norm());
  if (size == 0) size = 1;
  const MatX at_nodes = fe_.to_nodes * rigid_motions(centre);
  double worst = 0;
  for (int n = 0; n < fe_.nodes(); ++n)
    for (int c = 0; c < 6; ++c) {
      const bool present = exists({n, c});
      // Solid nodes have no rotations at all; translations are missing only where a support took them.
      if (!present && c >= 3) continue;
      const Vec3 r = fe_.positions[static_cast<std::size_t>(n)] - centre;
      for (int k = 0; k < 6; ++k) {
        const double scale = k >= 3 && c < 3 ? size : 1;
        worst = std::max(worst, std::abs(at_nodes(6 * n + c, k) - rigid_value(c, k, r)) / scale);
      }
    }
  return worst;
}

}  // namespace monocoque::reduce

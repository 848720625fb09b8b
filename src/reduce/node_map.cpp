#include "reduce/node_map.h"

#include <cmath>

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include "core/error.h"

namespace monocoque::reduce {

namespace {

/// Column k: motion (u, theta) at arm r when the body makes unit rigid motion k.
Mat6 rigid_at(const Vec3& r) {
  Mat6 S = Mat6::Identity();
  S.topRightCorner<3, 3>() = -skew(r);
  return S;
}

}  // namespace

NodeMap::NodeMap(const FeSystem& fe) : fe_(fe), rows_(fe.to_nodes), unknowns_(fe.unknowns) {
  exists_.assign(static_cast<std::size_t>(6 * fe.nodes()), false);
  for (int row = 0; row < rows_.rows(); ++row)
    for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator it(rows_, row); it; ++it)
      if (it.value() != 0) exists_[static_cast<std::size_t>(row)] = true;
  if (unknowns_.empty()) find_unknowns();
  for (int n = 0; n < fe.nodes(); ++n) by_id_.emplace_back(fe.node_ids[static_cast<std::size_t>(n)], n);
  std::sort(by_id_.begin(), by_id_.end());
}

void NodeMap::find_unknowns() {
  const auto count = static_cast<std::size_t>(6 * fe_.nodes());
  // A dependent node may repeat an unknown of its independent node; the node with most single rows is its
  // home.
  std::vector<int> single_of_row(count, -1), singles(static_cast<std::size_t>(fe_.nodes()), 0);
  for (std::size_t r = 0; r < count; ++r) {
    int entries = 0;
    for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator it(rows_, static_cast<int>(r)); it;
         ++it) {
      ++entries;
      single_of_row[r] = it.value() == 1 ? static_cast<int>(it.col()) : -1;
    }
    if (entries != 1) single_of_row[r] = -1;
    if (single_of_row[r] >= 0) ++singles[r / 6];
  }
  unknowns_.resize(static_cast<std::size_t>(fe_.size()));
  for (std::size_t r = 0; r < count; ++r) {
    if (single_of_row[r] < 0) continue;
    FeSystem::Unknown& u = unknowns_[static_cast<std::size_t>(single_of_row[r])];
    if (u.node < 0 || singles[r / 6] > singles[static_cast<std::size_t>(u.node)]) {
      u.node = static_cast<int>(r / 6);
      u.direction = Vec6::Unit(static_cast<int>(r % 6));
    }
  }
  for (std::size_t j = 0; j < unknowns_.size(); ++j)
    if (unknowns_[j].node < 0)
      throw Error("finite-element system", fmt::format("unknown {} is no component of any node", j + 1),
                  "the map from unknowns to nodes needs a row with the single entry 1 for each unknown");
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
    const FeSystem::Unknown& u = unknowns_[static_cast<std::size_t>(j)];
    S.row(j) = u.direction.transpose() * rigid_at(fe_.positions[static_cast<std::size_t>(u.node)] - origin);
  }
  return S;
}

double NodeMap::rigid_defect() const {
  Vec3 centre = Vec3::Zero();
  for (const Vec3& p : fe_.positions) centre += p / fe_.nodes();
  const MatX S = rigid_motions(centre);
  const VecX diagonal = fe_.K.diagonal().cwiseAbs();
  const MatX KS = fe_.K * S;
  double worst = 0;
  for (int k = 0; k < 6; ++k) {
    const double scale = S.col(k).cwiseAbs2().dot(diagonal);
    if (scale > 0) worst = std::max(worst, S.col(k).dot(KS.col(k)) / scale);
  }
  return worst;
}

}  // namespace monocoque::reduce

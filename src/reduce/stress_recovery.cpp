#include "reduce/stress_recovery.h"

#include <algorithm>

#include "reduce/sid_from_modes.h"

namespace monocoque::reduce {

std::vector<char> nodes_with_stress(const io::FeMesh& mesh) {
  std::vector<char> has(mesh.nodes.size(), 0);
  for (const io::FeElement& e : mesh.elements) {
    if (e.kind == io::ElementKind::rod2 || e.kind == io::ElementKind::beam2 ||
        e.kind == io::ElementKind::beam3)
      continue;
    for (int k = 0; k < io::node_count(e.kind); ++k) has[static_cast<std::size_t>(mesh.nodes_of(e)[k])] = 1;
  }
  return has;
}

std::vector<int> add_modal_stress(const io::FeMesh& mesh, const FeSystem& fe, const NodeMap& map,
                                  const MatX& Phi, const Vec3& origin_m, const std::vector<int>& nodes,
                                  Surface surface, io::Sid& sid) {
  const std::vector<char> has = nodes_with_stress(mesh);
  std::vector<int> wanted, without;
  for (const int n : nodes) (has[static_cast<std::size_t>(n)] ? wanted : without).push_back(n);
  if (wanted.empty()) return without;
  const MatX stress = modal_stress(mesh, fe, Phi, wanted, surface);
  // fe counts xx yy zz xy yz zx.
  constexpr int from[] = {0, 1, 2, 3, 5, 4};
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const long id = fe.node_ids[static_cast<std::size_t>(wanted[i])];
    auto node =
        std::find_if(sid.nodes.begin(), sid.nodes.end(), [id](const io::SidNode& n) { return n.id == id; });
    if (node == sid.nodes.end()) node = sid.nodes.insert(node, sid_node(fe, map, Phi, wanted[i], origin_m));
    node->sigma.zero.resize(6, Phi.cols());
    for (int k = 0; k < 6; ++k)
      node->sigma.zero.row(k) = stress.row(6 * static_cast<Eigen::Index>(i) + from[k]);
  }
  return without;
}

}  // namespace monocoque::reduce

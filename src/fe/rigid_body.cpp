#include "fe/rigid_body.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>
#include <Eigen/SparseCholesky>

#include "core/index.h"
#include "fe/element.h"

namespace monocoque {
namespace {

/// Rigid motions of one node as columns.
Mat6 node_motion(const Vec3& p) {
  return fe::rigid_arm(p);
}

class Sets {
 public:
  explicit Sets(int n) : parent_(at(n)) { std::iota(parent_.begin(), parent_.end(), 0); }
  int root(int i) {
    while (parent_[at(i)] != i) {
      parent_[at(i)] = parent_[at(parent_[at(i)])];
      i = parent_[at(i)];
    }
    return i;
  }
  void join(int a, int b) { parent_[at(root(a))] = root(b); }

 private:
  std::vector<int> parent_;
};

}  // namespace

MatX rigid_body_modes(const FeSystem& system) {
  MatX R(system.size(), 6);
  if (!system.unknowns.empty()) {
    for (int i = 0; i < system.size(); ++i) {
      const FeSystem::Unknown& u = system.unknowns[at(i)];
      R.row(i) = u.direction.transpose() * node_motion(system.positions[at(u.node)]);
    }
    return R;
  }
  // A system from elsewhere: the unknowns that fit the motion of the nodes best.
  MatX nodes(6 * system.nodes(), 6);
  for (int n = 0; n < system.nodes(); ++n) nodes.middleRows<6>(6 * n) = node_motion(system.positions[at(n)]);
  for (Eigen::Index c = 0; c < 6; ++c) {
    VecX touched = VecX::Zero(nodes.rows());
    for (int k = 0; k < system.to_nodes.outerSize(); ++k) {
      for (SparseMatrix::InnerIterator it(system.to_nodes, k); it; ++it) touched[it.row()] = 1;
    }
    nodes.col(c).array() *= touched.array();
  }
  const SparseMatrix normal = system.to_nodes.transpose() * system.to_nodes;
  const Eigen::SimplicialLDLT<SparseMatrix> solver(normal);
  return solver.solve(system.to_nodes.transpose() * nodes);
}

MassProperties mass_properties(const FeSystem& system) {
  const MatX R = rigid_body_modes(system);
  const Mat6 M = R.transpose() * (system.M * R);
  MassProperties out;
  out.mass_kg = M.topLeftCorner<3, 3>().trace() / 3;
  if (!(out.mass_kg > 0)) return out;
  // The coupling block is -m skew(c).
  const Mat3 S = -M.topRightCorner<3, 3>() / out.mass_kg;
  out.centre = 0.5 * Vec3(S(2, 1) - S(1, 2), S(0, 2) - S(2, 0), S(1, 0) - S(0, 1));
  const Mat3 C = skew(out.centre);
  out.inertia = M.bottomRightCorner<3, 3>() + out.mass_kg * C * C;
  return out;
}

std::vector<MeshPart> connected_parts(const io::FeMesh& mesh) {
  const int nodes = static_cast<int>(mesh.nodes.size());
  Sets sets(nodes);
  std::vector<char> used(at(nodes), 0);
  const auto join = [&](int a, int b) {
    used[at(a)] = used[at(b)] = 1;
    sets.join(a, b);
  };
  for (const io::FeElement& e : mesh.elements) {
    const int* n = mesh.nodes_of(e);
    for (int k = 0; k < io::node_count(e.kind); ++k) join(n[0], n[k]);
  }
  for (const io::RigidSpider& r : mesh.rigid) {
    for (const int d : r.dependent) join(r.independent, d);
  }
  for (const io::MeanSpider& r : mesh.means) {
    for (const auto& leg : r.legs) join(r.reference, leg.node);
  }
  for (const io::PointSpring& s : mesh.springs) {
    if (s.node_a >= 0 && s.node_b >= 0) join(s.node_a, s.node_b);
  }
  for (const io::PointMass& m : mesh.masses) used[at(m.node)] = 1;
  std::vector<int> part_of(at(nodes), -1);
  std::vector<MeshPart> parts;
  for (int n = 0; n < nodes; ++n) {
    if (!used[at(n)]) continue;
    int& part = part_of[at(sets.root(n))];
    if (part < 0) {
      part = static_cast<int>(parts.size());
      parts.push_back({0, 0, mesh.nodes[at(n)].id});
    }
    ++parts[at(part)].nodes;
  }
  for (const io::FeElement& e : mesh.elements)
    ++parts[at(part_of[at(sets.root(mesh.nodes_of(e)[0]))])].elements;
  std::stable_sort(parts.begin(), parts.end(),
                   [](const MeshPart& a, const MeshPart& b) { return a.nodes > b.nodes; });
  return parts;
}

std::string explain_parts(const std::vector<MeshPart>& parts) {
  if (parts.size() < 2) return {};
  std::string text = fmt::format(
      "the mesh consists of {} parts that nothing connects, so it has at least {} zero modes:", parts.size(),
      6 * parts.size());
  for (std::size_t i = 0; i < std::min<std::size_t>(parts.size(), 5); ++i) {
    text +=
        fmt::format("{} {} nodes (e.g. node {})", i > 0 ? "," : "", parts[i].nodes, parts[i].example_node);
  }
  return parts.size() > 5 ? text + ", ..." : text;
}

}  // namespace monocoque

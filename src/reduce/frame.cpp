// Frames: the six conditions that say which part of a motion is the body's and which its deformation.

#include <fmt/format.h>

#include "core/decompositions.h"
#include "core/error.h"
#include "reduce/basis.h"
#include "reduce/symmetric_product.h"

namespace monocoque::reduce {

namespace {

SparseMatrix combine(const MatX& pick, const SparseMatrix& forms) {
  return SparseMatrix(SparseMatrix(pick.sparseView()) * forms);
}

void require_rotations(const FeSystem& fe, const NodeMap& map, int node) {
  for (int c = 0; c < 6; ++c)
    if (!map.exists({node, c}))
      throw Error(fmt::format("frame at node {}", fe.node_ids[static_cast<std::size_t>(node)]),
                  "the node has no rotations",
                  "take a node of a shell or beam, or of a rigid element; or three nodes");
}

SparseMatrix tangent_forms(const FeSystem& fe, const NodeMap& map, int node) {
  require_rotations(fe, map, node);
  std::vector<NodeComponent> six;
  for (int c = 0; c < 6; ++c) six.push_back({node, c});
  return map.forms(six);
}

/// a fixed, b on the line a-b, turning about it held by the rotation at a.
SparseMatrix chord_forms(const FeSystem& fe, const NodeMap& map, int a, int b) {
  require_rotations(fe, map, a);
  const Vec3 axis =
      (fe.positions[static_cast<std::size_t>(b)] - fe.positions[static_cast<std::size_t>(a)]).normalized();
  std::vector<NodeComponent> used;
  for (int c = 0; c < 6; ++c) used.push_back({a, c});
  for (int c = 0; c < 3; ++c) used.push_back({b, c});
  MatX pick = MatX::Zero(6, 9);
  const Vec3 y = axis.unitOrthogonal(), z = axis.cross(y);
  pick.topLeftCorner<3, 3>().setIdentity();
  pick.block<1, 3>(3, 3) = axis.transpose();
  pick.block<1, 3>(4, 6) = y.transpose();
  pick.block<1, 3>(5, 6) = z.transpose();
  return combine(pick, map.forms(used));
}

/// a fixed, b on the line a-b, c in the plane.
SparseMatrix plane_forms(const FeSystem& fe, const NodeMap& map, int a, int b, int c) {
  const Vec3 pa = fe.positions[static_cast<std::size_t>(a)];
  const Vec3 axis = (fe.positions[static_cast<std::size_t>(b)] - pa).normalized();
  const Vec3 normal = axis.cross(fe.positions[static_cast<std::size_t>(c)] - pa).normalized();
  std::vector<NodeComponent> used;
  for (const int node : {a, b, c})
    for (int i = 0; i < 3; ++i) used.push_back({node, i});
  MatX pick = MatX::Zero(6, 9);
  pick.topLeftCorner<3, 3>().setIdentity();
  pick.block<1, 3>(3, 3) = normal.transpose();
  pick.block<1, 3>(4, 3) = normal.cross(axis).transpose();
  pick.block<1, 3>(5, 6) = normal.transpose();
  return combine(pick, map.forms(used));
}

SparseMatrix frame_forms(const FeSystem& fe, const NodeMap& map, const FrameChoice& frame) {
  std::vector<int> nodes;
  for (const long id : frame.nodes) nodes.push_back(map.node_of(id));
  if (nodes.empty()) throw Error("frame", "no node given", "name the node: tangent:ID or fixed:ID,ID,ID");
  if (frame.kind == FrameKind::tangent && nodes.size() != 1)
    throw Error("frame", fmt::format("tangent at {} nodes, it must be one", nodes.size()),
                "use fixed:ID,ID,ID");
  switch (nodes.size()) {
    case 1:
      return tangent_forms(fe, map, nodes[0]);
    case 2:
      return chord_forms(fe, map, nodes[0], nodes[1]);
    case 3:
      return plane_forms(fe, map, nodes[0], nodes[1], nodes[2]);
    default:
      break;
  }
  std::vector<NodeComponent> all;
  for (const int node : nodes)
    for (int i = 0; i < 3; ++i) all.push_back({node, i});
  return map.forms(all);
}

}  // namespace

FrameChange apply_frame(const FeSystem& fe, const NodeMap& map, const OrthonormalBasis& basis,
                        const FrameChoice& frame) {
  const Eigen::Index nq = basis.omega2.size();
  if (frame.kind == FrameKind::buckens) return {basis.Phi, basis.omega2, MatX::Identity(nq, nq)};
  const SparseMatrix forms = frame_forms(fe, map, frame);
  const MatX S = map.rigid_motions(fe.positions[static_cast<std::size_t>(map.node_of(frame.nodes[0]))]);
  const MatX rigid = forms * S;
  Eigen::ColPivHouseholderQR<MatX> qr(rigid);
  qr.setThreshold(1e-9);
  if (qr.rank() < 6)
    throw Error("frame", "the nodes chosen do not fix a frame: they lie on one line or coincide",
                "take three nodes that span a plane, or one node with rotations");
  const MatX B = qr.solve(MatX(forms * basis.Phi));
  // In the Buckens frame shapes and rigid motions are M-orthogonal, so Me' = E + B^T (S^T M S) B.
  const Mat6 mass = gram(S, symmetric_product(fe.M, S));
  MatX Me = MatX::Identity(nq, nq) + B.transpose() * mass * B;
  Me = ((Me + Me.transpose()) / 2).eval();
  Eigen::GeneralizedSelfAdjointEigenSolver<MatX> eigen(MatX(basis.omega2.asDiagonal()), Me);
  FrameChange change;
  change.omega2 = eigen.eigenvalues();
  change.V = eigen.eigenvectors();
  change.Phi = tall_product(basis.Phi, change.V);
  subtract_product(S, B * change.V, change.Phi);
  return change;
}

}  // namespace monocoque::reduce

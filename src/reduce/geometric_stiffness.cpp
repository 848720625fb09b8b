#include "reduce/geometric_stiffness.h"

#include <memory>
#include <utility>
#include <vector>

#include <Eigen/Geometry>

#include "core/error.h"
#include "reduce/symmetric_product.h"

namespace monocoque::reduce {

namespace {

using Eigen::Index;
using Mat12 = Eigen::Matrix<double, 12, 12>;

struct AxialElement {
  int a = -1, b = -1;
  Mat12 per_newton;                    ///< K_geo of unit tension, basic axes
  Eigen::Matrix<double, 1, 12> force;  ///< tension from the displacements of both ends
};

Mat12 unit_tension(const Mat3& R, double L, bool bends) {
  Mat12 K = Mat12::Zero();
  const auto plane = [&](int v, int th, double s) {
    const int i[4] = {v, th, v + 6, th + 6};
    const double cubic[4][4] = {{36, 3 * L * s, -36, 3 * L * s},
                                {3 * L * s, 4 * L * L, -3 * L * s, -L * L},
                                {-36, -3 * L * s, 36, -3 * L * s},
                                {3 * L * s, -L * L, -3 * L * s, 4 * L * L}};
    for (int r = 0; r < 4; ++r)
      for (int c = 0; c < 4; ++c)
        K(i[r], i[c]) += bends ? cubic[r][c] / (30 * L) : (r % 2 || c % 2) ? 0 : (r == c ? 1 : -1) / L;
  };
  plane(1, 5, 1);
  plane(2, 4, -1);
  Mat12 T = Mat12::Zero();
  for (int i = 0; i < 4; ++i) T.block<3, 3>(3 * i, 3 * i) = R;
  return T.transpose() * K * T;
}

std::vector<AxialElement> axial_elements(const io::FeMesh& mesh) {
  std::vector<AxialElement> list;
  for (const io::FeElement& e : mesh.elements) {
    if (e.kind != io::ElementKind::rod2 && e.kind != io::ElementKind::beam2) continue;
    const int* nodes = mesh.nodes_of(e);
    const io::FeProperty& property = mesh.properties[static_cast<std::size_t>(e.property)];
    const io::FeMaterial& material = mesh.materials[static_cast<std::size_t>(property.material)];
    Vec3 offset_a = Vec3::Zero(), offset_b = Vec3::Zero();
    if (e.placement >= 0) {
      offset_a = mesh.beams[static_cast<std::size_t>(e.placement)].offset_a_m;
      offset_b = mesh.beams[static_cast<std::size_t>(e.placement)].offset_b_m;
    }
    const Vec3 d = mesh.nodes[static_cast<std::size_t>(nodes[1])].p + offset_b -
                   mesh.nodes[static_cast<std::size_t>(nodes[0])].p - offset_a;
    const double L = d.norm();
    if (!(L > 0)) continue;
    const Vec3 x = d / L, y = x.unitOrthogonal();
    Mat3 R;
    R << x.transpose(), y.transpose(), x.cross(y).transpose();
    // Ends of the element from the nodes: u + theta x offset.
    Mat12 arm = Mat12::Identity();
    arm.block<3, 3>(0, 3) = -skew(offset_a);
    arm.block<3, 3>(6, 9) = -skew(offset_b);
    AxialElement element{nodes[0], nodes[1], {}, {}};
    element.per_newton = arm.transpose() * unit_tension(R, L, e.kind == io::ElementKind::beam2) * arm;
    Eigen::Matrix<double, 1, 12> stretch = Eigen::Matrix<double, 1, 12>::Zero();
    stretch.segment<3>(0) = -x.transpose();
    stretch.segment<3>(6) = x.transpose();
    element.force = material.young_Pa * property.beam.area_m2 / L * stretch * arm;
    list.push_back(element);
  }
  return list;
}

/// K_geo reduced; symmetric by nature, made so exactly.
MatX reduced(const SparseMatrix& K, const MatX& Phi) {
  const MatX k = gram(Phi, symmetric_product(K, Phi));
  return (k + k.transpose()) / 2;
}

/// Loads -M y of the fields that unit w_i w_j make: acceleration w x (w x R) at the nodes.
MatX centrifugal_loads(const FeSystem& fe, const NodeMap& map, const Vec3& origin) {
  constexpr int pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};
  MatX field(fe.size(), 6);
  for (int j = 0; j < fe.size(); ++j) {
    const FeSystem::Unknown& u = map.unknowns()[static_cast<std::size_t>(j)];
    const Vec3 r = fe.positions[static_cast<std::size_t>(u.node)] - origin;
    for (int c = 0; c < 6; ++c) {
      const Vec3 a = Vec3::Unit(pairs[c][0]), b = Vec3::Unit(pairs[c][1]);
      Vec3 acceleration = a.cross(b.cross(r));
      if (pairs[c][0] != pairs[c][1]) acceleration += b.cross(a.cross(r));
      field(j, c) = u.direction.head<3>().dot(acceleration);
    }
  }
  return -symmetric_product(fe.M, field);
}

/// into.first[l](k, column) += sign K(k, l); with `transposed` the row is the column.
void store(const MatX& K, Index column, double sign, bool transposed, io::SidTaylor& into) {
  const Index nq = K.rows();
  if (into.first.empty())
    into.first.assign(static_cast<std::size_t>(nq), MatX::Zero(into.zero.rows(), into.zero.cols()));
  for (Index l = 0; l < nq; ++l) {
    MatX& first = into.first[static_cast<std::size_t>(l)];
    if (transposed)
      first.row(column) += sign * K.col(l).transpose();
    else
      first.col(column) += sign * K.col(l);
  }
}

}  // namespace

GeometricStiffness axial_stiffness(const FeSystem& fe, const io::FeMesh& mesh) {
  const auto elements = std::make_shared<const std::vector<AxialElement>>(axial_elements(mesh));
  // Nodes of mesh and system have the same order.
  if (static_cast<int>(mesh.nodes.size()) != fe.nodes())
    throw Error("geometric stiffness", "mesh and assembled system have different nodes");
  const auto to_nodes = std::make_shared<const SparseMatrix>(fe.to_nodes);
  return [elements, to_nodes](const VecX& displacement) {
    const VecX nodal = *to_nodes * displacement;
    std::vector<Eigen::Triplet<double>> entries;
    for (const AxialElement& e : *elements) {
      Eigen::Matrix<double, 12, 1> u;
      u << nodal.segment<6>(6 * e.a), nodal.segment<6>(6 * e.b);
      const Mat12 K = e.force.dot(u) * e.per_newton;
      for (int i = 0; i < 12; ++i)
        for (int j = 0; j < 12; ++j)
          entries.emplace_back(i < 6 ? 6 * e.a + i : 6 * e.b + i - 6, j < 6 ? 6 * e.a + j : 6 * e.b + j - 6,
                               K(i, j));
    }
    SparseMatrix all(to_nodes->rows(), to_nodes->rows());
    all.setFromTriplets(entries.begin(), entries.end());
    return SparseMatrix(to_nodes->transpose() * all * *to_nodes);
  };
}

void add_geometric_stiffening(const FeSystem& fe, const NodeMap& map, const MatX& Phi, const Vec3& origin_m,
                              const GeometricStiffness& stiffness, const StiffeningOptions& o, io::Sid& sid) {
  SparseMatrix support = determinate_support(fe, map);
  if (o.support.kind == FrameKind::tangent && o.support.nodes.size() == 1) {
    std::vector<NodeComponent> six;
    for (int c = 0; c < 6; ++c) six.push_back({map.node_of(o.support.nodes[0]), c});
    support = map.forms(six);
  }
  const ConstrainedSolver solver(fe, 0, support, o.cholesky);
  const auto stiffness_of = [&](const MatX& loads, Index i) {
    return reduced(stiffness(solver.solve_held(loads.col(i)).col(0)), Phi);
  };
  if (o.accelerations) {
    const MatX loads = -symmetric_product(fe.M, map.rigid_motions(origin_m));
    for (int i = 0; i < 3; ++i) store(stiffness_of(loads, i), i, 1, false, sid.Ct);
    for (int i = 0; i < 3; ++i) store(stiffness_of(loads, 3 + i), i, 1, false, sid.Cr);
  }
  if (o.centrifugal) {
    const MatX loads = centrifugal_loads(fe, map, origin_m);
    for (int i = 0; i < 6; ++i) store(stiffness_of(loads, i), i, 1, false, sid.Oe);
  }
  if (!o.nodal_forces) return;
  for (io::SidNode& node : sid.nodes)
    for (int c = 0; c < 6; ++c) {
      const NodeComponent component{map.node_of(node.id), c};
      if (!map.exists(component)) continue;
      const MatX load = MatX(map.forms({component}).transpose());
      store(stiffness_of(load, 0), c % 3, -1, true, c < 3 ? node.phi : node.psi);
    }
}

}  // namespace monocoque::reduce

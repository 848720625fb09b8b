#include "reduce/sid_from_modes.h"

#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "reduce/symmetric_product.h"

namespace monocoque::reduce {

namespace {

using Eigen::Index;

/// Sums over the mesh that make up the SID; a, b are axes of the angular velocity.
struct Integrals {
  Mat6 rigid;     ///< [S_t S_r0]^T M [S_t S_r0]
  MatX coupling;  ///< Phi^T M [S_t S_r0], nq x 6
  MatX Me;
  MatX J1[3];    ///< [a]: S_r0^T M S_r,a, 3 x nq
  MatX X[3];     ///< [a](k, l) = phi_k^T M S_rl,a
  MatX Y[3][3];  ///< [a][b](l, m) = S_rl,a^T M S_rm,b
};

/// Column l: the field e_a x phi_l at the nodes, no rotation, in the unknowns.
MatX turned_field(const FeSystem& fe, const NodeMap& map, const MatX& nodal, int axis) {
  MatX S = MatX::Zero(fe.size(), nodal.cols());
  // e_a x phi has -phi_c2 along c1 and phi_c1 along c2.
  const int c1 = (axis + 1) % 3, c2 = (axis + 2) % 3;
  for (int j = 0; j < fe.size(); ++j) {
    const FeSystem::Unknown& u = map.unknowns()[static_cast<std::size_t>(j)];
    if (u.direction[c1] != 0) S.row(j) -= u.direction[c1] * nodal.row(3 * u.node + c2);
    if (u.direction[c2] != 0) S.row(j) += u.direction[c2] * nodal.row(3 * u.node + c1);
  }
  return S;
}

MatX nodal_translations(const FeSystem& fe, const MatX& Phi) {
  // The rows of translations alone: half the memory.
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j < fe.to_nodes.outerSize(); ++j)
    for (SparseMatrix::InnerIterator it(fe.to_nodes, j); it; ++it)
      if (it.row() % 6 < 3)
        entries.emplace_back(static_cast<int>(3 * (it.row() / 6) + it.row() % 6), j, it.value());
  SparseMatrix T(3 * fe.nodes(), fe.size());
  T.setFromTriplets(entries.begin(), entries.end());
  return T * Phi;
}

Integrals integrate(const FeSystem& fe, const NodeMap& map, const SidInput& in) {
  Integrals s;
  const MatX S = map.rigid_motions(in.origin_m);
  const MatX MS = symmetric_product(fe.M, S);
  s.rigid = gram(S, MS);
  s.coupling = gram(in.Phi, MS);
  const MatX MPhi = symmetric_product(fe.M, in.Phi);
  s.Me = gram(in.Phi, MPhi);
  const MatX nodal = nodal_translations(fe, in.Phi);
  const MatX MSr = MS.rightCols(3);
  MatX turned[3];
  for (int a = 0; a < 3; ++a) {
    turned[a] = turned_field(fe, map, nodal, a);
    s.J1[a] = gram(MSr, turned[a]);
    s.X[a] = gram(MPhi, turned[a]);
  }
  for (int b = 0; b < 3; ++b) {
    const MatX product = symmetric_product(fe.M, turned[b]);
    for (int a = 0; a <= b; ++a) {
      s.Y[a][b] = gram(turned[a], product);
      if (a < b) s.Y[b][a] = s.Y[a][b].transpose();
    }
  }
  return s;
}

MatX six_of(const Mat3& J) {
  MatX v(6, 1);
  v << J(0, 0), J(1, 1), J(2, 2), J(0, 1), J(0, 2), J(1, 2);
  return v;
}

/// -1/2 w^T J w as coefficients of (w1^2 w2^2 w3^2 w1w2 w2w3 w1w3).
Eigen::Matrix<double, 1, 6> centrifugal_row(const Mat3& J) {
  Eigen::Matrix<double, 1, 6> r;
  r << -J(0, 0) / 2, -J(1, 1) / 2, -J(2, 2) / 2, -J(0, 1), -J(1, 2), -J(0, 2);
  return r;
}

Mat3 inertia_first(const Integrals& s, Index l) {
  Mat3 A;
  for (int a = 0; a < 3; ++a) A.col(a) = s.J1[a].col(l);
  return A + A.transpose();
}

Mat3 inertia_second(const Integrals& s, Index l, Index m) {
  Mat3 A;
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) A(a, b) = s.Y[a][b](l, m);
  return A + A.transpose();
}

void fill_inertia(const Integrals& s, bool second_order, io::Sid& sid) {
  const Index nq = sid.nq;
  sid.mass_kg = s.rigid.topLeftCorner<3, 3>().trace() / 3;
  // M_rt = S_r0^T M S_t = skew(m c)
  const Mat3 mc = s.rigid.bottomLeftCorner<3, 3>();
  sid.mdCM.zero = Vec3((mc(2, 1) - mc(1, 2)) / 2, (mc(0, 2) - mc(2, 0)) / 2, (mc(1, 0) - mc(0, 1)) / 2);
  sid.Ct.zero = s.coupling.leftCols(3);
  sid.Cr.zero = s.coupling.rightCols(3);
  sid.Me.zero = (s.Me + s.Me.transpose()) / 2;
  sid.J.zero = six_of(s.rigid.bottomRightCorner<3, 3>());
  for (Index l = 0; l < nq; ++l) {
    sid.mdCM.first.emplace_back(sid.Ct.zero.row(l).transpose());
    sid.J.first.push_back(six_of(inertia_first(s, l)));
    MatX Cr1(nq, 3);
    // Antisymmetric in (k, l) by nature for lumped masses; otherwise made so: there is a Lagrangian then.
    for (int a = 0; a < 3; ++a) Cr1.col(a) = (s.X[a].col(l) - s.X[a].row(l).transpose()) / 2;
    sid.Cr.first.push_back(std::move(Cr1));
    if (second_order)
      for (Index m = 0; m <= l; ++m) sid.J.second.push_back(six_of(inertia_second(s, l, m)));
  }
}

void fill_velocity_terms(const Integrals& s, bool second_order, io::Sid& sid) {
  const Index nq = sid.nq;
  sid.Gr.zero.resize(3, 3 * nq);
  sid.Ge.zero.resize(nq, 3 * nq);
  sid.Oe.zero.resize(nq, 6);
  for (Index l = 0; l < nq; ++l) {
    const Mat3 J1 = inertia_first(s, l);
    const Vec3 cr = sid.Cr.zero.row(l).transpose();
    sid.Gr.zero.middleCols(3 * l, 3) = J1 - skew(cr);
    sid.Ge.zero.middleCols(3 * l, 3) = 2 * sid.Cr.first[static_cast<std::size_t>(l)];
    sid.Oe.zero.row(l) = centrifugal_row(J1);
  }
  for (Index m = 0; m < nq; ++m) {
    MatX Gr(3, 3 * nq), Oe(nq, 6);
    for (Index l = 0; l < nq; ++l) {
      const Mat3 J2 = inertia_second(s, l, m);
      const Vec3 cr = sid.Cr.first[static_cast<std::size_t>(m)].row(l).transpose();
      Gr.middleCols(3 * l, 3) = J2 - skew(cr);
      Oe.row(l) = centrifugal_row(J2);
    }
    if (second_order) sid.Gr.first.push_back(std::move(Gr));
    sid.Oe.first.push_back(std::move(Oe));
  }
}

void check_input(const FeSystem& fe, const NodeMap& map, const SidInput& in) {
  if (in.Phi.rows() != fe.size() || in.Ke.rows() != in.Phi.cols() || in.Ke.cols() != in.Phi.cols())
    throw Error("SID '" + in.name + "'", "the sizes of shapes, stiffness and mesh do not fit together");
  if (const double defect = map.rigid_defect(); defect > kRigidDefect)
    throw Error(
        "SID '" + in.name + "'",
        fmt::format(
            "supports or springs to the ground hold the mesh (rigid motion takes {:.2g} of the energy "
            "of single unknowns)",
            defect),
        "take the supports out of the mesh: joints of the mechanism hold the body");
}

}  // namespace

io::SidNode sid_node(const FeSystem& fe, const NodeMap& map, const MatX& Phi, int node,
                     const Vec3& origin_m) {
  io::SidNode n;
  n.id = fe.node_ids[static_cast<std::size_t>(node)];
  std::vector<NodeComponent> components;
  for (int c = 0; c < 6; ++c) components.push_back({node, c});
  const MatX shape = map.forms(components) * Phi;
  n.origin.zero = fe.positions[static_cast<std::size_t>(node)] - origin_m;
  n.phi.zero = shape.topRows(3);
  n.psi.zero = shape.bottomRows(3);
  n.AP.zero = Mat3::Identity();
  for (Index l = 0; l < Phi.cols(); ++l) {
    n.origin.first.emplace_back(n.phi.zero.col(l));
    n.AP.first.emplace_back(skew(n.psi.zero.col(l)));
  }
  return n;
}

io::Sid sid_from_modes(const FeSystem& fe, const NodeMap& map, const SidInput& in) {
  check_input(fe, map, in);
  io::Sid sid;
  sid.name = in.name;
  sid.nq = static_cast<int>(in.Phi.cols());
  sid.mode_names = in.names;
  for (int l = static_cast<int>(sid.mode_names.size()); l < sid.nq; ++l)
    sid.mode_names.push_back(fmt::format("Mode {}", l + 1));
  const Integrals sums = integrate(fe, map, in);
  fill_inertia(sums, in.second_order, sid);
  fill_velocity_terms(sums, in.second_order, sid);
  sid.ksigma.zero = MatX::Zero(sid.nq, 1);
  sid.Ke.zero = in.Ke;
  sid.De.zero = in.De.size() > 0 ? in.De : MatX::Zero(sid.nq, sid.nq);
  for (const int node : in.retained) sid.nodes.push_back(sid_node(fe, map, in.Phi, node, in.origin_m));
  return sid;
}

}  // namespace monocoque::reduce

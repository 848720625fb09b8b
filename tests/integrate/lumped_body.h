#pragma once
// A flexible body made of nodes with mass and rotary inertia and arbitrary shapes: its SID by plain sums over
// the nodes, and the judge of everything computed from that SID.

#include <random>
#include <vector>

#include <Eigen/Geometry>

#include "io/body/sid.h"
#include "model/flexible_body.h"

namespace monocoque::test {

struct LumpedNode {
  Vec3 R;
  double mass;
  Mat3 inertia;  ///< body axes
  Mat3X Phi, Psi;
};

struct LumpedBody {
  std::vector<LumpedNode> nodes;
  int nq = 0;
  MatX Ke, De;

  LumpedBody() = default;
  explicit LumpedBody(int node_count, int modes, unsigned seed) : nq(modes) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    const auto matrix = [&](Eigen::Index r, Eigen::Index c, double size) {
      MatX A(r, c);
      for (double& x : A.reshaped()) x = size * normal(random);
      return A;
    };
    for (int k = 0; k < node_count; ++k) {
      LumpedNode n;
      n.R = 0.4 * Vec3(matrix(3, 1, 1));
      n.mass = 0.2 + 0.3 * std::abs(normal(random));
      const Mat3 A = matrix(3, 3, 0.1);
      n.inertia = A * A.transpose() + 0.002 * Mat3::Identity();
      n.Phi = matrix(3, nq, 0.3);
      n.Psi = matrix(3, nq, 0.5);
      nodes.push_back(n);
    }
    const MatX A = matrix(nq, nq, 3), B = matrix(nq, nq, 0.5);
    Ke = A * A.transpose() + 5 * MatX::Identity(nq, nq);
    De = B * B.transpose();
  }

  double mass() const {
    double m = 0;
    for (const LumpedNode& n : nodes) m += n.mass;
    return m;
  }

  static Vec6 entries(const Mat3& J) {
    Vec6 e;
    e << J(0, 0), J(1, 1), J(2, 2), J(0, 1), J(0, 2), J(1, 2);
    return e;
  }
  static Mat3 pair(const Vec3& a, const Vec3& b) { return -skew(a) * skew(b); }

  io::Sid sid() const {
    io::Sid s;
    s.name = "lumped body";
    s.mass_kg = mass();
    s.nq = nq;
    const auto zero = [](io::SidTaylor& t, int r, int c) { t.zero = MatX::Zero(r, c); };
    const auto first = [&](io::SidTaylor& t, int r, int c) {
      zero(t, r, c);
      t.first.assign(static_cast<std::size_t>(nq), MatX::Zero(r, c));
    };
    first(s.mdCM, 3, 1);
    first(s.J, 6, 1);
    s.J.second.assign(static_cast<std::size_t>(nq * (nq + 1) / 2), MatX::Zero(6, 1));
    zero(s.Ct, nq, 3);
    first(s.Cr, nq, 3);
    zero(s.Me, nq, nq);
    first(s.Gr, 3, 3 * nq);
    zero(s.Ge, nq, 3 * nq);
    first(s.Oe, nq, 6);
    zero(s.ksigma, nq, 1);
    s.Ke.zero = Ke;
    s.De.zero = De;
    for (const LumpedNode& n : nodes) add(n, s);
    long id = 1;
    for (const LumpedNode& n : nodes) s.nodes.push_back(node(n, id++));
    return s;
  }

  io::SidNode node(const LumpedNode& n, long id) const {
    io::SidNode out;
    out.id = id;
    out.origin.zero = n.R;
    for (int l = 0; l < nq; ++l) out.origin.first.push_back(n.Phi.col(l));
    out.phi.zero = n.Phi;
    out.psi.zero = n.Psi;
    out.AP.zero = Mat3::Identity();
    return out;
  }

 private:
  /// The integrals of table 2.1 as they are defined, one node at a time.
  void add(const LumpedNode& n, io::Sid& s) const {
    const double m = n.mass;
    const auto at = [](int l) { return static_cast<std::size_t>(l); };
    s.mdCM.zero += m * n.R;
    s.J.zero += m * entries(pair(n.R, n.R)) + entries(n.inertia);
    s.Ct.zero += m * n.Phi.transpose();
    s.Cr.zero += m * n.Phi.transpose() * skew(n.R).transpose() + n.Psi.transpose() * n.inertia;
    s.Me.zero += m * n.Phi.transpose() * n.Phi + n.Psi.transpose() * n.inertia * n.Psi;
    for (int l = 0; l < nq; ++l) {
      const Vec3 phi = n.Phi.col(l);
      s.mdCM.first[at(l)] += m * phi;
      const Mat3 J1 = pair(n.R, phi) + pair(phi, n.R);
      s.J.first[at(l)] += m * entries(J1);
      for (int k = 0; k < nq; ++k) {
        const Vec3 other = n.Phi.col(k);
        // row k of Cr1_l: phi_k^T (phi_l~)^T
        const Eigen::RowVector3d c = -m * other.transpose() * skew(phi);
        s.Cr.first[at(l)].row(k) += c;
        s.Ge.zero.block(k, 3 * l, 1, 3) += 2 * c;
      }
      // 2 int r~ phi_l~^T with r = R + Phi q, and the moment of momentum of the nodes' own turning
      const Vec3 turning = n.inertia * n.Psi.col(l);
      s.Gr.zero.middleCols(3 * l, 3) += -2 * m * skew(n.R) * skew(phi) - skew(turning);
      for (int k = 0; k < nq; ++k)
        s.Gr.first[at(k)].middleCols(3 * l, 3) += -2 * m * skew(Vec3(n.Phi.col(k))) * skew(phi);
      for (int k = 0; k <= l; ++k)
        s.J.second[at(l * (l + 1) / 2 + k)] += m * entries(pair(phi, n.Phi.col(k)) + pair(n.Phi.col(k), phi));
    }
    // phi_k . (w x (w x r)) by the products of w
    const auto centrifugal = [&](const Vec3& r) {
      MatX O(nq, 6);
      O.col(0) = n.Phi.transpose() * Vec3(0, -r[1], -r[2]);
      O.col(1) = n.Phi.transpose() * Vec3(-r[0], 0, -r[2]);
      O.col(2) = n.Phi.transpose() * Vec3(-r[0], -r[1], 0);
      O.col(3) = n.Phi.transpose() * Vec3(r[1], r[0], 0);
      O.col(4) = n.Phi.transpose() * Vec3(0, r[2], r[1]);
      O.col(5) = n.Phi.transpose() * Vec3(r[2], 0, r[0]);
      return MatX(m * O);
    };
    s.Oe.zero += centrifugal(n.R);
    for (int l = 0; l < nq; ++l) s.Oe.first[at(l)] += centrifugal(n.Phi.col(l));
  }
};

}  // namespace monocoque::test

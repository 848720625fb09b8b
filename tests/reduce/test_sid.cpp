// The SID against the sum over all nodes: every term of the equations of motion at random states.

#include <gtest/gtest.h>

#include "core/error.h"
#include "frame_model.h"
#include "io/body/sid.h"
#include "reduce/sid_from_modes.h"

namespace monocoque {
namespace {

using reduce::NodeMap;
using reduce::SidInput;

constexpr int kShapes = 7;
using Shape = Eigen::Matrix<double, 3, Eigen::Dynamic>;

MatX at(const io::SidTaylor& t, const VecX& q) {
  MatX x = t.zero;
  for (std::size_t l = 0; l < t.first.size(); ++l) x += t.first[l] * q[static_cast<int>(l)];
  if (!t.second.empty())
    for (int l = 0; l < q.size(); ++l)
      for (int m = 0; m < q.size(); ++m) {
        const int i = std::max(l, m), j = std::min(l, m);
        x += t.second[static_cast<std::size_t>(i * (i + 1) / 2 + j)] * (q[l] * q[m] / 2);
      }
  return x;
}

Mat3 tensor(const MatX& v) {
  Mat3 J;
  J << v(0), v(3), v(4), v(3), v(1), v(5), v(4), v(5), v(2);
  return J;
}

MatX mass_matrix(const io::Sid& sid, const VecX& q) {
  const int nq = sid.nq;
  MatX M(6 + nq, 6 + nq);
  const Mat3 mc = skew(at(sid.mdCM, q));
  const MatX Ct = at(sid.Ct, q), Cr = at(sid.Cr, q);
  M << sid.mass_kg * Mat3::Identity(), mc.transpose(), Ct.transpose(),  //
      mc, tensor(at(sid.J, q)), Cr.transpose(),                         //
      Ct, Cr, sid.Me.zero;
  return M;
}

/// Right-hand side of M (a, w_dot, q_ddot) = h, a being the acceleration of the origin.
VecX velocity_forces(const io::Sid& sid, const VecX& q, const Vec3& w, const VecX& qd) {
  const int nq = sid.nq;
  VecX h = VecX::Zero(6 + nq);
  const Vec3 mc = at(sid.mdCM, q);
  h.head(3) = -2 * w.cross(Vec3(sid.Ct.zero.transpose() * qd)) - w.cross(w.cross(mc));
  const Mat3 J = tensor(at(sid.J, q));
  const MatX Gr = at(sid.Gr, q), Ge = at(sid.Ge, q);
  h.segment(3, 3) = -w.cross(J * w);
  for (int l = 0; l < nq; ++l) {
    h.segment(3, 3) -= Gr.middleCols(3 * l, 3) * w * qd[l];
    h.tail(nq) -= Ge.middleCols(3 * l, 3) * w * qd[l];
  }
  VecX wq(6);
  wq << w[0] * w[0], w[1] * w[1], w[2] * w[2], w[0] * w[1], w[1] * w[2], w[0] * w[2];
  h.tail(nq) -= at(sid.Oe, q) * wq;
  return h;
}

struct Lumped {
  FeSystem fe;
  MatX Phi;
  io::Sid sid;
};

Lumped lumped_body() {
  test::FrameModel f = test::box_frame(2, 2, 1, test::Bar());
  test::lump(f, 5);
  Lumped b;
  b.fe = f.system();
  b.Phi = test::random_matrix(b.fe.size(), kShapes, 8);
  const NodeMap map(b.fe);
  SidInput in;
  in.Phi = b.Phi;
  in.Ke = MatX::Identity(kShapes, kShapes);
  in.retained = {0, 4};
  b.sid = reduce::sid_from_modes(b.fe, map, in);
  return b;
}

struct Motion {
  VecX q, qd;
  Vec3 w;
};

Motion motion(unsigned seed) {
  const MatX r = test::random_matrix(kShapes, 3, seed);
  return {0.7 * r.col(0), 2 * r.col(1), Vec3(3 * r.col(2).head(3))};
}

/// Sum over nodes of T^T m (T z_dot + zeta), the mass matrix and -zeta part, by Jourdain's principle. The
/// rotary part follows from T = 1/2 w_k^T Theta w_k, w_k = w + Psi q_dot, Theta constant in body axes.
void nodal_sum(const Lumped& b, const Motion& s, MatX& M, VecX& h) {
  const int n = 6 + kShapes;
  M = MatX::Zero(n, n);
  h = VecX::Zero(n);
  for (int k = 0; k < b.fe.nodes(); ++k) {
    const Shape phi = b.Phi.middleRows(6 * k, 3), psi = b.Phi.middleRows(6 * k + 3, 3);
    const double m = b.fe.M.coeff(6 * k, 6 * k);
    const Mat3 theta = MatX(b.fe.M).block<3, 3>(6 * k + 3, 6 * k + 3);
    const Vec3 r = b.fe.positions[static_cast<std::size_t>(k)] + phi * s.q;
    MatX T(3, n), Tr(3, n);
    T << Mat3::Identity(), -skew(r), phi;
    Tr << Mat3::Zero(), Mat3::Identity(), psi;
    M += m * T.transpose() * T + Tr.transpose() * theta * Tr;
    const Vec3 zeta = s.w.cross(2 * phi * s.qd + s.w.cross(r));
    h -= m * T.transpose() * zeta;
    h.segment(3, 3) -= s.w.cross(theta * (s.w + psi * s.qd));
  }
}

TEST(SidFromModes, MassMatrixIsTheNodalSum) {
  const Lumped b = lumped_body();
  for (unsigned seed = 1; seed < 6; ++seed) {
    const Motion s = motion(seed);
    MatX M;
    VecX h;
    nodal_sum(b, s, M, h);
    EXPECT_LT((mass_matrix(b.sid, s.q) - M).norm() / M.norm(), 1e-13);  // rounding only
  }
}

TEST(SidFromModes, VelocityForcesAreTheNodalSum) {
  const Lumped b = lumped_body();
  for (unsigned seed = 1; seed < 6; ++seed) {
    const Motion s = motion(seed);
    MatX M;
    VecX h;
    nodal_sum(b, s, M, h);
    const VecX ours = velocity_forces(b.sid, s.q, s.w, s.qd);
    for (int part = 0; part < 3; ++part) {
      const int first = 3 * part, size = part < 2 ? 3 : kShapes;
      EXPECT_LT((ours - h).segment(first, size).norm() / h.segment(first, size).norm(), 1e-12) << part;
    }
  }
}

TEST(SidFromModes, GravityIsTheNodalSum) {
  const Lumped b = lumped_body();
  const Motion s = motion(11);
  const Vec3 g(1.3, -2.1, 9.4);
  VecX sum = VecX::Zero(6 + kShapes);
  for (int k = 0; k < b.fe.nodes(); ++k) {
    const Shape phi = b.Phi.middleRows(6 * k, 3);
    const Vec3 force = b.fe.M.coeff(6 * k, 6 * k) * g;
    const Vec3 r = b.fe.positions[static_cast<std::size_t>(k)] + phi * s.q;
    sum.head(3) += force;
    sum.segment(3, 3) += r.cross(force);
    sum.tail(kShapes) += phi.transpose() * force;
  }
  // The translational column of the mass matrix times g.
  const VecX ours = mass_matrix(b.sid, s.q).leftCols(3) * g;
  EXPECT_LT((ours - sum).norm() / sum.norm(), 1e-13);
}

/// With any M the equations must follow from T = z^T M(q) z / 2: power of the velocity forces is -z^T M_dot z
/// / 2, taken at v = 0 where a and v_dot agree.
TEST(SidFromModes, VelocityForcesDoTheWorkOfTheChangingMass) {
  test::FrameModel f = test::box_frame(2, 1, 1, test::Bar());
  const FeSystem fe = f.system();
  const NodeMap map(fe);
  SidInput in;
  in.Phi = test::random_matrix(fe.size(), kShapes, 8);
  in.Ke = MatX::Identity(kShapes, kShapes);
  const io::Sid sid = reduce::sid_from_modes(fe, map, in);
  const Motion s = motion(3);
  VecX z(6 + kShapes);
  z << Vec3::Zero(), s.w, s.qd;
  const double step = 1e-4;
  const double rate =
      (z.dot(mass_matrix(sid, s.q + step * s.qd) * z) - z.dot(mass_matrix(sid, s.q - step * s.qd) * z)) /
      (2 * step);
  const double power = z.dot(velocity_forces(sid, s.q, s.w, s.qd));
  EXPECT_NEAR(power, -rate / 2, 1e-8 * std::abs(power));  // M is quadratic in q: the difference only rounds
}

TEST(SidFromModes, OfAConsistentMassHasTheBodysMassCentreAndInertia) {
  const double L = 1.7;
  const test::Bar bar;
  test::FrameModel f = test::straight_beam(9, L, bar);
  const FeSystem fe = f.system();
  const NodeMap map(fe);
  SidInput in;
  in.Phi = test::random_matrix(fe.size(), 2, 4);
  in.Ke = MatX::Identity(2, 2);
  in.second_order = false;
  const io::Sid sid = reduce::sid_from_modes(fe, map, in);
  const double m = bar.rho * bar.A * L;
  EXPECT_NEAR(sid.mass_kg, m, 1e-12 * m);
  EXPECT_NEAR(sid.mdCM.zero(0), m * L / 2, 1e-12 * m);
  EXPECT_NEAR(sid.J.zero(1), m * L * L / 3, 1e-12 * m);
  EXPECT_NEAR(sid.J.zero(2), m * L * L / 3, 1e-12 * m);
  EXPECT_TRUE(sid.J.second.empty());
}

TEST(SidFromModes, KeepsTheIdentitiesOfPublishedFiles) {
  const Lumped b = lumped_body();
  for (int l = 0; l < kShapes; ++l) {
    const auto i = static_cast<std::size_t>(l);
    const Mat3 Gr = b.sid.Gr.zero.middleCols(3 * l, 3);
    EXPECT_LT(((Gr + Gr.transpose()) / 2 - tensor(b.sid.J.first[i])).norm(), 1e-12);
    EXPECT_LT((b.sid.Ge.zero.middleCols(3 * l, 3) - 2 * b.sid.Cr.first[i]).norm(), 1e-12);
    EXPECT_LT((b.sid.mdCM.first[i] - b.sid.Ct.zero.row(l).transpose()).norm(), 1e-12);
  }
}

TEST(SidFromModes, NodesCarryTheirShapes) {
  const Lumped b = lumped_body();
  ASSERT_EQ(b.sid.nodes.size(), 2U);
  const io::SidNode& n = b.sid.nodes[1];
  EXPECT_EQ(n.id, 104);
  EXPECT_LT((n.phi.zero - b.Phi.middleRows(24, 3)).norm(), 1e-15);
  EXPECT_LT((n.psi.zero - b.Phi.middleRows(27, 3)).norm(), 1e-15);
  EXPECT_LT((n.AP.first[2] - skew(b.Phi.block<3, 1>(27, 2))).norm(), 1e-15);
}

TEST(SidFromModes, RefusesAMeshWithSupports) {
  test::FrameModel f = test::straight_beam(3, 1, test::Bar());
  FeSystem fe = f.system();
  // Node 0 held: its six unknowns leave.
  fe.K = SparseMatrix(fe.K.bottomRightCorner(18, 18));
  fe.M = SparseMatrix(fe.M.bottomRightCorner(18, 18));
  fe.to_nodes = SparseMatrix(fe.to_nodes.rightCols(18));
  const NodeMap map(fe);
  SidInput in;
  in.Phi = MatX::Ones(18, 1);
  in.Ke = MatX::Identity(1, 1);
  try {
    reduce::sid_from_modes(fe, map, in);
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("hold the mesh"), std::string::npos);
  }
}

}  // namespace
}  // namespace monocoque

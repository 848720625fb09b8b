#include <cmath>

#include <numbers>

#include <gtest/gtest.h>

#include "core/decompositions.h"
#include "frame_model.h"
#include "reduce/reduce_body.h"
#include "support/complaint.h"

namespace monocoque {
namespace {

using reduce::DynamicModes;
using reduce::FrameKind;
using reduce::NodeMap;
using reduce::ReducedBody;
using reduce::ReduceOptions;
using reduce::StaticModes;
using test::complaint;

/// Box frame of 4 x 3 x 2 cells; corners are nodes 100, 104, 115, 119 below and 140 ... above.
FeSystem box() {
  return test::box_frame(4, 3, 2, test::Bar()).system();
}

ReduceOptions four_corners(int modes) {
  ReduceOptions o;
  for (const long id : {100L, 104L, 115L, 159L}) o.boundary.push_back({id, 7});
  o.interface_nodes = {107, 130};
  o.modes = modes;
  return o;
}

VecX full_spectrum(const FeSystem& fe) {
  return Eigen::GeneralizedSelfAdjointEigenSolver<MatX>(MatX(fe.K), MatX(fe.M)).eigenvalues();
}

void expect_orthonormal(const FeSystem& fe, const ReducedBody& body) {
  const Eigen::Index n = body.Phi.cols();
  const MatX Me = body.Phi.transpose() * fe.M * body.Phi, Ke = body.Phi.transpose() * fe.K * body.Phi;
  EXPECT_LT((Me - MatX::Identity(n, n)).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT((Ke - body.sid.Ke.zero).cwiseAbs().maxCoeff(), 1e-9 * body.sid.Ke.zero.cwiseAbs().maxCoeff());
}

TEST(CraigBampton, RemovesSixRigidMotionsAndIsOrthonormal) {
  const FeSystem fe = box();
  const ReducedBody body = reduce::reduce_body(fe, NodeMap(fe), four_corners(20));
  EXPECT_EQ(body.static_count, 12);
  EXPECT_EQ(body.dynamic_count, 20);
  EXPECT_EQ(body.sid.nq, 26);
  EXPECT_EQ(body.sid.nodes.size(), 6U);
  expect_orthonormal(fe, body);
}

TEST(CraigBampton, FrequenciesConvergeFromAbove) {
  const FeSystem fe = box();
  const NodeMap map(fe);
  const VecX full = full_spectrum(fe);
  VecX last = VecX::Constant(10, 1e300);
  for (const int modes : {5, 10, 20, 40}) {
    const ReducedBody body = reduce::reduce_body(fe, map, four_corners(modes));
    for (int i = 0; i < 10; ++i) {
      const double w2 = body.basis.omega2[i];
      EXPECT_GT(w2, full[6 + i] * (1 - 1e-9));
      EXPECT_LT(w2, last[i] * (1 + 1e-9));
      last[i] = w2;
    }
  }
  // Slow here: each ball-jointed corner of the lattice is soft. A welded shell box does far better.
  for (int i = 0; i < 10; ++i) EXPECT_LT(std::sqrt(last[i] / full[6 + i]) - 1, 5e-3) << i;
}

TEST(CraigBampton, IsExactWithAllHeldModes) {
  test::FrameModel f = test::box_frame(2, 1, 1, test::Bar());
  test::lump(f, 4);
  const FeSystem fe = f.system();
  ReduceOptions o;
  for (const long id : {100L, 102L, 105L}) o.boundary.push_back({id, 63});
  o.modes = fe.size();
  const ReducedBody body = reduce::reduce_body(fe, NodeMap(fe), o);
  const VecX full = full_spectrum(fe);
  ASSERT_EQ(body.sid.nq, fe.size() - 6);
  for (int i = 0; i < body.sid.nq; ++i) EXPECT_NEAR(body.basis.omega2[i], full[6 + i], 1e-7 * full[6 + i]);
}

TEST(CraigBampton, GivesTheStaticStiffnessBetweenBoundaryNodesExactly) {
  const FeSystem fe = box();
  const NodeMap map(fe);
  const ReducedBody body = reduce::reduce_body(fe, map, four_corners(3));
  // Balanced pair of forces along the line between two corners: stretch from the full and the reduced model.
  const Vec3 d = (fe.positions[59] - fe.positions[0]).normalized();
  VecX f = VecX::Zero(fe.size());
  f.segment(0, 3) = -d;
  f.segment(6 * 59, 3) = d;
  const VecX modal = body.Phi.transpose() * f;
  const double reduced = modal.dot(body.basis.omega2.cwiseInverse().cwiseProduct(modal));
  Eigen::CompleteOrthogonalDecomposition<MatX> cod{MatX(fe.K)};
  cod.setThreshold(1e-12);
  const double full = f.dot(cod.solve(f));
  EXPECT_NEAR(reduced, full, 1e-7 * full);
}

TEST(Reduction, AttachmentModesCarryTheStaticResponseToo) {
  const FeSystem fe = box();
  ReduceOptions o = four_corners(4);
  o.statics = StaticModes::attachment;
  o.dynamics = DynamicModes::free;
  const NodeMap map(fe);
  const ReducedBody body = reduce::reduce_body(fe, map, o);
  EXPECT_EQ(body.sid.nq, 12 + 4);
  expect_orthonormal(fe, body);
  VecX f = VecX::Zero(fe.size());
  f[2] = 1;
  f[6 * 4 + 2] = -1;
  const VecX balanced = reduce::balanced_loads(fe, map, f);
  const VecX modal = body.Phi.transpose() * balanced;
  const double reduced = modal.dot(body.basis.omega2.cwiseInverse().cwiseProduct(modal));
  Eigen::CompleteOrthogonalDecomposition<MatX> cod{MatX(fe.K)};
  cod.setThreshold(1e-12);
  const VecX u = cod.solve(balanced);
  EXPECT_NEAR(reduced, balanced.dot(u), 1e-7 * balanced.dot(u));
  const VecX full = full_spectrum(fe);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(body.basis.omega2[i], full[6 + i], 1e-8 * full[6 + i]);
}

TEST(Reduction, KrylovMatchesMomentsAtTheInputs) {
  const FeSystem fe = box();
  const NodeMap map(fe);
  ReduceOptions o = four_corners(0);
  o.interface_nodes.clear();
  o.statics = StaticModes::none;
  o.dynamics = DynamicModes::krylov;
  o.krylov_order = 3;
  const ReducedBody body = reduce::reduce_body(fe, map, o);
  expect_orthonormal(fe, body);
  // Compliance of the elastic modes at an input: moments b^T omega^-2j b for j = 1 .. 2 order.
  Eigen::GeneralizedSelfAdjointEigenSolver<MatX> full{MatX(fe.K), MatX(fe.M)};
  const VecX b = full.eigenvectors().row(1).transpose().tail(fe.size() - 6);
  const VecX w = full.eigenvalues().tail(fe.size() - 6);
  const VecX r = body.Phi.row(1).transpose();
  for (int j = 1; j <= 2 * o.krylov_order; ++j) {
    const double exact = (b.array().square() * w.array().pow(-j)).sum();
    const double ours = (r.array().square() * body.basis.omega2.array().pow(-j)).sum();
    EXPECT_NEAR(ours, exact, 1e-6 * exact) << j;
  }
}

TEST(Reduction, FurtherKrylovKeepsTheInterfaceResponse) {
  const FeSystem fe = box();
  const NodeMap map(fe);
  ReduceOptions o = four_corners(60);
  o.interface_nodes.clear();
  const ReducedBody large = reduce::reduce_body(fe, map, o);
  o.further_krylov_order = 2;
  const ReducedBody small = reduce::reduce_body(fe, map, o);
  EXPECT_LT(small.sid.nq, large.sid.nq / 2);
  const double w2 = 0.5 * large.basis.omega2[0];
  const auto compliance = [&](const ReducedBody& body) {
    const VecX r = body.Phi.row(2).transpose();
    return (r.array().square() / (body.basis.omega2.array() - w2)).sum();
  };
  EXPECT_NEAR(compliance(small), compliance(large), 1e-4 * std::abs(compliance(large)));
}

TEST(Reduction, KeepsWhatTheErrorBoundNeeds) {
  const FeSystem fe = box();
  const NodeMap map(fe);
  ReduceOptions o = four_corners(60);
  o.band_Hz = std::sqrt(full_spectrum(fe)[12]) / (2 * std::numbers::pi);
  o.error_bound = 1e-1;
  const int rough = reduce::reduce_body(fe, map, o).sid.nq;
  o.error_bound = 1e-3;
  const int fine = reduce::reduce_body(fe, map, o).sid.nq;
  EXPECT_LT(rough, fine);
  EXPECT_LE(fine, 66);
  EXPECT_GE(rough, 6);
}

TEST(Reduction, TakesModesByNumber) {
  const FeSystem fe = box();
  ReduceOptions o;
  o.statics = StaticModes::none;
  o.dynamics = DynamicModes::free;
  o.modes = 6;
  o.numbers = {1, 4};
  const ReducedBody body = reduce::reduce_body(fe, NodeMap(fe), o);
  const VecX full = full_spectrum(fe);
  ASSERT_EQ(body.sid.nq, 2);
  EXPECT_NEAR(body.sid.Ke.zero(1, 1), full[6 + 3], 1e-8 * full[6 + 3]);
  o.numbers = {7};
  EXPECT_NE(complaint([&] { reduce::reduce_body(fe, NodeMap(fe), o); }).find("number 7"), std::string::npos);
}

TEST(Frames, BuckensHasNoCouplingOfFirstOrder) {
  const FeSystem fe = box();
  const ReducedBody body = reduce::reduce_body(fe, NodeMap(fe), four_corners(20));
  EXPECT_LT(body.sid.Ct.zero.cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LT(body.sid.Cr.zero.cwiseAbs().maxCoeff(), 1e-10);
}

TEST(Frames, TangentAndNodeFixedHoldTheirNodes) {
  const FeSystem fe = box();
  const NodeMap map(fe);
  ReduceOptions o = four_corners(20);
  o.frame = {FrameKind::tangent, {130}};
  const ReducedBody tangent = reduce::reduce_body(fe, map, o);
  EXPECT_LT(tangent.Phi.middleRows(6 * 30, 6).cwiseAbs().maxCoeff(), 1e-10);
  expect_orthonormal(fe, tangent);

  o.frame = {FrameKind::fixed, {100, 104, 115}};
  const ReducedBody fixed = reduce::reduce_body(fe, map, o);
  EXPECT_LT(fixed.Phi.middleRows(0, 3).cwiseAbs().maxCoeff(), 1e-10);
  const Vec3 axis = (fe.positions[4] - fe.positions[0]).normalized();
  const MatX at_b = fixed.Phi.middleRows(6 * 4, 3);
  EXPECT_LT((at_b - axis * (axis.transpose() * at_b)).cwiseAbs().maxCoeff(), 1e-10);

  o.frame = {FrameKind::fixed, {100, 159}};
  const ReducedBody chord = reduce::reduce_body(fe, map, o);
  EXPECT_LT(chord.Phi.middleRows(0, 3).cwiseAbs().maxCoeff(), 1e-10);
  o.frame = {FrameKind::fixed, {100, 104, 115, 159}};
  const ReducedBody mean = reduce::reduce_body(fe, map, o);
  const MatX sum = mean.Phi.middleRows(0, 3) + mean.Phi.middleRows(24, 3) + mean.Phi.middleRows(90, 3) +
                   mean.Phi.middleRows(354, 3);
  EXPECT_LT(sum.cwiseAbs().maxCoeff(), 1e-10);
}

/// The frame is a matter of description: the free body's frequencies from (M, K) with the rigid coordinates
/// agree.
TEST(Frames, DoNotChangeTheFreeBodysFrequencies) {
  const FeSystem fe = box();
  const NodeMap map(fe);
  ReduceOptions o = four_corners(10);
  const VecX buckens = reduce::reduce_body(fe, map, o).basis.omega2;
  o.frame = {FrameKind::tangent, {100}};
  const ReducedBody body = reduce::reduce_body(fe, map, o);
  const int nq = body.sid.nq;
  const io::Sid& sid = body.sid;
  MatX M = MatX::Zero(6 + nq, 6 + nq), K = M;
  Mat3 J;
  J << sid.J.zero(0), sid.J.zero(3), sid.J.zero(4), sid.J.zero(3), sid.J.zero(1), sid.J.zero(5),
      sid.J.zero(4), sid.J.zero(5), sid.J.zero(2);
  const Mat3 mc = skew(Vec3(sid.mdCM.zero));
  M << sid.mass_kg * Mat3::Identity(), mc.transpose(), sid.Ct.zero.transpose(), mc, J,
      sid.Cr.zero.transpose(), sid.Ct.zero, sid.Cr.zero, sid.Me.zero;
  K.bottomRightCorner(nq, nq) = sid.Ke.zero;
  const VecX w2 = Eigen::GeneralizedSelfAdjointEigenSolver<MatX>(K, M).eigenvalues();
  for (int i = 0; i < nq; ++i) EXPECT_NEAR(w2[6 + i], buckens[i], 1e-7 * buckens[i]);
}

TEST(Damping, IsModalInTheBuckensFrameAndCarriedToOthers) {
  const FeSystem fe = box();
  const NodeMap map(fe);
  ReduceOptions o = four_corners(5);
  o.damping.ratios = {0.01, 0.03};
  o.damping.beta_s = 1e-5;
  const ReducedBody body = reduce::reduce_body(fe, map, o);
  const double w2 = body.basis.omega2[3];
  EXPECT_NEAR(body.sid.De.zero(3, 3), 2 * 0.03 * std::sqrt(w2) + 1e-5 * w2, 1e-9 * w2);
  o.frame = {FrameKind::tangent, {100}};
  const ReducedBody tangent = reduce::reduce_body(fe, map, o);
  // The same rates of loss: eigenvalues of De in the two descriptions agree after taking out Me' != E.
  const MatX V = body.Phi.transpose() * fe.M * tangent.Phi;  // = V of the change of coordinates
  EXPECT_LT((tangent.sid.De.zero - V.transpose() * body.sid.De.zero * V).norm(),
            1e-7 * body.sid.De.zero.norm());
  o.damping.ratio_of_Hz = [](double) { return -0.1; };
  EXPECT_NE(complaint([&] { reduce::reduce_body(fe, map, o); }).find("must be >= 0"), std::string::npos);
}

TEST(Reduction, SeesALoosePartBehindAHeldBoundary) {
  test::FrameModel f = test::box_frame(4, 3, 2, test::Bar());
  const int a = f.node(Vec3(2, 0, 0)), b = f.node(Vec3(2.1, 0, 0));
  f.bar(a, b, test::Bar());
  const FeSystem fe = f.system();
  const NodeMap map(fe);
  const std::string text = complaint([&] { reduce::reduce_body(fe, map, four_corners(10)); });
  EXPECT_TRUE(text.find("not connected") != std::string::npos || text.find("loose") != std::string::npos)
      << text;
}

TEST(Reduction, ComplainsClearly) {
  FeSystem fe = box();
  const NodeMap map(fe);
  ReduceOptions o;
  o.boundary = {{100, 7}};  // one ball joint: the body turns
  EXPECT_NE(complaint([&] { reduce::reduce_body(fe, map, o); }).find("must hold the body"),
            std::string::npos);
  EXPECT_NE(complaint([&] { reduce::reduce_body(fe, map, o); }).find("3 of six"), std::string::npos);
  o.boundary = {{100, 7}, {100, 7}};
  EXPECT_NE(complaint([&] { reduce::reduce_body(fe, map, o); }).find("named twice"), std::string::npos);
  o.boundary = {{99, 7}};
  EXPECT_NE(complaint([&] { reduce::reduce_body(fe, map, o); }).find("node 99"), std::string::npos);
  o.boundary.clear();
  EXPECT_NE(complaint([&] { reduce::reduce_body(fe, map, o); }).find("no boundary nodes"), std::string::npos);
  fe.stiff[3] = {true, true, true, false, false, false};
  o.boundary = {{103, 63}};
  EXPECT_NE(complaint([&] { reduce::reduce_body(fe, map, o); }).find("theta_x has no stiffness"),
            std::string::npos);
  o = four_corners(3);
  o.frame = {FrameKind::fixed, {100, 101, 102}};
  EXPECT_NE(complaint([&] { reduce::reduce_body(fe, map, o); }).find("one line"), std::string::npos);
}

}  // namespace
}  // namespace monocoque

#include <cmath>

#include <numbers>

#include <gtest/gtest.h>

#include "core/decompositions.h"
#include "frame_model.h"
#include "reduce/cholesky.h"
#include "reduce/modes.h"
#include "support/complaint.h"

namespace monocoque {
namespace {

using reduce::CholeskyOptions;
using reduce::ModeOptions;
using reduce::Modes;
using reduce::NodeMap;
using reduce::SparseCholesky;
using test::complaint;

TEST(SparseCholesky, SolvesBlocksOfRightHandSides) {
  const FeSystem fe = test::box_frame(6, 5, 4, test::Bar()).system();
  const SparseMatrix A = fe.K + 1e6 * fe.M;
  std::vector<std::string> said;
  CholeskyOptions o;
  o.log = [&](const std::string& line) { said.push_back(line); };
  const SparseCholesky cholesky(A, o);
  const MatX B = test::random_matrix(fe.size(), 37, 3);  // more than two blocks, the last one not full
  const MatX X = cholesky.solve(B);
  EXPECT_LT((A * X - B).norm() / (A.norm() * X.norm()), 1e-15);
  ASSERT_EQ(said.size(), 2U);  // the cost comes before the factorisation
  EXPECT_NE(said[0].find("GiB"), std::string::npos);
  EXPECT_GT(cholesky.cost().flops, 1e4);
  EXPECT_GT(cholesky.cost().memory_bytes, 8 * cholesky.cost().factor_entries);
}

TEST(SparseCholesky, ExplainsIndefiniteMatrices) {
  SparseMatrix A(3, 3);
  A.setIdentity();
  A.coeffRef(1, 1) = -1;
  CholeskyOptions o;
  o.what = "the stiffness";
  o.remedy_if_indefinite = "hold it";
  const std::string text = complaint([&] { SparseCholesky(A, o); });
  EXPECT_NE(text.find("the stiffness is not positive definite"), std::string::npos) << text;
  EXPECT_NE(text.find("hold it"), std::string::npos) << text;
}

TEST(SparseCholesky, RefusesToExceedTheMemoryLimit) {
  SparseMatrix A(1000, 1000);
  A.setIdentity();
  CholeskyOptions o;
  o.memory_limit_bytes = 100;
  EXPECT_NE(complaint([&] { SparseCholesky(A, o); }).find("limit"), std::string::npos);
}

/// A chain of n equal masses and springs along x, between walls: omega_k = 2 sqrt(k/m) sin(k pi / (2 (n +
/// 1))).
TEST(Eigenmodes, OfAChainBetweenWalls) {
  const int n = 60;
  const double k = 4e3, m = 0.3;
  FeSystem fe;
  std::vector<Eigen::Triplet<double>> K, M, T;
  for (int i = 0; i < n; ++i) {
    fe.node_ids.push_back(i + 1);
    fe.positions.emplace_back(0.1 * i, 0, 0);
    K.emplace_back(i, i, 2 * k);
    if (i + 1 < n) {
      K.emplace_back(i, i + 1, -k);
      K.emplace_back(i + 1, i, -k);
    }
    M.emplace_back(i, i, m);
    T.emplace_back(6 * i, i, 1.0);
  }
  fe.K.resize(n, n);
  fe.K.setFromTriplets(K.begin(), K.end());
  fe.M.resize(n, n);
  fe.M.setFromTriplets(M.begin(), M.end());
  fe.to_nodes.resize(6 * n, n);
  fe.to_nodes.setFromTriplets(T.begin(), T.end());
  ModeOptions o;
  o.count = 12;
  const Modes modes = reduce::eigenmodes(fe, NodeMap(fe), o);
  EXPECT_EQ(modes.rigid, 0);
  ASSERT_EQ(modes.omega2.size(), 12);
  for (int i = 0; i < 12; ++i) {
    const double exact = 2 * std::sqrt(k / m) * std::sin((i + 1) * std::numbers::pi / (2 * (n + 1)));
    EXPECT_NEAR(std::sqrt(modes.omega2[i]), exact, 1e-9 * exact);
  }
}

TEST(Eigenmodes, OfAFreeBeamAreThoseOfEulerAndBernoulli) {
  const double L = 1.2;
  test::Bar bar;
  bar.Iy = bar.Iz;  // every bending frequency twice
  const FeSystem fe = test::straight_beam(60, L, bar).system();
  ModeOptions o;
  o.count = 8;
  const Modes modes = reduce::eigenmodes(fe, NodeMap(fe), o);
  EXPECT_EQ(modes.rigid, 6);
  ASSERT_EQ(modes.omega2.size(), 14);
  // cosh(x) cos(x) = 1, Blevins, Formulas for natural frequency and mode shape, table 8-1.
  const double x[] = {4.730040745, 7.853204624, 10.995607838};
  const double c = std::sqrt(bar.E * bar.Iz / (bar.rho * bar.A)) / (L * L);
  for (int i = 0; i < 3; ++i)
    for (int twin = 0; twin < 2; ++twin)  // 60 cubic elements: error of order (x / 60)^4 / 720
      EXPECT_NEAR(std::sqrt(modes.omega2[6 + 2 * i + twin]), c * x[i] * x[i], 3e-6 * c * x[i] * x[i]);
  const MatX E = modes.shapes.transpose() * fe.M * modes.shapes;
  EXPECT_LT((E - MatX::Identity(14, 14)).norm(), 1e-10);
  EXPECT_LT(modes.residual.maxCoeff(), 1e-7);
  for (int i = 0; i < 6; ++i) EXPECT_LT(std::abs(modes.omega2[i]), 1e-6 * modes.omega2[6]);
}

TEST(Eigenmodes, WithHeldNodeAreThoseOfACantilever) {
  const double L = 0.8;
  const test::Bar bar;
  const FeSystem fe = test::straight_beam(40, L, bar).system();
  ModeOptions o;
  o.count = 4;
  for (int c = 0; c < 6; ++c) o.held.push_back({0, c});
  const Modes modes = reduce::eigenmodes(fe, NodeMap(fe), o);
  EXPECT_EQ(modes.rigid, 0);
  const double x = 1.875104069;  // cosh(x) cos(x) = -1
  for (int i = 0; i < 2; ++i) {
    const double c = std::sqrt(bar.E * (i == 0 ? bar.Iy : bar.Iz) / (bar.rho * bar.A)) * x * x / (L * L);
    EXPECT_NEAR(std::sqrt(modes.omega2[i]), c, 1e-6 * c);
  }
  EXPECT_LT(modes.shapes.topRows(6).cwiseAbs().maxCoeff(), 1e-12 * modes.shapes.cwiseAbs().maxCoeff());
}

TEST(Eigenmodes, AgreeWithADenseSolverWithManyAndWithALimit) {
  test::FrameModel f = test::box_frame(3, 2, 2, test::Bar());
  test::lump(f, 2);
  const FeSystem fe = f.system();
  Eigen::GeneralizedSelfAdjointEigenSolver<MatX> dense{MatX(fe.K), MatX(fe.M)};
  ModeOptions o;
  o.count = 120;  // needs restarts
  const Modes modes = reduce::eigenmodes(fe, NodeMap(fe), o);
  ASSERT_EQ(modes.omega2.size(), 126);
  for (int i = 6; i < 126; ++i)
    EXPECT_NEAR(modes.omega2[i], dense.eigenvalues()[i], 1e-8 * dense.eigenvalues()[i]);
  o.frequency_limit_Hz = (modes.frequency_Hz(30) + modes.frequency_Hz(31)) / 2;
  const Modes limited = reduce::eigenmodes(fe, NodeMap(fe), o);
  EXPECT_EQ(limited.omega2.size(), 31);
  EXPECT_TRUE(limited.complete);
}

TEST(Eigenmodes, WorkWithMassesOnTranslationsOnly) {
  test::FrameModel f = test::box_frame(2, 2, 1, test::Bar());
  f.forget_masses();
  for (int n = 0; n < 18; ++n) f.mass(n, 0.5, Mat3::Zero());
  const FeSystem fe = f.system();
  ModeOptions o;
  o.count = 100;
  const Modes modes = reduce::eigenmodes(fe, NodeMap(fe), o);
  EXPECT_EQ(modes.rigid, 6);
  EXPECT_EQ(modes.omega2.size(), 54);  // the rank of M
}

TEST(Eigenmodes, CountTheZerosOfLooseParts) {
  test::FrameModel f = test::straight_beam(8, 1, test::Bar());
  const int a = f.node(Vec3(0, 1, 0)), b = f.node(Vec3(0.3, 1.2, 0)), c = f.node(Vec3(0.4, 1.2, 0.3));
  f.bar(a, b, test::Bar());
  f.bar(b, c, test::Bar());
  const FeSystem fe = f.system();
  ModeOptions o;
  o.count = 10;
  const std::string text = complaint([&] { reduce::eigenmodes(fe, NodeMap(fe), o); });
  EXPECT_NE(text.find("12 modes have zero frequency"), std::string::npos) << text;
  o.refuse_mechanisms = false;
  EXPECT_EQ(reduce::eigenmodes(fe, NodeMap(fe), o).rigid, 12);
}

TEST(NodeMapping, TellsTheClosestIds) {
  const FeSystem fe = test::straight_beam(3, 1, test::Bar()).system();
  const NodeMap map(fe);
  EXPECT_EQ(map.node_of(102), 2);
  EXPECT_NE(complaint([&] { map.node_of(200); }).find("103"), std::string::npos);
}

}  // namespace
}  // namespace monocoque

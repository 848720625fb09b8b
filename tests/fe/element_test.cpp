// Laws that every element must obey: six rigid motions without strain, no others, matrices that turn with the
// element, the right mass, and the patch test.

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include "core/decompositions.h"
#include "fe/element.h"
#include "fe/items.h"
#include "fe/support.h"

namespace monocoque::test {
namespace {

using fe::ElementData;
using fe::ElementMatrices;

/// A generic, distorted element of each kind; numbers without symmetry.
ElementData generic(ElementKind kind) {
  ElementData e;
  e.kind = kind;
  e.material.young_Pa = 2.1e11;
  e.material.poisson = 0.29;
  e.material.density_kg_per_m3 = 7820;
  e.beam = {3e-4, 2e-8, 5e-8, 1e-8, 4e-8, 0.85, 0.6, 0.7};
  e.shell.thickness_m = 0.004;
  e.shell.offset_m = 0.003;
  e.shell.mass_kg_per_m2 = 3;
  e.placement.y_axis = Vec3(0.1, 0.9, 0.3);
  e.placement.offset_a_m = Vec3(0.01, -0.02, 0.03);
  e.placement.offset_b_m = Vec3(-0.01, 0.01, 0.02);
  const auto set = [&](std::initializer_list<Vec3> p) { std::copy(p.begin(), p.end(), e.p.begin()); };
  const auto curve = [](const Vec3& x) {
    return Vec3(0.2 + 0.3 * x[0] + 0.03 * x[1] * x[2] + 0.02 * x[0] * x[0],
                0.1 + 0.25 * x[1] + 0.04 * x[0] * x[2], -0.3 + 0.2 * x[2] - 0.03 * x[0] * x[1] + 0.02 * x[1]);
  };
  const Vec3 c[8] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                     {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
  switch (kind) {
    case ElementKind::rod2:
    case ElementKind::beam2:
      set({{0.1, 0.2, 0.3}, {0.7, -0.1, 0.5}});
      break;
    case ElementKind::beam3:
      set({{0.1, 0.2, 0.3}, {0.7, -0.1, 0.5}, {0.42, 0.1, 0.38}});
      break;
    case ElementKind::shell3:
      set({{0.1, 0.2, 0.3}, {0.4, 0.1, 0.35}, {0.2, 0.5, 0.2}});
      break;
    case ElementKind::shell4:
      set({{0.1, 0.2, 0.3}, {0.4, 0.1, 0.35}, {0.45, 0.5, 0.2}, {0.15, 0.45, 0.36}});
      break;
    case ElementKind::tet4:
      set({{0, 0, 0}, {0.3, 0.1, 0}, {0.1, 0.4, 0.1}, {0.1, 0.1, 0.35}});
      break;
    case ElementKind::wedge6: {
      int k = 0;
      for (const int i : {0, 1, 2, 4, 5, 6}) e.p[static_cast<std::size_t>(k++)] = curve(c[i]);
      break;
    }
    case ElementKind::tet10: {
      const Vec3 t[4] = {{-1, -1, -1}, {1, -0.8, -1}, {-0.7, 1, -0.9}, {-0.8, -0.6, 1}};
      constexpr int edge[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
      for (int i = 0; i < 4; ++i) e.p[static_cast<std::size_t>(i)] = curve(t[i]);
      for (int i = 0; i < 6; ++i)
        e.p[static_cast<std::size_t>(4 + i)] = curve(0.5 * (t[edge[i][0]] + t[edge[i][1]]));
      break;
    }
    case ElementKind::brick8:
    case ElementKind::brick20: {
      constexpr int edge[12][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6},
                                   {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
      for (int i = 0; i < 8; ++i) e.p[static_cast<std::size_t>(i)] = curve(c[i]);
      for (int i = 0; i < 12; ++i)
        e.p[static_cast<std::size_t>(8 + i)] = curve(0.5 * (c[edge[i][0]] + c[edge[i][1]]));
      break;
    }
  }
  return e;
}

MatX rigid_motions(const ElementData& e) {
  const int per_node = fe::dofs_per_node(e.kind), n = io::node_count(e.kind);
  MatX R(per_node * n, 6);
  for (int i = 0; i < n; ++i) {
    R.middleRows(per_node * i, per_node) = fe::rigid_arm(e.p[static_cast<std::size_t>(i)]).topRows(per_node);
  }
  return R;
}

class EveryElement : public ::testing::TestWithParam<ElementKind> {};

const ElementKind kKinds[] = {
    ElementKind::rod2, ElementKind::beam2, ElementKind::beam3,  ElementKind::shell3, ElementKind::shell4,
    ElementKind::tet4, ElementKind::tet10, ElementKind::wedge6, ElementKind::brick8, ElementKind::brick20};

INSTANTIATE_TEST_SUITE_P(Kinds, EveryElement, ::testing::ValuesIn(kKinds),
                         [](const auto& info) { return fe::kind_name(info.param); });

TEST_P(EveryElement, RigidMotionStrainsNothing) {
  const ElementData e = generic(GetParam());
  ElementMatrices m;
  ASSERT_FALSE(fe::element_matrices(e, MassKind::consistent, m));
  const MatX force = m.K * rigid_motions(e);
  EXPECT_LT(force.cwiseAbs().maxCoeff(), 1e-12 * m.K.cwiseAbs().maxCoeff());
  fe::StressMatrix S;
  ASSERT_FALSE(fe::element_stress(e, S));
  EXPECT_LT((S * rigid_motions(e)).cwiseAbs().maxCoeff(), 1e-10 * S.cwiseAbs().maxCoeff());
}

TEST_P(EveryElement, ExactlySixZeroEigenvalues) {
  const ElementData e = generic(GetParam());
  ElementMatrices m;
  ASSERT_FALSE(fe::element_matrices(e, MassKind::consistent, m));
  // Scaled to a unit diagonal: translations and rotations become comparable.
  VecX scale = m.K.diagonal().cwiseSqrt();
  for (double& s : scale) s = s > 0 ? 1 / s : 0;
  const MatX K = scale.asDiagonal() * m.K * scale.asDiagonal();
  const VecX values = Eigen::SelfAdjointEigenSolver<MatX>(K).eigenvalues();
  EXPECT_GT(values[0], -1e-12);
  int zero = 0;
  for (const double v : values) zero += v < 1e-10 ? 1 : 0;
  // A rod resists stretching and twisting only.
  EXPECT_EQ(zero, GetParam() == ElementKind::rod2 ? 10 : 6) << values.transpose();
}

TEST_P(EveryElement, MatricesTurnWithTheElement) {
  ElementData e = generic(GetParam());
  ElementMatrices m, turned;
  const Mat3 R = (Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized())).toRotationMatrix();
  for (const MassKind mass : {MassKind::consistent, MassKind::lumped}) {
    ElementData t = e;
    for (Vec3& p : t.p) p = R * p + Vec3(3, -2, 1);
    t.placement.y_axis = R * e.placement.y_axis;
    t.placement.offset_a_m = R * e.placement.offset_a_m;
    t.placement.offset_b_m = R * e.placement.offset_b_m;
    ASSERT_FALSE(fe::element_matrices(e, mass, m));
    ASSERT_FALSE(fe::element_matrices(t, mass, turned));
    MatX Q = MatX::Zero(m.K.rows(), m.K.rows());
    for (Eigen::Index i = 0; i < Q.rows(); i += 3) Q.block<3, 3>(i, i) = R;
    EXPECT_LT((turned.K - Q * m.K * Q.transpose()).cwiseAbs().maxCoeff(), 1e-10 * m.K.cwiseAbs().maxCoeff());
    EXPECT_LT((turned.M - Q * m.M * Q.transpose()).cwiseAbs().maxCoeff(), 1e-10 * m.M.cwiseAbs().maxCoeff());
  }
}

class EveryShell : public ::testing::TestWithParam<ElementKind> {};
INSTANTIATE_TEST_SUITE_P(Kinds, EveryShell, ::testing::Values(ElementKind::shell3, ElementKind::shell4),
                         [](const auto& info) { return fe::kind_name(info.param); });

TEST_P(EveryShell, FirstNodeDoesNotMatter) {
  const ElementData e = generic(GetParam());
  ElementData other = e;
  const int n = io::node_count(e.kind);
  for (int i = 0; i < n; ++i)
    other.p[static_cast<std::size_t>(i)] = e.p[static_cast<std::size_t>((i + 1) % n)];
  ElementMatrices a, b;
  ASSERT_FALSE(fe::element_matrices(e, MassKind::consistent, a));
  ASSERT_FALSE(fe::element_matrices(other, MassKind::consistent, b));
  MatX P = MatX::Zero(6 * n, 6 * n);
  for (int i = 0; i < n; ++i) P.block<6, 6>(6 * i, 6 * ((i + 1) % n)).setIdentity();
  EXPECT_LT((b.K - P * a.K * P.transpose()).cwiseAbs().maxCoeff(), 1e-10 * a.K.cwiseAbs().maxCoeff());
}

TEST_P(EveryElement, MassIsThatOfTheBody) {
  const ElementData e = generic(GetParam());
  ElementMatrices consistent, lumped;
  ASSERT_FALSE(fe::element_matrices(e, MassKind::consistent, consistent));
  ASSERT_FALSE(fe::element_matrices(e, MassKind::lumped, lumped));
  const MatX R = rigid_motions(e);
  const Mat6 a = R.transpose() * consistent.M * R, b = R.transpose() * lumped.M * R;
  for (int k = 1; k < 3; ++k) {
    EXPECT_NEAR(a(k, k), a(0, 0), 1e-12 * a(0, 0));
    EXPECT_NEAR(b(k, k), a(0, 0), 1e-12 * a(0, 0));
  }
  // First moments are exact for linear kinds however the mass is lumped.
  EXPECT_GT(Eigen::SelfAdjointEigenSolver<MatX>(consistent.M).eigenvalues()[0], -1e-12 * a(0, 0));
  EXPECT_GT(Eigen::SelfAdjointEigenSolver<MatX>(lumped.M).eigenvalues()[0], -1e-12 * a(0, 0));
  double expected = 0;
  const double rho = e.material.density_kg_per_m3;
  if (GetParam() == ElementKind::tet4) {
    expected = rho * (e.p[1] - e.p[0]).cross(e.p[2] - e.p[0]).dot(e.p[3] - e.p[0]) / 6;
  } else if (GetParam() == ElementKind::beam2) {
    expected =
        (rho * 3e-4 + 0.7) * (e.p[1] + e.placement.offset_b_m - e.p[0] - e.placement.offset_a_m).norm();
  } else if (GetParam() == ElementKind::shell3) {
    expected = (rho * 0.004 + 3) * 0.5 * (e.p[1] - e.p[0]).cross(e.p[2] - e.p[0]).norm();
  }
  if (expected > 0) {
    EXPECT_NEAR(a(0, 0), expected, 1e-12 * expected);
  }
}

TEST(Beam2, TipLoadsAreExact) {
  // Cantilever with shear, all six tip loads: Timoshenko's closed forms.
  ElementData e;
  e.kind = ElementKind::beam2;
  e.material.young_Pa = 2e11;
  e.material.poisson = 0.25;
  e.beam = {2e-3, 3e-6, 5e-6, 0, 1e-6, 0.8, 0.5, 0};
  e.placement.y_axis = Vec3::UnitY();
  const double L = 0.9, E = 2e11, G = 8e10;
  e.p[0] = Vec3::Zero();
  e.p[1] = Vec3(L, 0, 0);
  ElementMatrices m;
  ASSERT_FALSE(fe::element_matrices(e, MassKind::consistent, m));
  const Mat6 F = m.K.bottomRightCorner<6, 6>().inverse();
  EXPECT_NEAR(F(0, 0), L / (E * 2e-3), 1e-12 * F(0, 0));
  const double w_y = L * L * L / (3 * E * 5e-6) + L / (G * 2e-3 * 0.8);
  const double w_z = L * L * L / (3 * E * 3e-6) + L / (G * 2e-3 * 0.5);
  EXPECT_NEAR(F(1, 1), w_y, 1e-12 * w_y);
  EXPECT_NEAR(F(2, 2), w_z, 1e-12 * w_z);
  EXPECT_NEAR(F(3, 3), L / (G * 1e-6), 1e-12 * F(3, 3));
  EXPECT_NEAR(F(1, 5), L * L / (2 * E * 5e-6), 1e-12 * F(1, 5));
  EXPECT_NEAR(F(2, 4), -L * L / (2 * E * 3e-6), 1e-12 * std::abs(F(2, 4)));
}

TEST(Beam2, UnsymmetricSectionIsTheTurnedOne) {
  // I_yz of a section turned by 30 degrees about x: the same beam as the principal section with a turned y
  // axis.
  ElementData a, b;
  const double I_1 = 3e-6, I_2 = 9e-6, angle = M_PI / 6, c = std::cos(angle), s = std::sin(angle);
  for (ElementData* e : {&a, &b}) {
    e->kind = ElementKind::beam2;
    e->material.young_Pa = 2e11;
    e->material.poisson = 0.25;
    e->material.density_kg_per_m3 = 7800;
    e->p[0] = Vec3::Zero();
    e->p[1] = Vec3(0.9, 0, 0);
  }
  // I_y = int z^2. Principal axes y', z' are turned by the angle: y = c y' - s z', z = s y' + c z'.
  a.beam = {2e-3, I_1, I_2, 0, 1e-6, 0, 0, 0};
  a.placement.y_axis = Vec3(0, c, s);
  b.beam = {2e-3, s * s * I_2 + c * c * I_1, c * c * I_2 + s * s * I_1, s * c * (I_2 - I_1), 1e-6, 0, 0, 0};
  b.placement.y_axis = Vec3::UnitY();
  ElementMatrices A, B;
  ASSERT_FALSE(fe::element_matrices(a, MassKind::consistent, A));
  ASSERT_FALSE(fe::element_matrices(b, MassKind::consistent, B));
  EXPECT_LT((A.K - B.K).cwiseAbs().maxCoeff(), 1e-12 * A.K.cwiseAbs().maxCoeff());
  EXPECT_LT((A.M - B.M).cwiseAbs().maxCoeff(), 1e-12 * A.M.cwiseAbs().maxCoeff());
}

TEST(Beam2, ReleasedEndCarriesNoMoment) {
  ElementData e;
  e.kind = ElementKind::beam2;
  e.material.young_Pa = 2e11;
  e.material.poisson = 0.25;
  e.beam = {2e-3, 3e-6, 5e-6, 0, 1e-6, 0, 0, 0};
  e.placement.y_axis = Vec3::UnitY();
  e.placement.release_b = bits({4, 5, 6});
  const double L = 0.9;
  e.p[0] = Vec3::Zero();
  e.p[1] = Vec3(L, 0, 0);
  ElementMatrices m;
  ASSERT_FALSE(fe::element_matrices(e, MassKind::consistent, m));
  EXPECT_LT(m.K.bottomRows<3>().cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_NEAR(m.K(7, 7), 3 * 2e11 * 5e-6 / (L * L * L), 1e-10 * m.K(7, 7));
}

TEST(Degenerate, IsToldWithElementValueAndRemedy) {
  MeshBuilder b;
  const int steel = b.solid({}), sheet = b.shell({}, 0.001);
  for (const Vec3& p : {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1), Vec3(2, 0, 0)}) b.node(p);
  b.element(ElementKind::tet4, steel, {0, 2, 1, 3});
  b.element(ElementKind::shell3, sheet, {0, 1, 4});
  try {
    assemble(b.mesh);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.diagnostics().size(), 2u);
    const std::string text = error.what();
    EXPECT_NE(text.find("tet4 1"), std::string::npos) << text;
    EXPECT_NE(text.find("-1"), std::string::npos) << text;
    EXPECT_NE(text.find("shell3 2"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace monocoque::test

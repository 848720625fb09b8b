// A beam that turns about one end: the centrifugal tension stiffens its bending.

#include <cmath>

#include <gtest/gtest.h>

#include "core/decompositions.h"
#include "fe/assemble.h"
#include "reduce/geometric_stiffness.h"
#include "reduce/reduce_body.h"

namespace monocoque {
namespace {

using reduce::FrameKind;
using reduce::NodeMap;

constexpr int kElements = 20;
constexpr double kLength = 8, kArea = 7.2968e-5, kInertia = 8.2181e-9, kYoung = 6.8952e10, kDensity = 2766.67;

/// The beam of the Kane spin-up (same data as Wu and Haug 1988: 8 m, aluminium) along x from the origin.
io::FeMesh beam_mesh() {
  io::FeMesh mesh;
  for (int i = 0; i <= kElements; ++i) {
    io::FeNode n;
    n.id = i + 1;
    n.p = Vec3(kLength * i / kElements, 0, 0);
    mesh.nodes.push_back(n);
  }
  io::FeMaterial m;
  m.id = 1;
  m.young_Pa = kYoung;
  m.shear_Pa = kYoung / 2.6;
  m.poisson = 0.3;
  m.density_kg_per_m3 = kDensity;
  mesh.materials.push_back(m);
  io::FeProperty p;
  p.id = 1;
  p.kind = io::PropertyKind::beam;
  p.material = 0;
  p.beam.area_m2 = kArea;
  p.beam.I_y_m4 = p.beam.I_z_m4 = kInertia;
  p.beam.torsion_m4 = 2 * kInertia;
  mesh.properties.push_back(p);
  for (int i = 0; i < kElements; ++i) {
    io::FeElement e;
    e.id = i + 1;
    e.kind = io::ElementKind::beam2;
    e.property = 0;
    e.first_node = static_cast<int>(mesh.connectivity.size());
    mesh.connectivity.push_back(i);
    mesh.connectivity.push_back(i + 1);
    e.placement = static_cast<int>(mesh.beams.size());
    io::BeamPlacement placement;
    placement.y_axis = Vec3::UnitY();
    mesh.beams.push_back(placement);
    mesh.elements.push_back(e);
  }
  return mesh;
}

struct SpinningBeam {
  FeSystem fe;
  reduce::ReducedBody body;
};

SpinningBeam spinning_beam() {
  const io::FeMesh mesh = beam_mesh();
  SpinningBeam s{assemble(mesh), {}};
  const NodeMap map(s.fe);
  reduce::ReduceOptions o;
  o.boundary = {{1, 63}};
  o.interface_nodes = {kElements + 1};
  o.modes = 8;
  o.frame = {FrameKind::tangent, {1}};
  s.body = reduce::reduce_body(s.fe, map, o);
  reduce::StiffeningOptions stiffening;
  stiffening.support = o.frame;
  reduce::add_geometric_stiffening(s.fe, map, s.body.Phi, Vec3::Zero(), reduce::axial_stiffness(s.fe, mesh),
                                   stiffening, s.body.sid);
  return s;
}

/// Frequencies of a beam turning with w about the z axis through its root: (Ke + Oe1 w^2) q = omega^2 q.
VecX turning_frequencies(const io::Sid& sid, double w) {
  MatX K = sid.Ke.zero;
  for (int l = 0; l < sid.nq; ++l) K.col(l) += sid.Oe.first[static_cast<std::size_t>(l)].col(2) * w * w;
  EXPECT_LT((K - K.transpose()).norm(), 1e-9 * K.norm());
  return Eigen::SelfAdjointEigenSolver<MatX>((K + K.transpose()) / 2).eigenvalues();
}

TEST(GeometricStiffening, GivesTheFrequencyOfATurningBeam) {
  const SpinningBeam s = spinning_beam();
  // Flapping out of the plane, omega^2 = omega_0^2 + 1.173 w^2 + ...; for a hub of no radius the exact table
  // of Wright, Smith, Thresher and Wang (1982), uniform cantilever: Omega = w / sqrt(EI / (rho A L^4)) =
  // 5: 6.4495.
  const double unit = std::sqrt(kYoung * kInertia / (kDensity * kArea * std::pow(kLength, 4)));
  const VecX still = turning_frequencies(s.body.sid, 0);
  const VecX turning = turning_frequencies(s.body.sid, 5 * unit);
  EXPECT_NEAR(std::sqrt(still[0]) / unit, 3.5160, 2e-3);
  // The first two are in the plane (softened by w^2) and out of it.
  EXPECT_NEAR(std::sqrt(turning[1]) / unit, 6.4495, 6.4495 * 2e-3);
  EXPECT_NEAR(turning[1] - turning[0], 25 * unit * unit, 0.01 * 25 * unit * unit);
}

TEST(GeometricStiffening, OfAnEndForceIsThatOfAColumn) {
  const SpinningBeam s = spinning_beam();
  const io::Sid& sid = s.body.sid;
  // Compression -P e_x at the tip: (Ke - phi1 f) q = 0 at Euler's load pi^2 EI / (4 L^2).
  const double euler = std::pow(3.14159265358979, 2) * kYoung * kInertia / (4 * kLength * kLength);
  const auto smallest = [&](double force) {
    MatX K = sid.Ke.zero;
    for (int l = 0; l < sid.nq; ++l)
      K.col(l) -= sid.nodes[1].phi.first[static_cast<std::size_t>(l)].row(0).transpose() * force;
    return Eigen::SelfAdjointEigenSolver<MatX>((K + K.transpose()) / 2).eigenvalues()[0];
  };
  EXPECT_GT(smallest(-0.99 * euler), 0);  // eight modes and twenty elements: a percent
  EXPECT_LT(smallest(-1.01 * euler), 0);
  EXPECT_GT(smallest(2 * euler), smallest(0));
}

TEST(GeometricStiffening, LeavesTheInertiaTermsAsTheyAre) {
  const SpinningBeam s = spinning_beam();
  const io::Sid& sid = s.body.sid;
  ASSERT_EQ(static_cast<int>(sid.Ct.first.size()), sid.nq);
  // Acceleration along the beam stresses it, across it does not.
  double along = 0, across = 0;
  for (const MatX& first : sid.Ct.first) {
    along = std::max(along, first.col(0).cwiseAbs().maxCoeff());
    across = std::max(across, first.col(1).cwiseAbs().maxCoeff());
  }
  EXPECT_GT(along, 0);
  EXPECT_LT(across, 1e-8 * along);
}

}  // namespace
}  // namespace monocoque

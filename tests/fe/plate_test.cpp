// Bending of shells from thin to thick against Mindlin's plate: a sine load on a plate with four hard
// supports bends it to a sine, w = q (1 / (D k^4) + 1 / (S k^2)), k^2 = (pi/a)^2 + (pi/b)^2, S = 5/6 G t.

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "fe/element.h"
#include "fe/support.h"
#include "support/verify_row.h"

namespace monocoque::test {
namespace {

const std::string kPlateSection = "Finite elements against published static problems";

/// Deflection at the centre over the exact one.
double sine_plate(ElementKind kind, int n, double t, double disturb) {
  const double a = 1, b = 0.7, E = 2.1e11, nu = 0.3;
  MeshBuilder m;
  const int sheet = m.shell({E, nu, 1}, t);
  m.surface(kind, sheet, n, n, [&](double x, double y) {
    // The middle of the plate stays a node.
    const double inside = 16 * x * (1 - x) * y * (1 - y) * disturb;
    return Vec3(a * (x + inside * std::sin(2 * M_PI * y)), b * (y + inside * std::sin(4 * M_PI * x)), 0);
  });
  m.support_where([](const Vec3&) { return true; }, bits({1, 2, 6}));
  m.support_where([&](const Vec3& p) { return p.x() < 1e-9 || p.x() > a - 1e-9; }, bits({3, 4}));
  m.support_where([&](const Vec3& p) { return p.y() < 1e-9 || p.y() > b - 1e-9; }, bits({3, 5}));
  const FeSystem system = assemble(m.mesh, MassKind::lumped);
  VecX f = VecX::Zero(6 * system.nodes());
  for (int i = 0; i < system.size(); ++i) {
    const auto& unknown = system.unknowns[static_cast<std::size_t>(i)];
    if (unknown.direction[2] != 1) continue;
    // The lumped mass of density 1 over the thickness is the area of the node.
    const Vec3 p = system.positions[static_cast<std::size_t>(unknown.node)];
    f[6 * unknown.node + 2] =
        system.M.coeff(i, i) / t * std::sin(M_PI * p.x() / a) * std::sin(M_PI * p.y() / b);
  }
  const double D = E * t * t * t / (12 * (1 - nu * nu)), S = 5.0 / 6 * E / (2 * (1 + nu)) * t;
  const double k2 = M_PI * M_PI * (1 / (a * a) + 1 / (b * b));
  const VecX u = solve_static(system, f);
  return u[6 * m.nearest(Vec3(a / 2, b / 2, 0)) + 2] / (1 / (D * k2 * k2) + 1 / (S * k2));
}

TEST(Plate, FromThinToThickWithoutLocking) {
  for (const ElementKind kind : {ElementKind::shell4, ElementKind::shell3}) {
    for (const double disturb : {0.0, 0.06}) {
      for (const double t : {1e-5, 1e-3, 0.02, 0.1, 0.3}) {
        const double coarse = std::abs(sine_plate(kind, 8, t, disturb) - 1);
        const double middle = std::abs(sine_plate(kind, 16, t, disturb) - 1);
        const double ours = sine_plate(kind, 32, t, disturb), fine = std::abs(ours - 1);
        const double order = std::log2(middle / fine);
        verify_row(kPlateSection,
                   fmt::format("plate 1 x 0.7, t = {}, {} 32 x 32 {}", t,
                               disturb > 0 ? "distorted" : "regular", fe::kind_name(kind)),
                   "deflection under a sine load", fmt::format("{:.5f}", ours), "1", fine,
                   fmt::format("Mindlin; 8 x 8: {:.1e}, order {:.2f} of 2", coarse, order));
        EXPECT_LT(coarse, 0.06) << fe::kind_name(kind) << " t " << t;
        EXPECT_LT(fine, 0.004) << fe::kind_name(kind) << " t " << t;
      }
    }
  }
}

}  // namespace
}  // namespace monocoque::test

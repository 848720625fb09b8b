#include "reduce/modes.h"

#include <cmath>

#include <algorithm>
#include <numbers>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include "core/decompositions.h"
#include "core/error_kinds.h"
#include "reduce/clock.h"
#include "reduce/lanczos.h"
#include "reduce/symmetric_product.h"

namespace monocoque::reduce {

namespace {

constexpr int kFields = 30;

/// Field f at arm r: direction f % 3 times the monomial f / 3 of 1, x, y, z, xx, yy, zz, xy, yz, xz; the
/// rotation is half the curl, so that all states of constant strain and of constant curvature are among the
/// sums.
Vec6 field_value(int f, const Vec3& r) {
  const int direction = f % 3, m = f / 3;
  constexpr int first[] = {0, 1, 2, 0, 1, 0}, second[] = {0, 1, 2, 1, 2, 2};
  double value = 1;
  Vec3 gradient = Vec3::Zero();
  if (m >= 1 && m <= 3) {
    value = r[m - 1];
    gradient[m - 1] = 1;
  } else if (m > 3) {
    const int a = first[m - 4], b = second[m - 4];
    value = r[a] * r[b];
    gradient[a] += r[b];
    gradient[b] += r[a];
  }
  Vec6 v;
  v << value * Vec3::Unit(direction), gradient.cross(Vec3::Unit(direction)) / 2;
  return v;
}

MatX trial_fields(const FeSystem& fe, const NodeMap& map) {
  Vec3 centre = Vec3::Zero();
  for (const Vec3& p : fe.positions) centre += p / fe.nodes();
  double size = 0;
  for (const Vec3& p : fe.positions) size = std::max(size, (p - centre).norm());
  if (!(size > 0)) size = 1;
  MatX X(fe.size(), kFields);
  for (int j = 0; j < fe.size(); ++j) {
    const FeSystem::Unknown& u = map.unknowns()[static_cast<std::size_t>(j)];
    const Vec3 r = (fe.positions[static_cast<std::size_t>(u.node)] - centre) / size;
    // In coordinates of the body's size; rotations are derivatives and change with it.
    Vec6 direction = u.direction;
    direction.tail<3>() /= size;
    for (int f = 0; f < kFields; ++f) X(j, f) = direction.dot(field_value(f, r));
  }
  return X;
}

void check_residuals(const std::function<MatX(const MatX&)>& solve, const FeSystem& fe, double sigma,
                     Modes& modes) {
  const VecX shifted = modes.omega2.array() - sigma;
  // Rows of K phi - omega^2 M phi drown in rounding where elements are stiff; through A^-1 they become a
  // displacement.
  const MatX R = solve(symmetric_product(fe.M, modes.shapes)) * shifted.asDiagonal() - modes.shapes;
  modes.residual =
      symmetric_product(fe.M, R).cwiseProduct(R).colwise().sum().cwiseMax(0).cwiseSqrt().transpose();
  for (Eigen::Index i = 0; i < modes.omega2.size(); ++i)
    if (!(modes.residual[i] < 1e-5))
      throw NumericError(
          "eigenvalue solver",
          fmt::format("mode {} at {:.4g} Hz has the residual {:.2g}, it must be below 1e-5", i + 1,
                      modes.frequency_Hz(i), modes.residual[i]),
          "the stiffness of the elements differs by too many orders; look for needless rigid-like elements");
}

Modes lanczos_modes(const FeSystem& fe, const std::function<MatX(const MatX&)>& solve, double sigma,
                    int extra, const ModeOptions& o) {
  const Clock::time_point start = Clock::now();
  LanczosOptions lanczos;
  lanczos.count = o.count + extra;
  lanczos.block = o.block;
  lanczos.tolerance = o.tolerance;
  lanczos.log = o.log;
  const double limit = std::pow(2 * std::numbers::pi * o.frequency_limit_Hz, 2);
  if (o.frequency_limit_Hz > 0) lanczos.mu_limit = 1 / (limit - sigma);
  const LanczosResult r = block_lanczos({&fe.M, solve}, lanczos);
  Modes modes;
  Eigen::Index count = r.mu.size();
  if (lanczos.mu_limit > 0)
    while (count > 0 && r.mu[count - 1] < lanczos.mu_limit) --count;
  modes.omega2 = r.mu.head(count).cwiseInverse().array() + sigma;
  modes.shapes = r.X.leftCols(count);
  modes.complete = r.complete;
  check_residuals(solve, fe, sigma, modes);
  modes.lanczos_s = seconds_since(start);
  return modes;
}

[[noreturn]] void refuse_mechanism(int zeros, bool may_be_more) {
  throw Error(
      "eigenmodes",
      fmt::format("{}{} modes have zero frequency; a body in one piece has six",
                  may_be_more ? "at least " : "", zeros),
      "parts of the mesh are not connected, or a mechanism is left (hinge, missing rotation stiffness); join "
      "coincident nodes, or take the loose parts out");
}

}  // namespace

double Modes::frequency_Hz(Eigen::Index i) const {
  return std::sqrt(std::max(omega2[i], 0.0)) / (2 * std::numbers::pi);
}

SpectrumEstimate estimate_spectrum(const FeSystem& fe, const NodeMap& map) {
  MatX X = trial_fields(fe, map);
  MatX MX = symmetric_product(fe.M, X);
  orthonormalise(X, MX, 1e-9);
  SpectrumEstimate e;
  if (X.cols() == 0) return e;
  const MatX Kr = gram(X, symmetric_product(fe.K, X));
  const VecX values = Eigen::SelfAdjointEigenSolver<MatX>((Kr + Kr.transpose()) / 2).eigenvalues();
  const Eigen::Index last = values.size() - 1;
  const double floor = 1e-12 * values[last];
  Eigen::Index i = 0;
  while (i < std::min<Eigen::Index>(6, last) && values[i] < 1e-7 * values[last]) ++i;
  e.noise = i > 0 ? values.head(i).cwiseAbs().maxCoeff() : 0;
  // Loose parts have more than six rigid motions among the fields: they are of the size of the noise, too.
  const double zero = 1e3 * std::max(e.noise, 1e-16 * values[last]);
  while (i < last && values[i] < zero) ++i;
  e.first_elastic = std::max(values[i], floor);
  return e;
}

namespace {

FreeModes modes_about(const FeSystem& fe, const NodeMap& map, const ModeOptions& options, double sigma,
                      double noise) {
  CholeskyOptions cholesky;
  cholesky.log = options.log;
  cholesky.memory_limit_bytes = options.memory_limit_bytes;
  cholesky.what = "stiffness plus shifted mass";
  cholesky.remedy_if_indefinite =
      "an element has negative stiffness, or an unknown has neither stiffness nor mass; check the elements "
      "there";
  ConstrainedSolver solver(fe, sigma, map.forms(options.held), cholesky);
  const auto solve = [&](const MatX& B) { return solver.solve_held(B); };
  Modes modes = lanczos_modes(fe, solve, sigma, 6, options);
  modes.cost = solver.cholesky().cost();
  modes.factor_s = solver.cholesky().seconds();
  modes.zero_below = std::max(1e3 * noise, 1e-6 * -sigma);
  while (modes.rigid < modes.omega2.size() && modes.omega2[modes.rigid] < modes.zero_below) ++modes.rigid;
  return {std::move(modes), std::move(solver), sigma};
}

}  // namespace

FreeModes free_modes(const FeSystem& fe, const NodeMap& map, const ModeOptions& options) {
  const SpectrumEstimate estimate = estimate_spectrum(fe, map);
  double sigma = options.shift < 0 ? options.shift : -estimate.first_elastic / 30;
  if (!(sigma < 0))
    throw Error("eigenmodes", "no mass or no stiffness in the mesh",
                "give the material a density and a modulus");
  FreeModes free = modes_about(fe, map, options, sigma, estimate.noise);
  // Thin sheets may be softer than the body as a whole by many orders: seen from nearer they are no
  // mechanism.
  const double nearer = -std::max(1e4 * estimate.noise, 1e-5 * -sigma);
  if (free.modes.rigid > 6 && options.shift == 0 && nearer > 0.1 * sigma) {
    say(options.log, fmt::format("{} modes near zero: once more with a smaller shift", free.modes.rigid));
    free = modes_about(fe, map, options, nearer, estimate.noise);
  }
  Modes& modes = free.modes;
  if (modes.rigid > 6 && options.refuse_mechanisms)
    refuse_mechanism(modes.rigid, modes.rigid == modes.omega2.size());
  // What the six asked for beyond `count` found although the body is held.
  const Eigen::Index wanted = std::min<Eigen::Index>(modes.omega2.size(), options.count + modes.rigid);
  modes.omega2.conservativeResize(wanted);
  modes.residual.conservativeResize(wanted);
  modes.shapes.conservativeResize(Eigen::NoChange, wanted);
  return free;
}

Modes held_modes(const FeSystem& fe, const NodeMap& map, const ConstrainedSolver& solver,
                 const ModeOptions& options) {
  Modes modes = lanczos_modes(
      fe, [&](const MatX& B) { return solver.solve_held(B); }, 0, 0, options);
  modes.cost = solver.cholesky().cost();
  modes.factor_s = solver.cholesky().seconds();
  const SpectrumEstimate estimate = estimate_spectrum(fe, map);
  modes.zero_below = std::max(1e3 * estimate.noise, 1e-9 * estimate.first_elastic);
  while (modes.rigid < modes.omega2.size() && modes.omega2[modes.rigid] < modes.zero_below) ++modes.rigid;
  if (modes.rigid > 0)
    throw Error("eigenmodes",
                fmt::format("{} modes have zero frequency although the boundary is held", modes.rigid),
                "a part of the mesh is not connected, or a mechanism is left (hinge, missing rotation "
                "stiffness); join "
                "coincident nodes, or take the loose parts out");
  return modes;
}

}  // namespace monocoque::reduce

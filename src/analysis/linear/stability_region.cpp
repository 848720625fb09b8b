#include "analysis/linear/stability_region.h"

#include <array>
#include <cmath>
#include <limits>

#include "integrate/integrator.h"

namespace monocoque::analysis {

namespace {

using Complex = std::complex<double>;

constexpr double kStands = 1e-9;  ///< 1/s; slower than anything in a model

double implicit_euler(Complex z) {
  return std::abs(1.0 / (1.0 - z));
}

/// Two half steps extrapolated with a whole one.
double extrapolated_euler(Complex z) {
  const Complex half = 1.0 / (1.0 - 0.5 * z);
  return std::abs(2.0 * half * half - 1.0 / (1.0 - z));
}

/// (3/2 - z) r^2 - 2 r + 1/2 = 0
double bdf2(Complex z) {
  const Complex a = 1.5 - z, root = std::sqrt(4.0 - 2.0 * a);
  return std::max(std::abs((2.0 + root) / (2.0 * a)), std::abs((2.0 - root) / (2.0 * a)));
}

}  // namespace

StabilityFunction runge_kutta_stability(const std::string& method, int order) {
  StabilityFunction f;
  f.method = method;
  double factorial = 1;
  for (int k = 0; k <= order; ++k) {
    f.coefficients.push_back(1 / factorial);
    factorial *= k + 1;
  }
  f.growth = [c = f.coefficients](Complex z) {
    Complex sum = 0;
    for (std::size_t k = c.size(); k-- > 0;) sum = sum * z + c[k];
    return std::abs(sum);
  };
  return f;
}

std::vector<StabilityFunction> stability_functions() {
  std::vector<StabilityFunction> list;
  for (const IntegratorType& type : integrator_types()) {
    if (type.explicit_method) list.push_back(runge_kutta_stability(type.name, type.order));
    if (type.name == "linearly-implicit-euler") list.push_back({type.name, {}, implicit_euler});
    if (type.name == "linearly-implicit-2") list.push_back({type.name, {}, extrapolated_euler});
    if (type.name == "bdf2") list.push_back({type.name, {}, bdf2});
  }
  return list;
}

double largest_step(const StabilityFunction& method, Complex lambda) {
  const double size = std::abs(lambda);
  if (size == 0) return std::numeric_limits<double>::infinity();
  // |R|^2 - 1 along the ray z = r e^(i angle) is a polynomial in r without constant term.
  const std::vector<double>& c = method.coefficients;
  const double angle = std::arg(lambda);
  std::vector<double> q(2 * c.size() - 1, 0.0);
  for (std::size_t j = 0; j < c.size(); ++j)
    for (std::size_t k = 0; k < c.size(); ++k)
      q[j + k] += c[j] * c[k] * std::cos(angle * (static_cast<double>(j) - static_cast<double>(k)));
  std::size_t first = 1;
  while (first < q.size() && std::abs(q[first]) < 1e-14) ++first;
  if (first == q.size() || q[first] > 0) return 0;
  const auto value = [&](double r) {
    double sum = 0;
    for (std::size_t k = q.size(); k-- > first;) sum = sum * r + q[k];
    return sum;
  };
  constexpr double kFurthest = 10, kStride = 1e-3;  // regions of few stages end long before
  double low = 0, high = kStride;
  while (high < kFurthest && value(high) <= 0) {
    low = high;
    high += kStride;
  }
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    (value(middle) <= 0 ? low : high) = middle;
  }
  return low / size;
}

StepLimit step_limit(const StabilityFunction& method, const std::vector<Eigenvalue>& eigenvalues) {
  StepLimit limit{method.method, std::numeric_limits<double>::infinity(), 0, -1};
  double largest = 0;
  for (const Eigenvalue& e : eigenvalues) largest = std::max(largest, std::abs(e.s));
  for (std::size_t i = 0; i < eigenvalues.size(); ++i) {
    const Complex s = eigenvalues[i].s;
    if (s.real() > 1e-9 * largest) continue;
    // A free coordinate and its speed: rounding parts their two zeros by its root.
    if (std::abs(s) < std::max(1e-8 * largest, kStands)) continue;
    const double h = largest_step(method, s);
    if (h < limit.step_s) limit = {method.method, h, s, static_cast<int>(i)};
  }
  return limit;
}

Curve region_boundary(const StabilityFunction& method, double x_low, double x_high, double y_low,
                      double y_high) {
  constexpr int kCells = 240;
  const double dx = (x_high - x_low) / kCells, dy = (y_high - y_low) / kCells;
  const auto value = [&](int i, int j) { return method.growth({x_low + i * dx, y_low + j * dy}) - 1; };
  std::vector<double> row(kCells + 1), next(kCells + 1);
  for (int i = 0; i <= kCells; ++i) row[static_cast<std::size_t>(i)] = value(i, 0);
  Curve curve;
  for (int j = 0; j < kCells; ++j, row.swap(next)) {
    for (int i = 0; i <= kCells; ++i) next[static_cast<std::size_t>(i)] = value(i, j + 1);
    for (int i = 0; i < kCells; ++i) {
      const auto k = static_cast<std::size_t>(i);
      // Corners counterclockwise; a boundary crosses the sides whose ends differ in sign.
      const std::array<double, 4> f = {row[k], row[k + 1], next[k + 1], next[k]};
      const std::array<std::array<double, 2>, 4> corner = {{{x_low + i * dx, y_low + j * dy},
                                                            {x_low + (i + 1) * dx, y_low + j * dy},
                                                            {x_low + (i + 1) * dx, y_low + (j + 1) * dy},
                                                            {x_low + i * dx, y_low + (j + 1) * dy}}};
      int found = 0;
      for (std::size_t a = 0; a < 4; ++a) {
        const std::size_t b = (a + 1) % 4;
        if ((f[a] <= 0) == (f[b] <= 0) || !std::isfinite(f[a]) || !std::isfinite(f[b])) continue;
        const double t = f[a] / (f[a] - f[b]);
        curve.x.push_back(corner[a][0] + t * (corner[b][0] - corner[a][0]));
        curve.y.push_back(corner[a][1] + t * (corner[b][1] - corner[a][1]));
        if (++found % 2 == 0) {
          curve.x.push_back(NAN);
          curve.y.push_back(NAN);
        }
      }
      if (found % 2 != 0) {
        curve.x.push_back(NAN);
        curve.y.push_back(NAN);
      }
    }
  }
  return curve;
}

}  // namespace monocoque::analysis

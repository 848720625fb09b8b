// Dual numbers: derivatives against central differences, rules of arithmetic, conventions at singular points.

#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/dual.h"

namespace monocoque {
namespace {

using D = Dual<2>;

struct Case {
  std::string name;
  std::function<D(D, D)> dual;
  std::function<double(double, double)> plain;
};

template <class Function>
Case make(std::string name, Function f) {
  return {std::move(name), f, f};
}

// std's functions for double, ours for Dual, as in a law.
using std::abs, std::acos, std::atan, std::atan2, std::cbrt, std::cos, std::exp, std::log, std::max, std::min,
    std::pow, std::sin, std::sqrt, std::tan, std::tanh;

const std::vector<Case>& cases() {
  static const std::vector<Case> list = {
      make("x + y", [](auto x, auto y) { return x + y; }),
      make("x - y", [](auto x, auto y) { return x - y; }),
      make("x * y", [](auto x, auto y) { return x * y; }),
      make("x / y", [](auto x, auto y) { return x / y; }),
      make("-x", [](auto x, auto y) { return -x + 0.0 * y; }),
      make("2.0 - x", [](auto x, auto y) { return 2.0 - x + 0.0 * y; }),
      make("3.0 / x", [](auto x, auto y) { return 3.0 / x + 0.0 * y; }),
      make("x / 4.0 + 1.5", [](auto x, auto y) { return x / 4.0 + 1.5 * y; }),
      make("1.5 + x * 2.0 - 0.5", [](auto x, auto y) { return 1.5 + x * 2.0 - 0.5 * y; }),
      make("sqrt(x * x + y * y)", [](auto x, auto y) { return sqrt(x * x + y * y); }),
      make("sin(x) * cos(y)", [](auto x, auto y) { return sin(x) * cos(y); }),
      make("tan(x * y)", [](auto x, auto y) { return tan(x * y); }),
      make("atan(x / y)", [](auto x, auto y) { return atan(x / y); }),
      make("atan2(x, y)", [](auto x, auto y) { return atan2(x, y); }),
      make("acos(0.3 * x)", [](auto x, auto y) { return acos(0.3 * x * y); }),
      make("exp(x - y)", [](auto x, auto y) { return exp(x - y); }),
      make("log(x * x + 1.0)", [](auto x, auto y) { return log(x * x * y + 1.0); }),
      make("pow(y * y + 0.2, 1.7)", [](auto x, auto y) { return pow(y * y + x * x, 1.7); }),
      make("pow(y * y + 0.2, x)", [](auto x, auto y) { return pow(y * y + 0.2, x); }),
      make("cbrt(x + 2.0 * y)", [](auto x, auto y) { return cbrt(x + 2.0 * y); }),
      make("tanh(x - 2.0 * y)", [](auto x, auto y) { return tanh(x - 2.0 * y); }),
      make("abs(x - 3.0 * y)", [](auto x, auto y) { return abs(x - 3.0 * y); }),
      make("min(x, y)", [](auto x, auto y) { return min(x, y); }),
      make("max(x, y)", [](auto x, auto y) { return max(x, y); }),
  };
  return list;
}

TEST(Dual, DerivativesAreThoseOfCentralDifferences) {
  const double points[][2] = {{0.31, 0.72}, {-0.83, 0.41}, {0.57, -0.66}, {-0.29, -0.93}};
  for (const Case& c : cases())
    for (const auto& p : points) {
      const double x = p[0], y = p[1], h = 1e-6;
      const D f = c.dual(D::variable(x, 0), D::variable(y, 1));
      EXPECT_DOUBLE_EQ(f.v, c.plain(x, y)) << c.name;
      // Truncation h^2 and rounding eps/h are both below 1e-9 of these functions.
      const double fx = (c.plain(x + h, y) - c.plain(x - h, y)) / (2 * h);
      const double fy = (c.plain(x, y + h) - c.plain(x, y - h)) / (2 * h);
      EXPECT_NEAR(f.d[0], fx, 1e-8 * (1 + std::abs(fx))) << c.name << " at " << x << ", " << y;
      EXPECT_NEAR(f.d[1], fy, 1e-8 * (1 + std::abs(fy))) << c.name << " at " << x << ", " << y;
    }
}

TEST(Dual, SingularPointsHaveFiniteDerivatives) {
  const D zero = D::variable(0, 0), other = D::variable(0, 1), minus = D::variable(-1, 0);
  for (const D& f : {sqrt(zero), sqrt(minus), abs(zero), atan2(zero, other), pow(zero, 0.5), pow(zero, other),
                     pow(minus, 0.5), log(zero), log(minus), cbrt(zero), acos(D::variable(1, 0)),
                     acos(D::variable(-2, 0)), min(zero, other), max(zero, other)})
    EXPECT_TRUE(is_finite(f)) << f.v;
  EXPECT_EQ(pow(zero, 0.0).v, 1);
  EXPECT_EQ(min(zero, other).d[0], 1);
  EXPECT_FALSE(is_finite(D(std::numeric_limits<double>::infinity())));
}

TEST(Dual, ComparesByValueAndClampsWithoutSlopeOutside) {
  const D x = D::variable(0.5, 0);
  EXPECT_TRUE(x < 0.6 && x <= 0.5 && x > 0.4 && x >= 0.5 && x == 0.5 && x != 0.4);
  EXPECT_EQ(clamp_to(x, 0, 1).d[0], 1);
  EXPECT_EQ(clamp_to(x, 0, 0.2).d[0], 0);
  EXPECT_EQ(clamp_to(x, 0, 0.2).v, 0.2);
  EXPECT_EQ(sign_of(-x), -1);
  EXPECT_EQ(sign_of(0.0), 0);
  static_assert((Dual<1>::variable(3, 0) * 2.0 + 1.0).d[0] == 2);
}

}  // namespace
}  // namespace monocoque

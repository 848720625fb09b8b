#include "core/formula_operations.h"

#include <cmath>
#include <numbers>

namespace monocoque {

namespace {

using Op = Formula::Op;

/// f(u) with f' and f'' known at u: chain rule.
Taylor2 chain(const Taylor2& u, double f, double f1, double f2) {
  return {f, f1 * u.rate, f2 * u.rate * u.rate + f1 * u.acceleration};
}

Taylor2 product(const Taylor2& a, const Taylor2& b) {
  return {a.value * b.value, a.rate * b.value + a.value * b.rate,
          a.acceleration * b.value + 2 * a.rate * b.rate + a.value * b.acceleration};
}

Taylor2 power(const Taylor2& u, const Taylor2& v) {
  if (v.rate == 0 && v.acceleration == 0) {
    const double c = v.value;
    // A vanishing coefficient wins over the pole of u^(c-1) at zero.
    const double f1 = c == 0 ? 0 : c * std::pow(u.value, c - 1);
    const double f2 = c == 0 || c == 1 ? 0 : c * (c - 1) * std::pow(u.value, c - 2);
    return chain(u, std::pow(u.value, c), f1, f2);
  }
  const double x = u.value;
  const Taylor2 exponent = product(v, chain(u, std::log(x), 1 / x, -1 / (x * x)));
  const double e = std::exp(exponent.value);
  return chain(exponent, e, e, e);
}

Taylor2 atan2_of(const Taylor2& y, const Taylor2& x) {
  const double r2 = x.value * x.value + y.value * y.value;
  const double turn = x.value * y.rate - y.value * x.rate;
  const double turn_rate = x.value * y.acceleration - y.value * x.acceleration;
  const double stretch = x.value * x.rate + y.value * y.rate;
  return {std::atan2(y.value, x.value), turn / r2, turn_rate / r2 - 2 * stretch * turn / (r2 * r2)};
}

}  // namespace

Taylor2 unary(Op op, const Taylor2& u) {
  const double x = u.value;
  switch (op) {
    case Op::negate:
      return {-u.value, -u.rate, -u.acceleration};
    case Op::sin:
      return chain(u, std::sin(x), std::cos(x), -std::sin(x));
    case Op::cos:
      return chain(u, std::cos(x), -std::sin(x), -std::cos(x));
    case Op::tan: {
      const double f = std::tan(x), f1 = 1 + f * f;
      return chain(u, f, f1, 2 * f * f1);
    }
    case Op::asin: {
      const double w = 1 / std::sqrt(1 - x * x);
      return chain(u, std::asin(x), w, x * w * w * w);
    }
    case Op::acos: {
      const double w = 1 / std::sqrt(1 - x * x);
      return chain(u, std::acos(x), -w, -x * w * w * w);
    }
    case Op::atan: {
      const double w = 1 / (1 + x * x);
      return chain(u, std::atan(x), w, -2 * x * w * w);
    }
    case Op::sqrt: {
      const double f = std::sqrt(x);
      return chain(u, f, 0.5 / f, -0.25 / (f * x));
    }
    case Op::exp:
      return chain(u, std::exp(x), std::exp(x), std::exp(x));
    case Op::log:
      return chain(u, std::log(x), 1 / x, -1 / (x * x));
    case Op::abs:
      return x < 0 ? Taylor2{-x, -u.rate, -u.acceleration} : u;
    case Op::sign:
      return {x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0, 0, 0};
    case Op::deg: {
      constexpr double k = std::numbers::pi / 180;
      return {k * u.value, k * u.rate, k * u.acceleration};
    }
    case Op::step:
      return {x >= 0 ? 1.0 : 0.0, 0, 0};
    case Op::ramp:
      return x >= 0 ? u : Taylor2{};
    default:
      return u;
  }
}

Taylor2 binary(Op op, const Taylor2& a, const Taylor2& b) {
  switch (op) {
    case Op::add:
      return {a.value + b.value, a.rate + b.rate, a.acceleration + b.acceleration};
    case Op::subtract:
      return {a.value - b.value, a.rate - b.rate, a.acceleration - b.acceleration};
    case Op::multiply:
      return product(a, b);
    case Op::divide: {
      const double x = b.value;
      Taylor2 q = product(a, chain(b, 1 / x, -1 / (x * x), 2 / (x * x * x)));
      q.value = a.value / x;  // one rounding instead of two
      return q;
    }
    case Op::power:
      return power(a, b);
    case Op::atan2:
      return atan2_of(a, b);
    case Op::min:
      return b.value < a.value ? b : a;
    case Op::max:
      return b.value > a.value ? b : a;
    default:
      return a;
  }
}

bool is_binary(Op op) {
  return (op >= Op::add && op <= Op::power) || op == Op::atan2 || op == Op::min || op == Op::max;
}

}  // namespace monocoque

#pragma once
// Forward-mode differentiation: Dual<N> carries a value and its derivatives by N inputs. A law written once
// as a template on its scalar gives the value with double and the exact Jacobian rows with Dual. No
// allocation.
//
//   const auto x = Dual<2>::variable(0.3, 0), y = Dual<2>::variable(1.2, 1);
//   const auto f = x * sin(y);                  // f.v the value, f.d[0] = df/dx, f.d[1] = df/dy
//
// Comparisons look at the value only; a branch is differentiated as the branch taken.
//
// Where a function has no derivative, the derivative is a finite one by convention, never NaN or infinite:
//   sqrt(x), x <= 0          value 0, derivative 0
//   abs(0), sign             derivative 0
//   atan2(0, 0)              value 0, derivative 0
//   pow(x, e), x <= 0        value 0 (1 for e = 0), derivative 0
//   log(x), x <= 0           value log(smallest positive number), derivative 0
//   min, max at equality     derivative of the first argument
// Division by zero and tan at its poles are the caller's business, as with double.

#include <cmath>

#include <array>
#include <cstddef>
#include <limits>

namespace monocoque {

template <int N>
struct Dual {
  static constexpr int kSize = N;
  using Derivatives = std::array<double, static_cast<std::size_t>(N)>;

  double v = 0;
  Derivatives d{};

  constexpr Dual() = default;
  constexpr Dual(double value) : v(value) {}  // NOLINT(google-explicit-constructor): constants mix freely
  constexpr Dual(double value, const Derivatives& derivatives) : v(value), d(derivatives) {}

  static constexpr Dual variable(double value, int index) {
    Dual x(value);
    x.d[static_cast<std::size_t>(index)] = 1;
    return x;
  }

  /// f(x) with the derivative f' given: the chain rule.
  constexpr Dual chain(double f, double slope) const {
    Dual out(f);
    for (std::size_t i = 0; i < d.size(); ++i) out.d[i] = slope * d[i];
    return out;
  }

  constexpr Dual& operator+=(const Dual& b) {
    v += b.v;
    for (std::size_t i = 0; i < d.size(); ++i) d[i] += b.d[i];
    return *this;
  }
  constexpr Dual& operator-=(const Dual& b) {
    v -= b.v;
    for (std::size_t i = 0; i < d.size(); ++i) d[i] -= b.d[i];
    return *this;
  }
  constexpr Dual& operator*=(const Dual& b) {
    for (std::size_t i = 0; i < d.size(); ++i) d[i] = d[i] * b.v + v * b.d[i];
    v *= b.v;
    return *this;
  }
  constexpr Dual& operator/=(const Dual& b) {
    const double inverse = 1 / b.v;
    v *= inverse;
    for (std::size_t i = 0; i < d.size(); ++i) d[i] = (d[i] - v * b.d[i]) * inverse;
    return *this;
  }
  constexpr Dual& operator+=(double b) {
    v += b;
    return *this;
  }
  constexpr Dual& operator-=(double b) {
    v -= b;
    return *this;
  }
  constexpr Dual& operator*=(double b) {
    v *= b;
    for (double& x : d) x *= b;
    return *this;
  }
  constexpr Dual& operator/=(double b) { return *this *= 1 / b; }

  // Friends, so that numbers convert on either side.
  friend constexpr Dual operator+(Dual a, const Dual& b) { return a += b; }
  friend constexpr Dual operator-(Dual a, const Dual& b) { return a -= b; }
  friend constexpr Dual operator*(Dual a, const Dual& b) { return a *= b; }
  friend constexpr Dual operator/(Dual a, const Dual& b) { return a /= b; }
  friend constexpr Dual operator+(Dual a, double b) { return a += b; }
  friend constexpr Dual operator-(Dual a, double b) { return a -= b; }
  friend constexpr Dual operator*(Dual a, double b) { return a *= b; }
  friend constexpr Dual operator/(Dual a, double b) { return a /= b; }
  friend constexpr Dual operator+(double a, Dual b) { return b += a; }
  friend constexpr Dual operator-(double a, const Dual& b) { return b.chain(a - b.v, -1); }
  friend constexpr Dual operator*(double a, Dual b) { return b *= a; }
  friend constexpr Dual operator/(double a, const Dual& b) { return b.chain(a / b.v, -a / (b.v * b.v)); }
  friend constexpr Dual operator-(const Dual& a) { return a.chain(-a.v, -1); }
  friend constexpr Dual operator+(const Dual& a) { return a; }

  friend constexpr bool operator<(const Dual& a, const Dual& b) { return a.v < b.v; }
  friend constexpr bool operator>(const Dual& a, const Dual& b) { return a.v > b.v; }
  friend constexpr bool operator<=(const Dual& a, const Dual& b) { return a.v <= b.v; }
  friend constexpr bool operator>=(const Dual& a, const Dual& b) { return a.v >= b.v; }
  friend constexpr bool operator==(const Dual& a, const Dual& b) { return a.v == b.v; }
  friend constexpr bool operator!=(const Dual& a, const Dual& b) { return a.v != b.v; }
};

/// The number behind either scalar.
constexpr double value(double x) {
  return x;
}
template <int N>
constexpr double value(const Dual<N>& x) {
  return x.v;
}

template <int N>
Dual<N> sqrt(const Dual<N>& x) {
  if (!(x.v > 0)) return 0.0;
  const double root = std::sqrt(x.v);
  return x.chain(root, 0.5 / root);
}
template <int N>
Dual<N> sin(const Dual<N>& x) {
  return x.chain(std::sin(x.v), std::cos(x.v));
}
template <int N>
Dual<N> cos(const Dual<N>& x) {
  return x.chain(std::cos(x.v), -std::sin(x.v));
}
template <int N>
Dual<N> tan(const Dual<N>& x) {
  const double t = std::tan(x.v);
  return x.chain(t, 1 + t * t);
}
template <int N>
Dual<N> atan(const Dual<N>& x) {
  return x.chain(std::atan(x.v), 1 / (1 + x.v * x.v));
}
template <int N>
Dual<N> atan2(const Dual<N>& y, const Dual<N>& x) {
  const double r2 = x.v * x.v + y.v * y.v;
  if (r2 == 0) return 0.0;
  Dual<N> out(std::atan2(y.v, x.v));
  for (std::size_t i = 0; i < out.d.size(); ++i) out.d[i] = (y.d[i] * x.v - x.d[i] * y.v) / r2;
  return out;
}
template <int N>
Dual<N> acos(const Dual<N>& x) {
  const double rest = 1 - x.v * x.v;
  return x.chain(std::acos(std::fmin(std::fmax(x.v, -1), 1)), rest > 0 ? -1 / std::sqrt(rest) : 0);
}
template <int N>
Dual<N> exp(const Dual<N>& x) {
  const double e = std::exp(x.v);
  return x.chain(e, e);
}
template <int N>
Dual<N> log(const Dual<N>& x) {
  if (!(x.v > 0)) return std::log(std::numeric_limits<double>::min());
  return x.chain(std::log(x.v), 1 / x.v);
}
template <int N>
Dual<N> pow(const Dual<N>& x, double e) {
  if (e == 0) return 1.0;
  if (!(x.v > 0)) return 0.0;
  const double p = std::pow(x.v, e);
  return x.chain(p, e * p / x.v);
}
template <int N>
Dual<N> pow(const Dual<N>& x, const Dual<N>& e) {
  if (!(x.v > 0)) return e.v == 0 ? 1.0 : 0.0;
  const double p = std::pow(x.v, e.v), by_base = e.v * p / x.v, by_exponent = p * std::log(x.v);
  Dual<N> out(p);
  for (std::size_t i = 0; i < out.d.size(); ++i) out.d[i] = by_base * x.d[i] + by_exponent * e.d[i];
  return out;
}
template <int N>
Dual<N> cbrt(const Dual<N>& x) {
  const double c = std::cbrt(x.v);
  return x.chain(c, c == 0 ? 0 : 1 / (3 * c * c));
}
template <int N>
Dual<N> tanh(const Dual<N>& x) {
  const double t = std::tanh(x.v);
  return x.chain(t, 1 - t * t);
}
template <int N>
constexpr Dual<N> abs(const Dual<N>& x) {
  return x.v > 0 ? x : x.v < 0 ? -x : Dual<N>(0);
}
template <int N>
constexpr Dual<N> min(const Dual<N>& a, const Dual<N>& b) {
  return b.v < a.v ? b : a;
}
template <int N>
constexpr Dual<N> max(const Dual<N>& a, const Dual<N>& b) {
  return b.v > a.v ? b : a;
}
template <int N>
constexpr Dual<N> min(const Dual<N>& a, double b) {
  return b < a.v ? Dual<N>(b) : a;
}
template <int N>
constexpr Dual<N> max(const Dual<N>& a, double b) {
  return b > a.v ? Dual<N>(b) : a;
}

template <int N>
bool is_finite(const Dual<N>& x) {
  bool all = std::isfinite(x.v);
  for (double d : x.d) all = all && std::isfinite(d);
  return all;
}
inline bool is_finite(double x) {
  return std::isfinite(x);
}

/// x kept within [low, high]; outside, the derivative is zero.
template <class T>
constexpr T clamp_to(const T& x, double low, double high) {
  return value(x) < low ? T(low) : value(x) > high ? T(high) : x;
}

/// -1, 0 or 1; no derivative.
template <class T>
constexpr double sign_of(const T& x) {
  return value(x) > 0 ? 1.0 : value(x) < 0 ? -1.0 : 0.0;
}

}  // namespace monocoque

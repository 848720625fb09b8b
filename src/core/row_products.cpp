#include "core/row_products.h"

#include <cstddef>

#include "core/clones.h"

namespace monocoque {

namespace {

/// Four numbers side by side, wherever they lie; the compiler makes two of two where there is no wider
/// register.
using Four = double __attribute__((vector_size(32), aligned(8), may_alias));

constexpr int kSide = 4;  ///< of Four

}  // namespace

MONOCOQUE_CLONES
void rows_times(const double* A, int rows, int n, const double* x, double* out) noexcept {
  const int whole = n - n % kSide;
  int r = 0;
  for (; r + 3 <= rows; r += 3) {  // ports have three rows
    const double* a = A + static_cast<std::ptrdiff_t>(r) * n;
    const double *b = a + n, *c = b + n;
    Four p = {0, 0, 0, 0}, q = p, s = p;
    for (int i = 0; i < whole; i += kSide) {
      const Four v = *reinterpret_cast<const Four*>(x + i);
      p += *reinterpret_cast<const Four*>(a + i) * v;
      q += *reinterpret_cast<const Four*>(b + i) * v;
      s += *reinterpret_cast<const Four*>(c + i) * v;
    }
    double first = (p[0] + p[1]) + (p[2] + p[3]), second = (q[0] + q[1]) + (q[2] + q[3]),
           third = (s[0] + s[1]) + (s[2] + s[3]);
    for (int i = whole; i < n; ++i) {
      first += a[i] * x[i];
      second += b[i] * x[i];
      third += c[i] * x[i];
    }
    out[r] = first;
    out[r + 1] = second;
    out[r + 2] = third;
  }
  for (; r < rows; ++r) {
    const double* a = A + static_cast<std::ptrdiff_t>(r) * n;
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += a[i] * x[i];
    out[r] = sum;
  }
}

MONOCOQUE_CLONES
void add_rows(const double* A, int rows, int n, double factor, const double* f, double* out) noexcept {
  const int whole = n - n % kSide;
  int r = 0;
  for (; r + 3 <= rows; r += 3) {
    const double fa = factor * f[r], fb = factor * f[r + 1], fc = factor * f[r + 2];
    if (fa == 0 && fb == 0 && fc == 0) continue;  // a port without a load
    const double* a = A + static_cast<std::ptrdiff_t>(r) * n;
    const double *b = a + n, *c = b + n;
    for (int i = 0; i < whole; i += kSide)
      *reinterpret_cast<Four*>(out + i) += fa * *reinterpret_cast<const Four*>(a + i) +
                                           fb * *reinterpret_cast<const Four*>(b + i) +
                                           fc * *reinterpret_cast<const Four*>(c + i);
    for (int i = whole; i < n; ++i) out[i] += fa * a[i] + fb * b[i] + fc * c[i];
  }
  for (; r < rows; ++r) {
    const double fr = factor * f[r];
    const double* a = A + static_cast<std::ptrdiff_t>(r) * n;
    for (int i = 0; i < n; ++i) out[i] += fr * a[i];
  }
}

}  // namespace monocoque

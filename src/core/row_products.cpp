#include "core/row_products.h"

#include <cstddef>

#include "core/clones.h"

namespace monocoque {

namespace {

/// Four sums a row, so that they fit the width of a register.
inline double dot(const double* __restrict a, const double* __restrict x, int n) noexcept {
  double sum[4] = {0, 0, 0, 0};
  int i = 0;
  for (; i + 4 <= n; i += 4)
    for (int c = 0; c < 4; ++c) sum[c] += a[i + c] * x[i + c];
  double rest = 0;
  for (; i < n; ++i) rest += a[i] * x[i];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]) + rest;
}

}  // namespace

MONOCOQUE_CLONES
void rows_times(const double* A, int rows, int n, const double* x, double* out) noexcept {
  int r = 0;
  for (; r + 3 <= rows; r += 3) {
    const double* a = A + static_cast<std::ptrdiff_t>(r) * n;
    const double *b = a + n, *c = b + n;
    double p[4] = {0, 0, 0, 0}, q[4] = {0, 0, 0, 0}, s[4] = {0, 0, 0, 0};
    int i = 0;
    for (; i + 4 <= n; i += 4)
      for (int k = 0; k < 4; ++k) {
        p[k] += a[i + k] * x[i + k];
        q[k] += b[i + k] * x[i + k];
        s[k] += c[i + k] * x[i + k];
      }
    out[r] = (p[0] + p[1]) + (p[2] + p[3]);
    out[r + 1] = (q[0] + q[1]) + (q[2] + q[3]);
    out[r + 2] = (s[0] + s[1]) + (s[2] + s[3]);
    for (; i < n; ++i) {
      out[r] += a[i] * x[i];
      out[r + 1] += b[i] * x[i];
      out[r + 2] += c[i] * x[i];
    }
  }
  for (; r < rows; ++r) out[r] = dot(A + static_cast<std::ptrdiff_t>(r) * n, x, n);
}

MONOCOQUE_CLONES
void add_rows(const double* A, int rows, int n, double factor, const double* f,
              double* __restrict out) noexcept {
  int r = 0;
  for (; r + 3 <= rows; r += 3) {
    const double fa = factor * f[r], fb = factor * f[r + 1], fc = factor * f[r + 2];
    if (fa == 0 && fb == 0 && fc == 0) continue;  // ports without a load
    const double* __restrict a = A + static_cast<std::ptrdiff_t>(r) * n;
    const double* __restrict b = a + n, * __restrict c = b + n;
    for (int i = 0; i < n; ++i) out[i] += fa * a[i] + fb * b[i] + fc * c[i];
  }
  for (; r < rows; ++r) {
    const double fr = factor * f[r];
    const double* __restrict a = A + static_cast<std::ptrdiff_t>(r) * n;
    for (int i = 0; i < n; ++i) out[i] += fr * a[i];
  }
}

}  // namespace monocoque

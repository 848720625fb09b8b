#pragma once
// Products of a matrix stored by rows with vectors, for the shapes of flexible bodies: some tens of rows, of
// some tens to thousands of columns. No allocation.

namespace monocoque {

/// out = A x; A has `rows` rows of n numbers.
void rows_times(const double* A, int rows, int n, const double* x, double* out) noexcept;
/// out += factor A^T f
void add_rows(const double* A, int rows, int n, double factor, const double* f, double* out) noexcept;

}  // namespace monocoque

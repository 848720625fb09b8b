#pragma once
// Linear systems in triangular (Schur) form: parts by the speed of their decay, Lyapunov's equation.

#include <Eigen/Core>

#include "core/types.h"

namespace monocoque::analysis {

/// x = fast_vectors a + slow_vectors b with a' = fast a, b' = slow b; fast, slow upper triangular;
/// a = fast_rows x, b = slow_rows x.
struct ParsedSystem {
  Eigen::MatrixXcd fast, slow, fast_vectors, slow_vectors, fast_rows, slow_rows;
};

/// x' = A x parted into motions that decay faster than exp(-rate t), and all others.
ParsedSystem part_by_decay(const MatX& A, double rate_per_s);

/// T P + P T^H + Q = 0; T upper triangular with eigenvalues of negative real part, Q Hermitian.
Eigen::MatrixXcd solve_lyapunov(const Eigen::MatrixXcd& T, const Eigen::MatrixXcd& Q);

}  // namespace monocoque::analysis

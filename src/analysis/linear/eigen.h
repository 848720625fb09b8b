#pragma once
// Eigenvalues of small linear systems, once per conjugate pair, in rising order of |s|.

#include <complex>
#include <numbers>
#include <vector>

#include "core/types.h"

namespace monocoque::analysis {

using VecXc = Eigen::VectorXcd;

/// A motion exp(s t). Undamped frequency |s| / 2 pi, damped Im(s) / 2 pi, damping ratio -Re(s) / |s|.
struct Eigenvalue {
  std::complex<double> s;  ///< 1/s; Im >= 0; exactly 0 for what is zero within rounding
  VecXc vector;            ///< of the state (positions, velocities, inner states)
  double undamped_Hz() const;
  double damped_Hz() const { return s.imag() / kTwoPi; }
  double damping_ratio() const { return s.real() == 0 ? 0 : -s.real() / std::abs(s); }
  bool oscillates() const { return s.imag() > 0; }
  static constexpr double kTwoPi = 2 * std::numbers::pi;
};

/// y' = A y. Zeros come first; where several belong together (a free coordinate and its speed) their vectors
/// span what A maps to nothing in several steps.
std::vector<Eigenvalue> eigenvalues(const MatX& A);

/// M p'' + D p' + K p = 0, M positive definite; vectors are (p, p'). Without damping the symmetric problem is
/// solved: one entry per coordinate, zeros included.
std::vector<Eigenvalue> eigenvalues(const MatX& M, const MatX& D, const MatX& K);

/// A <- D^-1 A D with powers of two that bring its rows and columns to like sizes (Parlett and Reinsch 1969);
/// returns the diagonal of D.
VecX balance(MatX& A);

/// The smallest X with G X = B (least squares where there is none); zero for B = 0.
MatX least_solution(const MatX& G, const MatX& B);

/// Basis (orthonormal columns) of the null space of G; rows are scaled to unit length before.
MatX null_space(const MatX& G, double tolerance = 1e-9);

}  // namespace monocoque::analysis

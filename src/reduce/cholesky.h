#pragma once
// A = L L^T of a sparse symmetric positive definite matrix by CHOLMOD's supernodal method. The order of
// elimination is the better of AMD and METIS on the graph of nodes (unknowns with equal neighbours are one
// vertex); the cost is known from the pattern before any number is computed, and told.

#include <memory>
#include <string>

#include "fe/fe_system.h"
#include "reduce/log.h"

namespace monocoque::reduce {

struct CholeskyCost {
  int size = 0;
  double factor_entries = 0, flops = 0;
  double memory_bytes = 0;  ///< factor and the work space of the factorisation
  std::string ordering;
  std::string text() const;
};

struct CholeskyOptions {
  double memory_limit_bytes = 0;  ///< Error before the factorisation when it would need more; 0: none
  Log log;                        ///< cost before, progress during the factorisation
  /// Says what a matrix that is not positive definite means here, e.g. "the stiffness matrix of 'arm'".
  std::string what = "the matrix";
  std::string remedy_if_indefinite;
};

class SparseCholesky {
 public:
  /// Both triangles of A stored; only the upper one is read. Throws Error when A is not positive definite.
  SparseCholesky(const SparseMatrix& A, const CholeskyOptions& options);
  ~SparseCholesky();
  SparseCholesky(SparseCholesky&&) noexcept;
  SparseCholesky& operator=(SparseCholesky&&) noexcept;

  /// A X = B, right-hand sides in blocks.
  MatX solve(const MatX& B) const;
  const CholeskyCost& cost() const;
  /// Wall time of the factorisation alone.
  double seconds() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace monocoque::reduce

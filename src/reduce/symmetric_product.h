#pragma once
// Y = A X for a sparse symmetric A with both triangles stored and a tall X. Eight columns of X go through A
// at a time and the rows are shared by all cores: the products with M are a good part of a Lanczos step.

#include "fe/fe_system.h"

namespace monocoque::reduce {

using ConstMatRef = Eigen::Ref<const MatX>;

MatX symmetric_product(const SparseMatrix& A, const ConstMatRef& X);
/// A^T B of two tall matrices, shared by all cores in fixed pieces: the sum does not depend on their timing.
MatX gram(const ConstMatRef& A, const ConstMatRef& B);
/// Y -= A C, shared by all cores.
void subtract_product(const ConstMatRef& A, const MatX& C, MatX& Y);
/// A C, shared by all cores.
MatX tall_product(const ConstMatRef& A, const MatX& C);

}  // namespace monocoque::reduce

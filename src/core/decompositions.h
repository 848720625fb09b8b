#pragma once
// Eigen's dense decompositions of MatX, compiled once in decompositions.cpp. Include this instead of
// <Eigen/QR> and its kin wherever MatX is decomposed: each of these classes takes seconds to compile anew.

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>

#include "core/types.h"

extern template class Eigen::PartialPivLU<monocoque::MatX>;
extern template class Eigen::FullPivLU<monocoque::MatX>;
extern template class Eigen::PartialPivLU<Eigen::MatrixXcd>;
extern template class Eigen::LLT<monocoque::MatX>;
extern template class Eigen::LDLT<monocoque::MatX>;
extern template class Eigen::HouseholderQR<monocoque::MatX>;
extern template class Eigen::ColPivHouseholderQR<monocoque::MatX>;
extern template class Eigen::CompleteOrthogonalDecomposition<monocoque::MatX>;
extern template class Eigen::SelfAdjointEigenSolver<monocoque::MatX>;
extern template class Eigen::GeneralizedSelfAdjointEigenSolver<monocoque::MatX>;
extern template class Eigen::EigenSolver<monocoque::MatX>;
extern template class Eigen::RealSchur<monocoque::MatX>;
extern template class Eigen::ComplexSchur<monocoque::MatX>;
extern template class Eigen::ComplexSchur<Eigen::MatrixXcd>;
extern template class Eigen::BDCSVD<monocoque::MatX>;

#include "core/decompositions.h"

template class Eigen::PartialPivLU<monocoque::MatX>;
template class Eigen::FullPivLU<monocoque::MatX>;
template class Eigen::PartialPivLU<Eigen::MatrixXcd>;
template class Eigen::LLT<monocoque::MatX>;
template class Eigen::LDLT<monocoque::MatX>;
template class Eigen::HouseholderQR<monocoque::MatX>;
template class Eigen::ColPivHouseholderQR<monocoque::MatX>;
template class Eigen::CompleteOrthogonalDecomposition<monocoque::MatX>;
template class Eigen::SelfAdjointEigenSolver<monocoque::MatX>;
template class Eigen::GeneralizedSelfAdjointEigenSolver<monocoque::MatX>;
template class Eigen::EigenSolver<monocoque::MatX>;
template class Eigen::RealSchur<monocoque::MatX>;
template class Eigen::ComplexSchur<monocoque::MatX>;
template class Eigen::ComplexSchur<Eigen::MatrixXcd>;
template class Eigen::BDCSVD<monocoque::MatX>;

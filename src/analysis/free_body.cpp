#include "analysis/free_body.h"

#include <Eigen/Cholesky>

#include "core/error.h"

namespace monocoque::analysis {

MatX mass_matrix(const io::Sid& sid) {
  const Eigen::Index n = sid.nq;
  MatX M = MatX::Zero(6 + n, 6 + n);
  M.topLeftCorner<3, 3>() = sid.mass_kg * Mat3::Identity();
  const Mat3 mc = skew(Vec3(sid.mdCM.zero.col(0)));
  M.block<3, 3>(3, 0) = mc;
  M.block<3, 3>(0, 3) = mc.transpose();
  const VecX j = sid.J.zero.col(0);
  M.block<3, 3>(3, 3) << j[0], j[3], j[4], j[3], j[1], j[5], j[4], j[5], j[2];
  M.block(6, 0, n, 3) = sid.Ct.zero;
  M.block(6, 3, n, 3) = sid.Cr.zero;
  M.block(0, 6, 6, n) = M.block(6, 0, n, 6).transpose();
  M.bottomRightCorner(n, n) = sid.Me.zero;
  return M;
}

std::vector<Eigenvalue> free_body_modes(const io::Sid& sid) {
  const Eigen::Index n = sid.nq;
  const MatX M = mass_matrix(sid);
  const Eigen::LLT<MatX> rigid(M.topLeftCorner(6, 6));
  const MatX C = M.bottomLeftCorner(n, 6);
  const MatX floating = M.bottomRightCorner(n, n) - C * rigid.solve(C.transpose());
  if (rigid.info() != Eigen::Success || Eigen::LLT<MatX>(floating).info() != Eigen::Success)
    throw Error("body '" + sid.name + "'",
                "its mass matrix (mass, mdCM, J, Ct, Cr, Me) is not positive definite",
                "reduce it anew, or check the program that wrote the file");
  return eigenvalues(floating, sid.De.zero, sid.Ke.zero);
}

}  // namespace monocoque::analysis

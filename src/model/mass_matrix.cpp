#include "model/mass_matrix.h"

#include "model/flexible_body.h"

namespace monocoque {

MatX mass_matrix(const io::Sid& sid) {
  const Eigen::Index n = sid.nq;
  MatX M = MatX::Zero(6 + n, 6 + n);
  M.topLeftCorner<3, 3>() = sid.mass_kg * Mat3::Identity();
  const Mat3 mc = skew(Vec3(sid.mdCM.zero.col(0)));
  M.block<3, 3>(3, 0) = mc;
  M.block<3, 3>(0, 3) = mc.transpose();
  M.block<3, 3>(3, 3) = tensor(Vec6(sid.J.zero.col(0)));
  M.block(6, 0, n, 3) = sid.Ct.zero;
  M.block(6, 3, n, 3) = sid.Cr.zero;
  M.block(0, 6, 6, n) = M.block(6, 0, n, 6).transpose();
  M.bottomRightCorner(n, n) = sid.Me.zero;
  return M;
}

}  // namespace monocoque

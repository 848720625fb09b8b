#pragma once
// Fixed-size vectors and matrices used everywhere. All quantities are SI inside the program.
// Names carry frames where frames can be confused: p_PQ_W is the vector from P to Q in world axes,
// R_WB turns body axes into world axes, w_WB_B is the angular velocity of B in W, expressed in B.

#include <Eigen/Core>

namespace monocoque {

using Vec3 = Eigen::Vector3d;
using Vec4 = Eigen::Vector4d;
using Vec6 = Eigen::Matrix<double, 6, 1>;
using Mat3 = Eigen::Matrix3d;
using Mat4 = Eigen::Matrix4d;
using Mat6 = Eigen::Matrix<double, 6, 6>;
using Mat34 = Eigen::Matrix<double, 3, 4>;
using VecX = Eigen::VectorXd;
using MatX = Eigen::MatrixXd;
using VecRef = Eigen::Ref<VecX>;
using ConstVecRef = Eigen::Ref<const VecX>;

/// Cross-product matrix: skew(a) b = a x b.
inline Mat3 skew(const Vec3& a) {
  Mat3 s;
  s << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return s;
}

}  // namespace monocoque

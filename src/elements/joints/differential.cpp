#include "elements/joints/differential.h"

#include <Eigen/Geometry>

#include "core/rotation.h"
#include "elements/field_makers.h"

namespace monocoque {

namespace {
constexpr int kHousing = 3;  // rotation of marker 0
constexpr int rotation_of(int shaft) {
  return 6 * (shaft + 1) + 3;
}
}  // namespace

void Differential::residual(const JointInput&, RowVector& g) const {
  g.resize(0);
}

void Differential::velocity_matrix(const JointInput& in, RowsByTwist& W) const {
  W.setZero(1, 24);
  for (int k = 0; k < 3; ++k) {
    const Vec3 z = factor_[k] * in.m[k + 1]->R.col(2);
    W.block<1, 3>(0, rotation_of(k)) += z.transpose();
    W.block<1, 3>(0, kHousing) -= z.transpose();
  }
}

void Differential::convective(const JointInput& in, RowVector& gamma) const {
  // z_k turns with its shaft: (w_k x z_k) . (w_k - w_H) = -z_k . (w_H x w_k)
  gamma.setZero(1);
  for (int k = 0; k < 3; ++k)
    gamma[0] -= factor_[k] * in.m[k + 1]->R.col(2).dot(in.m[0]->w.cross(in.m[k + 1]->w));
}

void Differential::tangent(const JointInput& in, const RowVector& lambda, JointTangent& out) const {
  out.force_pose.setZero(24, 24);
  for (RowsByTwist* rows : {&out.velocity_pose, &out.acceleration_pose, &out.acceleration_twist})
    rows->setZero(1, 24);
  const MarkerKinematics& H = *in.m[0];
  for (int k = 0; k < 3; ++k) {
    const MarkerKinematics& S = *in.m[k + 1];
    const Vec3 z = factor_[k] * S.R.col(2);
    const int at = rotation_of(k);
    const Mat3 turn = lambda[0] * skew(z);
    out.force_pose.block<3, 3>(at, at) -= turn;
    out.force_pose.block<3, 3>(kHousing, at) += turn;
    out.velocity_pose.block<1, 3>(0, at) += z.cross(S.w - H.w).transpose();
    out.acceleration_pose.block<1, 3>(0, at) += z.cross(S.alpha - H.alpha - H.w.cross(S.w)).transpose();
    out.acceleration_twist.block<1, 3>(0, at) -= z.cross(H.w).transpose();
    out.acceleration_twist.block<1, 3>(0, kHousing) -= S.w.cross(z).transpose();
  }
}

ElementType<Joint> differential_joint_type() {
  ElementType<Joint> type;
  type.info = {"differential",
               io::Group::joint,
               "Open differential: the input turns `ratio` times as fast as the mean of both wheels.",
               {fields::number("ratio", "Speed of the input over the mean speed of the wheels.", "", "3.7",
                               io::Rule::nonzero)},
               io::Attachment::shafts};
  type.make = [](const io::ParameterSet& p) { return std::make_unique<Differential>(p.number("ratio")); };
  return type;
}

}  // namespace monocoque

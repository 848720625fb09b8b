#include "model/state.h"

#include <cmath>

#include "core/rotation.h"
#include "model/model.h"

namespace monocoque {

State initial_state(const Model& model) {
  State s;
  s.x = model.initial_x;
  s.z = model.initial_z;
  s.c = VecX::Zero(model.nc);
  s.lambda = VecX::Zero(model.nlambda);
  s.w = VecX::Zero(model.nw);
  s.r = VecX::Zero(model.nr);
  return s;
}

OutlinePose outline_pose(const Model& model, const VecX& x) {
  const Marker& marker = model.markers[model.lane_marker.at()];
  const Part& part = model.parts[marker.part.at()];
  const Mat3 R = rotation_from_quaternion(x.segment<4>(part.x_start + 3));
  const Vec3 p = x.segment<3>(part.x_start) + R * marker.r, ahead = R * marker.R.col(0);
  return {p.x(), p.y(), std::atan2(ahead.y(), ahead.x())};
}

void retract(const Model& model, const VecX& x, const VecX& d, VecX& out) {
  for (const Part& part : model.parts) {
    if (!part.moves()) continue;
    out.segment<3>(part.x_start) = x.segment<3>(part.x_start) + d.segment<3>(part.z_start);
    if (!part.turns()) continue;
    const Vec4 p = x.segment<4>(part.x_start + 3);
    const Vec4 turned = multiply(p, quaternion_from_rotation_vector(d.segment<3>(part.z_start + 3)));
    out.segment<4>(part.x_start + 3) = turned / turned.norm();
    out.segment(part.x_start + 7, part.nq()) =
        x.segment(part.x_start + 7, part.nq()) + d.segment(part.z_start + 6, part.nq());
  }
}

void local_difference(const Model& model, const VecX& from, const VecX& to, VecX& d) {
  for (const Part& part : model.parts) {
    if (!part.moves()) continue;
    d.segment<3>(part.z_start) = to.segment<3>(part.x_start) - from.segment<3>(part.x_start);
    if (!part.turns()) continue;
    Vec4 back = from.segment<4>(part.x_start + 3);
    back.tail<3>() = -back.tail<3>();
    d.segment<3>(part.z_start + 3) =
        rotation_vector_from_quaternion(multiply(back, Vec4(to.segment<4>(part.x_start + 3))));
    d.segment(part.z_start + 6, part.nq()) =
        to.segment(part.x_start + 7, part.nq()) - from.segment(part.x_start + 7, part.nq());
  }
}

}  // namespace monocoque

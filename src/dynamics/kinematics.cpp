#include "dynamics/kinematics.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include "core/index.h"
#include "core/rotation.h"

namespace monocoque {

namespace {

template <class Function>
void for_markers(Workspace& ws, Function&& function) {
  if (ws.all_markers) {
    for (std::size_t i = 0; i < ws.markers.size(); ++i) function(i);
  } else {
    for (const int i : ws.element_markers) function(static_cast<std::size_t>(i));
  }
}

/// Displacement and rotation by the deformation; r comes in as R times the undeformed place.
void deform(Workspace& ws, const Marker& marker, const Part& part, const Mat3& R, const VecX& x,
            MarkerCache& cache) {
  const MarkerShape& shape = ws.model.shapes[at(marker.shape)];
  ElasticMarker& e = ws.elastic[at(marker.shape)];
  const auto q = x.segment(part.x_start + 7, part.nq());
  e.Phi.noalias() = R.lazyProduct(shape.Phi);
  cache.r.noalias() += e.Phi * q;
  e.theta.noalias() = shape.Psi * q;
  e.L = left_tangent(e.theta);
  cache.k.R = R * rotation_from_quaternion(quaternion_from_rotation_vector(e.theta)) * marker.R;
  e.T.topRows<3>() = e.Phi;
  const Mat3 RL = R * e.L;
  e.T.bottomRows<3>().noalias() = RL.lazyProduct(shape.Psi);
}

/// Velocities by the deformation, and how they change with it.
void deform_rates(Workspace& ws, const Marker& marker, const Part& part, const VecX& z, const Vec3& w,
                  MarkerCache& cache) {
  const MarkerShape& shape = ws.model.shapes[at(marker.shape)];
  ElasticMarker& e = ws.elastic[at(marker.shape)];
  const Mat3& R = ws.parts[marker.part.at()].R;
  const auto q_dot = z.segment(part.z_start + 6, part.nq());
  const Vec3 flow = e.Phi * q_dot;
  e.rate.noalias() = shape.Psi * q_dot;
  const Mat3 D = left_tangent_derivative(e.theta, e.rate);
  const Vec3 turn = R * (e.L * e.rate);
  cache.relative_velocity += flow;
  cache.k.w += turn;
  cache.convective += 2 * w.cross(flow);
  cache.convective_alpha = w.cross(turn) + R * (D * e.rate);
  e.S.topRows<3>().noalias() = skew(w).lazyProduct(e.Phi);
  const Mat3 RD = R * D;
  e.S.bottomRows<3>().noalias() = RD.lazyProduct(shape.Psi);
}

}  // namespace

void update_signals(Workspace& ws, double t, const VecX& r) {
  const Model& model = ws.model;
  const double time = t < ws.signal_limit ? t : std::nextafter(ws.signal_limit, -1e300);
  for (std::size_t i = 0; i < model.signals.size(); ++i) {
    const SignalSlot& slot = model.signals[i];
    if (slot.controller.valid())
      ws.signals[i] = model.controllers[slot.controller.at()].output(t, r);
    else
      ws.signals[i] = slot.function.at(time);
  }
}

void update_positions(Workspace& ws, const VecX& x) {
  const Model& model = ws.model;
  for (std::size_t i = 0; i < model.parts.size(); ++i) {
    const Part& part = model.parts[i];
    // The length of p does not matter: IDA's Newton iterates leave the unit sphere.
    ws.parts[i].R = part.turns() ? rotation_from_quaternion(Vec4(x.segment<4>(part.x_start + 3)).normalized())
                                 : Mat3::Identity();
    if (part.flexible >= 0)
      update_flexible_positions(model.flexible[at(part.flexible)], x.segment(part.x_start + 7, part.nq()),
                                ws.flexible[at(part.flexible)]);
  }
  for_markers(ws, [&](std::size_t i) {
    const Marker& marker = model.markers[i];
    const Part& part = model.parts[marker.part.at()];
    const Mat3& R = ws.parts[marker.part.at()].R;
    MarkerCache& cache = ws.markers[i];
    cache.r = R * marker.r;
    if (marker.shape >= 0)
      deform(ws, marker, part, R, x, cache);
    else
      cache.k.R = R * marker.R;
    cache.k.p = cache.r;
    if (part.moves()) cache.k.p += x.segment<3>(part.x_start);
    cache.T.setZero();
    if (part.moves()) cache.T.topLeftCorner<3, 3>().setIdentity();
    if (part.turns()) {
      cache.T.topRightCorner<3, 3>() = -skew(cache.r) * R;
      cache.T.bottomRightCorner<3, 3>() = R;
    }
  });
}

void update_velocities(Workspace& ws, const VecX& z) {
  const Model& model = ws.model;
  for (std::size_t i = 0; i < model.parts.size(); ++i) {
    const Part& part = model.parts[i];
    ws.parts[i].w = part.turns() ? Vec3(ws.parts[i].R * z.segment<3>(part.z_start + 3)) : Vec3::Zero();
    if (part.flexible >= 0)
      update_flexible_velocities(model.flexible[at(part.flexible)], z.segment<3>(part.z_start + 3),
                                 z.segment(part.z_start + 6, part.nq()), ws.flexible[at(part.flexible)]);
  }
  for_markers(ws, [&](std::size_t i) {
    const Marker& marker = model.markers[i];
    const Part& part = model.parts[marker.part.at()];
    MarkerCache& cache = ws.markers[i];
    const Vec3& w = ws.parts[marker.part.at()].w;
    cache.relative_velocity = w.cross(cache.r);
    cache.convective = w.cross(cache.relative_velocity);
    cache.convective_alpha.setZero();
    cache.k.w = w;
    if (marker.shape >= 0) deform_rates(ws, marker, part, z, w, cache);
    cache.k.v = cache.relative_velocity;
    if (part.moves()) cache.k.v += z.segment<3>(part.z_start);
  });
}

void update_accelerations(Workspace& ws, const VecX& z_dot) {
  const Model& model = ws.model;
  for_markers(ws, [&](std::size_t i) {
    const Marker& marker = model.markers[i];
    const Part& part = model.parts[marker.part.at()];
    MarkerCache& cache = ws.markers[i];
    cache.k.alpha = cache.convective_alpha;
    cache.relative_acceleration = cache.convective;
    if (part.turns()) {
      const Vec3 alpha = ws.parts[marker.part.at()].R * z_dot.segment<3>(part.z_start + 3);
      cache.k.alpha += alpha;
      cache.relative_acceleration += alpha.cross(cache.r);
      if (marker.shape >= 0) {
        ElasticMarker& e = ws.elastic[at(marker.shape)];
        const auto q_ddot = z_dot.segment(part.z_start + 6, part.nq());
        const Vec6 elastic = e.T * q_ddot;
        cache.relative_acceleration += elastic.head<3>();
        cache.k.alpha += elastic.tail<3>();
        e.acceleration.noalias() = model.shapes[at(marker.shape)].Psi * q_ddot;
        e.frame_alpha = alpha;
      }
    }
    cache.k.a = cache.relative_acceleration;
    if (part.moves()) cache.k.a += z_dot.segment<3>(part.z_start);
  });
}

}  // namespace monocoque

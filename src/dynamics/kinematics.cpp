#include "dynamics/kinematics.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include "core/index.h"
#include "core/rotation.h"

namespace monocoque {

namespace {

template <class Function>
void for_markers(Workspace& ws, MarkerSet set, Function&& function) {
  if (ws.all_markers) {
    for (std::size_t i = 0; i < ws.markers.size(); ++i) function(i);
  } else {
    for (const int i : set == MarkerSet::joints ? ws.joint_markers : ws.element_markers)
      function(static_cast<std::size_t>(i));
  }
}

/// Displacement and rotation by the deformation; r comes in as R times the undeformed place.
void deform(Workspace& ws, const Marker& marker, const FlexiblePart& part, const Mat3& R,
            MarkerCache& cache) {
  ElasticMarker& e = ws.elastic[at(marker.shape)];
  if (e.place < part.step_rows || ws.all_markers) cache.r.noalias() += R * part.u.segment<3>(e.place);
  if (!e.turns && !ws.all_markers) {
    e.L.setIdentity();
    e.theta.setZero();
    cache.k.R.noalias() = R * marker.R;
    return;
  }
  e.theta = part.u.segment<3>(e.axes);
  e.L = left_tangent(e.theta);
  cache.k.R = R * rotation_from_quaternion(quaternion_from_rotation_vector(e.theta)) * marker.R;
}

/// Velocities by the deformation, and how they change with it.
void deform_rates(Workspace& ws, const Marker& marker, const FlexiblePart& part, const Vec3& w,
                  MarkerCache& cache) {
  ElasticMarker& e = ws.elastic[at(marker.shape)];
  const Mat3& R = ws.parts[marker.part.at()].R;
  if (e.place < part.step_rows || ws.all_markers) {
    const Vec3 flow = R * part.u_dot.segment<3>(e.place);
    cache.relative_velocity += flow;
    cache.convective += 2 * w.cross(flow);
  }
  if (!e.turns && !ws.all_markers) {
    e.D.setZero();
    e.rate.setZero();
    return;
  }
  e.rate = part.u_dot.segment<3>(e.axes);
  const Vec3 turn = R * (e.L * e.rate);
  cache.k.w += turn;
  if (!ws.shape_derivatives) return;
  e.D = left_tangent_derivative(e.theta, e.rate);
  cache.convective_alpha = w.cross(turn) + R * (e.D * e.rate);
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

void update_positions(Workspace& ws, const VecX& x, MarkerSet set) {
  const Model& model = ws.model;
  for (std::size_t i = 0; i < model.parts.size(); ++i) {
    const Part& part = model.parts[i];
    // The length of p does not matter: IDA's Newton iterates leave the unit sphere.
    ws.parts[i].R = part.turns() ? rotation_from_quaternion(Vec4(x.segment<4>(part.x_start + 3)).normalized())
                                 : Mat3::Identity();
    if (part.flexible < 0) continue;
    FlexiblePart& flexible = ws.flexible[at(part.flexible)];
    const auto q = x.segment(part.x_start + 7, part.nq());
    update_ports(flexible, q, ws.all_markers, flexible.u);
    if (set != MarkerSet::joints) update_flexible_positions(model.flexible[at(part.flexible)], q, flexible);
  }
  for_markers(ws, set, [&](std::size_t i) {
    const Marker& marker = model.markers[i];
    const Part& part = model.parts[marker.part.at()];
    const Mat3& R = ws.parts[marker.part.at()].R;
    MarkerCache& cache = ws.markers[i];
    cache.r.noalias() = R * marker.r;
    if (marker.shape >= 0)
      deform(ws, marker, ws.flexible[at(part.flexible)], R, cache);
    else
      cache.k.R.noalias() = R * marker.R;
    cache.k.p = cache.r;
    if (part.moves()) cache.k.p += x.segment<3>(part.x_start);
  });
}

void update_velocities(Workspace& ws, const VecX& z, MarkerSet set) {
  const Model& model = ws.model;
  for (std::size_t i = 0; i < model.parts.size(); ++i) {
    const Part& part = model.parts[i];
    if (part.turns())
      ws.parts[i].w.noalias() = ws.parts[i].R * z.segment<3>(part.z_start + 3);
    else
      ws.parts[i].w.setZero();
    if (part.flexible < 0) continue;
    FlexiblePart& flexible = ws.flexible[at(part.flexible)];
    const auto q_dot = z.segment(part.z_start + 6, part.nq());
    update_ports(flexible, q_dot, ws.all_markers, flexible.u_dot);
    if (set != MarkerSet::joints)
      update_flexible_velocities(model.flexible[at(part.flexible)], q_dot, flexible);
  }
  for_markers(ws, set, [&](std::size_t i) {
    const Marker& marker = model.markers[i];
    const Part& part = model.parts[marker.part.at()];
    MarkerCache& cache = ws.markers[i];
    const Vec3& w = ws.parts[marker.part.at()].w;
    cache.relative_velocity = w.cross(cache.r);
    cache.convective = w.cross(cache.relative_velocity);
    cache.convective_alpha.setZero();
    cache.k.w = w;
    if (marker.shape >= 0) deform_rates(ws, marker, ws.flexible[at(part.flexible)], w, cache);
    cache.k.v = cache.relative_velocity;
    if (part.moves()) cache.k.v += z.segment<3>(part.z_start);
  });
}

void update_accelerations(Workspace& ws, const VecX& z_dot) {
  const Model& model = ws.model;
  for (const Part& part : model.parts) {
    if (part.flexible < 0) continue;
    FlexiblePart& flexible = ws.flexible[at(part.flexible)];
    update_ports(flexible, z_dot.segment(part.z_start + 6, part.nq()), ws.all_markers, flexible.u_ddot);
  }
  for_markers(ws, MarkerSet::elements, [&](std::size_t i) {
    const Marker& marker = model.markers[i];
    const Part& part = model.parts[marker.part.at()];
    MarkerCache& cache = ws.markers[i];
    cache.k.alpha = cache.convective_alpha;
    cache.relative_acceleration = cache.convective;
    if (part.turns()) {
      const Mat3& R = ws.parts[marker.part.at()].R;
      const Vec3 alpha = R * z_dot.segment<3>(part.z_start + 3);
      cache.k.alpha += alpha;
      cache.relative_acceleration += alpha.cross(cache.r);
      if (marker.shape >= 0) {
        ElasticMarker& e = ws.elastic[at(marker.shape)];
        const FlexiblePart& flexible = ws.flexible[at(part.flexible)];
        if (e.place < flexible.step_rows || ws.all_markers)
          cache.relative_acceleration += R * flexible.u_ddot.segment<3>(e.place);
        e.acceleration.setZero();
        if (e.turns || ws.all_markers) e.acceleration = flexible.u_ddot.segment<3>(e.axes);
        cache.k.alpha += R * (e.L * e.acceleration);
        e.frame_alpha = alpha;
      }
    }
    cache.k.a = cache.relative_acceleration;
    if (part.moves()) cache.k.a += z_dot.segment<3>(part.z_start);
  });
}

}  // namespace monocoque

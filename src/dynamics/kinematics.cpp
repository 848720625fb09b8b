#include "dynamics/kinematics.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

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

}  // namespace

void update_signals(Workspace& ws, double t, const VecX& r) {
  const Model& model = ws.model;
  const double time = t < ws.signal_limit ? t : std::nextafter(ws.signal_limit, -1e300);
  for (std::size_t i = 0; i < model.signals.size(); ++i) {
    const SignalSlot& slot = model.signals[i];
    if (slot.controller.valid())
      ws.signals[i] = {r[model.controllers[slot.controller.at()].r_start], 0, 0};
    else
      ws.signals[i] = slot.function.at(time);
  }
}

void update_positions(Workspace& ws, const VecX& x) {
  const Model& model = ws.model;
  for (std::size_t i = 0; i < model.parts.size(); ++i) {
    const Part& part = model.parts[i];
    // The length of p does not matter: IDA's Newton iterates leave the unit sphere.
    ws.parts[i].R = part.z_size == 6
                        ? rotation_from_quaternion(Vec4(x.segment<4>(part.x_start + 3)).normalized())
                        : Mat3::Identity();
  }
  for_markers(ws, [&](std::size_t i) {
    const Marker& marker = model.markers[i];
    const Part& part = model.parts[marker.part.at()];
    const Mat3& R = ws.parts[marker.part.at()].R;
    MarkerCache& cache = ws.markers[i];
    cache.r = R * marker.r;
    cache.k.R = R * marker.R;
    cache.k.p = cache.r;
    if (part.z_size > 0) cache.k.p += x.segment<3>(part.x_start);
    cache.T.setZero();
    if (part.z_size > 0) cache.T.topLeftCorner<3, 3>().setIdentity();
    if (part.z_size == 6) {
      cache.T.topRightCorner<3, 3>() = -skew(cache.r) * R;
      cache.T.bottomRightCorner<3, 3>() = R;
    }
  });
}

void update_velocities(Workspace& ws, const VecX& z) {
  const Model& model = ws.model;
  for (std::size_t i = 0; i < model.parts.size(); ++i) {
    const Part& part = model.parts[i];
    ws.parts[i].w = part.z_size == 6 ? Vec3(ws.parts[i].R * z.segment<3>(part.z_start + 3)) : Vec3::Zero();
  }
  for_markers(ws, [&](std::size_t i) {
    const Part& part = model.parts[model.markers[i].part.at()];
    MarkerCache& cache = ws.markers[i];
    const Vec3& w = ws.parts[model.markers[i].part.at()].w;
    const Vec3 spin = w.cross(cache.r);
    cache.k.w = w;
    cache.k.v = spin;
    if (part.z_size > 0) cache.k.v += z.segment<3>(part.z_start);
    cache.convective = w.cross(spin);
  });
}

void update_accelerations(Workspace& ws, const VecX& z_dot) {
  const Model& model = ws.model;
  for_markers(ws, [&](std::size_t i) {
    const Part& part = model.parts[model.markers[i].part.at()];
    MarkerCache& cache = ws.markers[i];
    cache.k.alpha.setZero();
    cache.k.a = cache.convective;
    if (part.z_size == 0) return;
    cache.k.a += z_dot.segment<3>(part.z_start);
    if (part.z_size == 6) {
      cache.k.alpha = ws.parts[model.markers[i].part.at()].R * z_dot.segment<3>(part.z_start + 3);
      cache.k.a += cache.k.alpha.cross(cache.r);
    }
  });
}

}  // namespace monocoque

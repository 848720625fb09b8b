#pragma once
// Where a wheel touches the road and how it moves there, in the axes of the road's frame; written once for
// numbers and for dual numbers.
//   n         road normal at the contact        e_x = axle x n, normalised: forward on the road
//   e_y       n x e_x: to the left              gamma: sin(gamma) = axle . n, > 0: the top leans to the right
// The law chooses the kind of contact (ContactKind). The road is taken as its tangent plane at the contact
// point: features should be longer than the contact patch.

#include <array>

#include "core/dual.h"
#include "elements/road.h"
#include "elements/tires/tire_law.h"

namespace monocoque {

template <class T>
using VecOf = std::array<T, 3>;

template <class T>
T dot(const VecOf<T>& a, const VecOf<T>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
template <class T>
VecOf<T> cross(const VecOf<T>& a, const VecOf<T>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
template <class T>
VecOf<T> along(const VecOf<T>& a, const T& f) {
  return {a[0] * f, a[1] * f, a[2] * f};
}
template <class T>
VecOf<T> sum(const VecOf<T>& a, const VecOf<T>& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}

/// Wheel relative to the road's frame, in its axes.
template <class T>
struct WheelMotion {
  VecOf<T> place, axle, velocity, omega;
};

template <class T>
struct TireContact {
  VecOf<T> n, e_x, e_y, arm;  ///< arm: from the wheel centre to the contact point
  T radius;                   ///< distance of the two
  T tilt;                     ///< change of the radius with the distance along n
  T rate;                     ///< with which the radius shrinks: -velocity . n tilt
  T spin;                     ///< omega . axle
  T gamma, Vx, Vy;            ///< Vy: sideways velocity of the contact point
  T yaw_rate;                 ///< of the wheel, without its spin, about n
  T mu;
  bool on_road = true;
};

/// Height, normal and friction at a point that may carry derivatives.
template <class T>
struct RoadPlane {
  T z, mu;
  VecOf<T> n;
  bool on_road = true;

  RoadPlane(const Road& road, const T& x, const T& y) {
    using std::sqrt;
    RoadHint hint;
    RoadSample s;
    road.sample(value(x), value(y), hint, s);
    const T dx = x - value(x), dy = y - value(y);
    z = s.z + s.z_x * dx + s.z_y * dy;
    mu = s.mu + s.mu_x * dx + s.mu_y * dy;
    const T z_x = s.z_x + s.z_xx * dx + s.z_xy * dy, z_y = s.z_y + s.z_xy * dx + s.z_yy * dy;
    const T up = 1.0 / sqrt(1.0 + z_x * z_x + z_y * z_y);
    n = {-z_x * up, -z_y * up, up};
    on_road = s.on_road;
  }
};

template <class T>
TireContact<T> tire_contact(const Road& road, ContactKind kind, const WheelMotion<T>& wheel) {
  using std::sqrt;
  TireContact<T> c;
  RoadPlane<T> plane(road, wheel.place[0], wheel.place[1]);
  T height = wheel.place[2] - plane.z;
  const auto cos_camber = [&](const VecOf<T>& n) {
    const T s = dot(wheel.axle, n);
    const T square = 1.0 - s * s;
    return square > 1e-6 ? sqrt(square) : T(1e-3);  // a wheel lying on its side
  };
  if (kind == ContactKind::wheel_plane) {
    // The point below the tilted wheel lies aside of its centre: look at the road there.
    const T s = dot(wheel.axle, plane.n), cosine = cos_camber(plane.n);
    const T reach = height * plane.n[2] / (cosine * cosine);
    const T x = wheel.place[0] - reach * (plane.n[0] - s * wheel.axle[0]),
            y = wheel.place[1] - reach * (plane.n[1] - s * wheel.axle[1]);
    plane = RoadPlane<T>(road, x, y);
    const T s2 = dot(wheel.axle, plane.n), cosine2 = cos_camber(plane.n);
    const T distance = (wheel.place[0] - x) * plane.n[0] + (wheel.place[1] - y) * plane.n[1] +
                       (wheel.place[2] - plane.z) * plane.n[2];
    c.radius = distance / cosine2;
    c.tilt = 1.0 / cosine2;
    const T length = -c.radius / cosine2;
    for (std::size_t i = 0; i < 3; ++i) c.arm[i] = length * (plane.n[i] - s2 * wheel.axle[i]);
  } else {
    c.radius = height;
    c.tilt = 1.0 / plane.n[2];
    c.arm = {T(0), T(0), -height};
  }
  c.rate = -dot(wheel.velocity, plane.n) * c.tilt;
  c.n = plane.n;
  c.mu = plane.mu;
  c.on_road = plane.on_road;
  const VecOf<T> forward = cross(wheel.axle, c.n);
  const T length = cos_camber(c.n);
  c.e_x = along(forward, T(1.0 / length));
  c.e_y = cross(c.n, c.e_x);
  c.spin = dot(wheel.omega, wheel.axle);
  using std::atan2;
  c.gamma = atan2(dot(wheel.axle, c.n), length);
  VecOf<T> velocity = wheel.velocity;
  const VecOf<T> carrier = sum(wheel.omega, along(wheel.axle, T(-c.spin)));
  if (kind == ContactKind::wheel_plane) velocity = sum(velocity, cross(carrier, c.arm));
  c.Vx = dot(velocity, c.e_x);
  c.Vy = dot(velocity, c.e_y);
  c.yaw_rate = dot(carrier, c.n);
  return c;
}

}  // namespace monocoque

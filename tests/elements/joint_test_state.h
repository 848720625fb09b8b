#pragma once
// States of markers for the generic joint tests: random but repeatable, generic, moved exactly as the joint
// contract says.

#include <array>
#include <random>

#include "core/rotation.h"
#include "elements/joint.h"

namespace monocoque::test {

/// Everything a joint reads; owns what JointInput points to.
struct JointState {
  std::array<MarkerKinematics, kMaxMarkers> m;
  std::array<Taylor2, kMaxMarkers + 2> u;
  std::array<double, 8> memory{};
  double t = 0;

  JointInput input() const {
    JointInput in;
    in.t = t;
    for (std::size_t k = 0; k < m.size(); ++k) in.m[k] = &m[k];
    in.u = u.data();
    in.memory = memory.data();
    return in;
  }

  /// Pose perturbation: markers stacked, (dp, dtheta) in world axes.
  JointState perturbed(int column, double step) const {
    JointState s = *this;
    MarkerKinematics& k = s.m[static_cast<std::size_t>(column / 6)];
    const int c = column % 6;
    if (c < 3)
      k.p[c] += step;
    else
      k.R = rotation_from_rotation_vector(step * Vec3::Unit(c - 3)) * k.R;
    return s;
  }

  JointState perturbed(const TwistVector& x) const {
    JointState s = *this;
    for (int k = 0; 6 * k < x.size(); ++k) {
      MarkerKinematics& q = s.m[static_cast<std::size_t>(k)];
      q.p += x.segment<3>(6 * k);
      q.R = rotation_from_rotation_vector(x.segment<3>(6 * k + 3)) * q.R;
    }
    return s;
  }

  JointState twist_perturbed(int column, double step) const {
    JointState s = *this;
    MarkerKinematics& k = s.m[static_cast<std::size_t>(column / 6)];
    const int c = column % 6;
    (c < 3 ? k.v[c] : k.w[c - 3]) += step;
    return s;
  }

  /// Signals a little later, markers where they are.
  JointState signals_after(double dt) const {
    JointState s = *this;
    s.t += dt;
    for (Taylor2& x : s.u)
      x = {x.value + x.rate * dt + x.acceleration * dt * dt / 2, x.rate + x.acceleration * dt,
           x.acceleration};
    return s;
  }

  /// The whole motion a little later, correct to second order in dt.
  JointState after(double dt) const {
    JointState s = signals_after(dt);
    for (MarkerKinematics& k : s.m) {
      k.p += k.v * dt + k.a * (dt * dt / 2);
      k.R = rotation_from_rotation_vector(k.w * dt + k.alpha * (dt * dt / 2)) * k.R;
      k.v += k.a * dt;
      k.w += k.alpha * dt;
    }
    return s;
  }

  /// Seen from axes turned by Q, shifted by c and moving with constant velocity v0.
  JointState seen_from(const Mat3& Q, const Vec3& c, const Vec3& v0) const {
    JointState s = *this;
    for (MarkerKinematics& k : s.m) k = {Q * k.p + c, Q * k.R, Q * k.v + v0, Q * k.w, Q * k.a, Q * k.alpha};
    return s;
  }

  TwistVector twists(int markers) const {
    TwistVector x(6 * markers);
    for (int k = 0; k < markers; ++k) {
      const MarkerKinematics& q = m[static_cast<std::size_t>(k)];
      x.segment<6>(6 * k) << q.v, q.w;
    }
    return x;
  }

  TwistVector accelerations(int markers) const {
    TwistVector x(6 * markers);
    for (int k = 0; k < markers; ++k) {
      const MarkerKinematics& q = m[static_cast<std::size_t>(k)];
      x.segment<6>(6 * k) << q.a, q.alpha;
    }
    return x;
  }
};

class RandomStates {
 public:
  explicit RandomStates(unsigned seed) : engine_(seed) {}
  double number(double size = 1) { return std::uniform_real_distribution<double>(-size, size)(engine_); }
  Vec3 vector(double size = 1) { return {number(size), number(size), number(size)}; }
  Mat3 rotation() { return rotation_from_rotation_vector(vector(1.7)); }

  /// Odd markers at a moderate distance and turn from the even one before: far from assembled, far from
  /// singular.
  JointState state(double spread = 0.6) {
    JointState s;
    for (std::size_t k = 0; k < s.m.size(); ++k) {
      MarkerKinematics& q = s.m[k];
      q = {vector(), rotation(), vector(), vector(), vector(2), vector(2)};
      if (k % 2 == 1) {
        const MarkerKinematics& A = s.m[k - 1];
        q.p = A.p + A.R * vector(spread);
        q.R = A.R * rotation_from_rotation_vector(vector(spread));
      }
    }
    for (Taylor2& x : s.u) x = {number(0.4), number(), number(2)};
    return s;
  }

 private:
  std::mt19937 engine_;
};

}  // namespace monocoque::test

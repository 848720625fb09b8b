#include "elements/forces/bushing.h"

#include <cmath>

#include <Eigen/Geometry>

#include "core/rotation.h"
#include "elements/field_makers.h"
#include "elements/forces/wrench_assembly.h"

namespace monocoque {
namespace {

Vec3 relative_rotation(const ForceInput& in) {
  const Mat3 R_AB = in.m[0]->R.transpose() * in.m[1]->R;
  return rotation_vector_from_quaternion(quaternion_from_rotation(R_AB));
}

Vec3 relative_omega(const ForceInput& in) {
  return in.m[0]->R.transpose() * (in.m[1]->w - in.m[0]->w);
}

/// k(a) = (1 - (a/2) cot(a/2)) / a^2 of the inverse tangent operator, and k'(a)/a.
struct Coefficient {
  double k, slope;
};
Coefficient tangent_coefficient(double a2) {
  if (a2 < 1e-2)  // series; the closed form loses digits here
    return {1.0 / 12 + a2 / 720 + a2 * a2 / 30240 + a2 * a2 * a2 / 1209600,
            1.0 / 360 + a2 / 7560 + a2 * a2 / 201600 + a2 * a2 * a2 / 5987520};
  const double a = std::sqrt(a2), s = std::sin(0.5 * a), cot = std::cos(0.5 * a) / s;
  const double k = (1 - 0.5 * a * cot) / a2;
  const double by_a = 0.25 * a / (s * s) - 0.5 * cot;
  return {k, (by_a / a - 2 * k) / a2};
}

/// d(inverse_tangent(theta) m)/dtheta at fixed m.
Mat3 inverse_tangent_derivative(const Vec3& theta, const Vec3& m) {
  const double tm = theta.dot(m);
  const Coefficient c = tangent_coefficient(theta.squaredNorm());
  const Vec3 twice = theta.cross(theta.cross(m));
  return -0.5 * skew(m) + c.slope * twice * theta.transpose() +
         c.k * (tm * Mat3::Identity() + theta * m.transpose() - 2 * m * theta.transpose());
}

}  // namespace

SpringDamper3d::SpringDamper3d(const io::ParameterSet& p)
    : stiffness_(p.vec3("stiffness_N_per_m")),
      damping_(p.vec3("damping_Ns_per_m")),
      free_offset_(p.vec3("free_offset_m")),
      preload_(p.vec3("preload_N")) {
  restrict_to(kPlaceA | kAxesA | kPlaceB);
}

void SpringDamper3d::wrench(const ForceInput& in, Vec12& out) const {
  const RelativePoint r = relative_point(in);
  const Vec3 f = -(stiffness_.cwiseProduct(r.d - free_offset_) + damping_.cwiseProduct(r.d_dot) + preload_);
  out.setZero();
  add_point_force(r.p, in.m[0]->R * f, out);
}

void SpringDamper3d::tangent(const ForceInput& in, ForceTangent& out) const {
  clear(out);
  const RelativePoint r = relative_point(in);
  const Vec3 f = -(stiffness_.cwiseProduct(r.d - free_offset_) + damping_.cwiseProduct(r.d_dot) + preload_);
  const Vec3 f_W = in.m[0]->R * f;
  const Mat3 by_d = -Mat3(stiffness_.asDiagonal()), by_rate = -Mat3(damping_.asDiagonal());
  add_point_force_tangent(r.p, f_W, frame_force_tangent(in, r, f_W, by_d, by_rate), out);
}

double SpringDamper3d::energy(const ForceInput& in) const {
  const Vec3 s = relative_point(in).d - free_offset_;
  return s.dot(0.5 * stiffness_.cwiseProduct(s) + preload_);
}

double SpringDamper3d::dissipation(const ForceInput& in) const {
  const Vec3 rate = relative_point(in).d_dot;
  return rate.dot(damping_.cwiseProduct(rate));
}

Bushing::Bushing(const io::ParameterSet& p)
    : SpringDamper3d(p),
      stiffness_(p.vec3("rotational_stiffness_Nm_per_rad")),
      damping_(p.vec3("rotational_damping_Nms_per_rad")),
      preload_(p.vec3("preload_Nm")) {
  restrict_to(kUsesAll);
}

Vec3 Bushing::torque(const Vec3& theta, const Vec3& omega) const {
  // theta_dot = inverse_tangent(theta)^T omega for omega in axes of A; the torque is the transpose of that.
  return -inverse_tangent(theta) * (stiffness_.cwiseProduct(theta) + preload_) - damping_.cwiseProduct(omega);
}

void Bushing::wrench(const ForceInput& in, Vec12& out) const {
  SpringDamper3d::wrench(in, out);
  add_torque(in.m[0]->R * torque(relative_rotation(in), relative_omega(in)), out);
}

void Bushing::tangent(const ForceInput& in, ForceTangent& out) const {
  SpringDamper3d::tangent(in, out);
  const Mat3& R = in.m[0]->R;
  const Vec3 theta = relative_rotation(in);
  const Vec3 m = stiffness_.cwiseProduct(theta) + preload_;
  const Mat3 T = inverse_tangent(theta);
  const Mat3 by_theta = inverse_tangent_derivative(theta, m) + T * stiffness_.asDiagonal();
  const Mat3 K = -R * by_theta * T.transpose() * R.transpose();
  const Mat3 D = -R * damping_.asDiagonal() * R.transpose();
  const Vec3 t_W = R * torque(theta, relative_omega(in));
  VectorTangent dt;
  // The axes of A turn under omega and turn the torque along.
  dt.pose.block<3, 3>(0, 3) = -K + D * skew(in.m[1]->w - in.m[0]->w) - skew(t_W);
  dt.pose.block<3, 3>(0, 9) = K;
  dt.twist.block<3, 3>(0, 3) = -D;
  dt.twist.block<3, 3>(0, 9) = D;
  add_torque_tangent(dt, out);
}

double Bushing::energy(const ForceInput& in) const {
  const Vec3 theta = relative_rotation(in);
  return SpringDamper3d::energy(in) + theta.dot(0.5 * stiffness_.cwiseProduct(theta) + preload_);
}

double Bushing::dissipation(const ForceInput& in) const {
  const Vec3 omega = relative_omega(in);
  return SpringDamper3d::dissipation(in) + omega.dot(damping_.cwiseProduct(omega));
}

namespace {
std::vector<io::Field> translational_fields() {
  using namespace fields;
  return {
      vec3("stiffness_N_per_m", "stiffness along the axes of `from`", "", "[52000, 31000, 44000]",
           Rule::non_negative),
      vec3("damping_Ns_per_m", "damping along the axes of `from`", "[0, 0, 0]", "[510, 320, 640]",
           Rule::non_negative),
      vec3("free_offset_m", "offset of `to` from `from`, in axes of `from`, at which the springs are free",
           "[0, 0, 0]", "[0.05, -0.02, 0.08]"),
      vec3("preload_N", "force at the free offset, positive pulling together, in axes of `from`", "[0, 0, 0]",
           "[120, -80, 1020]")};
}
}  // namespace

ElementType<Force> spring_damper_3d_type() {
  return fields::with({io::Role::mount}, io::Drawing::spring,
                      fields::force<SpringDamper3d>(
                          "spring_damper_3d",
                          "three springs and dampers along the axes of `from`; both sides feel them at `to`",
                          translational_fields()));
}

ElementType<Force> bushing_type() {
  using namespace fields;
  std::vector<io::Field> list = translational_fields();
  list.push_back(vec3("rotational_stiffness_Nm_per_rad", "stiffness on the rotation vector, axes of `from`",
                      "", "[310, 470, 220]", Rule::non_negative));
  list.push_back(vec3("rotational_damping_Nms_per_rad", "damping about the axes of `from`", "[0, 0, 0]",
                      "[3.1, 2.4, 5.2]", Rule::non_negative));
  list.push_back(vec3("preload_Nm", "torque at no rotation, positive turning `to` back, axes of `from`",
                      "[0, 0, 0]", "[11, -7, 4]"));
  return with(
      {io::Role::mount}, io::Drawing::none,
      force<Bushing>("bushing",
                     "elastic mount: three translational and three rotational springs and dampers in the "
                     "axes of `from`, for relative rotations below a half turn",
                     std::move(list)));
}

}  // namespace monocoque

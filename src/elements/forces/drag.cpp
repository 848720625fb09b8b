#include "elements/forces/drag.h"

#include <fmt/format.h>

#include "elements/field_makers.h"
#include "elements/forces/wrench_assembly.h"

namespace monocoque {

Drag::Drag(const io::ParameterSet& p) : wind_(p.vec3("wind_m_per_s")) {
  const Vec3 c = Vec3::Constant(p.number("coefficient")) + p.vec3("axis_coefficients");
  if (c.minCoeff() < 0)
    fields::refuse(
        p, "axis_coefficients",
        fmt::format("coefficient + axis_coefficients is [{}, {}, {}], it must be >= 0", c[0], c[1], c[2]),
        "drag takes energy out of the motion");
  factor_ = 0.5 * p.number("air_density_kg_per_m3") * p.number("area_m2") * c;
}

Drag::Flow Drag::flow(const ForceInput& in) const {
  const RelativePoint r = relative_point(in);
  Flow f;
  f.p = r.p;
  f.wind = in.m[0]->R * wind_;
  f.v = r.u - f.wind;
  f.v_B = in.m[1]->R.transpose() * f.v;
  f.speed = f.v.norm();
  f.force = -f.speed * (in.m[1]->R * factor_.cwiseProduct(f.v_B));
  return f;
}

void Drag::wrench(const ForceInput& in, Vec12& out) const {
  const Flow f = flow(in);
  out.setZero();
  add_point_force(f.p, f.force, out);
}

void Drag::tangent(const ForceInput& in, ForceTangent& out) const {
  clear(out);
  const Flow f = flow(in);
  const Mat3& R = in.m[1]->R;
  Mat3 by_v = -f.speed * Mat3(factor_.asDiagonal());
  // |v| v is smooth to first order: at rest the slope is zero.
  if (f.speed > 1e-12) by_v -= factor_.cwiseProduct(f.v_B) * f.v_B.transpose() / f.speed;
  const Mat3 H = R * by_v * R.transpose();
  const Mat3 turning = H * skew(in.m[0]->w);
  VectorTangent df;
  df.pose.block<3, 3>(0, 0) = turning;
  df.pose.block<3, 3>(0, 3) = H * skew(f.wind);
  df.pose.block<3, 3>(0, 6) = -turning;
  df.pose.block<3, 3>(0, 9) = H * skew(f.v) - skew(f.force);
  df.twist.block<3, 3>(0, 0) = -H;
  df.twist.block<3, 3>(0, 3) = H * skew(f.p);
  df.twist.block<3, 3>(0, 6) = H;
  add_point_force_tangent(f.p, f.force, df, out);
}

double Drag::dissipation(const ForceInput& in) const {
  const Flow f = flow(in);
  return f.speed * f.v_B.dot(factor_.cwiseProduct(f.v_B));
}

double Drag::supply(const ForceInput& in) const {
  const Flow f = flow(in);
  return f.force.dot(f.wind);
}

ElementType<Force> drag_type() {
  using namespace fields;
  return force<Drag>(
      "drag", "air drag on `to`; `from` is the ground",
      {number("coefficient", "drag coefficient in every direction", "", "0.31", Rule::non_negative),
       vec3("axis_coefficients", "added to it along the axes of `to`", "[0, 0, 0]", "[0.05, 0.6, 0.9]"),
       number("area_m2", "reference area", "", "2.3", Rule::positive),
       number("air_density_kg_per_m3", "density of the air", "1.225", "1.19", Rule::positive),
       vec3("wind_m_per_s", "velocity of the air in axes of `from`", "[0, 0, 0]", "[3.5, -2.2, 0.7]")});
}

}  // namespace monocoque

#include "elements/forces/force_constant.h"

#include "elements/field_makers.h"
#include "elements/forces/wrench_assembly.h"

namespace monocoque {

ForceConstant::ForceConstant(const io::ParameterSet& p) : force_(p.vec3("force_N")) {
  const std::string& axes = p.text("axes");
  marker_ = axes == "world" ? -1 : axes == "from" ? 0 : 1;
}

Vec3 ForceConstant::force_in_world(const ForceInput& in) const {
  return marker_ < 0 ? force_ : in.m[marker_]->R * force_;
}

void ForceConstant::wrench(const ForceInput& in, Vec12& out) const {
  out.setZero();
  add_point_force(in.m[1]->p - in.m[0]->p, force_in_world(in), out);
}

void ForceConstant::tangent(const ForceInput& in, ForceTangent& out) const {
  clear(out);
  const Vec3 f = force_in_world(in);
  VectorTangent df;
  if (marker_ >= 0) df.pose.block<3, 3>(0, 6 * marker_ + 3) = -skew(f);
  add_point_force_tangent(in.m[1]->p - in.m[0]->p, f, df, out);
}

double ForceConstant::supply(const ForceInput& in) const {
  return force_in_world(in).dot(relative_point(in).u);
}

ElementType<Force> force_constant_type() {
  using namespace fields;
  return force<ForceConstant>(
      "force_constant", "constant force on `to`; `from` feels the opposite at the same point",
      {vec3("force_N", "components of the force", "", "[310, -140, 520]"),
       choice("axes", "axes of the components", "world", "to", {"world", "from", "to"})});
}

}  // namespace monocoque

#include "elements/forces/actuator.h"

#include "elements/field_makers.h"
#include "elements/forces/wrench_assembly.h"

namespace monocoque {

Tension ActuatorForce::tension(const ForceInput& in, double, double) const {
  return {-in.u[0].value, 0, 0};
}

double ActuatorForce::supply(const ForceInput& in) const {
  return in.u[0].value * line_of(in).rate;
}

namespace {
Vec3 commanded(const ForceInput& in) {
  return {in.u[0].value, in.u[1].value, in.u[2].value};
}
}  // namespace

void ActuatorVector::wrench(const ForceInput& in, Vec12& out) const {
  out.setZero();
  add_point_force(in.m[1]->p - in.m[0]->p, in.m[0]->R * commanded(in), out);
}

void ActuatorVector::tangent(const ForceInput& in, ForceTangent& out) const {
  clear(out);
  const Vec3 f = in.m[0]->R * commanded(in);
  VectorTangent df;
  df.pose.block<3, 3>(0, 3) = -skew(f);
  add_point_force_tangent(in.m[1]->p - in.m[0]->p, f, df, out);
}

double ActuatorVector::supply(const ForceInput& in) const {
  return commanded(in).dot(relative_point(in).d_dot);
}

void ActuatorTorque::wrench(const ForceInput& in, Vec12& out) const {
  out.setZero();
  add_torque(in.u[0].value * in.m[0]->R.col(2), out);
}

void ActuatorTorque::tangent(const ForceInput& in, ForceTangent& out) const {
  clear(out);
  add_torque_tangent(axis_torque_tangent(in, in.u[0].value, 0), out);
}

double ActuatorTorque::supply(const ForceInput& in) const {
  return in.u[0].value * axis_rate(in);
}

ElementType<Force> actuator_force_type() {
  using namespace fields;
  return with({}, io::Drawing::line,
              force<ActuatorForce>("actuator_force", "commanded force along the line between two frames",
                                   {signal("force_N", "force, positive pushes apart", "", "850")}));
}

ElementType<Force> actuator_vector_type() {
  using namespace fields;
  return with(
      {}, io::Drawing::line,
      force<ActuatorVector>("actuator_vector",
                            "commanded force on `to` in axes of `from`; `from` feels the opposite at `to`",
                            {signal("force_x_N", "component along x of `from`", "0", "410"),
                             signal("force_y_N", "component along y of `from`", "0", "-230"),
                             signal("force_z_N", "component along z of `from`", "0", "620")}));
}

ElementType<Force> actuator_torque_type() {
  using namespace fields;
  return force<ActuatorTorque>("actuator_torque", "commanded torque on `to` about the z axis of `from`",
                               {signal("torque_Nm", "torque on `to`", "", "74")});
}

}  // namespace monocoque

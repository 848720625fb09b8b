// Joints with prescribed (rheonomic) coordinates: rows of basic_joints plus rows driven by signals u(t).
//
//   type               rows  equations (all zero)                        signal
//   driven_revolute     6    revolute; xB . (yA cos u - xA sin u)        angle about z of A, rad
//   driven_angle        1    the last row alone, beside a revolute       the same
//   driven_prismatic    6    prismatic; zA.d - u                         travel along z of A, m
//   driven_position     1    the last row alone: the rack of a steering  the same
//   driven_distance     1    |d| - u                                     distance > 0, m
//   motion              6    A-components of d minus (x, y, z);          six signals
//                            x*.yB, y*.zB, z*.xB
//
// In `motion` R* = RA Rz(yaw) Ry(pitch) Rx(roll) (sequence z-y'-x'') has the columns x*, y*, z*: the pose of
// B in A is given completely. Angles are signals, never inverted, so there is no singular pitch.
//
// Signs: the angle is counted from x of A to x of B, right-handed about z of A, over any number of turns;
// multipliers in N or Nm. The drive of an angle acts on B with the torque -lambda about z.
//
// Limits: the angle row also holds half a turn away; the pose at assembly must lie within a quarter turn of
// u. Signals must be twice differentiable; their jumps are events for the integrator.
//
// Source: dissertation 2.1.3 for the angles; the angle row is the dot-1 condition with a turned axis.

#include "elements/field_makers.h"
#include "elements/joints/basic_joints.h"

namespace monocoque {
namespace {

using joint_rows::Rows;
using Kind = PairRow::Kind;
using Drive = PairRow::Drive;

/// y of A, turned by the signal, stays perpendicular to x of B.
PairRow driven_angle_row() {
  PairRow r;
  r.name = "driven angle";
  r.kind = Kind::alignment;
  r.a = Vec3::UnitY();
  r.b = Vec3::UnitX();
  r.drive = Drive::turn;
  return r;
}

PairRow driven(PairRow r, const char* name, int signal = 0) {
  r.name = name;
  r.drive = Drive::value;
  r.signal = signal;
  return r;
}

Rows motion_rows() {
  Rows rows;
  const char* names[] = {"driven position x", "driven position y", "driven position z"};
  for (int k = 0; k < 3; ++k) {
    PairRow r;
    r.kind = Kind::offset;
    r.a = Vec3::Unit(k);
    rows.push_back(driven(r, names[k], k));
  }
  for (PairRow r : joint_rows::orientation()) {
    r.name = "driven " + r.name;
    r.drive = Drive::tait_bryan;
    r.signal = 3;
    rows.push_back(r);
  }
  return rows;
}

/// A joint whose last row prescribes its one coordinate by its one signal.
ElementType<Joint> drive(std::string name, std::string doc, io::Field signal, Rows rows,
                         Coordinate coordinate) {
  ElementType<Joint> type =
      pair_joint_type(std::move(name), std::move(doc), std::move(rows), coordinate, {std::move(signal)});
  type.info.roles = {io::Role::drive};
  return type;
}

io::Field angle_signal() {
  return fields::signal("angle_rad", "Angle from x of A to x of B about z of A.", "", "0.4 * sin(3 * t)");
}

io::Field travel_signal() {
  return fields::signal("travel_m", "Travel of the origin of B along z of A.", "", "0.05 * sin(2 * t)");
}

PairRow driven_travel_row() {
  return driven(joint_rows::along_z(), "driven travel");
}

}  // namespace

using namespace joint_rows;

ElementType<Joint> driven_revolute_joint_type() {
  ElementType<Joint> type =
      drive("driven_revolute", "Revolute joint whose angle is a given function of time.", angle_signal(),
            join(join(point(), axis_parallel()), {driven_angle_row()}), Coordinate::angle);
  type.info.driven_form = type.info.name;
  return type;
}

ElementType<Joint> driven_angle_joint_type() {
  return drive("driven_angle", "Prescribes the angle about z of A beside a joint that guides the axis.",
               angle_signal(), {driven_angle_row()}, Coordinate::angle);
}

ElementType<Joint> driven_prismatic_joint_type() {
  ElementType<Joint> type =
      drive("driven_prismatic", "Prismatic joint whose travel is a given function of time.", travel_signal(),
            join(join(orientation(), on_line()), {driven_travel_row()}), Coordinate::travel);
  type.info.driven_form = type.info.name;
  return type;
}

ElementType<Joint> driven_position_joint_type() {
  return drive("driven_position", "Prescribes the travel along z of A beside a joint that guides it: a rack.",
               travel_signal(), {driven_travel_row()}, Coordinate::travel);
}

ElementType<Joint> driven_distance_joint_type() {
  return drive("driven_distance",
               "The distance of both origins is a given function of time: a hydraulic cylinder.",
               fields::signal("length_m", "Distance of the two origins, > 0.", "", "0.8 + 0.1 * sin(2 * t)"),
               {driven(distance(0), "driven distance")}, Coordinate::none);
}

ElementType<Joint> motion_joint_type() {
  return pair_joint_type("motion", "The pose of B in A is a given function of time.", motion_rows(),
                         Coordinate::none,
                         {fields::signal("x_m", "Position of B along x of A.", "0", "0.2 + 0.1 * t"),
                          fields::signal("y_m", "Position of B along y of A.", "0", "0.3 * t"),
                          fields::signal("z_m", "Position of B along z of A.", "0", "0.1 * sin(t)"),
                          fields::signal("roll_rad", "Turn about x'' (third).", "0", "0.2 * sin(2 * t)"),
                          fields::signal("pitch_rad", "Turn about y' (second).", "0", "0.3 * sin(t)"),
                          fields::signal("yaw_rad", "Turn about z (first).", "0", "0.5 * t")});
}

}  // namespace monocoque

#include "elements/joints/driven_joints.h"

#include "elements/forces/field_makers.h"
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

}  // namespace

std::vector<ElementType<Joint>> driven_joint_types() {
  using namespace joint_rows;
  std::vector<ElementType<Joint>> types;
  const auto add = [&types](const char* name, const char* doc, const std::vector<io::Field>& fields,
                            Rows rows, Coordinate c = Coordinate::none) {
    const int signals = static_cast<int>(fields.size());
    types.push_back(
        {{name, io::Group::joint, doc, fields, io::Attachment::frames},
         [shared = std::make_shared<const Rows>(std::move(rows)), c, signals](const io::ParameterSet&) {
           return std::make_unique<PairJoint>(shared, c, signals);
         }});
  };
  const io::Field angle =
      fields::signal("angle_rad", "Angle from x of A to x of B about z of A.", "", "0.4 * sin(3 * t)");
  const io::Field travel =
      fields::signal("travel_m", "Travel of the origin of B along z of A.", "", "0.05 * sin(2 * t)");
  const io::Field length =
      fields::signal("length_m", "Distance of the two origins, > 0.", "", "0.8 + 0.1 * sin(2 * t)");
  const PairRow travel_row = driven(along_z(), "driven travel");

  add("driven_revolute", "Revolute joint whose angle is a given function of time.", {angle},
      join(join(point(), axis_parallel()), {driven_angle_row()}), Coordinate::angle);
  add("driven_angle", "Prescribes the angle about z of A beside a joint that guides the axis.", {angle},
      {driven_angle_row()}, Coordinate::angle);
  add("driven_prismatic", "Prismatic joint whose travel is a given function of time.", {travel},
      join(join(orientation(), on_line()), {travel_row}), Coordinate::travel);
  add("driven_position", "Prescribes the travel along z of A beside a joint that guides it: a rack.",
      {travel}, {travel_row}, Coordinate::travel);
  add("driven_distance", "The distance of both origins is a given function of time: a hydraulic cylinder.",
      {length}, {driven(distance(0), "driven distance")});
  add("motion", "The pose of B in A is a given function of time.",
      {fields::signal("x_m", "Position of B along x of A.", "0", "0.2 + 0.1 * t"),
       fields::signal("y_m", "Position of B along y of A.", "0", "0.3 * t"),
       fields::signal("z_m", "Position of B along z of A.", "0", "0.1 * sin(t)"),
       fields::signal("roll_rad", "Turn about x'' (third).", "0", "0.2 * sin(2 * t)"),
       fields::signal("pitch_rad", "Turn about y' (second).", "0", "0.3 * sin(t)"),
       fields::signal("yaw_rad", "Turn about z (first).", "0", "0.5 * t")},
      motion_rows());
  return types;
}

}  // namespace monocoque

#include "elements/joints/basic_joints.h"

#include <memory>
#include <utility>

#include "elements/field_makers.h"

namespace monocoque {
namespace joint_rows {

using Kind = PairRow::Kind;

static PairRow row(const char* name, Kind kind, const Vec3& a, const Vec3& b = Vec3::Zero()) {
  PairRow r;
  r.name = name;
  r.kind = kind;
  r.a = a;
  r.b = b;
  return r;
}

Rows point() {
  const Vec3 x = Vec3::UnitX(), y = Vec3::UnitY(), z = Vec3::UnitZ();
  return {row("position x (world)", Kind::point, x), row("position y (world)", Kind::point, y),
          row("position z (world)", Kind::point, z)};
}

Rows on_line() {
  return {row("offset x", Kind::offset, Vec3::UnitX()), row("offset y", Kind::offset, Vec3::UnitY())};
}

// A tilt about y moves zB towards xA, a tilt about x moves it away from yA.
Rows axis_parallel() {
  const Vec3 x = Vec3::UnitX(), y = Vec3::UnitY(), z = Vec3::UnitZ();
  return {row("axis tilt y", Kind::alignment, x, z), row("axis tilt x", Kind::alignment, y, z)};
}

Rows orientation() {
  const Vec3 x = Vec3::UnitX(), y = Vec3::UnitY(), z = Vec3::UnitZ();
  return {row("rotation z", Kind::alignment, x, y), row("rotation x", Kind::alignment, y, z),
          row("rotation y", Kind::alignment, z, x)};
}

PairRow along_z() {
  return row("offset z", Kind::offset, Vec3::UnitZ());
}

PairRow distance(double length) {
  PairRow r = row("distance", Kind::distance, Vec3::Zero());
  r.constant = length;
  return r;
}

Rows join(Rows a, const Rows& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace joint_rows

ElementType<Joint> pair_joint_type(std::string name, std::string doc, joint_rows::Rows rows,
                                   Coordinate coordinate, std::vector<io::Field> signals) {
  const int count = static_cast<int>(signals.size());
  ElementType<Joint> type;
  type.info = {std::move(name), io::Group::joint, std::move(doc), std::move(signals), io::Attachment::frames};
  type.make = [shared = std::make_shared<const joint_rows::Rows>(std::move(rows)), coordinate, count](
                  const io::ParameterSet&) { return std::make_unique<PairJoint>(shared, coordinate, count); };
  return type;
}

using namespace joint_rows;

ElementType<Joint> spherical_joint_type() {
  return pair_joint_type("spherical", "Origins of both frames coincide; three rotations are free.", point());
}

ElementType<Joint> revolute_joint_type() {
  ElementType<Joint> type =
      pair_joint_type("revolute", "Origins coincide and z axes are parallel; the angle about z is free.",
                      join(point(), axis_parallel()), Coordinate::angle);
  type.info.roles = {io::Role::bearing};
  type.info.driven_form = "driven_revolute";
  return type;
}

ElementType<Joint> cylindrical_joint_type() {
  return pair_joint_type("cylindrical", "Z axes are collinear; angle about and travel along z are free.",
                         join(axis_parallel(), on_line()));
}

ElementType<Joint> prismatic_joint_type() {
  ElementType<Joint> type = pair_joint_type("prismatic", "No rotation; B travels along z of A.",
                                            join(orientation(), on_line()), Coordinate::travel);
  type.info.driven_form = "driven_prismatic";
  return type;
}

ElementType<Joint> universal_joint_type() {
  const PairRow cross =
      row("cross axes perpendicular", PairRow::Kind::alignment, Vec3::UnitX(), Vec3::UnitY());
  return pair_joint_type("universal",
                         "Origins coincide; x of A and y of B, the axes of the cross, stay perpendicular.",
                         join(point(), {cross}));
}

ElementType<Joint> rigid_joint_type() {
  return pair_joint_type("rigid", "Both frames coincide.", join(point(), orientation()));
}

ElementType<Joint> planar_joint_type() {
  return pair_joint_type(
      "planar", "The x-y planes of both frames coincide; two travels and the angle about z are free.",
      join(axis_parallel(), {along_z()}));
}

ElementType<Joint> point_on_line_joint_type() {
  return pair_joint_type("point_on_line",
                         "The origin of B stays on the z axis of A (strut of a McPherson suspension).",
                         on_line());
}

ElementType<Joint> point_on_plane_joint_type() {
  return pair_joint_type("point_on_plane", "The origin of B stays in the x-y plane of A.", {along_z()});
}

ElementType<Joint> parallel_joint_type() {
  return pair_joint_type("parallel", "Axes of both frames stay parallel; three translations are free.",
                         orientation());
}

ElementType<Joint> free_joint_type() {
  return pair_joint_type("free", "No constraint at all: names a pair of frames for sensors.", {});
}

ElementType<Joint> rod_joint_type() {
  ElementType<Joint> type;
  type.info = {"rod",
               io::Group::joint,
               "The distance of both origins is constant: a massless rod.",
               {fields::number("length_m", "Distance of the two origins.", "", "0.83", io::Rule::positive)},
               io::Attachment::frames};
  type.make = [](const io::ParameterSet& p) {
    return std::make_unique<PairJoint>(std::make_shared<const Rows>(1, distance(p.number("length_m"))));
  };
  return type;
}

}  // namespace monocoque

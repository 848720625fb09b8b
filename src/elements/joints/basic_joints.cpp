#include "elements/joints/basic_joints.h"

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

std::vector<ElementType<Joint>> basic_joint_types() {
  using namespace joint_rows;
  std::vector<ElementType<Joint>> types;
  // A joint without fields: always the same rows.
  const auto add = [&types](const char* name, const char* doc, Rows rows, Coordinate c = Coordinate::none) {
    types.push_back({{name, io::Group::joint, doc, {}, io::Attachment::frames},
                     [shared = std::make_shared<const Rows>(std::move(rows)), c](const io::ParameterSet&) {
                       return std::make_unique<PairJoint>(shared, c);
                     }});
  };
  PairRow cross = row("cross axes perpendicular", PairRow::Kind::alignment, Vec3::UnitX(), Vec3::UnitY());
  add("spherical", "Origins of both frames coincide; three rotations are free.", point());
  add("revolute", "Origins coincide and z axes are parallel; the angle about z is free.",
      join(point(), axis_parallel()), Coordinate::angle);
  add("cylindrical", "Z axes are collinear; angle about and travel along z are free.",
      join(axis_parallel(), on_line()));
  add("prismatic", "No rotation; B travels along z of A.", join(orientation(), on_line()),
      Coordinate::travel);
  add("universal", "Origins coincide; x of A and y of B, the axes of the cross, stay perpendicular.",
      join(point(), {cross}));
  add("rigid", "Both frames coincide.", join(point(), orientation()));
  add("planar", "The x-y planes of both frames coincide; two travels and the angle about z are free.",
      join(axis_parallel(), {along_z()}));
  add("point_on_line", "The origin of B stays on the z axis of A (strut of a McPherson suspension).",
      on_line());
  add("point_on_plane", "The origin of B stays in the x-y plane of A.", {along_z()});
  add("parallel", "Axes of both frames stay parallel; three translations are free.", orientation());
  add("free", "No constraint at all: names a pair of frames for sensors.", {});

  io::Field length;
  length.name = "length_m";
  length.doc = "Distance of the two origins.";
  length.example = "0.83";
  length.rule = io::Rule::positive;
  types.push_back({{"rod",
                    io::Group::joint,
                    "The distance of both origins is constant: a massless rod.",
                    {length},
                    io::Attachment::frames},
                   [](const io::ParameterSet& p) {
                     return std::make_unique<PairJoint>(
                         std::make_shared<const Rows>(1, distance(p.number("length_m"))));
                   }});
  return types;
}

}  // namespace monocoque

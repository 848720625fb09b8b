#include "io/model/pose.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include "core/decompositions.h"
#include "core/rotation.h"

namespace monocoque::io {

namespace {

constexpr double degree = std::numbers::pi / 180;

std::optional<Vec3> direction(const MapReader& r, const std::string& key, const std::string& outer) {
  const auto entry = r.entry(key);
  if (!entry || entry->list.size() != 3) return std::nullopt;
  const Vec3 v(entry->list[0], entry->list[1], entry->list[2]);
  // stableNorm: squares of large but finite numbers overflow.
  const double length = v.stableNorm();
  if (length < 1e-100 || !std::isfinite(length)) {
    r.error(key, fmt::format("{}.{} has the length {:g}, it must point somewhere", outer, key, length));
    return std::nullopt;
  }
  return Vec3(v / length);
}

/// One axis exactly, a second in the plane it spans with the first: z before x before y.
std::optional<Mat3> from_axes(const MapReader& r, const std::string& outer) {
  std::vector<int> given;
  for (const int k : {2, 0, 1})
    if (r.has(fmt::format("{}_axis", "xyz"[k]))) given.push_back(k);
  const auto axis = [&](int k) { return direction(r, fmt::format("{}_axis", "xyz"[k]), outer); };
  if (given.size() > 2 || (given.size() == 1 && given[0] != 2)) {
    r.error(fmt::format("{}_axis", "xyz"[given[0]]),
            fmt::format("{} has {} axes, it must have two, or z_axis alone", outer, given.size()));
    return std::nullopt;
  }
  const auto first = axis(given[0]);
  if (given.size() == 1) return first ? std::optional<Mat3>(rotation_with_z(*first)) : std::nullopt;
  const auto second = axis(given[1]);
  if (!first || !second) return std::nullopt;
  const Vec3 across = *second - first->dot(*second) * *first;
  if (across.norm() < 1e-8) {
    r.error(fmt::format("{}_axis", "xyz"[given[1]]),
            fmt::format("{}: the {} and {} axes are parallel, they must span a plane", outer, "xyz"[given[0]],
                        "xyz"[given[1]]));
    return std::nullopt;
  }
  const int third = 3 - given[0] - given[1];
  Mat3 R;
  R.col(given[0]) = *first;
  R.col(given[1]) = across.normalized();
  R.col(third) = R.col((third + 1) % 3).cross(R.col((third + 2) % 3));
  return R;
}

std::optional<Mat3> from_axis_angle(const MapReader& r, const std::string& outer) {
  const bool deg = r.has("angle_deg"), rad = r.has("angle_rad");
  if (deg == rad || !r.has("axis")) {
    r.error("axis", fmt::format("{} must have axis together with angle_deg or angle_rad", outer));
    return std::nullopt;
  }
  const auto axis = direction(r, "axis", outer);
  const auto angle = r.entry(deg ? "angle_deg" : "angle_rad");
  if (!axis || !angle) return std::nullopt;
  return rotation_from_quaternion(quaternion_from_axis_angle(*axis, angle->number * (deg ? degree : 1)));
}

std::optional<Mat3> from_quaternion(const MapReader& r, const std::string& outer) {
  const auto entry = r.entry("quaternion");
  if (!entry || entry->list.size() != 4) return std::nullopt;
  const Vec4 p(entry->list[0], entry->list[1], entry->list[2], entry->list[3]);
  const double length = p.stableNorm();
  if (!(std::fabs(length - 1) <= 1e-3)) {
    r.error("quaternion",
            fmt::format("{}.quaternion has the length {:g}, it must be 1 within 0.001", outer, length),
            "order is scalar part first, then x y z");
    return std::nullopt;
  }
  return rotation_from_quaternion(p / length);
}

std::optional<Mat3> from_roll_pitch_yaw(const MapReader& r, const std::string& key, double unit) {
  const auto entry = r.entry(key);
  if (!entry || entry->list.size() != 3) return std::nullopt;
  return rotation_from_tait_bryan(unit * Vec3(entry->list[0], entry->list[1], entry->list[2]));
}

}  // namespace

std::optional<Mat3> read_orientation(Context& context, const Scope& scope, const NodePtr& node,
                                     const std::string& path, const Where& where) {
  const MapReader r(context, scope, node, orientation_keys(), path, where.element);
  if (!node->is_map()) return std::nullopt;
  const bool quaternion = r.has("quaternion");
  const bool axis_angle = r.has("axis") || r.has("angle_deg") || r.has("angle_rad");
  const bool rpy_deg = r.has("roll_pitch_yaw_deg"), rpy_rad = r.has("roll_pitch_yaw_rad");
  const bool axes = r.has("x_axis") || r.has("y_axis") || r.has("z_axis");
  if (quaternion + axis_angle + rpy_deg + rpy_rad + axes != 1) {
    // An unknown key has been reported already; a second complaint would not help.
    if (quaternion + axis_angle + rpy_deg + rpy_rad + axes > 1 || node->members.empty())
      context.error(node->place(), where.element,
                    fmt::format("{} must be given in exactly one way", where.key),
                    "use quaternion, axis with angle_deg, roll_pitch_yaw_deg, or two axes");
    return std::nullopt;
  }
  if (quaternion) return from_quaternion(r, where.key);
  if (axis_angle) return from_axis_angle(r, where.key);
  if (rpy_deg) return from_roll_pitch_yaw(r, "roll_pitch_yaw_deg", degree);
  if (rpy_rad) return from_roll_pitch_yaw(r, "roll_pitch_yaw_rad", 1);
  return from_axes(r, where.key);
}

std::optional<Mat3> read_inertia(Context& context, const Scope& scope, const Node& node, const Where& where) {
  if (!node.is_list() || (node.items.size() != 3 && node.items.size() != 6)) {
    context.error(node.place(), where.element,
                  fmt::format("{} is {}, it must be a list of 3 or 6 numbers", where.key, describe(node)));
    return std::nullopt;
  }
  const auto v = read_numbers(context, scope, node, where, node.items.size());
  if (!v) return std::nullopt;
  Mat3 J = Vec3((*v)[0], (*v)[1], (*v)[2]).asDiagonal();
  if (v->size() == 6) {
    J(0, 1) = J(1, 0) = (*v)[3];
    J(0, 2) = J(2, 0) = (*v)[4];
    J(1, 2) = J(2, 1) = (*v)[5];
  }
  const Vec3 moments = Eigen::SelfAdjointEigenSolver<Mat3>(J, Eigen::EigenvaluesOnly).eigenvalues();
  const double tolerance = 1e-9 * J.cwiseAbs().maxCoeff();
  const auto shown = fmt::format("{} has the principal moments {:g}, {:g}, {:g}", where.key, moments[0],
                                 moments[1], moments[2]);
  if (!(moments[0] >= -tolerance)) {
    context.error(node.place(), where.element, shown + ", none may be negative");
    return std::nullopt;
  }
  if (!(moments[0] + moments[1] >= moments[2] - tolerance)) {
    context.error(node.place(), where.element,
                  shown + ", the largest must not exceed the sum of the other two",
                  "no body of positive mass has such moments; check the units and the reference point");
    return std::nullopt;
  }
  return J;
}

}  // namespace monocoque::io

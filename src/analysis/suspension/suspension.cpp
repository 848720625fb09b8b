#include "analysis/suspension/suspension.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include "core/error_kinds.h"
#include "core/rotation.h"

namespace monocoque::analysis {

namespace {

constexpr double kNotThere = std::numeric_limits<double>::quiet_NaN();
constexpr double kInDegrees = 180 / std::numbers::pi;
constexpr double kSmallTravel = 1e-5;  ///< m, of derivatives by travel

using Setting = SuspensionRig::Setting;

bool chosen(const std::string& name, const std::vector<std::string>& only) {
  return only.empty() || std::find(only.begin(), only.end(), name) != only.end();
}

Setting setting_at(const SuspensionRig& rig, SweepKind kind, double value) {
  Setting s = rig.rest();
  for (std::size_t i = 0; i < rig.corners().size(); ++i)
    if (kind == SweepKind::travel)
      s.travel_m[i] = value;
    else if (kind == SweepKind::roll)
      s.travel_m[i] = rig.corners()[i].side() * value;
  if (kind == SweepKind::steer) s.steer = value;
  return s;
}

std::vector<WheelPose> poses(const SuspensionRig& rig) {
  std::vector<WheelPose> out;
  for (std::size_t i = 0; i < rig.corners().size(); ++i) out.push_back(rig.pose(i));
  return out;
}

/// Derivatives by the height of the wheel centre, from two neighbouring positions.
struct Slopes {
  double spring = kNotThere, damper = kNotThere, toe = kNotThere, camber = kNotThere;
  Vec3 contact = Vec3::Constant(kNotThere);  ///< of the carrier's material at the contact point
};

Slopes slopes(const WheelPose& at, const WheelPose& plus, const WheelPose& minus) {
  Slopes s;
  const double dz = plus.centre.z() - minus.centre.z();
  s.spring = (plus.spring_m - minus.spring_m) / dz;
  s.damper = (plus.damper_m - minus.damper_m) / dz;
  s.toe = (plus.toe - minus.toe) / dz;
  s.camber = (plus.camber - minus.camber) / dz;
  const Vec3 turn = rotation_vector_from_quaternion(quaternion_from_rotation(plus.R * minus.R.transpose()));
  s.contact = (plus.centre - minus.centre + turn.cross(at.contact - at.centre)) / dz;
  return s;
}

void set_kingpin(const SuspensionRig::Axis& axis, const WheelPose& p, double side, CornerPoint& out) {
  out.caster = out.kingpin = out.scrub_m = out.trail_m = kNotThere;
  if (!axis.found || std::abs(axis.direction.z()) < 1e-6) return;
  const Vec3& k = axis.direction;
  out.caster = std::atan2(-k.x(), k.z());
  out.kingpin = std::atan2(-side * k.y(), k.z());
  const Vec3 at_road = axis.point + k * ((p.contact.z() - axis.point.z()) / k.z());
  const Vec3 ahead(std::cos(p.heading), std::sin(p.heading), 0),
      outward = side * Vec3(-std::sin(p.heading), std::cos(p.heading), 0);
  out.scrub_m = outward.dot(p.contact - at_road);
  out.trail_m = ahead.dot(at_road - p.contact);
}

/// Pairs of wheels left and right of the same axle.
std::vector<std::pair<std::size_t, std::size_t>> axle_pairs(const std::vector<RigCorner>& corners) {
  std::vector<std::pair<std::size_t, std::size_t>> out;
  for (std::size_t i = 0; i < corners.size(); ++i)
    for (std::size_t j = 0; j < corners.size(); ++j)
      if (corners[i].side() > 0 && corners[j].side() < 0 &&
          std::abs(corners[i].centre.x() - corners[j].centre.x()) < 0.2)
        out.emplace_back(i, j);
  return out;
}

AxlePoint axle_point(double parameter, const WheelPose& left, const WheelPose& right, const Vec3& v_left,
                     const Vec3& v_right) {
  AxlePoint p;
  p.parameter = parameter;
  p.track_m = left.contact.y() - right.contact.y();
  // Each normal: z = z_c - (v_y/v_z) (y - y_c).
  const double a = -v_left.y() / v_left.z(), b = -v_right.y() / v_right.z();
  const double road = 0.5 * (left.contact.z() + right.contact.z());
  p.roll_centre_y_m = p.roll_centre_z_m = kNotThere;
  if (std::abs(a - b) < 1e-9) {  // both level: they meet everywhere at the same height, or nowhere
    if (std::abs(a) < 1e-9 && std::abs(left.contact.z() - right.contact.z()) < 1e-9)
      p.roll_centre_y_m = p.roll_centre_z_m = 0;
    return p;
  }
  const double y =
      (right.contact.z() - b * right.contact.y() - left.contact.z() + a * left.contact.y()) / (a - b);
  p.roll_centre_y_m = y;
  p.roll_centre_z_m = left.contact.z() + a * (y - left.contact.y()) - road;
  return p;
}

}  // namespace

const std::vector<CornerColumn>& corner_columns() {
  using P = CornerPoint;
  static const std::vector<CornerColumn> columns{
      {"post_travel", "mm", "travel of the held point", &P::post_m, 1000},
      {"wheel_travel", "mm", "travel of the wheel centre", &P::centre_m, 1000},
      {"steer", "1e-3", "steering signal", &P::steer, 1000},
      {"toe", "deg", "toe of the wheel's heading, + in", &P::toe, kInDegrees},
      {"heading", "deg", "heading of the wheel, + left", &P::heading, kInDegrees},
      {"carrier_yaw", "deg", "yaw angle of the carrier, + left", &P::carrier_yaw, kInDegrees},
      {"camber", "deg", "camber, + top outward", &P::camber, kInDegrees},
      {"caster", "deg", "caster, + top rearward", &P::caster, kInDegrees},
      {"kingpin", "deg", "kingpin inclination, + top inward", &P::kingpin, kInDegrees},
      {"scrub_radius", "mm", "scrub radius, + axis inboard", &P::scrub_m, 1000},
      {"trail", "mm", "caster trail, + axis ahead", &P::trail_m, 1000},
      {"track_change", "mm", "contact point outward", &P::track_m, 1000},
      {"wheelbase_change", "mm", "contact point forward", &P::wheelbase_m, 1000},
      {"centre_outward", "mm", "wheel centre outward", &P::centre_out_m, 1000},
      {"centre_forward", "mm", "wheel centre forward", &P::centre_x_m, 1000},
      {"motion_ratio_spring", "1", "motion ratio of the spring", &P::spring_ratio, 1},
      {"motion_ratio_damper", "1", "motion ratio of the damper", &P::damper_ratio, 1},
      {"bump_steer", "deg/m", "bump steer", &P::bump_steer, kInDegrees},
      {"bump_camber", "deg/m", "bump camber", &P::bump_camber, kInDegrees},
      {"roll_centre_height", "mm", "roll centre height of this wheel", &P::roll_centre_m, 1000},
      {"post_force", "N", "force of the post", &P::post_N, 1}};
  return columns;
}

std::vector<double> sweep_values(double from, double to, int points) {
  const int n = std::max(points, 2);
  std::vector<double> out;
  for (int i = 0; i < n; ++i) out.push_back(from + (to - from) * i / (n - 1));
  if (from < 0 && to > 0)
    *std::min_element(out.begin(), out.end(), [](double a, double b) { return std::abs(a) < std::abs(b); }) =
        0;
  return out;
}

SuspensionSweep sweep(SuspensionRig& rig, SweepKind kind, const std::vector<double>& values,
                      const std::vector<std::string>& only) {
  SuspensionSweep out;
  out.kind = kind;
  const std::vector<RigCorner>& corners = rig.corners();
  rig.home();
  const std::vector<WheelPose> zero = poses(rig);
  const auto pairs = axle_pairs(corners);
  struct Row {
    double parameter;
    std::vector<CornerPoint> corner;
    std::vector<AxlePoint> axle;
  };
  const auto measure = [&](double value) {
    Row row{value, {}, {}};
    const Setting here = setting_at(rig, kind, value);
    const std::vector<WheelPose> at = poses(rig);
    const std::vector<SuspensionRig::Axis> kingpin = rig.kingpins();
    // Derivatives by travel, in the sense of the sweep: opposite in roll, together otherwise.
    std::vector<WheelPose> plus, minus;
    for (const double sign : {1.0, -1.0}) {
      Setting near = here;
      for (std::size_t i = 0; i < corners.size(); ++i)
        near.travel_m[i] += sign * kSmallTravel * (kind == SweepKind::roll ? corners[i].side() : 1.0);
      const bool there = rig.move(near);
      (sign > 0 ? plus : minus) = there ? poses(rig) : at;
      rig.move(here);
    }
    std::vector<Slopes> slope;
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const WheelPose &p = at[i], &z = zero[i];
      const double side = corners[i].side();
      slope.push_back(slopes(p, plus[i], minus[i]));
      CornerPoint c;
      c.post_m = here.travel_m[i];
      c.steer = here.steer;
      c.centre_m = p.centre.z() - z.centre.z();
      c.heading = p.heading;
      c.toe = p.toe;
      c.camber = p.camber;
      c.carrier_yaw = p.carrier_yaw;
      c.track_m = side * (p.contact.y() - z.contact.y());
      c.wheelbase_m = p.contact.x() - z.contact.x();
      c.centre_x_m = p.centre.x() - z.centre.x();
      c.centre_out_m = side * (p.centre.y() - z.centre.y());
      c.spring_ratio = -slope[i].spring;
      c.damper_ratio = -slope[i].damper;
      c.bump_steer = slope[i].toe;
      c.bump_camber = slope[i].camber;
      c.roll_centre_m = p.contact.y() * slope[i].contact.y() / slope[i].contact.z();
      c.post_N = p.post_N;
      set_kingpin(kingpin[i], p, side, c);
      row.corner.push_back(c);
    }
    for (const auto& [l, r] : pairs)
      row.axle.push_back(axle_point(value, at[l], at[r], slope[l].contact, slope[r].contact));
    return row;
  };
  // From the reference position outwards on both sides: each position starts from its neighbour.
  std::vector<Row> rows;
  for (const bool up : {false, true}) {
    rig.home();
    std::vector<double> way;
    const double base = kind == SweepKind::steer ? rig.rest().steer : 0;
    for (const double v : values)
      if (up ? v >= base : v < base) way.push_back(v);
    std::sort(way.begin(), way.end(),
              [&](double a, double b) { return std::abs(a - base) < std::abs(b - base); });
    double last = base;
    for (const double value : way) {
      if (!rig.move(setting_at(rig, kind, value))) {
        const double end = last + rig.reached() * (value - last);
        out.ends.push_back(fmt::format("the linkage ends at {} = {:.6g}: {}",
                                       kind == SweepKind::steer ? "steer" : "travel_m", end, rig.end()));
        break;
      }
      rows.push_back(measure(value));
      last = value;
    }
  }
  rig.home();
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.parameter < b.parameter; });
  for (const Row& row : rows) out.parameter.push_back(row.parameter);
  for (std::size_t i = 0; i < corners.size(); ++i) {
    if (!chosen(corners[i].name, only)) continue;
    CornerCurve curve{corners[i].name, {}};
    for (const Row& row : rows) curve.points.push_back(row.corner[i]);
    out.corners.push_back(std::move(curve));
  }
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const std::string &l = corners[pairs[k].first].name, &r = corners[pairs[k].second].name;
    if (!chosen(l, only) && !chosen(r, only)) continue;
    AxleCurve curve{l + "/" + r, {}};
    for (const Row& row : rows) curve.points.push_back(row.axle[k]);
    out.axles.push_back(std::move(curve));
  }
  return out;
}

std::vector<Compliance> compliance(SuspensionRig& rig, double largest_force_N, int points,
                                   const std::vector<std::string>& only) {
  if (!rig.equilibrium())
    throw Error("suspension", "compliance needs the balance of forces", "make the rig with equilibrium");
  struct Kind {
    const char *load, *unit;
    double unit_size;  ///< N or Nm
    void (*apply)(SuspensionRig::Load&, double);
  };
  using Load = SuspensionRig::Load;
  const Kind kinds[] = {
      {"lateral force at the contact point, + left", "kN", 1000,
       [](Load& l, double f) { l.contact_N.y() = f; }},
      {"longitudinal force at the contact point (brake), + forward", "kN", 1000,
       [](Load& l, double f) { l.contact_N.x() = f; }},
      {"longitudinal force at the wheel centre (drive), + forward", "kN", 1000,
       [](Load& l, double f) { l.centre_N.x() = f; }},
      {"aligning moment, + left", "100 Nm", 100, [](Load& l, double f) { l.aligning_Nm = f; }}};
  std::vector<Compliance> out;
  for (std::size_t i = 0; i < rig.corners().size(); ++i) {
    if (!chosen(rig.corners()[i].name, only)) continue;
    for (const Kind& kind : kinds) {
      Compliance c;
      c.corner = rig.corners()[i].name;
      c.load = kind.load;
      c.unit = kind.unit;
      rig.home();
      const WheelPose zero = rig.pose(i);
      const auto with = [&](double units) {
        Setting s = rig.rest();
        s.load.assign(rig.corners().size(), {});
        kind.apply(s.load[i], units * kind.unit_size);
        if (!rig.move(s))
          throw NumericError("suspension",
                             fmt::format("{}: no equilibrium under {:.4g} {} of {}: {}", c.corner,
                                         rig.reached() * units, c.unit, c.load, rig.end()),
                             "choose a smaller --load");
        return rig.pose(i);
      };
      const auto change = [&](double units) {
        const WheelPose p = with(units);
        return Compliance::Point{
            units, kInDegrees * (p.toe - zero.toe), kInDegrees * (p.camber - zero.camber),
            1000 * (p.centre.x() - zero.centre.x()), 1000 * (p.centre.y() - zero.centre.y())};
      };
      const double small = 0.1;
      const WheelPose a = with(small), b = with(-small);
      c.toe_deg = kInDegrees * (a.toe - b.toe) / (2 * small);
      c.camber_deg = kInDegrees * (a.camber - b.camber) / (2 * small);
      c.x_mm = 1000 * (a.centre.x() - b.centre.x()) / (2 * small);
      c.y_mm = 1000 * (a.centre.y() - b.centre.y()) / (2 * small);
      const Vec3 turn = rotation_vector_from_quaternion(quaternion_from_rotation(a.R * b.R.transpose()));
      c.spin_deg = kInDegrees * turn.dot(zero.axis) * rig.corners()[i].side() / (2 * small);
      const double most = largest_force_N / 1000;
      for (const double units : sweep_values(-most, most, points)) c.curve.push_back(change(units));
      rig.home();
      out.push_back(std::move(c));
    }
  }
  return out;
}

}  // namespace monocoque::analysis

#include "io/mesh/beam_sections.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "core/types.h"

namespace monocoque::io {

namespace {

using std::numbers::pi;

/// Part of a section: extent b along z and h along y around a centre.
struct Strip {
  double b, h, z, y;
};

/// Torsion constant of a full rectangle (fit to Saint-Venant's series, within 0.5 % of it).
double rectangle_torsion(double b, double h) {
  const double wide = std::max(b, h), thin = std::min(b, h), r = thin / wide;
  return wide * thin * thin * thin * (1.0 / 3 - 0.21 * r * (1 - r * r * r * r / 12));
}

/// Open built-up section; shear runs in the strips that are longer in its direction.
BeamSection open_section(const std::vector<Strip>& strips) {
  BeamSection s;
  double y = 0, z = 0, shear_y = 0, shear_z = 0;
  for (const Strip& t : strips) {
    const double A = t.b * t.h;
    s.area_m2 += A;
    y += A * t.y;
    z += A * t.z;
    (t.h >= t.b ? shear_y : shear_z) += A;
    s.torsion_m4 += rectangle_torsion(t.b, t.h);
  }
  y /= s.area_m2;
  z /= s.area_m2;
  for (const Strip& t : strips) {
    const double A = t.b * t.h, dy = t.y - y, dz = t.z - z;
    s.I_z_m4 += t.b * t.h * t.h * t.h / 12 + A * dy * dy;
    s.I_y_m4 += t.h * t.b * t.b * t.b / 12 + A * dz * dz;
    s.I_yz_m4 += A * dy * dz;
  }
  s.shear_y = shear_y > 0 ? shear_y / s.area_m2 : 5.0 / 6;
  s.shear_z = shear_z > 0 ? shear_z / s.area_m2 : 5.0 / 6;
  return s;
}

/// w wide, h high, walls top, bottom, left, right.
BeamSection box_section(double w, double h, double top, double bottom, double left, double right) {
  const double inner = h - top - bottom;
  BeamSection s = open_section({{w, top, 0, h / 2 - top / 2},
                                {w, bottom, 0, -h / 2 + bottom / 2},
                                {left, inner, w / 2 - left / 2, (bottom - top) / 2},
                                {right, inner, -w / 2 + right / 2, (bottom - top) / 2}});
  const double wm = w - (left + right) / 2, hm = h - (top + bottom) / 2;
  s.torsion_m4 = 4 * wm * wm * hm * hm / (wm / top + wm / bottom + hm / left + hm / right);
  s.shear_y = (left + right) * h / s.area_m2;
  s.shear_z = (top + bottom) * w / s.area_m2;
  return s;
}

BeamSection hexagon_section(double cut, double width, double height) {
  // Width over the corners, height over the flats; cut is the length of the slope along z.
  BeamSection s;
  const double flat = width - 2 * cut, half = height / 2;
  s.area_m2 = height * (flat + cut);
  s.I_z_m4 = flat * height * height * height / 12 + cut * height * height * height / 24;
  const double triangle = cut * half;  // both halves of one side
  const double centre = flat / 2 + cut / 3;
  s.I_y_m4 =
      height * flat * flat * flat / 12 + 2 * (height * cut * cut * cut / 36 + triangle * centre * centre);
  // Estimate: polar moment of the circle of equal area, about 4 % too much for the regular hexagon.
  s.torsion_m4 = s.area_m2 * s.area_m2 / (2 * pi);
  s.shear_y = s.shear_z = 5.0 / 6;
  return s;
}

struct SectionShape {
  const char* name;
  int dimensions;
};
constexpr SectionShape kShapes[] = {{"ROD", 1},   {"TUBE", 2},  {"TUBE2", 2}, {"BAR", 2},  {"BOX", 4},
                                    {"BOX1", 6},  {"I", 6},     {"I1", 4},    {"H", 4},    {"T", 4},
                                    {"T1", 4},    {"T2", 4},    {"L", 4},     {"CHAN", 4}, {"CHAN1", 4},
                                    {"CHAN2", 4}, {"CROSS", 4}, {"HAT", 4},   {"HEXA", 3}};

bool built_up(std::string_view shape, const std::vector<double>& d, std::vector<Strip>& s) {
  if (shape == "I") {
    const double web = d[0] - d[4] - d[5];
    s = {{d[1], d[4], 0, d[4] / 2}, {d[2], d[5], 0, d[0] - d[5] / 2}, {d[3], web, 0, d[4] + web / 2}};
  } else if (shape == "I1") {
    const double t = (d[3] - d[2]) / 2, b = d[0] + d[1];
    s = {{b, t, 0, (d[2] + t) / 2}, {b, t, 0, -(d[2] + t) / 2}, {d[1], d[2], 0, 0}};
  } else if (shape == "H") {
    const double t = d[1] / 2, at = (d[0] + t) / 2;
    s = {{t, d[2], at, 0}, {t, d[2], -at, 0}, {d[0], d[3], 0, 0}};
  } else if (shape == "T" || shape == "T2") {
    const double stem = d[1] - d[2];
    s = {{d[0], d[2], 0, 0}, {d[3], stem, 0, -(d[2] + stem) / 2}};
  } else if (shape == "T1") {
    s = {{d[2], d[0], 0, 0}, {d[1], d[3], (d[2] + d[1]) / 2, 0}};
  } else if (shape == "L") {
    const double leg = d[1] - d[2];
    s = {{d[0], d[2], 0, 0}, {d[3], leg, -(d[0] - d[3]) / 2, (d[2] + leg) / 2}};
  } else if (shape == "CHAN") {
    const double web = d[1] - 2 * d[3], at = (d[1] - d[3]) / 2;
    s = {{d[0], d[3], 0, at}, {d[0], d[3], 0, -at}, {d[2], web, (d[0] - d[2]) / 2, 0}};
  } else if (shape == "CHAN1") {
    const double t = (d[3] - d[2]) / 2, at = (d[2] + t) / 2, b = d[0] + d[1];
    s = {{b, t, 0, at}, {b, t, 0, -at}, {d[1], d[2], (b - d[1]) / 2, 0}};
  } else if (shape == "CHAN2") {
    const double leg = d[2] - d[1], at = (d[3] - d[0]) / 2;
    s = {{d[3], d[1], 0, 0}, {d[0], leg, at, -(d[1] + leg) / 2}, {d[0], leg, -at, -(d[1] + leg) / 2}};
  } else if (shape == "CROSS") {
    s = {{d[1], d[2], 0, 0},
         {d[0] / 2, d[3], (d[1] + d[0] / 2) / 2, 0},
         {d[0] / 2, d[3], -(d[1] + d[0] / 2) / 2, 0}};
  } else if (shape == "HAT") {
    // Height, wall, width of the crown, length of each brim beyond the outside of the wall.
    const double t = d[1], side = d[0] - 2 * t, at = (d[2] - t) / 2, brim = d[3] + t,
                 brim_at = (d[2] + d[3] - t) / 2;
    s = {{d[2], t, 0, d[0] - t / 2},
         {t, side, at, d[0] / 2},
         {t, side, -at, d[0] / 2},
         {brim, t, brim_at, t / 2},
         {brim, t, -brim_at, t / 2}};
  } else {
    return false;
  }
  return true;
}

}  // namespace

BeamSection rectangle_section(double along_z, double along_y) {
  BeamSection s = open_section({{along_z, along_y, 0, 0}});
  s.shear_y = s.shear_z = 5.0 / 6;
  return s;
}

BeamSection round_section(double outer, double inner) {
  BeamSection s;
  s.area_m2 = pi * (outer * outer - inner * inner);
  s.I_y_m4 = s.I_z_m4 = pi / 4 * (std::pow(outer, 4) - std::pow(inner, 4));
  s.torsion_m4 = 2 * s.I_y_m4;
  s.shear_y = s.shear_z = inner > 0 ? 0.5 : 0.9;
  return s;
}

int dimension_count(std::string_view shape) {
  for (const SectionShape& s : kShapes)
    if (shape == s.name) return s.dimensions;
  return 0;
}

bool section_of_shape(std::string_view shape, const std::vector<double>& d, BeamSection& section,
                      std::string& reason) {
  const int count = dimension_count(shape);
  if (count == 0 || static_cast<int>(d.size()) < count) {
    reason = count == 0 ? "this shape is not known" : fmt::format("the shape needs {} dimensions", count);
    return false;
  }
  const bool tube = shape == "TUBE";
  for (int i = 0; i < count; ++i) {
    const double x = d[static_cast<std::size_t>(i)];
    if (x > 0 || (tube && i == 1 && x == 0)) continue;
    reason = fmt::format("dimension {} is {}, it must be > 0", i + 1, x);
    return false;
  }
  std::vector<Strip> strips;
  if (shape == "ROD" || tube || shape == "TUBE2") {
    const double inner = tube ? d[1] : shape == "ROD" ? 0 : d[0] - d[1];
    if (inner >= d[0] || inner < 0) {
      reason = fmt::format("the inner radius is {}, it must be < the outer radius {}", inner, d[0]);
      return false;
    }
    section = round_section(d[0], inner);
  } else if (shape == "BAR") {
    section = rectangle_section(d[0], d[1]);
  } else if (shape == "BOX") {
    section = box_section(d[0], d[1], d[2], d[2], d[3], d[3]);
  } else if (shape == "BOX1") {
    section = box_section(d[0], d[1], d[2], d[3], d[4], d[5]);
  } else if (shape == "HEXA") {
    section = hexagon_section(d[0], d[1], d[2]);
  } else if (built_up(shape, d, strips)) {
    section = open_section(strips);
    for (const Strip& s : strips)
      if (!(s.b > 0 && s.h > 0)) reason = "the walls are thicker than the section";
  }
  if (shape == "BOX" && (2 * d[2] >= d[1] || 2 * d[3] >= d[0]))
    reason = "the walls are thicker than the section";
  if (shape == "BOX1" && (d[2] + d[3] >= d[1] || d[4] + d[5] >= d[0]))
    reason = "the walls are thicker than the section";
  if (shape == "HEXA" && 2 * d[0] >= d[1]) reason = "the slopes are longer than the section is wide";
  if (reason.empty() && !(section.area_m2 > 0 && std::isfinite(section.area_m2)))
    reason = "the section has no area";
  return reason.empty();
}

}  // namespace monocoque::io

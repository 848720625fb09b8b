#include <fmt/format.h>

#include "body/sedan_parts.h"

namespace monocoque::body {

namespace {

// Square around a dome's middle: x, x, y, y
constexpr double kFrontRing[] = {1.309, 1.429, .539, .659};
constexpr double kRearRing[] = {-1.492, -1.372, .537, .647};
constexpr double kFrontDomeY = .51, kRearDomeY = .52;

// Upper rail: station, inner y, outer y, lower z, upper z
struct UpperRail {
  int station;
  double inner, outer, low, high;
};
constexpr UpperRail kUpperRail[] = {
    {4, .72, .81, .80, .925}, {3, .72, .81, .79, .920}, {2, .71, .80, .77, .88}, {1, .66, .74, .70, .78}};

// Wheel house: y and z of its crown and of its outer edge, z of its inner wall
struct Arch {
  int station;
  double crown_y, crown_z, outer_y, outer_z;
};
constexpr Arch kArch[] = {{15, .69, .66, .875, .60},
                          {16, .68, .915, .9105, .72},
                          {17, .68, .915, .9105, .72},
                          {18, .70, .72, .90, .62},
                          {19, .70, .44, .86, .44}};

Names dome_ring(Skeleton& b, const char* prefix, const double (&r)[4], double z) {
  const auto corner = [&](int k, double x, double y) {
    return b.point(fmt::format("{}{}", prefix, k), x, y, z);
  };
  const std::string p0 = corner(0, r[1], r[2]), p1 = corner(1, r[0], r[2]), p2 = corner(2, r[0], r[3]);
  return {p0, p1, p2, corner(3, r[1], r[3])};
}

std::string inner(int s) {
  return s == 14 || s == 19 ? fmt::format("F{}c3", s) : fmt::format("Wi{}", s);
}
std::string crown(int s) {
  return fmt::format("Wm{}", s);
}
std::string outer(int s) {
  return fmt::format("Wo{}", s);
}

void add_wheel_house(Skeleton& b) {
  const char* part = "wheelhouse";
  const auto wall = [&b, part](const char* zone, const Names& corners) {
    b.sheet(part, part, zone, corners);
  };
  for (const auto& [s, z] :
       {std::pair(15, .66), std::pair(16, .915), std::pair(17, .915), std::pair(18, .72)})
    b.point(inner(s), station(s).x, s == 16 || s == 17 ? kRearDomeY : .535, z);
  for (const Arch& a : kArch) b.point(crown(a.station), station(a.station).x, a.crown_y, a.crown_z);
  for (const Arch& a : kArch) b.point(outer(a.station), station(a.station).x, a.outer_y, a.outer_z);
  wall("floor_rear", {"F14c3", "F15c3", inner(15)});
  wall("trunk", {"F18c3", "F19c3", inner(18)});
  for (const int s : {15, 16, 17})
    wall("floor_rear", {floor_point(s, 3), floor_point(s + 1, 3), inner(s + 1), inner(s)});
  wall("floor_rear", {"F14c3", "S14a", crown(15), inner(15)});
  wall("floor_rear", {"S14a", "S14b", crown(15)});
  wall("floor_rear", {"S14b", "S14c", outer(15), crown(15)});
  for (const int s : {15, 16, 17, 18}) {
    if (s != 16) wall("floor_rear", {inner(s), inner(s + 1), crown(s + 1), crown(s)});
    wall("floor_rear", {crown(s), crown(s + 1), outer(s + 1), outer(s)});
  }
  b.ring(part, "dome", "floor_rear", {inner(16), inner(17), crown(17), crown(16)},
         dome_ring(b, "DR", kRearRing, kRearDomeZ + .003), "#domeR");
}

void add_quarter(Skeleton& b) {
  for (const int s : {15, 16, 17})
    b.sheet("wheelhouse", "quarter_in", "side",
            {crown(s), crown(s + 1), rail_point(s + 1, 'a'), rail_point(s, 'a')});
  b.point("QL20", -2.28, .80, .46);
  b.point("Wm20", -2.28, .67, .43);
  for (const int s : {15, 16, 17, 18})
    b.sheet("quarter", "quarter", s < 18 ? "side" : "rear",
            {outer(s), outer(s + 1), rail_point(s + 1, 'd'), rail_point(s, 'd')});
  b.sheet("quarter", "quarter", "rear", {outer(19), "QL20", "R20d", "R19d"});
  for (const int s : {15, 18})
    b.sheet("quarter", "quarter_in", "side", {crown(s), outer(s), rail_point(s, 'd'), rail_point(s, 'a')});
  b.sheet("trunk", "trunk", "trunk", {"F19c3", "F20c3", "Wm20", crown(19)});
  b.sheet("trunk", "trunk", "trunk", {crown(19), "Wm20", "QL20", outer(19)});
}

void add_shelf(Skeleton& b, const Names& window_foot, bool closed_bulkhead) {
  for (const auto& [c, y] : {std::pair(0, 0.0), std::pair(1, .13), std::pair(2, .44)})
    for (const int s : {16, 17}) b.point(fmt::format("K{}c{}", s, c), station(s).x, y, kRearDomeZ);
  const auto K = [](int s, int c) {
    return c == 3 ? inner(s) : c == 4 ? crown(s) : fmt::format("K{}c{}", s, c);
  };
  for (int c = 0; c < 3; ++c) {
    if (c == 2 || closed_bulkhead)
      b.sheet("bulkhead", "bulkhead", "shelf",
              {floor_point(16, c), floor_point(16, c + 1), K(16, c + 1), K(16, c)});
    b.sheet("shelf", "shelf", "shelf", {K(16, c), K(16, c + 1), K(17, c + 1), K(17, c)});
  }
  for (int c = 0; c < 4; ++c) {
    const auto k = static_cast<std::size_t>(c);
    b.sheet("shelf", "shelf", "shelf", {K(17, c), K(17, c + 1), window_foot[k + 1], window_foot[k]});
  }
  b.beam("stiffener", {"K16c0", "K16c1", "K16c2", inner(16)});
  b.beam("stiffener", window_foot);
}

void add_rear_panel(Skeleton& b) {
  for (const auto& [c, y] : {std::pair(0, 0.0), std::pair(1, .13), std::pair(2, .44), std::pair(3, .54)})
    b.point(fmt::format("Y{}", c), -2.28 - .02 * (1 - y / .65), y, .78);
  const Names low = {"F20c0", "F20c1", "F20c2", "F20c3", "Wm20", "QL20"};
  const Names high = {"Y0", "Y1", "Y2", "Y3", "R20a", "R20d"};
  for (std::size_t i = 0; i < 5; ++i)
    b.sheet("rearpanel", "rearpanel", "rear", {low[i], low[i + 1], high[i + 1], high[i]});
  b.beam("rearbox", Names(high.begin(), high.begin() + 5));
  for (const int s : {17, 19}) b.beam("rearbox", {floor_point(s, 0), floor_point(s, 1), floor_point(s, 2)});
}

}  // namespace

void add_front(Skeleton& b) {
  std::vector<Names> rail = {{"H2fi", "H3fi", "H3fo", "H2fo"}};
  for (const UpperRail& r : kUpperRail) {
    const auto corner = [&](char k, double y, double z) {
      return b.point(fmt::format("G{}{}", r.station, k), station(r.station).x, y, z);
    };
    rail.push_back({corner('a', r.inner, r.low), corner('b', r.inner, r.high), corner('c', r.outer, r.high),
                    corner('d', r.outer, r.low)});
  }
  b.box("shotgun", "shotgun", "bay", rail);

  for (const int s : {2, 3, 4}) {
    const double x = station(s).x;
    b.point(fmt::format("M{}", s), x, .515, .66);
    if (s != 2) b.point(fmt::format("N{}", s), x, .512, .80);
    b.point(fmt::format("TI{}", s), x, s != 2 ? kFrontDomeY : .53, s != 2 ? kFrontDomeZ : .80);
  }
  const auto tower = [&b](const Names& corners) { b.sheet("tower", "tower", "bay", corners); };
  const auto apron = [&b](const Names& corners) { b.sheet("tower", "apron", "bay", corners); };
  tower({"F3c3", "F4c3", "M4", "M3"});
  tower({"M3", "M4", "N4", "N3"});
  tower({"N3", "N4", "TI4", "TI3"});
  apron({"F4c3", "F5c3", "W1c3", "M4"});
  apron({"M4", "W1c3", "W2c3", "N4"});
  apron({"N4", "W2c3", "TI4"});
  apron({"F2c3", "F3c3", "M3", "M2"});
  apron({"M2", "M3", "N3", "TI2"});
  apron({"TI2", "N3", "TI3"});
  apron({"TI4", "W2c3", "H2fi", "G4a"});
  tower({"TI4", "G4b", "G4a"});
  apron({"TI3", "TI2", "G2a", "G3a"});
  tower({"TI3", "G3b", "G3a"});
  b.ring("tower", "dome", "bay", {"TI3", "TI4", "G4b", "G3b"},
         dome_ring(b, "DF", kFrontRing, kFrontDomeZ + .004), "#domeF");
}

void add_rear(Skeleton& b, const Rows& rows, bool closed_bulkhead) {
  add_wheel_house(b);
  add_quarter(b);
  add_shelf(b, rows.at(18), closed_bulkhead);
  add_rear_panel(b);
}

}  // namespace monocoque::body

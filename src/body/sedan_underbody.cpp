#include <fmt/format.h>

#include "body/sedan_parts.h"

namespace monocoque::body {

namespace {

// x, floor z, rail inner y, rail outer y, rail lower z
constexpr Station kStation[kStations] = {
    {2.22, .54, .42, .52, .42},  {1.95, .54, .42, .52, .42},  {1.61, .54, .42, .52, .42},
    {1.49, .54, .42, .52, .42},  {1.25, .54, .42, .52, .42},  {1.05, .50, .42, .52, .36},
    {0.90, .34, .42, .52, .22},  {0.66, .20, .42, .52, .13},  {0.22, .20, .42, .52, .13},
    {0.10, .20, .42, .52, .13},  {-.22, .20, .42, .52, .13},  {-.40, .20, .42, .52, .13},
    {-.72, .20, .42, .52, .12},  {-.86, .32, .43, .53, .21},  {-.95, .40, .44, .54, .29},
    {-1.10, .44, .44, .54, .33}, {-1.31, .46, .44, .54, .35}, {-1.55, .46, .44, .54, .35},
    {-1.72, .45, .44, .54, .34}, {-1.86, .44, .44, .54, .33}, {-2.28, .42, .44, .54, .31},
};

// z of the sill's inner lower, upper and outer lower corner
struct Sill {
  int station;
  double inner, upper, outer;
};
constexpr Sill kSill[] = {{5, .44, .52, .30},  {6, .32, .42, .20},  {7, .20, .34, .17},  {8, .20, .34, .17},
                          {9, .20, .34, .17},  {10, .20, .34, .17}, {11, .20, .34, .17}, {12, .20, .34, .17},
                          {13, .28, .40, .20}, {14, .34, .46, .26}};
constexpr double kSillInnerY = .70, kSillUpperY = .865, kSillOuterY = .85;

// z of the tunnel's top
struct Tunnel {
  int station;
  double top;
};
constexpr Tunnel kTunnel[] = {{5, .66},   {6, .56},  {7, .44},  {8, .40}, {9, .395},
                              {10, .385}, {11, .38}, {12, .36}, {13, .38}};
constexpr double kTunnelTopY = .10, kTunnelFootY = .14;
constexpr double kSeatBeamZ = .29;

const char* zone_at(int s) {
  return s < 5 ? "bay" : s < 12 ? "floor" : s < 17 ? "floor_rear" : "trunk";
}
std::string low(int s, int c) {
  return fmt::format("L{}c{}", s, c);
}
std::string sill(int s, char corner) {
  return fmt::format("S{}{}", s, corner);
}
std::string tunnel_top(int s) {
  return fmt::format("F{}ct", s);
}
Names sill_section(int s) {
  return {sill(s, 'a'), sill(s, 'b'), sill(s, 'c'), sill(s, 'd')};
}

void add_points(Skeleton& b) {
  for (int s = 0; s < kStations; ++s) {
    const Station& st = station(s);
    for (const int c : {2, 3}) {
      const double y = c == 2 ? st.rail_in : st.rail_out;
      b.point(fmt::format("F{}c{}", s, c), st.x, y, st.floor_z);
      b.point(low(s, c), st.x, y, st.rail_z);
    }
  }
  for (const Sill& k : kSill) {
    const double x = station(k.station).x;
    b.point(sill(k.station, 'a'), x, kSillInnerY, k.inner);
    b.point(sill(k.station, 'b'), x, kSillInnerY, k.upper);
    b.point(sill(k.station, 'c'), x, kSillUpperY, k.upper);
    b.point(sill(k.station, 'd'), x, kSillOuterY, k.outer);
  }
  for (const Tunnel& k : kTunnel) {
    const Station& st = station(k.station);
    b.point(floor_point(k.station, 0), st.x, 0, k.top);
    b.point(tunnel_top(k.station), st.x, kTunnelTopY, k.top);
    b.point(floor_point(k.station, 1), st.x, kTunnelFootY, st.floor_z);
  }
  for (int s = 14; s < kStations; ++s) {
    b.point(floor_point(s, 0), station(s).x, 0, station(s).floor_z);
    b.point(floor_point(s, 1), station(s).x, .13, station(s).floor_z);
  }
}

void add_rails(Skeleton& b) {
  for (int s = 0; s < 20; ++s) {
    const int t = s + 1;
    const char* sheet = s < 7 ? "rail" : s < 12 ? "underrail" : "rail_rear";
    const char* zone = zone_at(s);
    const std::string tag = s == 2 ? "#mount" : fmt::format("#sf{}", s);
    b.sheet("rail", sheet, zone, {floor_point(s, 2), floor_point(t, 2), low(t, 2), low(s, 2)});
    b.sheet("rail", sheet, zone, {low(s, 2), low(t, 2), low(t, 3), low(s, 3)}, tag);
    b.sheet("rail", sheet, zone, {low(s, 3), low(t, 3), floor_point(t, 3), floor_point(s, 3)});
    // Behind the dash the floor closes the rail.
    if (s < 5)
      b.sheet("rail", sheet, zone,
              {floor_point(s, 3), floor_point(t, 3), floor_point(t, 2), floor_point(s, 2)});
  }
  std::vector<Names> sections;
  for (int s = 5; s < 15; ++s) sections.push_back(sill_section(s));
  b.box("sill", "sill", "sides_low", sections);
  for (const int s : {5, 14}) b.sheet("sill", "sill", "sides_low", sill_section(s));
}

void add_floor(Skeleton& b) {
  for (int s = 5; s < 14; ++s) {
    const int t = s + 1;
    const char* zone = zone_at(s);
    const auto F = floor_point;
    if (t == 14) {  // the tunnel runs out
      b.sheet("floor", "tunnel", zone, {F(s, 0), F(t, 0), F(t, 1), tunnel_top(s)});
      b.sheet("floor", "tunnel", zone, {tunnel_top(s), F(t, 1), F(s, 1)});
    } else {
      b.sheet("floor", "tunnel", zone, {F(s, 0), F(t, 0), tunnel_top(t), tunnel_top(s)});
      b.sheet("floor", "tunnel", zone, {tunnel_top(s), tunnel_top(t), F(t, 1), F(s, 1)});
    }
    for (const int c : {1, 2, 3})
      b.sheet("floor", "floor", zone, {F(s, c), F(t, c), F(t, c + 1), F(s, c + 1)},
              s == 13 && c == 3 ? "#trail" : "");
  }
  for (int s = 14; s < 20; ++s)
    for (const int c : {0, 1, 2})
      b.sheet("trunk", "trunk", zone_at(s),
              {floor_point(s, c), floor_point(s + 1, c), floor_point(s + 1, c + 1), floor_point(s, c + 1)});
}

void add_seat_beams(Skeleton& b) {
  for (const int c : {2, 3})
    for (const int s : {8, 9, 10, 11})
      b.point(fmt::format("X{}c{}", s, c), station(s).x, c == 2 ? .42 : .52, kSeatBeamZ);
  const auto X = [](int s, int c) {
    return c == 1 ? tunnel_top(s) : c == 4 ? sill(s, 'b') : fmt::format("X{}c{}", s, c);
  };
  const auto F = floor_point;
  for (const int c : {1, 2, 3})
    for (const int s : {8, 10}) {
      const int t = s + 1;
      b.sheet("cross", "cross", "seats", {F(s, c), F(s, c + 1), X(s, c + 1), X(s, c)});
      b.sheet("cross", "cross", "seats", {X(s, c), X(s, c + 1), X(t, c + 1), X(t, c)});
      b.sheet("cross", "cross", "seats", {X(t, c), X(t, c + 1), F(t, c + 1), F(t, c)});
    }
}

}  // namespace

const Station& station(int s) {
  return kStation[s];
}

std::string floor_point(int s, int c) {
  return c == 4 && s >= 5 && s <= 14 ? sill(s, 'a') : fmt::format("F{}c{}", s, c);
}

void add_underbody(Skeleton& b) {
  add_points(b);
  add_rails(b);
  add_floor(b);
  add_seat_beams(b);
}

}  // namespace monocoque::body

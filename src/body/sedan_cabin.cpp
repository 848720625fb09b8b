#include <array>

#include <fmt/format.h>

#include "body/sedan_parts.h"

namespace monocoque::body {

namespace {

// Ring of roof rail, A and C pillar: inner lower, inner upper, outer upper, outer lower.
struct RailRing {
  int key;  ///< 1 to 7 along the pillar and the roof; from 15 on the stations
  double p[4][3];
};
constexpr RailRing kRail[] = {
    {1, {{.55, .665, 1.145}, {.62, .655, 1.205}, {.61, .755, 1.195}, {.54, .765, 1.135}}},
    {2, {{.14, .605, 1.325}, {.18, .590, 1.385}, {.18, .685, 1.370}, {.14, .695, 1.315}}},
    {3, {{.03, .595, 1.345}, {.05, .580, 1.403}, {.05, .675, 1.388}, {.03, .685, 1.335}}},
    {4, {{-.30, .590, 1.360}, {-.30, .575, 1.415}, {-.30, .670, 1.400}, {-.30, .680, 1.350}}},
    {5, {{-.42, .590, 1.358}, {-.42, .575, 1.413}, {-.42, .670, 1.398}, {-.42, .680, 1.348}}},
    {6, {{-.86, .595, 1.325}, {-.86, .580, 1.385}, {-.86, .675, 1.370}, {-.86, .685, 1.315}}},
    {7, {{-.97, .600, 1.300}, {-.98, .585, 1.362}, {-.98, .680, 1.345}, {-.97, .690, 1.290}}},
    {15, {{-1.10, .610, 1.230}, {-1.13, .595, 1.300}, {-1.13, .695, 1.285}, {-1.10, .710, 1.215}}},
    {16, {{-1.31, .635, 1.115}, {-1.34, .620, 1.190}, {-1.34, .725, 1.175}, {-1.31, .750, 1.100}}},
    {17, {{-1.55, .665, .995}, {-1.57, .650, 1.070}, {-1.57, .760, 1.060}, {-1.55, .810, .985}}},
    {18, {{-1.72, .680, .930}, {-1.73, .665, 1.005}, {-1.73, .775, 1.000}, {-1.72, .840, .925}}},
    {19, {{-1.86, .680, .890}, {-1.86, .665, .975}, {-1.86, .775, .970}, {-1.86, .840, .890}}},
    {20, {{-2.28, .650, .830}, {-2.28, .640, .920}, {-2.28, .740, .915}, {-2.28, .790, .830}}},
};

// B pillar: z, inner y, outer y, front x, rear x
constexpr double kBPillar[3][5] = {
    {.62, .79, .885, -.235, -.375}, {.92, .80, .885, -.265, -.375}, {1.15, .715, .79, -.285, -.39}};

constexpr double kCrown = .06;                        ///< rise of the glass in its middle
constexpr double kColumn[] = {0, .15, .60, .76};      ///< of roof and glass, over the half width
constexpr double kDashColumn[] = {0, .10, .42, .52};  ///< y
constexpr double kCowlBow = .09;

// Rows of roof and glass: z in the middle (0: crown over the rail), bow in x.
struct Row {
  int key;
  double middle_z, bow;
};
constexpr Row kRoofRows[] = {{2, 1.435, .06}, {3, 1.454, .04},  {4, 1.471, 0},
                             {5, 1.4705, 0},  {6, 1.440, -.03}, {7, 1.420, -.06}};
constexpr Row kGlassRows[] = {{1, 0, .08}, {15, 0, -.08}, {16, 0, -.09}, {17, 0, -.10}, {18, 0, -.10}};

Names add_row(Skeleton& b, const Row& row) {
  const Vec3 edge = b.at(rail_point(row.key, 'b'));
  const double z = row.middle_z > 0 ? row.middle_z : edge.z() + kCrown;
  Names out;
  for (int c = 0; c < 4; ++c) {
    const double f = kColumn[c];
    out.push_back(b.point(fmt::format("O{}c{}", row.key, c), edge.x() + row.bow * (1 - f * f), edge.y() * f,
                          z - (z - edge.z()) * f * f));
  }
  out.push_back(rail_point(row.key, 'b'));
  return out;
}

void add_panel(Skeleton& b, const Rows& rows, const char* part, const char* zone,
               const std::vector<int>& keys) {
  for (std::size_t k = 0; k + 1 < keys.size(); ++k) {
    const Names &o = rows.at(keys[k]), &p = rows.at(keys[k + 1]);
    for (std::size_t c = 0; c < 4; ++c) b.sheet(part, part, zone, {o[c], o[c + 1], p[c + 1], p[c]});
  }
}

/// A row from the right rail over the middle to the left one.
Names across(const Skeleton& b, const Names& half) {
  Names out;
  for (std::size_t c = half.size() - 1; c > 0; --c) out.push_back(b.mirrored(half[c]));
  out.insert(out.end(), half.begin(), half.end());
  return out;
}

/// Closed profile under two rows of the roof.
void add_header(Skeleton& b, const Rows& rows, int front, int rear, double depth) {
  std::array<Names, 2> low;
  for (std::size_t i = 0; i < 2; ++i) {
    const int key = i == 0 ? front : rear;
    for (std::size_t c = 0; c < 4; ++c)
      low[i].push_back(b.point(fmt::format("E{}c{}", key, c), b.at(rows.at(key)[c]) - Vec3(0, 0, depth)));
    low[i].push_back(rail_point(key, 'a'));
  }
  const Names &of = rows.at(front), &orr = rows.at(rear);
  for (std::size_t c = 0; c < 4; ++c) {
    const auto strip = [&](const Names& u, const Names& v) {
      b.sheet("header", "header", "roof", {u[c], u[c + 1], v[c + 1], v[c]});
    };
    strip(of, low[0]);
    strip(low[0], low[1]);
    strip(low[1], orr);
  }
}

}  // namespace

std::string rail_point(int s, char corner) {
  return fmt::format("R{}{}", s, corner);
}

void add_dash(Skeleton& b) {
  std::vector<Names> pillar = {{"S5b", "S5c", "S6c", "S6b"}};
  for (int k = 1; k <= 3; ++k) {
    const double z = kHingeZ[k - 1];
    pillar.push_back(
        {b.point(fmt::format("H{}fi", k), 1.05, .70, z), b.point(fmt::format("H{}fo", k), 1.05, .855, z),
         b.point(fmt::format("H{}ro", k), .90, .875, z), b.point(fmt::format("H{}ri", k), .90, .70, z)});
  }
  b.box("side", "hinge", "side", pillar);

  for (const int c : {2, 3}) b.point(fmt::format("W1c{}", c), 1.05, kDashColumn[c], kHingeZ[0]);
  for (int c = 0; c < 4; ++c) b.point(fmt::format("W2c{}", c), 1.05, kDashColumn[c], kHingeZ[1]);
  const auto W = [](int r, int c) -> std::string {
    if (c == 4) return fmt::format("H{}fi", r);
    if (r == 1 && c == 1) return "F5ct";
    if (r == 1 && c == 0) return "F5c0";
    return fmt::format("W{}c{}", r, c);
  };
  const auto dash = [&b](const Names& corners) { b.sheet("dash", "dash", "dash", corners); };
  dash({"F5c3", "S5a", "S5b"});
  dash({"F5c1", "F5c2", "W1c2", "F5ct"});
  dash({"F5c2", "F5c3", "W1c3", "W1c2"});
  dash({"F5c3", "S5b", "H1fi", "W1c3"});
  for (int c = 0; c < 4; ++c) dash({W(1, c), W(1, c + 1), W(2, c + 1), W(2, c)});

  std::vector<Names> cowl;
  for (int c = 0; c < 4; ++c) {
    const double y = kDashColumn[c], f = y / .70, bow = 1 - f * f;
    const std::string fu = b.point(fmt::format("Cfu{}", c), 1.05 + kCowlBow * bow, y, .95 + .02 * bow);
    const std::string ru = b.point(fmt::format("Cru{}", c), .90 + .03 * bow, y, .95);
    cowl.push_back({fmt::format("W2c{}", c), fu, ru, b.point(fmt::format("Crl{}", c), .90, y, kHingeZ[1])});
  }
  cowl.push_back({"H2fi", "H3fi", "H3ri", "H2ri"});
  b.box("dash", "cowl", "dash", cowl);
}

void add_side(Skeleton& b) {
  std::vector<Names> ring = {{"H3ri", "H3fi", "H3fo", "H3ro"}};
  std::vector<int> keys = {0};
  for (const RailRing& r : kRail) {
    Names section;
    for (int i = 0; i < 4; ++i)
      section.push_back(
          b.point(rail_point(r.key, static_cast<char>('a' + i)), r.p[i][0], r.p[i][1], r.p[i][2]));
    ring.push_back(section);
    keys.push_back(r.key);
  }
  for (std::size_t k = 0; k + 1 < keys.size(); ++k) {
    const int key = keys[k];
    b.box("side",
          key < 2   ? "apillar"
          : key < 6 ? "roofrail"
                    : "cpillar",
          key > 17 ? "rear" : "side", {ring[k], ring[k + 1]});
  }
  b.sheet("side", "cpillar", "rear", ring.back());
  const auto curves = [&b](const std::vector<Names>& sections) {
    for (std::size_t i = 0; i < 4; ++i) {
      Names line;
      for (const Names& s : sections) line.push_back(s[i]);
      b.curve(line);
    }
  };
  curves(ring);

  std::vector<Names> pillar = {{"S10b", "S10c", "S11c", "S11b"}};
  for (int k = 1; k <= 3; ++k) {
    const auto& [z, inner, outer, front, rear] = kBPillar[k - 1];
    pillar.push_back(
        {b.point(fmt::format("B{}fi", k), front, inner, z), b.point(fmt::format("B{}fo", k), front, outer, z),
         b.point(fmt::format("B{}ro", k), rear, outer, z), b.point(fmt::format("B{}ri", k), rear, inner, z)});
  }
  pillar.push_back({"R4a", "R4d", "R5d", "R5a"});
  b.box("side", "bpillar", "side", pillar);
  curves(pillar);
}

Rows add_roof(Skeleton& b, bool glass) {
  Rows rows;
  for (const Row& r : kRoofRows) rows[r.key] = add_row(b, r);
  rows[0] = {"Cfu0", "Cfu1", "Cfu2", "Cfu3", "H3fi"};
  for (const Row& r : kGlassRows) rows[r.key] = add_row(b, r);
  const std::vector<int> screen = {0, 1, 2}, roof = {2, 3, 4, 5, 6, 7}, backlight = {7, 15, 16, 17, 18};
  if (glass) add_panel(b, rows, "screen", "none", screen);
  add_panel(b, rows, "roof", "roof", roof);
  if (glass) add_panel(b, rows, "backlight", "none", backlight);
  for (const auto& [key, row] : rows) b.curve(across(b, row));
  for (const std::vector<int>& keys : {screen, roof, backlight})
    for (std::size_t c = 0; c < 4; ++c) {
      Names line;
      for (const int k : keys) line.push_back(rows.at(k)[c]);
      b.curve(line);
    }
  add_header(b, rows, 2, 3, .060);
  add_header(b, rows, 4, 5, .050);
  add_header(b, rows, 6, 7, .060);
  return rows;
}

}  // namespace monocoque::body

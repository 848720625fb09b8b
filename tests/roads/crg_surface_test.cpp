// OpenCRG surfaces from small texts: borders, ramps, closing, modifiers, by the formulas of the standard.

#include <cmath>
#include <numbers>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "elements/roads/crg_surface.h"
#include "io/road/opencrg.h"

namespace monocoque {
namespace {

/// Six decimals are written.
constexpr double kDigits = 2e-6;

double height_at(const CrgSurface& s, double u, double v) {
  CrgHeight h;
  return s.height(u, v, h) ? h.z : std::nan("");
}

/// Straight road along x from 0 to 4 m, v from -1 to 1: z = 0.1 u + 0.01 v + 0.02 u v at the nodes.
std::string straight(const std::string& header, const std::string& sections = "", bool explicit_v = false) {
  std::string t = "$CT\nstraight\n$\n$ROAD_CRG\nREFERENCE_LINE_INCREMENT = 1\n";
  if (!explicit_v) t += "LONG_SECTION_V_RIGHT = -1\nLONG_SECTION_V_LEFT = 1\nLONG_SECTION_V_INCREMENT = 1\n";
  t += header + "$\n" + sections + "$KD_DEFINITION\n#:LRFI\n";
  for (int j = 0; j < 3; ++j)
    t += explicit_v ? fmt::format("D:long section at v = {},m\n", j - 1)
                    : fmt::format("D:long section {},m\n", j + 1);
  t += "$\n$$$$\n";
  for (int u = 0; u <= 4; ++u) {
    for (int v = -1; v <= 1; ++v) t += fmt::format("{:10.6f}", 0.1 * u + 0.01 * v + 0.02 * u * v);
    t += "\n";
  }
  return t;
}

double straight_z(double u, double v) {
  return 0.1 * u + 0.01 * v + 0.02 * u * v;
}

CrgSurface surface(const std::string& text, CrgModifierUse use = CrgModifierUse::file) {
  return CrgSurface(io::read_crg_text(text, "test.crg"), use);
}

std::string options(const std::string& lines) {
  return "$ROAD_CRG_OPTS\n" + lines + "$\n";
}
std::string modifiers(const std::string& lines) {
  return "$ROAD_CRG_MODS\n" + lines + "$\n";
}

TEST(CrgSurface, BorderModesKeepRepeatAndReflect) {
  for (const bool explicit_v : {false, true}) {
    const CrgSurface keep = surface(straight("", "", explicit_v));
    EXPECT_NEAR(height_at(keep, 5.5, 0.5), straight_z(4, 0.5), kDigits);
    EXPECT_NEAR(height_at(keep, -2, 3), straight_z(0, 1), kDigits);
    const CrgSurface repeat =
        surface(straight("", options("BORDER_MODE_U = 3\nBORDER_MODE_V = 3\n"), explicit_v));
    EXPECT_NEAR(height_at(repeat, 5.5, 1.25), straight_z(1.5, -0.75), kDigits);
    EXPECT_NEAR(height_at(repeat, -0.5, -1.25), straight_z(3.5, 0.75), kDigits);
    EXPECT_NEAR(height_at(repeat, 4 * 1000 + 0.5, 0), straight_z(0.5, 0), kDigits);
    const CrgSurface reflect =
        surface(straight("", options("BORDER_MODE_U = 4\nBORDER_MODE_V = 4\n"), explicit_v));
    EXPECT_NEAR(height_at(reflect, 5.5, 1.25), straight_z(2.5, 0.75), kDigits);
    EXPECT_NEAR(height_at(reflect, 9, -1.5), straight_z(1, -0.5), kDigits);
    EXPECT_NEAR(height_at(reflect, -1, 3.5), straight_z(1, -0.5), kDigits);
    CrgHeight h;
    reflect.height(5.5, 1.25, h);
    EXPECT_NEAR(h.z_u, -(0.1 + 0.02 * 0.75), 1e-5);
    EXPECT_NEAR(h.z_v, -(0.01 + 0.02 * 2.5), 1e-5);
    EXPECT_TRUE(h.inside);
  }
}

TEST(CrgSurface, BorderModesNothingAndZero) {
  const CrgSurface none = surface(straight("", options("BORDER_MODE_U = 0\n")));
  EXPECT_TRUE(std::isnan(height_at(none, 4.1, 0)));
  EXPECT_NEAR(height_at(none, 3.9, 2), straight_z(3.9, 1), kDigits);
  const std::string both =
      "BORDER_MODE_U = 1\nBORDER_OFFSET_U = 0.5\nBORDER_MODE_V = 1\nBORDER_OFFSET_V = 0.25\n";
  const CrgSurface zero = surface(straight("REFERENCE_LINE_START_Z = 7\n", options(both)));
  EXPECT_EQ(height_at(zero, 4.1, 0), 0.5);
  EXPECT_EQ(height_at(zero, 2, 1.1), 0.25);
  EXPECT_EQ(height_at(zero, 5, 1.1), 0.75);
  EXPECT_NEAR(height_at(zero, 2, 0), 7.2, kDigits);
  const CrgSurface keep = surface(straight("", options("BORDER_OFFSET_U = 0.5\nBORDER_OFFSET_V = 0.25\n")));
  EXPECT_NEAR(height_at(keep, 5, 2), straight_z(4, 1) + 0.75, kDigits);
}

TEST(CrgSurface, RampsAtBothEnds) {
  const CrgSurface s = surface(
      straight("REFERENCE_LINE_START_Z = 2\n", options("BORDER_SMOOTH_UBEG = 2\nBORDER_SMOOTH_UEND = 1\n")));
  EXPECT_NEAR(height_at(s, 0, 1), 2, kDigits);
  EXPECT_NEAR(height_at(s, 0.5, 1), 2 + 0.25 * straight_z(0.5, 1), kDigits);
  EXPECT_NEAR(height_at(s, 2.5, 1), 2 + straight_z(2.5, 1), kDigits);
  EXPECT_NEAR(height_at(s, 3.75, 1), 2 + 0.25 * straight_z(3.75, 1), kDigits);
  EXPECT_NEAR(height_at(s, 9, 1), 2, kDigits);
}

TEST(CrgSurface, SlopeBankingAndEndHeights) {
  const CrgSurface s =
      surface(straight("REFERENCE_LINE_START_S = 0.1\nREFERENCE_LINE_START_B = -0.2\n"
                       "REFERENCE_LINE_START_Z = 1\n"));
  EXPECT_NEAR(height_at(s, 2.5, 0.5), straight_z(2.5, 0.5) + 1 + 0.25 - 0.1, kDigits);
  // The banking stops at the border.
  EXPECT_NEAR(height_at(s, 2.5, 9), straight_z(2.5, 1) + 1 + 0.25 - 0.2, kDigits);
  // An end height is reached whatever the slopes say.
  const CrgSurface e = surface(straight("REFERENCE_LINE_START_S = 0.1\nREFERENCE_LINE_END_Z = 0.5\n"));
  EXPECT_NEAR(height_at(e, 4, 0), straight_z(4, 0) + 0.5, kDigits);
}

TEST(CrgSurface, ScalesByModifiers) {
  const CrgSurface s = surface(straight("REFERENCE_LINE_START_B = 0.1\n",
                                        modifiers("SCALE_Z_GRID = 2\nSCALE_LENGTH = 3\nSCALE_WIDTH = "
                                                  "0.5\nSCALE_BANKING = -1\nREFLINE_OFFSET_Z = 10\n")));
  EXPECT_NEAR(height_at(s, 6, 0.25), 2 * straight_z(2, 0.5) - 0.025 + 10, 2 * kDigits);
  EXPECT_NEAR(s.line().u_end(), 12, 1e-12);
  EXPECT_NEAR(s.line().position(12, 0).x, 12, 1e-12);
}

TEST(CrgSurface, MovesByReferencePointAndByOffset) {
  // The middle of the left border to (5, 6, 7), heading along y.
  const CrgSurface s =
      surface(straight("", modifiers("REFPOINT_U_FRACTION = 0.5\nREFPOINT_V_FRACTION = 1\nREFPOINT_X = 5\n"
                                     "REFPOINT_Y = 6\nREFPOINT_Z = 7\nREFPOINT_PHI = 1.5707963267948966\n")));
  const CrgLine::Point p = s.line().position(2, 1);
  EXPECT_NEAR(p.x, 5, 1e-12);
  EXPECT_NEAR(p.y, 6, 1e-12);
  EXPECT_NEAR(height_at(s, 2, 1), 7, kDigits);
  EXPECT_NEAR(s.line().position(3, 1).y, 7, 1e-12);
  EXPECT_NEAR(s.heading(3), std::numbers::pi / 2, 1e-12);
  const CrgSurface o = surface(straight(
      "",
      modifiers("REFLINE_ROTCENTER_X = 4\nREFLINE_OFFSET_PHI = 3.141592653589793\nREFLINE_OFFSET_X = 1\n")));
  EXPECT_NEAR(o.line().position(0, 0).x, 9, 1e-12);
  EXPECT_NEAR(o.line().position(0, 1).y, -1, 1e-12);
  // Without a section for modifiers: nothing moves, or the corner goes to the origin.
  EXPECT_NEAR(surface(straight("REFERENCE_LINE_START_X = 3\n")).line().position(0, 0).x, 3, 1e-12);
  const CrgSurface d = surface(straight("REFERENCE_LINE_START_X = 3\n"), CrgModifierUse::standard);
  EXPECT_NEAR(d.line().position(0, -1).x, 0, 1e-12);
  EXPECT_NEAR(d.line().position(0, -1).y, 0, 1e-12);
  EXPECT_NEAR(height_at(d, 0, -1), 0, kDigits);
  EXPECT_NEAR(surface(straight("REFERENCE_LINE_START_X = 3\n", modifiers("")), CrgModifierUse::standard)
                  .line()
                  .position(0, 0)
                  .x,
              3, 1e-12);
}

TEST(CrgSurface, FillsMissingHeightsSideways) {
  std::string text = straight("");
  const std::size_t row = text.find("$$$$\n") + 5 + 31 * 2;  // third row
  text.replace(row, 10, " *missing*");
  EXPECT_TRUE(std::isnan(height_at(surface(text, CrgModifierUse::none), 2, -0.5)));
  EXPECT_NEAR(height_at(surface(text), 2, -0.5), straight_z(2, 0), kDigits);
  const auto with = [&](const std::string& lines) {
    std::string changed = text;
    return surface(changed.insert(changed.find("$KD_"), modifiers(lines)));
  };
  EXPECT_TRUE(std::isnan(height_at(with(""), 2, -0.5)));
  EXPECT_NEAR(height_at(with("GRID_NAN_MODE = 1\nGRID_NAN_OFFSET = 3\n"), 2, -1), 3, kDigits);
  EXPECT_NEAR(height_at(with("GRID_NAN_MODE = 2\nGRID_NAN_OFFSET = 3\n"), 2, -1), straight_z(2, 0) + 3,
              kDigits);
}

/// Circle of radius 20 m to the left, `degrees` of it, 1 degree a step; z = 0.01 times the row.
std::string circle(int degrees, const std::string& sections = "") {
  const double step = 2 * 20 * std::sin(std::numbers::pi / 360);
  std::string t = fmt::format(
      "$ROAD_CRG\nREFERENCE_LINE_INCREMENT = {:.12f}\nREFERENCE_LINE_START_PHI = 0\n"
      "REFERENCE_LINE_END_PHI = {:.12f}\n$\n{}",
      step, degrees * std::numbers::pi / 180, sections);
  t += "$KD_DEFINITION\n#:LDFI\nD:reference line phi,rad\nD:long section at v = -2,m\nD:long section at v = "
       "3,m\n$\n$$$$\n";
  for (int i = 0; i <= degrees; ++i)
    t += fmt::format("{:20.12f}{:20.12f}{:20.12f}\n", (i - 0.5) * std::numbers::pi / 180, 0.01 * i, 0.01 * i);
  return t;
}

TEST(CrgSurface, FindsPointsAroundACircle) {
  const CrgSurface s = surface(circle(350));
  std::int32_t carried = -1;
  for (int i = 0; i < 3500; ++i) {
    const double u = s.line().u_end() * i / 3500.0, v = -2 + 5 * ((i * 37) % 100) / 100.0;
    const CrgLine::Point p = s.line().position(u, v);
    CrgPosition a, b;
    std::int32_t fresh = -1;
    s.line().locate(p.x, p.y, fresh, a);
    s.line().locate(p.x, p.y, carried, b);
    EXPECT_NEAR(a.u, u, 1e-9);
    EXPECT_NEAR(a.v, v, 1e-9);
    EXPECT_EQ(a.u, b.u);
  }
}

TEST(CrgSurface, ClosesATrackIfWanted) {
  const CrgSurface open = surface(circle(330)),
                   closed = surface(circle(330, options("REFLINE_CONTINUATION = 1\n")));
  ASSERT_TRUE(closed.line().closable());
  const double end = closed.line().u_end(),
               length = closed.line().u_close_max() - closed.line().u_close_min();
  // The continuations of a gap of 30 degrees meet after 20 tan(15 degrees) on either side.
  EXPECT_NEAR(closed.line().u_close_max() - end, 20 * std::tan(std::numbers::pi / 12), 1e-3);
  EXPECT_NEAR(closed.line().u_close_min(), -20 * std::tan(std::numbers::pi / 12), 1e-3);
  EXPECT_NEAR(height_at(closed, 10 + length, 0), height_at(closed, 10, 0), 1e-9);
  EXPECT_NEAR(height_at(closed, 10 - length, 0), height_at(closed, 10, 0), 1e-9);
  EXPECT_NEAR(height_at(open, 10 + length, 0), 3.3, 1e-9);
}

TEST(CrgSurface, UsesTheHintWhereTheRoadLiesOverItself) {
  const CrgSurface s = surface(circle(450));  // the last quarter lies over the first
  const CrgLine::Point p = s.line().position(10, 0.3);
  const double turn = s.line().u_end() * 360 / 450;
  std::int32_t low = 5, high = static_cast<std::int32_t>(turn / s.line().step());
  CrgPosition a, b;
  s.line().locate(p.x, p.y, low, a);
  for (int i = 0; i < 20; ++i) {  // drive there on the upper turn
    const CrgLine::Point q = s.line().position(turn + 0.5 * i, 0.3);
    s.line().locate(q.x, q.y, high, b);
    EXPECT_NEAR(b.u, turn + 0.5 * i, 1e-6);
  }
  EXPECT_NEAR(a.u, 10, 1e-9);
}

TEST(CrgSurface, TakesALineGivenByPoints) {
  std::string t =
      "$ROAD_CRG\nREFERENCE_LINE_INCREMENT = 1\n$\n$KD_DEFINITION\n#:LDFI\nD:reference line x,m\nD:reference "
      "line y,m\n"
      "D:long section at v = -1,m\nD:long section at v = 1,m\n$\n$$$$\n";
  for (int i = 0; i < 30; ++i)
    t += fmt::format("{:20.12f}{:20.12f}{:20.12f}{:20.12f}\n", 10 * std::sin(0.1 * i),
                     10 - 10 * std::cos(0.1 * i), 0.1 * i, 0.1 * i);
  const CrgSurface s = surface(t);
  std::int32_t hint = -1;
  CrgPosition p;
  s.line().locate(10.5 * std::sin(1.05), 10 - 10.5 * std::cos(1.05), hint, p);
  EXPECT_NEAR(p.u, 10.5, 1e-2);
  EXPECT_NEAR(p.v, -0.5, 2e-2);  // the chord lies 12.5 mm inside the circle
}

}  // namespace
}  // namespace monocoque

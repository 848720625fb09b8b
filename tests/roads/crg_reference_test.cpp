// OpenCRG surfaces against tables of ASAM's C-API (240 rows each, inside and outside the road).

#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "elements/roads/crg_surface.h"
#include "io/road/opencrg.h"
#include "support/reference_files.h"

namespace monocoque {
namespace {

struct Row {
  double u, v, x, y, u_b, v_b, z_uv, z_xy;
};

std::vector<Row> table(const std::string& path) {
  std::ifstream in(path);
  std::vector<Row> rows;
  std::string line;
  while (std::getline(in, line)) {
    if (line.empty() || line[0] == '#' || line[0] == 'u') continue;
    std::stringstream s(line);
    std::string cell;
    std::vector<double> n;
    while (std::getline(s, cell, ',')) n.push_back(std::strtod(cell.c_str(), nullptr));
    rows.push_back({n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7]});
  }
  return rows;
}

/// The reference keeps heights as float: 1e-6 m, the bound of the tables, covers that with room.
void compare(const CrgSurface& road, const std::vector<Row>& rows) {
  ASSERT_GT(rows.size(), 200u);
  const double tolerance = 1e-6;
  std::int32_t carried = -1;
  for (const Row& r : rows) {
    SCOPED_TRACE("u " + std::to_string(r.u) + " v " + std::to_string(r.v));
    const CrgLine::Point p = road.line().position(r.u, r.v);
    EXPECT_NEAR(p.x, r.x, tolerance);
    EXPECT_NEAR(p.y, r.y, tolerance);
    std::int32_t fresh = -1;
    CrgPosition at;
    road.line().locate(r.x, r.y, fresh, at);
    EXPECT_NEAR(at.u, r.u_b, tolerance);
    EXPECT_NEAR(at.v, r.v_b, tolerance);
    CrgPosition with_hint;
    road.line().locate(r.x, r.y, carried, with_hint);
    EXPECT_EQ(at.u, with_hint.u);
    EXPECT_EQ(at.v, with_hint.v);
    CrgHeight z;
    const bool there = road.height(r.u, r.v, z);
    EXPECT_EQ(there, !std::isnan(r.z_uv));
    if (there) {
      EXPECT_NEAR(z.z, r.z_uv, tolerance);
    }
    const bool there_by_xy = road.height(at.u, at.v, z);
    EXPECT_EQ(there_by_xy, !std::isnan(r.z_xy));
    if (there_by_xy) {
      EXPECT_NEAR(z.z, r.z_xy, tolerance);
    }
  }
}

void compare(const std::string& crg, const std::string& csv, CrgModifierUse use) {
  const std::string path = test::reference("opencrg/" + crg), reference = test::reference("opencrg/" + csv);
  MONOCOQUE_NEEDS(path);
  MONOCOQUE_NEEDS(reference);
  compare(CrgSurface(io::read_crg(path), use), table(reference));
}

TEST(CrgReference, Straight) {
  compare("handmade_straight.crg", "handmade_straight.csv", CrgModifierUse::none);
}
TEST(CrgReference, Curved) {
  compare("handmade_curved.crg", "handmade_curved.csv", CrgModifierUse::none);
}
TEST(CrgReference, Arc) {
  compare("handmade_arc.crg", "handmade_arc.csv", CrgModifierUse::none);
}
TEST(CrgReference, Banked) {
  compare("handmade_banked.crg", "handmade_banked.csv", CrgModifierUse::none);
}
TEST(CrgReference, BelgianBlock) {
  compare("belgian_block.crg", "belgian_block.csv", CrgModifierUse::none);
}
TEST(CrgReference, DefaultModifiers) {
  compare("handmade_straight.crg", "handmade_straight_modsApplied.csv", CrgModifierUse::standard);
}
TEST(CrgReference, MinimalHeader) {
  compare("handmade_curved_minimalist.crg", "handmade_curved.csv", CrgModifierUse::none);
  compare("handmade_straight_minimalist.crg", "handmade_straight.csv", CrgModifierUse::none);
}
TEST(CrgReference, BinaryFormats) {
  compare("handmade_curved_krbi.crg", "handmade_curved.csv", CrgModifierUse::none);
  compare("handmade_curved_kdbi.crg", "handmade_curved.csv", CrgModifierUse::none);
}

}  // namespace
}  // namespace monocoque

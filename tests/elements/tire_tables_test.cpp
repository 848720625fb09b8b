// Magic Formula against tables computed with the MFeval solver: every row, every channel.

#include <cmath>

#include <array>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "elements/tires/magic_formula.h"
#include "support/reference_files.h"
#include "support/verify_row.h"

namespace monocoque {
namespace {

using test::reference;
using Row = std::map<std::string, double>;

std::vector<Row> read_table(const std::string& file) {
  std::ifstream in(file);
  std::vector<std::string> names;
  std::vector<Row> rows;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream cells(line);
    Row row;
    std::size_t column = 0;
    for (std::string cell; std::getline(cells, cell, ',');) {
      if (rows.empty() && names.size() == column && !std::isdigit(static_cast<unsigned char>(cell[0])) &&
          cell[0] != '-') {
        names.push_back(cell);
        ++column;
        continue;
      }
      row[names.at(column++)] = std::stod(cell);
    }
    if (!row.empty()) rows.push_back(row);
  }
  return rows;
}

Row evaluate(const MagicFormula& law, const Row& row) {
  TireInput in;
  in.Fz = row.at("Fz");
  in.kappa = row.at("kappa");
  in.tan_alpha = std::tan(row.at("alpha"));
  in.gamma = row.at("gamma");
  in.Vx = row.at("Vx");
  in.pressure = row.at("p");
  TireForces f;
  const MagicFormulaDetails d = law.details(in, f);
  return {{"Fx", f.Fx},
          {"Fy", f.Fy},
          {"Mx", f.Mx},
          {"My", f.My},
          {"Mz", f.Mz},
          {"Re", d.Re},
          {"rho", d.rho},
          {"a2", d.contact_length},
          {"b2", d.contact_width},
          {"trail", d.trail},
          {"mux", d.mux},
          {"muy", d.muy},
          {"omega", d.omega},
          {"Rl", d.Rl},
          {"Mzr", d.Mzr},
          {"Cx", d.Cx},
          {"Cy", d.Cy},
          {"Cz", d.Cz},
          {"Kya", d.Kya},
          {"sigmax", d.sigma_x},
          {"sigmay", d.sigma_y},
          {"Kxk", d.Kxk}};
}

struct TableCase {
  const char *tir, *table;
  MagicFormulaOptions::SlipAngle slip_angle;
};

class TireTables : public testing::TestWithParam<TableCase> {};

TEST_P(TireTables, EveryChannelAgreesWithMFeval) {
  const std::string tir = reference("tire/" + std::string(GetParam().tir) + ".tir");
  const std::string table = reference("tire/" + std::string(GetParam().table) + ".csv");
  MONOCOQUE_NEEDS(tir);
  MONOCOQUE_NEEDS(table);
  MagicFormulaOptions options;
  options.slip_angle = GetParam().slip_angle;
  options.low_speed = MagicFormulaOptions::LowSpeed::slips;
  const MagicFormula law(io::read_tir(tir), options);
  const std::vector<Row> rows = read_table(table);
  ASSERT_EQ(rows.size(), 562u);
  std::map<std::string, double> largest, deviation;
  for (const Row& row : rows)
    for (const auto& [channel, x] : evaluate(law, row)) {
      largest[channel] = std::max(largest[channel], std::abs(row.at(channel)));
      deviation[channel] = std::max(deviation[channel], std::abs(x - row.at(channel)));
    }
  ASSERT_EQ(largest.size(), 22u);
  const std::string section = "Magic Formula against MFeval";
  double others = 0;
  for (const auto& [channel, d] : deviation) {
    const double relative = d / std::max(largest[channel], 1e-9);
    // Digits of the tables 1e-10; MFeval's own iterations end at 1e-9 m.
    EXPECT_LE(relative, 1e-6) << channel << " of " << GetParam().table;
    if (channel[0] == 'F' || (channel[0] == 'M' && channel.size() == 2))
      test::verify_row(section, GetParam().table, channel, fmt::format("{} rows", rows.size()),
                       fmt::format("largest {:.5g}", largest[channel]), relative, "all rows");
    else
      others = std::max(others, relative);
  }
  test::verify_row(section, GetParam().table, "17 others", fmt::format("{} rows", rows.size()), "-", others,
                   "radii, deflection, contact patch, trail, friction, stiffnesses, relaxation lengths");
}

using SlipAngle = MagicFormulaOptions::SlipAngle;
INSTANTIATE_TEST_SUITE_P(
    , TireTables,
    testing::Values(
        TableCase{"MFeval_MagicFormula52_Parameters", "MFeval_MagicFormula52_Parameters_mfeval_mode121",
                  SlipAngle::tangent},
        TableCase{"MFeval_MagicFormula61_Parameters", "MFeval_MagicFormula61_Parameters_mfeval_mode121",
                  SlipAngle::tangent},
        TableCase{"pacejka2006_205_60R15", "pacejka2006_205_60R15_mfeval_mode121", SlipAngle::tangent},
        TableCase{"pacejka2006_205_60R15", "pacejka2006_205_60R15_mfeval_mode111", SlipAngle::angle}));

}  // namespace
}  // namespace monocoque

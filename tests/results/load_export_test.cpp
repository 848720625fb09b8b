// Load histories read back from each of the formats by rules of the formats, not by the code that wrote them.

#include "results/load_export.h"

#include <cmath>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "core/error.h"

namespace monocoque {
namespace {

using Table = std::vector<std::pair<double, double>>;

/// Node 7 has a force along y and a moment about z, node 12 a force along x; the rest is zero.
RunData loaded_run(int rows = 11) {
  RunData run;
  run.info.model = "m";
  for (const char* node : {"body/node_12", "body/node_7", "other/node_7"})
    for (const char* quantity : {"force", "torque"})
      for (const char* axis : {"x", "y", "z"})
        run.channels.push_back(
            {fmt::format("{}/{}/{}", node, quantity, axis), *quantity == 'f' ? "N" : "N*m"});
  run.channels.push_back({"body/weld/stress/von_mises", "Pa"});
  run.time.resize(rows);
  run.data.setZero(rows, 19);
  for (int r = 0; r < rows; ++r) {
    const double t = run.time[r] = 5 + 0.001 * r;
    run.data(r, run.column("body/node_7/force/y")) = -1234.56789012345 * std::sin(40 * t);
    run.data(r, run.column("body/node_7/torque/z")) = 3.25e-7 * r;
    run.data(r, run.column("body/node_12/force/x")) = 1e5 * t;
    run.data(r, run.column("body/weld/stress/von_mises")) = 2e8;
  }
  return run;
}

/// Fields of 8 or 16 characters, continuations joined; one list of fields a card.
std::vector<std::vector<std::string>> nastran_cards(const std::string& text) {
  std::vector<std::vector<std::string>> cards;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '$') continue;
    EXPECT_LE(line.size(), 72U) << line;
    std::string name = line.substr(0, 8);
    name.erase(name.find_last_not_of(' ') + 1);
    const bool continued = name == "*" || name == "+";
    const bool large = name.back() == '*';
    if (!continued) cards.push_back({large ? name.substr(0, name.size() - 1) : name});
    const std::size_t width = large ? 16 : 8, count = large ? 4 : 8;
    line.resize(72, ' ');
    for (std::size_t i = 0; i < count; ++i) {
      std::string field = line.substr(8 + i * width, width);
      field.erase(
          0, field.find_first_not_of(' ') == std::string::npos ? field.size() : field.find_first_not_of(' '));
      cards.back().push_back(field);
    }
  }
  return cards;
}

TEST(LoadExport, NastranReadBack) {
  const RunData run = loaded_run();
  LoadExportOptions options;
  options.units = {1e-3, 1e3, 1};  // mm-t-s: N, N mm
  std::ostringstream out;
  const PartLoads loads = part_loads(run, "body", options);
  ASSERT_EQ(loads.nodes.size(), 2U);
  write_loads_nastran(run, loads, options, out);
  std::map<int, Table> tables;
  std::map<int, int> table_of_set;
  std::map<int, std::string> load_of_set;  // "FORCE 7 y"
  std::vector<int> summed;
  for (const auto& card : nastran_cards(out.str())) {
    if (card[0] == "TABLED1") {
      Table& table = tables[std::stoi(card[1])];
      ASSERT_GT(card.size(), 9U);
      for (std::size_t i = 2; i < 9; ++i) EXPECT_EQ(card[i], "");
      std::size_t i = 9;
      for (; card.at(i) != "ENDT"; i += 2) {
        EXPECT_NE(card[i].find('.'), std::string::npos);
        table.emplace_back(std::stod(card[i]), std::stod(card.at(i + 1)));
      }
    } else if (card[0] == "TLOAD1") {
      EXPECT_EQ(card[4], "LOAD");
      EXPECT_EQ(card[1], card[2]);
      table_of_set[std::stoi(card[1])] = std::stoi(card[5]);
    } else if (card[0] == "FORCE" || card[0] == "MOMENT") {
      EXPECT_EQ(std::stod(card[4]), 1);
      for (std::size_t i = 0; i < 3; ++i)
        if (std::stod(card[5 + i]) == 1)
          load_of_set[std::stoi(card[1])] = card[0] + " " + card[2] + " " + "xyz"[i];
    } else {
      ASSERT_EQ(card[0], "DLOAD");
      EXPECT_EQ(card[1], "1000");
      EXPECT_EQ(std::stod(card[2]), 1);
      for (std::size_t i = 3; i + 1 < card.size() && !card[i].empty(); i += 2) {
        EXPECT_EQ(std::stod(card[i]), 1);
        summed.push_back(std::stoi(card[i + 1]));
      }
    }
  }
  ASSERT_EQ(summed.size(), 3U);
  std::map<std::string, std::pair<const char*, double>> expected{
      {"FORCE 12 x", {"body/node_12/force/x", 1.0}},
      {"FORCE 7 y", {"body/node_7/force/y", 1.0}},
      {"MOMENT 7 z", {"body/node_7/torque/z", 1000.0}}};
  for (const int set : summed) {
    const auto& [path, factor] = expected.at(load_of_set.at(set));
    const Table& table = tables.at(table_of_set.at(set));
    ASSERT_EQ(table.size(), 11U);
    for (int r = 0; r < 11; ++r) {
      const double value = factor * run.data(r, run.column(path));
      EXPECT_NEAR(table[static_cast<std::size_t>(r)].first, run.time[r], 1e-12);
      EXPECT_NEAR(table[static_cast<std::size_t>(r)].second, value, 1e-9 * std::abs(value));
    }
    expected.erase(load_of_set.at(set));
  }
  EXPECT_TRUE(expected.empty());
}

TEST(LoadExport, ManyComponentsContinueTheSum) {
  RunData run = loaded_run();
  run.data.array() += 1;
  std::ostringstream out;
  write_loads_nastran(run, part_loads(run, "body", {}), {}, out);
  for (const auto& card : nastran_cards(out.str())) {
    if (card[0] != "DLOAD") continue;
    std::size_t sets = 0;
    for (std::size_t i = 3; i + 1 < card.size() && !card[i].empty(); i += 2, ++sets)
      EXPECT_EQ(std::stoi(card[i + 1]), 1001 + static_cast<int>(sets));
    EXPECT_EQ(sets, 12U);
  }
}

TEST(LoadExport, AbaqusReadBack) {
  const RunData run = loaded_run();
  LoadExportOptions options;
  options.nodes = {7};
  options.from_zero = true;
  std::ostringstream out;
  write_loads_abaqus(run, part_loads(run, "body", options), options, out);
  std::map<std::string, Table> amplitudes;
  std::map<std::string, std::string> loads;  // "7, 2" by amplitude
  std::string name, mode;
  std::istringstream lines(out.str());
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 132U);
    if (line.rfind("**", 0) == 0) continue;
    if (line[0] == '*') {
      mode = line.substr(0, line.find(','));
      const std::size_t at =
          line.find("NAME=") != std::string::npos ? line.find("NAME=") + 5 : line.find("AMPLITUDE=") + 10;
      name = line.substr(at, line.find(',', at) - at);
      continue;
    }
    std::vector<double> numbers;
    std::istringstream fields(line);
    for (std::string field; std::getline(fields, field, ',');) numbers.push_back(std::stod(field));
    if (mode == "*CLOAD") {
      ASSERT_EQ(numbers.size(), 3U);
      EXPECT_EQ(numbers[2], 1);
      loads[name] = fmt::format("{:g}, {:g}", numbers[0], numbers[1]);
    } else {
      ASSERT_EQ(mode, "*AMPLITUDE");
      EXPECT_LE(numbers.size(), 8U);
      for (std::size_t i = 0; i < numbers.size(); i += 2)
        amplitudes[name].emplace_back(numbers[i], numbers.at(i + 1));
    }
  }
  ASSERT_EQ(loads.size(), 2U);
  EXPECT_EQ(loads.at("N7_2"), "7, 2");
  EXPECT_EQ(loads.at("N7_6"), "7, 6");
  ASSERT_EQ(amplitudes.at("N7_2").size(), 11U);
  for (int r = 0; r < 11; ++r) {
    const auto& [t, f] = amplitudes.at("N7_2")[static_cast<std::size_t>(r)];
    EXPECT_NEAR(t, 0.001 * r, 1e-12);
    EXPECT_NEAR(f, run.data(r, run.column("body/node_7/force/y")), 1e-6);
  }
}

TEST(LoadExport, TableHasStressesToo) {
  const RunData run = loaded_run(3);
  std::ostringstream out;
  write_loads_csv(run, part_loads(run, "body", {}), {}, out);
  std::istringstream lines(out.str());
  std::string head, row;
  std::getline(lines, head);
  std::getline(lines, row);
  EXPECT_EQ(head.substr(0, 37), "time,node_7/force/x,node_7/force/y,no");
  EXPECT_EQ(head.substr(head.rfind(',')), ",weld/stress/von_mises");
  EXPECT_EQ(std::count(head.begin(), head.end(), ','), 13);
  EXPECT_EQ(std::count(row.begin(), row.end(), ','), 13);
  EXPECT_EQ(row.substr(row.rfind(',')), ",200000000");
}

TEST(LoadExport, MistakesAreNamed) {
  const RunData run = loaded_run();
  const auto message = [&](const std::string& part, const LoadExportOptions& o) {
    try {
      part_loads(run, part, o);
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_NE(message("bdy", {}).find("there are: body, other"), std::string::npos);
  LoadExportOptions node;
  node.nodes = {8};
  EXPECT_NE(message("body", node).find("no loads on node 8; there are: 7, 12"), std::string::npos);
  LoadExportOptions late;
  late.from_s = 10;
  EXPECT_NE(message("body", late).find("0 instants"), std::string::npos);
}

TEST(LoadExport, NumbersFitTheirFields) {
  for (const double v : {0.0, 1.0, -1.0 / 3, 1e300, -1.23456789e-300, 123456789012.0, 5.001})
    for (const int width : {14, 16}) {
      const std::string text = number_of_width(v, width);
      EXPECT_LE(static_cast<int>(text.size()), width);
      EXPECT_NE(text.find('.'), std::string::npos) << text;
      EXPECT_NEAR(std::stod(text), v, 1e-6 * std::abs(v));
    }
  EXPECT_EQ(number_of_width(5.001, 16), "5.001");
}

}  // namespace
}  // namespace monocoque

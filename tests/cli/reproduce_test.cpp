// Every experiment of the program's own list in its short form: each stated bound must be met, and each
// decides the exit status; the plots must be there.

#include <array>
#include <cstdio>
#include <memory>
#include <sstream>

#include <nlohmann/json.hpp>

#include "program.h"
#include "support/paths.h"

namespace monocoque::test {
namespace {

/// Names that `monocoque reproduce` lists: a new experiment is tested without a line here.
std::vector<std::string> experiments() {
  const std::string command = std::string("'") + program() + "' reproduce";
  const std::unique_ptr<FILE, int (*)(FILE*)> list(popen(command.c_str(), "r"), pclose);
  std::string text;
  std::array<char, 4096> part{};
  while (list && fgets(part.data(), static_cast<int>(part.size()), list.get()) != nullptr)
    text += part.data();
  std::vector<std::string> names;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (const std::size_t end = line.find(' '); end != 0 && end != std::string::npos)
      names.push_back(line.substr(0, end));
  return names;
}

#ifndef NDEBUG
/// Half a minute of the flexible car is ten with sanitizers.
bool is_short(const std::string& name) {
  return name == "double-pendulum" || name == "rolling-wheel" || name == "slider-crank";
}
#endif

class Reproduce : public Program {};
class Experiment : public Program, public testing::WithParamInterface<std::string> {};

TEST_F(Reproduce, ListsItsExperiments) {
  EXPECT_GE(experiments().size(), 12u);
}

TEST_P(Experiment, MeetsItsBounds) {
  const std::string& name = GetParam();
#ifndef NDEBUG
  if (!is_short(name)) GTEST_SKIP() << "too long with sanitizers; the release build runs it";
#endif
  const Outcome o = run({"reproduce", name, "--quick", "--json", "-o", "here"});
  ASSERT_TRUE(o.status == 0 || o.status == 1) << o.out << o.err;
  const auto json = nlohmann::json::parse(o.out);
  int bounds = 0;
  bool all_met = true;
  for (const auto& row : json["rows"]) {
    if (row["bound"].get<std::string>().empty()) continue;
    ++bounds;
    all_met = all_met && row["met"].get<bool>();
    EXPECT_TRUE(row["met"].get<bool>()) << row.dump(2);
  }
  EXPECT_GT(bounds, 0);
  EXPECT_EQ(json["met"].get<bool>(), all_met);
  EXPECT_EQ(o.status == 0, all_met) << "a bound that is printed decides the exit status";
  for (const auto& plot : json["plots"])
    EXPECT_NE(read_text(folder_ / plot.get<std::string>()).find("</svg>"), std::string::npos) << plot;
  EXPECT_NE(read_text(folder_ / "here" / "table.md").find(name), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Quick, Experiment, testing::ValuesIn(experiments()), [](const auto& info) {
  std::string name = info.param;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
});

TEST_F(Reproduce, AnUnknownNameGetsASuggestion) {
  const Outcome o = run({"reproduce", "slider-krank"});
  EXPECT_EQ(o.status, 2);
  EXPECT_NE(o.err.find("did you mean 'slider-crank'?"), std::string::npos) << o.err;
}

}  // namespace
}  // namespace monocoque::test

// The example models: all run, two unlike methods agree, and every element type is shown by one of them.

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <nlohmann/json.hpp>

#include "program.h"

namespace monocoque::test {
namespace {

using Json = nlohmann::json;

class Examples : public Program, public testing::WithParamInterface<const char*> {
 protected:
  Json summary(const std::string& model, const std::string& solver) const {
    // The stiff bushings ring at first, which a step of 1 ms does not resolve.
    const char* end = std::string(GetParam()) == "corner-suspension.yaml" ? "1" : "0.1";
    const Outcome o = run({"run", model, "--json", "--solver", solver, "--end", end, "-o", solver + ".h5"});
    EXPECT_EQ(o.status, 0) << o.err;
    return o.status == 0 ? Json::parse(o.out) : Json::object();
  }
};

/// Largest difference of positions and velocities, over the size of the vector they belong to.
double difference(const Json& a, const Json& b, std::string& where) {
  std::map<std::string, double> size;
  const auto family = [](const std::string& path) { return path.substr(0, path.rfind('/')); };
  for (const auto& [path, value] : a.items())
    if (value.is_number()) size[family(path)] = std::max(size[family(path)], std::abs(value.get<double>()));
  double worst = 0;
  for (const auto& [path, value] : a.items()) {
    if (path.find("/position/") == std::string::npos && path.find("velocity/") == std::string::npos) continue;
    const double d =
        std::abs(value.get<double>() - b[path].get<double>()) / std::max(0.01, size[family(path)]);
    if (!(d <= worst)) {
      worst = d;
      where = path;
    }
  }
  return worst;
}

TEST_P(Examples, RunAndMethodsAgree) {
  const std::string model = example(GetParam());
  const Json fixed = summary(model, "linearly-implicit-2"), controlled = summary(model, "ida");
  if (fixed.empty() || controlled.empty()) return;
  std::string where;
  EXPECT_LT(difference(fixed["final"], controlled["final"], where), 5e-3) << where;
  for (const Json& j : {fixed, controlled}) {
    EXPECT_LT(j["drift"]["position"], 1e-6);
    EXPECT_LT(j["drift"]["velocity"], 1e-4);
    EXPECT_TRUE(j["warnings"].empty()) << j["warnings"];
  }
}

INSTANTIATE_TEST_SUITE_P(All, Examples,
                         testing::Values("air-table.yaml", "corner-suspension.yaml", "double-pendulum.yaml",
                                         "four-bar-ida.yaml", "four-bar.yaml", "friction-slider.yaml",
                                         "gear-train.yaml", "hydraulic-arm.yaml", "maxwell-mount.yaml",
                                         "mcpherson.yaml", "motor-speed-control.yaml", "pendulum.yaml",
                                         "quarter-car.yaml", "rigid-ring.yaml", "roller-on-curve.yaml",
                                         "rolling-disc.yaml", "screw-press.yaml", "shaker-table.yaml",
                                         "slider-crank.yaml", "spinning-top.yaml"),
                         [](const auto& info) {
                           std::string name = info.param;
                           name = name.substr(0, name.find('.'));
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

using ExampleFolder = Program;

TEST_F(ExampleFolder, ShowsEveryElementType) {
  std::string all;
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(example(""))) {
    if (entry.path().extension() != ".yaml") continue;
    files.insert(entry.path().filename());
    const std::string text = read_text(entry.path());
    all += text;
    EXPECT_EQ(text.rfind("# yaml-language-server: $schema=../../schema/monocoque.schema.json\n", 0), 0U)
        << entry.path();
  }
  EXPECT_GE(files.size(), 18U);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(example("../camry")))
    if (entry.path().extension() == ".yaml") all += read_text(entry.path());
  for (const Json& type : Json::parse(run({"list", "--json"}).out)) {
    const std::string word = "type: " + type["type"].get<std::string>();
    bool shown = false;
    for (std::size_t at = all.find(word); at != std::string::npos && !shown; at = all.find(word, at + 1)) {
      const char next = all[at + word.size()];
      shown = next == ',' || next == '\n' || next == '}';
    }
    EXPECT_TRUE(shown) << word << " is in no example";
  }
}

}  // namespace
}  // namespace monocoque::test

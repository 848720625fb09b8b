// `monocoque body`, as a user meets it.

#include <filesystem>

#include <nlohmann/json.hpp>

#include "program.h"

namespace monocoque::test {
namespace {

using Json = nlohmann::json;

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class BodyCommand : public Program {};

TEST_F(BodyCommand, WritesAMeshThatModesReads) {
  const std::string nas = "body.nas";
  const Outcome o = run({"body", "--size", "0.4", "-o", nas});
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_TRUE(has(o.out, "mass 1006.500 kg")) << o.out;
  const Outcome m = run({"modes", nas, "--modes", "2", "--json", "-q"});
  ASSERT_EQ(m.status, 0) << m.err;
  const Json json = Json::parse(m.out);
  EXPECT_EQ(json["rigid_modes"], 6);
  EXPECT_NEAR(json["mass_kg"].get<double>(), 1006.5, 1e-6);
}

TEST_F(BodyCommand, ReportsAndDraws) {
  const std::string pictures = "pictures";
  const Outcome o = run({"body", "--size", "0.4", "--report", "--modes", "2", "--plot", pictures, "--json"});
  ASSERT_EQ(o.status, 0) << o.err;
  const Json json = Json::parse(o.out);
  EXPECT_GT(json["shells"], 3000);
  EXPECT_EQ(json["modes"][1]["name"], "torsion");
  EXPECT_GT(json["torsion_kNm_per_deg"].get<double>(), 10);
  EXPECT_LT(json["torsion_kNm_per_deg"].get<double>(), 25);
  for (const char* name : {"/mesh.svg", "/mode-01.svg", "/mode-02.svg"})
    EXPECT_TRUE(std::filesystem::exists(folder_ / (pictures + name))) << name;
}

TEST_F(BodyCommand, RefusesWhatCannotBe) {
  Outcome o = run({"body", "--size", "nan"});
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(has(o.err, "size_m is nan, it must be from 0.002 to 0.5")) << o.err;
  o = run({"body", "--size", "1e-9"});
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(has(o.err, "size_m is 1e-09")) << o.err;
  o = run({"body", "-o", "body.stl"});
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(has(o.err, "name it .nas or .bdf (Nastran), or .inp")) << o.err;
  o = run({"body", "--mass", "200"});
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(has(o.err, "mass_kg is 200, but sheets, glass and beams alone have 304.769")) << o.err;
  o = run({"body", "-o", "/no/such/folder/body.nas"});
  EXPECT_EQ(o.status, 5);
}

}  // namespace
}  // namespace monocoque::test

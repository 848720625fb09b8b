// `monocoque drive` from outside, without a browser: roads of the command line, what it prints and refuses.

#include <cmath>
#include <csignal>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "program.h"

namespace monocoque::test {
namespace {

using Json = nlohmann::json;

class DriveCommand : public Program {
 protected:
  Outcome drive(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments = {"drive", "--no-browser", "--port", "0", "--priority",
                                          "0",     "--no-lock",    "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }
  static std::string model(const std::string& name) {
    return (std::filesystem::path(example("pendulum.yaml")).parent_path().parent_path() / name).string();
  }
  /// A straight road from x = -20 m on, 8 m wide, at a height, and rising to the left.
  std::string plane(const std::string& name, double height, double bank) const {
    std::string text =
        "$ROAD_CRG\nREFERENCE_LINE_START_X = -20.0\nREFERENCE_LINE_START_Y = 0.0\n"
        "REFERENCE_LINE_START_PHI = 0.0\nREFERENCE_LINE_END_U = 60.0\nREFERENCE_LINE_INCREMENT = 10.0\n"
        "$KD_DEFINITION\n#:LRFI\nD:long section at v = -4,m\nD:long section at v = 4,m\n$\n$$$$\n";
    for (int k = 0; k <= 6; ++k)
      text += fmt::format("{:10.6f}{:10.6f}\n", height - 4 * bank, height + 4 * bank);
    return write(name, text);
  }
  /// Values of a channel of the recorded run.
  Json recorded(const std::string& channel) const {
    const Outcome o = run({"export", "d.h5", "--json", "--channels", channel});
    EXPECT_EQ(o.status, 0) << o.err;
    return Json::parse(o.out)["channels"][channel]["values"];
  }
};

TEST_F(DriveCommand, RunsAtThePaceOfTheClockAndTellsItsTimes) {
  const Outcome o = drive({"--seconds", "0.5", "--record", "d.h5"});
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_TRUE(has(o.err, "drive at http://127.0.0.1:")) << o.err;
  const Json j = Json::parse(o.out);
  EXPECT_EQ(j["failures"], 0);
  EXPECT_EQ(j["periods"], 500);
  EXPECT_GE(j["wall_s"], 0.49);
  EXPECT_GT(j["step_us"]["p50"], 0);
  EXPECT_EQ(j["recorded_rows"], 500 / 17);
  EXPECT_NEAR(recorded("place/z").back(), 0.602, 0.002);
  EXPECT_GT(recorded("FL/tire/load").back(), 4000);
}

TEST_F(DriveCommand, TakesItsRoadFromTheCommandLine) {
  for (const std::string& road :
       {std::string("flat"), std::string("random:A"), std::string("random:E"), model("roads/hills.crg")}) {
    const Outcome o = drive({"--road", road, "--seconds", "0.2"});
    ASSERT_EQ(o.status, 0) << road << ": " << o.err;
    EXPECT_EQ(Json::parse(o.out)["failures"], 0) << road;
  }
  const Outcome hills = drive({model("camry/scenarios/drive-hills.yaml"), "--seconds", "0.2"});
  EXPECT_EQ(hills.status, 0) << hills.err;
}

/// On a road that is neither level nor at height zero the car stands as the road does, and goes on standing.
TEST_F(DriveCommand, LaysTheCarOnTheRoad) {
  const Outcome o = drive({"--road", plane("tilted.crg", 0.8, 0.03), "--seconds", "2", "--record", "d.h5"});
  ASSERT_EQ(o.status, 0) << o.err;
  const Json z = recorded("place/z"), roll = recorded("attitude/roll"), speed = recorded("speed/x");
  EXPECT_NEAR(z.front(), 0.8 + 0.602, 0.003);
  EXPECT_NEAR(z.back(), 0.8 + 0.602, 0.005);
  // z rises to the left by 0.03: the car leans to the right, and a little more on its springs.
  EXPECT_NEAR(roll.front(), std::atan(0.03), 0.002);
  EXPECT_NEAR(roll.back(), std::atan(0.03), 0.01);
  EXPECT_NEAR(speed.back(), 0, 0.01);
}

TEST_F(DriveCommand, RefusesRoadsThatAreNone) {
  write("broken.crg", "$ROAD_CRG\nthis is no road\n");
  const struct {
    std::vector<std::string> arguments;
    std::vector<std::string> parts;
  } cases[] = {
      {{"--road", "hilly"}, {"--road", "'hilly' is no road", "random:A to random:E"}},
      {{"--road", "random:F"}, {"--road", "'F'", "A to E of ISO 8608"}},
      {{"--road", "random:"}, {"--road", "A to E"}},
      {{"--road", "none.crg"}, {"--road", "none.crg", "does not exist"}},
      {{"--road", "broken.crg"}, {"broken.crg"}},
      {{"--road", model("roads/example.crg")}, {"/tire' would stand beside the road", "behind it"}},
      {{"--road", plane("steep.crg", 0, 0.5)}, {"--road: steep.crg", "rises by 0.5", "slide"}},
      {{"--road", "flat", "--set", "road=[{type: flat}]"}, {"--road", "--set"}},
  };
  for (const auto& c : cases) {
    std::vector<std::string> arguments = c.arguments;
    arguments.insert(arguments.end(), {"--seconds", "0.1"});
    const Outcome o = drive(arguments);
    EXPECT_NE(o.status, 0) << c.arguments[1];
    for (const std::string& part : c.parts)
      EXPECT_TRUE(has(o.err, part)) << c.arguments[1] << ", " << part << ": " << o.err;
  }
}

TEST_F(DriveCommand, ControlCEndsTheDriveWithItsTable) {
  const pid_t child = start(
      {"drive", "--no-browser", "--port", "0", "--priority", "0", "--no-lock", "--json", "--record", "d.h5"});
  ASSERT_TRUE(wait_for_size("d.h5", 10'000));
  kill(child, SIGINT);
  const Outcome o = finish(child);
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_GE(Json::parse(o.out)["simulated_s"], 0);
  EXPECT_EQ(run({"export", "d.h5", "--list"}).status, 0);  // the file is complete
}

}  // namespace
}  // namespace monocoque::test

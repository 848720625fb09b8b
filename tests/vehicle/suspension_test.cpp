// Suspension curves of the Camry: car body fixed, wheel carriers moved up and down, rack moved from side to
// side. Reference: camry-2012.md, sections "Connection rods" (steering) and "The rear lateral links cross in
// plan view" (curves), computed there from the same hard points by another program.
//
// Yaw: heading of the axle about z of the car body, + to the left. Camber: inclination of the axle, + with
// the top of the wheel outward. (Not the Tait-Bryan angles of the carrier: a carrier that also pitches
// has a yaw of its own, which differs from its axle's heading by up to 0.014 degrees here.)

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "support/paths.h"
#include "support/recorded_run.h"
#include "support/run.h"

namespace monocoque::test {
namespace {

RecordedRun on_the_rig(const std::string& file, const Overrides& overrides) {
  Loaded loaded = load_file(file, overrides);
  // The curves are geometry: the largest step the sine allows will do.
  loaded.spec.simulation.step_s = 0.02;
  loaded.spec.simulation.output_step_s = 1;
  loaded.spec.simulation.end_s = 3;
  return RecordedRun(loaded.spec);
}

std::string rig_file() {
  return source_dir() + "/models/camry/suspension-rig.yaml";
}

/// The same rig with the other kind of corner.
std::string rig_with_wheels_apart() {
  std::ifstream in(rig_file());
  std::stringstream buffer;
  buffer << in.rdbuf();
  std::string text = buffer.str();
  const std::string before = "[body.yaml, car-rigid.yaml, wheels-on-carriers.yaml, reference-tires.yaml]",
                    folder = source_dir() + "/models/camry/";
  text.replace(
      text.find(before), before.size(),
      "[\"" + folder + "body.yaml\", \"" + folder + "car-rigid.yaml\", \"" + folder + "wheels-apart.yaml\"]");
  const std::string path = testing::TempDir() + "/rig-wheels-apart.yaml";
  std::ofstream(path) << text;
  return path;
}

struct Point {
  const char* channel;
  const char* name;
  std::size_t second;  ///< 1: up or rack to the left, 3: the other way
  double degrees;
  double half_digit;  ///< of the printed value
};

void compare(const RecordedRun& run, const std::vector<Point>& points, const std::string& rig) {
  for (const Point& p : points) {
    const double ours = run.value(p.second, p.channel) * 180 / M_PI, error = std::abs(ours - p.degrees);
    EXPECT_DOUBLE_EQ(run.time(p.second), static_cast<double>(p.second));
    EXPECT_LT(error, p.half_digit) << rig << ": " << p.name;
    verify_row("Camry suspension", p.name, rig, fmt::format("{:.4f} deg", ours),
               fmt::format("{} deg", p.degrees), error, "absolute, deg");
  }
}

TEST(Suspension, CurvesAreThoseOfTheReference) {
  verify_note(
      "Camry suspension",
      "Car body fixed. Yaw: heading of the axle, + to the left; camber: inclination of the axle, + top "
      "outward. The bound is half of the last printed digit.");
  const std::vector<Point> points = {{"FL_axle/yaw", "front left +30 mm, yaw", 1, -0.879, 0.0005},
                                     {"FL_axle/pitch", "front left +30 mm, camber", 1, -0.554, 0.0005},
                                     {"FL_axle/yaw", "front left -30 mm, yaw", 3, 0.936, 0.0005},
                                     {"FL_axle/pitch", "front left -30 mm, camber", 3, 0.718, 0.0005},
                                     {"RL_axle/yaw", "rear left +30 mm, yaw", 1, 0.544, 0.0005},
                                     {"RL_axle/pitch", "rear left +30 mm, camber", 1, -0.677, 0.0005},
                                     {"RL_axle/yaw", "rear left -30 mm, yaw", 3, -0.905, 0.0005},
                                     {"RL_axle/pitch", "rear left -30 mm, camber", 3, 0.757, 0.0005},
                                     {"FR_axle/yaw", "front right +30 mm, yaw", 1, 0.80, 0.005}};
  for (const auto& [name, file] :
       {std::pair{"wheels on carriers", rig_file()}, {"wheels apart", rig_with_wheels_apart()}}) {
    const RecordedRun run = on_the_rig(file, {{"travel_m", "0.03"}});
    compare(run, points, name);
    for (const char* post : {"FL_hub/z", "RR_hub/z"}) EXPECT_NEAR(run.value(1, post), 0.03, 1e-3);
  }
}

TEST(Suspension, SteeringAnglesAreThoseOfTheReference) {
  // "Wheel height held": the wheel centre's, 40 mm outboard of the carrier's centre of gravity. With the
  // latter held the angles are -6.799 and +6.901 degrees.
  const RecordedRun run =
      on_the_rig(rig_file(), {{"travel_m", "0"}, {"rack_m", "0.015"}, {"outboard_m", "0.040"}});
  compare(run,
          {{"FL_axle/yaw", "front left, rack +15 mm, wheel height held, yaw", 1, -6.79, 0.005},
           {"FL_axle/yaw", "front left, rack -15 mm, wheel height held, yaw", 3, 6.89, 0.005}},
          "wheels on carriers");
  EXPECT_NEAR(run.value(1, "FL_hub/z"), 0, 1e-9);
  EXPECT_NEAR(run.value(1, "RL_axle/yaw"), 0, 1e-9);
}

}  // namespace
}  // namespace monocoque::test

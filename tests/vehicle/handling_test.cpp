// The Camry's stabilizer bars, and what they and the links' heights do to its critical speed. The whole table
// is `monocoque handling`; tests/analysis compares its figures with closed forms.

#include "analysis/handling/handling.h"

#include "core/rotation.h"
#include "support/paths.h"
#include "support/run.h"

namespace monocoque::test {
namespace {

analysis::HandlingCar camry(const std::string& file) {
  analysis::HandlingCar car;
  car.at_speed = [file](double speed, bool hold) {
    io::ReadOptions options;
    options.overrides = {{"speed_m_per_s", fmt::format("{:.17g}", speed)}, {"hold_speed", hold ? "1" : "0"}};
    Diagnostics diagnostics;
    auto spec =
        io::read_scenario(source_dir() + "/models/camry/" + file, element_library(), options, diagnostics);
    return finish(std::move(spec), diagnostics).spec;
  };
  return car;
}

TEST(CamryBars, AreUnloadedInTheReferencePosition) {
  const Loaded bars = load_model("camry/camry-bars.yaml"), tables = load_model("camry/camry.yaml");
  const Values v = run(bars, fixed_step("linearly-implicit-2", 0.2, 1e-3)).final;
  for (const auto& [corner, load] :
       {std::pair{"FL", 4303.352}, {"FR", 4303.352}, {"RL", 2938.537}, {"RR", 2938.537}})
    EXPECT_NEAR(v.at(fmt::format("{}/tire/load", corner)), load, 1e-3);
  EXPECT_NEAR(v.at("front_bar/twist/torque/y"), 0, 1e-6);
  EXPECT_NEAR(v.at("rear_bar/twist/torque/y"), 0, 1e-6);
  // Two levers, two bearings and two links of each bar leave the freedoms as they were.
  EXPECT_EQ(bars.model->nz - bars.model->nlambda, tables.model->nz - tables.model->nlambda);
}

/// The twist of a bar is the difference of the wheels' travel over the length of its levers.
TEST(CamryBars, TwistByTheDifferenceOfWheelTravel) {
  const TimeFunction steer =
      TimeFunction::table({0, 0.2, 0.6}, {0, 0, 0.008}, TimeFunction::Interpolation::linear);
  const analysis::TestDrive drive(camry("camry-bars.yaml"), {});
  io::ScenarioSpec spec = drive.specification(40 / 3.6, true, steer);
  spec.simulation.end_s = spec.simulation.output_step_s = 2;
  spec.simulation.outputs.clear();
  const auto model = build_model(spec.model);
  Simulation simulation(*model, spec.simulation);
  Values v;
  for (const auto& [channel, value] : simulation.run().final_values) v[channel.path] = value;
  const auto vec = [&](const std::string& path) {
    return Vec3(v.at(path + "/x"), v.at(path + "/y"), v.at(path + "/z"));
  };
  const auto rotation = [&](const std::string& part) {
    Vec4 q;
    for (int i = 0; i < 4; ++i) q[i] = v.at(fmt::format("{}/orientation/q{}", part, i));
    return rotation_from_quaternion(q);
  };
  // Of the link's end on the carrier against the car body, from the reference position.
  const auto travel = [&](const std::string& corner, const Vec3& carrier, const Vec3& link) {
    const std::string part = corner + "/carrier";
    const Vec3 now = vec(part + "/position") + rotation(part) * (link - carrier);
    return (rotation("car").transpose() * (now - vec("car/position"))).z() - (link.z() - 0.602);
  };
  const auto compare = [&](const char* bar, double left, double right, double stiffness, double lever) {
    const double torque = vec(std::string(bar) + "/twist/torque").norm();
    const double expected = stiffness * std::abs(left - right) / lever;
    EXPECT_GT(torque, 10);
    // 2 %: the links lean a little as the wheels move.
    EXPECT_NEAR(torque / expected, 1, 0.02) << bar;
  };
  compare("front_bar", travel("FL", {1.413, 0.765, 0.297}, {1.39, 0.60, 0.572}),
          travel("FR", {1.413, -0.765, 0.297}, {1.39, -0.60, 0.572}), 700, 0.30);
  compare("rear_bar", travel("RL", {-1.377, 0.750, 0.299}, {-1.40, 0.60, 0.572}),
          travel("RR", {-1.377, -0.750, 0.299}, {-1.40, -0.60, 0.572}), 325, 0.30);
}

/// Bump steer of the tables' links makes the car oversteer; bars take some of the roll, moved links the rest.
TEST(CamryHandling, CriticalSpeedsByEigenvalues) {
  const auto critical = [](const char* file) {
    const analysis::TestDrive drive(camry(file), {});
    return analysis::critical_speed_by_eigenvalues(drive, 60);
  };
  const auto tables = critical("camry.yaml"), bars = critical("camry-bars.yaml");
  ASSERT_TRUE(tables && bars);
  // By `monocoque handling`: disturbed runs give 106.5 and 117.7 km/h.
  EXPECT_NEAR(*tables, 106.5 / 3.6, 0.1);
  EXPECT_NEAR(*bars, 117.7 / 3.6, 0.1);
#ifdef NDEBUG
  EXPECT_FALSE(critical("camry-understeer.yaml").has_value());
#endif
}

}  // namespace
}  // namespace monocoque::test

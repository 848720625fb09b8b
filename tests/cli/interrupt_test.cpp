// Runs that do not come to their end keep what they have computed.

#include <csignal>

#include <nlohmann/json.hpp>

#include "program.h"

namespace monocoque::test {
namespace {

class Interrupted : public Program {
 protected:
  /// A run far longer than any test, once its file has grown beyond the headers.
  pid_t long_run() const {
    const pid_t child = start({"run", example("pendulum.yaml"), "--end", "1e5", "-o", "p.h5", "--json"});
    EXPECT_TRUE(wait_for_size("p.h5", 400'000));
    return child;
  }
};

TEST_F(Interrupted, ControlCKeepsTheResults) {
  const pid_t child = long_run();
  kill(child, SIGINT);
  const Outcome o = finish(child);
  EXPECT_EQ(o.status, 130) << o.err;
  const nlohmann::json j = nlohmann::json::parse(o.out);
  EXPECT_EQ(j["interrupted"], true);
  EXPECT_LT(j["simulated_s"], 1e5);
  const Outcome e = run({"export", "p.h5", "-c", "energy/total", "--json"});
  ASSERT_EQ(e.status, 0) << e.err;
  const nlohmann::json data = nlohmann::json::parse(e.out);
  EXPECT_GT(data["time"]["values"].size(), 100U);
  EXPECT_EQ(data["time"]["values"].back(), j["simulated_s"]);
  EXPECT_EQ(data["channels"]["energy/total"]["values"].back(), j["final"]["energy/total"]);
}

TEST_F(Interrupted, KilledRunOpensUpToTheLastFlush) {
  const pid_t child = long_run();
  kill(child, SIGKILL);
  EXPECT_EQ(finish(child).status, 128 + SIGKILL);
  const Outcome e = run({"export", "p.h5", "-c", "energy/total", "--json"});
  ASSERT_EQ(e.status, 0) << e.err;
  EXPECT_NE(e.err.find("the run was cut off"), std::string::npos) << e.err;
  const nlohmann::json data = nlohmann::json::parse(e.out);
  ASSERT_GT(data["time"]["values"].size(), 10U);
  EXPECT_EQ(data["time"]["values"].size(), data["channels"]["energy/total"]["values"].size());
  EXPECT_NEAR(data["time"]["values"][1], 0.001, 1e-12);
}

TEST_F(Interrupted, FailedRunKeepsWhatWasBefore) {
  // rk4 far beyond its stability limit: the message says how small the step must be.
  write("stiff.yaml", R"(monocoque: 1
name: stiff
parts: [{name: m, kind: particle, mass_kg: 0.001, position_m: [0, 0, 1.01]}]
interacts:
  - {name: s, type: spring_damper, from: ground, to: m, stiffness_N_per_m: 1.0e+6, damping_Ns_per_m: 1, free_length_m: 1}
simulation: {solver: rk4, step_s: 0.01, end_s: 10}
)");
  const Outcome o = run({"run", "stiff.yaml"});
  EXPECT_EQ(o.status, 4);
  EXPECT_NE(
      o.err.find("the motion of part 'm' grows without bound: 'rk4' with step_s = 0.01 is unstable here"),
      std::string::npos)
      << o.err;
  EXPECT_NE(o.err.find("'rk4' needs a step below about"), std::string::npos) << o.err;
  EXPECT_NE(o.err.find("what was computed up to the failure is in stiff.h5"), std::string::npos) << o.err;
  EXPECT_EQ(run({"export", "stiff.h5", "--list"}).status, 0);
}

}  // namespace
}  // namespace monocoque::test

// `monocoque rt` from outside: what it prints, how it ends, and what it refuses.

#include <csignal>
#include <cstdlib>

#include <unistd.h>
#include <nlohmann/json.hpp>

#include "program.h"

namespace monocoque::test {
namespace {

class Rt : public Program {
 protected:
  const std::string pendulum_ = example("pendulum.yaml");
  const std::vector<std::string> usual_ = {
      "rt", pendulum_, "--end", "0.3", "--solver", "linearly-implicit-2", "--step", "0.001"};
  Outcome rt(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments = usual_;
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }
};

TEST_F(Rt, UnpacedRunsAreBitIdenticalAndTellTheirTimes) {
  const Outcome a = rt({"--unpaced", "--json"}), b = rt({"--unpaced", "--json"});
  ASSERT_EQ(a.status, 0) << a.err;
  const nlohmann::json j = nlohmann::json::parse(a.out), k = nlohmann::json::parse(b.out);
  EXPECT_EQ(j["steps"], 300);
  EXPECT_EQ(j["end"], "finished");
  EXPECT_EQ(j["state_crc32"], k["state_crc32"]);
  EXPECT_EQ(j["final"], k["final"]);
  for (const char* key : {"step_cpu_us", "step_wall_us"})
    for (const char* quantile : {"mean", "p50", "p99", "p999", "max"}) EXPECT_GT(j[key][quantile], 0) << key;
  EXPECT_LE(j["step_cpu_us"]["p50"], j["step_cpu_us"]["p999"]);
  std::int64_t overruns = 0;
  for (const auto& [cause, count] : j["overruns"]["causes"].items()) overruns += count.get<std::int64_t>();
  EXPECT_EQ(j["overruns"]["count"], overruns);
  EXPECT_FALSE(j["worst_steps"].empty());
}

TEST_F(Rt, PacedRunTakesItsTimeAndWritesItsFiles) {
  const Outcome o =
      rt({"--layout", "l.json", "-o", "r.h5", "--histogram", "h.csv", "--plot", "out", "--priority", "0",
          "--no-lock", "--shm", "monocoque_cli_test_" + std::to_string(getpid()), "--udp", "0"});
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_TRUE(has(o.out, "300 steps")) << o.out;
  EXPECT_TRUE(has(o.out, "overruns")) << o.out;
  EXPECT_TRUE(has(o.err, "outputs only")) << o.err;
  const nlohmann::json layout = nlohmann::json::parse(read_text(folder_ / "l.json"));
  EXPECT_FALSE(layout["outputs"].empty());
  const std::string csv = read_text(folder_ / "h.csv");
  EXPECT_EQ(csv.substr(0, csv.find('\n')),
            "from_us,to_us,step_cpu,step_wall,undisturbed_cpu,input_output,latency,slack");
  EXPECT_TRUE(has(read_text(folder_ / "out/step-times.svg"), "<svg"));
  const Outcome e = run({"export", "r.h5", "--json"});
  ASSERT_EQ(e.status, 0) << e.err;
  EXPECT_EQ(nlohmann::json::parse(e.out)["time"]["values"].back(), 0.3);
}

TEST_F(Rt, ControlCEndsAnEndlessRunWithItsTable) {
  const pid_t child = start({"rt", pendulum_, "--forever", "--solver", "rk4", "-o", "p.h5", "--json", "-q"});
  ASSERT_TRUE(wait_for_size("p.h5", 10'000));
  kill(child, SIGINT);
  const Outcome o = finish(child);
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(nlohmann::json::parse(o.out)["end"], "interrupted");
}

TEST_F(Rt, RefusesWhatCannotWork) {
  const struct {
    std::vector<std::string> arguments;
    const char* part;
  } cases[] = {
      {{"--solver", "ida"}, "linearly-implicit-euler"},
      {{"--overrun", "hope"}, "--overrun"},
      {{"--priority", "100"}, "--priority"},
      {{"--step", "0"}, "--step"},
      {{"--end", "-1"}, "--end"},
      {{"--forever"}, "--forever"},
      {{"--udp", "notaport"}, "ADDRESS:PORT"},
      {{"--udp", "localhost:5005"}, "IPv4"},
      {{"--udp-peer", "5006"}, "--udp PORT"},
      {{"--shm", "a/b"}, "without slashes"},
      {{"--input-timeout", "1"}, "need a link"},
      {{"--on-timeout", "pray"}, "--on-timeout"},
      {{"--outputs", "nothing/like/this"}, "no channel matches"},
      {{"--layout", "no/such/folder/l.json"}, "cannot be written"},
      {{"--send-every", "0"}, "--send-every"},
  };
  for (const auto& c : cases) {
    std::vector<std::string> arguments = {"rt", pendulum_, "--unpaced", "--solver", "rk4"};
    if (c.arguments[0] == "--solver") arguments.resize(3);
    if (c.arguments[0] == "--forever") arguments.insert(arguments.end(), {"--end", "1"});
    if (c.arguments[0] != "--end" && c.arguments[0] != "--forever")
      arguments.insert(arguments.end(), {"--end", "0.01"});
    arguments.insert(arguments.end(), c.arguments.begin(), c.arguments.end());
    const Outcome o = run(arguments);
    EXPECT_NE(o.status, 0) << c.part;
    EXPECT_TRUE(has(o.err, c.part)) << c.part << ": " << o.err;
  }
}

/// The module of examples/realtime on the other side of both links.
TEST_F(Rt, APythonControllerSpeaksBothLinks) {
  if (std::system("python3 -c '' 2> /dev/null") != 0) GTEST_SKIP() << "no python3";
  write("m.yaml", R"(monocoque: 1
name: pushed
parts: [{name: m, kind: particle, mass_kg: 1}]
controllers: [{name: push, type: external, unit: N, maximum: 5}]
interacts:
  - {name: f, type: actuator_force, from: {part: ground, position_m: [-9, 0, 0]}, to: m, force_N: push}
  - {name: v, type: velocity, from: ground, to: m}
simulation: {solver: linearly-implicit-euler, step_s: 0.001, end_s: 0.3, outputs: [push/output, v/x]}
)");
  write("c.py", R"(import sys
sys.path.insert(0, sys.argv[1])
from monocoque_rt import LAST, Layout, SharedLink, UdpLink
layout = Layout("l.json")
link = UdpLink(layout, int(sys.argv[3])) if sys.argv[2] == "--udp" else SharedLink(layout, sys.argv[3])
last = None
for i in range(100000):
    link.send(push=2.5)
    seen = link.receive(1.0)
    if seen is None and last is not None:
        break
    last = seen or last
    if last and last["flags"] & LAST:
        break
print(last["push/output"], last["t"])
)");
  const std::string port = std::to_string(20000 + getpid() % 20000), name = "monocoque_py_" + port;
  for (const auto& [option, value] : {std::pair<std::string, std::string>{"--udp", port}, {"--shm", name}}) {
    std::filesystem::remove(folder_ / "l.json");
    const pid_t child = start({"rt", "m.yaml", option, value, "--layout", "l.json", "--wait-input", "20",
                               "--json", "--priority", "0", "--no-lock"});
    const std::string command = "cd " + folder_.string() + " && timeout 60 python3 c.py " +
                                example("../../examples/realtime") + " " + option + " " + value +
                                " > c.txt 2> c.err";
    EXPECT_EQ(std::system(command.c_str()), 0) << read_text(folder_ / "c.err");
    const Outcome o = finish(child);
    ASSERT_EQ(o.status, 0) << o.err;
    const nlohmann::json j = nlohmann::json::parse(o.out);
    EXPECT_EQ(j["final"]["push/output"], 2.5) << option;
    EXPECT_GT(j["inputs"]["links"][0]["counts"]["inputs accepted"], 0);
    EXPECT_TRUE(has(read_text(folder_ / "c.txt"), "2.5")) << option;
  }
}

TEST_F(Rt, ARefusalOfTheMachineIsTold) {
  const Outcome o = rt({"--unpaced", "--cpu", "900"});
  EXPECT_EQ(o.status, 0);
  EXPECT_TRUE(has(o.err, "processor refused")) << o.err;
}

}  // namespace
}  // namespace monocoque::test

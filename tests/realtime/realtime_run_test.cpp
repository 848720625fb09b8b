// Whole runs of small models: the same numbers as `run`, the same bits twice, no allocation, inputs and
// outputs, the watchdog, the recorder.

#include <cmath>
#include <filesystem>
#include <thread>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "realtime/fake_platform.h"
#include "realtime/packet.h"
#include "realtime/realtime_run.h"
#include "realtime/udp_link.h"
#include "solve/malloc_count.h"
#include "support/complaint.h"
#include "support/run.h"

namespace monocoque::realtime {
namespace {

using monocoque::test::complaint;
using monocoque::test::load_text;
using monocoque::test::Loaded;
using monocoque::test::malloc_count;
using monocoque::test::malloc_is_counted;

/// A slider pushed by one input, a crank turned by another, a pendulum that is left alone and a controller.
const char* const kMachine = R"yaml(
monocoque: 1
name: machine with inputs
gravity_m_per_s2: [0, 0, -9.81]
parts:
  - {name: slider, mass_kg: 2, inertia_kg_m2: [0.1, 0.1, 0.1]}
  - {name: crank, mass_kg: 1, inertia_kg_m2: [0.1, 0.1, 0.1], position_m: [0, 2, 0]}
  - {name: bob, mass_kg: 1, inertia_kg_m2: [0.01, 0.01, 0.01], position_m: [1, 4, 0]}
controllers:
  - {name: push, type: external, unit: N, minimum: -50, maximum: 50}
  - {name: turn, type: external, unit: rad, initial: 0.1, servo_rad_per_s: 40, most_rate_per_s: 3}
  - {name: hold, type: pid, sensor: rate/x, setpoint: 0, sample_s: 0.004, proportional: 0.1}
interacts:
  - {name: rail, type: prismatic, from: {part: ground, orientation: {z_axis: [1, 0, 0]}},
     to: {part: slider, orientation: {z_axis: [1, 0, 0]}}}
  - {name: ram, type: actuator_force, from: {part: ground, position_m: [-10, 0, 0]}, to: slider, force_N: push}
  - {name: servo, type: actuator_force, from: {part: ground, position_m: [-10, 0, 0]}, to: slider, force_N: hold}
  - {name: drive, type: driven_revolute, from: {part: ground, position_m: [0, 2, 0]}, to: crank, angle_rad: turn}
  - {name: hinge, type: revolute, from: {part: ground, position_m: [0, 4, 0], orientation: {z_axis: [0, 1, 0]}},
     to: {part: bob, position_m: [-1, 0, 0], orientation: {z_axis: [0, 1, 0]}}}
  - {name: place, type: distance, from: {part: ground, position_m: [-10, 0, 0]}, to: slider}
  - {name: rate, type: velocity, from: ground, to: slider}
simulation: {solver: linearly-implicit-euler, step_s: 0.001, end_s: 0.5}
)yaml";

struct Inputs final : ExchangeLink {
  std::function<bool(double*)> next;  ///< values of the next step
  std::vector<std::pair<double, std::vector<double>>>* sent = nullptr;
  std::uint32_t last_flags = 0;
  std::size_t outputs = 0;
  bool receive(double* values) override { return next && next(values); }
  void send(double t, const double* values, std::uint32_t flags) override {
    last_flags = flags;
    if (sent != nullptr) sent->emplace_back(t, std::vector<double>(values, values + outputs));
  }
  std::vector<std::pair<std::string, std::int64_t>> counts() const override { return {}; }
  std::string description() const override { return "test"; }
};

RealtimeOptions unpaced() {
  RealtimeOptions options;
  options.loop.paced = false;
  options.machine.lock_memory = false;
  return options;
}

bool never() {
  return false;
}

TEST(RealtimeRun, GivesTheBitsOfRun) {
  const Loaded loaded = load_text(kMachine);
  for (const char* jacobian : {"full", "simplified", "constant"})
    for (const char* solver : {"linearly-implicit-euler", "linearly-implicit-2", "bdf2"}) {
      io::SimulationSpec settings = loaded.spec.simulation;
      settings.solver = solver;
      settings.jacobian = jacobian;
      settings.end_s = 0.2;
      Simulation usual(*loaded.model, settings);
      usual.run();
      RealtimeRun run(*loaded.model, settings, unpaced());
      SystemPlatform platform;
      run.run(platform, never);
      EXPECT_EQ(run.report().loop.steps, 200);
      EXPECT_EQ(run.simulation().state().t, usual.state().t);
      EXPECT_TRUE(run.simulation().state().x == usual.state().x) << solver << " " << jacobian;
      EXPECT_TRUE(run.simulation().state().z == usual.state().z) << solver << " " << jacobian;
    }
}

TEST(RealtimeRun, TwoRunsAreBitIdenticalPacedOrNot) {
  const Loaded loaded = load_text(kMachine);
  std::uint32_t sums[3] = {};
  for (int i = 0; i < 3; ++i) {
    RealtimeOptions options = unpaced();
    options.loop.paced = i == 2;
    RealtimeRun run(*loaded.model, loaded.spec.simulation, options);
    auto link = std::make_unique<Inputs>();
    int calls = 0;
    link->next = [&calls](double* values) {
      values[0] = 20 * std::sin(0.01 * calls);
      values[1] = 0.1 + 0.3 * std::sin(0.02 * calls);
      return ++calls % 3 != 0;
    };
    run.add_link(std::move(link));
    SystemPlatform platform;
    run.run(platform, never);
    sums[i] = run.report().state_crc32;
    EXPECT_NE(sums[i], 0U);
  }
  EXPECT_EQ(sums[0], sums[1]);
  EXPECT_EQ(sums[0], sums[2]);
}

TEST(RealtimeRun, AnInputActsFromTheStepThatReadsIt) {
  const Loaded loaded = load_text(kMachine);
  RealtimeRun run(*loaded.model, loaded.spec.simulation, unpaced());
  auto link = std::make_unique<Inputs>();
  std::vector<std::pair<double, std::vector<double>>> sent;
  link->sent = &sent;
  link->outputs = run.layout().outputs.size();
  ASSERT_EQ(run.layout().inputs.size(), 2U);
  EXPECT_EQ(run.layout().inputs[0].name, "push");
  EXPECT_EQ(run.layout().inputs[1].unit, "rad");
  EXPECT_EQ(run.layout().outputs[1].path, "rate/x");
  int calls = 0;
  link->next = [&calls](double* values) {
    values[0] = 1e6;  // beyond the limit of 50 N
    values[1] = 0.1;
    return ++calls == 101;
  };
  run.add_link(std::move(link));
  SystemPlatform platform;
  run.run(platform, never);
  // 50 N on 2 kg from 0.1 s on; the controller of the model brakes with 0.1 Ns/m.
  ASSERT_EQ(sent.size(), 502U);  // at the start, after each step, and the last once more
  const double before = sent[100].second[1], after = sent[101].second[1];
  EXPECT_NEAR(sent[100].first, 0.1, 1e-12);
  EXPECT_NEAR(after - before, 0.025, 1e-9);
  EXPECT_NEAR(sent[201].second[1] - before, 2.525, 2.525 * 0.05 / 2 * 0.101 + 1e-3);
  EXPECT_EQ(run.report().inputs_limited, 1);
  EXPECT_EQ(run.report().steps_without_input, 499);
}

/// Seen through the model: the crank follows the servo's closed form, (1 + w t) exp(-w t) of the way left.
TEST(RealtimeRun, AJointFollowsTheServoNotTheJump) {
  const Loaded loaded = load_text(kMachine);
  io::SimulationSpec settings = loaded.spec.simulation;
  settings.outputs = {"turn/output", "crank/angular_velocity/z", "drift/position"};
  RealtimeRun run(*loaded.model, settings, unpaced());
  auto link = std::make_unique<Inputs>();
  std::vector<std::pair<double, std::vector<double>>> sent;
  link->sent = &sent;
  link->outputs = 3;
  int calls = 0;
  link->next = [&calls](double* values) {
    values[0] = 0;
    values[1] = 0.15;
    return ++calls == 1;
  };
  run.add_link(std::move(link));
  SystemPlatform platform;
  run.run(platform, never);
  const std::size_t turn = run.layout().outputs[0].path == "turn/output" ? 0 : 1;
  ASSERT_TRUE(run.layout().outputs[turn].path == "turn/output");
  for (const auto& [t, row] : sent) {
    const double left = 0.05 * (1 + 40 * t) * std::exp(-40 * t);
    EXPECT_NEAR(row[turn], 0.15 - left, 0.05 * 40 * 1e-3) << t;  // first order in w h
  }
  EXPECT_LT(sent[400].second[2], 1e-6);
}

TEST(RealtimeRun, NothingIsAllocatedInAStepNorAroundIt) {
  if (!malloc_is_counted()) GTEST_SKIP() << "a sanitizer replaces malloc";
  const Loaded loaded = load_text(kMachine);
  RealtimeRun run(*loaded.model, loaded.spec.simulation, unpaced());
  UdpLink* udp = nullptr;
  {
    auto link = std::make_unique<UdpLink>(UdpOptions{}, run.layout());
    udp = link.get();
    run.add_link(std::move(link));
  }
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / fmt::format("rt_{}.h5", getpid());
  {
    RingRecorder recorder(file, run.layout().outputs, {});
    run.record_to(recorder);
    const int peer = socket(AF_INET, SOCK_DGRAM, 0);
    sockaddr_in to = {};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(udp->port()));
    inet_pton(AF_INET, "127.0.0.1", &to.sin_addr);
    unsigned char bytes[packet_bytes(2)];
    long steps = 0, begin = 0, end = 0;
    SystemPlatform platform;
    run.run(platform, [&] {
      const double values[2] = {10, 0.2};
      PacketHeader h;
      h.sequence = static_cast<std::uint64_t>(steps);
      h.count = 2;
      encode(h, values, bytes);
      sendto(peer, bytes, sizeof bytes, 0, reinterpret_cast<const sockaddr*>(&to), sizeof to);
      ++steps;
      if (steps == 20) begin = malloc_count();
      if (steps == 480) end = malloc_count();
      return false;
    });
    close(peer);
    EXPECT_GE(steps, 480);
    EXPECT_EQ(end - begin, 0);
    EXPECT_EQ(recorder.pushed(), 501);
    recorder.finish("{}");
  }
  const RunData data = read_run(file);
  EXPECT_TRUE(data.complete);
  EXPECT_EQ(data.time.size(), 501);
  EXPECT_EQ(data.time[500], 0.5);
  EXPECT_EQ(data.data(500, data.column("rate/x")), run.last_outputs()[1]);
  std::filesystem::remove(file);
}

TEST(RealtimeRun, NorWithAFlexibleCarAndItsChannels) {
  if (!malloc_is_counted()) GTEST_SKIP() << "a sanitizer replaces malloc";
  const Loaded loaded = monocoque::test::load_model("camry/scenarios/external-control.yaml");
  RealtimeOptions options = unpaced();
  io::SimulationSpec settings = loaded.spec.simulation;
  settings.outputs = {"*"};
  settings.end_s = 0.05;
  RealtimeRun run(*loaded.model, settings, options);
  auto link = std::make_unique<Inputs>();
  double push = 0;
  link->next = [&push](double* values) {
    values[0] = 1e-3 * ++push;
    values[1] = push;
    values[2] = values[3] = 0;
    return true;
  };
  run.add_link(std::move(link));
  long calls = 0, begin = 0, end = 0;
  SystemPlatform platform;
  run.run(platform, [&] {
    ++calls;
    if (calls == 5) begin = malloc_count();
    if (calls == 45) end = malloc_count();
    return false;
  });
  EXPECT_GE(calls, 45);
  EXPECT_EQ(end - begin, 0);
  EXPECT_TRUE(run.notes().empty());
}

TEST(RealtimeRun, SamplesBetweenStepsAreTold) {
  const Loaded loaded = load_text(kMachine);
  io::SimulationSpec settings = loaded.spec.simulation;
  settings.step_s = 0.003;
  const RealtimeRun run(*loaded.model, settings, unpaced());
  ASSERT_EQ(run.notes().size(), 3U);
  EXPECT_NE(run.notes()[2].find("'hold'"), std::string::npos) << run.notes()[2];
}

TEST(RealtimeRun, TheWatchdogActsOnOldInputs) {
  const Loaded loaded = load_text(kMachine);
  for (const OnTimeout policy : {OnTimeout::hold, OnTimeout::initial, OnTimeout::stop}) {
    RealtimeOptions options = unpaced();
    options.input_timeout_s = 0.05;
    options.on_timeout = policy;
    io::SimulationSpec settings = loaded.spec.simulation;
    settings.outputs = {"push/output"};
    RealtimeRun run(*loaded.model, settings, options);
    auto link = std::make_unique<Inputs>();
    int calls = 0;
    link->next = [&calls](double* values) {
      values[0] = 30;
      values[1] = 0.1;
      ++calls;
      return calls <= 100 || calls == 201;
    };
    const Inputs& seen = *link;
    run.add_link(std::move(link));
    SystemPlatform platform;
    run.run(platform, never);
    const RealtimeReport& report = run.report();
    if (policy == OnTimeout::stop) {
      EXPECT_EQ(report.loop.steps, 149);  // the 150th finds inputs of 50 steps ago
      EXPECT_TRUE(report.stopped_by_timeout);
    } else {
      EXPECT_EQ(report.loop.steps, 500);
      EXPECT_EQ(report.input_timeouts, 2);
      EXPECT_EQ(run.last_outputs()[0], policy == OnTimeout::hold ? 30 : 0);
    }
    EXPECT_EQ(seen.last_flags, kLastOutputs | kInputsTimedOut);
  }
}

TEST(RealtimeRun, OnlyFixedStepsAndSmoothDrives) {
  const Loaded loaded = load_text(kMachine);
  io::SimulationSpec settings = loaded.spec.simulation;
  settings.solver = "ida";
  EXPECT_NE(complaint([&] { RealtimeRun(*loaded.model, settings, unpaced()); }).find("linearly-implicit-2"),
            std::string::npos);
  std::string text = kMachine;
  text.replace(text.find("servo_rad_per_s: 40"), 19, "servo_rad_per_s: 0.");
  const Loaded jumping = load_text(text);
  EXPECT_NE(complaint([&] {
              RealtimeRun(*jumping.model, loaded.spec.simulation, unpaced());
            }).find("give it servo_rad_per_s"),
            std::string::npos);
}

/// A controller in another thread holds the slider's speed over UDP. The run is paced but no time is tested.
TEST(RealtimeRun, AControllerBehindUdpClosesTheLoop) {
  const Loaded loaded = load_text(kMachine);
  io::SimulationSpec settings = loaded.spec.simulation;
  settings.outputs = {"rate/x"};
  settings.end_s = 1.5;
  RealtimeOptions options = unpaced();
  options.loop.paced = true;
  options.wait_input_s = 20;
  RealtimeRun run(*loaded.model, settings, options);
  auto link = std::make_unique<UdpLink>(UdpOptions{}, run.layout());
  const int port = link->port();
  run.add_link(std::move(link));
  const std::uint32_t id = run.layout().id();
  std::thread controller([&] {
    const int s = socket(AF_INET, SOCK_DGRAM, 0);
    sockaddr_in to = {};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(port));
    inet_pton(AF_INET, "127.0.0.1", &to.sin_addr);
    connect(s, reinterpret_cast<const sockaddr*>(&to), sizeof to);
    const timeval patience = {5, 0};
    setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    PacketHeader out, wanted, in;
    out.count = 2;
    wanted.kind = PacketKind::outputs;
    wanted.layout = id;
    wanted.count = 1;
    double speed = 0;
    unsigned char bytes[packet_bytes(2)];
    do {
      const double values[2] = {8 * (0.5 - speed), 0.1};
      encode(out, values, bytes);
      ++out.sequence;
      if (send(s, bytes, sizeof bytes, 0) < 0) break;
      const ssize_t got = recv(s, bytes, sizeof bytes, 0);
      if (got < 0) break;
      EXPECT_EQ(decode(bytes, static_cast<std::size_t>(got), wanted, in, &speed), PacketFault::none);
    } while ((in.flags & kLastOutputs) == 0);
    close(s);
  });
  SystemPlatform platform;
  run.run(platform, never);
  controller.join();
  EXPECT_TRUE(run.report().input_came);
  EXPECT_GT(run.links()[0]->counts()[0].second, 3);
  // The force is held between packets: with gaps below 100 ms the speed settles at 40 / 40.1 of the wanted
  // one.
  EXPECT_NEAR(run.last_outputs()[0], 0.5 * 40 / 40.1, 0.05);
}

}  // namespace
}  // namespace monocoque::realtime

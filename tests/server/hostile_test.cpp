// A live car under attack: the loop, its frames and its motion must not notice.

#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <random>
#include <thread>

#include "client.h"
#include "server/live_handler.h"
#include "support/run.h"

namespace monocoque::server::test {
namespace {

using Clock = std::chrono::steady_clock;
using monocoque::test::Loaded;

const Loaded& live_car() {
  static const Loaded car = monocoque::test::load_model("camry/scenarios/drive.yaml");
  return car;
}

struct Driven {
  State state;
  realtime::LiveReport report;
  double cpu_p50_us = 0, cpu_p99_us = 0;
  ServerCounters server;
};

/// Some seconds at the pace of the clock, with the server and somebody who acts on it; longer while `enough`
/// says that it must not end yet.
Driven driven(double seconds, const std::function<void(int port, const std::atomic<bool>& done)>& act,
              const std::function<bool()>& enough = {}) {
  const Loaded& car = live_car();
  realtime::LiveOptions options;
  options.machine.lock_memory = false;
  options.machine.priority = 0;
  options.seconds = enough ? 0 : seconds;
  io::SimulationSpec settings = car.spec.simulation;
  settings.outputs = {"place/*", "speed/*"};
  realtime::LiveSession session({*car.model, settings}, {}, options);
  const LiveFacts facts{*car.model, describe_scene(car.spec.model, *car.model), {{"id", 0}}};
  LiveService service(session, facts);
  LiveHandler handler(facts, session.channels());
  ServerSettings network;
  network.port = 0;
  network.close_s = 0.3;
  Server server(network, handler, &service);
  service.attach(server);
  server.start();
  std::atomic<bool> done{false};
  std::thread other([&] { act(server.port(), done); });
  realtime::SystemPlatform platform;
  const auto begin = Clock::now();
  session.run(platform, [&] {
    return enough && Clock::now() - begin > std::chrono::duration<double>(seconds) && enough();
  });
  done = true;
  other.join();
  Driven out{session.simulation().state(), session.report(), 0, 0, server.counters()};
  out.cpu_p50_us = 1e-3 * session.statistics().cpu.quantile_ns(0.5);
  out.cpu_p99_us = 1e-3 * session.statistics().cpu.quantile_ns(0.99);
  server.stop();
  return out;
}

/// Everything at once, again and again: a thousand connections, sessions that never read, frames of all wrong
/// kinds, requests that are none. `rounds`: those that are complete.
void attack(int port, const std::atomic<bool>& done, std::atomic<int>* rounds = nullptr) {
  std::mt19937 gen(11);
  const std::string host = "127.0.0.1:" + std::to_string(port);
  while (!done) {
    std::vector<Client> crowd;
    for (int k = 0; k < 1000 && !done; ++k) crowd.emplace_back(port);
    crowd.clear();
    std::vector<Client> silent;  // sessions that never read
    for (int k = 0; k < 4; ++k) {
      silent.emplace_back(port);
      silent.back().shrink_window();
      silent.back().upgrade("/live", "Origin: http://" + host + "\r\n");
    }
    for (int kind = 0; kind < 12 && !done; ++kind) {
      Client c(port);
      if (kind < 9 && c.upgrade().status != 101) continue;
      std::string bytes(200, '\0');
      for (char& x : bytes) x = static_cast<char>(gen());
      switch (kind) {
        case 0:
          c.frame(1, std::string(5000, 'a'));  // too long
          break;
        case 1:
          c.frame(2, "binary");
          break;
        case 2:
          c.frame(3, "unknown code");
          break;
        case 3:
          c.send(
              "\x81\x03"
              "abc");  // not masked
          break;
        case 4:
          c.send(std::string("\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff", 10));  // longer than memory
          break;
        case 5:
          for (int k = 0; k < 400; ++k) c.frame(1, R"({"type":"input","throttle":"full","steer":1e999})");
          break;
        case 6:
          c.frame(1, R"({"type":"body","kind":7})");
          c.frame(1, std::string(2000, '['));
          c.frame(1, "\xff\xfe");
          break;
        case 7:
          for (int k = 0; k < 400; ++k) c.frame(9, "ping");
          break;
        case 8:
          c.send(bytes);
          break;
        case 9:
          c.send(
              "GET /live HTTP/1.1\r\nHost: evil.example\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
              "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
          EXPECT_EQ(c.answer().status, 403);
          break;
        case 10:
          EXPECT_EQ(c.upgrade("/live", "Origin: http://evil.example\r\n").status, 403);
          break;
        default:
          c.send(bytes + "\r\n\r\n");
      }
    }
    if (rounds != nullptr && !done) ++*rounds;
  }
}

TEST(LiveUnderAttack, TheMotionIsTheSameAndStepsTakeNoLonger) {
  rlimit files{};  // of both sides of a thousand connections
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  // However slow the machine is, a whole round of the attack; then as many steps without it.
  std::atomic<int> rounds{0};
  const Driven stormy = driven(
      4, [&](int port, const std::atomic<bool>& done) { attack(port, done, &rounds); },
      [&] { return rounds > 0; });
  const Driven calm = driven(stormy.report.simulated_s, [](int, const std::atomic<bool>&) {});
  const auto tell = [](const char* name, const Driven& d) {
    std::cout << "  " << name << ": step 50 % " << d.cpu_p50_us << " us, 99 % " << d.cpu_p99_us
              << " us of CPU; " << d.server.connections << " connections, " << d.server.sessions
              << " sessions, " << d.server.refused << " refused\n";
  };
  tell("calm", calm);
  tell("attacked", stormy);
  EXPECT_EQ(calm.report.failures, 0);
  EXPECT_EQ(stormy.report.failures, 0);
  ASSERT_EQ(stormy.report.loop.steps, calm.report.loop.steps);
  EXPECT_EQ(stormy.report.frames, calm.report.frames);
  EXPECT_GT(stormy.server.connections, 1000U);
  EXPECT_GT(stormy.server.sessions, 8U);
  // Nobody of them could drive: the car stands, to the last bit as without them.
  EXPECT_TRUE(stormy.state.x == calm.state.x);
  EXPECT_TRUE(stormy.state.z == calm.state.z);
  // CPU time, since the attackers themselves need processors; caches are shared with them.
  EXPECT_LT(stormy.cpu_p50_us, 2 * calm.cpu_p50_us + 20);
}

/// A driver who is there keeps the wheel, and gets frames, while others misbehave.
TEST(LiveUnderAttack, TheDriverGoesOnDriving) {
  double speed = 0;
  int frames = 0;
  std::string refused;
  driven(4, [&](int port, const std::atomic<bool>& done) {
    Client driver(port);
    ASSERT_EQ(driver.upgrade().status, 101);
    std::thread others([&] { attack(port, done); });
    auto said = Clock::now() - std::chrono::seconds(1);
    while (!done) {
      if (Clock::now() - said > std::chrono::milliseconds(100)) {
        driver.frame(1, R"({"type":"input","steer":0,"throttle":1,"brake":0})");
        said = Clock::now();
      }
      const auto m = driver.message();
      if (m.code == 1 && m.payload.find("\"error\"") != std::string::npos) refused = m.payload;
      if (m.code != 2 && m.code != 1) break;
      if (m.code != 2) continue;
      double head[4];
      std::memcpy(head, m.payload.data(), sizeof head);
      speed = head[2];
      ++frames;
    }
    others.join();
  });
  std::cout << "  " << speed << " m/s, " << frames << " frames\n";
  EXPECT_GT(speed, 8);  // 3.8 m/s^2 for nearly 4 s
  EXPECT_GT(frames, 60);
  EXPECT_EQ(refused, "");
}

}  // namespace
}  // namespace monocoque::server::test

#pragma once
// A machine whose clock goes only as a test says.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>

#include "realtime/paced_loop.h"

namespace monocoque::realtime::test {

constexpr std::int64_t kUs = 1000, kMs = 1000000;

class FakePlatform final : public Platform {
 public:
  std::int64_t now = 5 * kMs, cpu = 0, wake_delay = 0;
  ThreadUsage used;
  int sleeps = 0;

  std::int64_t now_ns() override { return now; }
  std::int64_t cpu_ns() override { return cpu; }
  ThreadUsage usage() override { return used; }
  void sleep_until(std::int64_t ns, std::int64_t) override {
    now = std::max(now, ns) + wake_delay;
    ++sleeps;
  }
  void compute(std::int64_t ns) {
    now += ns;
    cpu += ns;
  }
  void wait(std::int64_t ns) { now += ns; }
};

/// Each step computes for 200 us; single steps do what a test says instead. Outputs take 10 us.
class FakeTask final : public PacedTask {
 public:
  explicit FakeTask(FakePlatform& p) : platform(p) {}
  FakePlatform& platform;
  std::map<std::int64_t, std::function<void()>> special;
  std::map<std::int64_t, std::int64_t> began;
  std::int64_t output_ns = 10 * kUs, fails_at = -1;
  int outputs = 0;

  double time_s(std::int64_t step) const override { return 1e-3 * static_cast<double>(step); }
  bool read_inputs(std::int64_t step) override {
    began[step] = platform.now;
    return true;
  }
  bool step(std::int64_t step) override {
    if (const auto it = special.find(step); it != special.end())
      it->second();
    else
      platform.compute(200 * kUs);
    return step != fails_at;
  }
  void write_outputs(std::int64_t) override {
    platform.compute(output_ns);
    ++outputs;
  }
};

}  // namespace monocoque::realtime::test

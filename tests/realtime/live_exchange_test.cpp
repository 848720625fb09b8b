// What the live loop shares with other threads, and the feet and arms of its driver.

#include <cmath>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "realtime/fake_platform.h"
#include "realtime/live_driver.h"
#include "realtime/live_exchange.h"

namespace monocoque::realtime {
namespace {

TEST(LiveControls, CarriesPedalsInOneWord) {
  LiveControls controls;
  controls.drive({-0.25, 0.5, 1, true});
  const Pedals p = controls.pedals();
  EXPECT_NEAR(p.steer, -0.25, 2e-5);
  EXPECT_NEAR(p.throttle, 0.5, 2e-5);
  EXPECT_EQ(p.brake, 1);
  EXPECT_TRUE(p.hold);
  controls.drive({-7, -1, 1e300, false});
  EXPECT_EQ(controls.pedals().steer, -1);
  EXPECT_EQ(controls.pedals().throttle, 0);
  EXPECT_EQ(controls.pedals().brake, 1);
  controls.drive({std::nan(""), INFINITY, -INFINITY, false});
  EXPECT_EQ(controls.pedals().steer, 0);
  EXPECT_EQ(controls.pedals().throttle, 1);
  EXPECT_EQ(controls.pedals().brake, 0);
}

TEST(NewestValue, IsNeverTornAndNeverOlder) {
  struct Value {
    std::array<std::uint64_t, 64> all{};
  };
  NewestValue<Value> newest;
  constexpr std::uint64_t last = 20000;
  std::uint64_t seen = 0, torn = 0, older = 0, taken = 0;
  std::thread reader([&] {
    while (seen < last) {
      if (!newest.take()) {
        std::this_thread::yield();
        continue;
      }
      ++taken;
      const Value& v = newest.last();
      for (const std::uint64_t k : v.all) torn += k != v.all[0];
      older += v.all[0] <= seen;
      seen = v.all[0];
    }
  });
  for (std::uint64_t k = 1; k <= last; ++k) {
    newest.next().all.fill(k);
    newest.publish();
  }
  reader.join();
  EXPECT_EQ(torn, 0U);
  EXPECT_EQ(older, 0U);
  EXPECT_GT(taken, 0U);
  EXPECT_FALSE(newest.take());
}

TEST(LiveEvents, KeepTheirOrderAndCountWhatDoesNotFit) {
  LiveEvents events;
  LiveEvent e;
  for (int k = 0; k < 100; ++k) {
    e.cone = k;
    EXPECT_EQ(events.push(e), k < 64);
  }
  EXPECT_EQ(events.dropped(), 36U);
  for (int k = 0; k < 64; ++k) {
    ASSERT_TRUE(events.pop(e));
    EXPECT_EQ(e.cone, k);
  }
  EXPECT_FALSE(events.pop(e));
  e.set_text(std::string(2000, 'x'));
  EXPECT_EQ(std::string(e.text.data()).size(), e.text.size() - 1);
}

constexpr double kStep = 0.001;

DriveCommand after(LiveDriver& driver, double time_s, const Pedals& p, double speed) {
  for (int k = 0; k < std::lround(time_s / kStep); ++k) driver.update(kStep, p, speed);
  return driver.command();
}

TEST(LiveDriver, SteersAtARateAndCentresFaster) {
  const DriveStyle style;
  LiveDriver driver(style);
  EXPECT_NEAR(after(driver, 0.1, {1, 0, 0, false}, 0).steer, 0.1 / style.lock_time_s, 1e-9);
  EXPECT_NEAR(after(driver, 1, {1, 0, 0, false}, 0).steer, 1, 1e-12);
  EXPECT_NEAR(after(driver, 0.1, {}, 0).steer, 1 - 0.1 / style.centre_time_s, 1e-9);
  EXPECT_NEAR(after(driver, 1, {}, 0).steer, 0, 1e-12);
}

/// v^2 times the curvature of the path, which is that of the lock times its share.
TEST(LiveDriver, FullLockAsksForNoMoreThanTheLateralAcceleration) {
  const DriveStyle style;
  for (const double v : {2.0, 10.0, 30.0, 60.0}) {
    LiveDriver driver(style);
    const double share = after(driver, 2, {-1, 0, 0, false}, v).steer;
    EXPECT_LT(share, 0);
    const double lateral = v * v * style.lock_curvature_per_m * -share;
    EXPECT_LT(lateral, style.lateral_m_per_s2);
    if (v > 20) {
      EXPECT_GT(lateral, 0.85 * style.lateral_m_per_s2);
    }
  }
}

TEST(LiveDriver, PowerLimitsTheDriveAndTheEngineDrags) {
  const DriveStyle style;
  LiveDriver driver(style);
  EXPECT_NEAR(after(driver, 1, {0, 1, 0, false}, 5).drive, 1, 1e-12);
  const double v = 40;
  EXPECT_NEAR(after(driver, 1, {0, 1, 0, false}, v).drive * style.most_force_N * v, style.power_W, 1);
  EXPECT_NEAR(after(driver, 1, {}, v).drive, -style.engine_drag, 1e-12);
  EXPECT_NEAR(after(driver, 1, {}, 0).drive, 0, 1e-12);
}

TEST(LiveDriver, HoldsAtRestAndReversesByTheBrake) {
  const DriveStyle style;
  LiveDriver driver(style);
  EXPECT_EQ(after(driver, 1, {}, 0).brake, style.hold_brake);
  // Braking from speed is no reverse, neither is a short press at rest, nor the hand brake.
  EXPECT_FALSE(after(driver, 5, {0, 0, 1, false}, 10).reverse);
  EXPECT_EQ(driver.command().brake, 1);
  EXPECT_FALSE(after(driver, 0.9 * style.reverse_after_s, {0, 0, 1, false}, 0).reverse);
  EXPECT_FALSE(after(driver, 5, {0, 0, 1, true}, 0).reverse);
  EXPECT_TRUE(after(driver, 2, {0, 0, 1, false}, 0).reverse);
  EXPECT_NEAR(driver.command().drive, -style.reverse_share, 1e-12);
  EXPECT_EQ(driver.command().brake, 0);
  // Backwards the throttle brakes; at rest it goes forward again.
  EXPECT_EQ(after(driver, 1, {0, 1, 0, false}, -3).brake, 1);
  EXPECT_TRUE(driver.command().reverse);
  EXPECT_FALSE(after(driver, 1, {0, 1, 0, false}, 0).reverse);
  EXPECT_EQ(driver.command().drive, 1);
  EXPECT_EQ(driver.command().brake, 0);
}

/// A machine that stood for 2 s: a live loop does not run after so much, a few periods it makes up.
TEST(PacedLoopBehind, SkipsWhatItCannotCatchUpWith) {
  using namespace test;
  FakePlatform platform;
  FakeTask task(platform);
  task.special[100] = [&] { platform.wait(2000 * kMs); };
  task.special[200] = [&] { platform.wait(10 * kMs); };
  LoopOptions options;
  options.steps = 400;
  options.most_behind_ns = 50 * kMs;
  LoopStatistics statistics(options.period_ns);
  const LoopResult result = run_paced(options, task, platform, statistics, [] { return false; });
  EXPECT_EQ(result.steps, 400);
  EXPECT_NEAR(static_cast<double>(result.skipped_periods), 2000, 2);
  EXPECT_NEAR(static_cast<double>(result.behind_ns / kMs), 2000, 2);
}

}  // namespace
}  // namespace monocoque::realtime

// The schedule and the causes of overruns, on a clock that the test moves.

#include <gtest/gtest.h>

#include "realtime/fake_platform.h"

namespace monocoque::realtime {
namespace {

using test::FakePlatform;
using test::FakeTask;
using test::kMs;
using test::kUs;

struct Outcome {
  LoopResult result;
  LoopStatistics statistics{kMs};
};

struct PacedLoop : ::testing::Test {
  FakePlatform platform;
  FakeTask task{platform};
  LoopOptions options;
  PacedLoop() { options.steps = 20; }
  Outcome run() {
    Outcome out;
    out.result = run_paced(options, task, platform, out.statistics, [] { return false; });
    return out;
  }
  /// The one overrun that this step gives.
  OverrunCause cause(const std::function<void()>& act) {
    task.special[7] = act;
    const Outcome out = run();
    EXPECT_GE(out.statistics.overruns(), 1);
    EXPECT_EQ(out.statistics.overrun(0).record.step, 7);
    return out.statistics.overrun(0).cause;
  }
};

TEST_F(PacedLoop, StepsBeginWithTheirPeriods) {
  const std::int64_t begin = platform.now;
  const Outcome out = run();
  for (const auto& [step, at] : task.began) EXPECT_EQ(at, begin + step * kMs);
  EXPECT_EQ(out.result.steps, 20);
  EXPECT_EQ(out.result.end, LoopEnd::finished);
  EXPECT_EQ(out.statistics.overruns(), 0);
  EXPECT_EQ(out.statistics.cpu.largest_ns(), 200 * kUs);
  EXPECT_EQ(out.statistics.other.largest_ns(), 10 * kUs);
  EXPECT_EQ(out.statistics.least_slack_ns(), 790 * kUs);
  EXPECT_EQ(out.result.behind_ns, 0);
}

TEST_F(PacedLoop, LateWakeUpIsLatencyNotWork) {
  platform.wake_delay = 30 * kUs;
  const Outcome out = run();
  EXPECT_EQ(out.statistics.latency.quantile_ns(0.5), 30 * kUs);
  EXPECT_EQ(out.statistics.least_slack_ns(), 760 * kUs);
}

TEST_F(PacedLoop, CatchesUpWithoutSleepingUntilTheScheduleIsMet) {
  const std::int64_t begin = platform.now;
  task.special[5] = [&] { platform.compute(3500 * kUs); };
  const Outcome out = run();
  // Step 5 ends at 8.51 ms; 6, 7 and 8 follow at once, 9 waits for its release again.
  EXPECT_EQ(task.began[6], begin + 8510 * kUs);
  EXPECT_EQ(task.began[8], begin + 8930 * kUs);
  EXPECT_EQ(task.began[9], begin + 9140 * kUs);
  EXPECT_EQ(task.began[10], begin + 10 * kMs);
  EXPECT_EQ(out.statistics.overruns(), 4);
  EXPECT_EQ(out.statistics.overruns_of(OverrunCause::computation), 1);
  EXPECT_EQ(out.statistics.overruns_of(OverrunCause::backlog), 3);
  EXPECT_EQ(out.statistics.largest_backlog_ns(), 2510 * kUs);
  EXPECT_EQ(out.result.skipped_periods, 0);
  EXPECT_EQ(out.result.behind_ns, 0);
}

TEST_F(PacedLoop, SkipMovesTheScheduleByWholePeriods) {
  options.after_overrun = AfterOverrun::skip;
  const std::int64_t begin = platform.now;
  task.special[5] = [&] { platform.compute(3500 * kUs); };
  const Outcome out = run();
  EXPECT_EQ(task.began[6], begin + 9 * kMs);
  EXPECT_EQ(task.began[7], begin + 10 * kMs);
  EXPECT_EQ(out.statistics.overruns(), 1);
  EXPECT_EQ(out.result.skipped_periods, 3);
  EXPECT_EQ(out.result.behind_ns, 3 * kMs - 790 * kUs);
}

TEST_F(PacedLoop, StopEndsAtTheFirstOverrun) {
  options.after_overrun = AfterOverrun::stop;
  task.special[5] = [&] { platform.compute(2 * kMs); };
  const Outcome out = run();
  EXPECT_EQ(out.result.end, LoopEnd::overrun);
  EXPECT_EQ(out.result.steps, 6);
}

TEST_F(PacedLoop, ComputationIsTheCauseWhenTheProcessorTimeExceedsThePeriod) {
  EXPECT_EQ(cause([&] { platform.compute(1100 * kUs); }), OverrunCause::computation);
}

TEST_F(PacedLoop, OutputsAreTheCauseWhenOnlyTheyMakeItTooLong) {
  task.output_ns = 300 * kUs;
  EXPECT_EQ(cause([&] { platform.compute(800 * kUs); }), OverrunCause::input_output);
}

TEST_F(PacedLoop, PreemptionIsTheCauseWhenAnotherThreadRan) {
  EXPECT_EQ(cause([&] {
              platform.compute(250 * kUs);
              platform.wait(4 * kMs);
              ++platform.used.preemptions;
            }),
            OverrunCause::preempted);
}

TEST_F(PacedLoop, PageFaultIsTheCauseWhenNobodyElseRan) {
  EXPECT_EQ(cause([&] {
              platform.compute(250 * kUs);
              platform.wait(4 * kMs);
              ++platform.used.major_faults;
            }),
            OverrunCause::page_fault);
}

TEST_F(PacedLoop, StolenWhenItStoodStillForNoReasonTheKernelKnows) {
  EXPECT_EQ(cause([&] {
              platform.compute(1200 * kUs);  // counted while the host had the processor
              platform.wait(4 * kMs);
            }),
            OverrunCause::stolen);
}

TEST_F(PacedLoop, LateWakeUpIsTheCauseWhenItIsTheLongestDelay) {
  task.special[6] = [&] {
    platform.compute(200 * kUs);
    platform.wake_delay = 900 * kUs;
  };
  EXPECT_EQ(cause([&] {
              platform.compute(200 * kUs);
              platform.wake_delay = 0;
            }),
            OverrunCause::woke_late);
}

TEST_F(PacedLoop, DisturbedStepsAreCountedApart) {
  for (const std::int64_t k : {3, 9})
    task.special[k] = [&] {
      platform.compute(600 * kUs);
      ++platform.used.preemptions;
    };
  const Outcome out = run();
  EXPECT_EQ(out.statistics.disturbed_steps(), 2);
  EXPECT_EQ(out.statistics.undisturbed_cpu.count(), 18U);
  EXPECT_EQ(out.statistics.undisturbed_cpu.largest_ns(), 200 * kUs);
  EXPECT_EQ(out.statistics.cpu.largest_ns(), 600 * kUs);
}

TEST_F(PacedLoop, WorstStepsAreKeptInOrder) {
  options.steps = 100;
  for (std::int64_t k = 0; k < 100; ++k)
    task.special[k] = [this, k] { platform.compute((100 + (37 * k) % 101) * kUs); };
  const Outcome out = run();
  ASSERT_EQ(out.statistics.worst_kept(), LoopStatistics::kWorst);
  EXPECT_EQ(out.statistics.worst(0).wall_ns, out.statistics.wall.largest_ns());
  for (std::size_t i = 1; i < LoopStatistics::kWorst; ++i)
    EXPECT_GT(out.statistics.worst(i - 1).wall_ns, out.statistics.worst(i).wall_ns);
  // Of 100 different times out of 101 the worst ten lie within the last eleven.
  EXPECT_GE(out.statistics.worst(LoopStatistics::kWorst - 1).wall_ns, 190 * kUs);
}

TEST_F(PacedLoop, EveryOverrunIsCountedAndTheFirstAreKept) {
  options.steps = 5000;
  for (std::int64_t k = 0; k < 5000; ++k) task.special[k] = [&] { platform.compute(1500 * kUs); };
  const Outcome out = run();
  EXPECT_EQ(out.statistics.overruns(), 5000);
  EXPECT_EQ(out.statistics.overruns_kept(), LoopStatistics::kOverruns);
  EXPECT_EQ(out.statistics.overrun(99).record.step, 99);
  EXPECT_EQ(out.result.behind_ns, 5000 * 510 * kUs);
}

TEST_F(PacedLoop, UnpacedStepsFollowAtOnceAndAreJudgedByThePeriod) {
  options.paced = false;
  task.special[4] = [&] { platform.compute(1500 * kUs); };
  const Outcome out = run();
  EXPECT_EQ(platform.sleeps, 0);
  EXPECT_EQ(out.statistics.overruns(), 1);
  EXPECT_EQ(out.statistics.overrun(0).cause, OverrunCause::computation);
  EXPECT_EQ(out.result.wall_ns, 19 * 210 * kUs + 1510 * kUs);
  EXPECT_EQ(out.statistics.latency.largest_ns(), 0);
}

TEST_F(PacedLoop, AFailedStepEndsTheRunWithoutItsOutputs) {
  task.fails_at = 3;
  const Outcome out = run();
  EXPECT_EQ(out.result.end, LoopEnd::task);
  EXPECT_EQ(out.result.steps, 4);
  EXPECT_EQ(task.outputs, 3);
}

TEST_F(PacedLoop, AnInterruptEndsAnEndlessRun) {
  options.steps = 0;
  LoopStatistics statistics(kMs);
  const LoopResult result =
      run_paced(options, task, platform, statistics, [&] { return task.outputs == 50; });
  EXPECT_EQ(result.end, LoopEnd::interrupted);
  EXPECT_EQ(result.steps, 50);
}

}  // namespace
}  // namespace monocoque::realtime

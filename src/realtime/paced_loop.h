#pragma once
// Steps at the pace of a clock. Step k is released at begin + k period and has to be done, with inputs and
// outputs, at the release of the next. Without pacing every step is released when the one before is done, and
// one that takes longer than a period counts as an overrun all the same.

#include <cstdint>
#include <functional>

#include "realtime/loop_statistics.h"

namespace monocoque::realtime {

enum class AfterOverrun {
  catch_up,  ///< following steps are not delayed until the schedule is met again
  skip,      ///< the schedule moves on by whole periods: simulated time falls behind
  stop
};

struct LoopOptions {
  std::int64_t period_ns = 1000000;
  std::int64_t steps = 0;    ///< 0: endless
  std::int64_t spin_ns = 0;  ///< before each release, watching the clock instead of sleeping
  bool paced = true;
  AfterOverrun after_overrun = AfterOverrun::catch_up;
  std::int64_t most_behind_ns = 0;  ///< with catch_up: further behind, periods are skipped; 0: never
};

class PacedTask {
 public:
  virtual ~PacedTask() = default;
  /// Simulated time at the begin of a step.
  virtual double time_s(std::int64_t step) const = 0;
  virtual bool read_inputs(std::int64_t step) = 0;    ///< false ends the run before this step
  virtual bool step(std::int64_t step) = 0;           ///< the timed part; false ends the run
  virtual void write_outputs(std::int64_t step) = 0;  ///< after the step
};

enum class LoopEnd { finished, interrupted, task, overrun };

struct LoopResult {
  LoopEnd end = LoopEnd::finished;
  std::int64_t steps = 0;
  std::int64_t skipped_periods = 0;  ///< with AfterOverrun::skip, or too far behind
  std::int64_t wall_ns = 0;
  std::int64_t behind_ns = 0;  ///< at the end, of the schedule it started with
};

LoopResult run_paced(const LoopOptions& options, PacedTask& task, Platform& platform,
                     LoopStatistics& statistics, const std::function<bool()>& interrupted);

}  // namespace monocoque::realtime

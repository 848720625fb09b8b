#include "realtime/paced_loop.h"

#include <algorithm>

namespace monocoque::realtime {

LoopResult run_paced(const LoopOptions& options, PacedTask& task, Platform& platform,
                     LoopStatistics& statistics, const std::function<bool()>& interrupted) {
  LoopResult result;
  const std::int64_t period = options.period_ns, begin = platform.now_ns();
  std::int64_t release = begin, done = begin;
  for (std::int64_t k = 0; options.steps == 0 || k < options.steps; ++k) {
    StepRecord r;
    r.step = k;
    r.simulated_s = task.time_s(k);
    while (options.paced && platform.now_ns() < release && !interrupted())
      platform.sleep_until(release, options.spin_ns);
    if (interrupted()) {
      result.end = LoopEnd::interrupted;
      break;
    }
    const ThreadUsage before = platform.usage();
    const std::int64_t cpu_wake = platform.cpu_ns(), wake = platform.now_ns();
    if (!options.paced) release = done = wake;
    r.since_start_ns = wake - begin;
    r.backlog_ns = std::max<std::int64_t>(0, done - release);
    r.latency_ns = wake - std::max(release, done);

    if (!task.read_inputs(k)) {
      result.end = LoopEnd::task;
      break;
    }
    const std::int64_t cpu_begin = platform.cpu_ns(), wall_begin = platform.now_ns();
    const bool ok = task.step(k);
    const std::int64_t wall_end = platform.now_ns(), cpu_end = platform.cpu_ns();
    if (ok) task.write_outputs(k);
    const ThreadUsage after = platform.usage();
    const std::int64_t cpu_done = platform.cpu_ns();
    done = platform.now_ns();

    r.cpu_ns = cpu_end - cpu_begin;
    r.wall_ns = wall_end - wall_begin;
    r.other_cpu_ns = cpu_done - cpu_wake - r.cpu_ns;
    r.other_wall_ns = done - wake - r.wall_ns;
    r.slack_ns = release + period - done;
    r.preemptions = after.preemptions - before.preemptions;
    r.minor_faults = after.minor_faults - before.minor_faults;
    r.major_faults = after.major_faults - before.major_faults;
    statistics.add(r);
    result.steps = k + 1;
    release += period;
    if (!ok) {
      result.end = LoopEnd::task;
      break;
    }
    if (r.slack_ns >= 0) continue;
    if (options.after_overrun == AfterOverrun::stop) {
      result.end = LoopEnd::overrun;
      break;
    }
    const bool too_far = options.most_behind_ns > 0 && -r.slack_ns > options.most_behind_ns;
    if ((options.after_overrun == AfterOverrun::skip || too_far) && options.paced) {
      const std::int64_t missed = (done - release + period - 1) / period;
      result.skipped_periods += missed;
      release += missed * period;
    }
  }
  result.wall_ns = done - begin;
  if (options.paced) result.behind_ns = std::max<std::int64_t>(0, done - begin - result.steps * period);
  return result;
}

}  // namespace monocoque::realtime

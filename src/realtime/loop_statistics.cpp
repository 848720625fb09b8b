#include "realtime/loop_statistics.h"

#include <algorithm>

namespace monocoque::realtime {

const char* cause_name(OverrunCause cause) {
  switch (cause) {
    case OverrunCause::computation:
      return "computation";
    case OverrunCause::input_output:
      return "input-output";
    case OverrunCause::backlog:
      return "backlog";
    case OverrunCause::page_fault:
      return "page-fault";
    case OverrunCause::preempted:
      return "preempted";
    case OverrunCause::woke_late:
      return "woke-late";
    case OverrunCause::stolen:
      return "stolen";
    case OverrunCause::count:
      break;
  }
  return "unknown";
}

OverrunCause cause_of(const StepRecord& r, std::int64_t period_ns) {
  if (-r.slack_ns <= r.backlog_ns) return OverrunCause::backlog;
  const std::int64_t cpu = r.cpu_ns + r.other_cpu_ns, waited = r.waited_ns();
  const bool stood_still = !r.disturbed() && waited >= r.latency_ns;
  // Where a host takes the processor it takes it while the processor time is counted, too: such a time proves
  // nothing.
  if (stood_still && waited > cpu / 4) return OverrunCause::stolen;
  if (r.cpu_ns > period_ns) return OverrunCause::computation;
  if (cpu > period_ns) return OverrunCause::input_output;
  // What delayed it the most: a late begin, or waiting on the way.
  if (r.latency_ns >= waited) return OverrunCause::woke_late;
  // A minor fault costs a microsecond or so; only without preemption is it the explanation.
  if (r.major_faults > 0 || (r.minor_faults > 0 && r.preemptions == 0)) return OverrunCause::page_fault;
  return stood_still ? OverrunCause::stolen : OverrunCause::preempted;
}

void LoopStatistics::add(const StepRecord& r) {
  cpu.add(r.cpu_ns);
  wall.add(r.wall_ns);
  other.add(r.other_wall_ns);
  latency.add(r.latency_ns);
  slack.add(r.slack_ns);
  if (r.disturbed())
    ++disturbed_;
  else
    undisturbed_cpu.add(r.cpu_ns);
  least_slack_ = steps() == 1 ? r.slack_ns : std::min(least_slack_, r.slack_ns);
  largest_backlog_ = std::max(largest_backlog_, r.backlog_ns);

  std::size_t place = worst_kept_;
  while (place > 0 && worst_[place - 1].wall_ns < r.wall_ns) --place;
  if (place < kWorst) {
    worst_kept_ = std::min(worst_kept_ + 1, kWorst);
    std::copy_backward(worst_.begin() + static_cast<std::ptrdiff_t>(place),
                       worst_.begin() + static_cast<std::ptrdiff_t>(worst_kept_ - 1),
                       worst_.begin() + static_cast<std::ptrdiff_t>(worst_kept_));
    worst_[place] = r;
  }
  if (r.slack_ns >= 0) return;
  const OverrunCause cause = cause_of(r, period_ns_);
  ++overruns_;
  ++causes_[static_cast<std::size_t>(cause)];
  if (kept_ < kOverruns) first_[kept_++] = {r, cause};
}

}  // namespace monocoque::realtime

#pragma once
// What a paced run has to tell of its steps: times, the worst steps, every overrun with its cause as far as
// it can be known. All of fixed size: adding a step allocates nothing, however long the run.
//
//   release          wake        step begins    step ends      done           release of the next
//   |--- latency ----|-- inputs --|--- step ----|-- outputs ---|---- slack ----|
//   backlog: how far the step before had reached beyond this release; latency counts from there.

#include <array>
#include <cstdint>
#include <string>

#include "realtime/platform.h"
#include "realtime/step_histogram.h"

namespace monocoque::realtime {

enum class OverrunCause {
  computation,   ///< the step alone took more processor time than a period
  input_output,  ///< step, inputs and outputs together did
  backlog,       ///< in time but for what earlier overruns had left
  page_fault,    ///< memory had to be fetched or mapped
  preempted,     ///< scheduling: another thread had the processor
  woke_late,     ///< scheduling: the sleep ended late
  stolen,        ///< it stood still though no other thread ran: interrupts, or the host of a virtual machine
  count
};
const char* cause_name(OverrunCause cause);

/// One step, ns.
struct StepRecord {
  std::int64_t step = 0;            ///< from 0
  double simulated_s = 0;           ///< at its begin
  std::int64_t since_start_ns = 0;  ///< of its wake-up
  std::int64_t backlog_ns = 0, latency_ns = 0;
  std::int64_t cpu_ns = 0, wall_ns = 0;                      ///< of the step alone
  std::int64_t other_cpu_ns = 0, other_wall_ns = 0;          ///< of inputs and outputs
  std::int64_t slack_ns = 0;                                 ///< negative: the overrun
  long preemptions = 0, minor_faults = 0, major_faults = 0;  ///< from wake-up to done
  bool disturbed() const { return preemptions > 0 || minor_faults > 0 || major_faults > 0; }
  std::int64_t waited_ns() const { return wall_ns + other_wall_ns - cpu_ns - other_cpu_ns; }
};

/// Of a step with negative slack.
OverrunCause cause_of(const StepRecord& r, std::int64_t period_ns);

/// A record of an overrun with its cause.
struct Overrun {
  StepRecord record;
  OverrunCause cause = OverrunCause::computation;
};

class LoopStatistics {
 public:
  static constexpr std::size_t kWorst = 10, kOverruns = 100;
  explicit LoopStatistics(std::int64_t period_ns) : period_ns_(period_ns) {}

  void add(const StepRecord& r);

  std::int64_t period_ns() const { return period_ns_; }
  std::int64_t steps() const { return static_cast<std::int64_t>(cpu.count()); }
  std::int64_t overruns() const { return overruns_; }
  std::int64_t overruns_of(OverrunCause c) const { return causes_[static_cast<std::size_t>(c)]; }
  /// The first ones, in the order of time.
  std::size_t overruns_kept() const { return kept_; }
  const Overrun& overrun(std::size_t i) const { return first_[i]; }
  /// Steps of the longest wall time, the worst first.
  std::size_t worst_kept() const { return worst_kept_; }
  const StepRecord& worst(std::size_t i) const { return worst_[i]; }
  std::int64_t disturbed_steps() const { return disturbed_; }
  std::int64_t least_slack_ns() const { return least_slack_; }
  std::int64_t largest_backlog_ns() const { return largest_backlog_; }

  StepHistogram cpu, wall;        ///< of the step alone
  StepHistogram undisturbed_cpu;  ///< of steps in which nothing came between
  StepHistogram other;            ///< inputs and outputs, wall time
  StepHistogram latency, slack;   ///< slack: overruns count as none

 private:
  std::int64_t period_ns_, overruns_ = 0, disturbed_ = 0, least_slack_ = 0, largest_backlog_ = 0;
  std::array<std::int64_t, static_cast<std::size_t>(OverrunCause::count)> causes_{};
  std::array<Overrun, kOverruns> first_{};
  std::array<StepRecord, kWorst> worst_{};
  std::size_t kept_ = 0, worst_kept_ = 0;
};

}  // namespace monocoque::realtime

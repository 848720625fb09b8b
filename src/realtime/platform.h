#pragma once
// What a paced run asks of the machine: clocks, sleep, what the scheduler did to the thread, locked memory,
// priority, a processor of its own. An interface, so that tests can be the machine.

#include <cstdint>
#include <string>
#include <vector>

namespace monocoque::realtime {

/// Counts of the calling thread since it began.
struct ThreadUsage {
  long preemptions = 0;  ///< the scheduler took the processor away
  long minor_faults = 0, major_faults = 0;
};

class Platform {
 public:
  virtual ~Platform() = default;
  virtual std::int64_t now_ns() = 0;  ///< monotonic
  virtual std::int64_t cpu_ns() = 0;  ///< processor time of the calling thread
  virtual ThreadUsage usage() = 0;
  /// Sleeps until `spin_ns` before the instant and looks at the clock for the rest. May come back early after
  /// a signal.
  virtual void sleep_until(std::int64_t ns, std::int64_t spin_ns) = 0;
};

/// CLOCK_MONOTONIC, CLOCK_THREAD_CPUTIME_ID, getrusage, clock_nanosleep.
class SystemPlatform final : public Platform {
 public:
  std::int64_t now_ns() override;
  std::int64_t cpu_ns() override;
  ThreadUsage usage() override;
  void sleep_until(std::int64_t ns, std::int64_t spin_ns) override;
};

struct MachineRequest {
  bool lock_memory = true;
  int priority = 0;  ///< of SCHED_FIFO, 1 to 99; 0: none is asked for
  int cpu = -1;      ///< -1: any
};

/// One thing asked for and what came of it.
struct MachineAnswer {
  std::string what;  ///< "memory lock", "priority", "processor"
  bool granted = false;
  std::string text;  ///< what was done, or why not and the remedy
};

/// For the calling thread (memory: of the whole process). Refusals are answers, not errors.
std::vector<MachineAnswer> prepare_machine(const MachineRequest& request);

/// Processor time that the host of a virtual machine took since the boot, of all processors, s; 0 elsewhere.
double stolen_s();

/// Physical memory of the process, kB.
long resident_kB();

}  // namespace monocoque::realtime

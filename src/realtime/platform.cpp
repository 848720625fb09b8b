#include "realtime/platform.h"

#include <cerrno>
#include <cstring>
#include <ctime>
#include <fstream>

#include <fmt/format.h>
#include <malloc.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace monocoque::realtime {

namespace {

constexpr std::int64_t kSecond = 1000000000;

std::int64_t read_clock(clockid_t id) {
  timespec t = {};
  clock_gettime(id, &t);
  return t.tv_sec * kSecond + t.tv_nsec;
}

MachineAnswer answer_of(const char* what, int error, std::string granted, const std::string& remedy) {
  if (error == 0) return {what, true, std::move(granted)};
  return {what, false, fmt::format("refused: {}; {}", std::strerror(error), remedy)};
}

/// Stack pages that a step may need are there before the first one.
void touch_stack() {
  constexpr std::size_t size = 256 * 1024;
  volatile char pages[size];
  for (std::size_t i = 0; i < size; i += 4096) pages[i] = 1;
  (void)pages[0];
}

MachineAnswer lock_memory() {
  // Freed memory stays with the process: it must not fault in anew.
  mallopt(M_TRIM_THRESHOLD, -1);
  mallopt(M_MMAP_MAX, 0);
  rlimit limit = {};
  getrlimit(RLIMIT_MEMLOCK, &limit);
  // With a limit, locking what is yet to come would make allocations fail later.
  const bool unlimited = limit.rlim_cur == RLIM_INFINITY || geteuid() == 0;
  const int error = mlockall(unlimited ? MCL_CURRENT | MCL_FUTURE : MCL_CURRENT) == 0 ? 0 : errno;
  touch_stack();
  return answer_of(
      "memory lock", error, unlimited ? "all pages" : "all pages there are at the start",
      "page faults may delay steps; raise `ulimit -l`, e.g. by \"@realtime - memlock unlimited\" "
      "in /etc/security/limits.conf");
}

MachineAnswer raise_priority(int priority) {
  sched_param parameters = {};
  parameters.sched_priority = priority;
  const int error = sched_setscheduler(0, SCHED_FIFO, &parameters) == 0 ? 0 : errno;
  return answer_of("priority", error, fmt::format("SCHED_FIFO {}", priority),
                   "other programs can delay steps; allow it by \"@realtime - rtprio 99\" in "
                   "/etc/security/limits.conf, or sudo setcap cap_sys_nice,cap_ipc_lock+ep monocoque");
}

MachineAnswer pin(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  int error = EINVAL;
  if (cpu < CPU_SETSIZE) {
    CPU_SET(static_cast<std::size_t>(cpu), &set);
    error = sched_setaffinity(0, sizeof set, &set) == 0 ? 0 : errno;
  }
  return answer_of("processor", error, fmt::format("processor {}", cpu),
                   fmt::format("choose one of the {} of this machine, counted from 0 (`taskset -p $$` shows "
                               "those allowed)",
                               sysconf(_SC_NPROCESSORS_CONF)));
}

}  // namespace

std::int64_t SystemPlatform::now_ns() {
  return read_clock(CLOCK_MONOTONIC);
}

std::int64_t SystemPlatform::cpu_ns() {
  return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

ThreadUsage SystemPlatform::usage() {
  rusage u = {};
  getrusage(RUSAGE_THREAD, &u);
  return {u.ru_nivcsw, u.ru_minflt, u.ru_majflt};
}

void SystemPlatform::sleep_until(std::int64_t ns, std::int64_t spin_ns) {
  const std::int64_t wake = ns - spin_ns;
  if (wake > now_ns()) {
    timespec t = {};
    t.tv_sec = static_cast<time_t>(wake / kSecond);
    t.tv_nsec = static_cast<long>(wake % kSecond);
    if (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, nullptr) != 0) return;
  }
  while (now_ns() < ns) {
  }
}

std::vector<MachineAnswer> prepare_machine(const MachineRequest& request) {
  std::vector<MachineAnswer> out;
  prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);  // else a sleep may end 50 us late by design
  if (request.lock_memory) out.push_back(lock_memory());
  if (request.cpu >= 0) out.push_back(pin(request.cpu));
  if (request.priority > 0) out.push_back(raise_priority(request.priority));
  return out;
}

double stolen_s() {
  std::ifstream file("/proc/stat");
  std::string word;
  double ticks = 0;
  file >> word;
  for (int i = 0; i < 8; ++i) file >> ticks;  // user nice system idle iowait irq softirq steal
  return file ? ticks / static_cast<double>(sysconf(_SC_CLK_TCK)) : 0;
}

long resident_kB() {
  std::ifstream file("/proc/self/statm");
  long total = 0, resident = 0;
  file >> total >> resident;
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

}  // namespace monocoque::realtime

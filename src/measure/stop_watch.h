#pragma once
// The clocks of measurements.

#include <ctime>

#include <chrono>

namespace monocoque::measure {

/// CPU time of this thread beside wall time, because machines are shared.
struct Times {
  double cpu_s = 0, wall_s = 0;
};

class StopWatch {
 public:
  StopWatch() : cpu_(cpu()), wall_(std::chrono::steady_clock::now()) {}
  Times elapsed() const {
    return {cpu() - cpu_, std::chrono::duration<double>(std::chrono::steady_clock::now() - wall_).count()};
  }

 private:
  static double cpu() {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  }
  double cpu_;
  std::chrono::steady_clock::time_point wall_;
};

}  // namespace monocoque::measure

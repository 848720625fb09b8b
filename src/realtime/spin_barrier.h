#pragma once
// All threads meet here once per step. Waiting is spinning: no lock, and no system call while the others are
// less than about 0.1 ms late; then the waiting thread offers its core to the system, so that more threads
// than cores, or a busy machine, still get on.

#include <atomic>
#include <thread>

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

namespace monocoque::realtime {

class SpinBarrier {
 public:
  explicit SpinBarrier(unsigned count) : count_(count) {}

  /// False: somebody called stop().
  bool wait() {
    const unsigned round = round_.load(std::memory_order_relaxed);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == count_) {
      arrived_.store(0, std::memory_order_relaxed);
      round_.store(round + 1, std::memory_order_release);
      return !stopped();
    }
    for (int spins = 0; round_.load(std::memory_order_acquire) == round; ++spins) {
      if (stopped()) return false;
      if (spins < kPatience)
        pause();
      else
        std::this_thread::yield();
    }
    return !stopped();
  }

  void stop() { stop_.store(true, std::memory_order_release); }
  bool stopped() const { return stop_.load(std::memory_order_acquire); }

 private:
  static constexpr int kPatience = 3000;
  static void pause() {
#if defined(__x86_64__) || defined(__i386__)
    _mm_pause();
#endif
  }

  const unsigned count_;
  // Each on its own cache line: waiting threads read round_ only.
  alignas(64) std::atomic<unsigned> arrived_{0};
  alignas(64) std::atomic<unsigned> round_{0};
  alignas(64) std::atomic<bool> stop_{false};
};

}  // namespace monocoque::realtime

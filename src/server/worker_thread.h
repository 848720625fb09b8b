#pragma once
// One thread that does one thing after the other, and while it has nothing to do a little of the work that
// nobody waits for.

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace monocoque::server {

class WorkerThread {
 public:
  /// `background` does a small piece and returns whether more is left; it may be empty.
  explicit WorkerThread(std::function<bool()> background = {});
  ~WorkerThread();  ///< forgets what waits, ends after the work at hand
  WorkerThread(const WorkerThread&) = delete;
  WorkerThread& operator=(const WorkerThread&) = delete;
  void push(std::function<void()> work);

 private:
  void run();

  std::function<bool()> background_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> queue_;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace monocoque::server

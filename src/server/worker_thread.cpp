#include "server/worker_thread.h"

#include <utility>

namespace monocoque::server {

WorkerThread::WorkerThread(std::function<bool()> background)
    : background_(std::move(background)), thread_([this] { run(); }) {}

WorkerThread::~WorkerThread() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    queue_.clear();
  }
  wake_.notify_one();
  thread_.join();
}

void WorkerThread::push(std::function<void()> work) {
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back(std::move(work));
  }
  wake_.notify_one();
}

void WorkerThread::run() {
  bool idle_work = static_cast<bool>(background_);
  for (;;) {
    std::function<void()> work;
    {
      std::unique_lock lock(mutex_);
      if (!idle_work) wake_.wait(lock, [this] { return ending_ || !queue_.empty(); });
      if (ending_) return;
      if (!queue_.empty()) {
        work = std::move(queue_.front());
        queue_.pop_front();
      }
    }
    if (work) {
      work();
      idle_work = static_cast<bool>(background_);  // the answer may have left something to do
    } else {
      idle_work = background_();
    }
  }
}

}  // namespace monocoque::server

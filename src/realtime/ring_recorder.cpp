#include "realtime/ring_recorder.h"

#include <algorithm>
#include <chrono>

#include "core/error.h"

namespace monocoque::realtime {

RingRecorder::RingRecorder(const std::string& path, const std::vector<Channel>& channels, const RunInfo& info,
                           std::size_t rows)
    : writer_(path, channels, info),
      width_(channels.size() + 1),
      rows_(rows),
      ring_(rows * width_),
      thread_([this] { write_rows(); }) {}

RingRecorder::~RingRecorder() {
  stop();
}

bool RingRecorder::push(double t_s, const double* row) {
  const std::uint64_t filled = filled_.load(std::memory_order_relaxed);
  if (filled - written_.load(std::memory_order_acquire) >= rows_) {
    ++dropped_;
    return false;
  }
  double* place = ring_.data() + (filled % rows_) * width_;
  *place = t_s;
  std::copy_n(row, width_ - 1, place + 1);
  filled_.store(filled + 1, std::memory_order_release);
  ++pushed_;
  return true;
}

/// Whether there was anything to write.
bool RingRecorder::drain() {
  const std::uint64_t filled = filled_.load(std::memory_order_acquire);
  std::uint64_t written = written_.load(std::memory_order_relaxed);
  if (written == filled) return false;
  for (; written < filled; ++written) {
    const double* row = ring_.data() + (written % rows_) * width_;
    if (failure_.empty()) std::copy_n(row + 1, width_ - 1, writer_.next_row(row[0]));
    written_.store(written + 1, std::memory_order_release);
  }
  return true;
}

void RingRecorder::write_rows() {
  for (;;) {
    const bool last = ended_.load(std::memory_order_acquire);
    bool more = true;
    try {
      more = drain();
    } catch (const std::exception& e) {
      failure_ = e.what();  // a full disk: the run goes on, its rows are lost
    }
    if (last && !more) return;
    // Asked for by looking: telling the writer would be a system call of the paced thread.
    if (!more) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

void RingRecorder::stop() {
  ended_.store(true, std::memory_order_release);
  if (thread_.joinable()) thread_.join();
}

void RingRecorder::finish(const std::string& summary_json) {
  stop();
  if (!failure_.empty()) throw Error("results", failure_, "");
  writer_.finish(summary_json);
}

}  // namespace monocoque::realtime

#include "realtime/ring_recorder.h"

#include <algorithm>
#include <chrono>

#include "core/error_kinds.h"
#include "results/scene.h"

namespace monocoque::realtime {

RingRecorder::RingRecorder(const std::string& path, const std::vector<Channel>& channels, const RunInfo& info,
                           std::size_t rows, const Scene* scene)
    : writer_(path, channels, info, 256, scene),
      values_(channels.size()),
      motion_(scene != nullptr ? scene->row : 0),
      arrows_(scene != nullptr ? scene->arrows : 0),
      width_(1 + values_ + motion_ + arrows_),
      rows_(rows),
      ring_(rows * width_),
      forces_(arrows_),
      thread_([this] { write_rows(); }) {}

RingRecorder::~RingRecorder() {
  stop();
}

/// Where the next row goes, its time written; null when the ring is full.
double* RingRecorder::place(double t_s) {
  const std::uint64_t filled = filled_.load(std::memory_order_relaxed);
  if (filled - written_.load(std::memory_order_acquire) >= rows_) {
    ++dropped_;
    return nullptr;
  }
  double* row = ring_.data() + (filled % rows_) * width_;
  *row = t_s;
  return row + 1;
}

bool RingRecorder::push(double t_s, const double* row) {
  double* to = place(t_s);
  if (to == nullptr) return false;
  std::copy_n(row, values_, to);
  filled_.fetch_add(1, std::memory_order_release);
  ++pushed_;
  return true;
}

bool RingRecorder::push(double t_s, const double* row, const double* x, const float* arrows) {
  double* to = place(t_s);
  if (to == nullptr) return false;
  std::copy_n(arrows, arrows_, std::copy_n(x, motion_, std::copy_n(row, values_, to)));
  filled_.fetch_add(1, std::memory_order_release);
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
    if (failure_.empty()) {
      std::copy_n(row + 1, values_, writer_.next_row(row[0]));
      const double* x = row + 1 + values_;
      for (std::size_t i = 0; i < arrows_; ++i) forces_[i] = static_cast<float>(x[motion_ + i]);
      if (motion_ > 0) writer_.motion(row[0], x, forces_.data());
    }
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

void RingRecorder::finish(const std::string& summary_json, const std::vector<ConeHit>& hits,
                          const RoadStrip* road) {
  stop();
  if (!failure_.empty()) throw SystemError("results", failure_, "");
  writer_.finish(summary_json, hits, road);
}

}  // namespace monocoque::realtime

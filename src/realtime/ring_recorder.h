#pragma once
// Results of a paced run: rows go into a ring made beforehand, a thread of ordinary priority writes them to
// the file. push() copies a row and stores one number; when the ring is full the row is dropped and counted.
// One thread pushes, one writes: no lock.

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "results/recorder.h"

namespace monocoque::realtime {

class RingRecorder {
 public:
  /// Makes the file and starts the thread, which has the priority of the caller.
  /// With a scene every row also has what the viewer draws.
  RingRecorder(const std::string& path, const std::vector<Channel>& channels, const RunInfo& info,
               std::size_t rows = 8192, const Scene* scene = nullptr);
  ~RingRecorder();
  RingRecorder(const RingRecorder&) = delete;
  RingRecorder& operator=(const RingRecorder&) = delete;

  bool push(double t_s, const double* row);
  /// With a scene: also positions and forces, of the sizes it tells.
  bool push(double t_s, const double* row, const double* x, const float* arrows);
  std::int64_t dropped() const { return dropped_; }
  std::int64_t pushed() const { return pushed_; }
  /// Waits until all is written, and closes the file. Throws Error when writing has failed.
  void finish(const std::string& summary_json, const std::vector<ConeHit>& hits = {},
              const RoadStrip* road = nullptr);

 private:
  double* place(double t_s);
  void write_rows();
  bool drain();
  void stop();

  RunWriter writer_;
  std::size_t values_, motion_, arrows_;  ///< numbers of a row: channels, positions, forces
  std::size_t width_, rows_;
  std::vector<double> ring_;                           ///< rows of time, values, positions, forces
  std::atomic<std::uint64_t> written_{0}, filled_{0};  ///< counts of rows, never set back
  std::atomic<bool> ended_{false};
  std::string failure_;  ///< of the thread; read after it has ended
  std::int64_t dropped_ = 0, pushed_ = 0;
  std::vector<float> forces_;  ///< of the thread
  std::thread thread_;         ///< last: it uses all of the above
};

}  // namespace monocoque::realtime

#pragma once
// Part of a result file for the viewer: /scene, /assets, /motion, /road (docs/results-file.md). Used by the
// writer of runs, which owns the file.

#include <string>
#include <vector>

#include "io/files/hdf5.h"
#include "results/scene.h"

namespace monocoque {

class MotionStore {
 public:
  /// Makes the datasets; the file is not yet in single-writer mode.
  void create(hid_t file, const std::string& path, const Scene& scene);
  /// Opens them for writing, once the file is in that mode.
  void open(hid_t file);
  void add(double t, const double* x, const float* arrows);
  bool full() const { return time_.size() >= kBlockRows; }
  bool used() const { return width_ > 0; }
  /// What has come since the last call goes to the file: first the values, then the times.
  void write_block();
  void close();
  static void put_road(hid_t file, const std::string& path, const RoadStrip& strip);

 private:
  static constexpr std::size_t kBlockRows = 256;
  void append(hid_t set, hid_t type, hsize_t columns, const void* values);

  std::string path_;
  hsize_t width_ = 0, arrow_width_ = 0, written_ = 0;
  std::vector<double> time_, x_;
  std::vector<float> arrows_;
  hdf5::Handle time_set_, x_set_, arrow_set_;
};

}  // namespace monocoque

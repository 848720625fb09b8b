#pragma once
// A result file that stays open while it is looked at: its head in memory, its numbers read in pieces. A file
// that is still being written grows; one that was written anew starts over. Threads may share it.

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "io/files/hdf5.h"
#include "results/recorder.h"

namespace monocoque::server {

struct RunHead {
  std::vector<Channel> channels;
  RunInfo info;
  std::string summary_json;
  bool complete = false;
  std::vector<double> time;         ///< of the rows of /data
  std::vector<double> motion_time;  ///< of the rows of /motion
  std::size_t row = 0, arrows = 0;  ///< numbers in a row of motion and of arrows
  std::size_t assets = 0, modes = 0;
  bool scene = false, road = false;
  std::uint64_t generation = 1;  ///< grows when what was read before is worth nothing

  /// First row at or after t, and first row after t.
  std::size_t first_at(double t) const;
  std::size_t first_after(double t) const;
};

class RunFile {
 public:
  /// Throws Error when it cannot be read.
  explicit RunFile(std::string path);
  const std::string& path() const { return path_; }
  std::string name() const;  ///< without folder
  std::shared_ptr<const RunHead> head() const;
  /// Looks whether the file has changed, at most every half second.
  void refresh();

  // All of these throw Error for damaged places.

  /// Rows of /data with all their columns, row by row. Keep pieces small: HDF5 serves one thread at a time.
  void rows(std::size_t first, std::size_t count, std::size_t columns, double* out) const;
  /// Rows first, first + stride, ... of /motion, in the sizes of this head.
  void motion(const RunHead& head, std::size_t first, std::size_t count, std::size_t stride, float* x,
              float* arrows) const;
  /// Text of a dataset of one string.
  std::string text(const char* name) const;
  bool has(const std::string& name) const;
  /// Lengths of a dataset of numbers; empty when there is none.
  std::vector<std::size_t> shape(const std::string& name, int rank) const;
  /// So many as the shape said; the file may have changed meanwhile.
  void numbers(const std::string& name, std::size_t count, float* out) const;
  void numbers(const std::string& name, std::size_t count, double* out) const;
  void numbers(const std::string& name, std::size_t count, std::int32_t* out) const;

 private:
  struct Stamp {
    std::int64_t time = 0, size = -1, inode = 0;
    bool operator==(const Stamp&) const = default;
  };
  Stamp stamp() const;
  void open();
  void read_head(RunHead& head, const RunHead* before) const;
  void numbers(const std::string& name, std::size_t count, hid_t type, void* out) const;

  const std::string path_;
  hdf5::Handle file_, data_, motion_x_, motion_arrows_;
  Stamp stamp_;
  double checked_s_ = 0;
  mutable std::mutex head_mutex_;
  std::shared_ptr<const RunHead> head_;
};

}  // namespace monocoque::server

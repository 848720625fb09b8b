#pragma once
// A result file read in pieces: its head at once, numbers as they are asked for. A run of an hour with
// hundreds of channels does not fit into memory; what is looked at does. A file that is still being written
// grows; one that was written anew starts over. Threads may share it.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "results/recorder.h"

namespace monocoque {

/// Rows of a run, wherever they are.
class RowSource {
 public:
  using Times = Eigen::Map<const VecX>;
  virtual ~RowSource() = default;
  virtual const std::vector<Channel>& channels() const = 0;
  virtual Times time() const = 0;
  /// Rows from the first on, of the chosen columns in their order.
  virtual MatX rows(Eigen::Index first, Eigen::Index count,
                    const std::vector<Eigen::Index>& columns) const = 0;
};

/// Those of a run in memory, which must outlive this.
class RowsOfRun final : public RowSource {
 public:
  explicit RowsOfRun(const RunData& run) : run_(run) {}
  const std::vector<Channel>& channels() const override { return run_.channels; }
  Times time() const override { return {run_.time.data(), run_.time.size()}; }
  MatX rows(Eigen::Index first, Eigen::Index count, const std::vector<Eigen::Index>& columns) const override {
    return run_.data.middleRows(first, count)(Eigen::all, columns);
  }

 private:
  const RunData& run_;
};

/// What a result file says before any of its numbers is read.
struct RunHead {
  std::vector<Channel> channels;
  RunInfo info;  ///< without the lane
  std::string summary_json;
  bool complete = false;
  std::vector<double> time;      ///< of the rows of /data; finite, never going back
  std::uint64_t generation = 1;  ///< grows when what was read before is worth nothing

  // With RunUse::viewing only.
  std::vector<double> motion_time;  ///< of the rows of /motion
  std::size_t row = 0, arrows = 0;  ///< numbers in a row of motion and of arrows
  std::size_t assets = 0, modes = 0;
  bool scene = false, road = false;

  /// First row at or after t, and first row after t.
  std::size_t first_at(double t) const;
  std::size_t first_after(double t) const;
};

enum class RunUse {
  analysis,  ///< channels only; nobody can write the file meanwhile
  viewing,   ///< also scene and motion; the run may be repeated under the same name
};

/// Open until it is destroyed. Errors as of read_run, for damaged places when they are read.
class RunFile final : public RowSource {
 public:
  explicit RunFile(std::string path, RunUse use = RunUse::analysis);
  ~RunFile() override;
  const std::string& path() const;
  std::string name() const;  ///< without folder
  std::shared_ptr<const RunHead> head() const;
  /// Looks whether the file has changed, at most every half second.
  void refresh();

  // Valid until the next refresh().
  const std::vector<Channel>& channels() const override;
  Times time() const override;
  bool complete() const;

  MatX rows(Eigen::Index first, Eigen::Index count, const std::vector<Eigen::Index>& columns) const override;
  /// Rows with all their columns, row by row. Keep pieces small: HDF5 serves one thread at a time.
  void rows(std::size_t first, std::size_t count, std::size_t columns, double* out) const;
  /// The run without a single row: to ask for names.
  RunData names() const;
  /// The run with these channels alone, and without what the file tells beside the numbers.
  RunData with_columns(const std::vector<Eigen::Index>& columns) const;
  /// The whole run, as read_run gives it.
  RunData whole() const;

  /// Rows first, first + stride, ... of /motion, in the sizes of this head.
  void motion(const RunHead& head, std::size_t first, std::size_t count, std::size_t stride, float* x,
              float* arrows) const;
  /// Text of a dataset of one string.
  std::string text(const char* name) const;
  /// Lengths of a dataset of numbers; empty when there is none.
  std::vector<std::size_t> shape(const std::string& name, int rank) const;
  /// So many as the shape said; the file may have changed meanwhile.
  void numbers(const std::string& name, std::size_t count, float* out) const;
  void numbers(const std::string& name, std::size_t count, double* out) const;
  void numbers(const std::string& name, std::size_t count, std::int32_t* out) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace monocoque

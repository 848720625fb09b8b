#pragma once
// A result file read in pieces: names and times at once, numbers as they are asked for. A run of an hour with
// hundreds of channels does not fit into memory; what an analysis looks at does.

#include <memory>

#include "results/recorder.h"

namespace monocoque {

/// Rows of a run, wherever they are.
class RowSource {
 public:
  virtual ~RowSource() = default;
  virtual const std::vector<Channel>& channels() const = 0;
  virtual const VecX& time() const = 0;
  /// Rows from the first on, of the chosen columns in their order.
  virtual MatX rows(Eigen::Index first, Eigen::Index count,
                    const std::vector<Eigen::Index>& columns) const = 0;
};

/// Those of a run in memory, which must outlive this.
class RowsOfRun final : public RowSource {
 public:
  explicit RowsOfRun(const RunData& run) : run_(run) {}
  const std::vector<Channel>& channels() const override { return run_.channels; }
  const VecX& time() const override { return run_.time; }
  MatX rows(Eigen::Index first, Eigen::Index count, const std::vector<Eigen::Index>& columns) const override {
    return run_.data.middleRows(first, count)(Eigen::all, columns);
  }

 private:
  const RunData& run_;
};

/// Open until it is destroyed; of two the later one must go first. Errors as of read_run.
class RunFile final : public RowSource {
 public:
  explicit RunFile(const std::string& path);
  ~RunFile() override;
  const std::vector<Channel>& channels() const override;
  const VecX& time() const override;
  MatX rows(Eigen::Index first, Eigen::Index count, const std::vector<Eigen::Index>& columns) const override;
  bool complete() const;
  /// The run without a single row: to ask for names.
  RunData names() const;
  /// The run with these channels alone, and without what the file tells beside the numbers.
  RunData with_columns(const std::vector<Eigen::Index>& columns) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace monocoque

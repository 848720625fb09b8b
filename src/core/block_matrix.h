#pragma once
// A square matrix made of blocks, stored either dense (column-major) or as compressed sparse columns. In both
// cases entry (r, c) of block (i, j) lies at values[base + c * stride + r], because all columns of one block
// column have the same rows; so the code that assembles does not know which of the two it fills.

#include <vector>

#include "core/types.h"

namespace monocoque {

struct BlockHandle {
  int base = -1;
  int stride = 0;
  bool valid() const { return base >= 0; }
};

class BlockPattern {
 public:
  explicit BlockPattern(std::vector<int> block_sizes);
  /// Declares block (i, j), row block i and column block j, as possibly nonzero.
  void couple(int i, int j);
  /// Ends the declaration. Diagonal blocks are always present.
  void finish(bool dense);

  bool dense() const { return dense_; }
  int size() const { return size_; }          ///< rows = columns
  int nonzeros() const { return nonzeros_; }  ///< stored values (size * size when dense)
  int block_count() const { return static_cast<int>(sizes_.size()); }
  int block_size(int i) const { return sizes_[static_cast<std::size_t>(i)]; }
  int block_start(int i) const { return starts_[static_cast<std::size_t>(i)]; }
  BlockHandle handle(int i, int j) const;  ///< invalid when (i, j) was not declared
  /// Compressed columns (sparse only): column pointers and sorted row indices.
  const std::vector<int>& column_pointers() const { return column_pointers_; }
  const std::vector<int>& row_indices() const { return row_indices_; }

 private:
  std::vector<int> sizes_, starts_;
  std::vector<std::vector<int>> rows_of_column_;  // block rows of each block column, sorted after finish
  std::vector<std::vector<int>> offsets_;         // first value row of those blocks within a column
  std::vector<int> column_pointers_, row_indices_;
  int size_ = 0, nonzeros_ = 0;
  bool dense_ = true;
};

class BlockMatrix {
 public:
  BlockMatrix() = default;
  explicit BlockMatrix(const BlockPattern& pattern)
      : pattern_(&pattern), values_(VecX::Zero(pattern.nonzeros())) {}
  void set_zero() { values_.setZero(); }
  /// Adds factor * block; no allocation.
  template <class Block>
  void add(BlockHandle h, const Eigen::MatrixBase<Block>& block, double factor = 1.0) {
    double* v = values_.data() + h.base;
    for (Eigen::Index c = 0; c < block.cols(); ++c, v += h.stride)
      for (Eigen::Index r = 0; r < block.rows(); ++r) v[r] += factor * block(r, c);
  }
  double& entry(BlockHandle h, int r, int c) { return values_[h.base + c * h.stride + r]; }
  const BlockPattern& pattern() const { return *pattern_; }
  const double* values() const { return values_.data(); }
  double* values() { return values_.data(); }
  MatX to_dense() const;

 private:
  const BlockPattern* pattern_ = nullptr;
  VecX values_;
};

}  // namespace monocoque

#include "core/block_matrix.h"
#include "core/index.h"

#include <algorithm>

namespace monocoque {

BlockPattern::BlockPattern(std::vector<int> block_sizes)
    : sizes_(std::move(block_sizes)), rows_of_column_(sizes_.size()), offsets_(sizes_.size()) {
  starts_.reserve(sizes_.size());
  for (std::size_t i = 0; i < sizes_.size(); ++i) {
    starts_.push_back(size_);
    size_ += sizes_[i];
    rows_of_column_[i].push_back(static_cast<int>(i));
  }
}

void BlockPattern::couple(int i, int j) {
  rows_of_column_[at(j)].push_back(i);
}

void BlockPattern::finish(bool dense) {
  dense_ = dense;
  for (auto& rows : rows_of_column_) {
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  }
  if (dense) {
    nonzeros_ = size_ * size_;
    return;
  }
  column_pointers_.assign(1, 0);
  row_indices_.clear();
  for (std::size_t j = 0; j < sizes_.size(); ++j) {
    int height = 0;
    offsets_[j].clear();
    for (const int i : rows_of_column_[j]) {
      offsets_[j].push_back(height);
      height += sizes_[at(i)];
    }
    for (int c = 0; c < sizes_[j]; ++c) {
      for (const int i : rows_of_column_[j])
        for (int r = 0; r < sizes_[at(i)]; ++r) row_indices_.push_back(starts_[at(i)] + r);
      column_pointers_.push_back(static_cast<int>(row_indices_.size()));
    }
  }
  nonzeros_ = static_cast<int>(row_indices_.size());
}

BlockHandle BlockPattern::handle(int i, int j) const {
  const auto& rows = rows_of_column_[at(j)];
  const auto it = std::lower_bound(rows.begin(), rows.end(), i);
  if (it == rows.end() || *it != i) return {};
  if (dense_) return {starts_[at(j)] * size_ + starts_[at(i)], size_};
  const int first = starts_[at(j)];
  const int height = sizes_[at(j)] > 0 ? column_pointers_[at(first + 1)] - column_pointers_[at(first)] : 0;
  return {column_pointers_[at(first)] + offsets_[at(j)][static_cast<std::size_t>(it - rows.begin())], height};
}

MatX BlockMatrix::to_dense() const {
  const int n = pattern_->size();
  if (pattern_->dense()) return Eigen::Map<const MatX>(values_.data(), n, n);
  MatX out = MatX::Zero(n, n);
  for (int c = 0; c < n; ++c)
    for (int k = pattern_->column_pointers()[at(c)]; k < pattern_->column_pointers()[at(c + 1)]; ++k)
      out(pattern_->row_indices()[at(k)], c) = values_[k];
  return out;
}

}  // namespace monocoque

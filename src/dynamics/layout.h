#pragma once
// Where every contribution goes in the two saddle-point systems, found once when a run is set up.
//   acceleration system   unknowns (z_dot, lambda, w):      mass matrix and constraints only
//   iteration system      unknowns (z, c, lambda, w):       all tangents of the implicit methods

#include <memory>
#include <vector>

#include "core/block_matrix.h"
#include "model/model.h"

namespace monocoque {

struct JointHandles {
  BlockHandle G[kMaxMarkers], GT[kMaxMarkers];  ///< (lambda, part_k), (part_k, lambda)
  BlockHandle K[kMaxMarkers][kMaxMarkers];      ///< (part_i, part_j), iteration system only
  BlockHandle diagonal;                         ///< (lambda, lambda)
};

/// A marker on a condensed part (see condensation.h): its port displacement y and the force mu on it are
/// unknowns.
struct PortHandles {
  int y = -1, mu = -1;                         ///< blocks; -1: not on a condensed part
  unsigned bits = 0;                           ///< which: place, axes
  BlockHandle part_y[2], mu_part[2], mu_y[2];  ///< by marker: rows or columns of its part; columns of its y
  BlockHandle c_y, mu_c, w_y, mu_w, mu_lambda, diagonal;
  bool valid() const { return y >= 0; }
  int axes_offset() const { return bits & 1 ? 3 : 0; }
  int size() const { return (bits & 1 ? 3 : 0) + (bits & 2 ? 3 : 0); }
};

struct ForceHandles {
  PortHandles port[2];
  BlockHandle K[2][2];                   ///< (part_i, part_j)
  BlockHandle part_c[2], c_part[2], cc;  ///< inner states
  BlockHandle part_w[2], w_part[2], ww, cw, wc;
  BlockHandle part_lambda[2], c_lambda, w_lambda;
};

enum class SystemKind { acceleration, iteration };

class SystemLayout {
 public:
  /// condensed: parts whose elastic coordinates are not among the unknowns (sparse iteration systems only);
  /// rigid_to_forces: parts whose elasticity is left out of the derivatives of forces.
  SystemLayout(const Model& model, SystemKind kind, bool dense, std::vector<char> condensed = {},
               std::vector<char> rigid_to_forces = {});
  SystemLayout(const SystemLayout&) = delete;
  SystemLayout& operator=(const SystemLayout&) = delete;

  const BlockPattern& pattern() const { return *pattern_; }
  int size() const { return pattern_->size(); }
  int z_start() const { return 0; }
  int c_start() const { return c_start_; }
  int lambda_start() const { return lambda_start_; }
  int w_start() const { return w_start_; }
  bool condensed(std::size_t part) const { return part < condensed_.size() && condensed_[part] != 0; }
  bool rigid_to_forces(std::size_t part) const {
    return part < rigid_to_forces_.size() && rigid_to_forces_[part] != 0;
  }
  int lambda_block(std::size_t joint) const { return lambda_block_[joint]; }
  /// Number of unknowns a model has in a system of this kind, to choose dense or sparse beforehand.
  static int count(const Model& model, SystemKind kind);

  std::vector<BlockHandle> mass;  ///< per part; invalid for the ground
  std::vector<JointHandles> joints;
  std::vector<ForceHandles> forces;

 private:
  std::unique_ptr<BlockPattern> pattern_;
  std::vector<char> condensed_, rigid_to_forces_;
  std::vector<int> lambda_block_;
  int c_start_ = 0, lambda_start_ = 0, w_start_ = 0;
};

}  // namespace monocoque
